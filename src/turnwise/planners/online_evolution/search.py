"""Online evolution: a population of whole turns, evolved during the turn.

After Algorithm 2 of Justesen, Mahlmann and Togelius 2016 (Online Evolution for Multi-Action Adversarial Games)::

    OnlineEvolution(s):                                 evolve
        P <- Init(s)                                    first_population
        while there is time:                            generation
            keep the best half of P                     (the first ``survivors`` of the ranking)
            P <- Procreate(P)                           procreate
            evaluate every genome that has no value     assessment.assess
            sort P by value                             diversity.rank_apart
        return the actions of the best genome

    Init(s):
        repeat: play random actions from s to the end of the turn                       breeding.first_turn

    Procreate(P):
        for each free place:                            breed
            child <- Crossover(two different survivors)                                 breeding.crossover
            with a small probability: Mutate(child)                                     turn_genomes.mutate

    Eval(s'):                                           assessment.rate
        the evaluation of the outcome, of states after replies to it, or at the end of rollouts from it

The paper evaluates a whole population at a time. Here a genome is evaluated as soon as it is made, since its
outcome is then in ``state``; the value of a known outcome is looked up. With ``diversity=crowding`` a generation is
another one (:func:`crowd`).
"""

from __future__ import annotations

from turnwise.core.chance import draw
from turnwise.jit.kernel import kernel
from turnwise.planners.online_evolution.assessment import assess, assess_survivors_again
from turnwise.planners.online_evolution.breeding import first_turn, make_child, make_mutant, turn_from
from turnwise.planners.online_evolution.diversity import CROWDING, difference, rank_apart
from turnwise.planners.online_evolution.population import TurnPopulation
from turnwise.search.forward_model import exhausted
from turnwise.search.genomes import forget
from turnwise.search.problem_record import ProblemRecord
from turnwise.search.turn_genomes import UNFINISHED


@kernel
def evolve(p: ProblemRecord, e: TurnPopulation) -> None:
    """Run generations until the budget is exhausted; the first one makes and ranks the first population.

    Args:
        p: The problem.
        e: The population, changed in place; if it has evolved before, the search continues from there.
    """
    if not exhausted(p) and e.ready < e.members:
        if not first_population(p, e):
            return
        rank_apart(e)
        p.iterations += 1
    while not is_stalled(e) and not exhausted(p):
        outcomes = e.new
        if not generation(p, e):
            return
        p.iterations += 1
        e.stalled = e.stalled + 1 if e.new == outcomes else 0


@kernel
def is_stalled(e: TurnPopulation) -> bool:
    """Whether the search ends because no new outcomes are found."""
    return e.patience > 0 and e.stalled >= e.patience


@kernel
def first_population(p: ProblemRecord, e: TurnPopulation) -> bool:
    """Make and assess the first turns; False: out of budget (the next call continues)."""
    while e.ready < e.members:
        if first_turn(p, e, e.ready) == UNFINISHED or not assess(p, e, e.ready):
            return False
        e.ready += 1
    e.new = 0
    return True


@kernel
def generation(p: ProblemRecord, e: TurnPopulation) -> bool:
    """Replace all but the survivors by offspring and rank the population; False: out of budget."""
    if not assess_survivors_again(p, e):
        return False
    if not (crowd(p, e) if e.diversity == CROWDING else procreate(p, e)):
        return False
    rank_apart(e)
    return True


@kernel
def procreate(p: ProblemRecord, e: TurnPopulation) -> bool:
    """Overwrite all but the survivors: by children, mutants of the best, and random turns; False: out of budget."""
    children = e.members - e.mutants - e.newcomers
    for i in range(e.survivors, e.members):
        index = e.ranking[i]
        if i < children:
            if not breed(p, e, i - e.survivors, index):
                return False
        else:
            forget(e, index)
            is_mutant = i < e.members - e.newcomers
            length = make_mutant(p, e, e.ranking[0], index) if is_mutant else turn_from(p, e, index, 0)
            if length == UNFINISHED or not assess(p, e, index):
                return False
            e.born += 1
    return True


@kernel
def breed(p: ProblemRecord, e: TurnPopulation, number: int, child: int) -> bool:
    """Make one child of two different survivors and assess it; False: out of budget.

    Args:
        p: The problem.
        e: The population.
        number: The child's number in this generation.
        child: The genome that is overwritten.
    """
    first = number % e.survivors if e.pair_each != 0 else best_drawn(p, e, e.survivors)
    second = first
    if e.survivors > 1:
        second = best_drawn(p, e, e.survivors - 1)
        second += 1 if second >= first else 0
    return add_offspring(p, e, e.ranking[first], e.ranking[second], child)


@kernel
def best_drawn(p: ProblemRecord, e: TurnPopulation, among: int) -> int:
    """A random place of the ranking, or the best of a tournament of them; the worst place is ``among`` - 1."""
    place = draw(p.rng, among)
    for _ in range(e.tournament - 1):
        place = min(place, draw(p.rng, among))
    return place


@kernel
def add_offspring(p: ProblemRecord, e: TurnPopulation, mother: int, father: int, child: int) -> bool:
    """Make a child of two genomes and assess it; False: out of budget."""
    forget(e, child)
    if make_child(p, e, mother, father, child) == UNFINISHED or not assess(p, e, child):
        return False
    e.born += 1
    return True


# ----------------------------------------------------------------------------------------------- deterministic crowding


@kernel
def crowd(p: ProblemRecord, e: TurnPopulation) -> bool:
    """Pair all genomes at random; the two children of a pair compete with the parents that they resemble more."""
    places = e.order
    for i in range(e.members):
        j = draw(p.rng, i + 1)
        places[i] = places[j]
        places[j] = i
    one, other = e.members, e.members + 1  # places of the children
    for i in range(0, e.members - 1, 2):
        a, b = e.ranking[places[i]], e.ranking[places[i + 1]]
        if not add_offspring(p, e, a, b, e.ranking[one]) or not add_offspring(p, e, b, a, e.ranking[other]):
            return False
        first, second = e.ranking[one], e.ranking[other]
        straight = difference(e, a, first) + difference(e, b, second)
        if straight <= difference(e, a, second) + difference(e, b, first):
            contest(e, places[i], one)
            contest(e, places[i + 1], other)
        else:
            contest(e, places[i], other)
            contest(e, places[i + 1], one)
    return True


@kernel
def contest(e: TurnPopulation, parent: int, child: int) -> None:
    """Let a child take its parent's place in the ranking, if it is not worse; both are given by their places."""
    if e.fitness[e.ranking[child]] >= e.fitness[e.ranking[parent]]:
        e.ranking[parent], e.ranking[child] = e.ranking[child], e.ranking[parent]
