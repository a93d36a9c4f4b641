"""Turn maximin: values by minimax, refutations, chance, worlds, several players and one, budgets."""

import numpy as np
import pytest

import turnwise
from doubles.effort import effort
from doubles.fable import Bait, Fable, Gamble, Page, Patience, ThreeSides
from doubles.toy_game import END, STRIKE, Toy
from turnwise.core.budget import Budget, parse_budget
from turnwise.core.errors import OptionError
from turnwise.jit.record import Floats, Ints, Word
from turnwise.planners.turn_maximin import planner
from turnwise.planners.turn_maximin.further import value_of_turn
from turnwise.planners.turn_maximin.heap import replace_top, sift_up
from turnwise.planners.turn_maximin.memory import MaximinMemory
from turnwise.planners.turn_maximin.refutations import has_met, note_met, remember
from turnwise.planners.turn_maximin.search import keep_better_half
from turnwise.planners.turn_maximin.tables import MOST_REPLIES, Comparison, Maximin
from turnwise.search.forward_model import best_scored
from turnwise.search.problem import Problem
from turnwise.search.search_planner import watch_searches
from twins.plain_search import all_outcomes, in_turn

ENOUGH = Budget(iterations=10**6)


def states_after_turn(root):
    """Every state at the end of the turn, visiting each state once."""
    found, seen, waiting = {}, {bytes(root.row)}, [root]
    while waiting:
        state = waiting.pop()
        for code in state.candidate_codes():
            child = state.play(int(code))
            if bytes(child.row) not in seen:
                seen.add(bytes(child.row))
                if in_turn(root, child):
                    waiting.append(child)
                else:
                    found[bytes(child.row)] = child
    return list(found.values())


def worst_reply(root, after):
    """The value for the root's mover after the reply that is worst for it, by visiting every one."""
    return worst_reply_to(root, root, after)


def worst_reply_to(root, own, after):
    """The same after a later own turn; values compare with the root."""
    if after.is_over or after.to_move == own.to_move:
        return after.evaluate(root.to_move, root=root)
    return min(worst_reply_to(root, own, later) for later in states_after_turn(after))


def end_of(state, plan):
    for code in plan.codes:
        state = state.play(code)
    return state


@pytest.mark.parametrize(("points", "players"), [(1, 2), (2, 2), (1, 3)])
@pytest.mark.parametrize("seed", [1, 2])
def test_the_turn_has_the_best_worst_reply(points, players, seed):
    state = Toy(points=points, players=players).start(seed)
    best = max(worst_reply(state, after) for after in states_after_turn(state))
    plan = turnwise.planner("turn-maximin:compared=0").plan(state, ENOUGH, seed=seed)
    assert plan.report.stopped_by == "done"
    assert plan.value == pytest.approx(best)
    assert worst_reply(state, end_of(state, plan)) == pytest.approx(best)


def test_without_replies_the_best_outcome_is_chosen():
    state = Toy(points=3, end="free", units=True).start(5)
    best = max(all_outcomes(state).values())
    plan = turnwise.planner("turn-maximin:reply=none").plan(state, ENOUGH, seed=1)
    assert plan.value == pytest.approx(best)
    assert end_of(state, plan).evaluate(state.to_move, root=state) == pytest.approx(best)


def test_a_reply_that_punishes_is_seen_and_refutes_other_turns():
    """A search of one turn takes the bait; here one reply refutes all turns that do."""
    plan = turnwise.planner("turn-maximin:compared=0").plan(Bait().start(0), ENOUGH, seed=1)
    assert (plan.actions, plan.value) == (("w", "w"), 0)
    figures = plan.report.details
    assert figures["replies"] == 1
    assert figures["reply_searches"] == 2  # one finds the refutation, one examines the answer
    assert figures["tests"] == 3  # of the other turns


class LongBait(Bait):
    """Turns of four actions, and plans with room for three."""

    length, max_turn = 4, 3

    def choices(self, said):
        return "tw" if len(said) < 4 else "pi"


