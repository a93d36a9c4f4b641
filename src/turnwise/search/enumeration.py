"""All states that can be reached in exactly 1, 2, 3, ... actions, each once, with the number of ways to reach it.

Counting over distinct states gives the number of action sequences (perft) without walking them all: hundreds of
millions of sequences pass through some hundred thousand states. States are compared word by word; the fingerprint only
finds the place in the table, so the counts are exact.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from turnwise.core.chance import generator
from turnwise.core.errors import CapacityError
from turnwise.core.game import Game, Words
from turnwise.core.table import (
    call_apply,
    call_fingerprint,
    call_legal_actions,
    call_prune,
    call_to_move,
    call_turn,
)
from turnwise.jit.cache import announce
from turnwise.jit.kernel import kernel
from turnwise.jit.memory import address_of, copy_words, load_word, row_at

_SETUP, _LISTS, _PRUNE, _APPLY, _TO_MOVE, _TURN, _FINGERPRINT, _RNG, _WORDS = range(9)
_ANY_TURN = -1


@dataclass
class StateSet:
    """Distinct states of a game.

    Attributes:
        rows: uint64[capacity, words], the states in order of discovery.
        ways: int64[capacity], action sequences that lead to each.
        slots: int64[power of two], open-addressing table of row numbers; -1: free.
        count: How many there are.
    """

    rows: NDArray[np.uint64]
    ways: NDArray[np.int64]
    slots: NDArray[np.int64]
    count: int = 0

    @classmethod
    def empty(cls, words: int, capacity: int) -> StateSet:
        """A set with room for a number of states."""
        return cls(
            np.empty((capacity, words), np.uint64),
            np.zeros(capacity, np.int64),
            np.full(1 << (2 * capacity - 1).bit_length(), -1, np.int64),
        )


@kernel
def _same(first: int, second: int, words: int) -> bool:
    for i in range(words):  # noqa: SIM110 - a loop compiles, a generator does not
        if load_word(first, i) != load_word(second, i):
            return False
    return True


@kernel
def _insert(rows: Any, ways: Any, slots: Any, count: int, state: int, fingerprint: Any, more: int) -> int:
    """Add a state, or ``more`` ways to one that is there; returns the new count. There must be room."""
    mask = len(slots) - 1
    words = rows.shape[1]
    place = np.int64(fingerprint & np.uint64(mask))
    while slots[place] >= 0:
        known = slots[place]
        if _same(row_at(rows, known), state, words):
            ways[known] += more
            return count
        place = (place + 1) & mask
    slots[place] = count
    copy_words(row_at(rows, count), state, words)
    ways[count] = more
    return count + 1


@kernel
def _refill(pointers: Any, rows: Any, slots: Any, count: int) -> None:
    """Enter all rows into a larger, empty table."""
    mask = len(slots) - 1
    for i in range(count):
        word = call_fingerprint(pointers[_FINGERPRINT], (pointers[_SETUP], row_at(rows, i)))
        place = np.int64(word & np.uint64(mask))
        while slots[place] >= 0:
            place = (place + 1) & mask
        slots[place] = i


@kernel
def _successors(pointers: Any, state: int, out: int, mover: int, turn: int) -> int:
    """List a state's actions; none where it has no continuation or its turn is another one."""
    setup = pointers[_SETUP]
    if pointers[_TO_MOVE] != 0:
        moving = call_to_move(pointers[_TO_MOVE], (setup, state))
        if moving < 0:
            return 0
        if turn != _ANY_TURN and (moving != mover or call_turn(pointers[_TURN], (setup, state)) != turn):
            return 0
    n = call_legal_actions(pointers[_LISTS], (setup, state, out))
    if n > 0 and pointers[_PRUNE] != 0:
        n = call_prune(pointers[_PRUNE], (setup, state, out, n))
    return n


@kernel
def _expand(
    pointers: Any,
    source: Any,
    source_ways: Any,
    first: int,
    last: int,
    actions: Any,
    scratch: Any,
    target: tuple[Any, Any, Any],
    progress: Any,
    turn_of_interest: tuple[int, int],
) -> int:
    """Play every action of the states ``first..last-1``; returns the state at which the target set was too full.

    ``progress`` is int64[4]: states in the target set, action sequences so far, states without continuation, action
    sequences that lead to those.
    """
    rows, ways, slots = target
    setup, out, child = pointers[_SETUP], address_of(actions), address_of(scratch)
    words = np.int64(pointers[_WORDS])
    for i in range(first, last):
        state = row_at(source, i)
        n = _successors(pointers, state, out, turn_of_interest[0], turn_of_interest[1])
        if progress[0] + n > len(rows):
            return i
        progress[1] += n * source_ways[i]
        if n == 0:
            progress[2] += 1
            progress[3] += source_ways[i]
        for a in range(n):
            copy_words(child, state, words)
            call_apply(pointers[_APPLY], (setup, child, actions[a], pointers[_RNG]))
            word = call_fingerprint(pointers[_FINGERPRINT], (setup, child))
            progress[0] = _insert(rows, ways, slots, progress[0], child, word, source_ways[i])
    return last


