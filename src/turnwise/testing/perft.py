"""Perft: the number of action sequences and of different states at each depth."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from turnwise.core import arguments
from turnwise.core.budget import UNLIMITED, Budget
from turnwise.core.chance import Rng, as_outcomes, generator, mix, tape
from turnwise.core.errors import CapacityError
from turnwise.core.state import State
from turnwise.jit.cache import announce
from turnwise.jit.kernel import integer, kernel
from turnwise.jit.memory import at, row_at
from turnwise.jit.record import Ints, Word, array_address
from turnwise.search import forward_model as compiled
from turnwise.search.problem import Problem, action_buffer
from turnwise.search.problem_record import ProblemRecord

_FIRST_CAPACITY = 1024
_FULL = -1
_rng = at(Rng)
_DEEPEST, _MOST_STATES = 10_000, 1 << 40


@kernel
def expand(
    p: ProblemRecord,
    rows: NDArray[np.uint64],
    counts: NDArray[np.int64],
    filled: int,
    next_rows: NDArray[np.uint64],
    next_counts: NDArray[np.int64],
    slots: NDArray[np.int64],
    listed: Ints,
    seed: Word,
) -> int:
    """Play every legal action in every state of a level and merge equal results.

    Args:
        p: The problem.
        rows: uint64[n, state_words], the level's states.
        counts: int64[n], number of sequences that lead to each state.
        filled: Number of states in the level.
        next_rows: uint64[capacity + 1, state_words], receives the next level; the last row is scratch.
        next_counts: int64[capacity].
        slots: int64[2**k], all -1: hash table of positions in ``next_rows``.
        listed: int64[max_actions], scratch.
        seed: Where the rng of the problem is a generator, its word in each state follows from the seed, the state's
            fingerprint and the action's position in the legal list.

    Returns:
        Number of states in the next level, or -1 if it exceeds the capacity.
    """
    rng = _rng(p.rng)
    capacity, mask = next_rows.shape[0] - 1, slots.shape[0] - 1
    found = 0
    for i in range(filled):
        here = row_at(rows, i)
        if compiled.to_move(p, here) < 0:
            continue
        n = compiled.legal(p, here, listed)
        word = mix(compiled.fingerprint(p, here) ^ seed)
        for k in range(n):
            rng.word = mix(word + np.uint64(k))
            target = row_at(next_rows, found)
            compiled.copy_state(p, target, here)
            compiled.apply(p, target, listed[k])
            key = compiled.fingerprint(p, target)
            slot = integer(key & np.uint64(mask))
            while slots[slot] >= 0 and compiled.fingerprint(p, row_at(next_rows, slots[slot])) != key:
                slot = (slot + 1) & mask
            if slots[slot] >= 0:
                next_counts[slots[slot]] += counts[i]
            elif found == capacity:
                return _FULL
            else:
                slots[slot] = found
                next_counts[found] = counts[i]
                found += 1
    return found


def perft(
    state: State, depth: int, max_states: int = 1_000_000, chance_seed: int | None = None
) -> list[tuple[int, int]]:
    """Count legal action sequences and distinct states by depth.

    Terminal states are not extended. States are equal if their fingerprints are. Every chance draw gives 0, or, with a
    seed, what a generator gives whose word follows from the seed, the state (its fingerprint) and the action (its
    position in the legal list): then an action in a state always has the same result, in whatever order states are
    met.

    Args:
        state: The state to start from.
        depth: Number of actions.
        max_states: Largest number of distinct states in one level.
        chance_seed: Seed of chance; None: every draw gives 0.

    Returns:
        For depths 1 to ``depth``: (sequences of that length, distinct states at their ends).

    Raises:
        OptionError: The state has another type, or the depth or number of states is out of range.
        CapacityError: A level has more than ``max_states`` states.
        TurnwiseError: The game is over.
        GameFunctionError: A game function in plain Python failed.
    """
    depth = arguments.whole_number(depth, "The depth of perft", 0, _DEEPEST)
    max_states = arguments.whole_number(max_states, "perft's max_states", 1, _MOST_STATES)
    announce(expand, "perft")
    problem = Problem(state, Budget(forward_calls=UNLIMITED - 1), 0)
    seed = 0 if chance_seed is None else arguments.seed(chance_seed)
    chance = tape(as_outcomes([])) if chance_seed is None else generator(seed)  # an empty tape gives 0
    problem.record.rng = array_address(chance)
    try:
        rows, counts = state.row.copy().reshape(1, -1), np.ones(1, np.int64)
        table = []
        for _ in range(depth):
            rows, counts = _next_level(problem, rows, counts, max_states, seed)
            table.append((int(counts.sum()), len(counts)))
    finally:
        state.game.after_plan(problem)
    return table


def _next_level(
    problem: Problem, rows: NDArray[np.uint64], counts: NDArray[np.int64], max_states: int, seed: int
) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """Expand a level, with more memory if needed."""
    capacity = min(_FIRST_CAPACITY, max_states)
    while True:
        next_rows = np.zeros((capacity + 1, rows.shape[1]), np.uint64)
        next_counts = np.zeros(capacity, np.int64)
        slots = np.full(1 << (2 * capacity).bit_length(), -1, np.int64)
        listed = Ints.of(action_buffer(problem))
        word = np.uint64(seed & 0xFFFFFFFFFFFFFFFF)
        found = expand(problem.record, rows, counts, len(counts), next_rows, next_counts, slots, listed, word)
        if found != _FULL:
            return next_rows[:found].copy(), next_counts[:found].copy()
        if capacity == max_states:
            raise CapacityError(
                f"perft met more than {max_states} states in one level; give a larger max_states or a smaller depth."
            )
        capacity = min(8 * capacity, max_states)
