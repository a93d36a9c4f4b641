"""One planner, many positions: independent decisions, in one process or several."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.reduction import ForkingPickler

from turnwise.arena.tournament.run import available_cores
from turnwise.core import arguments
from turnwise.core.budget import Budget, as_budget
from turnwise.core.chance import derive_seed
from turnwise.core.errors import OptionError, TurnwiseError, brief
from turnwise.core.state import State
from turnwise.registry import planner as planner_of
from turnwise.search.plan import Plan
from turnwise.search.plans_turns import PlansTurns, as_planner

_MOST_WORKERS = 1024
_PARTS = 8  # shares of a process, so that a slow position delays little

Progress = Callable[[int, int], None]
"""Called as ``progress(done, total)``: positions."""


def plan_states(
    planner: PlansTurns | str,
    states: Iterable[State],
    budget: Budget | str,
    *,
    seed: int = 0,
    workers: int = 1,
    progress: Progress = lambda done, total: None,
) -> list[Plan]:
    """Plan a turn in each of many positions; nothing is remembered between them.

    With any budget but time, equal arguments give equal plans with any number of processes. Processes are started
    afresh, so a script must call this below ``if __name__ == "__main__":``; games and planners of its own must be
    defined in modules or at the top level of the script.

    Args:
        planner: A planner, or its text.
        states: The positions, of any games; what the movers know.
        budget: Limits of every turn; a :class:`Budget` or its text.
        seed: The seeds of the decisions are derived from it.
        workers: Number of processes; where time is limited, at most one for each core.
        progress: Called as positions are finished.

    Returns:
        The plans, in the order of the positions.

    Raises:
        UnknownNameError: There is no such planner.
        OptionError: An argument is invalid, the planner returns no Plan, or cannot be sent to other processes.
        TurnwiseError: A game is over, or a process ended. A note of the error names the position.
        KeyboardInterrupt: Ctrl-C; there are no plans.
    """
    chosen = planner_of(planner) if isinstance(planner, str) else as_planner(planner)
    limits = as_budget(budget)
    base = arguments.seed(seed)
    states = arguments.items(states, State, "The positions", "states")
    positions = [_Position(number, state, derive_seed(base, number)) for number, state in enumerate(states)]
    most = arguments.whole_number(workers, "The number of processes", 1, _MOST_WORKERS)
    most = min(most, len(positions), available_cores() if limits.is_timed else most)
    progress(0, len(positions))
    plans: list[Plan] = []
    if most <= 1:
        for position in positions:
            plans.append(_plan(chosen, limits, position))
            progress(len(plans), len(positions))
        return plans
    step = max(1, len(positions) // (most * _PARTS))
    parts = [_packed(chosen, limits, positions[begin : begin + step]) for begin in range(0, len(positions), step)]
    return list(_in_processes(parts, most, lambda done: progress(done, len(positions))))


@dataclass(frozen=True, slots=True)
class _Position:
    """One decision: its number, from 0, its state, and its seed."""

    number: int
    state: State
    seed: int


def _plan(planner: PlansTurns, budget: Budget, position: _Position) -> Plan:
    try:
        found = planner.plan(position.state, budget, position.seed)
        plan = found if isinstance(found, Plan) else Plan.of(position.state, found)
    except Exception as error:
        error.add_note(f"This happened in position {position.number} of plan_states, counted from 0.")
        raise
    if plan.report.stopped_by == "interrupt":  # it is cut short, and the caller wants the other positions to end, too
        raise KeyboardInterrupt
    return plan


def _packed(planner: PlansTurns, budget: Budget, positions: Sequence[_Position]) -> bytes:
    """What a process needs for its part of the positions; packed here, where an error reaches the caller.

    Raises:
        OptionError: The planner or a game cannot be packed.
    """
    try:
        return bytes(ForkingPickler.dumps((planner, budget, positions)))
    except TurnwiseError:
        raise
    except Exception as error:  # objects of users can fail in any way
        raise OptionError(
            f"The planner {brief(planner)} or a state cannot be sent to other processes: {error}. Define its class "
            "at the top level of a module or script, and keep open files, locks, generators and the like out of its "
            "attributes; or plan in this process, with workers=1."
        ) from error


def _plan_part(packed: bytes) -> list[Plan]:
    """What a process does.

    Raises:
        TurnwiseError: A class does not exist in this process.
    """
    try:
        planner, budget, positions = ForkingPickler.loads(packed)
    except (AttributeError, ImportError) as error:
        raise TurnwiseError(
            f"The planner or a game does not exist in the process that was to plan: {error}. Define its class in a "
            "module or at the top level of the script, not in a function or below 'if __name__ == \"__main__\":'."
        ) from error
    return [_plan(planner, budget, position) for position in positions]


def _in_processes(parts: Sequence[bytes], workers: int, progress: Callable[[int], None]) -> Iterator[Plan]:
    """The plans of all parts, in order.

    Raises:
        TurnwiseError: A process ended.
    """
    pool = ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), initializer=_leave_ctrl_c_to_the_caller)
    futures: list[Future[list[Plan]]] = []
    try:
        futures = [pool.submit(_plan_part, part) for part in parts]
        running, done = set(futures), 0
        while running:
            finished, running = wait(running, return_when="FIRST_COMPLETED")
            done += sum(len(future.result()) for future in finished)
            progress(done)
        for future in futures:
            yield from future.result()
    except BrokenProcessPool:
        raise TurnwiseError(
            "A process that planned has ended. In a script, call plan_states below 'if __name__ == \"__main__\":': "
            "every process imports the script; other causes are too little memory and a crash of compiled code. With "
            "workers=1 everything happens in this process."
        ) from None
    finally:
        processes = list((getattr(pool, "_processes", None) or {}).values())
        pool.shutdown(wait=False, cancel_futures=True)
        if not all(future.done() for future in futures):  # an error or Ctrl-C: searches in progress are dropped
            for process in processes:
                with suppress(OSError):
                    process.kill()


def _leave_ctrl_c_to_the_caller() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
