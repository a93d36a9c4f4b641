"""Scratch memory of the legal list: one block on the stack, and what is where in it."""

from __future__ import annotations

from turnwise.games.tribes.tables import MOST_CELLS, MOST_UNITS
from turnwise.jit.memory import at
from turnwise.jit.record import Ints, Ints8, Ints16
from turnwise.jit.stack import stack_room

MOST_ENTRIES = MOST_UNITS + 1
MOST_BUCKETS = 512  # a hash map has twice as many when more than three quarters of them are full
MOST_REACH = 225  # tiles within seven steps (see movement.py); lists are written one place beyond their end
MOST_CITY_TILES = 25

_CELL_WORDS = -(-MOST_CELLS // 8)  # a byte for each cell

# Places, in words.
CONTROL_READY = 0
"""Whether the tiles next to other tribes' units are marked at ``CONTROL``."""
CONTROL = CONTROL_READY + 1
COSTS = CONTROL + _CELL_WORDS
QUEUE = COSTS + _CELL_WORDS
FOUND = QUEUE + -(-MOST_REACH // 4)  # a list
CITY_TILES = FOUND + -(-(MOST_REACH + 1) // 4)
CITY_BITS = CITY_TILES + MOST_CITY_TILES + 1  # the list is written one place beyond its end
ENTRIES = CITY_BITS + MOST_CITY_TILES + 1
ORDER = ENTRIES + MOST_ENTRIES
BUCKETS = ORDER + MOST_ENTRIES
WAYS = BUCKETS + MOST_BUCKETS
WORDS = WAYS + MOST_CELLS

stack_scratch = stack_room(WORDS)
ints_at, bytes_at, shorts_at = at(Ints), at(Ints8), at(Ints16)
