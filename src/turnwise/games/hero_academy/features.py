"""What learnt policies read and write: places of actions, and planes that describe a state.

All planes are one value per square, in the order of the squares (x outer, y inner), and nothing is mirrored: the second
player sees the board as the first one does, with "own" and "other" exchanged.
"""

from __future__ import annotations

import numpy as np

from turnwise.core.table import game_function
from turnwise.games.hero_academy.rules.actions import DISCARD, DROP, END, KIND_MASK
from turnwise.games.hero_academy.scenario import CARDS, CLASSES, HeroSetup
from turnwise.games.hero_academy.state import MAX_HP, HeroState, card_count, has
from turnwise.jit.kernel import integer, kernel, real
from turnwise.jit.memory import offset, trailing_zeros
from turnwise.jit.record import Floats32, Word

_CARDS = len(CARDS)
_HEALTH, _DOWN, _ITEMS = len(CLASSES), len(CLASSES) + 1, len(CLASSES) + 2  # after the planes of the classes
_SIDE = _ITEMS + 4  # planes of one side's pieces
_SPECIAL = 2 * _SIDE  # assault, defence, power, own and other deploy squares
_HANDS = _SPECIAL + 5  # own hand, other hand, own deck, other deck
_REST = _HANDS + 4 * _CARDS  # to move, action points, turn
PLANES = _REST + 3


def places_for(squares: int) -> int:
    """Number of places of actions: unit actions by from- and to-square, drops, discards, end."""
    return squares * (squares + _CARDS) + _CARDS + 1


@game_function("index")
def index(g: HeroSetup, s: HeroState, action: int) -> int:
    """A unit action's from- and to-square (the board decides what it does there), drops, discards, ``end`` last."""
    kind, first, second = action & KIND_MASK, (action >> 8) & 0xFF, action & 0xFF
    squares = g.squares
    if action == END:
        return squares * (squares + _CARDS) + _CARDS
    if kind == DISCARD:
        return squares * (squares + _CARDS) + first
    return (first + (squares if kind == DROP else 0)) * squares + second


@kernel
def _mark(out: Floats32, word: Word) -> None:
    """Write 1 on the squares of a board word."""
    while word != 0:
        out[trailing_zeros(word)] = 1.0
        word &= word - np.uint64(1)


@kernel
def _fill(g: HeroSetup, out: Floats32, value: float) -> None:
    """Write one value on all squares."""
    for square in range(g.squares):
        out[square] = value


@kernel
def _write_pieces(g: HeroSetup, s: HeroState, owner: int, out: Floats32) -> None:
    """Planes of a side: its classes, share of the full hit points, knocked out, items."""
    pieces = s.owned[owner]
    while pieces != 0:
        here = trailing_zeros(pieces)
        pieces &= pieces - np.uint64(1)
        word = integer(s.units[here])
        kind = word >> 16
        out[(kind >> 4) * g.squares + here] = 1.0
        out[_HEALTH * g.squares + here] = real(word & 0xFFFF) / real(MAX_HP[kind])
        if has(s.down, here):
            out[_DOWN * g.squares + here] = 1.0
        for item in range(4):
            if (kind >> item) & 1 != 0:
                out[(_ITEMS + item) * g.squares + here] = 1.0


@kernel
def _write_cards(g: HeroSetup, cards: Word, out: Floats32) -> None:
    """Copies of each card, on all squares."""
    for card in range(_CARDS):
        _fill(g, offset(out, card * g.squares), real(card_count(cards, card)))


@game_function("features")
def features(g: HeroSetup, s: HeroState, player: int, out: Floats32) -> None:
    """The planes, see the page of the game; a hidden hand is counted with its deck."""
    other = 1 - player
    for i in range(_HANDS * g.squares):
        out[i] = 0.0
    _write_pieces(g, s, player, out)
    _write_pieces(g, s, other, offset(out, _SIDE * g.squares))
    special = offset(out, _SPECIAL * g.squares)
    _mark(special, g.assault)
    _mark(offset(special, g.squares), g.defence)
    _mark(offset(special, 2 * g.squares), g.power)
    _mark(offset(special, 3 * g.squares), g.deploy[player])
    _mark(offset(special, 4 * g.squares), g.deploy[other])
    theirs, unseen = s.hands[other], s.decks[other]
    if g.hidden_hands != 0:
        theirs, unseen = np.uint64(0), unseen + theirs
    cards, width = offset(out, _HANDS * g.squares), _CARDS * g.squares
    _write_cards(g, s.hands[player], cards)
    _write_cards(g, theirs, offset(cards, width))
    _write_cards(g, s.decks[player], offset(cards, 2 * width))
    _write_cards(g, unseen, offset(cards, 3 * width))
    rest = offset(out, _REST * g.squares)
    _fill(g, rest, 1.0 if s.player == player and s.terminal == 0 else 0.0)
    _fill(g, offset(rest, g.squares), real(s.ap) / real(g.action_points))
    _fill(g, offset(rest, 2 * g.squares), real(s.turn) / real(g.turn_limit))
