"""Representations of turns: each decodes to legal turns and finds the best one; codes against plain twins."""

import numpy as np
import pytest

import turnwise
from doubles.toy_game import END, Toy
from turnwise.core.budget import Budget
from turnwise.jit.record import Ints
from turnwise.planners.online_evolution.assessment import replay
from turnwise.planners.online_evolution.breeding import first_turn, make_child, make_mutant
from turnwise.planners.online_evolution.codes import cross_codes, exchange_codes, insert_code, remove_code
from turnwise.planners.online_evolution.memory import population_for
from turnwise.planners.online_evolution.planner import OnlineEvolutionParameters
from turnwise.planners.online_evolution.random_keys import action_of, key_of
from turnwise.planners.online_evolution.representations import CODED
from turnwise.search.problem import Problem
from twins.plain_search import all_outcomes, in_turn, ordered_candidates, played

MANY = Budget(iterations=10**9)
GAMES = {
    "forced": {"points": 4},
    "free": {"points": 4, "end": "free", "units": True},
    "chance": {"points": 3, "chance": True, "players": 3},
}


def population(state, size=12, **settings):
    """A population of first turns."""
    problem = Problem(state, MANY, 7)
    made = population_for(problem, OnlineEvolutionParameters(population=size, **settings), Budget(iterations=10), state)
    for index in range(size):
        assert first_turn(problem.record, made.record, index) > 0
    return problem.record, made


def genes(made, index):
    return [int(code) for code in made.genes[index, : made.lengths[index]]]


def assert_turn(state, codes):
    root = state
    for code in codes:
        assert in_turn(root, state)
        assert state.is_legal(code)
        state = state.play(code)
    assert not in_turn(root, state)


@pytest.mark.parametrize("representation", CODED)
def test_turns_end_last_where_they_are_to(representation):
    state = Toy(points=3, end="free").start(seed=1)
    p, made = population(state, representation=representation, ends="last", mutations="exchange+delete+swap")
    for pair in range(60):
        assert make_child(p, made.record, pair % 10, (pair * 7 + 3) % 10, 11) > 0
        now = state
        for code in genes(made, 11):
            assert code != END or now.candidate_codes().tolist() == [END]
            now = now.play(code)


@pytest.mark.parametrize("options", [GAMES["forced"], GAMES["free"]], ids=["forced", "free"])
@pytest.mark.parametrize("repair", ["random", "greedy", "skip"])
@pytest.mark.parametrize("representation", CODED)
def test_children_and_mutants_are_legal_turns_whose_outcome_is_in_the_state(representation, repair, options):
    state = Toy(**options).start(seed=1)
    mutations = "exchange+insert+delete+swap+end"
    p, made = population(state, representation=representation, repair=repair, mutations=mutations)
    seen = set()
    for pair in range(60):
        mother, father = pair % 10, (pair * 7 + 3) % 10
        length = (
            make_mutant(p, made.record, mother, 11) if pair % 3 == 0 else make_child(p, made.record, mother, father, 11)
        )
        turn = genes(made, 11)
        assert length == len(turn)
        assert_turn(state, turn)
        np.testing.assert_array_equal(made.record.array("state"), played(state, turn).row)
        seen.add(tuple(turn))
    assert len(seen) > 20


