"""The actors of all seats with a script each: how searches for assignments of scripts play a line.

After Churchill & Buro, "Portfolio Greedy Search and Simulation for Large-Scale Combat in StarCraft", 2013: an
assignment gives every actor one script of a portfolio, which decides all its actions::

    team_action(state):  for actor in actors(state, mover), in their order:
                             while script of the actor has an action: play it
                         end the turn

Actors that appear later than the search play the portfolio's first script.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import numpy as np
from pydantic import AfterValidator, BeforeValidator

from turnwise.core.chance import draw
from turnwise.core.errors import OptionError
from turnwise.core.fields import normaliser
from turnwise.core.game import Game
from turnwise.core.table import NOTHING
from turnwise.jit.kernel import kernel
from turnwise.jit.record import Address, Ints, Record
from turnwise.search.actors import actor_actions, actor_capacity, actor_kind, actor_of, actors, heir
from turnwise.search.expressions import parse_list, script_text
from turnwise.search.forward_model import is_legal, legal, scripted, to_move, turn
from turnwise.search.named_portfolios import portfolio_of
from turnwise.search.problem import Problem
from turnwise.search.problem_record import ProblemRecord

BY_ACTOR, BY_KIND, TOGETHER = range(3)  # what has one script: each actor, all actors of a kind, all of a seat
_NO_TURN = -(1 << 60)


class Team(Record):
    """The actors that exist where a search begins, seat by seat, with their scripts, and the present line's turn."""

    scripts: Ints  # int64[size]: the portfolio's first nodes
    size: int
    players: int
    first: Ints  # int64[players + 1]: place of the first actor of each seat
    given: Ints  # int64[room]: numbers of the actors where the search begins
    now: Ints  # int64[room]: in the present line; below 0: gone
    kind: Ints  # int64[room]: their kinds
    group: Ints  # int64[room]: place of the first actor of the seat that always has the same script
    script: Ints  # int64[room]: place of the script in the portfolio
    rests: Ints  # int64[room]: whether the script had no action in the turn in progress
    listed: Ints  # int64[actor_capacity], scratch
    actions: Ints  # int64[max_actions], scratch
    room: int
    idle: int  # whether an actor whose script has no action plays a random legal one, instead of resting for the turn
    mover: int  # the turn in progress
    number: int
    acted: int  # actions in it


def problem_with_portfolio(problem: Problem, text: str) -> Problem:
    """Let all searches of a problem know the scripts of a portfolio.

    Raises:
        OptionError: Not a portfolio.
        UnknownNameError: The game has no script of a name in it.
    """
    try:
        for script in portfolio_of(problem.game, text):
            problem.expression(script)
    except BaseException:
        problem.game.after_plan(problem)
        raise
    return problem


def settle_team(t: Team, problem: Problem, text: str, further: Sequence[str] = ()) -> None:
    """Give a team its portfolio; its arrays have been made with it.

    Args:
        t: The team.
        problem: The problem, which knows all scripts.
        text: The portfolio.
        further: Scripts that are not chosen from but may be assigned; their places follow those of the portfolio.
    """
    scripts = portfolio_of(problem.game, text)
    nodes = np.array([problem.expression(script) for script in (*scripts, *further)], np.int64)
    t.scripts, t.size, t.players = Ints.of(nodes), len(scripts), problem.game.players


def team_room(game: Game) -> int:
    """How many actors a team has room for."""
    return game.players * (game.max_actors or game.max_actions)


def team_arrays(game: Game) -> dict[str, int]:
    """The arrays of a team, as :class:`Record` takes them."""
    room = dict.fromkeys(("given", "now", "kind", "group", "script", "rests"), team_room(game))
    return room | {"first": game.players + 1, "listed": actor_capacity(game), "actions": game.max_actions}


def checked_portfolio(text: str) -> str:
    """The normal form of a portfolio; empty for the game's own.

    Raises:
        OptionError: Not expressions separated by commas.
    """
    if not text.strip():
        return ""
    try:
        return ",".join(map(str, parse_list(text)))
    except OptionError as error:
        raise OptionError(f"A portfolio: expected SCRIPT,... ({error})") from None


PortfolioText = Annotated[str, BeforeValidator(script_text), AfterValidator(normaliser(checked_portfolio))]
"""Scripts, separated by commas, in their normal form; in Python also a list of texts and expressions."""


def script_figures(game: Game, text: str) -> list[str]:
    """The names under which the use of a portfolio's scripts is reported."""
    return [f"script_{name}" for name in portfolio_of(game, text)]


def script_shares(figures: Sequence[str], chosen: int) -> dict[str, float]:
    """A search's figures on the use of scripts: 1 for the one that chose the first action of its turn, 0 for others.

    Args:
        figures: Their names; see :func:`script_figures`.
        chosen: Place of the script in the portfolio; below 0: none chose the action; beyond it: another one did.
    """
    shares = dict.fromkeys(figures, 0.0)
    if 0 <= chosen < len(figures):
        shares[figures[chosen]] = 1.0
    return shares