def test_a_turn_that_outgrows_a_plan_is_planned_in_parts():
    """Nobody replies to a part that leaves the turn unfinished; only the last part meets replies."""
    state = LongBait().start(0)
    planner = turnwise.planner("turn-maximin:compared=0")
    first = planner.plan(state, ENOUGH, seed=1)
    assert (first.actions, first.value, first.is_complete) == (("t", "t", "t"), 9, False)
    assert first.report.details["reply_searches"] == 0
    last = planner.plan(end_of(state, first), ENOUGH, seed=1)
    assert (last.actions, last.value, last.is_complete) == (("t",), 4 * 3 - 10, True)  # taken and punished


class Sequel(Fable):
    """One action for each turn: a is worth more than b until the own next turn, in which c rewards b."""

    turns, max_turn = 3, 1

    def choices(self, said):
        return ("ab", "xy", "cd")[len(said)]

    def worth(self, said):
        value = {"a": 2, "b": 1}.get(said[:1], 0) + (4 if said in ("bxc", "byc") else 0)
        return (value, -value)


@pytest.mark.parametrize(("compared", "action"), [(0, "a"), (1, "b")])
def test_the_own_next_turn_decides_among_the_best(compared, action):
    """b is worth 1 after any reply and 5 after the own next turn, a is worth 2 in both cases."""
    plan = turnwise.planner(f"turn-maximin:compared={compared}").plan(Sequel().start(0), ENOUGH, seed=1)
    assert plan.actions == (action,)
    assert plan.value == {"a": 2, "b": 1}[action]  # after the worst reply
    assert (plan.report.details["comparisons"] > 0) == (compared > 0)


class Harvest(Fable):
    """One action for each turn, and a choice only in the first: c pays one turn later, b two."""

    turns, max_turn = 3, 1

    def choices(self, said):
        return ("abc", "x", "y")[len(said)]

    def worth(self, said):
        value = {"a": 2, "ax": 3, "b": 1, "bx": 1, "bxy": 9, "c": 0, "cx": 4}.get(said, 0)
        return (value, -value)


@pytest.mark.parametrize(("turns", "action", "value"), [(0, "a", 2), (1, "c", 4), (2, "b", 9)])
def test_ends_of_turns_are_rated_after_rollouts(turns, action, value):
    planner = turnwise.planner(f"turn-maximin:reply=none,compared=0,rollout-turns={turns},policy=uniform")
    plan = planner.plan(Harvest().start(0), ENOUGH, seed=1)
    assert (plan.actions, plan.value) == ((action,), value)


@pytest.mark.parametrize(("turns", "action", "value"), [(0, "a", 2), (1, "b", 1)])
def test_ends_of_replies_are_rated_after_rollouts(turns, action, value):
    """One turn after the reply only b has a value; the own turn's end, rated after the reply itself, is the bound."""
    planner = turnwise.planner(f"turn-maximin:compared=0,rollout-turns={turns},policy=uniform")
    plan = planner.plan(Harvest().start(0), ENOUGH, seed=1)
    assert (plan.actions, plan.value) == ((action,), value)


class Weather(Fable):
    """Chance takes part only in the third turn, after the own one and the reply."""

    turns, max_turn = 3, 1
    is_stochastic = True

    def choices(self, said):
        return ("abcd", "xy", "z")[len(said)]

    def play(self, state, action, random):
        return Page(state.said + (action if len(state.said) < 2 else "+-"[random.draw(2)]))

    def worth(self, said):
        value = {"a": 8, "b": 7, "c": 6, "d": 5}.get(said[:1], 0) - (4 if said[1:2] == "x" else 0) + said.count("+")
        return (value, -value)


def test_chance_in_rollouts_is_no_chance_in_turns_and_replies():
    """So they are not played several times."""
    text = "turn-maximin:compared=0,rollout-turns=1,policy=uniform"
    once, often = (turnwise.planner(f"{text},samples={n}").plan(Weather().start(0), ENOUGH, seed=1) for n in (1, 50))
    assert once.report.details["tests"] > 0
    assert (often.report.forward_calls, often.value) == (once.report.forward_calls, once.value)


