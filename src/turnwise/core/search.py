"""One search: the record that kernels take with the rows it points to, and the line that is found."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from turnwise.core import problem as compiled
from turnwise.core.budget import UNLIMITED, Budget
from turnwise.core.chance import generator
from turnwise.core.clock import CLOCK
from turnwise.core.errors import TurnwiseError, unknown_name
from turnwise.core.game import Game, Words
from turnwise.core.kernel import first_record
from turnwise.core.pickling import Pinned
from turnwise.core.planner import SearchReport
from turnwise.core.problem import PROBLEM
from turnwise.core.state import State

_STOPPED_BY = {
    compiled.RUNNING: "done",
    compiled.OUT_OF_BUDGET: "budget",
    compiled.OUT_OF_TIME: "time",
    compiled.INTERRUPTED: "interrupt",
    compiled.OUT_OF_MEMORY: "memory",
    compiled.FAILED: "failure",
}


class Problem(Pinned):
    """One search problem: the record that kernels take, and the rows that it points to.

    Attributes:
        record: PROBLEM[1]; kernels take this array and use ``p = record[0]``.
        state: The state that is planned from.
        seed: Seed of the search's generator.
        game: The scenario.
        low: Lower bound of the evaluation.
        high: Upper bound.
    """

    def __init__(
        self,
        state: State,
        budget: Budget,
        seed: int,
        evaluation: str = "",
        policy: str = "uniform",
        policy_parameters: tuple[float, ...] = (),
    ) -> None:
        """Build the record.

        Args:
            state: Where the search starts; the game must not be over.
            budget: Limits.
            seed: Seed of the search's generator (chance and choices alike).
            evaluation: Name of an evaluation; empty: the game's default.
            policy: A rollout policy: one of the game's, "uniform", or "epsilon-greedy".
            policy_parameters: float64 values that the game's policy reads.

        Raises:
            UnknownNameError: No such evaluation or policy.
            TurnwiseError: The game is over.
        """
        if state.is_over:
            raise TurnwiseError("The game is over in this state; there is no turn to plan.")
        game = state.game
        self.game: Game = game
        self.state = state
        self.seed = seed
        self.evaluation_name, chosen = game.evaluation(evaluation)
        self.low, self.high = chosen.low, chosen.high
        self._rng = generator(seed)
        self._parameters = np.array([*chosen.parameters, 0.0])
        self._policy_parameters = np.array([*policy_parameters, 0.0])
        self._scratch = np.zeros(game.scratch_words + 1, np.uint64)
        self.record = first_record(np.zeros(1, PROBLEM))
        r = self.record
        for name, address in game.pointers.items():
            r[name][0] = address
        r["evaluation"][0] = chosen.function if isinstance(chosen.function, int) else chosen.function.address
        r["clock"][0] = CLOCK
        r["setup"][0], r["root"][0] = game.setup.ctypes.data, state.row.ctypes.data
        r["rng"][0] = self._rng.ctypes.data
        r["evaluation_parameters"][0] = self._parameters.ctypes.data
        r["policy_parameters"][0] = self._policy_parameters.ctypes.data
        r["policy_scratch"][0] = self._scratch.ctypes.data
        for name in ("state_words", "max_actions", "max_turn", "scratch_words", "players"):
            r[name][0] = getattr(game, name)
        r["mover"][0], r["turn_number"][0] = state.to_move, state.turn
        self.choose_policy(policy)
        r["low"][0], r["high"][0] = chosen.low, chosen.high
        r["best"][0] = -np.inf
        r["poll_every"][0] = game.poll_every
        self._start = time.monotonic_ns()
        self.limit(budget)
        game.before_plan(self)

    def limit(self, budget: Budget) -> None:
        """Set the limits anew (counters go on); time counts from the problem's making."""
        r = self.record
        r["forward_limit"][0] = UNLIMITED if budget.forward_calls is None else budget.forward_calls
        r["evaluation_limit"][0] = UNLIMITED if budget.evaluations is None else budget.evaluations
        r["iteration_limit"][0] = UNLIMITED if budget.iterations is None else budget.iterations
        deadline = 0 if budget.seconds is None else self._start + int(budget.seconds * 1e9)
        r["deadline"][0] = min(deadline, UNLIMITED)
        r["until_poll"][0] = 0
        if r["stop"][0] in (compiled.OUT_OF_BUDGET, compiled.OUT_OF_TIME):
            r["stop"][0] = compiled.RUNNING

    def choose_policy(self, policy: str) -> None:
        """Take another rollout policy from here on.

        Raises:
            UnknownNameError: No such policy.
        """
        self.record["policy_index"][0] = policy_index(self.game, policy)

    def interrupt(self) -> None:
        """Ask a running search to stop at its next look."""
        self.record["stop"][0] = compiled.INTERRUPTED

    def report(self, details: dict[str, float]) -> SearchReport:
        """What has been spent so far."""
        r = self.record
        return SearchReport(
            (time.monotonic_ns() - self._start) / 1e9,
            int(r["forward_calls"][0]),
            int(r["evaluations"][0]),
            int(r["iterations"][0]),
            _STOPPED_BY[int(r["stop"][0])],
            details,
        )


def policy_index(game: Game, policy: str) -> int:
    """Index of a rollout policy: the game's own by their order, the built-in ones negative.

    Raises:
        UnknownNameError: No such policy.
    """
    if policy in game.policies:
        return game.policies.index(policy)
    built_in = {"uniform": compiled.UNIFORM, "epsilon-greedy": compiled.EPSILON_GREEDY}
    if policy not in built_in:
        raise unknown_name(f"rollout policy of {game.name}", policy, [*game.policies, *built_in])
    return built_in[policy]


@dataclass(slots=True)
class Line:
    """What a search found: the best actions from the root on (perhaps less than a whole turn, perhaps more).

    Attributes:
        codes: Action codes; they may go on beyond the turn (single-player searches plan whole games).
        value: Value for the mover, None if there is none.
        alternatives: Other lines with their values, best first.
        details: The planner's own figures.
    """

    codes: list[int]
    value: float | None = None
    alternatives: list[tuple[list[int], float]] = field(default_factory=list)
    details: dict[str, float] = field(default_factory=dict)


def workspace(problem: Problem, rows: int) -> Words:
    """uint64[rows, state_words] for a search's states."""
    return np.zeros((rows, problem.game.state_words), np.uint64)


def action_buffer(problem: Problem) -> NDArray[np.int64]:
    """int64[max_actions] for one legal list."""
    return np.zeros(problem.game.max_actions, np.int64)
