"""Nested rollout policy adaptation: a plain twin, its memory, policies."""

import math
from types import SimpleNamespace

import pytest

import turnwise
from doubles.effort import effort
from doubles.toy_game import solo
from turnwise.core import calls
from turnwise.core.budget import Budget
from turnwise.core.errors import UnknownNameError
from turnwise.planners.nrpa.planner import NRPAParameters, iterations_for
from twins.plain_search import PlainGenerator, played

PLAYOUTS = effort(2000, 60)  # more than fill a small table of moves


def name_of(state, code):
    """The name of a move for the policy."""
    return int(calls.call(state.game, "move_code", state.row, code)) if state.game.pointers["move_code"] else code


class PlainNRPA:
    """The paper's NRPA on immutable states, with a dictionary for the policy that is copied at every level."""

    def __init__(self, root, iterations, seed, guide=""):
        self.root, self.iterations, self.chance, self.guide = root, iterations, PlainGenerator(seed), guide
        self.calls, self.best, self.found = 0, -math.inf, []

    def uniform(self):
        return (self.chance.next() >> 11) / 2**53

    def playout(self, policy):
        state, line = self.root, []
        while not state.is_over:
            codes = [int(code) for code in state.legal_codes()]
            names = [name_of(state, code) for code in codes]
            odds = [math.exp(policy.get(name, 0.0)) for name in names]
            drawn, total, choice = self.uniform() * sum(odds), 0.0, 0
            for i, share in enumerate(odds):
                total += share
                choice = i
                if total > drawn:
                    break
            line.append((names, names[choice], codes[choice]))
            state = state.play(codes[choice])
        self.calls += 1
        value = state.evaluate(0, root=self.root)
        if value > self.best:
            self.best, self.found = value, [code for *_, code in line]
        return state.evaluate(0, self.guide, root=self.root) if self.guide else value, line

    def adapt(self, policy, line):
        shifted = dict(policy)
        for names, chosen, _ in line:
            odds = [math.exp(policy.get(name, 0.0)) for name in names]
            for name, share in zip(names, odds, strict=True):
                shifted[name] = shifted.get(name, 0.0) - share / sum(odds)
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


def test_with_a_guide_the_policy_learns_from_another_evaluation_than_the_answer():
    state = turnwise.make("samegame:rows=00112/01012/22110/10021").start()
    plain = PlainNRPA(state, 6, 4, "tidy(price=900)")
    plain.nested(3, {})
    plan = turnwise.planner("nrpa:levels=3,iterations=6,guide=tidy(price=900)").plan(
        state, Budget(iterations=plain.calls), 4
    )
    assert plan.value == plain.best == played(state, [*plan.codes, *plan.continuation]).evaluate(0, root=state)
    assert [*plan.codes, *plan.continuation] == plain.found
    assert plan.report.evaluations == 2 * plain.calls
    unguided = PlainNRPA(state, 6, 4)
    unguided.nested(3, {})
    assert unguided.found != plain.found


def test_a_guide_goes_with_several_policies_and_streams():
    state = turnwise.make("samegame:board=18").start()
    settings = "nrpa:preset=recommended-samegame,iterations=5,trial-iterations=2,streams=3"
    one, other = (
        turnwise.planner(f"{settings},threads={threads}").plan(state, Budget(iterations=600), 2) for threads in (1, 3)
    )
    assert (one.codes, one.value, one.report.details) == (other.codes, other.value, other.report.details)
    end = played(state, [*one.codes, *one.continuation])
    assert one.value == end.evaluate(0, root=state)
    unguided = turnwise.planner(f"{settings},guide=score").plan(state, Budget(iterations=600), 2)
    assert unguided.value == turnwise.planner(f"{settings},guide=").plan(state, Budget(iterations=600), 2).value
    assert unguided.continuation != one.continuation


