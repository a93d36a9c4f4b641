"""Speed of a game and of planners on it, in a single thread, as counts per second.

All measurements use the function table, as planners do, with fresh trees and populations. Figures of basic operations
are averages over sample states; each figure is the median over rounds, with the slowest and the fastest round.
:mod:`turnwise.testing.bench.programme` lists the measurements for each game.
"""

from __future__ import annotations

import json
import platform
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from turnwise.core.bench import MeasuredLine, MeasuredSearch, Programme
from turnwise.core.budget import Budget
from turnwise.core.chance import draw
from turnwise.core.errors import GameFunctionError
from turnwise.core.figures import read_figures
from turnwise.core.game import Game, Row
from turnwise.core.state import State
from turnwise.core.table import call_start
from turnwise.jit.kernel import kernel
from turnwise.jit.memory import address_of, copy_words, row_at
from turnwise.jit.record import Ints, Word
from turnwise.registry import make, planner
from turnwise.search.forward_model import UNIFORM, apply, candidates, legal, policy_action, start_policy, to_move
from turnwise.search.problem import Problem, action_buffer
from turnwise.search.problem_record import ProblemRecord
from turnwise.search.state_values import evaluate
from turnwise.testing.bench.calibration import calibration_rate
from turnwise.testing.bench.programme import BASIC_SHARE, ROUNDS, programme_of

_TRIES = 50  # random games that are played to reach a turn

Progress = Callable[[str], None]
Rows = NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured rate.

    Attributes:
        name: Name of what was counted.
        per_second: Median over rounds, per second of CPU time.
        low: Slowest round.
        high: Fastest round.
        relative: Median over rounds of the rate per million steps of the calibration loop, which is measured before and
            after each round.
        relative_low: The same of the slowest round by that measure.
        relative_high: The same of the fastest round by that measure.
        planner: The planner and its parameters, if a planner was measured.
    """

    name: str
    per_second: float
    low: float
    high: float
    relative: float
    relative_low: float
    relative_high: float
    planner: str = ""


@dataclass(frozen=True, slots=True)
class BenchResult:
    """All figures of a game on this machine.

    Attributes:
        game: Name of the game.
        scenario: The scenario as text.
        machine: Description of the machine.
        calibration: Steps of the calibration loop per CPU second, the median over all rounds.
        results: The figures.
    """

    game: str
    scenario: str
    machine: str
    calibration: float
    results: tuple[Figure, ...]

    def to_json(self) -> str:
        """As JSON: ``{"game", "scenario", "machine", "calibration", "results": [...]}``.

        Each result is ``{"name", "per_second", "low", "high", "relative", "relative_low", "relative_high"}``.
        """
        rows = [
            {
                "name": f.name,
                "per_second": round(f.per_second),
                "low": round(f.low),
                "high": round(f.high),
                **{name: float(f"{getattr(f, name):.5g}") for name in ("relative", "relative_low", "relative_high")},
            }
            for f in self.results
        ]
        head = {"game": self.game, "scenario": self.scenario, "machine": self.machine}
        return json.dumps({**head, "calibration": round(self.calibration), "results": rows})

    @classmethod
    def from_json(cls, text: str) -> BenchResult:
        """The figures that :meth:`to_json` wrote, rounded as there.

        Raises:
            NotationError: The text is no result of a benchmark.
        """
        return read_figures(cls, text, "a result of a benchmark")


# ------------------------------------------------------------------------------------------------ basic operations


@kernel
def playouts(p: ProblemRecord, starts: Rows, state: Row, listed: Ints, limit: int) -> int:
    """Play repeatedly from each start, in rotation, to the end by the chosen policy; returns the number of actions.

    Args:
        p: The problem.
        starts: uint64[starts, state_words].
        state: uint64[state_words], scratch.
        listed: int64[max_actions], scratch.
        limit: Smallest number of actions.
    """
    here = address_of(state)
    done = 0
    while done < limit:
        for i in range(len(starts)):
            copy_words(here, row_at(starts, i), p.state_words)
            start_policy(p)
            while to_move(p, here) >= 0:
                if p.policy_index == UNIFORM:
                    action = listed[draw(p.rng, legal(p, here, listed))]
                else:
                    action = policy_action(p, here, 0.0, listed)
                apply(p, here, action)
                done += 1
    return done


@kernel
def fixed_moves(
    p: ProblemRecord,
    setups: NDArray[np.uint64],
    starts: Rows,
    state: Row,
    moves: NDArray[np.int64],
    limit: int,
) -> int:
    """Play repeatedly one game in each scenario, with moves drawn from a fixed list; returns the number of actions.

    Args:
        p: The problem; its setup changes with the scenario.
        setups: uint64[scenarios], addresses of setup rows.
        starts: uint64[scenarios, state_words].
        state: uint64[state_words], scratch.
        moves: int64[n], each legal in every state.
        limit: Smallest number of actions.
    """
    here, count = address_of(state), len(moves)
    done = 0
    while done < limit:
        for i in range(len(starts)):
            p.setup = setups[i]
            copy_words(here, row_at(starts, i), p.state_words)
            while to_move(p, here) >= 0:
                apply(p, here, moves[draw(p.rng, count)])
                done += 1
    return done


@kernel
def random_lines(p: ProblemRecord, start: Row, state: Row, listed: Ints, length: int, limit: int) -> int:
    """Play lines of random legal actions, each from a copy of the start; returns the number of actions.

    Args:
        p: The problem.
        start: uint64[state_words]; not over.
        state: uint64[state_words], scratch.
        listed: int64[max_actions], scratch.
        length: Largest number of actions in a line.
        limit: Smallest number of actions together.
    """
    here = address_of(state)
    done = 0
    while done < limit:
        copy_words(here, address_of(start), p.state_words)
        for _ in range(length):
            if to_move(p, here) < 0:
                break
            apply(p, here, listed[draw(p.rng, legal(p, here, listed))])
            done += 1
    return done


@kernel
def many_starts(p: ProblemRecord, start: Word, state: Row, count: int) -> int:
    """Make first states with the game's function ``start``, at an address."""
    for _ in range(count):
        call_start(start, (p.setup, address_of(state), p.rng))
    return count


