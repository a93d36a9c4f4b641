"""The memory of a greedy search for an assignment of scripts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import numpy as np

from turnwise.jit.record import Address, Ints, Record, Records
from turnwise.search.forms import form_of
from turnwise.search.horizon import Horizon, reach_of
from turnwise.search.memory_pool import SearchMemory
from turnwise.search.problem import Problem
from turnwise.search.reply import everyone
from turnwise.search.team import Team, settle_team, team_arrays

if TYPE_CHECKING:
    from turnwise.planners.portfolio_greedy.planner import PortfolioGreedyParameters

GROUPINGS = ("actor", "kind", "all")  # in the order of BY_ACTOR, BY_KIND, TOGETHER


class GreedyRecord(Record):
    """The best assignment so far is that of the team."""

    team: Annotated[Records[Team], 1]
    state: Address  # row, scratch
    kept: Ints  # int64[room]: the scripts of one group, or of the other seats, before a change
    reach: Annotated[Records[Horizon], 1]
    grouping: int
    random_start: int  # whether the search begins with random scripts, else with the best single ones
    iterations: int  # sweeps of an improvement; 0: as long as one finds something
    responses: int  # how often the others improve theirs
    nested: int  # whether an assignment is rated by the best reply of the others
    first_turn: int  # whether only the first turn follows the assignment
    best: float  # value of the assignment; -inf: not rated yet
    sweeps: int  # whole sweeps over the own groups
    improvements: int


class GreedyMemory(SearchMemory):
    """The arrays of one search."""

    record: GreedyRecord

    def __init__(self, problem: Problem, settings: PortfolioGreedyParameters) -> None:
        """Allocate.

        Args:
            problem: The search problem.
            settings: The planner's parameters.
        """
        game = problem.game
        arrays = team_arrays(game)
        form = form_of(game, (GreedyRecord, settings), lambda: _form(settings))
        self.record = r = form.again(state=game.state_words, kept=arrays["given"])
        self._team = Team(**arrays)
        settle_team(self._team, problem, settings.portfolio)
        self._team.room = arrays["given"]
        r.team[0].become(self._team)
        self.turn = np.zeros(game.max_turn, np.int64)
        horizon = reach_of(game, settings.horizon, False)
        r.keep("horizon", everyone(r.reach[0], problem, None))
        r.reach[0].kind, r.reach[0].count = horizon.kind, horizon.count


def _form(settings: PortfolioGreedyParameters) -> GreedyRecord:
    """A record without arrays that has the planner's parameters."""
    r = GreedyRecord()
    r.random_start = settings.start == "random"
    r.iterations, r.responses = settings.iterations, settings.responses
    r.nested, r.first_turn = settings.nested, settings.follow == "first-turn"
    return r
