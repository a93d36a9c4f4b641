"""Searches for whole lines (nrpa, nmcs, flat-mc, beam-search) against exhaustive search and slow twins."""

import math

import numpy as np
import pytest

import turnwise
from doubles.toy_game import Toy
from turnwise.core.budget import Budget
from turnwise.core.errors import UnknownNameError
from turnwise.jit.record import Floats, Ints
from turnwise.planners.beam_search.layer import select_best
from twins.plain_search import PlainGenerator, all_outcomes, played

THOROUGH = {
    "nrpa": "nrpa:levels=2,iterations=40",
    "nmcs": "nmcs:level=2",
    "flat-mc": "flat-mc:rollouts=20",
    "beam-search": "beam-search:width=100000",
}
QUICK = ["nrpa", "nmcs", "flat-mc", "flat-mc:decide=mean", "beam-search", "beam-search:rollouts=1,noise=1"]


def solo(**options):
    return Toy(players=1, **{"points": 2, "turns": 3, **options})


def best_of_game(root):
    """The best value at the end of a single-player game, by visiting every state once."""
    best, seen, waiting = -math.inf, set(), [root]
    while waiting:
        state = waiting.pop()
        if state.is_over:
            best = max(best, state.evaluate(0, root=root))
            continue
        for code in state.legal_codes():
            child = state.play(int(code))
            if bytes(child.row) not in seen:
                seen.add(bytes(child.row))
                waiting.append(child)
    return best


@pytest.mark.parametrize("name", THOROUGH)
def test_the_best_game_is_found(name):
    state = solo().start()
    plan = turnwise.planner(THOROUGH[name]).plan(state, Budget(iterations=30_000))
    assert plan.value == best_of_game(state)


@pytest.mark.parametrize("name", THOROUGH)
@pytest.mark.parametrize("options", [{}, {"end": "free"}, {"players": 3}])
def test_the_best_turn_is_found_where_others_play_too(name, options):
    state = Toy(points=2, **options).start()
    plan = turnwise.planner(THOROUGH[name]).plan(state, Budget(iterations=30_000))
    assert plan.value == max(all_outcomes(state).values())
    assert plan.continuation == ()


@pytest.mark.parametrize("text", QUICK)
def test_a_line_goes_to_the_end_of_the_game_and_has_its_value(text):
    state = solo(points=3, turns=5).start()
    plan = turnwise.planner(text).plan(state, Budget(iterations=300), seed=3)
    end = played(state, [*plan.codes, *plan.continuation])
    assert end.is_over
    if "mean" in text:
        assert plan.value <= end.evaluate(0, root=state)
    else:
        assert plan.value == end.evaluate(0, root=state)


@pytest.mark.parametrize("text", ["nrpa", "nmcs", "flat-mc", "flat-mc:rollouts=3,decide=mean", "beam-search:noise=5"])
def test_a_worse_line_never_replaces_the_remembered_one(text):
    game = solo(points=3, turns=6)
    state, session = game.start(), turnwise.planner(text).session(game, 0, seed=1)
    best, plan = -math.inf, None
    budget = Budget(iterations=400)
    while not state.is_over:
        code, plan = session.next_action(state, budget)
        budget = Budget(iterations=25)  # later searches are much poorer than the first
        if plan is not None:
            assert plan.value >= best
            best = plan.value
        state = state.play(code)
    assert state.evaluate(0) == best


@pytest.mark.parametrize("text", QUICK)
def test_budgets_too_small_for_one_line_give_a_complete_turn(text):
    state = solo(points=5, turns=9).start()
    for budget in (Budget(forward_calls=3), Budget(evaluations=0), Budget(iterations=0), Budget(seconds=0)):
        plan = turnwise.planner(text).plan(state, budget)
        assert played(state, plan.codes).turn == state.turn + 1


# ------------------------------------------------------------------------------------------------------------ nrpa


