"""Evaluators (rules 8): the heuristic in three readings, material balance, mean, win/lose."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from turnwise.core.game import Evaluation
from turnwise.core.table import game_function
from turnwise.games.hero_academy.rules.victory import winner
from turnwise.games.hero_academy.scenario import DECKS, HeroSetup
from turnwise.games.hero_academy.state import (
    CLASS_HP,
    CRYSTAL,
    DRAGONSCALE,
    HELM,
    KINDS,
    RUNEMETAL,
    SCROLL,
    HeroState,
    card_count,
)
from turnwise.jit.kernel import inlined, integer, kernel, real
from turnwise.jit.memory import trailing_zeros
from turnwise.jit.record import Floats, Word

WIN = 60000.0
_INFERNO_WORTH = 750
# Square bonus per class (KN, AR, CL, WI, NI, CR) and square type (plain, assault, defence, power, deploy).
_SQUARES = (
    (0, 120, 30, 30, -75),
    (0, 40, 80, 120, -75),
    (0, 10, 20, 40, -75),
    (0, 40, 70, 100, -75),
    (0, 50, 60, 70, -75),
    (0, 0, 0, 0, 0),
)
# Equipment bonus per class and item (DS, RM, SH, SC): as the engine adds it up, and as the paper prints it.
_EQUIPMENT_CODED = (
    (60, -30, 20, -10),
    (60, 60, 40, 80),
    (30, 20, 20, 30),
    (50, 60, 40, 80),
    (30, 20, 30, 70),
)
_EQUIPMENT_PAPER = (
    (30, -50, 20, -40),
    (30, 40, 20, 50),
    (30, 20, 20, 30),
    (20, 40, 20, 50),
    (30, 20, 10, 40),
)
_ITEMS = (DRAGONSCALE, RUNEMETAL, HELM, SCROLL)
_BALANCE_CARDS = (1.0, 1.1, 1.2, 1.1, 1.5, 1.2, 0.9, 0.4, 0.9, 0.4, 0.4)
_BALANCE_INFERNO, _MEAN_INFERNO = 1.2, 1.6


def _standing_table(equipment: tuple[tuple[int, ...], ...]) -> NDArray[np.int64]:
    """Worth of a standing unit without its hit points, int64[KINDS * 8] at ``kind * 8 + square type``."""
    table = np.zeros(KINDS * 8, np.int64)
    for kind in range(KINDS):
        unit = kind >> 4
        worn = 0 if unit == CRYSTAL else sum(v for i, v in zip(_ITEMS, equipment[unit], strict=True) if kind & i)
        for square, bonus in enumerate(_SQUARES[unit]):
            table[kind * 8 + square] = 2 * (int(CLASS_HP[unit]) + worn) + bonus
    return table


def _added_to_words(standing: NDArray[np.int64]) -> NDArray[np.int64]:
    """What a standing unit is worth in addition to its word (hit points | kind << 16), int64[KINDS * 8]."""
    return standing - (np.repeat(np.arange(KINDS), 8) << 16)


def _fallen_table() -> NDArray[np.int64]:
    """Worth of a knocked-out unit as coded, int64[KINDS]: maximum hit points and equipment, no square bonus."""
    table = np.zeros(KINDS, np.int64)
    for kind in range(5 << 4):
        table[kind] = int(CLASS_HP[kind >> 4]) + sum(
            v for i, v in zip(_ITEMS, _EQUIPMENT_CODED[kind >> 4], strict=True) if kind & i
        )
    return table


def _fallen_table_paper() -> NDArray[np.int64]:
    """Worth of a knocked-out unit by the paper's Eq. 1 with up = 0: minus the square bonus, as the standing table."""
    values = [-_SQUARES[kind >> 4][square] if square < 5 else 0 for kind in range(KINDS) for square in range(8)]
    return np.array(values, np.int64)


_CODED = _standing_table(_EQUIPMENT_CODED)
_PAPER = _standing_table(_EQUIPMENT_PAPER)
_CODED_FALL = np.repeat(_fallen_table(), 8) - _CODED
_PAPER_FALL = _fallen_table_paper() - _PAPER
_CODED_REST, _PAPER_REST = _added_to_words(_CODED), _added_to_words(_PAPER)
_EVEN_CARDS, _ODD_CARDS = np.uint64(0x000F0F0F_000F0F0F), np.uint64(0x00000F0F_00000F0F)
_UNITS = np.uint64(0xFFFFF)
_HALF, _NIBBLE, _BYTE = np.uint64(32), np.uint64(4), np.uint64(0xFF)


@inlined
def _place(g: HeroSetup, s: HeroState, here: int) -> Word:
    """Index of the piece on a square into the tables; without a sign, so that numba does not test for negative ones."""
    return ((np.uint64(s.units[here]) >> np.uint64(16)) << np.uint64(3)) + np.uint64(g.type[here])


