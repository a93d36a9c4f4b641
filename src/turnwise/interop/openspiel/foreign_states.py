"""States of OpenSpiel as immutable states of a game in plain Python: no chance nodes, and turns with numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from turnwise.plain_python.chance import Chance

NOBODY = -1
"""The mover of a game that is over."""
_FINE = 2**31  # outcomes of unequal probability are distinguished by a uniform number below this one


@dataclass(frozen=True, slots=True)
class SpielState:
    """A state in which a player is to move, or the game is over; equal if the same actions have led to it.

    What a player knows (``seer``) is a state that agrees with it: two such states are equal if the player cannot tell
    them apart.

    Attributes:
        key: What makes it equal to others: its history, or what the player knows.
        turn: Number of the turn.
        seer: The player whose knowledge it is; ``NOBODY``: the whole truth.
        spiel: OpenSpiel's state, which nobody changes.
    """

    key: tuple[int, ...] | str
    turn: int
    seer: int
    spiel: Any = field(compare=False, repr=False)

    @property
    def mover(self) -> int:
        """The player to move, or ``NOBODY``."""
        return NOBODY if self.spiel.is_terminal() else int(self.spiel.current_player())


def truth(spiel: Any, turn: int) -> SpielState:
    """The state that knows everything; the caller gives OpenSpiel's state away."""
    return SpielState(tuple(spiel.history()), turn, NOBODY, spiel)


def known_to(state: SpielState, player: int, draw: Callable[[str], Callable[[], float]]) -> SpielState:
    """What a player knows, as a state that agrees with it and does not depend on what it does not know.

    Args:
        state: The state.
        player: The player.
        draw: Makes a source of random numbers from 0 to below 1 from a text, always the same.

    Raises:
        pyspiel.SpielError: OpenSpiel cannot find such states in this game.
    """
    known = knowledge(state.spiel, player)
    other = state.spiel.resample_from_infostate(player, draw(known))
    return SpielState(known, state.turn, player, other)


def knowledge(spiel: Any, player: int) -> str:
    """What a player has seen so far, or sees now in a game without memory of it, as a text."""
    if spiel.get_game().get_type().provides_information_state_string:
        return str(spiel.information_state_string(player))
    return str(spiel.observation_string(player))


def begun(game: Any, random: Chance) -> SpielState:
    """The first state in which a player is to move."""
    spiel = game.new_initial_state()
    _play_chance(spiel, random)
    return truth(spiel, 0)


def after(state: SpielState, action: int, random: Chance, *, is_solo: bool) -> SpielState:
    """The state after a legal action and the chance that follows it.

    Args:
        state: The state before.
        action: The action.
        random: Where chance comes from.
        is_solo: Whether the game has one player; then every action is a turn.
    """
    spiel = state.spiel.clone()
    spiel.apply_action(action)
    _play_chance(spiel, random)
    goes_on = spiel.is_terminal() or spiel.current_player() == state.mover
    return truth(spiel, state.turn + (is_solo or not goes_on))


def replayed(game: Any, history: Sequence[int], *, is_solo: bool) -> SpielState:
    """The state after a history, in which the outcomes of chance are actions as well.

    Raises:
        pyspiel.SpielError: An action is not legal.
        ValueError: Chance is to come next, so that it is not a state in which a player is to move.
    """
    spiel = game.new_initial_state()
    for action in history:
        spiel.apply_action_with_legality_check(action)
    if spiel.is_chance_node():
        raise ValueError("the history ends before an outcome of chance")
    return truth(spiel, turn_of(spiel, is_solo=is_solo))


def turn_of(spiel: Any, *, is_solo: bool) -> int:
    """Number of the turn in progress (or of the last one), counted over the history of a state."""
    movers = [step.player for step in spiel.full_history() if step.player >= 0]
    if is_solo:
        return len(movers)
    if not spiel.is_terminal():
        movers.append(spiel.current_player())
    return sum(mover != before for before, mover in pairwise(movers))


def _play_chance(spiel: Any, random: Chance) -> None:
    while spiel.is_chance_node():
        spiel.apply_action(_drawn(spiel.chance_outcomes(), random))


def _drawn(outcomes: Sequence[tuple[int, float]], random: Chance) -> int:
    """One of OpenSpiel's outcomes by their probabilities."""
    if len({probability for _, probability in outcomes}) == 1:
        return random.choice(outcomes)[0]
    below = (random.draw(_FINE) + 0.5) / _FINE * sum(probability for _, probability in outcomes)
    for outcome, probability in outcomes:
        below -= probability
        if below < 0:
            return outcome
    return outcomes[-1][0]
