"""Planners that decide one action after another against plain twins."""

import pytest

import turnwise
from doubles.toy_game import Toy, ToySetup, ToyState, worth
from turnwise.core.budget import Budget
from turnwise.core.errors import OptionError
from turnwise.core.game import Evaluation
from turnwise.core.table import game_function
from turnwise.jit.record import Floats
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


def starts(game):
    """The beginnings of the first turns of a game of best-scored actions."""
    state = game.start()
    for _ in range(5):
        yield state
        for code in turn_by(state, lambda here: ordered_candidates(here)[0]):
            state = state.play(code)


@pytest.mark.parametrize("options", GAMES)
def test_the_heuristic_plays_best_scored_actions(options):
    for state in starts(Toy(**options)):
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
    for state in starts(Toy(**options)):
        plan = turnwise.planner("greedy-action:ties=first", evaluate_at=moment).plan(state, ENOUGH)
        assert plan.codes == turn_by(state, best_next(state, moment))


@game_function("evaluation")
def turning(o: ToySetup, root: ToyState, s: ToyState, player: int, parameters: Floats) -> float:
    """The worth of what a player has, which counts against it as soon as its turn is over."""
    return worth(s, player) if s.turn == root.turn else -worth(s, player)


@pytest.mark.parametrize("moment", ["mid-turn", "after-end"])
def test_a_forced_end_of_the_turn_comes_before_or_after_the_rating(moment):
    game = Toy(points=1)
    game.register_evaluation("turning", Evaluation(turning, -60.0, 60.0, "worth, negated after the turn"))
    planner = turnwise.planner("greedy-action:evaluation=turning", evaluate_at=moment)
    for state in starts(game):
        listed = state.candidate_codes().tolist()
        worths = [state.play(code).evaluate(state.to_move, "turning", root=state) for code in listed]
        assert min(worths) < max(worths)
        chosen = worths[listed.index(planner.plan(state, ENOUGH).codes[0])]
        assert chosen == (max(worths) if moment == "mid-turn" else min(worths))


@pytest.mark.parametrize("source", ["full", "pruned"])
@pytest.mark.parametrize("seed", range(5))
def test_random_draws_uniformly_from_its_list(source, seed):
    """The same draws as from Python's list."""

    def drawn(state):
        listed = state.legal_codes() if source == "full" else state.candidate_codes()
        return listed[chance.draw(len(listed))]

    for state in starts(Toy(points=6)):
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
