"""Operators on genomes of variable length, against lists."""

import numpy as np
import pytest

import turnwise
from doubles.skirmish import Skirmish
from doubles.toy_game import END, Toy, solo
from turnwise.core.budget import Budget
from turnwise.core.errors import OptionError
from turnwise.core.table import NOTHING
from turnwise.jit.record import Ints, array_address
from turnwise.planners.rhea.memory import Population
from turnwise.planners.rhea.planner import RHEAParameters
from turnwise.search.forward_model import action_score
from turnwise.search.problem import Problem
from turnwise.search.variable_length import (
    DELETE,
    EXCHANGE,
    INSERT,
    MUTATIONS,
    OUT_OF_BUDGET,
    REPAIRS,
    SWAP,
    draw_kind,
    edit,
    insert_gap,
    parse_mutations,
    remove_gene,
    repair,
)
from turnwise.search.variable_length import END as END_HERE

MANY = Budget(forward_calls=10**6)
SMALL = "population=8,offspring=8,elites=2,mutation-operator=uniform,mutation-probability=0.4"


def store(state, **settings):
    """A problem and a genome store whose ``state`` is a given one."""
    problem = Problem(state, MANY, 5)
    made = Population(problem, RHEAParameters(population=4, offspring=4, elites=1, length=9, **settings))
    made.record.array("state")[:] = state.row
    made.keeps = problem  # whose memory the record points to
    return problem.record, made


def genes(*codes, room=9):
    return np.array([*codes, *[NOTHING] * (room - len(codes))], np.int64)


def test_kinds_of_mutation_are_read():
    assert parse_mutations("exchange") == [EXCHANGE]
    assert parse_mutations("exchange,insert+delete") == [EXCHANGE, INSERT, DELETE]
    for wrong in ("", "insert+insert", "exchange;insert", "change"):
        with pytest.raises(
            ValueError, match=r"expected exchange, insert, delete, swap, end, each at most once|more than once"
        ):
            parse_mutations(wrong)


def test_only_games_with_an_end_can_end_turns():
    game = turnwise.make("samegame")
    with pytest.raises(OptionError, match="'end' needs an action that ends the turn early, and samegame has none"):
        turnwise.planner("rhea:mutations=exchange+end").plan(game.start(seed=1), Budget(iterations=0))


def test_genes_are_inserted_and_removed():
    row = genes(1, 2, 3, room=4)
    assert insert_gap(Ints.of(row), 1, 3, 4) == 4
    assert row.tolist() == [1, NOTHING, 2, 3]
    assert insert_gap(Ints.of(row), 0, 4, 4) == 4
    assert row.tolist() == [NOTHING, 1, NOTHING, 2]
    assert remove_gene(Ints.of(row), 0, 4) == 3
    assert row.tolist() == [1, NOTHING, 2, NOTHING]
    assert remove_gene(Ints.of(row), 2, 3) == 2
    assert row.tolist() == [1, NOTHING, NOTHING, NOTHING]


def test_edits_change_what_their_names_say():
    state = Toy(end="free").start(seed=1)
    p, made = store(state)
    first, second, third = (int(code) for code in state.candidate_codes()[:3])
    row = genes(first, second, third)
    assert edit(p, made.record, INSERT, Ints.of(row), 1, 3, 3) == 4
    assert state.is_legal(int(row[1]))
    assert [row[0], *row[2:4]] == [first, second, third]
    assert edit(p, made.record, DELETE, Ints.of(row), 1, 4, 4) == 3
    assert row[:4].tolist() == [first, second, third, NOTHING]
    seen = set()
    for _ in range(30):
        row = genes(first, second, third)
        assert edit(p, made.record, SWAP, Ints.of(row), 0, 3, 3) == 3
        seen.add(tuple(row[:3].tolist()))
    assert seen == {(second, first, third), (third, second, first)}
    row = genes(first, second, third)
    assert edit(p, made.record, SWAP, Ints.of(row), 2, 3, 3) == 3
    assert row[:3].tolist() == [first, second, third]  # there is no later gene
    assert edit(p, made.record, END_HERE, Ints.of(row), 1, 3, 3) == 3
    assert row[:3].tolist() == [first, END, third]


def test_a_gene_that_is_missing_cannot_be_deleted():
    """Where chance has shortened a genome, the place may come after its last gene; those before it were played."""
    state = Toy(end="free").start(seed=1)
    p, made = store(state)
    row = genes(10, 20)
    assert edit(p, made.record, DELETE, Ints.of(row), 2, 2, 3) == 2
    assert row[:3].tolist() == [10, 20, NOTHING]


@pytest.mark.parametrize("population", [1, 2, 3])
@pytest.mark.parametrize("mutations", [*MUTATIONS, "+".join(MUTATIONS)])
@pytest.mark.parametrize("alignment", ["index", "subsequence"])
def test_the_smallest_populations_evolve(population, mutations, alignment):
    state = Skirmish(players=2, units=2, unbounded=False).start(seed=3)
    common = f"population={population},mutations={mutations},alignment={alignment},mutation-probability=1"
    planners = [f"rhea:{common},offspring=2,elites={population - 1}", f"online-evolution:{common}"]
    for text in planners[: 2 if population > 1 else 1]:
        plan = turnwise.planner(text).plan(state, Budget(forward_calls=120), seed=5)
        now = state
        for code in plan.codes:
            now = now.play(code)
        assert now.evaluate(0, root=state) == plan.value
        assert plan.report.iterations > 3


