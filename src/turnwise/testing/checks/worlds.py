"""Checks of worlds, the full states that ``determinise`` draws from what a player knows."""

from __future__ import annotations

from turnwise.core.errors import TurnwiseError, counted
from turnwise.core.state import State
from turnwise.testing.checks.failures import Broken
from turnwise.testing.checks.sample import StateSample

_MOST_DRAWN, _DRAWS = 20, 8  # views that are determinised until two worlds differ, and how often each
_MOST_WORLDS = 12  # that are played on
_LONGEST = 200  # actions in each of them


def determinisations(sample: StateSample) -> None:
    """A determinisation is the same for the same seed and agrees with what the player knows."""
    for number, state in enumerate(sample.states):
        for player in range(sample.game.players):
            view = state.view(player)
            full = view.determinise(player, seed=number)
            if full.to_dict() != view.determinise(player, seed=number).to_dict():
                raise Broken(
                    f"two determinisations for player {player} (counted from 0) from the same seed differ", state
                )
            if full.view(player).to_dict() != view.to_dict():
                raise Broken(f"a determinisation contradicts what player {player} (counted from 0) knows", state)


def hidden_parts(sample: StateSample) -> None:
    """Where a player's view differs from the state, determinisations of it differ, too: they draw what is hidden."""
    if not sample.game.hides_information:
        return
    for player in range(sample.game.players):
        views = ((state, state.view(player)) for state in sample.states)
        hidden = [(state, view) for state, view in views if view.to_dict() != state.to_dict()]
        _drawn_parts(hidden[:_MOST_DRAWN], player)


def _drawn_parts(hidden: list[tuple[State, State]], player: int) -> None:
    """One of the worlds drawn from a player's views differs from another one of the same view.

    Args:
        hidden: States and the player's views of them, which differ.
        player: The player.
    """
    changed = False
    for _, view in hidden:
        drawn = [view.determinise(player, seed).to_dict() for seed in range(_DRAWS)]
        if any(one != drawn[0] for one in drawn):
            return
        changed = changed or drawn[0] != view.to_dict()
    if hidden:
        fault = "is always the same, whatever the seed" if changed else "returns the view unchanged"
        raise Broken(
            f"something is hidden from player {player} (counted from 0), but determinise {fault}; expected full states "
            "in which chance fills what the player cannot know",
            hidden[0][0],
        )


def playable_worlds(sample: StateSample) -> None:
    """A world is a state like any other: it can be played to its end, and the states on the way are valid."""
    game = sample.game
    if not game.hides_information:
        return
    for number, state in enumerate(sample.spread(_MOST_WORLDS)):
        player = (state.to_move + number) % game.players
        world = state.view(player).determinise(player, number)
        fail = f"a world that determinise drew for player {player} (counted from 0) with the seed {number}"
        remedy = (
            "A world is a full state on which planners play to the end of the game: fill each hidden part with what it "
            "can really be, in the right number, such as the cards that are neither seen nor played"
        )
        last, played = world, 0
        try:
            while not last.is_over and played < _LONGEST:
                last = sample.play_on(last, 1)
                played += 1
                game.check_row(last.row)
        except Broken as error:
            raise Broken(f"{fail} cannot be played on: {error.message}. {remedy}", state) from error
        except TurnwiseError as error:
            after = f"after {counted(played, 'action')} "
            raise Broken(f"{fail} is not valid {after}any more: {error} {remedy}", state) from error
