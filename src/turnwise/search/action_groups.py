"""Groups of actions in searches: what a game calls its actions ("city", "move"), and one group drawn for a decision.

A search may choose one group of a state's actions by chance and consider only these (``root-groups``). The groups are
kinds of actors, or those that the game names, several of them joined to one::

    kinds                    the actions of units of one kind, of cities, ...
    tribe/city/unit+move     tribe, or city, or unit and move

Each group that has an action of an actor is equally likely. Actions in no group compete in every one; with ``kinds``
these are the actions that belong to nobody, as the end of a turn.

Source: Perez-Liebana et al., "Tribes: A New Turn-Based Strategy Game for AI Research", 2020, whose flat Monte Carlo and
MCTS first draw one of tribe, cities and units.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np
from pydantic import AfterValidator

from turnwise.core import table
from turnwise.core.chance import draw
from turnwise.core.errors import OptionError, brief, unknown_name
from turnwise.core.game import Game
from turnwise.jit.kernel import kernel
from turnwise.jit.record import Address, Ints, Record
from turnwise.search.actors import actor_kind, actor_of, contains
from turnwise.search.problem_record import ProblemRecord

KINDS = "kinds"
ROOT_GROUPS = (
    "one group of actions is drawn, and only it is considered at the root: 'kinds' (of actors), or the game's groups, "
    "as in tribe/city/unit+move; empty: all actions"
)
_NO_PART = -1


class Parts(Record):
    """The groups from which one is drawn."""

    part: Ints  # int64[number of the game's groups]: the part that each belongs to; below 0: none
    count: int  # parts; 0: nothing is drawn
    by_kind: int  # whether kinds of actors are the parts
    is_drawn: int  # whether one has been drawn for this decision:
    chosen: int  # below 0: there was none


def parse_parts(text: str) -> list[list[str]]:
    """The names of the groups that are one part each.

    Raises:
        ValueError: A name is missing or given twice.
    """
    parts = [[name.strip() for name in part.split("+")] for part in text.split("/")] if text.strip() else []
    names = [name for part in parts for name in part]
    wrong = next((name for name in names if not name or names.count(name) > 1), None)
    if wrong is not None:
        raise ValueError(
            f"got {brief(text)}; expected names of groups, each once, as in tribe/city/unit+move, or {KINDS}"
        )
    return parts


def _normal_parts(text: str) -> str:
    return "/".join("+".join(part) for part in parse_parts(text))


PartsText = Annotated[str, AfterValidator(_normal_parts)]
"""Type of a parameter ``root_groups``."""


def places_of_groups(game: Game, names: list[str]) -> list[int]:
    """Places of groups of actions in the game's list.

    Raises:
        OptionError: The game has no groups of actions.
        UnknownNameError: It has no group of a name.
    """
    if names and not game.action_groups:
        raise OptionError(
            f"{game.name} has no groups of actions; got {brief('+'.join(names))}. Leave the option out, or use a game "
            "that names groups (game.action_groups)."
        )
    for name in names:
        if name not in game.action_groups:
            raise unknown_name("group of actions", name, game.action_groups, f"game {game.name}")
    return [game.action_groups.index(name) for name in names]


def settle_parts(r: Parts, game: Game, text: str) -> object:
    """Write the parts that a text names.

    Returns:
        What must be kept as long as the record.

    Raises:
        OptionError: The game has no groups of actions.
        UnknownNameError: It has no group of a name.
    """
    if text == KINDS:
        r.by_kind = r.count = 1
        return None
    part = np.full(len(game.action_groups) + 1, _NO_PART, np.int64)
    parts = parse_parts(text)
    for number, names in enumerate(parts):
        part[places_of_groups(game, names)] = number
    r.part, r.count = Ints.of(part), len(parts)
    return part


@kernel
def group_of(p: ProblemRecord, state: Address, action: int) -> int:
    """Place of a legal action's group in the game's list; -1 where the game has no groups."""
    if p.action_group == 0:
        return -1
    return table.call_action_group(p.action_group, (p.setup, state, action))


@kernel
def part_of(p: ProblemRecord, r: Parts, state: Address, action: int) -> int:
    """The part that an action belongs to; below 0: none."""
    if r.by_kind != 0:
        actor = actor_of(p, state, action)
        return _NO_PART if actor < 0 else actor_kind(p, state, actor)
    return r.part[group_of(p, state, action)]


@kernel
def draw_part(p: ProblemRecord, r: Parts, state: Address, actions: Ints, n: int, scratch: Ints) -> None:
    """Draw one of the parts that have an action of an actor; each is equally likely."""
    found = 0  # parts found so far, which are in ``scratch``
    r.chosen = _NO_PART
    for i in range(n):
        part = part_of(p, r, state, actions[i])
        if part >= 0 and actor_of(p, state, actions[i]) >= 0 and not contains(scratch, found, part):
            scratch[found] = part
            found += 1
    if found > 0:
        r.chosen = scratch[draw(p.rng, found)]
    r.is_drawn = 1


@kernel
def keep_one_part(p: ProblemRecord, r: Parts, state: Address, actions: Ints, n: int, scratch: Ints) -> int:
    """Keep the actions of the part that is drawn for this decision, and those in no part, in place and in order.

    Args:
        p: The problem, whose generator draws.
        r: The parts.
        state: Address of the state.
        actions: int64[n], legal actions.
        n: How many.
        scratch: int64[n], overwritten.

    Returns:
        How many are left; all of them if there are no parts, or none of the chosen one here.
    """
    if r.count == 0:
        return n
    if r.is_drawn == 0:
        draw_part(p, r, state, actions, n, scratch)
    has_any = False
    for i in range(n):
        scratch[i] = part_of(p, r, state, actions[i])
        has_any = has_any or scratch[i] == r.chosen
    if r.chosen == _NO_PART or not has_any:
        return n
    kept = 0
    for i in range(n):
        if scratch[i] == r.chosen or scratch[i] < 0:
            actions[kept] = actions[i]
            kept += 1
    return kept