@kernel
def _sequences(pointers: Any, source: Any, source_ways: Any, actions: Any, turn_of_interest: tuple[int, int]) -> int:
    """Action sequences that are one action longer, without playing them."""
    total = 0
    for i in range(len(source)):
        n = _successors(pointers, row_at(source, i), address_of(actions), turn_of_interest[0], turn_of_interest[1])
        total += n * source_ways[i]
    return total


@dataclass(frozen=True)
class Layer:
    """The states after exactly ``depth`` actions.

    Attributes:
        depth: Number of actions.
        sequences: Action sequences of that length.
        rows: uint64[distinct states, words]; valid until the next layer is asked for.
        ways: int64[distinct states], sequences that lead to each.
        dead_ends: States of the layer before that have no continuation.
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
        game: The scenario; its chance must not matter (every action draws from the same fresh generator).
        pruned: Play only the actions that the game's pruner keeps.
        one_turn: States of another turn, or of another mover, have no continuation.
        lists: Address of another function of the signature ``legal_actions`` that decides on continuations all by
            itself: it is asked for finished games too, and 0 actions mean no continuation.
        most_states: Largest number of distinct states of a layer.
    """

    def __init__(
        self,
        game: Game,
        *,
        pruned: bool = False,
        one_turn: bool = False,
        lists: int = 0,
        most_states: int = 4_000_000,
    ) -> None:
        self.game = game
        self.one_turn = one_turn
        self.most_states = most_states
        table = game.pointers
        self._rng = generator(0)
        self._pointers = np.array(
            [
                game.setup.ctypes.data,
                lists or table["legal_actions"],
                table["prune"] if pruned and not lists else 0,
                table["apply"],
                0 if lists else table["to_move"],
                table["turn"],
                table["fingerprint"],
                self._rng.ctypes.data,
                game.state_words,
            ],
            np.uint64,
        )

    @cached_property
    def _actions(self) -> NDArray[np.int64]:
        return np.zeros(self.game.max_actions, np.int64)

    def _turn(self, row: Words) -> tuple[int, int]:
        from turnwise.core import calls

        if not self.one_turn:
            return 0, _ANY_TURN
        return int(calls.call(self.game, "to_move", row)), int(calls.call(self.game, "turn", row))

    def from_row(self, row: Words) -> Iterator[Layer]:
        """Layers 1, 2, 3, ... until one is empty.

        Args:
            row: uint64[state_words], the state to start from.

        Raises:
            CapacityError: A layer holds more than ``most_states`` distinct states.
        """
        announce(_expand, "the enumeration of states")
        turn = self._turn(row)
        source, ways = row.reshape(1, -1).copy(), np.ones(1, np.int64)
        depth = 0
        while len(source):
            depth += 1
            target, (sequences, ends, end_sequences) = self._next(source, ways, turn)
            rows, target_ways = target.rows[: target.count], target.ways[: target.count]
            yield Layer(depth, sequences, rows, target_ways, ends, end_sequences)
            source, ways = rows, target_ways

    def sequences_after(self, layer: Layer, row: Words) -> int:
        """Number of action sequences one action longer than a layer's, without finding their states.

        Args:
            layer: A layer.
            row: The state that the enumeration started from.
        """
        return int(_sequences(self._pointers, layer.rows, layer.ways, self._actions, self._turn(row)))

    def warm_up(self, row: Words) -> None:
        """Compile all that an enumeration can need; small layers do not need everything.

        Args:
            row: uint64[state_words], any state.
        """
        self.sequences_after(next(self.from_row(row)), row)
        self._grow(StateSet.empty(self.game.state_words, 1))

    def _next(
        self, source: NDArray[np.uint64], ways: NDArray[np.int64], turn: tuple[int, int]
    ) -> tuple[StateSet, tuple[int, int, int]]:
        words = self.game.state_words
        target = StateSet.empty(words, max(1024, 2 * self.game.max_actions))
        progress = np.zeros(4, np.int64)
        scratch = np.zeros(words, np.uint64)
        first = 0
        while True:
            arrays = (target.rows, target.ways, target.slots)
            first = _expand(
                self._pointers, source, ways, first, len(source), self._actions, scratch, arrays, progress, turn
            )
            target.count = int(progress[0])
            if first == len(source):
                return target, (int(progress[1]), int(progress[2]), int(progress[3]))
            target = self._grow(target)

    def _grow(self, small: StateSet) -> StateSet:
        largest = self.most_states + self.game.max_actions  # the last state expanded may overshoot by its list
        if len(small.rows) >= largest:
            raise CapacityError(
                f"More than {self.most_states} distinct states after as many actions; choose a smaller depth."
            )
        large = StateSet.empty(self.game.state_words, min(4 * len(small.rows), largest))
        large.rows[: small.count] = small.rows[: small.count]
        large.ways[: small.count] = small.ways[: small.count]
        large.count = small.count
        _refill(self._pointers, large.rows, large.slots, large.count)
        return large