class PlainNRPA:
    """The paper's NRPA on immutable states, with a dictionary for the policy that is copied at every level."""

    def __init__(self, root, iterations, seed):
        self.root, self.iterations, self.chance = root, iterations, PlainGenerator(seed)
        self.calls, self.best, self.found = 0, -math.inf, []

    def uniform(self):
        return (self.chance.next() >> 11) / 2**53

    def playout(self, policy):
        state, line = self.root, []
        while not state.is_over:
            codes = [int(code) for code in state.legal_codes()]
            odds = [math.exp(policy.get(code, 0.0)) for code in codes]
            drawn, total, choice = self.uniform() * sum(odds), 0.0, 0
            for i, share in enumerate(odds):
                total += share
                choice = i
                if total > drawn:
                    break
            line.append((codes, codes[choice]))
            state = state.play(codes[choice])
        self.calls += 1
        value = state.evaluate(0, root=self.root)
        if value > self.best:
            self.best, self.found = value, [code for _, code in line]
        return value, line

    def adapt(self, policy, line):
        shifted = dict(policy)
        for codes, chosen in line:
            odds = [math.exp(policy.get(code, 0.0)) for code in codes]
            for code, share in zip(codes, odds, strict=True):
                shifted[code] = shifted.get(code, 0.0) - share / sum(odds)
            shifted[chosen] += 1.0
        return shifted

    def nested(self, level, policy):
        if level == 0:
            return self.playout(policy)
        best, line = -math.inf, []
        for _ in range(self.iterations):
            value, found = self.nested(level - 1, policy)
            if value >= best:
                best, line = value, found
            policy = self.adapt(policy, line)
        return best, line


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_nrpa_draws_what_the_paper_draws(seed):
    """The undo journal, the known positions and the stored odds change nothing."""
    state = solo(points=4, turns=10).start()
    plain = PlainNRPA(state, 5, seed)
    plain.nested(3, {})
    assert plain.calls == 5**3
    plan = turnwise.planner("nrpa:levels=3,iterations=5").plan(state, Budget(iterations=plain.calls), seed)
    assert plan.value == plain.best
    assert [*plan.codes, *plan.continuation] == plain.found


@pytest.mark.parametrize("text", ["nrpa:levels=2,iterations=30", "nrpa:levels=3,iterations=8,playouts=3,repeats=2"])
def test_nrpa_is_the_same_however_much_it_remembers(text):
    state = solo(points=4, turns=12).start()
    plans = [
        turnwise.planner(f"{text},positions={positions}").plan(state, Budget(iterations=3000), 5)
        for positions in (64, 1 << 16)
    ]
    assert plans[0].codes == plans[1].codes
    assert plans[0].continuation == plans[1].continuation
    assert plans[0].report.forward_calls == plans[1].report.forward_calls


def test_nrpa_with_a_bias_leaves_out_what_the_policy_never_plays():
    game = turnwise.make("samegame:board=3")
    state = game.start()
    rows = state.to_dict()
    tabu = max(range(5), key=lambda colour: rows["counts"][colour])
    plan = turnwise.planner("nrpa:levels=1,iterations=5,policy=tabu-colour").plan(state, Budget(iterations=20))
    for code in (*plan.codes, *plan.continuation):
        after = state.play(code)
        colours = [b - a for b, a in zip(state.to_dict()["counts"], after.to_dict()["counts"], strict=True)]
        removed = next(colour for colour, count in enumerate(colours) if count)
        if removed == tabu:  # forced: no other colour has a region
            others = [state.play(int(c)).to_dict()["counts"][tabu] for c in state.legal_codes()]
            assert all(left < state.to_dict()["counts"][tabu] for left in others)
        state = after
    assert state.is_over


def test_nrpa_continues_when_its_table_of_moves_is_full():
    state = turnwise.make("samegame").start()
    plan = turnwise.planner("nrpa:levels=2,iterations=20,moves=1024").plan(state, Budget(iterations=2000))
    assert plan.report.details["moves"] == 1024
    assert plan.report.iterations == 2000


# ------------------------------------------------------------------------------------------------------------ nmcs


class PlainNMCS:
    """Nested Monte Carlo search with memorised best sequence on immutable states, uniform playouts."""

    def __init__(self, root, seed):
        self.root, self.chance, self.calls = root, PlainGenerator(seed), 0

    def nested(self, state, level):
        if level == 0 or state.is_over:
            line = []
            while not state.is_over:
                codes = state.legal_codes()
                line.append(int(codes[self.chance.draw(len(codes))]))
                state = state.play(line[-1])
            self.calls += 1
            return state.evaluate(0, root=self.root), line
        best, line, depth = -math.inf, [], 0
        while not state.is_over:
            for code in state.legal_codes():
                value, rest = self.nested(state.play(int(code)), level - 1)
                if value > best:
                    best, line = value, [*line[:depth], int(code), *rest]
            state = state.play(line[depth])
            depth += 1
        return best, line


