"""Searches watched while they run: lines that change, costs that grow, nothing of other threads, and the same plans."""

import asyncio
import threading
import time
from dataclasses import replace

import numpy as np
import pytest

import turnwise
from doubles.plain_skirmish import PlainSkirmish
from doubles.toy_game import Toy
from turnwise.core.errors import OptionError, TurnwiseError
from turnwise.planners.mcts.forest import Forest
from turnwise.planners.mcts.memory import tree_for
from turnwise.search import search_planner
from turnwise.search.beam.layers import BeamLayers
from turnwise.search.beam.reading import LayerReader
from turnwise.search.inspection.live import LiveSearch
from turnwise.search.problem import Problem

LASTING_BEAM = "beam-search:width=20,noise=1"  # ends with its budget only
MAIN = ["mcts", "online-evolution", LASTING_BEAM, "turn-maximin"]
MCTS = ["mcts-non-exploring", "mcts-bridge-burning", "mcts-unit-ordered", "portfolio-mcts", "mcts:streams=2"]
WITH_LINES = [*MAIN, *MCTS, "oep", "rhea", "ea-roll", "emcts", "fh-emcts", "tbets", "tbets:commit=actions", "sp-mcts"]
WITH_LINES += ["rhea-mcts", "mcts-rhea", "ea-alt-actions", "online-evolution:streams=2", "turn-maximin:streams=2"]
WITHOUT_LINES = ["greedy-turn", "nrpa", "naive-mcts", "pgs", "poe", "random"]


@pytest.fixture(scope="module")
def state():
    """A state in the middle of a game, in which turns are so many that no search ends before its budget."""
    state = turnwise.make("hero-academy").start(seed=1)
    for turn in range(6):
        for code in turnwise.planner("online-evolution").plan(state, "iterations=3", turn).codes:
            state = state.play(code)
    return state


def watched(planner, state, budget, pause=0.02):
    """All snapshots of a search in another thread, and its plan."""
    live, plans, seen = LiveSearch(), [], []

    def think():
        with live:
            plans.append(planner.plan(state, budget, 3))

    thread = threading.Thread(target=think)
    thread.start()
    while thread.is_alive():
        seen.append(live.snapshot())
        time.sleep(pause)
    return [*[one for one in seen if one is not None], live.snapshot()], plans[0]


def begins(one, other):
    """Whether one of two lines begins the other."""
    return one[: len(other)] == other or other[: len(one)] == one


def check_lines(snapshot, state):
    """All lines of a snapshot are different, and can be played."""
    assert len({line.actions for line in snapshot.lines}) == len(snapshot.lines) <= 5
    for line in snapshot.lines:
        here = state
        assert line.actions
        for action in line.actions:
            here = here.play(action)


@pytest.mark.parametrize("spec", WITH_LINES)
def test_the_lines_of_a_search_are_seen_while_it_runs(spec, state):
    planner = turnwise.planner(spec)
    planner.plan(state, "time=50ms", 3)  # compiled before the clock runs
    seen, plan = watched(planner, state, "time=300ms")
    running, last = [one for one in seen if not one.has_ended and one.lines], seen[-1]
    assert len(running) > 3
    for one in running:
        check_lines(one, state)
        assert one.value == one.lines[0].value
    assert running[-1].forward_calls > running[0].forward_calls
    assert 0.0 <= running[0].share < running[-1].share <= 1.0
    check_lines(last, state)
    assert last.has_ended
    assert begins(last.lines[0].actions, plan.actions)
    assert last.value == plan.value
    assert last.iterations == plan.report.iterations


@pytest.mark.parametrize("spec", WITHOUT_LINES)
def test_other_searches_show_what_they_cost(spec):
    skirmish = PlainSkirmish().start(seed=1)
    live = LiveSearch()
    with live:
        plan = turnwise.planner(spec).plan(skirmish, "forward=300", 3)
    last = live.snapshot()
    assert (last.evaluations, last.iterations) == (plan.report.evaluations, plan.report.iterations)
    assert 0 < last.forward_calls <= plan.report.forward_calls  # without the completion of the turn
    assert last.has_ended
    assert begins(last.lines[0].actions, plan.actions) if last.lines else spec == "random"


def test_lines_and_values_change_during_a_long_search(state):
    seen, _ = watched(turnwise.planner("mcts"), state, "time=1s")
    running = [one for one in seen if not one.has_ended and one.lines]
    assert len({one.lines for one in running}) > 5
    assert len({one.value for one in running}) > 5
    counts = [one.iterations for one in running]
    assert counts == sorted(counts)
    assert running[-1].iterations_per_second == pytest.approx(running[-1].iterations / running[-1].seconds)


