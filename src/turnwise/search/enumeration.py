"""All states that can be reached in exactly 1, 2, 3, ... actions, each once, with the number of ways to reach it.

Counting over distinct states gives the number of action sequences (perft) without walking them all: hundreds of
millions of sequences pass through a few hundred thousand states. States are compared word by word; the fingerprint only
finds the place in the table, so the counts are exact.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from turnwise.core.chance import generator
from turnwise.core.errors import CapacityError
from turnwise.core.game import Game, Row
from turnwise.core.table import (
    call_apply,
    call_fingerprint,
    call_legal_actions,
    call_prune,
    call_to_move,
    call_turn,
)
from turnwise.jit.cache import announce
from turnwise.jit.kernel import integer, kernel
from turnwise.jit.memory import copy_words, row_address, row_at, same_words
from turnwise.jit.record import Address, Ints, Record, Word, array_address

_ANY_TURN = -1


class StateSetRecord(Record):
    """Distinct states, as kernels see them."""

    rows: Address  # uint64[capacity, words]: the states in order of discovery
    ways: Ints  # int64[capacity]: action sequences that lead to each
    slots: Ints  # int64[mask + 1]: open-addressing table of row numbers; -1: free
    mask: int
    capacity: int
    count: int


class Enumerator(Record):
    """What an enumeration calls, what it looks for, and the counts of one layer."""

    setup: Address
    rng: Address
    legal_actions: Word  # functions of the game's table; 0: not called
    prune: Word
    apply: Word
    to_move: Word
    turn: Word
    fingerprint: Word
    words: int  # of a state
    mover: int  # whose turn is enumerated
    turn_number: int  # of that turn; _ANY_TURN: states of all turns are expanded
    listed: Ints  # int64[max_actions], scratch
    child: Address  # row, scratch
    sequences: int  # action sequences to the states of the layer
    ends: int  # states of the previous layer without continuation
    end_sequences: int  # action sequences that lead to those


class StateSet:
    """A set of distinct states with a fixed capacity.

    Attributes:
        rows: uint64[capacity, words], the states in order of discovery.
        ways: int64[capacity], action sequences that lead to each.
        record: The record that kernels take.
    """

    def __init__(self, words: int, capacity: int) -> None:
        """An empty set."""
        self.rows = np.empty((capacity, words), np.uint64)
        self.ways = np.zeros(capacity, np.int64)
        slots = np.full(1 << (2 * capacity - 1).bit_length(), -1, np.int64)
        self.record = StateSetRecord()
        self.record.rows, self.record.ways = array_address(self.rows), Ints.of(self.ways)
        self.record.slots, self.record.mask = Ints.of(slots), len(slots) - 1
        self.record.capacity = capacity


@kernel
def _insert(s: StateSetRecord, state: Address, words: int, fingerprint: Word, more: int) -> None:
    """Add a state, or ``more`` ways to reach it if the set has it. The set must not be full.

    The probing is not :func:`turnwise.search.outcome_table.slot_of` because slots hold row numbers, and states are
    compared word by word.
    """
    place = integer(fingerprint & np.uint64(s.mask))
    while s.slots[place] >= 0:
        known = s.slots[place]
        if same_words(row_address(s.rows, known, words), state, words):
            s.ways[known] += more
            return
        place = (place + 1) & s.mask
    s.slots[place] = s.count
    copy_words(row_address(s.rows, s.count, words), state, words)
    s.ways[s.count] = more
    s.count += 1


@kernel
def _insert_all(e: Enumerator, s: StateSetRecord, others: StateSetRecord) -> None:
    """Add all states of another set, in its order, to an empty set that has room for them."""
    for i in range(others.count):
        state = row_address(others.rows, i, e.words)
        _insert(s, state, e.words, call_fingerprint(e.fingerprint, (e.setup, state)), others.ways[i])


@kernel
def _successors(e: Enumerator, state: Address) -> int:
    """List a state's actions; none if it has no continuation or belongs to another turn."""
    if e.to_move != 0:
        moving = call_to_move(e.to_move, (e.setup, state))
        if moving < 0:
            return 0
        if e.turn_number != _ANY_TURN and (moving != e.mover or call_turn(e.turn, (e.setup, state)) != e.turn_number):
            return 0
    n = call_legal_actions(e.legal_actions, (e.setup, state, e.listed))
    if n > 0 and e.prune != 0:
        n = call_prune(e.prune, (e.setup, state, e.listed, n))
    return n


@kernel
def _expand(
    e: Enumerator, source: NDArray[np.uint64], ways: NDArray[np.int64], first: int, target: StateSetRecord
) -> int:
    """Play every action of the states from ``first`` on; returns the index of the first state that had no room.

    Args:
        e: The enumeration; its counts grow.
        source: uint64[n, words], the previous layer.
        ways: int64[n], action sequences that lead to each of its states.
        first: Index of the state to begin with.
        target: The new layer; its states are added.

    Returns:
        Index of the state whose children did not fit into the target set; n if all did.
    """
    for i in range(first, len(source)):
        state = row_at(source, i)
        n = _successors(e, state)
        if target.count + n > target.capacity:
            return i
        e.sequences += n * ways[i]
        if n == 0:
            e.ends += 1
            e.end_sequences += ways[i]
        for a in range(n):
            copy_words(e.child, state, e.words)
            call_apply(e.apply, (e.setup, e.child, e.listed[a], e.rng))
            word = call_fingerprint(e.fingerprint, (e.setup, e.child))
            _insert(target, e.child, e.words, word, ways[i])
    return len(source)


