"""Where the time of a planner's searches goes: the functions of the game, and the planner's own code."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from statistics import median
from typing import NamedTuple

from turnwise.core import arguments
from turnwise.core.budget import Budget, as_budget
from turnwise.core.errors import OptionError, shown
from turnwise.core.figures import read_figures
from turnwise.core.game import Game
from turnwise.core.state import State
from turnwise.search.plan import Plan
from turnwise.search.planner import Planner
from turnwise.testing.profiling.meters import Meters
from turnwise.testing.profiling.methods import ClockedMethods

_ROUNDS = 3
_SEED = 1


@dataclass(frozen=True)
class FunctionShare:
    """What one of the game's functions costs.

    Attributes:
        function: Name in the function table (:mod:`turnwise.core.table`), or "evaluation".
        calls: Number of calls in all searches.
        nanoseconds: Mean time of a call; 0.0: too short to be measured.
        share: Part of the time of the searches, from 0.
    """

    function: str
    calls: int
    nanoseconds: float
    share: float


@dataclass(frozen=True)
class MethodShare:
    """What one method of a plain Python game costs.

    Attributes:
        method: Its name.
        calls: Number of calls in all searches.
        nanoseconds: Mean time of a call, without other methods of the game that it called.
        share: Part of the time of the searches, from 0.
    """

    method: str
    calls: int
    nanoseconds: float
    share: float


@dataclass(frozen=True)
class SearchProfile:
    """Where the time of searches goes.

    Attributes:
        game: Specification of the game.
        planner: Specification of the planner.
        budget: Budget of each search.
        positions: Number of searches.
        seconds: Wall time of all searches together without meters, the median of three rounds.
        forward_calls: Forward-model calls of all searches.
        evaluations: Evaluations of all searches.
        functions: The game's functions, the most expensive one first.
        own_share: The rest: the planner's code, and functions too short for a meter (``to_move``, ``turn``).
        methods: Of a game in plain Python: its methods, the most expensive one first; their time is a part of that of
            ``functions``, the rest of which converts states and actions.
    """

    game: str
    planner: str
    budget: str
    positions: int
    seconds: float
    forward_calls: int
    evaluations: int
    functions: tuple[FunctionShare, ...]
    own_share: float
    methods: tuple[MethodShare, ...] = ()

    def to_json(self) -> str:
        """The profile as JSON text."""
        return json.dumps(asdict(self), indent=2)

    @classmethod
    def from_json(cls, text: str) -> SearchProfile:
        """The profile that :meth:`to_json` wrote.

        Raises:
            NotationError: The text is no profile.
        """
        return read_figures(cls, text, "a profile")


def profile_search(planner: Planner, positions: Sequence[State], budget: Budget | str) -> SearchProfile:
    """Measure where the time of a planner's searches goes.

    Every position is searched without meters, which gives the time, and with meters in the game's function table,
    which count calls and time some of them. Searches with a time budget differ from run to run; the calls are then
    scaled by the numbers of forward-model calls.

    Args:
        planner: A planner of turnwise; its searches must use one thread.
        positions: Where to search: states of one game, in which somebody is to move.
        budget: Budget of each search, or its text.

    Raises:
        OptionError: There is no position, the game is over in one, they belong to different games, or code is not
            compiled in this process.
    """
    if not isinstance(planner, Planner):
        raise OptionError(f"A planner to profile must be one of turnwise's classes; got {shown(planner)}.")
    positions = arguments.items(positions, State, "The positions", "states")
    _check(positions)
    budget = as_budget(budget)
    game = positions[0].game
    rounds = [_search(planner, positions, budget) for _ in range(1 + _ROUNDS)][1:]  # the first one may compile
    seconds = median(sum(plan.report.seconds for plan in plans) for plans in rounds)
    work = SearchWork(seconds, sum(plan.report.forward_calls for plan in rounds[-1]))
    functions = _functions(planner, positions, budget, work)
    return SearchProfile(
        game=game.spec,
        planner=planner.spec,
        budget=str(budget),
        positions=len(positions),
        seconds=seconds,
        forward_calls=work.forward_calls,
        evaluations=sum(plan.report.evaluations for plan in rounds[-1]),
        functions=functions,
        own_share=max(0.0, 1.0 - sum(function.share for function in functions)),
        methods=_methods(planner, positions, budget, work) if game.is_plain_python else (),
    )


class SearchWork(NamedTuple):
    """What the searches took without meters."""

    seconds: float
    forward_calls: int

    def scale(self, plans: Sequence[Plan]) -> float:
        """How many times as much they did as other searches of the same positions."""
        return self.forward_calls / max(1, sum(plan.report.forward_calls for plan in plans))

    def share(self, calls: int, nanoseconds: float) -> float:
        """The part of the time that calls take."""
        return calls * nanoseconds / 1e9 / self.seconds


def _functions(
    planner: Planner, positions: Sequence[State], budget: Budget, work: SearchWork
) -> tuple[FunctionShare, ...]:
    meters = Meters(positions[0].game)
    metered = _in_game(meters.game, positions)
    _search(planner, metered[:1], budget)  # fills caches
    meters.clear()
    scale = work.scale(_search(planner, metered, budget))
    found = []
    for reading in meters.readings():
        calls = round(reading.calls * scale)
        share = work.share(calls, reading.nanoseconds)
        found.append(FunctionShare(reading.function, calls, reading.nanoseconds, share))
    return tuple(sorted(found, key=lambda function: -function.share))


def _methods(planner: Planner, positions: Sequence[State], budget: Budget, work: SearchWork) -> tuple[MethodShare, ...]:
    clocks = ClockedMethods(positions[0].game)
    clocked = _in_game(clocks.game, positions)
    _search(planner, clocked[:1], budget)
    clocks.clear()
    scale = work.scale(_search(planner, clocked, budget))
    found = []
    for time in clocks.times():
        calls, mean = round(time.calls * scale), time.own_nanoseconds / time.calls
        found.append(MethodShare(time.name, calls, mean, work.share(calls, mean)))
    return tuple(sorted(found, key=lambda method: -method.share))


def _in_game(game: Game, positions: Sequence[State]) -> list[State]:
    return [game.from_dict(state.to_dict()) for state in positions]


def _check(positions: Sequence[State]) -> None:
    if not positions:
        raise OptionError("A profile needs at least one position; got none.")
    for number, state in enumerate(positions):
        if state.game is not positions[0].game:
            raise OptionError(f"Position {number} belongs to another game object than position 0: {state.game.spec}.")
        if state.is_over:
            raise OptionError(f"Position {number}: the game is over; expected positions in which somebody is to move.")


def _search(planner: Planner, states: Sequence[State], budget: Budget) -> list[Plan]:
    return [planner.plan(state.view(state.to_move), budget, seed=_SEED) for state in states]