class Trap(Sequel):
    """As the sequel, but after the own next turn there is a reply that takes what c has won."""

    turns = 4

    def choices(self, said):
        return ("ab", "xy", "cd", "pq")[len(said)]

    def worth(self, said):
        if len(said) < 4:
            return super().worth(said)
        value = -9 if said[0] == "b" and said[2:] == "cq" else super().worth(said[:3])[0]
        return (value, -value)


@pytest.mark.parametrize(("plies", "action"), [(3, "b"), (4, "a")])
def test_replies_to_the_own_next_turn_decide_among_the_best(plies, action):
    """With c, b is worth 5 until the reply q; with d it stays at 1, and a at 2."""
    plan = turnwise.planner(f"turn-maximin:compared=1,plies={plies}").plan(Trap().start(0), ENOUGH, seed=1)
    assert plan.actions == (action,)
    assert (plan.report.details["deep_comparisons"] > 0) == (plies == 4)


def test_replies_to_a_later_turn_are_searched_no_wider_than_there_is_room():
    state = Toy(points=2).start(1)
    planner = turnwise.planner("turn-maximin:first-reply-width=4,growth=16,reply-searches=2")
    problem = Problem(state, Budget(forward_calls=10**9), 1)
    memory = MaximinMemory(problem, planner.parameters, Budget(forward_calls=10**5))
    later = memory.record.next[0]
    value_of_turn(problem.record, later, state.row.ctypes.data, 0.0, 4, 3)
    assert later.levels == 2
    assert later.deepest <= 2


@pytest.mark.parametrize("players", [2, 3])
def test_a_later_turn_is_worth_its_best_worst_reply(players):
    """The value of a state before an own turn is that of the turn's best end after the reply that is worst for it."""
    state = Toy(points=2, players=players).start(1)
    planner = turnwise.planner("turn-maximin:plies=4")
    problem = Problem(state, Budget(forward_calls=10**9), 1)
    memory = MaximinMemory(problem, planner.parameters, Budget(forward_calls=10**5))
    later = state
    while later.to_move != state.to_move or later is state:
        later = end_of(later, turnwise.planner("greedy-turn").plan(later, Budget(forward_calls=100), seed=1))
    best = max(worst_reply_to(state, later, after) for after in states_after_turn(later))
    static = later.evaluate(state.to_move, root=state)
    for _ in range(2):  # the second time with known refutations
        value = value_of_turn(problem.record, memory.record.next[0], later.row.ctypes.data, static, 256, 5)
        assert value == pytest.approx(best)
    best = max(after.evaluate(state.to_move, root=state) for after in states_after_turn(later))
    value = value_of_turn(problem.record, memory.record.next[0], later.row.ctypes.data, static, 256, 0)
    assert value == pytest.approx(best)


def test_three_players_reply_with_what_is_worst_for_the_planner():
    plan = turnwise.planner("turn-maximin").plan(ThreeSides().start(0), ENOUGH, seed=1)
    assert (plan.actions, plan.value) == (("b",), 0.5)


@pytest.mark.parametrize(
    ("reply", "action", "value"),
    [("brs+", "a", 1), ("opps", "a", 1), ("opps,free-opponents=2", "b", 0.5)],
)
def test_some_of_three_players_reply_with_what_is_worst_for_the_planner(reply, action, value):
    """The others play x, which they like best: of xx, yx, zx, xy and xz the worst one is worth 1."""
    plan = turnwise.planner(f"turn-maximin:reply={reply}").plan(ThreeSides().start(0), ENOUGH, seed=1)
    assert (plan.actions, plan.value) == ((action,), value)


