"""Alignment of two parents by what they have in common, against lists; what the genes are compared by."""

from itertools import product
from random import Random

import numpy as np
import pytest

import turnwise
from doubles.toy_game import END, Toy, solo
from turnwise.core.budget import Budget
from turnwise.core.errors import OptionError
from turnwise.jit.record import Ints
from turnwise.planners.online_evolution.memory import TurnPopulationMemory, population_for
from turnwise.planners.online_evolution.planner import OnlineEvolutionParameters
from turnwise.planners.online_evolution.search import evolve
from turnwise.planners.rhea.memory import Population as RollingPopulation
from turnwise.planners.rhea.planner import RHEAParameters
from turnwise.planners.rhea.search import evolve as evolve_rolling
from turnwise.search.alignment import cross_aligned, fill_common
from turnwise.search.genomes import MOST_ALIGNED
from turnwise.search.mailbox import Mailbox, put, take
from turnwise.search.problem import Problem
from turnwise.search.turn_genomes import NOWHERE, change_at
from turnwise.search.variable_length import EXCHANGE

MANY = Budget(forward_calls=10**6)
MOTHER, FATHER, CHILD = range(3)
MOVE = 1  # verb of Hero Academy


def store(state, **settings):
    """A problem and a population whose genomes begin in a state."""
    problem = Problem(state, MANY, 5)
    settings = OnlineEvolutionParameters(**{"population": 4, "alignment": "subsequence", **settings})
    made: TurnPopulationMemory = population_for(problem, settings, MANY, state)
    made.keeps = problem  # whose memory the record points to
    return problem.record, made


def write(made, index, codes):
    """Write a genome that has been played, without labels."""
    made.genes[index, : len(codes)] = codes
    made.lengths[index] = made.record.totals[index] = len(codes)
    made.record.labelled[index] = 0


def play(p, made, index, codes):
    """Play a turn, which must be one."""
    write(made, index, codes)
    assert change_at(p, made.record, index, NOWHERE, EXCHANGE, False) == len(codes)
    assert made.genes[index, : len(codes)].tolist() == codes


def crossed(p, made, width, one_point=False):
    """A child's genes."""
    lengths = [int(made.record.totals[parent]) for parent in (MOTHER, FATHER)]
    count = cross_aligned(p, made.record, MOTHER, lengths[0], FATHER, lengths[1], CHILD, width, one_point)
    return made.genes[CHILD, :count].tolist()


def longest_common(a, b):
    """Length of the longest common subsequence, by recursion over prefixes."""
    lengths = {}
    for i, j in product(range(len(a) + 1), range(len(b) + 1)):
        if i == 0 or j == 0:
            lengths[i, j] = 0
        elif a[i - 1] == b[j - 1]:
            lengths[i, j] = lengths[i - 1, j - 1] + 1
        else:
            lengths[i, j] = max(lengths[i - 1, j], lengths[i, j - 1])
    return lengths[len(a), len(b)]


@pytest.mark.parametrize("one_point", [False, True])
def test_children_keep_what_their_parents_have_in_common(one_point):
    p, made = store(Toy(points=40).start(seed=1))
    random = Random(2)
    for _ in range(60):
        a, b = ([random.randrange(5) for _ in range(random.randrange(1, 12))] for _ in range(2))
        fill_common(made.record, Ints.of(np.array(a)), len(a), Ints.of(np.array(b)), len(b))
        assert made.record.common[0] == longest_common(a, b)
        write(made, MOTHER, a)
        write(made, FATHER, b)
        line = crossed(p, made, 40, one_point)
        assert longest_common(line, a) >= longest_common(a, b)
        assert longest_common(line, b) >= longest_common(a, b)
        assert longest_common(line, a) + longest_common(line, b) >= len(line) + longest_common(a, b)
        assert set(line) <= {*a, *b}


def test_sections_come_from_either_parent():
    p, made = store(Toy(points=9).start(seed=1))
    write(made, MOTHER, [1, 9, 2, 9, 3])
    write(made, FATHER, [9, 4, 5, 9])
    sections = ([[1], []], [[2], [4, 5]], [[3], []])
    every = {(*x, 9, *y, 9, *z) for x, y, z in product(*sections)}
    one_point = {(*m[0], 9, *m[1], 9, *m[2]) for k in range(4) for m in [[s[i >= k] for i, s in enumerate(sections)]]}
    for is_one_point, expected in ((False, every), (True, one_point)):
        seen = set()
        for _ in range(200):
            seen.add(tuple(crossed(p, made, 9, is_one_point)))
        assert seen == expected


def test_long_parents_are_aligned_within_the_bound_and_cut_to_the_width():
    p, made = store(Toy(points=MOST_ALIGNED + 60).start(seed=1))
    long = list(range(MOST_ALIGNED + 50))
    write(made, MOTHER, long)
    write(made, FATHER, long)
    assert crossed(p, made, MOST_ALIGNED + 60) == long
    assert crossed(p, made, 20) == long[:20]


def test_genes_that_were_not_played_belong_to_the_last_section():
    p, made = store(Toy(points=9).start(seed=1))
    write(made, MOTHER, [1, 9, 2, 3])
    write(made, FATHER, [4, 9, 9, 3])
    made.lengths[MOTHER] = made.lengths[FATHER] = 2
    ends = {tuple(crossed(p, made, 9)[2:]) for _ in range(40)}
    assert ends == {(2, 3), (9, 3)}