@kernel
def _sequences(e: Enumerator, source: NDArray[np.uint64], ways: NDArray[np.int64]) -> int:
    """Action sequences that are one action longer than those to a layer's states, without playing them."""
    total = 0
    for i in range(len(source)):
        total += _successors(e, row_at(source, i)) * ways[i]
    return total


@dataclass(frozen=True)
class Layer:
    """The states after exactly ``depth`` actions.

    Attributes:
        depth: Number of actions.
        sequences: Action sequences of that length.
        rows: uint64[distinct states, words]; valid until the next layer is requested.
        ways: int64[distinct states], sequences that lead to each.
        dead_ends: States of the previous layer that have no continuation.
        dead_end_sequences: Action sequences that lead to those.
    """

    depth: int
    sequences: int
    rows: NDArray[np.uint64]
    ways: NDArray[np.int64]
    dead_ends: int
    dead_end_sequences: int

    @property
    def distinct(self) -> int:
        """Number of distinct states."""
        return len(self.rows)


class Layers:
    """Breadth-first enumeration from one state.

    Args:
        game: The scenario.
        pruned: Play only the actions that the game's pruner keeps.
        one_turn: States of another turn, or of another mover, have no continuation.
        lists: Address of another function with the signature of ``legal_actions`` that alone decides on
            continuations: it is called for finished games too, and 0 actions mean no continuation.
        most_states: Maximum number of distinct states in a layer.
        rng: Rng row from which all actions draw, so chance must not matter; None: a generator with a fixed seed. From
            an empty tape every draw is 0.
    """

    def __init__(
        self,
        game: Game,
        *,
        pruned: bool = False,
        one_turn: bool = False,
        lists: int = 0,
        most_states: int = 4_000_000,
        rng: Row | None = None,
    ) -> None:
        self.game = game
        self.one_turn = one_turn
        self.most_states = most_states
        self._rng, self._child = generator(0) if rng is None else rng, np.zeros(game.state_words, np.uint64)
        self._enumerator = Enumerator()
        e, table = self._enumerator, game.pointers
        e.setup, e.rng, e.child = (array_address(row) for row in (game.setup, self._rng, self._child))
        e.listed = Ints.of(np.zeros(game.max_actions, np.int64))
        e.legal_actions = Word(lists or table["legal_actions"])
        e.prune = Word(table["prune"] if pruned and not lists else 0)
        e.to_move = Word(0 if lists else table["to_move"])
        e.apply, e.turn, e.fingerprint = (Word(table[name]) for name in ("apply", "turn", "fingerprint"))
        e.words = game.state_words

    def _begin(self, row: Row) -> None:
        """Record whose turn is enumerated."""
        from turnwise.core import calls

        e = self._enumerator
        e.mover, e.turn_number = 0, _ANY_TURN
        if self.one_turn:
            e.mover, e.turn_number = int(calls.call(self.game, "to_move", row)), int(calls.call(self.game, "turn", row))

    def from_row(self, row: Row) -> Iterator[Layer]:
        """Layers 1, 2, 3, ... until one is empty.

        Args:
            row: uint64[state_words], the state to start from.

        Raises:
            CapacityError: A layer holds more than ``most_states`` distinct states.
        """
        announce(_expand, "the enumeration of states")
        source, ways = row.reshape(1, -1).copy(), np.ones(1, np.int64)
        depth = 0
        while len(source):
            depth += 1
            self._begin(row)
            layer = self._next(depth, source, ways)
            yield layer
            source, ways = layer.rows, layer.ways

    def sequences_after(self, layer: Layer, row: Row) -> int:
        """Number of action sequences one action longer than a layer's, without finding their states.

        Args:
            layer: A layer.
            row: The state that the enumeration started from.
        """
        self._begin(row)
        return int(_sequences(self._enumerator, layer.rows, layer.ways))

    def warm_up(self, row: Row) -> None:
        """Compile every kernel that an enumeration can call; small layers do not call all of them.

        Args:
            row: uint64[state_words], any state.
        """
        self.sequences_after(next(self.from_row(row)), row)
        self._grow(StateSet(self.game.state_words, 1))

    def _next(self, depth: int, source: NDArray[np.uint64], ways: NDArray[np.int64]) -> Layer:
        e, target = self._enumerator, StateSet(self.game.state_words, max(1024, 2 * self.game.max_actions))
        e.sequences, e.ends, e.end_sequences = 0, 0, 0
        first = 0
        while True:
            first = _expand(e, source, ways, first, target.record)
            if first == len(source):
                count = target.record.count
                return Layer(depth, e.sequences, target.rows[:count], target.ways[:count], e.ends, e.end_sequences)
            target = self._grow(target)

    def _grow(self, small: StateSet) -> StateSet:
        largest = self.most_states + self.game.max_actions  # the last state expanded may overshoot by its list
        if len(small.rows) >= largest:
            raise CapacityError(f"More than {self.most_states} distinct states in one layer; choose a smaller depth.")
        large = StateSet(self.game.state_words, min(4 * len(small.rows), largest))
        _insert_all(self._enumerator, large.record, small.record)
        return large