@pytest.mark.parametrize("text", ["nrpa:levels=2,iterations=30", "nrpa:levels=3,iterations=8,playouts=3,repeats=2"])
def test_nrpa_is_the_same_however_much_it_remembers(text):
    state = solo(points=4, turns=12).start()
    plans = [
        turnwise.planner(f"{text},positions={positions}").plan(state, Budget(iterations=effort(3000, 60)), 5)
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
    plan = turnwise.planner("nrpa:levels=2,iterations=20,moves=1024").plan(state, Budget(iterations=PLAYOUTS))
    assert plan.report.details["moves"] == 1024
    assert plan.report.iterations == PLAYOUTS


@pytest.mark.compiled_only("how good the plans of long searches are")
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


@pytest.mark.parametrize("iterations", [3, 20])
def test_nrpa_with_several_policies_keeps_its_budget_and_repeats_itself(iterations):
    """Three playouts are too few for every policy to be tried."""
    state = turnwise.make("samegame", board=18).start()
    mind = turnwise.planner("nrpa:levels=1,iterations=4,trial-iterations=2,policy=tabu-0+tabu-1+tabu-2+tabu-3")
    plan = mind.plan(state, Budget(iterations=iterations), 1)
    assert plan.report.iterations == iterations
    assert plan.codes == mind.plan(state, Budget(iterations=iterations), 1).codes
    assert played(state, [*plan.codes, *plan.continuation]).evaluate(0, root=state) == plan.value


@pytest.mark.parametrize(("levels", "playouts"), [(1, 400), (2, 400), (3, 1000)])
def test_automatic_iterations_fit_one_nested_search_into_the_budget(levels, playouts):
    """With one more iteration at each level it would not end."""
    state = solo(points=4, turns=10).start()
    mind = turnwise.planner(f"nrpa:levels={levels},iterations=0")
    plan = mind.plan(state, Budget(iterations=playouts), 1)
    assert plan.report.iterations == playouts
    assert plan.report.details["runs"] == 1
    left = playouts - playouts // 50
    most = max(n for n in range(playouts) if n**levels <= left)
    fixed = turnwise.planner(f"nrpa:levels={levels},iterations={most}").plan(state, Budget(iterations=left), 1)
    assert fixed.report.details["runs"] == 1
    more = turnwise.planner(f"nrpa:levels={levels},iterations={most + 1}").plan(state, Budget(iterations=left), 1)
    assert more.report.details["runs"] == 0


def test_the_iterations_of_a_search_follow_the_playouts_of_its_first_part():
    problem = SimpleNamespace(record=SimpleNamespace(iterations=20))
    found = [
        iterations_for(problem, NRPAParameters(iterations=iterations, levels=levels, playouts=playouts), share)
        for iterations, levels, playouts, share in [
            (0, 3, 1, 0.02),  # 980 playouts are left, 9 * 9 * 9 = 729
            (0, 2, 1, 0.02),  # 31 * 31 = 961
            (0, 2, 10, 0.02),  # 98 adaptations at level 1
            (0, 3, 1, 0.5),  # 20 are left
            (0, 1, 1, 0.999999),  # none
            (100, 3, 1, 0.02),
        ]
    ]
    assert found == [9, 31, 9, 2, 2, 100]


@pytest.mark.parametrize("playouts", [1, 30])
def test_automatic_iterations_keep_small_budgets(playouts):
    """In 2 % of them nothing is played."""
    state, limit = solo(points=4, turns=10).start(), Budget(iterations=playouts)
    mind = turnwise.planner("nrpa:iterations=0,policy=uniform")
    plan = mind.plan(state, limit, 1)
    assert plan.report.iterations == playouts
    assert plan.codes == mind.plan(state, limit, 1).codes


def test_nrpa_refuses_a_policy_that_the_game_does_not_have():
    state = turnwise.make("samegame", board=18).start()
    with pytest.raises(UnknownNameError, match="tabu-9"):
        turnwise.planner("nrpa:policy=tabu-1+tabu-9").plan(state, Budget(iterations=10), 1)
    with pytest.raises(UnknownNameError, match="tidier"):
        turnwise.planner("nrpa:guide=tidier").plan(state, Budget(iterations=10), 1)
