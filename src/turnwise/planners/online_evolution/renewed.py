"""Online evolution whose population is renewed in every generation, as in a published program for Tribes.

After the code of Singh 2021 (Online Evolutionary Planning and Evolutionary MCTS for Turn-Based, Multi-Action Games)::

    evolve(s):
        P <- random turns of at most ``cap`` actions, which end only where nothing else is possible
        repeat:
            keep the better part of P; its best turn is the answer so far
            pair them by tournaments without replacement; C <- a child of each pair                 pair_up
            x <- the best of P, or the last of C, without its first action                          shift
            P <- x, mutants of x, random turns                                                      renew
        until the budget is spent

A turn that goes on after its last action gets the action that ends it, without playing it: turns are rated before they
end. The first action of the shifted turn was never played, so the rest often has to be replaced. No generation begins
that would cost more than is left if it cost as much as the one before; one that the budget cuts off all the same is
dropped (the program ends its present stage, beyond the limit). What text and program differ in are options:
``renewed_from``, ``mutation_draws``, ``quotas``.
"""

from __future__ import annotations

from turnwise.core.chance import draw
from turnwise.core.table import NOTHING
from turnwise.jit.kernel import kernel, real
from turnwise.planners.online_evolution.population import TurnPopulation, rank
from turnwise.search.forward_model import apply, exhausted, fingerprint, in_turn, is_legal, random_candidate
from turnwise.search.genomes import begin_genome, forget, genome
from turnwise.search.problem_record import ProblemRecord
from turnwise.search.state_values import evaluate, note_best
from turnwise.search.turn_genomes import UNFINISHED
from turnwise.search.unended_turns import end_unplayed, play_repaired, random_unended

_FIRST_SHARE = 0.9  # of the budget: if the first population costs more, there is no other one
_NOBODY = -1


@kernel
def evolve_renewed(p: ProblemRecord, e: TurnPopulation) -> None:
    """Run generations until the budget is spent; the answer is in the last slot."""
    goes_on = not exhausted(p) and begin(p, e)
    while goes_on:
        rank(e)
        keep_answer(e)
        p.iterations += 1
        begun, is_first = p.forward_calls, e.generations == 0
        e.generations += 1
        goes_on = not exhausted(p) and not (is_first and p.forward_calls >= _FIRST_SHARE * real(p.forward_limit))
        goes_on = goes_on and pair_up(p, e) and renew(p, e)
        goes_on = goes_on and p.forward_calls - begun <= p.forward_limit - p.forward_calls


@kernel
def begin(p: ProblemRecord, e: TurnPopulation) -> bool:
    """Make and rate random turns; False: the budget does not suffice for one. Those that it leaves out rank last."""
    made = 0
    while made < e.members and random_one(p, e, made):
        made += 1
    for index in range(made, e.members):
        forget(e, index)
    return made > 0


@kernel
def keep_answer(e: TurnPopulation) -> None:
    """Copy the best turn of the population to the slot of the answer."""
    best, answer = e.ranking[0], e.answer
    source, genes = genome(e, best), genome(e, answer)
    for i in range(e.lengths[best]):
        genes[i] = source[i]
    e.lengths[answer] = e.totals[answer] = e.lengths[best]
    e.fitness[answer], e.visits[answer], e.keys[answer] = e.fitness[best], e.visits[best], e.keys[best]


@kernel
def rate_one(p: ProblemRecord, e: TurnPopulation, index: int, length: int) -> bool:
    """Give a genome of some length the value of ``state``; False: out of budget."""
    forget(e, index)
    e.lengths[index] = e.totals[index] = length
    e.keys[index] = fingerprint(p, e.state)
    value = evaluate(p, e.state, p.mover)
    if p.unrated != 0:
        return False
    e.fitness[index], e.visits[index] = value, 1
    note_best(p, value)
    e.born += 1
    return True


@kernel
def random_one(p: ProblemRecord, e: TurnPopulation, index: int) -> bool:
    """Make and rate a random turn; False: out of budget."""
    length = random_unended(p, e, index)
    return length != UNFINISHED and rate_one(p, e, index, length)


# ------------------------------------------------------------------------------------------------------------- children


@kernel
def pair_up(p: ProblemRecord, e: TurnPopulation) -> bool:
    """Make a child of each pair of survivors; the last one also of whom was left over, if any; False: out of budget."""
    n, left_over = e.survivors, _NOBODY
    pairs = e.order  # the survivors that have no partner yet, best first
    for place in range(n):
        pairs[place] = e.ranking[place]
    if n % 2 == 1 and n > 1:
        left_over = take_out(e, draw(p.rng, n), n)
        n -= 1
    e.children = 0
    while n > 0:
        one, other = 0, min(1, n - 1)
        if n >= e.tournament:
            one, other = winner(p, e, n), winner(p, e, n)
        mother, father = pairs[one], pairs[other]
        take_out(e, max(one, other), n)
        n -= 1
        if one != other:
            take_out(e, min(one, other), n)
            n -= 1
        if not add_child(p, e, mother, father):
            return False
    if left_over != _NOBODY:
        return add_child(p, e, left_over, e.members + draw(p.rng, e.children))
    return True


