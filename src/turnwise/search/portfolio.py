"""Which actions a search considers: all, the pruned ones, all but some groups, or those of a portfolio of scripts.

::

    pruned                  the legal actions that the game's pruner keeps
    all                     all legal actions
    without(x,y,...)        all legal actions but those of groups that the game names (``Game.action_groups``)
    portfolio(a,b,...)      the action of each script for all actors
    per-actor(a,b,...)      the action of each script for each actor
    mixed(n; a,b,...)       all pruned actions of the first n actors that have any, the scripts' for each other actor
    per-kind                the action of each script for each actor, by kind: portfolios that the game names
                            (``Game.kind_portfolios``), or per-kind(0:a,b;1:c); other kinds have the common one

Each script may be an expression (:mod:`turnwise.search.expressions`). An action that several scripts choose is listed
once; the search can ask for the sum of these scripts' weights. Pruned actions that belong to no actor (the end of a
turn) follow the scripts' actions in all four forms; where nothing would be listed, the pruned list is. Where all legal
actions are in groups that are left out, the first of these groups that has any is not.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from turnwise.core import arguments
from turnwise.core.errors import OptionError, brief
from turnwise.core.table import ALL, NOTHING
from turnwise.jit.kernel import entry, kernel
from turnwise.jit.record import Address, Ints
from turnwise.search.action_groups import group_of
from turnwise.search.actors import actor_kind, actor_of, actors
from turnwise.search.expressions import Expression, parse_list
from turnwise.search.forward_model import IS_CANDIDATE, LIST_CANDIDATES, is_legal, legal, pruned, to_move
from turnwise.search.named_portfolios import GAME, normal_kinds
from turnwise.search.problem_record import ProblemRecord
from turnwise.search.scripts import ScriptTable, script_action, script_table

PRUNED, EVERYTHING, WITHOUT = "pruned", "all", "without"
FORMS = ("portfolio", "per-actor", "mixed", "per-kind")
FOR_ALL, FOR_EACH, MIXED, PER_KIND = range(4)  # places in FORMS
MOST_UNRESTRICTED = 10_000
NOT_LEFT_OUT = -1
NO_KIND = -1  # among the places where portfolios of kinds begin
_CALL = re.compile(r"\s*([\w-]+)\s*\((.*)\)\s*", re.DOTALL)
_COUNT = re.compile(r"\s*([0-9]+)\s*;(.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Portfolio:
    """Scripts that a search may choose from.

    Attributes:
        form: Name of a form.
        scripts: Their expressions.
        unrestricted: For "mixed": number of actors whose actions are not restricted.
        kinds: For "per-kind": the portfolios of kinds of actors (:mod:`turnwise.search.named_portfolios`).
    """

    form: str
    scripts: tuple[Expression, ...]
    unrestricted: int = 0
    kinds: str = GAME

    def __str__(self) -> str:
        """The normal form."""
        if self.form == "per-kind":
            return self.form if self.kinds == GAME else f"{self.form}({self.kinds})"
        count = f"{self.unrestricted};" if self.form == "mixed" else ""
        return f"{self.form}({count}{','.join(map(str, self.scripts))})"


@dataclass(frozen=True, slots=True)
class Without:
    """All legal actions but those of some groups.

    Attributes:
        groups: Names of the groups.
    """

    groups: tuple[str, ...]

    def __str__(self) -> str:
        """The normal form."""
        return f"{WITHOUT}({','.join(self.groups)})"


def candidates_text(value: object) -> object:
    """The text of candidates that are given as an object; other values stay as they are."""
    return str(value) if isinstance(value, Portfolio | Without) else value


def parse_candidates(text: str) -> str | Portfolio | Without:
    """Parse what a search considers.

    Returns:
        PRUNED, EVERYTHING, or an object.

    Raises:
        OptionError: The text is none of them; the message says what was expected and what came.
    """
    text = arguments.text(text, "The candidates of a search")
    if text.strip() in (PRUNED, EVERYTHING):
        return text.strip()
    if text.strip() == "per-kind":
        return Portfolio("per-kind", ())
    call = _CALL.fullmatch(text)
    if call is None or call[1] not in (*FORMS, WITHOUT):
        raise OptionError(
            f"The candidates of a search: expected {PRUNED}, {EVERYTHING}, {WITHOUT}(GROUP,...), "
            f"portfolio(SCRIPT,...), per-actor(SCRIPT,...), mixed(NUMBER; SCRIPT,...) or per-kind; got {brief(text)}."
        )
    form, inner, unrestricted = call[1], call[2], 0
    if form == WITHOUT:
        return _without(inner)
    if form == "per-kind":
        return Portfolio(form, (), kinds=normal_kinds(inner))
    if form == "mixed":
        count = _COUNT.fullmatch(inner)
        if count is None or int(count[1]) > MOST_UNRESTRICTED:
            raise OptionError(
                f"Candidates {brief(text)}: expected the number of unrestricted actors (at most {MOST_UNRESTRICTED}) "
                "and a semicolon before the scripts, as in mixed(1; attack,retreat)."
            )
        unrestricted, inner = int(count[1]), count[2]
    return Portfolio(form, parse_list(inner), unrestricted)


def _without(inner: str) -> Without:
    groups = tuple(name.strip() for name in inner.split(","))
    if "" in groups or len(set(groups)) < len(groups):
        raise OptionError(
            f"Candidates {brief(f'{WITHOUT}({inner})')}: expected names of groups of actions, each once, as in "
            f"{WITHOUT}(end,disband)."
        )
    return Without(groups)


@kernel
def place_left_out(p: ProblemRecord, t: ScriptTable, state: Address, action: int) -> int:
    """Place of an action's group among those that are left out; NOT_LEFT_OUT: it is none of them."""
    group = group_of(p, state, action)
    for i in range(t.group_count):
        if t.groups[i] == group:
            return i
    return NOT_LEFT_OUT


