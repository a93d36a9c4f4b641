"""When a player is eliminated, and who has won (rules 7)."""

from __future__ import annotations

from turnwise.games.hero_academy.rules.cards import UNIT_NIBBLES
from turnwise.games.hero_academy.scenario import HeroSetup
from turnwise.games.hero_academy.state import HeroState
from turnwise.jit.kernel import kernel


@kernel
def out_of_units(s: HeroState, player: int) -> bool:
    """Whether a player has no unit card in hand or deck and no unit on the board, even knocked out (rules 7.1)."""
    cards = (s.hands[player] | s.decks[player]) & UNIT_NIBBLES
    return bool(cards == 0 and (s.owned[player] & ~s.crystals) == 0)


@kernel
def out_of_crystals(g: HeroSetup, s: HeroState, player: int) -> bool:
    """Whether none of the player's initial crystal squares holds a crystal (rules 7.2)."""
    return bool((g.crystals[player] & s.crystals & s.owned[player]) == 0)


@kernel
def winner(g: HeroSetup, s: HeroState) -> int:
    """The only player with both units and crystals; -1: neither player or both, or the turn limit (rules 7)."""
    if s.turn >= g.turn_limit:
        return -1
    first = not out_of_units(s, 0) and not out_of_crystals(g, s, 0)
    second = not out_of_units(s, 1) and not out_of_crystals(g, s, 1)
    if first == second:
        return -1
    return 0 if first else 1
