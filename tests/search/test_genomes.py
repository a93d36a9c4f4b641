"""Genomes in one table: the genes of one individual, its place, its fitness."""

import numpy as np
import pytest

from turnwise.jit.kernel import kernel
from turnwise.jit.record import Floats, Ints, Record
from turnwise.search.genomes import forget, genome, member

SLOTS, WIDTH = 5, 4


class Genes(Record):
    fitness: Floats
    ranking: Ints
    order: Ints
    genes: Ints
    visits: Ints
    width: int


@kernel
def gene(e, index, place):
    return genome(e, index)[place]


@kernel
def set_gene(e, index, place, action):
    genome(e, index)[place] = action


@pytest.fixture
def table():
    """The record, and its arrays by name: every value different."""
    arrays = {
        "fitness": np.arange(SLOTS) + 0.5,
        "ranking": np.array([3, 0, 4, 1, 2]),
        "order": np.zeros(SLOTS, np.int64),
        "genes": 100 + np.arange(SLOTS * WIDTH).reshape(SLOTS, WIDTH),
        "visits": 10 + np.arange(SLOTS),
    }
    made = Genes()
    for name, array in arrays.items():
        setattr(made, name, (Floats if name == "fitness" else Ints).of(array))
    made.width = WIDTH
    return made, arrays


def test_genes_are_those_of_the_individual(table):
    made, arrays = table
    read = [[gene(made, index, place) for place in range(WIDTH)] for index in range(SLOTS)]
    assert read == arrays["genes"].tolist()


def test_writing_a_gene_changes_no_other(table):
    made, arrays = table
    wanted = arrays["genes"].copy()
    wanted[3, 1] = -1
    set_gene(made, 3, 1, -1)
    np.testing.assert_array_equal(arrays["genes"], wanted)


def test_a_member_is_found_by_its_rank(table):
    made, _ = table
    assert [member(made, place) for place in range(SLOTS)] == [3, 0, 4, 1, 2]


def test_forgetting_makes_one_individual_unassessed(table):
    made, arrays = table
    forget(made, 2)
    assert arrays["fitness"].tolist() == [0.5, 1.5, -np.inf, 3.5, 4.5]
    assert arrays["visits"].tolist() == [10, 11, 0, 13, 14]
    assert arrays["genes"][2].tolist() == [108, 109, 110, 111]