def test_online_evolution_needs_two_genomes():
    with pytest.raises(OptionError, match="population = '1': expected a whole number from 2"):
        turnwise.planner("online-evolution:population=1")


def test_every_named_kind_is_drawn():
    p, made = store(Toy(end="free").start(seed=1), mutations="insert+swap+end")
    assert {draw_kind(p, made.record) for _ in range(60)} == {INSERT, SWAP, END_HERE}


ILLEGAL = 4 * 3 + 2  # a strike of a piece that has no enemy next to it, or that is not the mover's


@pytest.mark.parametrize("how", REPAIRS)
def test_repairs_do_what_their_names_say(how):
    state = Toy(end="free").start(seed=1)
    legal = [int(code) for code in state.candidate_codes()]
    assert not state.is_legal(ILLEGAL)
    p, made = store(state, repair=how)
    row = genes(ILLEGAL, ILLEGAL, legal[1], legal[2])
    total = repair(p, made.record, Ints.of(row), 0, 4)
    assert state.is_legal(int(row[0]))
    expected = row.tolist()
    if how == "skip":
        expected, count = genes(legal[1], legal[2]).tolist(), 2
    else:
        count = 4
        expected[1:4] = [ILLEGAL, legal[1], legal[2]]
    if how == "greedy":
        expected[0] = max(legal, key=lambda code: state.play(code).evaluate(0, root=state))
        assert p.evaluations == p.forward_calls == len(legal)
    if how == "order":
        score = {code: action_score(p, array_address(state.row), code) for code in legal}
        expected[0] = max(legal, key=score.__getitem__)
        assert len(set(score.values())) > 1
    assert row.tolist() == expected
    assert total == count
    row = genes(ILLEGAL, legal[1])
    repair(p, made.record, Ints.of(row), 0, 2)
    if how in ("next", "skip"):
        assert row[0] == legal[1]


def test_repair_after_the_last_gene_adds_one():
    state = Toy(end="free").start(seed=1)
    for how in REPAIRS:
        p, made = store(state, repair=how)
        row = genes(ILLEGAL)
        assert repair(p, made.record, Ints.of(row), 0, 1) == 1
        assert state.is_legal(int(row[0]))
        assert repair(p, made.record, Ints.of(row), 1, 1) == 2
        assert state.is_legal(int(row[1]))


def test_a_greedy_repair_stops_with_the_budget():
    p, made = store(Toy(end="free").start(seed=1), repair="greedy")
    p.forward_limit = 2
    assert repair(p, made.record, Ints.of(genes(ILLEGAL)), 0, 1) == OUT_OF_BUDGET


def test_a_greedy_repair_of_a_gene_of_another_seat_counts_for_that_seat():
    p, made = store(Toy(end="free").start(seed=1), repair="greedy")
    p.mover, p.count_own = 1, 1
    assert repair(p, made.record, Ints.of(genes(ILLEGAL)), 0, 1) == 1
    assert p.other_calls > 1
    assert p.forward_calls == 0


GAMES = [Toy(players=3, end="free", points=4), solo(end="free"), Skirmish(players=3, units=2)]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.spec)
@pytest.mark.parametrize("settings", ["alignment=subsequence", "alignment=subsequence,crossover=one-point", ""])
@pytest.mark.parametrize("mutations", [*MUTATIONS, "+".join(MUTATIONS)])
def test_rhea_plays_what_it_rates(game, settings, mutations):
    state = game.start(seed=1)
    text = ",".join(part for part in (SMALL, f"mutations={mutations}", settings) if part)
    plan = turnwise.planner(f"rhea:{text}").plan(state, Budget(iterations=8), seed=3)
    now = state
    for code in [*plan.codes, *plan.continuation]:
        now = now.play(code)
    assert now.evaluate(state.to_move, root=state) == plan.value


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.spec)
@pytest.mark.parametrize("how", ["random", "next", "skip", "greedy", "order", "tail"])
@pytest.mark.parametrize("alignment", ["index", "subsequence"])
def test_online_evolution_plays_what_it_rates(game, how, alignment):
    state = game.start(seed=1)
    text = f"population=10,mutation-probability=1,mutations={'+'.join(MUTATIONS)},alignment={alignment},repair={how}"
    plan = turnwise.planner(f"online-evolution:{text}").plan(state, Budget(iterations=8), seed=3)
    now = state
    for code in plan.codes:
        now = now.play(code)
    assert now.evaluate(state.to_move, root=state) == plan.value


def test_turns_become_shorter_and_longer():
    """Free steps cost nothing, so only the operators and the evaluation decide how long a turn is."""
    state = Skirmish(players=2, units=2).start(seed=1)
    lengths = set()
    for mutations in ("insert", "delete", "end"):
        planner = turnwise.planner(f"online-evolution:population=10,mutation-probability=1,mutations={mutations}")
        lengths |= {len(planner.plan(state, Budget(iterations=8), seed=seed).codes) for seed in range(3)}
    assert len(lengths) > 2