@entry(LIST_CANDIDATES)
def list_others(p: ProblemRecord, state: Address, out: Ints) -> int:
    """All legal actions but those of the groups that the problem leaves out.

    Where nothing else is legal, the group that is named first is not left out.
    """
    t = script_table(p.scripts)
    wanted, kept = t.group_count, 0
    for i in range(legal(p, state, out)):
        place = place_left_out(p, t, state, out[i])
        if place < wanted:
            wanted, kept = place, 0
        if place == wanted:
            out[kept] = out[i]
            kept += 1
    return kept


_list_others = kernel(list_others.python)


@entry(IS_CANDIDATE)
def is_among_others(p: ProblemRecord, state: Address, action: int, scratch: Ints) -> int:
    """Whether :func:`list_others` lists an action, in games that list whatever is legal."""
    if not is_legal(p, state, action):
        return 0
    if place_left_out(p, script_table(p.scripts), state, action) == NOT_LEFT_OUT:
        return 1
    for i in range(_list_others(p, state, scratch)):
        if scratch[i] == action:
            return 1
    return 0


@entry(LIST_CANDIDATES)
def list_all(p: ProblemRecord, state: Address, out: Ints) -> int:
    """All legal actions."""
    return legal(p, state, out)


@entry(IS_CANDIDATE)
def is_among_all(p: ProblemRecord, state: Address, action: int, scratch: Ints) -> int:
    """Whether :func:`list_all` lists an action, in games that list whatever is legal; ``scratch`` is not used."""
    return 1 if is_legal(p, state, action) else 0


@entry(LIST_CANDIDATES)
def list_portfolio(p: ProblemRecord, state: Address, out: Ints) -> int:
    """The candidates of the problem's portfolio; ``out`` is int64[max_actions]."""
    t = script_table(p.scripts)
    kept = pruned(p, state, t.pruned)
    n = 0
    if t.form == FOR_ALL:
        n = add_choices(p, t, state, ALL, 0, t.size, out, n)
    else:
        n = add_actors(p, t, state, kept, out, n)
    for i in range(kept):
        if actor_of(p, state, t.pruned[i]) < 0:
            n = add(p, t, out, n, t.pruned[i], t.unweighted)
    if n > 0:
        return n
    for i in range(kept):
        n = add(p, t, out, n, t.pruned[i], t.unweighted)
    return n


@kernel
def add_actors(p: ProblemRecord, t: ScriptTable, state: Address, kept: int, out: Ints, n: int) -> int:
    """Add the candidates of each actor of the player to move; returns the new length of the list.

    Args:
        p: The problem.
        t: Its scripts; ``pruned`` holds the pruned legal list.
        state: Address of the state.
        kept: Length of that list.
        out: int64[max_actions], the list.
        n: Its length.
    """
    count = actors(p, state, to_move(p, state), t.actors)
    unrestricted = t.unrestricted
    for k in range(count):
        actor = t.actors[k]
        before = n
        if unrestricted > 0:
            for i in range(kept):
                if actor_of(p, state, t.pruned[i]) == actor:
                    n = add(p, t, out, n, t.pruned[i], t.unweighted)
        if n > before:
            unrestricted -= 1
            continue
        kind = actor_kind(p, state, actor) if t.form == PER_KIND else 0
        own = t.kind_begin[kind] if t.form == PER_KIND and kind < t.kinds else NO_KIND
        if own == NO_KIND:
            n = add_choices(p, t, state, actor, 0, t.size, out, n)
        else:
            n = add_choices(p, t, state, actor, own + 1, t.portfolio[own], out, n)
    return n


@kernel
def add_choices(
    p: ProblemRecord, t: ScriptTable, state: Address, actor: int, first: int, size: int, out: Ints, n: int
) -> int:
    """Add what the scripts of a portfolio do for an actor or ``ALL``; returns the new length of the list.

    Args:
        p: The problem.
        t: Its scripts.
        state: Address of the state.
        actor: Number of an actor, or ``ALL``.
        first: Place of the first script.
        size: Number of scripts.
        out: int64[max_actions], the list.
        n: Its length.
    """
    for i in range(first, first + size):
        action = script_action(p, t.portfolio[i], state, actor)
        if action != NOTHING:
            n = add(p, t, out, n, action, t.weights[i] if t.weighted != 0 else 0.0)
    return n


@kernel
def add(p: ProblemRecord, t: ScriptTable, out: Ints, n: int, action: int, weight: float) -> int:
    """Add an action that is not in the list yet, while there is room, and its weight; returns the new length."""
    place = 0
    while place < n and out[place] != action:
        place += 1
    if place == p.max_actions:
        return n
    if place == n:
        out[n] = action
    if t.weighted != 0:
        t.votes[place] = weight if place == n else t.votes[place] + weight
    return max(n, place + 1)