@pytest.mark.parametrize("level", [1, 2])
def test_nmcs_plays_what_the_paper_plays(level):
    state = solo(turns=3).start()
    plain = PlainNMCS(state, seed=4)
    value, line = plain.nested(state, level)
    plan = turnwise.planner(f"nmcs:level={level},policy=uniform").plan(state, Budget(iterations=plain.calls), 4)
    assert plan.value == value
    assert [*plan.codes, *plan.continuation] == line


# --------------------------------------------------------------------------------------------- flat-mc, beam-search


@pytest.mark.parametrize("decide", ["max", "mean"])
@pytest.mark.parametrize("choice", ["in-turn", "ucb"])
def test_flat_mc_finds_the_best_single_action(decide, choice):
    state = Toy(points=1).start()
    plan = turnwise.planner("flat-mc", decide=decide, choice=choice).plan(state, Budget(iterations=200))
    assert plan.value == max(all_outcomes(state).values())
    assert plan.report.iterations == 200


@pytest.mark.parametrize("wanted", [1, 7, 50, 99])
def test_selection_keeps_the_best(wanted):
    rng = np.random.default_rng(wanted)
    values = rng.integers(0, 40, 100).astype(float)  # with many equal ones
    order = rng.permutation(100)
    select_best(Ints.of(order), Floats.of(values), len(order), wanted)
    assert sorted(order) == list(range(100))
    assert sorted(values[order[:wanted]]) == sorted(values)[-wanted:]


def test_a_wide_beam_is_exhaustive_and_says_so():
    state = solo().start()
    plan = turnwise.planner("beam-search").plan(state, Budget(iterations=10**7))
    assert plan.report.stopped_by == "done"
    assert plan.value == best_of_game(state)
    narrow = turnwise.planner("beam-search:width=1").plan(state, Budget(iterations=10**7))
    assert narrow.report.stopped_by == "done"
    assert narrow.report.iterations == len([*narrow.codes, *narrow.continuation])


def test_noise_makes_passes_differ_and_memory_bounds_the_width():
    state = turnwise.make("samegame").start()
    plan = turnwise.planner("beam-search:width=4,noise=0.01").plan(state, Budget(iterations=2000))
    assert plan.report.details["passes"] > 5
    single = turnwise.planner("beam-search:width=4").plan(state, Budget(iterations=2000))
    assert plan.value > single.value
    bounded = turnwise.planner("beam-search:width=1000000,memory=2").plan(state, Budget(iterations=5))
    assert bounded.report.details["width"] < 1000


def test_a_beam_stops_at_its_horizon():
    state = turnwise.make("samegame").start()
    plan = turnwise.planner("beam-search:width=5,horizon=10").plan(state, Budget(iterations=1000))
    assert len([*plan.codes, *plan.continuation]) == 10


def test_nrpa_continues_with_the_best_of_several_policies():
    state = turnwise.make("samegame", board=18).start()  # one tabu colour is far better than the others here
    colours = [f"tabu-{colour}" for colour in range(5)]
    settings = "nrpa:levels=2,iterations=30,trial-iterations=10"
    minds = [turnwise.planner(f"{settings},policy={policy}") for policy in (*colours, "+".join(colours))]
    alone = [mind.plan(state, Budget(iterations=3000), 1).value for mind in minds[:-1]]
    together = minds[-1]
    plan = together.plan(state, Budget(iterations=15_000), 1)
    assert plan.report.iterations == 15_000
    assert plan.value >= 0.9 * max(alone) > 1.2 * min(alone)
    assert plan.codes == together.plan(state, Budget(iterations=15_000), 1).codes
    assert together.plan(state, Budget(iterations=3), 1).codes  # too few for every policy to be tried
    with pytest.raises(UnknownNameError, match="tabu-9"):
        turnwise.planner("nrpa:policy=tabu-1+tabu-9").plan(state, Budget(iterations=10), 1)