@pytest.mark.parametrize("spec", [*WITH_LINES, *WITHOUT_LINES])
def test_looking_changes_no_plan(spec):
    state = Toy(units=True).start(seed=1)
    plain = turnwise.planner(spec).plan(state, "forward=3000", 3)
    seen, plan = watched(turnwise.planner(spec), state, "forward=3000", pause=0.0)
    assert replace(plan, report=replace(plan.report, seconds=plain.report.seconds)) == plain
    for one in seen:
        check_lines(one, state)


@pytest.mark.parametrize("spec", MAIN)
def test_half_written_memory_is_read_again_and_again(spec, state):
    seen, _ = watched(turnwise.planner(spec), state, "time=600ms", pause=0.0)
    assert len(seen) > 50
    for one in seen[:: max(1, len(seen) // 50)]:
        check_lines(one, state)


def test_threads_do_not_see_each_other(state):
    lives = [LiveSearch() for _ in range(3)]
    other = state.play(state.legal_actions()[0])
    starts, counts, names = [state, other, state], [2, 5, 0], ["mcts", "online-evolution", "rhea"]
    done = threading.Barrier(3)

    def think(live, start, count, name):
        session = turnwise.planner(name).session(start.game, start.to_move, 1)
        with live:
            for _ in range(count):
                session.plan(start, "iterations=2000")
            done.wait(30)
        session.plan(start, "iterations=20")  # nobody watches any more

    threads = [threading.Thread(target=think, args=each) for each in zip(lives, starts, counts, names, strict=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    first, second, none = [live.snapshot() for live in lives]
    assert none is None
    assert (first.number, second.number) == (2, 5)
    check_lines(first, state)
    check_lines(second, other)


def test_a_task_is_watched_in_the_thread_in_which_it_runs(state):
    live = LiveSearch()

    async def think():
        with live:
            return await asyncio.to_thread(turnwise.planner("mcts").plan, state, "iterations=100", 3)

    assert asyncio.run(think()).report.iterations == live.snapshot().iterations == 100


def test_the_last_snapshot_stays_when_memory_is_used_again(state):
    live, session = LiveSearch(), turnwise.planner("mcts").session(state.game, 0, 1)
    with live:
        session.plan(state, "iterations=500")
    last = live.snapshot()
    session.plan(state.play(state.legal_actions()[0]), "iterations=800")
    assert live.snapshot() == last
    assert last.has_ended
    assert last.iterations == 500


class Slow(turnwise.PythonPlanner):
    """Tries all first actions again and again, and knows a value from the beginning."""

    def search(self, state, meter, random):
        best = -np.inf
        while not meter.exhausted:
            action = random.choice(state.legal_actions())
            best = max(best, meter.evaluate(meter.play(state, action), state.to_move))
            meter.value = best
            meter.count_iteration()
        return state.legal_actions()[:1]


@pytest.mark.parametrize("budget", ["time=200ms", "iterations=50/action"])
def test_planners_in_plain_python_show_what_they_cost(budget, state):
    seen, plan = watched(Slow(), state, budget, pause=0.01)
    per_action = budget.endswith("action")
    assert seen[-1].number == (len(plan.codes) if per_action else 1)
    assert seen[-1].lines[0].actions == plan.actions[-1:] if per_action else plan.actions[:1]
    assert seen[-1].value == plan.value
    assert seen[-1].iterations == (50 if per_action else plan.report.iterations)
    assert per_action or any(not one.has_ended and one.value is not None and one.iterations for one in seen)


def test_a_search_that_fails_has_ended(state, monkeypatch):
    planner, live = turnwise.planner("mcts"), LiveSearch()
    planner.plan(state, "iterations=1")
    monkeypatch.setattr(type(planner), "_answer", lambda *_: 1 / 0)
    with live, pytest.raises(ZeroDivisionError):
        planner.plan(state, "iterations=100")
    assert live.snapshot().has_ended
    assert live.snapshot().iterations == 100
    check_lines(live.snapshot(), state)


def test_the_loading_of_kernels_is_not_shown(state, monkeypatch):
    monkeypatch.setattr(search_planner, "_loaded", set())
    live = LiveSearch()
    with live:
        turnwise.planner("mcts").plan(state, "iterations=100")
    assert live.snapshot().number == 1


def test_every_action_of_a_budget_per_action_is_a_decision(state):
    live = LiveSearch()
    with live:
        plan = turnwise.planner("mcts").plan(state, "iterations=100/action", 3)
    assert live.snapshot().number == len(plan.codes)


def test_a_snapshot_is_never_of_two_short_searches(state):
    """Searches that use the same memory follow one another more quickly than it is read."""
    live, done = LiveSearch(), threading.Event()
    starts = [state, state.play(state.legal_actions()[0])]
    firsts = [set(start.legal_actions()) for start in starts]

    def think():
        session = turnwise.planner("mcts").session(state.game, state.to_move, 1)
        with live:
            for number in range(300):
                session.plan(starts[number % 2], "iterations=30")
        done.set()

    threading.Thread(target=think).start()
    seen = []
    while not done.is_set():
        seen.append(live.snapshot())
    numbers = [one.number for one in seen if one is not None]
    assert numbers == sorted(numbers)
    assert len(set(numbers)) > 10
    for one in seen:
        assert one is None or all(line.actions[0] in firsts[(one.number - 1) % 2] for line in one.lines)
    assert live.snapshot().number == 300


def test_worlds_are_one_decision():
    state = PlainSkirmish(fog=True).start(seed=1).view(0)
    seen, plan = watched(turnwise.planner("mcts:worlds=3"), state, "forward=6000", pause=0.001)
    assert {one.number for one in seen} == {1}
    assert {one.worlds for one in seen} == {3}
    worlds = [one.world for one in seen]
    assert worlds == sorted(worlds)
    assert set(worlds) == {1, 2, 3}
    calls = [one.forward_calls for one in seen]
    assert calls == sorted(calls)
    ends = [one.has_ended for one in seen]
    assert ends == sorted(ends)  # not between two worlds
    last = seen[-1]
    assert (last.iterations, last.value) == (plan.report.iterations, plan.value)
    assert begins(last.lines[0].actions, plan.actions)


def test_one_world_is_one_decision():
    live = LiveSearch()
    with live:  # the budget is too small for a second world
        plan = turnwise.planner("mcts:worlds=3").plan(PlainSkirmish(fog=True).start(seed=1).view(0), "iterations=1")
    assert plan.report.details["worlds"] == 1
    last = live.snapshot()
    assert (last.number, last.world, last.worlds, last.iterations) == (1, 1, 1, 1)


def test_streams_are_counted_together(state):
    seen, plan = watched(turnwise.planner("mcts:streams=2,threads=2"), state, "iterations=200000", pause=0.005)
    assert seen[-1].iterations == plan.report.iterations
    assert any(0 < one.iterations < plan.report.iterations for one in seen)


def test_one_live_search_watches_one_context():
    live = LiveSearch(lines=2)
    assert live.snapshot() is None
    with live, pytest.raises(TurnwiseError, match="Make one LiveSearch for each thread"), live:
        pass
    with pytest.raises(OptionError, match="lines"):
        LiveSearch(lines=0)


def test_a_tree_of_any_content_gives_lines(state):
    """Whatever numbers a search leaves half written, reading them stays within the tree."""
    planner = turnwise.planner("mcts")
    problem = Problem(state, "iterations=500", 1)
    tree = tree_for(problem, turnwise.Budget(iterations=500), planner.parameters)
    random = np.random.default_rng(1)
    for count in (0, 1, 50, 10**6, -5):
        tree.record.node_count = count
        for array in (tree.nodes, tree.edges):
            array.view(np.uint8)[:] = random.integers(0, 256, array.nbytes, np.uint8)
        tree.nodes["inside"][::2] = 1
        tree.nodes["first"] = random.integers(-10, len(tree.edges) + 10, len(tree.nodes))
        tree.nodes["opened"] = random.integers(-2, 5, len(tree.nodes))
        tree.means[:] = random.normal(size=len(tree.means))
        for codes, _ in Forest([tree, tree]).best_lines(5):
            assert 0 < len(codes) <= state.game.max_turn + 1


def test_layers_of_any_content_give_lines():
    room = BeamLayers(arena=40, **dict.fromkeys(("order", "layer_order", "parents", "actions", "values"), 20))
    reader = LayerReader(room, room)
    random = np.random.default_rng(1)
    for used in range(-3, 60):
        room.arena_used, room.count = used, int(random.integers(-3, 40))
        for name in ("order", "layer_order", "parents"):
            room.array(name)[:] = random.integers(-5, 45, 20)
        room.array("arena")["parent"] = random.integers(-5, 45, 40)
        assert all(len(codes) <= 41 for codes, _ in reader.best_children(3))


@pytest.mark.parametrize("spec", ["mcts", "greedy-turn", "online-evolution:streams=2", "slow"])
@pytest.mark.parametrize("hands", ["open", "hidden"])
def test_a_wish_to_stop_from_before_the_search_ends_the_next_one_only(spec, hands):
    state = turnwise.make(f"hero-academy:map=a-tiny,deck=tiny,hands={hands}").start(seed=1)
    planner, live = Slow() if spec == "slow" else turnwise.planner(spec), LiveSearch()
    planner.plan(state, "iterations=2", 3)
    with live:
        live.interrupt()  # only the search that runs, and none does
        assert planner.plan(state, "iterations=2", 3).report.stopped_by != "interrupt"
        live.interrupt(or_next=True)
        began = time.monotonic()
        assert planner.plan(state, "time=60s", 3).report.stopped_by == "interrupt"
        assert time.monotonic() - began < 30
        assert planner.plan(state, "iterations=2", 3).report.stopped_by != "interrupt"