@pytest.mark.parametrize("seed", [1, 2])
def test_one_free_opponent_of_two_is_the_worst_one(seed):
    """By hand: all turns of one opponent, best-scored actions of the other one."""
    state = Toy(points=2, players=3).start(seed)
    planner = turnwise.planner("turn-maximin:reply=brs+,compared=0")
    value = {
        bytes(after.row): worst_of_one(state, after, {0, 1, 2} - {state.to_move}) for after in states_after_turn(state)
    }
    plan = planner.plan(state, ENOUGH, seed=seed)
    assert plan.value == pytest.approx(max(value.values()))
    assert value[bytes(end_of(state, plan).row)] == pytest.approx(plan.value)
    with_all = turnwise.planner("turn-maximin:compared=0").plan(state, ENOUGH, seed=seed)
    assert with_all.value <= plan.value


def worst_of_one(root, after, free):
    """The value for the root's mover if one of the free opponents, or the one who has begun to, deviates."""
    if after.is_over or after.to_move == root.to_move:
        return after.evaluate(root.to_move, root=root)
    mover = after.to_move
    model = worst_of_one(root, after.play(best_scored_of(after)), free)
    if mover not in free:
        return model
    return min(model, *(worst_of_one(root, after.play(int(c)), {mover}) for c in after.candidate_codes()))


def best_scored_of(state):
    """The model's action: that of the greedy policy, by the game's scores."""
    problem = Problem(state, Budget(forward_calls=10), 1)
    listed = Ints.of(np.zeros(state.game.max_actions, np.int64))
    return int(best_scored(problem.record, state.row.ctypes.data, listed))


@pytest.mark.parametrize("seed", range(6))
def test_a_turn_with_chance_is_worth_the_mean_of_its_samples(seed):
    """The risky action's first sample is 6 in one of four cases."""
    plan = turnwise.planner("turn-maximin:samples=60").plan(Gamble().start(0), ENOUGH, seed=seed)
    assert (plan.actions, plan.value) == (("s",), 1)


class Fortune(Fable):
    """After the risky action (r) chance decides in the reply what the own next turn brings: 6 in one of four cases."""

    turns, max_turn = 3, 1
    is_stochastic = True

    def choices(self, said):
        return ("sr", "x", "y")[len(said)]

    def play(self, state, action, random):
        return Page(state.said + ("+---"[random.draw(4)] if len(state.said) == 1 else action))

    def worth(self, said):
        later = {"+": 6, "-": -7}[said[1]] if len(said) == 3 else 2
        value = {"": 0, "s": 1, "r": later}[said[:1]]
        return (value, -value)


@pytest.mark.parametrize("seed", range(12))
def test_the_comparison_by_the_own_next_turn_takes_the_mean_over_chance(seed):
    """After the reply the risky action is worth 2 and the safe one 1; after the own next turn -3.75 and 1."""
    plan = turnwise.planner("turn-maximin:samples=60").plan(Fortune().start(0), ENOUGH, seed=seed)
    assert (plan.actions, plan.value) == (("s",), 1)
    without = turnwise.planner("turn-maximin:samples=60,compared=0").plan(Fortune().start(0), ENOUGH, seed=seed)
    assert (without.actions, without.value) == (("r",), 2)


def after_action(state, action):
    """The states at the end of a turn of one action, by what is drawn in it."""
    drawn = range(3) if action % 4 == STRIKE else [None]
    return [state.play(action, None if one is None else [one]).play(END) for one in drawn]


def test_a_turn_is_worth_the_mean_over_chance_of_the_worst_mean_over_chance():
    """Strikes of both sides draw their damage."""
    state = Toy(chance=True, points=1, turns=2).start(2)

    def value(after):
        replies = [int(code) for code in after.candidate_codes()]
        return min(np.mean([end.evaluate(0, root=state) for end in after_action(after, reply)]) for reply in replies)

    own = {
        int(code): np.mean([value(after) for after in after_action(state, code)]) for code in state.candidate_codes()
    }
    plan = turnwise.planner("turn-maximin:samples=500,compared=0").plan(state, ENOUGH, seed=1)
    assert own[plan.codes[0]] == max(own.values())
    assert plan.value == pytest.approx(max(own.values()), abs=0.3)