@pytest.mark.parametrize("representation", CODED)
@pytest.mark.parametrize("game", GAMES)
def test_every_representation_finds_the_best_turn(representation, game):
    state = Toy(**GAMES[game]).start(seed=1)
    planner = turnwise.planner(f"online-evolution:representation={representation},population=40,newcomers=0.2")
    plan = planner.plan(state, Budget(iterations=150), seed=3)
    assert plan.is_complete
    values = sorted(all_outcomes(state).values()) if game != "chance" else []
    if representation == "permutation":  # which repeats actions only in its next pass
        assert not values or plan.value >= values[-max(1, len(values) // 10)]
    else:
        assert not values or plan.value == values[-1]


@pytest.mark.parametrize("representation", CODED)
def test_a_child_of_one_parent_without_mutation_is_that_parent(representation):
    state = Toy(**GAMES["free"]).start(seed=1)
    p, made = population(state, representation=representation, mutation_probability=0.0)
    same = 0
    for index in range(10):
        make_child(p, made.record, index, index, 11)
        same += genes(made, 11) == genes(made, index)
    # a permutation plays an action again only in its next pass, so a turn that repeats one becomes another turn
    assert same == 10 if representation != "permutation" else same >= 2


@pytest.mark.parametrize("representation", CODED)
def test_a_greedy_turn_is_encoded(representation):
    state = Toy(**GAMES["forced"]).start(seed=1)
    _, lists = population(state, greedy_seed=True)
    _, made = population(state, representation=representation, greedy_seed=True)
    assert genes(made, 0) == genes(lists, 0)


@pytest.mark.parametrize("representation", CODED)
def test_codes_migrate_with_their_genomes(representation):
    state = Toy(points=5, end="free", units=True).start()
    plans = [
        turnwise.planner(
            f"online-evolution:representation={representation},streams=2,threads={threads},migration=1,population=8"
        ).plan(state, Budget(iterations=40), seed=2)
        for threads in (1, 2)
    ]
    assert_turn(state, plans[0].codes)
    assert plans[0].codes == plans[1].codes


# ---------------------------------------------------------------------------------------------------------------- codes


def test_codes_are_edited_as_lists_of_tuples():
    state = Toy().start()
    _, made = population(state, representation="descriptors")
    c = made.record.code[0]
    room = c.width * 3
    row = np.arange(room, dtype=np.int64)
    assert insert_code(c, Ints.of(row), 1, 2) == 3
    assert row[:9].tolist() == [0, 1, 2, 3, 4, 5, 3, 4, 5]
    assert remove_code(c, Ints.of(row), 0, 3) == 2
    assert row[:6].tolist() == [3, 4, 5, 3, 4, 5]
    row[:6] = range(6)
    exchange_codes(c, Ints.of(row), 0, 1)
    assert row[:6].tolist() == [3, 4, 5, 0, 1, 2]


def test_uniform_crossover_takes_every_code_of_one_parent():
    state = Toy(points=6, end="free").start(seed=1)
    p, made = population(state, representation="keys")
    c = made.record.code[0]
    codes, counts = made._codes[0].array("codes").reshape(12, c.width), made._codes[0].array("counts")
    from_mother = 0
    for mother in range(10):
        father = (mother + 1) % 10
        cross_codes(p, c, mother, father, 11)
        assert counts[11] == max(counts[mother], counts[father])
        for i in range(counts[11]):
            parents = [codes[one, i] for one in (mother, father) if i < counts[one]]
            assert codes[11, i] in parents
            from_mother += len(parents) == 2 and codes[11, i] == parents[0] != parents[1]
    assert 5 < from_mother < 45


def test_a_key_stands_for_a_place_in_the_sorted_list():
    state = Toy(**GAMES["forced"]).start(seed=1)
    p, made = population(state, representation="keys")
    made.record.array("state")[:] = state.row
    expected = ordered_candidates(state)
    assert expected != [int(code) for code in state.candidate_codes()]  # else the order would show nothing
    for place, code in enumerate(expected):
        key = key_of(p, made.record, code)
        assert key == ((2 * place + 1) << 29) // len(expected)
        assert action_of(p, made.record, key) == code
    assert action_of(p, made.record, 0) == expected[0]
    assert action_of(p, made.record, (1 << 30) - 1) == expected[-1]
    assert action_of(p, made.record, -1) == END


def test_orders_have_every_action_of_the_pool_once():
    state = Toy(**GAMES["free"]).start(seed=1)
    p, made = population(state, representation="permutation", mutation_probability=0.5)
    c = made.record.code[0]
    codes, counts = made._codes[0].array("codes").reshape(12, c.width), made._codes[0].array("counts")
    for pair in range(10):
        make_child(p, made.record, pair, (pair + 1) % 10, 11)
        assert counts[11] == c.pool_size
        assert sorted(codes[11, : c.pool_size].tolist()) == list(range(c.pool_size))


def test_an_order_is_decoded_as_its_plain_twin():
    state = Toy(**GAMES["free"]).start(seed=1)
    p, made = population(state, representation="permutation", mutation_probability=1.0)
    c = made.record.code[0]
    codes = made._codes[0].array("codes").reshape(12, c.width)
    pool = [int(made._codes[0].array("pool")[number]) for number in range(c.pool_size)]
    for pair in range(10):
        make_child(p, made.record, pair, (pair + 1) % 10, 11)
        order = [pool[number] for number in codes[11, : c.pool_size].tolist()]
        assert genes(made, 11) == plain_decoding(state, order)


def plain_decoding(root, order):
    state, turn = root, []
    while in_turn(root, state):
        for code in order:
            if in_turn(root, state) and code in state.candidate_codes().tolist():
                turn.append(code)
                state = state.play(code)
    return turn


def test_an_actor_does_what_it_can_where_its_action_is_illegal():
    """In a game without places of actions, the best-scored action of the same piece is played."""
    state = Toy(points=4, units=True).start(seed=1)
    p, made = population(state, representation="descriptors")
    codes = made._codes[0].array("codes").reshape(12, -1)
    left = 2 * 4
    for index, wanted in ((3, 12 * 4 + 1), (4, left)):  # no action has the first code
        codes[index, :3] = (2, 0, wanted)
        made._codes[0].array("counts")[index] = 1
    for index in (3, 4):
        assert replay(p, made.record, index)
    own = [code for code in ordered_candidates(state) if code // 4 == 2]
    assert genes(made, 3)[0] == own[0]
    assert genes(made, 4)[0] == (left if left in own else own[0])


def test_a_full_pool_takes_no_more_actions():
    state = Toy(**GAMES["free"]).start(seed=1)
    p, made = population(state, representation="permutation", pool=6)
    assert made.record.code[0].pool_size == 6
    for _ in range(20):
        make_child(p, made.record, 0, 1, 11)
        assert_turn(state, genes(made, 11))