def test_deeds_of_one_unit_correspond_whatever_they_hit_and_wherever_it_stands():
    """A unit moves, and moves on: the same in both turns, although it is known by its square, and squares differ."""
    state, random = turnwise.make("hero-academy:map=a-small,hands=open").start(seed=4), Random(1)
    while state.turn < 6:
        state = state.play(random.choice(state.legal_codes().tolist()))
    p, made = store(state)
    lines = {}
    for first in map(int, state.legal_codes()):
        unit, after = state.actor(first), state.play(first)
        if state.verb(first) == MOVE and after.to_move == state.to_move:
            own = state.heir(unit, first)
            on = [int(code) for code in after.legal_codes() if after.actor(code) == own and after.verb(code) == MOVE]
            lines.setdefault(unit, []).extend([first, second] for second in on)
    one, other = next((found[0], found[-1]) for found in lines.values() if found[0][0] != found[-1][0])
    later = next(line for code in state.legal_codes().tolist() if is_turn(state, line := [code, *other]))
    play(p, made, MOTHER, finished(state, one))
    play(p, made, FATHER, finished(state, later))
    assert labels_of(made, MOTHER)[:2] == labels_of(made, FATHER)[1:3] == [labels_of(made, MOTHER)[0]] * 2
    for parent, length in ((MOTHER, 2), (FATHER, 3)):  # without what finishes their turns
        made.lengths[parent] = made.record.totals[parent] = length
    for child in (crossed(p, made, made.record.width) for _ in range(40)):  # at other places, yet each once
        assert sum(code in (one[0], other[0]) for code in child) == 1
        assert sum(code in (one[1], other[1]) for code in child) == 1


def is_turn(state, line):
    """Whether actions of another unit and then these can be played in one turn."""
    mover, first = state.to_move, state.actor(line[0])
    if first is None or first == state.actor(line[1]):
        return False
    for code in line:
        if state.to_move != mover or not state.is_legal(code):
            return False
        state = state.play(code)
    return state.to_move == mover


def finished(state, line):
    """A turn that begins with some actions."""
    mover = state.to_move
    for code in line:
        state = state.play(code)
    while state.to_move == mover and not state.is_over:
        line = [*line, int(state.legal_codes()[0])]
        state = state.play(line[-1])
    return line


def test_parents_from_another_population_are_compared_by_their_actions():
    p, made = store(Toy(points=9).start(seed=1))
    write(made, MOTHER, [1, 9, 2])
    write(made, FATHER, [9, 4, 3])
    labels = made.record.array("labels").reshape(-1, made.record.width)
    labels[MOTHER], labels[FATHER] = 7, 7
    by_action = {(1, 9, 2), (1, 9, 4, 3), (9, 2), (9, 4, 3)}
    assert {tuple(crossed(p, made, 9)) for _ in range(80)} == by_action
    made.record.labelled[MOTHER] = 3
    assert {tuple(crossed(p, made, 9)) for _ in range(80)} == by_action
    made.record.labelled[FATHER] = 3
    assert {tuple(crossed(p, made, 9)) for _ in range(200)} == set(product((1, 9), (9, 4), (2, 3)))


def labels_of(made, index):
    """Labels of the genes that were played."""
    labels = made.record.array("labels").reshape(-1, made.record.width)
    return labels[index, : made.lengths[index]].tolist()


def one_to_one(pairs):
    """Whether no two pairs agree in one half only."""
    return len(set(pairs)) == len({one for one, _ in pairs}) == len({other for _, other in pairs})


def test_genes_that_chance_has_replaced_have_labels_of_their_own():
    p, made = store(Toy(points=6, chance=True).start(seed=1), population=20, mutation_probability=0.5)
    p.iteration_limit = 30
    evolve(p, made.record)
    assert p.iterations == 30
    assert made.record.array("drawn").any()
    pairs = []
    for index in range(20):
        codes, labels = made.genes[index, : made.lengths[index]].tolist(), labels_of(made, index)
        assert made.record.labelled[index] == len(codes)
        pairs += [(4 if code == END else code % 4, label) for code, label in zip(codes, labels, strict=True)]
    assert one_to_one(pairs)  # all genes are of one turn, and of actor 0


def test_immigrants_bring_their_labels():
    state = turnwise.make("hero-academy:map=a-small,hands=open").start(seed=4)
    p, made = store(state)
    _, other = store(state)
    play(p, made, MOTHER, finished(state, [int(state.legal_codes()[3])]))
    box = Mailbox(genes=made.record.width, labels=made.record.width)
    put(box, made.record, MOTHER, made.record.width)
    take(box, other.record, FATHER)
    length = int(made.lengths[MOTHER])
    rows = [one.record.array("labels").reshape(-1, one.record.width) for one in (made, other)]
    assert other.record.labelled[FATHER] == length > 1
    assert rows[1][FATHER, :length].tolist() == rows[0][MOTHER, :length].tolist()
    assert len(set(rows[0][MOTHER, :length].tolist())) > 1


def test_genes_of_another_turn_do_not_correspond():
    state = solo(turns=3, points=3).start(seed=1)
    problem = Problem(state, MANY, 5)
    settings = RHEAParameters(population=6, offspring=6, elites=1, length=9, alignment="subsequence")
    made = RollingPopulation(problem, settings)
    problem.record.iteration_limit = 4
    evolve_rolling(problem.record, made.record)
    pairs = []
    for index in range(6):
        now = state
        for code, label in zip(made.genes[index, : made.lengths[index]].tolist(), labels_of(made, index), strict=True):
            pairs.append(((now.turn, now.verb(code)), label))
            now = now.play(code)
    assert len({turn for (turn, _), _ in pairs}) == 3
    assert one_to_one(pairs)


def test_codes_are_not_aligned():
    with pytest.raises(OptionError, match="alignment=subsequence needs representation=actions"):
        turnwise.planner("online-evolution:representation=keys,alignment=subsequence")