@pytest.mark.parametrize("game", ["samegame", "search-race"])
def test_one_player_is_a_beam_search(game):
    state, budget = turnwise.make(game).start(1), Budget(iterations=effort(300, 100))
    ours = turnwise.planner("turn-maximin").plan(state, budget, seed=1)
    beam = turnwise.planner("beam-search:candidates=pruned").plan(state, budget, seed=1)
    assert (ours.codes, ours.value, ours.continuation) == (beam.codes, beam.value, beam.continuation)
    assert turnwise.planner("turn-maximin").plan(Patience().start(0), budget).value == 5


def test_hidden_cards_are_drawn_in_several_worlds():
    state = turnwise.make("hero-academy:map=a-tiny,deck=tiny").start(3)
    budget = Budget(forward_calls=6000)
    plans = [turnwise.planner("turn-maximin").plan(state.view(0), budget, seed=1) for _ in range(2)]
    assert plans[0].codes == plans[1].codes
    assert plans[0].report.details == plans[1].report.details
    assert plans[0].report.details["worlds"] > 1
    assert plans[0].report.forward_calls_for_others > plans[0].report.forward_calls / 3
    one = turnwise.planner("turn-maximin:worlds=1").plan(state.view(0), budget, seed=1)
    assert one.report.details["worlds"] == 1


def test_known_replies_take_the_place_of_searches():
    state = turnwise.make("hero-academy:map=a-tiny,deck=tiny").start(3)
    figures = turnwise.planner("turn-maximin").plan(state, Budget(forward_calls=20000), seed=1).report.details
    assert figures["examined"] > 2 * figures["replies"]
    assert figures["tests"] > figures["reply_searches"]


@pytest.mark.parametrize("calls", [0, 1, 7, 50, 333])
@pytest.mark.parametrize("options", ["", ":outcomes=1,widest=1", ":reply=none,share=1"])
def test_any_budget_gives_a_whole_turn(calls, options):
    state = Toy(players=3, points=5, end="free", units=True).start(3)
    plan = turnwise.planner(f"turn-maximin{options}").plan(state, Budget(forward_calls=calls), seed=1)
    assert plan.is_complete
    assert plan.report.stopped_by == "budget" or "none" in options  # without replies the outcomes may be all there is
    assert plan.report.forward_calls <= calls + len(plan.codes)


def test_few_outcomes_are_the_best_ones():
    state = Toy(points=3, end="free").start(1)
    values = sorted(all_outcomes(state).values(), reverse=True)
    plan = turnwise.planner("turn-maximin:outcomes=3,reply=none,alternatives=9").plan(state, ENOUGH)
    found = [plan.value, *(other.value for other in plan.alternatives)]
    assert found == pytest.approx(values[:3])


def test_beams_that_are_too_wide_are_refused():
    with pytest.raises(OptionError, match="give a last beam over replies of width 131072; expected at most 65536"):
        turnwise.planner("turn-maximin:first-reply-width=2,growth=16,reply-searches=5")


def test_the_pool_drops_what_is_least_useful():
    search = Maximin(replies=MOST_REPLIES * 2, futures=1)
    search.reply_room, search.future_count = 2, 1
    action = np.array([7, 8])
    for _ in range(MOST_REPLIES):
        remember(search, Ints.of(action), 2, Word(2))
    search.hits[5] = 0.0
    for reply in (4, 5):
        note_met(search, 0, reply)
    assert remember(search, Ints.of(action), 1, Word(2)) == 5
    assert (search.lengths[4], search.lengths[5]) == (2, 1)
    assert has_met(search, 0, 4)
    assert not has_met(search, 0, 5)  # another reply has its place


def test_a_heap_has_the_lowest_key_on_top():
    rng = np.random.default_rng(1)
    values, keys, items = rng.permutation(50).astype(float), np.zeros(50), np.zeros(50, np.int64)
    for i, value in enumerate(values[:20]):
        sift_up(Floats.of(keys), Ints.of(items), i, value, i)
    for i, value in enumerate(values[20:], 20):  # keep the highest 20
        if value > keys[0]:
            replace_top(Floats.of(keys), Ints.of(items), 20, value, i)
    assert sorted(keys[:20]) == sorted(values)[-20:]
    assert keys[0] == min(keys[:20])
    assert all(values[items[:20]] == keys[:20])