@kernel
def take_out(e: TurnPopulation, place: int, n: int) -> int:
    """Take out of the first n of ``order`` the one at a place, and return it."""
    taken = e.order[place]
    for i in range(place, n - 1):
        e.order[i] = e.order[i + 1]
    return taken


@kernel
def winner(p: ProblemRecord, e: TurnPopulation, n: int) -> int:
    """The best of n places among ``tournament`` different random ones: each is one of them if chance says so."""
    place = 0
    while draw(p.rng, n - place) >= e.tournament:
        place += 1
    return place


@kernel
def add_child(p: ProblemRecord, e: TurnPopulation, one: int, other: int) -> bool:
    """Make the next child, gene by gene of the shorter parent or the longer one; False: out of budget.

    Genes from the last of the shorter one on are those of the longer. With ``quotas`` each parent may give half of the
    others.
    """
    shorter, longer = (one, other) if e.totals[one] <= e.totals[other] else (other, one)
    a, b, child = genome(e, shorter), genome(e, longer), e.members + e.children
    in_a, in_b, genes = e.totals[shorter], e.totals[longer], genome(e, child)
    shared = in_a if in_a == in_b else in_a - 1
    of_a = shared // 2
    of_b = shared - of_a
    for i in range(in_b):
        from_a = False
        if i < in_a - 1:
            from_a = draw(p.rng, 2) == 0
            if e.quotas != 0 and (of_a == 0 or of_b == 0):
                from_a = of_a != 0
            of_a, of_b = (of_a - 1, of_b) if from_a else (of_a, of_b - 1)
        genes[i] = a[i] if from_a else b[i]
    e.children += 1
    length = repaired(p, e, child, in_b, True)
    return length != UNFINISHED and rate_one(p, e, child, end_unplayed(p, e, child, length))


@kernel
def repaired(p: ProblemRecord, e: TurnPopulation, index: int, total: int, once: bool) -> int:
    """Play genes with mutation and repair; returns the number of actions, or UNFINISHED."""
    return play_repaired(p, e, index, 0, total, e.mutation_probability, e.percent, once)


# ------------------------------------------------------------------------------------------------------ next population


@kernel
def renew(p: ProblemRecord, e: TurnPopulation) -> bool:
    """Replace the population by a shifted turn, mutants of it, and random turns; False: out of budget."""
    if not shift(p, e, e.members + e.children - 1 if e.shifts_last != 0 else e.answer):
        return False
    for index in range(1, e.members):
        is_rated = mutant_of_first(p, e, index) if index < e.members // 2 else random_one(p, e, index)
        if not is_rated:
            return False
    return True


@kernel
def shift(p: ProblemRecord, e: TurnPopulation, source: int) -> bool:
    """Make the first genome of another one without its first action; False: out of budget.

    Random actions are appended for all from the first illegal one on, which stays among the genes.
    """
    genes, turn = genome(e, 0), genome(e, source)
    total = e.totals[source] - 1
    for i in range(total):
        genes[i] = turn[i + 1]
    begin_genome(p, e)
    length, most = 0, e.cap if e.cap > 0 else e.width
    while length < total and is_playable(p, e, genes[length]):
        if exhausted(p):
            return False
        apply(p, e.state, genes[length])
        length += 1
    while length < most and total < e.width and in_turn(p, e.state):
        if exhausted(p):
            return False
        genes[total] = random_candidate(p, e.state, e.listed)
        apply(p, e.state, genes[total])
        length, total = length + 1, total + 1
    return rate_one(p, e, 0, max(0, total))


@kernel
def is_playable(p: ProblemRecord, e: TurnPopulation, gene: int) -> bool:
    """Whether a gene can be played in ``state`` within the turn."""
    return gene != NOTHING and in_turn(p, e.state) and is_legal(p, e.state, gene)


@kernel
def mutant_of_first(p: ProblemRecord, e: TurnPopulation, index: int) -> bool:
    """Make a mutant of the first genome and rate it; False: out of budget."""
    source, genes = genome(e, 0), genome(e, index)
    for i in range(e.totals[0]):
        genes[i] = source[i]
    length = repaired(p, e, index, e.totals[0], False)
    return length != UNFINISHED and rate_one(p, e, index, length)
