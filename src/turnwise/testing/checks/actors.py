"""Checks of actors and scripts."""

from __future__ import annotations

import numpy as np

from turnwise.core import calls
from turnwise.core.checks import script_fault
from turnwise.core.errors import TurnwiseError, shown
from turnwise.core.game import Game
from turnwise.core.state import State
from turnwise.search.expressions import parse
from turnwise.search.scripts import checked
from turnwise.testing.checks.failures import Broken
from turnwise.testing.checks.sample import ROOM, StateSample, text_of

_STEPS, _FINEST = (1, 2, 3, 10), 1000  # in how many steps health is asked for


def actors(sample: StateSample) -> None:
    """A list of actors has different numbers from 0, is the same again, and has all actors with an action."""
    game = sample.game
    if game.pointers["actors"] and not game.pointers["actor"]:
        raise Broken("the game has the function actors, so it needs the function actor", sample.running[0])
    for state in sample.states:
        for player in range(game.players):
            found = _listed(state, player)
            if len(set(found)) < len(found) or min(found, default=0) < 0:
                raise Broken(
                    f"actors of player {player} (from 0) are {found}; expected different numbers from 0", state
                )
            if found != _listed(state, player):
                raise Broken(f"two lists of actors of player {player} (from 0) differ", state)
            for actor in found:
                if state.actor_kind(actor) < 0:
                    raise Broken(f"actor {actor} has the kind {state.actor_kind(actor)}; expected one from 0", state)
                _health(state, actor)
        if not state.is_over:
            _actions(state)


def _health(state: State, actor: int) -> None:
    """An actor's health is from 0 and the same share of full health for every number of steps, rounded down."""
    coarse = [state.actor_health(actor, steps) for steps in _STEPS]
    finest = state.actor_health(actor, _FINEST)
    for steps, health in zip(_STEPS, coarse, strict=True):
        if health < 0 or not finest * steps // _FINEST <= health <= (finest + 1) * steps // _FINEST:
            raise Broken(
                f"actor_health of actor {actor} is {health} in {steps} steps and {finest} in {_FINEST}; expected whole "
                f"numbers from 0 that are health * steps // full health",
                state,
            )


def _listed(state: State, player: int) -> list[int]:
    """The actors of a player, in memory with room beyond the end.

    Raises:
        Broken: There are more than the game has room for.
    """
    game = state.game
    if not game.pointers["actors"]:
        return state.actors(player)
    most = game.max_actors or game.max_actions
    out = np.zeros(most + ROOM, np.int64)
    n = int(calls.call(game, "actors", state.row, player, out.ctypes.data))
    if n > most:
        raise Broken(
            f"actors listed {n} numbers for player {player} (from 0); the capacity (max_actors) is {most}", state
        )
    return [int(actor) for actor in out[:n]]


def _actions(state: State) -> None:
    """Each actor's list is exactly its part of the legal list; every action belongs to a listed actor or to none."""
    legal: list[int] = state.legal_codes().tolist()
    own: dict[int, list[int]] = {actor: [] for actor in state.actors()}
    for code in legal:
        actor = state.actor(code)
        if actor is not None and actor not in own:
            message = f"the action belongs to actor {actor}, which actors does not list: {list(own)}"
            raise Broken(message, state, text_of(state, code))
        if actor is not None:
            own[actor].append(code)
    for actor, expected in own.items():
        found: list[int] = state.actor_codes(actor).tolist()
        if found != expected:
            texts = [[text_of(state, code) for code in codes] for codes in (found, expected)]
            raise Broken(
                f"actor_actions of actor {actor} are {texts[0]}; expected its part of the legal list: {texts[1]}", state
            )


def distances(sample: StateSample) -> None:
    """Asked twice, an actor's distance from the closest enemy is the same, and asking changes no state."""
    if not sample.game.pointers["enemy_distance"]:
        return
    for state in sample.states:
        before = state.row.tobytes()
        for player in range(sample.game.players):
            for actor in state.actors(player):
                found = state.enemy_distance(actor)
                if state.row.tobytes() != before:
                    raise Broken(f"enemy_distance of actor {actor} changed the state", state)
                again = state.enemy_distance(actor)
                if again != found:
                    raise Broken(f"enemy_distance of actor {actor} is {found}, then {again}", state)


def heirs(sample: StateSample) -> None:
    """After its own action an actor is still one of its player, under the number of its heir, or no longer exists."""
    if not sample.game.pointers["heir"]:
        return
    for state in sample.running:
        player = state.to_move
        for code in sample.some_actions(state, most=12):
            actor = state.actor(code)
            heir = None if actor is None else state.heir(actor, code)
            if heir is None:
                continue
            try:
                after = state.play(code)
            except TurnwiseError as error:
                raise Broken(f"playing a listed action failed: {error}", state, text_of(state, code)) from error
            if not after.is_over and heir not in after.actors(player):
                message = f"heir of actor {actor} is {heir}, which is no actor of its player after the action"
                raise Broken(message, state, text_of(state, code))


def scripts(sample: StateSample) -> None:
    """Scripts return legal actions of the actor or none, the same for equal seeds, and keep to their scratch memory.

    They do so where something is hidden, too, and portfolios name scripts that exist.
    """
    game = sample.game
    _portfolios(game)
    for number, state in enumerate(sample.running):
        known = state.view(state.to_move)
        questions = [("", state)]
        if known is not state:
            questions.append(("asked in the view of the player to move, ", known))
        for name in game.script_names:
            for where, asked in questions:
                for actor in (None, *asked.actors()):
                    try:
                        fault = script_fault(asked, game.script(name), actor, number)
                    except TurnwiseError as error:
                        fault = f"failed: {error}"
                    if fault:
                        raise Broken(f"script {name!r} {where}{fault}", asked)


def _portfolios(game: Game) -> None:
    """The scripts in portfolios exist, and have the parameters that are set."""
    named = {
        "portfolio": game.portfolio,
        **{f"kind_portfolios[{kind!r}]": scripts for kind, scripts in game.kind_portfolios.items()},
        **{f"portfolio_aliases[{name!r}]": scripts for name, scripts in game.portfolio_aliases.items()},
    }
    for where, scripts in named.items():
        if isinstance(scripts, str):
            raise Broken(f"{where} must be a tuple of scripts, as in ('attack', 'retreat'); got {shown(scripts)}")
        for text in scripts:
            try:
                checked(game, parse(text))
            except TurnwiseError as error:
                raise Broken(f"{where} has {shown(text)}, which is no script of this game: {error}") from error
