"""What a search assumes about the other players in games of more than two that do not share a goal.

============ ==========================================================================================================
``max-n``    every player maximises its own value (Luckhardt & Irani, 1986)
``paranoid`` all others minimise the planner's value (Sturtevant & Korf, 2000)
``brs+``     paranoid, and from one turn of the planner to the next only one opponent chooses freely; the others play
             their best-scored action (Best-Reply Search with legal moves: Esser, Gras, Winands, Schadd & Lanctot, 2013)
``opps``     paranoid; ``free_opponents`` of them choose among their ``free_width`` best-scored actions, the others
             among ``other_width`` (Opponent-Pruning Paranoid Search: Baier & Kaisers, 2020)
============ ==========================================================================================================

The search descends through the turns of the others in order. An opponent who plays an action that is not among its
``other_width`` best-scored ones *deviates*. The opponents who have deviated since the planner's last turn are a bit set
that belongs to the node. With all actions and all opponents free, ``opps`` is ``paranoid``.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from turnwise.core.errors import CapacityError
from turnwise.core.game import Game
from turnwise.jit.kernel import kernel
from turnwise.jit.memory import bit_count
from turnwise.jit.record import Record, Word
from turnwise.search.planner_parameters import PlannerParameters
from turnwise.search.problem_record import ProblemRecord

_MOST_PLAYERS = 31  # bits of a node's set
_ALL = 1 << 62


class OpponentModel(Record):
    """How the search treats nodes of other players."""

    paranoid: int  # whether all others minimise the planner's value; else each maximises its own
    pruned: int  # whether the other players' actions are restricted
    free: int  # opponents who may deviate between two turns of the planner
    free_width: int  # actions of an opponent who may deviate
    other_width: int  # actions of the others


class OpponentParameters(PlannerParameters):
    """Parameters of planners that search the turns of other players."""

    opponents: Literal["max-n", "paranoid", "brs+", "opps"] = Field(
        default="max-n", description="what is assumed of the others in games of more than two players"
    )
    free_opponents: int = Field(
        default=1, ge=0, le=_MOST_PLAYERS, description="opponents who choose freely from turn to turn (opponents=opps)"
    )
    free_width: int = Field(default=0, ge=0, description="their best-scored actions; 0: all (opponents=opps)")
    other_width: int = Field(default=1, ge=1, description="best-scored actions of the other opponents (opponents=opps)")


def settle_opponents(m: OpponentModel, settings: OpponentParameters, game: Game) -> None:
    """Write the model that the parameters describe; always max-n for one or two players, and where all share a goal.

    Raises:
        CapacityError: A restricted model, and more players than it has room for.
    """
    kind = settings.opponents if game.players > 2 and not game.shares_goal else "max-n"
    m.paranoid, m.pruned = kind != "max-n", kind in ("brs+", "opps")
    if m.pruned and game.players > _MOST_PLAYERS:
        raise CapacityError(
            f"opponents={kind} needs at most {_MOST_PLAYERS} players; {game.spec} has {game.players}. Use "
            "opponents=max-n or opponents=paranoid."
        )
    is_opps = kind == "opps"
    m.free = settings.free_opponents if is_opps else 1
    m.free_width = (settings.free_width if is_opps else 0) or _ALL
    m.other_width = settings.other_width if is_opps else 1


@kernel
def each_for_itself(p: ProblemRecord, m: OpponentModel) -> bool:
    """Whether each player maximises its own value, so that all values are needed: there are more than two."""
    return p.players > 2 and p.shares_goal == 0 and m.paranoid == 0


@kernel
def width(m: OpponentModel, deviated: int, mover: int, planner: int) -> int:
    """How many of its best-scored actions a player may choose from.

    Args:
        m: The model.
        deviated: Bit set of the opponents who have deviated since the planner's last turn.
        mover: The player to move.
        planner: The planning player.
    """
    if m.pruned == 0 or mover == planner:
        return _ALL
    may_deviate = deviated >> mover & 1 != 0 or bit_count(Word(deviated)) < m.free
    return max(m.free_width, m.other_width) if may_deviate else m.other_width


@kernel
def deviated_after(m: OpponentModel, deviated: int, mover: int, planner: int, place: int, next_mover: int) -> int:
    """The set of those who have deviated, after an action.

    Args:
        m: The model.
        deviated: The set before the action.
        mover: The player who played it.
        planner: The planning player.
        place: The action's place among the mover's actions, best-scored first, from 0.
        next_mover: The player to move after it.
    """
    if m.pruned == 0 or next_mover == planner:
        return 0
    return deviated | (1 << mover) if mover != planner and place >= m.other_width else deviated