@inlined
def _standing(g: HeroSetup, s: HeroState, pieces: Word, rest: NDArray[np.int64]) -> int:
    """Worth of pieces, all of them taken as standing.

    Whole words are added up, and the table takes their kinds off again: that is one operation less for each piece.
    """
    worth = 0
    while pieces != 0:
        here = trailing_zeros(pieces)
        pieces &= pieces - np.uint64(1)
        worth += integer(s.units[here]) + rest[_place(g, s, here)]
    return worth


@inlined
def _fallen(g: HeroSetup, s: HeroState, down: Word, fall: NDArray[np.int64]) -> int:
    """What knocked-out units differ by from standing ones."""
    worth = 0
    while down != 0:
        worth += fall[_place(g, s, trailing_zeros(down))]
        down &= down - np.uint64(1)
    return worth


@inlined
def _unit_cards(first: Word, second: Word) -> int:
    """Worth of the unit cards among some cards, minus that of others; both are counted in one word."""
    both = (first & _UNITS) | (second << _HALF)
    pairs = (both & _EVEN_CARDS) + ((both >> _NIBBLE) & _ODD_CARDS)
    counts = pairs * np.uint64(0x010101)  # all unit cards of each in byte 2 of its half
    units = integer((counts >> np.uint64(16)) & _BYTE) - integer((counts >> np.uint64(48)) & _BYTE)
    return 1400 * units + 350 * (card_count(first, 0) - card_count(second, 0))


@inlined
def _material(g: HeroSetup, s: HeroState, rest: NDArray[np.int64], fall: NDArray[np.int64]) -> int:
    """Worth of player 1's pieces, and unit cards in hand and deck, minus player 2's.

    It does not depend on who asks: loops that begin with the same player each time are predicted better. The first
    loops take all pieces as standing, and those for knocked-out ones mostly have nothing to do: a loop for each kind
    would end unpredictably twice.
    """
    worth = _standing(g, s, s.owned[0], rest) - _standing(g, s, s.owned[1], rest)
    if s.down != 0:
        worth += _fallen(g, s, s.owned[0] & s.down, fall) - _fallen(g, s, s.owned[1] & s.down, fall)
    return worth + _unit_cards(s.hands[0] + s.decks[0], s.hands[1] + s.decks[1])


@inlined
def _infernos(s: HeroState) -> int:
    """Worth of player 1's Infernos in hand and deck, minus player 2's."""
    return _INFERNO_WORTH * (card_count(s.hands[0] + s.decks[0], 5) - card_count(s.hands[1] + s.decks[1], 5))


@inlined
def _seen_by(player: int, worth: int) -> int:
    """A difference in favour of player 1 from a player's point of view."""
    return worth if player == 0 else -worth


@kernel
def _decided(g: HeroSetup, s: HeroState, player: int) -> float:
    """Value of a finished game: +-60000, or 0 for a draw."""
    won = winner(g, s)
    if won < 0:
        return 0.0
    return WIN if won == player else -WIN


@game_function("evaluation")
def heuristic(g: HeroSetup, root: HeroState, s: HeroState, player: int, parameters: Floats) -> float:
    """The engine's heuristic with the Inferno terms on the correct side: a zero-sum value."""
    if s.terminal != 0:
        return _decided(g, s, player)
    return real(_seen_by(player, _material(g, s, _CODED_REST, _CODED_FALL) + _infernos(s)))


@game_function("evaluation")
def heuristic_as_coded(g: HeroSetup, root: HeroState, s: HeroState, player: int, parameters: Floats) -> float:
    """The engine's heuristic with its bug (rules Q1): for player 2 the Inferno terms keep player 1's signs."""
    if s.terminal != 0:
        return _decided(g, s, player)
    return real(_seen_by(player, _material(g, s, _CODED_REST, _CODED_FALL)) + _infernos(s))


@game_function("evaluation")
def heuristic_as_published(g: HeroSetup, root: HeroState, s: HeroState, player: int, parameters: Floats) -> float:
    """Eq. 1 and 2 and Table 1 of the paper (section 2.3), to the letter for units on the board.

    The paper says that units in hand and deck count, but not how, and its formula does not mention crystals and
    Infernos; for these the engine's terms are used.
    """
    if s.terminal != 0:
        return _decided(g, s, player)
    return real(_seen_by(player, _material(g, s, _PAPER_REST, _PAPER_FALL) + _infernos(s)))


# ---------------------------------------------------------------------------------------------------- other kinds

_CARD_WORTH = np.array(_BALANCE_CARDS)


@kernel
def _kind_worth(kind: int) -> float:
    """Card value of a unit's class and of the equipment that it wears."""
    unit, items = kind >> 4, kind & 15
    worth = real(_CARD_WORTH[unit])
    worth += 0.4 * ((items & 1) + ((items >> 1) & 1) + ((items >> 2) & 1)) + 0.9 * (items >> 3)
    return worth