@pytest.mark.parametrize("keep", [True, False])
def test_a_session_tries_the_refutations_of_its_last_decision_first(keep):
    game = Toy(points=3, turns=6)
    planner = turnwise.planner("turn-maximin", keep=keep)
    memory, state, found = {}, game.start(2), []
    while not state.is_over:
        if state.to_move == 0:
            plan = planner.plan_with_memory(state, Budget(forward_calls=20_000), 1, memory)
            found.append(plan.report.details)
            assert plan.codes == planner.plan(state, Budget(forward_calls=20_000), 1).codes
        else:
            plan = turnwise.planner("greedy-turn").plan(state, Budget(forward_calls=100), seed=1)
        state = end_of(state, plan)
    alone = planner.plan(game.start(2), Budget(forward_calls=20_000), 1).report.details
    assert found[0] == alone  # nothing is known yet
    assert bool(memory) == keep


def test_what_is_remembered_are_the_useful_replies_of_both_turns():
    state = Toy(points=3).start(2)
    planner = turnwise.planner("turn-maximin:plies=4")
    problem = Problem(state, Budget(forward_calls=10**9), 1)
    memory = MaximinMemory(problem, planner.parameters, Budget(forward_calls=10**5))
    now, later = memory.record.now[0], memory.record.next[0]
    for m, first in ((now, 10), (later, 20)):
        for i in range(3):
            m.hits[remember(m, Ints.of(np.array([first + i, 99])), 2, Word(2))] = (0.5, 7, 3)[i]
    kept = {}
    memory.remember(kept)
    other = MaximinMemory(problem, planner.parameters, Budget(forward_calls=10**5))
    other.recall(kept)
    r = other.record.now[0]
    known = [(r.replies[i * r.reply_room], r.lengths[i], round(r.hits[i])) for i in range(r.reply_count)]
    assert known == [(11, 2, 7), (12, 2, 3), (21, 2, 7), (22, 2, 3)]
    assert other.record.next[0].reply_count == 2


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("streams", [2, 5])
def test_streams_share_the_outcomes_and_find_the_same_value(players, streams):
    state = Toy(points=2, players=players).start(1)
    alone = turnwise.planner("turn-maximin:compared=0").plan(state, ENOUGH, seed=1)
    together = turnwise.planner(f"turn-maximin:compared=0,streams={streams}").plan(state, ENOUGH, seed=1)
    assert together.value == alone.value
    assert together.report.details["outcomes"] == alone.report.details["outcomes"]


@pytest.mark.parametrize("budget", ["forward=20000", "forward=300", "iterations=40"])
@pytest.mark.parametrize("game", ["hero-academy:map=a-tiny", "stratega:mode=kings_3x3"])
def test_the_number_of_threads_changes_nothing(game, budget):
    state = turnwise.make(game).start(3)
    plans = [
        turnwise.planner(f"turn-maximin:streams=3,threads={threads},plies=4").plan(state, parse_budget(budget), seed=4)
        for threads in (1, 2, 3)
    ]
    assert len({(plan.codes, plan.value, tuple(plan.report.details.items())) for plan in plans}) == 1
    counted = [(p.report.forward_calls, p.report.evaluations, p.report.iterations) for p in plans]
    assert len(set(counted)) == 1


@pytest.mark.parametrize("calls", [300, 1_000, 3_000, 30_775])
def test_observers_see_the_value_of_the_plan(calls):
    """Also where no outcome is settled and the answer is not the one with the highest bound."""
    searches = []
    game = turnwise.make("hero-academy:hands=open,action-points=15,first-turn-points=9")
    with watch_searches(searches.append):
        for seed in range(1, 7):
            plan = turnwise.planner("turn-maximin").plan(game.start(seed), Budget(forward_calls=calls), seed=seed)
            assert searches[-1].record.best == plan.value


