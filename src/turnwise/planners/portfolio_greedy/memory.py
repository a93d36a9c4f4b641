"""The memory of a greedy search for an assignment of scripts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import numpy as np

from turnwise.core.errors import OptionError, brief
from turnwise.core.script import ScriptExpression
from turnwise.jit.record import Address, Ints, Record, Records
from turnwise.search.expressions import parse
from turnwise.search.forms import form_of
from turnwise.search.horizon import OWN_TURN, TURNS, Horizon, reach_of
from turnwise.search.memory_pool import SearchMemory
from turnwise.search.problem import Problem
from turnwise.search.reply import everyone
from turnwise.search.team import Team, script_figures, settle_team, team_arrays
from turnwise.search.turn_replies import TurnReplies, TurnRepliesMemory

if TYPE_CHECKING:
    from turnwise.planners.portfolio_greedy.planner import PortfolioGreedyParameters


STARTS = ("best", "random")
BEST, RANDOM, GIVEN = range(3)


def start_scripts(start: str) -> tuple[str, ...]:
    """The scripts of the mover and of the others that a start names; none if it names none.

    Raises:
        OptionError: The text names no start.
    """
    if start in STARTS:
        return ()
    sides = start.split("/")
    if len(sides) != 2:
        raise OptionError(
            f"expected best, random, or SCRIPT/SCRIPT, for all own actors and for all others; got {brief(start)}"
        )
    return str(parse(sides[0])), str(parse(sides[1]))


def start_text(value: object) -> object:
    """The text of a start whose scripts are a list of texts and expressions; other values stay as they are."""
    if isinstance(value, list | tuple) and all(isinstance(one, str | ScriptExpression) for one in value):
        return "/".join(map(str, value))
    return value


def checked_start(start: str) -> str:
    """The normal form of a start.

    Raises:
        OptionError: See :func:`start_scripts`.
    """
    return "/".join(start_scripts(start)) or start


class GreedyRecord(Record):
    """The best assignment so far is that of the team."""

    team: Annotated[Records[Team], 1]
    state: Address  # row, scratch
    kept: Ints  # int64[room]: all scripts before the others reply
    reach: Annotated[Records[Horizon], 1]
    grouping: int  # EACH, TYPES, KINDS or TOGETHER
    strata: int  # steps of health by which TYPES tell actors of a kind apart
    start: int  # BEST, RANDOM or GIVEN: the scripts with which the search begins
    iterations: int  # sweeps of an improvement; 0: as long as one finds something
    responses: int  # how often the others improve theirs
    others_first: int  # whether the others improve theirs before the mover does
    others_raise: int  # whether the others keep scripts that raise the value for the mover
    opposite_random: int  # whether the side that is not being improved plays random scripts
    rate_again: int  # whether scripts are rated again, and all sweeps made
    improves_own: int  # whether the mover's side is being improved
    nested: int  # whether an assignment is rated by the best reply of the others
    first_turn: int  # whether only the first turn of each seat follows the assignment
    begun: Ints  # int64[players]: turns that have begun in the present line, with first_turn
    others_matter: int  # whether the scripts of the others can change a value
    best: float  # value of the assignment; -inf: not rated yet
    rated: int  # ratings in sweeps over the own groups
    sweeps: int  # whole sweeps over the own groups
    improvements: int
    replies: Annotated[Records[TurnReplies], 1]
    first_script: int  # place of the script that chose the turn's first action; -1: none did


class GreedyMemory(SearchMemory):
    """The arrays of one search.

    Attributes:
        turn: int64[max_turn], where turns are written.
        figures: The names under which the use of the portfolio's scripts is reported.
    """

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
        self.record = r = form.again(state=game.state_words, kept=arrays["given"], begun=game.players)
        self._team = Team(**arrays)
        settle_team(self._team, problem, settings.portfolio, start_scripts(settings.start))
        self._team.room, self._team.idle = arrays["given"], settings.idle == "random"
        r.team[0].become(self._team)
        self.figures = script_figures(game, settings.portfolio)
        self.turn = np.zeros(game.max_turn, np.int64)
        horizon = reach_of(game, settings.horizon, False)
        r.keep("horizon", everyone(r.reach[0], problem, None))
        r.reach[0].kind, r.reach[0].count = horizon.kind, horizon.count
        ends_with_turn = horizon.kind == OWN_TURN or (horizon.kind == TURNS and horizon.count == 1)
        as_coded = settings.first == "others" or settings.opposite == "random" or settings.rate_again
        self._replies = TurnRepliesMemory(r.replies[0], problem, settings)
        r.others_raise = settings.others_aim == "raise" or game.shares_goal
        r.others_matter = as_coded or (game.players > 1 and not ends_with_turn)
        r.nested = settings.nested and r.others_matter


def _form(settings: PortfolioGreedyParameters) -> GreedyRecord:
    """A record without arrays that has the planner's parameters."""
    r = GreedyRecord()
    r.start = STARTS.index(settings.start) if settings.start in STARTS else GIVEN
    r.others_first = settings.first == "others"
    r.opposite_random, r.rate_again = settings.opposite == "random", settings.rate_again
    r.strata = settings.strata
    r.iterations, r.responses = settings.iterations, settings.responses
    r.first_turn = settings.follow == "first-turn"
    return r
