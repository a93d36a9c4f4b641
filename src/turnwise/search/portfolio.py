"""Which actions a search considers: all, the pruned ones, or those of a portfolio of scripts.

    pruned                  the legal actions that the game's pruner keeps
    all                     all legal actions
    portfolio(a,b,...)      the action of each script for all actors
    per-actor(a,b,...)      the action of each script for each actor
    mixed(n; a,b,...)       all pruned actions of the first n actors that have any, the scripts' for each other actor

Each script may be an expression (:mod:`turnwise.search.expressions`). An action that several scripts choose is listed
once. Pruned actions that belong to no actor (the end of a turn) follow the scripts' actions in all three forms; where
nothing would be listed, the pruned list is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from turnwise.core import arguments
from turnwise.core.errors import OptionError, brief
from turnwise.core.table import ALL, NOTHING
from turnwise.jit.kernel import entry, kernel
from turnwise.jit.record import Address, Ints
from turnwise.search.actors import actor_of, actors, contains
from turnwise.search.expressions import Expression, parse_list
from turnwise.search.forward_model import LIST_CANDIDATES, legal, pruned, to_move
from turnwise.search.problem_record import ProblemRecord
from turnwise.search.scripts import ScriptTable, script_action, script_table

PRUNED, EVERYTHING = "pruned", "all"
FORMS = ("portfolio", "per-actor", "mixed")
FOR_ALL, FOR_EACH, MIXED = range(3)  # places in FORMS
MOST_UNRESTRICTED = 10_000
_CALL = re.compile(r"\s*([\w-]+)\s*\((.*)\)\s*", re.DOTALL)
_COUNT = re.compile(r"\s*([0-9]+)\s*;(.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Portfolio:
    """Scripts that a search may choose from.

    Attributes:
        form: Name of a form.
        scripts: Their expressions.
        unrestricted: For "mixed": number of actors whose actions are not restricted.
    """

    form: str
    scripts: tuple[Expression, ...]
    unrestricted: int = 0

    def __str__(self) -> str:
        """The normal form."""
        count = f"{self.unrestricted};" if self.form == "mixed" else ""
        return f"{self.form}({count}{','.join(map(str, self.scripts))})"


def candidates_text(value: object) -> object:
    """The text of candidates that are given as a portfolio; other values stay as they are."""
    return str(value) if isinstance(value, Portfolio) else value


def parse_candidates(text: str) -> str | Portfolio:
    """Parse what a search considers.

    Returns:
        PRUNED, EVERYTHING, or a portfolio.

    Raises:
        OptionError: The text is none of them; the message says what was expected and what came.
    """
    text = arguments.text(text, "The candidates of a search")
    if text.strip() in (PRUNED, EVERYTHING):
        return text.strip()
    call = _CALL.fullmatch(text)
    if call is None or call[1] not in FORMS:
        raise OptionError(
            f"The candidates of a search: expected {PRUNED}, {EVERYTHING}, portfolio(SCRIPT,...), "
            f"per-actor(SCRIPT,...) or mixed(NUMBER; SCRIPT,...); got {brief(text)}."
        )
    form, inner, unrestricted = call[1], call[2], 0
    if form == "mixed":
        count = _COUNT.fullmatch(inner)
        if count is None or int(count[1]) > MOST_UNRESTRICTED:
            raise OptionError(
                f"Candidates {brief(text)}: expected the number of unrestricted actors (at most {MOST_UNRESTRICTED}) "
                "and a semicolon before the scripts, as in mixed(1; attack,retreat)."
            )
        unrestricted, inner = int(count[1]), count[2]
    return Portfolio(form, parse_list(inner), unrestricted)


@entry(LIST_CANDIDATES)
def list_all(p: ProblemRecord, state: Address, out: Ints) -> int:
    """All legal actions."""
    return legal(p, state, out)


@entry(LIST_CANDIDATES)
def list_portfolio(p: ProblemRecord, state: Address, out: Ints) -> int:
    """The candidates of the problem's portfolio; ``out`` is int64[max_actions]."""
    t = script_table(p.scripts)
    kept = pruned(p, state, t.pruned)
    n = 0
    if t.form == FOR_ALL:
        n = add_choices(p, t, state, ALL, out, n)
    else:
        n = add_actors(p, t, state, kept, out, n)
    for i in range(kept):
        if actor_of(p, state, t.pruned[i]) < 0:
            n = add(p, out, n, t.pruned[i])
    if n > 0:
        return n
    for i in range(kept):
        out[i] = t.pruned[i]
    return kept


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
                    n = add(p, out, n, t.pruned[i])
        if n > before:
            unrestricted -= 1
        else:
            n = add_choices(p, t, state, actor, out, n)
    return n


@kernel
def add_choices(p: ProblemRecord, t: ScriptTable, state: Address, actor: int, out: Ints, n: int) -> int:
    """Add what each script of the portfolio does for an actor or ``ALL``; returns the new length of the list."""
    for i in range(t.size):
        action = script_action(p, t.portfolio[i], state, actor)
        if action != NOTHING:
            n = add(p, out, n, action)
    return n


@kernel
def add(p: ProblemRecord, out: Ints, n: int, action: int) -> int:
    """Add an action that is not in the list yet, while there is room; returns the new length."""
    if n < p.max_actions and not contains(out, n, action):
        out[n] = action
        return n + 1
    return n