@pytest.mark.parametrize("streams", range(1, 6))
def test_without_comparisons_streams_do_not_look_at_the_own_next_turn(streams):
    plan = turnwise.planner(f"turn-maximin:compared=0,streams={streams}").plan(Sequel().start(0), ENOUGH, seed=1)
    assert (plan.actions, plan.value) == (("a",), 2.0)
    assert plan.report.details["comparisons"] == 0


def test_streams_are_ranked_by_comparisons_of_the_same_depth(monkeypatch):
    """A stream may complete a comparison in which another one runs out of budget; its answer from before counts."""
    forgotten, depths = [], []
    forget, joint_line = MaximinMemory.forget_last_comparison, planner.joint_line

    def forgets(run):
        forgotten.append(run)
        forget(run)

    def watched(runs, most):
        depths.append({int(run.record.compared) for run in runs if run.record.best_count > 0})
        return joint_line(runs, most)

    monkeypatch.setattr(MaximinMemory, "forget_last_comparison", forgets)
    monkeypatch.setattr(planner, "joint_line", watched)
    game = turnwise.make("hero-academy:map=a-tiny,hands=open")
    for seed in range(1, 9):
        turnwise.planner("turn-maximin:streams=2,widest=64").plan(game.start(seed), "forward=100000", seed=seed)
    assert forgotten
    assert all(len(depth) <= 1 for depth in depths), depths


def test_streams_compare_their_best_outcomes_by_the_own_next_turn():
    for streams in (2, 3, 4):  # a and b may be in one stream or in two
        plan = turnwise.planner(f"turn-maximin:compared=1,streams={streams}").plan(Sequel().start(0), ENOUGH, seed=1)
        assert plan.actions == ("b",)


def details_of_a_small_map(settings, calls=400_000):
    state = turnwise.make("hero-academy:map=a-small,hands=open").start(1)
    mind = turnwise.planner(f"turn-maximin:widest=64,compared=3,{settings}")
    return mind.plan(state, Budget(forward_calls=calls), seed=1).report.details


def test_with_much_budget_many_outcomes_are_compared_and_halved():
    much, little = details_of_a_small_map("halving=1000"), details_of_a_small_map("halving=1000", 20_000)
    assert much["halved"] > 4
    assert much["deep_comparisons"] > 0
    assert little["halved"] == details_of_a_small_map("halving=0")["halved"] == 0
    assert details_of_a_small_map("halving=6")["halved"] == 6


