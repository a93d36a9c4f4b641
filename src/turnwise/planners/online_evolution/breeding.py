"""Random turns, crossover and mutation of online evolution; each plays its genome from the root as it makes it."""

from __future__ import annotations

from typing import Any

from turnwise.core.chance import draw
from turnwise.jit.kernel import kernel
from turnwise.jit.memory import load_int, store_int
from turnwise.planners.online_evolution.population import genome
from turnwise.search.forward_model import (
    ProblemRecord,
    apply,
    candidates,
    copy_state,
    exhausted,
    in_turn,
    legal,
    random_candidate,
    survives,
)

UNFINISHED = -1
AGAIN = -2


@kernel
def random_turn(p: ProblemRecord, e: Any, index: int) -> int:
    """Write a random turn into a genome and leave its outcome in ``state``.

    Returns:
        Its length, UNFINISHED if the budget ended first.
    """
    genes = genome(e, index)
    copy_state(p, e.state, e.root)
    length = complete(p, e, genes, 0)
    if length != UNFINISHED:
        store_int(e.lengths, index, length)
        store_int(e.totals, index, length)
    return length


@kernel
def complete(p: ProblemRecord, e: Any, genes: int, length: int) -> int:
    """Play random pruned actions from ``state`` on until the turn ends; returns the turn's length or UNFINISHED."""
    while length < e.width and in_turn(p, e.state):
        if exhausted(p):
            return UNFINISHED
        action = random_candidate(p, e.state, e.listed)
        store_int(genes, length, action)
        apply(p, e.state, action)
        length += 1
    return length


@kernel
def inherited(p: ProblemRecord, e: Any, mother: int, father: int, i: int) -> int:
    """The action at place ``i`` of a child, by the rules of uniform crossover.

    A fair coin says whose gene is tried first; then come the other's, the mother's next, the father's next; a gene
    counts if it is in the pruned legal list. Nothing fits: a uniform action from that list.
    """
    a, b = genome(e, mother), genome(e, father)
    in_a, in_b = load_int(e.totals, mother), load_int(e.totals, father)
    heads = draw(p.rng, 2) == 0
    if heads and i < in_a and survives(p, e.state, load_int(a, i), e.listed):
        return load_int(a, i)
    if i < in_b and survives(p, e.state, load_int(b, i), e.listed):
        return load_int(b, i)
    if not heads and i < in_a and survives(p, e.state, load_int(a, i), e.listed):
        return load_int(a, i)
    if i + 1 < in_a and survives(p, e.state, load_int(a, i + 1), e.listed):
        return load_int(a, i + 1)
    if i + 1 < in_b and survives(p, e.state, load_int(b, i + 1), e.listed):
        return load_int(b, i + 1)
    return random_candidate(p, e.state, e.listed)


@kernel
def crossover(p: ProblemRecord, e: Any, mother: int, father: int, child: int) -> int:
    """Breed a child and leave its outcome in ``state``; returns its length or UNFINISHED."""
    genes = genome(e, child)
    copy_state(p, e.state, e.root)
    length = 0
    while length < e.width and in_turn(p, e.state):
        if exhausted(p):
            return UNFINISHED
        action = inherited(p, e, mother, father, length)
        store_int(genes, length, action)
        apply(p, e.state, action)
        length += 1
    store_int(e.lengths, child, length)
    store_int(e.totals, child, length)
    if e.material != 0:
        inherit_material(p, e, mother, father, child, length)
    return length


@kernel
def inherit_material(p: ProblemRecord, e: Any, mother: int, father: int, child: int, length: int) -> None:
    """Copy what the parents have behind the place where the child's turn has ended, gene by gene from either."""
    in_a, in_b = load_int(e.totals, mother), load_int(e.totals, father)
    for i in range(length, max(in_a, in_b)):
        from_a = i < in_a and (i >= in_b or draw(p.rng, 2) == 0)
        store_int(genome(e, child), i, load_int(genome(e, mother if from_a else father), i))
    store_int(e.totals, child, max(length, in_a, in_b))


@kernel
def is_listed(p: ProblemRecord, e: Any, action: int) -> bool:
    """Whether an action is in the unpruned legal list of ``state``."""
    n = legal(p, e.state, e.listed)
    i = 0
    while i < n and load_int(e.listed, i) != action:
        i += 1
    return i < n


@kernel
def another(p: ProblemRecord, e: Any, action: int) -> int:
    """A uniform pruned legal action other than the given one; the given one if there is no other."""
    n = candidates(p, e.state, e.listed)
    kept = 0
    for i in range(n):
        if load_int(e.listed, i) != action:
            store_int(e.listed, kept, load_int(e.listed, i))
            kept += 1
    return load_int(e.listed, draw(p.rng, kept)) if kept > 0 else action


@kernel
def mutate(p: ProblemRecord, e: Any, child: int) -> int:
    """Change one action of a turn and repair what has become illegal behind it; the outcome is left in ``state``.

    The place is uniform over the turn's actions, without a forced end of the turn unless ``mutate_forced``.

    Returns:
        The new length or UNFINISHED.
    """
    length = load_int(e.lengths, child)
    place = draw(p.rng, length)
    changed = change_at(p, e, child, place, e.mutate_forced == 0 and length > 1 and place == length - 1)
    if changed == AGAIN:
        changed = change_at(p, e, child, draw(p.rng, length - 1), False)
    return changed


@kernel
def change_at(p: ProblemRecord, e: Any, child: int, place: int, unless_forced: bool) -> int:
    """Mutate at a given place; AGAIN if ``unless_forced`` and nothing else is legal there."""
    genes = genome(e, child)
    total = load_int(e.totals, child)
    copy_state(p, e.state, e.root)
    length, fresh = 0, False
    while length < e.width and in_turn(p, e.state):
        if exhausted(p):
            return UNFINISHED
        if length == place:
            if unless_forced and legal(p, e.state, e.listed) == 1:
                return AGAIN
            store_int(genes, length, another(p, e, load_int(genes, length)))
        elif fresh or length >= total or not is_listed(p, e, load_int(genes, length)):  # before it only by chance
            store_int(genes, length, random_candidate(p, e.state, e.listed))
            fresh = e.repair_tail != 0
        apply(p, e.state, load_int(genes, length))
        length += 1
    store_int(e.lengths, child, length)
    store_int(e.totals, child, max(total, length) if e.material != 0 else length)
    return length
