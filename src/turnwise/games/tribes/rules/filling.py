"""A guess at what a player cannot know, drawn by chance (rules 13): the state that a search under fog plays on.

First the land, then the cities on it, then what each of the other tribes has; each part reads the ones before it.
"""

from __future__ import annotations

from turnwise.core.table import game_function
from turnwise.games.tribes.rules.guessed_cities import fill_cities
from turnwise.games.tribes.rules.guessed_land import fill_tiles
from turnwise.games.tribes.rules.guessed_tribes import fill_sight, fill_stars, fill_technologies, have_met
from turnwise.games.tribes.rules.guessed_units import add_units, assign_units, use_old_ids
from turnwise.games.tribes.setup import TribesSetup
from turnwise.games.tribes.state import TribesState, tribe_of
from turnwise.games.tribes.tables import INCOMPLETE
from turnwise.jit.kernel import integer
from turnwise.jit.record import Address


@game_function("determinise")
def determinise(g: TribesSetup, s: TribesState, player: int, rng: Address) -> None:
    """Fill in what a player cannot know; a state that hides nothing stays as it is."""
    hides = False
    for number in range(g.players):
        hides = hides or tribe_of(g, s, number).monuments_hidden != 0
    if not hides:
        return
    last = integer(s.next_id)
    fill_tiles(g, s, player, rng)
    fill_cities(g, s, player, rng)
    for number in range(g.players):
        tribe = tribe_of(g, s, number)
        if number != player and tribe.monuments_hidden != 0:
            tribe.monuments_hidden = 0
            if tribe.result == INCOMPLETE:
                fill_technologies(g, s, number, rng)
                assign_units(g, s, number)
                add_units(g, s, player, number, rng)
                fill_stars(g, s, number, rng)
            if g.full_view == 0:
                fill_sight(g, s, number)
                tribe.met = player + 1 if have_met(g, s, player, number) else 0
    use_old_ids(g, s, last)
