"""The state row: a head of ten words and one 32-bit word per square; a small map has a small row."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from turnwise.games.hero_academy.scenario import CRYSTAL_HP, MAX_SQUARES, HeroSetup
from turnwise.jit.kernel import inlined, integer, kernel
from turnwise.jit.memory import bit_count
from turnwise.jit.record import Int8, Int16, Int32, Ints32, Record, UInts32, Word, Words


class HeroState(Record):
    """A state; the row of a small map ends after its last square."""

    open_ended = True

    turn: Int32
    ap: Int16
    player: Int8  # 0 or 1
    terminal: Int8
    seeds: Annotated[Ints32, 2]  # draw seed of each deck
    hands: Annotated[Words, 2]  # card counts, four bits each
    decks: Annotated[Words, 2]
    owned: Annotated[Words, 2]  # board words: all pieces of each player, including crystals and knocked-out units
    down: Word  # knocked-out units of both players
    crystals: Word  # crystals of both players
    units: Annotated[UInts32, MAX_SQUARES + 1]  # hit points | kind << 16; 0 where nothing stands


HEAD_WORDS = HeroState.fields["units"].offset // 8


def words_for(squares: int) -> int:
    """Width of a state row in words."""
    return HEAD_WORDS + (squares + 1) // 2


def layout_for(words: int) -> np.dtype[Any]:
    """The fields of a row of a width in words; ``units`` ends with the row."""
    fields = HeroState.fields.values()
    formats = [field.format if field.name != "units" else ("u4", (2 * (words - HEAD_WORDS),)) for field in fields]
    offsets = [field.offset for field in fields]
    names = [field.name for field in fields]
    return np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": 8 * words})


# A unit's kind is class << 4 | items, with one bit per item:
DRAGONSCALE, RUNEMETAL, HELM, SCROLL = 1, 2, 4, 8
ITEM_LETTERS = ((DRAGONSCALE, "D"), (RUNEMETAL, "R"), (HELM, "H"), (SCROLL, "S"))
KNIGHT, ARCHER, CLERIC, WIZARD, NINJA, CRYSTAL = range(6)
KINDS = 6 << 4

CLASS_HP = np.array([1000, 800, 800, 800, 800, CRYSTAL_HP], np.int64)
SPEED = np.array([2, 2, 2, 2, 3, 0], np.int64)
RANGE = np.array([1, 3, 2, 2, 2, 0], np.int64)
_CLASS_POWER = (200, 300, 200, 200, 200, 0)
_PHYSICAL_RESISTANCE = (20, 0, 0, 0, 0, 0)
_MAGICAL_RESISTANCE = (0, 0, 0, 10, 0, 0)


def _by_kind(value: Callable[[int, int], int]) -> NDArray[np.int64]:
    """int64[KINDS] of ``value(class, items)``."""
    return np.array([value(kind >> 4, kind & 15) for kind in range(KINDS)], np.int64)


def _max_hp(unit: int, items: int) -> int:
    base = int(CLASS_HP[unit])
    return base + (base // 10 if items & DRAGONSCALE else 0) + (base // 10 if items & HELM else 0)


def _power(unit: int, items: int, on_power_square: bool) -> int:
    power = _CLASS_POWER[unit]
    power += power // 2 if items & RUNEMETAL else 0
    power += 100 if on_power_square else 0
    return power * 3 if items & SCROLL else power


MAX_HP = _by_kind(_max_hp)
PHYSICAL = _by_kind(lambda unit, items: _PHYSICAL_RESISTANCE[unit] + (20 if items & DRAGONSCALE else 0))
MAGICAL = _by_kind(lambda unit, items: _MAGICAL_RESISTANCE[unit] + (20 if items & HELM else 0))
# Power on an ordinary and on a power square: index on_power_square * KINDS + kind.
POWER_OF = np.concatenate(
    [
        _by_kind(lambda unit, items: _power(unit, items, False)),
        _by_kind(lambda unit, items: _power(unit, items, True)),
    ]
)


@kernel
def bit(square: int) -> Word:
    """Board word of one square (uint64)."""
    return np.uint64(1) << np.uint64(square)


@kernel
def has(word: Word, square: int) -> bool:
    """Whether a board word holds a square."""
    return bool((word >> np.uint64(square)) & np.uint64(1) != 0)


@kernel
def card_count(word: Word, card: int) -> int:
    """How many copies of a card a hand or deck holds."""
    return integer((word >> np.uint64(4 * card)) & np.uint64(15))


@kernel
def one_card(card: int) -> Word:
    """A hand of one copy of a card (uint64)."""
    return np.uint64(1) << np.uint64(4 * card)


@kernel
def total_cards(word: Word) -> int:
    """How many cards a hand or deck holds."""
    low = np.uint64(0x0F0F0F0F0F0F0F0F)
    pairs = (word & low) + ((word >> np.uint64(4)) & low)
    return integer((pairs * np.uint64(0x0101010101010101)) >> np.uint64(56))


@inlined
def _in_bytes(nibbles: Word) -> Word:
    """The eight lowest nibbles of a word as the bytes of a word."""
    nibbles &= np.uint64(0xFFFFFFFF)
    nibbles = (nibbles | (nibbles << np.uint64(16))) & np.uint64(0x0000FFFF0000FFFF)
    nibbles = (nibbles | (nibbles << np.uint64(8))) & np.uint64(0x00FF00FF00FF00FF)
    return (nibbles | (nibbles << np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)


@inlined
def card_at(cards: Word, number: int) -> int:
    """The card of a number, from 0, when a hand or deck of at most 127 cards lies in card order.

    It is the number of cards whose copies all come before: for a random number, a loop over the cards would end
    unpredictably. (Where draws are determined, the same cards are drawn again and again, and a loop is faster.)
    """
    ones, tops = np.uint64(0x0101010101010101), np.uint64(0x8080808080808080)
    up_to_low = _in_bytes(cards) * ones  # byte i: copies of the cards 0 to i
    up_to_high = (_in_bytes(cards >> np.uint64(32)) + (up_to_low >> np.uint64(56))) * ones
    wanted = (np.uint64(number) * ones) | tops
    return bit_count((wanted - up_to_low) & tops) + bit_count((wanted - up_to_high) & tops)


@kernel
def power_at(g: HeroSetup, kind: int, square: int) -> int:
    """Power of a unit of a kind on a square (rules 5.1)."""
    return integer(POWER_OF[kind + (KINDS if has(g.power, square) else 0)])
