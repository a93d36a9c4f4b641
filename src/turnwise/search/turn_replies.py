"""Replies of the other seats to a whole turn, under an assumption about what these want and how many of them search.

After the own turn the others move, one turn each, until it is the planner's turn again::

    value(s):                                           s: the own turn is over
        if it is the planner's turn, or the game is over: return the evaluation of s
        for each of the mover's m candidate turns:      r <- value(the state after it)
        return the best r for the mover

Candidate turns begin with the actions that the quick model (:mod:`turnwise.search.quick_model`) rates best, one turn
for each, and go on as the model plays; so the first one is the model's own turn. What is best, and m, depend on
``reply``:

============ =========================== ========================================================================
``max-n``    for the mover's own value   m = ``reply_turns``
``paranoid`` what is lowest for me       m = ``reply_turns``
``brs+``     what is lowest for me       one opponent has ``reply_turns``, the others the model's turn
``opps``     what is lowest for me       ``free_opponents`` have ``reply_turns``, the others ``other_turns``
============ =========================== ========================================================================

Instead of replies, the quick model can play some turns for all seats (``quick_turns``): so turns are rated in several
worlds whose search looked as far.

Which opponents are the free ones is part of the choice: the value is the lowest over all sets of them. Sources, all
for searches of single actions: Luckhardt & Irani 1986 (max-n), Sturtevant & Korf 2000 (paranoid), Esser et al. 2013
(BRS+), Baier & Kaisers 2020 (OPPS).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from turnwise.core.errors import CapacityError
from turnwise.core.game import Game
from turnwise.core.table import NOTHING
from turnwise.jit.kernel import caller, entry, f64, kernel, u64
from turnwise.jit.memory import address_of_record, offset, row_address
from turnwise.jit.record import Address, Floats, Ints, Record, Records, Word
from turnwise.search.forward_model import apply_as, copy_state, exhausted, to_move, turn
from turnwise.search.horizon import TURNS, Horizon
from turnwise.search.opponents import OpponentModel, deviated_after, each_for_itself, width
from turnwise.search.planner_parameters import PlannerParameters
from turnwise.search.problem import Problem
from turnwise.search.problem_record import ProblemRecord
from turnwise.search.quick_model import QuickModel, QuickModelMemory, play_quickly, quick_action, rank_actions
from turnwise.search.state_values import as_seen_by, evaluate, evaluate_for_all

_MOST_PLAYERS = 31  # bits of a set of opponents
_MOST_TURNS = 1000

# Searches reach this code through a pointer: those without replies neither compile nor call it.
VALUE_AFTER_REPLIES = f64(u64, u64, u64)  # problem, replies, state -> value; NaN: out of budget
call_value_after_replies: Callable[[Word, tuple[Address, Address, Address]], float] = caller(
    VALUE_AFTER_REPLIES.return_type, *VALUE_AFTER_REPLIES.args
)


class TurnReplyParameters(PlannerParameters):
    """Parameters of every planner that can rate turns after the turns of the other seats."""

    reply: Literal["none", "max-n", "paranoid", "brs+", "opps"] = Field(
        default="none",
        description="how the other seats reply before a turn is rated: not at all; each by its best candidate turn "
        "(max-n); by the turns that are worst for the planner (paranoid), with one opponent that has several candidate "
        "turns (brs+) or some of them (opps)",
    )
    free_opponents: int = Field(
        default=1, ge=0, le=_MOST_PLAYERS, description="opponents with all candidate turns (reply=opps)"
    )
    reply_turns: int = Field(
        default=3,
        ge=1,
        le=_MOST_TURNS,
        description="candidate turns of an opponent: those that begin with the best actions and go on as the quick "
        "model plays",
    )
    other_turns: int = Field(
        default=1, ge=1, le=_MOST_TURNS, description="candidate turns of the other opponents (reply=opps)"
    )
    model_actions: int = Field(
        default=10,
        ge=1,
        le=100_000,
        description="best-scored actions that the quick model of other turns tries; 1: it plays by score alone",
    )

    @property
    def simulates_replies(self) -> bool:
        """Whether turns are rated after replies."""
        return self.reply != "none"

    def replies_of(self, game: Game) -> int:
        """Upper bound of the number of sequences of replies to a turn in a game."""
        others = game.players - 1
        free = min(others, {"brs+": 1, "opps": self.free_opponents}.get(self.reply, others))
        rest = self.other_turns if self.reply == "opps" else 1
        sets = 1 if free == others else others  # only an order of magnitude for several
        return sets * max(self.reply_turns, rest) ** free * rest ** (others - free) if self.simulates_replies else 0


class ReplyLevel(Record):
    """A state in which an opponent's turn begins, and what is known about its candidate turns."""

    mover: int
    deviated: int  # opponents who have chosen freely
    count: int  # candidate turns
    next: int  # the one to play next
    rated: int  # how many have a value