@kernel
def _cards_worth(s: HeroState, player: int, inferno_worth: float) -> float:
    cards = s.hands[player] + s.decks[player]
    worth = 0.0
    for card in range(11):
        worth += card_count(cards, card) * (inferno_worth if card == 5 else _CARD_WORTH[card])
    return worth


@kernel
def _crystal_hp(s: HeroState, player: int) -> int:
    total = 0
    crystals = s.crystals & s.owned[player]
    while crystals != 0:
        total += integer(s.units[trailing_zeros(crystals)]) & 0xFFFF
        crystals &= crystals - np.uint64(1)
    return total


@kernel
def _balance_side(g: HeroSetup, s: HeroState, player: int) -> float:
    worth = 0.0
    units = s.owned[player] & ~s.crystals
    while units != 0:
        worth += _kind_worth(integer(s.units[trailing_zeros(units)]) >> 16)
        units &= units - np.uint64(1)
    worth += _cards_worth(s, player, _BALANCE_INFERNO)
    return worth + 20.0 * (_crystal_hp(s, player) / g.crystal_hp)


@kernel
def _balance(g: HeroSetup, s: HeroState, player: int) -> float:
    return _balance_side(g, s, player) - _balance_side(g, s, 1 - player)


@game_function("evaluation")
def balance(g: HeroSetup, root: HeroState, s: HeroState, player: int, parameters: Floats) -> float:
    """Material balance (rules 8.2): card values of both sides plus 20 for undamaged crystals; doubled at the end."""
    if s.terminal == 0:
        return _balance(g, s, player)
    return 0.0 if winner(g, s) < 0 else 2.0 * _balance(g, s, player)


@game_function("evaluation")
def balance_win(g: HeroSetup, root: HeroState, s: HeroState, player: int, parameters: Floats) -> float:
    """Material balance's "win" form: 1, 0.5 or 0 depending on who is ahead; at the end on who won."""
    if s.terminal != 0:
        won = winner(g, s)
        return 0.5 if won < 0 else (1.0 if won == player else 0.0)
    difference = _balance(g, s, player)
    return 1.0 if difference > 0 else (0.5 if difference == 0 else 0.0)


@kernel
def _mean_side(g: HeroSetup, s: HeroState, player: int) -> float:
    board = 0.0
    units = s.owned[player] & ~s.crystals
    while units != 0:
        word = integer(s.units[trailing_zeros(units)])
        units &= units - np.uint64(1)
        share = real(word & 0xFFFF) / CLASS_HP[word >> 20] / 2.0
        if share != 0.0:
            share += 0.5
        board += _kind_worth(word >> 16) * share
    board /= g.deck_worth
    cards = _cards_worth(s, player, _MEAN_INFERNO) / g.deck_worth
    return (board + cards) * board * (_crystal_hp(s, player) / g.crystal_hp)


@game_function("evaluation")
def mean(g: HeroSetup, root: HeroState, s: HeroState, player: int, parameters: Floats) -> float:
    """The mean evaluator (rules 8.3); a finished game counts 1 for a win, else 0."""
    if s.terminal != 0:
        return 1.0 if winner(g, s) == player else 0.0
    return _mean_side(g, s, player) - _mean_side(g, s, 1 - player)


@game_function("evaluation")
def win_lose(g: HeroSetup, root: HeroState, s: HeroState, player: int, parameters: Floats) -> float:
    """1 for a win, 0 for a loss, 0.5 for a draw and while the game runs."""
    won = winner(g, s) if s.terminal != 0 else -1
    return 0.5 if won < 0 else (1.0 if won == player else 0.0)


def deck_worth(deck: str) -> float:
    """Worth of a whole deck by the mean evaluator's card values."""
    values = [_MEAN_INFERNO if card == 5 else value for card, value in enumerate(_BALANCE_CARDS)]
    return round(sum(count * value for count, value in zip(DECKS[deck], values, strict=True)), 6)


_BOUND_BALANCE = 2.0 * (2 * 45.0)
EVALUATIONS = {
    "heuristic": Evaluation(heuristic, -WIN, WIN, "hit points, equipment, squares and cards; zero-sum"),
    "heuristic-as-coded": Evaluation(heuristic_as_coded, -WIN, WIN, "the engine's, including its Inferno bug"),
    "heuristic-as-published": Evaluation(heuristic_as_published, -WIN, WIN, "Eq. 1-2 and Table 1 of the paper"),
    "balance": Evaluation(balance, -_BOUND_BALANCE, _BOUND_BALANCE, "material by card values"),
    "balance-win": Evaluation(balance_win, 0.0, 1.0, "who is ahead in material: 1, 0.5 or 0"),
    "mean": Evaluation(mean, -4.0, 4.0, "material by card values, weighted by health and crystals"),
    "win-lose": Evaluation(win_lose, 0.0, 1.0, "only the result: 1, 0.5 or 0"),
}