@kernel
def many_copies(p: ProblemRecord, rows: Rows, count: int) -> int:
    """Copy the root into the rows of a small pool, in rotation."""
    for i in range(count):
        copy_words(row_at(rows, i & 15), p.root, p.state_words)
    return count


@kernel
def many_steps(p: ProblemRecord, rows: Rows, listed: Ints, count: int) -> int:
    """Copy the root and play one of its legal actions, in rotation."""
    n = legal(p, p.root, listed)
    action = 0
    for i in range(count):
        row = row_at(rows, i & 15)
        copy_words(row, p.root, p.state_words)
        apply(p, row, listed[action])
        action = action + 1 if action + 1 < n else 0
    return count


@kernel
def many_legal(p: ProblemRecord, listed: Ints, count: int) -> int:
    """List the root's legal actions."""
    total = 0
    for _ in range(count):
        total += legal(p, p.root, listed)
    return total


@kernel
def many_pruned(p: ProblemRecord, listed: Ints, count: int) -> int:
    """List and prune the root's legal actions."""
    total = 0
    for _ in range(count):
        total += candidates(p, p.root, listed)
    return total


@kernel
def many_evaluations(p: ProblemRecord, count: int) -> float:
    """Evaluate the root for both players alternately."""
    total = 0.0
    for i in range(count):
        total += evaluate(p, p.root, i % p.players)
    return total


def _rate(work: Callable[[int], Any], seconds: float) -> float:
    """Steps per CPU second of ``work(steps)``, run for about ``seconds``."""
    steps = 1000
    while True:
        begin = time.thread_time()
        work(steps)
        used = time.thread_time() - begin
        if used > seconds / 4:
            return steps / used
        steps *= 4


def _basic(problem: Problem, name: str, seconds: float) -> float:
    game, record = problem.game, problem.record
    listed = Ints.of(action_buffer(problem))
    pool = np.zeros((16, game.state_words), np.uint64)
    if name == "step":
        return _rate(lambda n: many_steps(record, pool, listed, n), seconds)
    if name == "copy":
        return _rate(lambda n: many_copies(record, pool, n), seconds)
    if name == "legal":
        return _rate(lambda n: many_legal(record, listed, n), seconds)
    if name == "legal-pruned":
        return _rate(lambda n: many_pruned(record, listed, n), seconds)
    return _rate(lambda n: many_evaluations(record, n), seconds)


def _steps(scenarios: Sequence[str], seconds: float, seed: int) -> float:
    starts = [make(text).start(seed) for text in scenarios]  # keeps setups and rows alive
    problem = Problem(starts[0], Budget(iterations=1), seed)
    setups = np.array([start.game.setup.ctypes.data for start in starts], np.uint64)
    rows, state = np.array([start.row for start in starts]), np.zeros(starts[0].game.state_words, np.uint64)
    moves = starts[0].legal_codes()
    fixed_moves(problem.record, setups, rows, state, moves, 1)
    begin = time.thread_time()
    done = 0
    while time.thread_time() - begin < seconds:
        done += fixed_moves(problem.record, setups, rows, state, moves, 10_000)
    return done / (time.thread_time() - begin)


def _playout(starts: Sequence[State], policy: str, seconds: float, seed: int) -> float:
    game = starts[0].game
    problem = Problem(starts[0], Budget(iterations=1), seed, policy=policy)  # keeps the rows of the record alive
    record, state = problem.record, np.zeros(game.state_words, np.uint64)
    rows, listed = np.array([start.row for start in starts]), Ints.of(action_buffer(problem))
    playouts(record, rows, state, listed, 1)
    begin = time.thread_time()
    done = 0
    while time.thread_time() - begin < seconds:
        done += playouts(record, rows, state, listed, 10_000)
    return done / (time.thread_time() - begin)