class TurnReplies(Record):
    """How the other seats reply to a turn, and the replies in progress."""

    function: Word  # VALUE_AFTER_REPLIES; 0: nobody replies
    opponents: Annotated[Records[OpponentModel], 1]
    model: Annotated[Records[QuickModel], 1]
    levels: Records[ReplyLevel]  # [players]: one for each opponent's turn
    rows: Address  # uint64[players + 1, state_words]: their states, and the one after the last turn
    begins: Ints  # int64[players, most]: the first actions of their candidate turns
    best: Floats  # float64[players + 1, players]: the best values so far (max-n: of all players); last: a new state's
    most: int
    quick: Annotated[Records[Horizon], 1]  # the turns that the model plays for all seats instead


class TurnRepliesMemory:
    """The arrays of replies: it fills a record and keeps what that points to."""

    def __init__(
        self, record: TurnReplies, problem: Problem, settings: TurnReplyParameters, quick_turns: int = 0
    ) -> None:
        """Write the record; with one player nobody replies.

        Args:
            record: The search's replies.
            problem: The search problem.
            settings: The planner's parameters.
            quick_turns: Turns that the quick model plays for all seats instead of replies.

        Raises:
            CapacityError: There are too many players.
        """
        game = problem.game
        record.function = Word(0)
        if quick_turns > 0:
            self._room = TurnReplies(rows=game.state_words)
            record.become(self._room)
            self._model = QuickModelMemory(record.model[0], game, settings.model_actions)
            record.quick[0].kind, record.quick[0].count = TURNS, quick_turns
            record.function = Word(value_after_quick_turns.address)
            return
        if not settings.simulates_replies or game.players == 1:
            return
        if game.players > _MOST_PLAYERS:
            raise CapacityError(
                f"reply={settings.reply} needs at most {_MOST_PLAYERS} players; {game.spec} has {game.players}. Use "
                "reply=none."
            )
        most = max(settings.reply_turns, settings.other_turns)
        self._room = room = TurnReplies(
            levels=game.players,
            rows=(game.players + 1) * game.state_words,
            begins=game.players * most,
            best=(game.players + 1) * game.players,
        )
        record.become(room)
        record.most, record.function = most, Word(value_after_replies.address)
        self._model = QuickModelMemory(record.model[0], game, settings.model_actions, most)
        m, is_opps = record.opponents[0], settings.reply == "opps"
        m.paranoid, m.pruned = settings.reply != "max-n" and not game.shares_goal, 1
        m.free = {"brs+": 1, "opps": settings.free_opponents}.get(settings.reply, game.players)
        m.free_width, m.other_width = settings.reply_turns, settings.other_turns if is_opps else 1


@kernel
def value_of_turn(p: ProblemRecord, r: TurnReplies, state: Address) -> float:
    """Value for the planner of a state in which its turn is over: after the replies, if there are any.

    Args:
        p: The problem; its budget is not exhausted.
        r: The replies.
        state: Address of the state, unchanged.

    Returns:
        The value; NaN: the budget ran out first.
    """
    if r.function != 0:
        return call_value_after_replies(r.function, (address_of_record(p), address_of_record(r), state))
    value = evaluate(p, state, p.mover)
    return value if p.unrated == 0 else np.nan


@entry(VALUE_AFTER_REPLIES)
def value_after_replies(p: ProblemRecord, r: TurnReplies, state: Address) -> float:
    """Value for the planner of a state after the replies to it; NaN: out of budget."""
    copy_state(p, row_address(r.rows, 0, p.state_words), state)
    return search_replies(p, r)


