"""One planner, many positions: independent decisions, in one process or several."""

from __future__ import annotations

import multiprocessing
import signal
import time
import traceback
from collections.abc import Callable, Generator, Iterable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, suppress
from dataclasses import dataclass
from multiprocessing.process import BaseProcess
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
_PATIENCE = 5.0  # seconds for a process to end
_PARTS = 8  # shares of a process, so that a slow position delays little

Progress = Callable[[int, int], None]
"""Called as ``progress(done, total)``: positions."""
Keep = Callable[[int, Plan], None]
"""Called as ``keep(number, plan)``."""


def plan_states(
    planner: PlansTurns | str,
    states: Iterable[State],
    budget: Budget | str,
    *,
    seed: int = 0,
    workers: int = 1,
    progress: Progress = lambda done, total: None,
    keep: Keep = lambda number, plan: None,
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
        keep: Called with each position's number, from 0, and its plan as soon as that is known, in any order: what it
            keeps is not lost when a later position fails or Ctrl-C comes.

    Returns:
        The plans, in the order of the positions.

    Raises:
        UnknownNameError: There is no such planner.
        OptionError: An argument is invalid, the planner returns no Plan, or cannot be sent to other processes.
        TurnwiseError: A game is over, or a process ended. A note of the error names the position.
        KeyboardInterrupt: Ctrl-C; the plans that are known have been given to ``keep``.
    """
    chosen = planner_of(planner) if isinstance(planner, str) else as_planner(planner)
    limits = as_budget(budget)
    base = arguments.seed(seed)
    states = arguments.items(states, State, "The positions", "states")
    positions = [_Position(number, state, derive_seed(base, number)) for number, state in enumerate(states)]
    most = arguments.whole_number(workers, "The number of processes", 1, _MOST_WORKERS)
    most = min(most, len(positions), available_cores() if limits.is_timed else most)
    progress(0, len(positions))
    plans: dict[int, Plan] = {}
    with closing(_planned(chosen, limits, positions, most)) as planned:  # an error ends the processes at once
        for number, plan in planned:
            plans[number] = plan
            keep(number, plan)
            progress(len(plans), len(positions))
    return [plans[number] for number in range(len(positions))]


@dataclass(frozen=True, slots=True)
class _Position:
    """One decision: its number, from 0, its state, and its seed."""

    number: int
    state: State
    seed: int


@dataclass(frozen=True, slots=True)
class _Failure:
    """The error of a position, by its number.

    Attributes:
        number: The position.
        error: What the planner raised.
        place: Where, from a process whose traceback does not come along.
    """

    number: int
    error: Exception
    place: str = ""


def _planned(
    planner: PlansTurns, budget: Budget, positions: Sequence[_Position], workers: int
) -> Generator[tuple[int, Plan]]:
    """The plans with the numbers of their positions, as they become known.

    Raises:
        TurnwiseError: A process ended. Other errors are those of the planner, with a note that names the position.
    """
    if workers <= 1:
        results: Generator[tuple[int, Plan] | _Failure] = (_plan(planner, budget, one) for one in positions)
    else:
        step = max(1, len(positions) // (workers * _PARTS))
        parts = [_packed(planner, budget, positions[begin : begin + step]) for begin in range(0, len(positions), step)]
        results = _in_processes(parts, workers)
    with closing(results):
        for result in results:
            if isinstance(result, _Failure):
                result.error.add_note(f"This happened in position {result.number} of plan_states, counted from 0.")
                if result.place:
                    result.error.add_note(result.place)
                raise result.error
            yield result


def _plan(planner: PlansTurns, budget: Budget, position: _Position) -> tuple[int, Plan] | _Failure:
    """The plan of a position, or what went wrong.

    Raises:
        KeyboardInterrupt: Ctrl-C has cut the plan short.
    """
    try:
        found = planner.plan(position.state, budget, position.seed)
        plan = found if isinstance(found, Plan) else Plan.of(position.state, found)
    except Exception as error:  # planners of users can fail in any way
        return _Failure(position.number, error)
    if plan.report.stopped_by == "interrupt":  # the caller wants the other positions to end, too
        raise KeyboardInterrupt
    return position.number, plan


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


def _plan_part(packed: bytes) -> list[tuple[int, Plan] | _Failure]:
    """What a process does; it stops at the first failure.

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
    results = []
    for position in positions:
        results.append(_plan(planner, budget, position))
        if isinstance(results[-1], _Failure):
            results[-1] = _sendable(results[-1])
            break
    return results


def _sendable(failure: _Failure) -> _Failure:
    """The failure with an error that survives the way to another process, and the place where it happened."""
    place = "In the other process:\n" + "".join(traceback.format_tb(failure.error.__traceback__))
    try:
        ForkingPickler.loads(ForkingPickler.dumps(failure.error))
    except Exception:
        words = "".join(traceback.format_exception_only(failure.error)).strip()
        return _Failure(failure.number, TurnwiseError(f"The planner failed: {words}"), place)
    return _Failure(failure.number, failure.error, place)


def _in_processes(parts: Sequence[bytes], workers: int) -> Generator[tuple[int, Plan] | _Failure]:
    """The results of all parts, as processes finish them.

    Raises:
        TurnwiseError: A process ended.
    """
    pool = ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), initializer=_leave_ctrl_c_to_the_caller)
    futures: list[Future[list[tuple[int, Plan] | _Failure]]] = []
    has_planned = False
    try:
        futures = [pool.submit(_plan_part, part) for part in parts]
        for future in as_completed(futures):
            yield from future.result()
            has_planned = True
    except BrokenProcessPool:
        guard = "In a script, call plan_states below 'if __name__ == \"__main__\":': every process imports the script. "
        raise TurnwiseError(
            f"A process that planned has ended. {'' if has_planned else guard}Possible causes are too little memory "
            "and a crash of compiled code. With workers=1 everything happens in this process."
        ) from None
    finally:
        processes = list((getattr(pool, "_processes", None) or {}).values())
        is_over = all(future.done() for future in futures)
        pool.shutdown(wait=is_over, cancel_futures=True)
        if not is_over:  # an error or Ctrl-C: searches in progress are dropped
            _kill(processes)


def _kill(processes: Sequence[BaseProcess]) -> None:
    """End these processes and wait until this process knows that they have ended.

    ``join`` returns too early if the pool's own thread has just fetched the exit code and not yet stored it.
    """
    for process in processes:
        with suppress(OSError):
            process.kill()
    deadline = time.monotonic() + _PATIENCE
    while any(process.exitcode is None for process in processes) and time.monotonic() < deadline:
        time.sleep(0.001)


def _leave_ctrl_c_to_the_caller() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