def _line(game: Game, line: MeasuredLine, seconds: float, seed: int) -> float:
    start = _state_of_turn(game, line.turn, seed)
    problem, state = Problem(start, Budget(iterations=1), seed), np.zeros(game.state_words, np.uint64)
    listed, root = Ints.of(action_buffer(problem)), start.row.copy()
    return _rate(lambda n: random_lines(problem.record, root, state, listed, line.actions, n), seconds)


def _state_of_turn(game: Game, turn: int, seed: int) -> State:
    """The first state of random play in which a turn number is reached; games that end before are left out.

    Raises:
        GameFunctionError: Random play does not get there.
    """
    for attempt in range(_TRIES):
        rng = Random(seed * _TRIES + attempt)
        state = game.start(rng.randrange(1 << 32))
        while not state.is_over:
            if state.turn >= turn:
                return state
            state = state.play(int(rng.choice(state.legal_codes())))
    raise GameFunctionError(f"{game.spec}: none of {_TRIES} random games reached turn {turn}, where a figure begins.")


def _starts(game: Game, seconds: float, seed: int) -> float:
    first = game.start(seed)
    problem, state = Problem(first, Budget(iterations=1), seed), first.row.copy()
    start = Word(game.pointers["start"])
    return _rate(lambda n: many_starts(problem.record, start, state, n), seconds)


# -------------------------------------------------------------------------------------------------------- planners


def _searched(search: MeasuredSearch, states: Sequence[State], seconds: float, seed: int) -> float:
    """Counted work per CPU second of a whole plan: the mean of the states' rates, with a fresh search for each."""
    chosen = planner(search.planner)
    budget = search.budget or Budget(seconds=seconds)
    rates = []
    for number, state in enumerate(states):
        begin = time.process_time()  # of all threads, since the search runs in its own thread
        report = chosen.plan(state, budget, seed + number).report
        rates.append(getattr(report, search.count) / (time.process_time() - begin))
    return statistics.fmean(rates)


def run_bench(
    game: Game,
    states: Sequence[State],
    seconds: float = 0.5,
    progress: Progress = lambda name: None,
    programme: Programme | None = None,
) -> BenchResult:
    """Measure a game.

    Args:
        game: The scenario.
        states: Sample states.
        programme: The measurements; None: all of the game's.
        seconds: Time per figure, state and round for searches (``BASIC_SHARE`` of it for basic operations).
        progress: Called with the name of each figure before it is measured.
    """
    problems = [Problem(state, Budget(seconds=1e9), 1) for state in states]
    figures, calibrations = [], []

    def measured(name: str, once: Callable[[int], float], by: str = "") -> None:
        progress(name)
        once(0)
        rates, relative = [], []
        before = calibration_rate()
        for round_ in range(1, ROUNDS + 1):
            rates.append(once(round_))
            after = calibration_rate()
            relative.append(2e6 * rates[-1] / (before + after))
            calibrations.append(after)
            before = after
        spreads = [(statistics.median(found), min(found), max(found)) for found in (rates, relative)]
        figures.append(Figure(name, *spreads[0], *spreads[1], by))

    programme = programme or programme_of(game)
    for name, policy in programme.playouts.items():
        measured(
            name,
            lambda r, policy=policy: _playout(  # type: ignore[misc]
                states if programme.from_samples else [game.start(r)], policy, seconds, r
            ),
        )
    for name, scenarios in programme.steps.items():
        measured(name, lambda r, scenarios=scenarios: _steps(scenarios(), seconds, r))  # type: ignore[misc]
    for name, line in programme.lines.items():
        measured(name, lambda r, line=line: _line(game, line, seconds, r))  # type: ignore[misc]
    if programme.starts:
        measured(programme.starts, lambda r: _starts(game, seconds, r))
    for name in programme.basics:
        measured(name, lambda r, name=name: _mean_rate([_basic(p, name, BASIC_SHARE * seconds) for p in problems]))  # type: ignore[misc]
    for name, search in programme.searches.items():
        measured(name, lambda r, search=search: _searched(search, states, seconds, r), search.planner)  # type: ignore[misc]
    return BenchResult(game.name, game.spec, machine(), statistics.median(calibrations), tuple(figures))


def _mean_rate(rates: Sequence[float]) -> float:
    """Rate over all states together, with the same number of operations in each."""
    return len(rates) / sum(1 / rate for rate in rates)


def machine() -> str:
    """Description of this machine on one line."""
    model = platform.processor() or platform.machine()
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            model = next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        pass
    return f"{model}, {platform.system()} {platform.machine()}, Python {platform.python_version()}"