@entry(VALUE_AFTER_REPLIES)
def value_after_quick_turns(p: ProblemRecord, r: TurnReplies, state: Address) -> float:
    """Value for the planner of a state after the quick model's turns; NaN: out of budget."""
    here = row_address(r.rows, 0, p.state_words)
    copy_state(p, here, state)
    if not play_quickly(p, r.model[0], r.quick[0], here) or exhausted(p):
        return np.nan
    value = evaluate(p, here, p.mover)
    return value if p.unrated == 0 else np.nan


@kernel
def search_replies(p: ProblemRecord, r: TurnReplies) -> float:
    """Play all replies to the state in the first row, depth first; the value for the planner, NaN: out of budget."""
    depth = 0
    if not enter(p, r, depth, 0):
        return rated_value(p, r, depth)
    while True:
        level = r.levels[depth]
        if level.count == 0:
            return np.nan
        if level.next < level.count:
            if not play_candidate(p, r, depth, level.next):
                return np.nan
            after = to_move(p, row_address(r.rows, depth + 1, p.state_words))
            deviated = deviated_after(r.opponents[0], level.deviated, level.mover, p.mover, level.next, after)
            level.next += 1
            if enter(p, r, depth + 1, deviated):
                depth += 1
            elif np.isnan(rated_value(p, r, depth + 1)):
                return np.nan
            else:
                offer(p, r, depth, offset(r.best, p.players * p.players))
        elif depth == 0:
            return r.best[p.mover]
        else:
            depth -= 1
            offer(p, r, depth, offset(r.best, (depth + 1) * p.players))


@kernel
def enter(p: ProblemRecord, r: TurnReplies, depth: int, deviated: int) -> bool:
    """Begin with the candidate turns of the state at a depth; False: no opponent is to move there, or all have moved.

    Without budget the level has no candidates.
    """
    state = row_address(r.rows, depth, p.state_words)
    mover = to_move(p, state)
    if mover < 0 or mover == p.mover or depth >= p.players - 1:
        return False
    level, m = r.levels[depth], r.model[0]
    level.mover, level.deviated, level.next, level.rated = mover, deviated, 0, 0
    level.count = rank_actions(p, m, state, width(r.opponents[0], deviated, mover, p.mover))
    begins = offset(r.begins, depth * r.most)
    for i in range(level.count):
        begins[i] = m.ranked[i]
    return True


@kernel
def play_candidate(p: ProblemRecord, r: TurnReplies, depth: int, place: int) -> bool:
    """Play a candidate turn from the state at a depth into the next row; False: out of budget."""
    state = row_address(r.rows, depth + 1, p.state_words)
    copy_state(p, state, row_address(r.rows, depth, p.state_words))
    player, number = r.levels[depth].mover, turn(p, state)
    action, length = offset(r.begins, depth * r.most)[place], 0
    while True:
        if action == NOTHING or exhausted(p):
            return False
        apply_as(p, state, action, player)
        length += 1
        if length >= p.max_turn or to_move(p, state) != player or turn(p, state) != number:
            return True
        action = quick_action(p, r.model[0], state)


@kernel
def rated_value(p: ProblemRecord, r: TurnReplies, depth: int) -> float:
    """Write the values of the state at a depth to the last row of ``best``; the planner's, NaN: out of budget."""
    state, values = row_address(r.rows, depth, p.state_words), offset(r.best, p.players * p.players)
    if exhausted(p):
        return np.nan
    if each_for_itself(p, r.opponents[0]):
        if not evaluate_for_all(p, state, values):
            return np.nan
    else:
        values[p.mover] = evaluate(p, state, p.mover)
    return values[p.mover] if p.unrated == 0 else np.nan


@kernel
def offer(p: ProblemRecord, r: TurnReplies, depth: int, values: Floats) -> None:
    """Keep the values after a candidate turn if the mover at a depth prefers them; of equals the first stays.

    Args:
        p: The problem.
        r: The replies.
        depth: The depth.
        values: float64[players]; only the planner's, unless everybody maximises its own.
    """
    level, best = r.levels[depth], offset(r.best, depth * p.players)
    if each_for_itself(p, r.opponents[0]):
        better = values[level.mover] > best[level.mover]
    else:
        better = as_seen_by(p, level.mover, values[p.mover]) > as_seen_by(p, level.mover, best[p.mover])
    if level.rated == 0 or better:
        for player in range(p.players):
            best[player] = values[player]
    level.rated += 1