@kernel
def gather(p: ProblemRecord, t: Team, state: Address, grouping: int) -> None:
    """List the actors of all seats in a state; all get the first script.

    Args:
        p: The problem.
        t: The team.
        state: Address of the state.
        grouping: BY_ACTOR, BY_KIND or TOGETHER.
    """
    place = 0
    for player in range(t.players):
        t.first[player] = place
        place = list_seat(p, t, state, player, place)
    t.first[t.players] = place
    regroup(t, grouping)


@kernel
def gather_seat(p: ProblemRecord, t: Team, state: Address, player: int) -> None:
    """List the actors of one seat only; all get the first script, and their groups are not decided yet."""
    end = list_seat(p, t, state, player, 0)
    for seat in range(t.players + 1):
        t.first[seat] = 0 if seat <= player else end


@kernel
def list_seat(p: ProblemRecord, t: Team, state: Address, player: int, place: int) -> int:
    """List a seat's actors from a place on; returns the place after them."""
    count = actors(p, state, player, t.listed)
    for i in range(min(count, t.room - place)):
        t.given[place], t.script[place] = t.listed[i], 0
        t.kind[place] = actor_kind(p, state, t.listed[i])
        place += 1
    return place


@kernel
def regroup(t: Team, grouping: int) -> None:
    """Decide which actors have the same script."""
    for player in range(t.players):
        begin = t.first[player]
        for place in range(begin, t.first[player + 1]):
            t.group[place] = place
            if grouping != BY_ACTOR:
                earlier = begin
                while earlier < place and grouping == BY_KIND and t.kind[earlier] != t.kind[place]:
                    earlier += 1
                t.group[place] = earlier


@kernel
def assign(t: Team, player: int, group: int, script: int) -> None:
    """Give all actors of a seat's group a script."""
    for place in range(t.first[player], t.first[player + 1]):
        if t.group[place] == group:
            t.script[place] = script


@kernel
def assign_all(t: Team, player: int, script: int) -> None:
    """Give all actors of a seat a script."""
    for place in range(t.first[player], t.first[player + 1]):
        t.script[place] = script


@kernel
def follow_leaders(t: Team, player: int) -> None:
    """Give all actors of a seat the script of the first one in their group."""
    for place in range(t.first[player], t.first[player + 1]):
        t.script[place] = t.script[t.group[place]]


@kernel
def begin_team(t: Team) -> None:
    """Begin a line where the search begins."""
    for place in range(t.first[t.players]):
        t.now[place] = t.given[place]
    t.mover, t.number = _NO_TURN, _NO_TURN


@kernel
def place_of(t: Team, player: int, actor: int, hint: int) -> int:
    """Place of an actor of a seat in the present line; -1: it is new. ``hint``: where it is likely to be."""
    begin, end = t.first[player], t.first[player + 1]
    for step in range(end - begin):
        place = hint + step
        place = place if place < end else place - (end - begin)
        if t.now[place] == actor:
            return place
    return -1


@kernel
def begin_turn_of_team(p: ProblemRecord, t: Team, state: Address) -> None:
    """If another turn is in progress than before, let all actors of its mover act again."""
    mover, number = to_move(p, state), turn(p, state)
    if mover != t.mover or number != t.number:
        t.mover, t.number, t.acted = mover, number, 0
        for place in range(t.first[mover], t.first[mover + 1]):
            t.rests[place] = 0


@kernel
def team_action(p: ProblemRecord, t: Team, state: Address, script: int) -> int:
    """What the mover's actors do next; where none has an action the turn ends, or chance decides.

    A turn ends in any case after ``max_turn`` actions, since scripts may always have another one.

    Args:
        p: The problem.
        t: The team, in its present line.
        state: Address of a state that is not over.
        script: Place of a script for all actors; below 0: each has its own.
    """
    begin_turn_of_team(p, t, state)
    player = t.mover
    t.acted += 1
    count = actors(p, state, player, t.listed) if t.acted <= p.max_turn else 0
    hint = t.first[player]
    for i in range(count):
        actor = t.listed[i]
        place = place_of(t, player, actor, hint)
        if place >= 0:
            hint = place
            if t.rests[place] != 0:
                continue
        chosen = script
        if chosen < 0:
            chosen = t.script[place] if place >= 0 else 0
        action = scripted(p, t.scripts[chosen], state, actor)
        if action == NOTHING and t.idle != 0 and actor_actions(p, state, actor, t.actions) > 0:
            action = t.actions[draw(p.rng, legal(p, state, t.actions))]
        if action != NOTHING:
            return action
        if place >= 0:
            t.rests[place] = 1
    if p.has_end != 0 and is_legal(p, state, p.end_action):
        return p.end_action
    return t.actions[draw(p.rng, legal(p, state, t.actions))]


@kernel
def script_of_action(p: ProblemRecord, t: Team, state: Address, action: int) -> int:
    """Place of the script of the mover's actor that an action belongs to; -1: it belongs to nobody, or a new actor."""
    player = to_move(p, state)
    place = place_of(t, player, actor_of(p, state, action), t.first[player])
    return -1 if place < 0 else t.script[place]


@kernel
def follow_team(p: ProblemRecord, t: Team, state: Address, action: int) -> None:
    """Give all actors the numbers that they have after an action, which is yet to be played."""
    if p.heir != 0:
        for place in range(t.first[t.players]):
            if t.now[place] >= 0:
                t.now[place] = heir(p, state, t.now[place], action)
