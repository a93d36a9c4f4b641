"""Planners that decide one action after another against plain twins."""

import pytest

import turnwise
from doubles.toy_game import Toy
from turnwise.core.budget import Budget
from turnwise.core.errors import OptionError
from twins.plain_search import PlainGenerator, in_turn, ordered_candidates

ENOUGH = Budget(iterations=100)
GAMES = [{}, {"end": "free"}, {"points": 6, "players": 3}]


def turn_by(root, decide):
    """The turn in which a function of the state decides each action."""
    state, codes = root, []
    while in_turn(root, state):
        codes.append(int(decide(state)))
        state = state.play(codes[-1])
    return tuple(codes)


def starts(options):
    """The beginnings of some turns of a game of best-scored actions."""
    state = Toy(**options).start()
    for _ in range(5):
        yield state
        for code in turn_by(state, lambda here: ordered_candidates(here)[0]):
            state = state.play(code)


@pytest.mark.parametrize("options", GAMES)
def test_the_heuristic_plays_best_scored_actions(options):
    for state in starts(options):
        plan = turnwise.planner("heuristic").plan(state, ENOUGH)
        assert plan.codes == turn_by(state, lambda here: ordered_candidates(here)[0])


def best_next(root, moment):
    """The function that chooses the action to the best-rated state, the first one of equals."""

    def value(state, code):
        after = state.play(int(code))
        if moment == "after-end" and in_turn(root, after) and len(after.legal_codes()) == 1:
            after = after.play(int(after.legal_codes()[0]))
        return after.evaluate(root.to_move, root=root)

    return lambda state: max(state.candidate_codes(), key=lambda code: value(state, code))


@pytest.mark.parametrize("options", GAMES)
@pytest.mark.parametrize("moment", ["mid-turn", "after-end"])
def test_greedy_action_plays_to_the_best_next_state(options, moment):
    for state in starts(options):
        plan = turnwise.planner("greedy-action:ties=first", evaluate_at=moment).plan(state, ENOUGH)
        assert plan.codes == turn_by(state, best_next(state, moment))


@pytest.mark.parametrize("source", ["full", "pruned"])
@pytest.mark.parametrize("seed", range(5))
def test_random_draws_uniformly_from_its_list(source, seed):
    """The same draws as from Python's list."""

    def drawn(state):
        listed = state.legal_codes() if source == "full" else state.candidate_codes()
        return listed[chance.draw(len(listed))]

    for state in starts({"points": 6}):
        chance = PlainGenerator(seed)
        plan = turnwise.planner("random", candidates=source).plan(state, ENOUGH, seed)
        assert plan.codes == turn_by(state, drawn)


def test_random_by_actor_needs_a_game_that_knows_actors():
    with pytest.raises(OptionError, match="needs a game with the policy 'random-tree'"):
        turnwise.planner("random:candidates=tree").plan(Toy().start(), ENOUGH)


def test_random_heuristic_mixes_random_and_best_scored_actions():
    state = Toy().start()
    best, listed = ordered_candidates(state)[0], set(map(int, state.legal_codes()))
    shares = []
    for probability in (0.0, 0.5, 1.0):
        planner = turnwise.planner("random-heuristic", greedy_probability=probability)
        first = [planner.plan(state, ENOUGH, seed).codes[0] for seed in range(200)]
        assert set(first) == (listed if probability < 1 else {best})
        shares.append(first.count(best) / 200)
    uniform = 1 / len(listed)
    assert abs(shares[0] - uniform) < 0.12
    assert abs(shares[1] - (0.5 + uniform / 2)) < 0.12
    assert shares[2] == 1