@pytest.mark.parametrize("count", [2, 3, 5, 8])
def test_halving_keeps_the_better_half_and_at_least_two(count):
    rng = np.random.default_rng(count)
    s = Comparison(best=count, worth=count)
    s.array("best")[:] = np.arange(count) + 10
    worth = rng.permutation(count).astype(float)
    s.array("worth")[:] = worth
    s.best_count = count
    keep_better_half(s)
    order = np.argsort(-worth) + 10
    assert s.best_count == max(2, (count + 1) // 2)
    assert [s.best[i] for i in range(s.best_count)] == list(order[: s.best_count])


@pytest.mark.parametrize("settings", ["compared=0", "compared=3,halving=3", "compared=40"])
def test_there_is_no_halving_of_few_outcomes(settings):
    """Without a comparison, with no more outcomes than otherwise, and where not all of those could be settled."""
    state = turnwise.make("hero-academy:map=a-tiny,hands=open").start(1)
    plan = turnwise.planner(f"turn-maximin:widest=16,{settings}").plan(state, Budget(forward_calls=300_000), seed=1)
    assert plan.report.details["halved"] == 0


@pytest.mark.parametrize(
    "game",
    [
        "hero-academy:map=a-small",
        "hero-academy:map=a-tiny,hands=open,draws=random",
        "stratega:mode=kings_3x3",
        "toy:chance=true,players=3",
    ],
)
@pytest.mark.parametrize("settings", ["reply-searches=2", "reply=none", "first-reply-width=16,reply-searches=1"])
def test_halving_plays_every_kind_of_game(game, settings):
    """Hidden hands, chance, fog, three players; no replies, and beams over replies that have room for one width."""
    state = (Toy(points=4, chance=True, players=3) if game.startswith("toy") else turnwise.make(game)).start(1)
    mind = turnwise.planner(f"turn-maximin:widest=8,compared=1,worlds=2,samples=2,{settings}")
    plans = [mind.plan(state, Budget(forward_calls=400_000), seed=2) for _ in range(2)]
    assert plans[0].codes == plans[1].codes
    assert plans[0].report.details == plans[1].report.details
    assert plans[0].report.details["halved"] > 2


def test_a_short_decision_after_a_long_one_is_not_halved():
    state = turnwise.make("hero-academy:map=a-tiny,hands=open").start(1)
    mind = turnwise.planner("turn-maximin:widest=16,compared=2,keep=false")
    first = mind.plan(state, Budget(forward_calls=10_000), seed=1)
    assert mind.plan(state, Budget(forward_calls=300_000), seed=1).report.details["halved"] > 0
    again = mind.plan(state, Budget(forward_calls=10_000), seed=1)
    assert again.report.details == first.report.details
    assert first.report.details["halved"] == 0


def test_halving_in_streams_does_not_depend_on_threads():
    state = turnwise.make("hero-academy:map=a-tiny,hands=open").start(2)
    text = "turn-maximin:widest=16,compared=2,streams=2"
    one, other = (
        turnwise.planner(f"{text},threads={number}").plan(state, Budget(forward_calls=600_000), seed=3)
        for number in (1, 2)
    )
    assert one.report.details["halved"] > 0
    assert (one.codes, one.report.details) == (other.codes, other.report.details)


def test_without_the_pool_every_reply_is_searched():
    state = Bait().start(0)
    with_pool, without = (
        turnwise.planner(f"turn-maximin:compared=0,pool={pool}").plan(state, ENOUGH, seed=1) for pool in (True, False)
    )
    assert without.actions == with_pool.actions
    assert without.report.details["tests"] == 0
    assert without.report.details["reply_searches"] > with_pool.report.details["reply_searches"]


@pytest.mark.parametrize(("static", "actions", "value"), [(0.0, ("w", "w"), 0), (1.0, None, None)])
def test_the_static_value_can_be_mixed_in(static, actions, value):
    state = Bait().start(0)
    plan = turnwise.planner(f"turn-maximin:compared=0,static={static}").plan(state, ENOUGH, seed=1)
    if actions is None:  # replies count for nothing: the best outcome before any reply
        best = max(all_outcomes(state).values())
        assert plan.value == plan.report.details["static"] == best
    else:
        assert (plan.actions, plan.value) == (actions, value)


def test_replies_wait_for_a_good_own_turn():
    """Below the least width, beams over the own turn may use the whole budget."""
    state = turnwise.make("hero-academy:action-points=15,first-turn-points=15").start(1)
    budget = Budget(forward_calls=20000)
    details = {
        least: turnwise.planner(f"turn-maximin:least-width={least}").plan(state, budget, seed=1).report.details
        for least in (1, 16, 2048)
    }
    assert details[1]["width"] < 16 <= details[16]["width"]
    assert details[1]["reply_searches"] > details[2048]["reply_searches"]
    assert details[2048]["width"] > details[1]["width"]


def test_the_least_width_matters_only_where_the_share_is_too_small():
    state, budget = turnwise.make("hero-academy").start(1), Budget(forward_calls=300_000)
    plans = [turnwise.planner(f"turn-maximin:least-width={least}").plan(state, budget, seed=1) for least in (1, 4)]
    assert plans[0].actions == plans[1].actions
    assert plans[0].report.details == plans[1].report.details


def test_a_small_budget_does_not_end_turns_early():
    """The first pass over the own turn may spend more than its share; else the longest turns would not be found."""
    state = turnwise.make("stratega:mode=armies_random").start(1)
    for share in (0.05, 0.9):
        plan = turnwise.planner(f"turn-maximin:share={share}").plan(state, Budget(forward_calls=20000), seed=1)
        assert plan.report.details["outcomes"] > 20
