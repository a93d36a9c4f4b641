"""Streams: the same plan for any number of threads, divided limits, summed counters, interrupts, memory."""

import copy
import pickle
import threading
import time

import pytest

import turnwise
from doubles.counting_game import Counting
from doubles.effort import effort
from turnwise.core.budget import Budget, parse_budget
from turnwise.core.errors import OptionError, TurnwiseError
from turnwise.jit.room import LINE
from turnwise.search.parameters import StreamParameters
from turnwise.search.problem import Problem
from turnwise.search.search_planner import watch_searches
from turnwise.search.streams import Streams, memories

PLANNERS = [
    "mcts",
    "mcts-bridge-burning",
    "mcts:completion=end,transpositions=false",
    "online-evolution:population=8,migration=2",
    "rhea:population=6,offspring=6,elites=2,migration=2,length=8",
    "nrpa:levels=2,iterations=4",
    "sp-mcts",
    "turn-maximin",
]
BUDGETS = effort(
    ["iterations=61", "forward=700", "evaluations=50", "iterations=13/action", "forward=100/action"],
    ["iterations=16", "forward=200", "evaluations=4/action"],
)


def planner(text, **more):
    return turnwise.planner(text, **more)


def found(plan):
    counters = plan.report.forward_calls, plan.report.evaluations, plan.report.iterations, plan.report.stopped_by
    return plan.codes, plan.value, plan.alternatives, plan.continuation, counters, dict(plan.report.details)


@pytest.mark.parametrize("text", PLANNERS)
@pytest.mark.parametrize("game", ["hero-academy", "samegame"])
def test_threads_do_not_change_a_plan(text, game):
    state = turnwise.make(game).start(seed=1)
    for budget in BUDGETS:
        plans = [planner(text, streams=3, threads=n).plan(state, parse_budget(budget), seed=4) for n in (1, 2, 3)]
        assert found(plans[0]) == found(plans[1]) == found(plans[2])


@pytest.mark.parametrize("text", PLANNERS)
def test_threads_do_not_change_a_game(text):
    """Sessions keep what they know for each stream."""
    games = []
    for threads in (1, 3):
        state = turnwise.make("samegame").start(seed=1)
        session = planner(text, streams=3, threads=threads).session(state.game, 0, seed=2)
        plans = []
        for _ in range(3):
            plans.append(session.plan(state, Budget(iterations=effort(60, 12))))
            state = state.play(plans[-1].codes[0])
        games.append([found(plan) for plan in plans])
    assert games[0] == games[1]


@pytest.mark.parametrize("text", PLANNERS)
def test_streams_search_differently_and_limits_are_divided(text):
    state = turnwise.make("hero-academy").start(seed=1)
    limits = {"forward_calls": 900, "iterations": 31}
    for name, limit in limits.items():
        report = planner(text, streams=4, threads=2).plan(state, Budget(**{name: limit}), seed=1).report
        assert report.stopped_by == "budget"
        least = 0 if text == "turn-maximin" else limit  # streams wait for one another: one may have nothing left to do
        assert least <= getattr(report, name) <= limit + (name == "forward_calls") * state.game.max_turn


def test_rhea_and_sp_mcts_keep_what_every_stream_knows():
    for text, figure in (("rhea:population=6,offspring=6,elites=2,length=8", "shifted"), ("sp-mcts", "kept")):
        state = turnwise.make("samegame").start(seed=1)
        session = planner(text, streams=2).session(state.game, 0, seed=2)
        plan = session.plan(state, Budget(iterations=effort(400, 40)))
        again = session.plan(state.play(plan.codes[0]), Budget(iterations=10))
        assert again.report.details[figure] >= 1
        with pytest.raises(TurnwiseError, match="cannot be pickled"):
            pickle.dumps(session)
        with pytest.raises(TurnwiseError, match="cannot be pickled"):
            copy.copy(session)


def test_one_stream_is_the_search_itself():
    state = turnwise.make("samegame").start(seed=1)
    problem = Problem(state, Budget(iterations=3), 5)
    with Streams(problem, Budget(iterations=3), StreamParameters(), lambda b, s: pytest.fail("no other")) as streams:
        assert streams.run(lambda index: (index, threading.current_thread())) == [(0, threading.current_thread())]
    assert streams.problems == [problem]
    memory = {}
    assert memories(memory, 1) == [memory]
    assert memories(memory, 3) is memories(memory, 3)


def made(budget, streams, threads, state=None):
    state = state or turnwise.make("samegame").start(seed=1)
    problem = Problem(state, budget, 5)
    settings = StreamParameters(streams=streams, threads=threads)
    return Streams(problem, budget, settings, lambda b, s: Problem(state, b, s))


def test_streams_have_seeds_of_their_own():
    with made(Budget(iterations=4), 4, 1) as streams:
        seeds = {part.seed for part in (streams.problem, *streams.problems)}
        words = {int(part.record.array("rng")[1]) for part in streams.problems}
    assert len(seeds) == 5
    assert len(words) == 4


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_as_many_streams_run_at_a_time_as_there_are_threads(threads):
    running, most, lock = set(), [], threading.Lock()

    def work(index):
        with lock:
            running.add(index)
            most.append(len(running))
        time.sleep(0.05)
        with lock:
            running.remove(index)

    with made(Budget(iterations=3), 3, threads) as streams:
        streams.run(work)
    assert max(most) == threads


def test_streams_of_plain_python_games_run_one_after_the_other():
    state = Counting().start(seed=1)
    with made(Budget(iterations=4), 4, 4, state) as streams:
        assert set(streams.run(lambda _: threading.current_thread())) == {threading.current_thread()}


@pytest.mark.parametrize("text", PLANNERS)
def test_plain_python_games_have_streams(text):
    state = Counting().start(seed=1)
    plans = [planner(text, streams=3, threads=n).plan(state, Budget(iterations=9), seed=4) for n in (1, 3)]
    assert found(plans[0]) == found(plans[1])


def test_an_error_in_one_stream_stops_the_others():
    def work(index):
        if index == 1:
            raise ValueError("broken")
        while streams.problems[index].record.stop == 0:
            time.sleep(0.001)

    with pytest.raises(ValueError, match="broken"), made(Budget(seconds=1000), 3, 3) as streams:
        streams.run(work)


@pytest.mark.parametrize("text", PLANNERS)
@pytest.mark.parametrize("threads", [1, 2])
def test_an_interrupt_stops_all_streams(text, threads):
    """As Ctrl-C does; the line found so far is completed."""
    state = turnwise.make("samegame").start(seed=1)
    mind = planner(text, streams=2, threads=threads)
    mind.plan(state, Budget(iterations=4))  # compiled before the clock runs

    def interrupt(problem):
        threading.Timer(0.2, problem.interrupt).start()

    began = time.monotonic()
    with watch_searches(interrupt):
        plan = mind.plan(state, Budget(seconds=1000))
    assert plan.report.stopped_by == "interrupt"
    assert plan.is_complete
    assert time.monotonic() - began < 20


@pytest.mark.parametrize("text", ["mcts", "online-evolution"])
def test_counters_grow_while_streams_run(text):
    state = turnwise.make("hero-academy").start(seed=1)
    mind = planner(text, streams=2, threads=2)
    mind.plan(state, Budget(iterations=4))
    seen = []

    def watch(problem):
        def look():
            while problem.record.stop == 0 and len(seen) < 100:
                seen.append(problem.record.forward_calls)
                time.sleep(0.01)

        threading.Thread(target=look).start()

    with watch_searches(watch):
        mind.plan(state, Budget(seconds=0.6))
    assert len({count for count in seen if count > 0}) > 2


@pytest.mark.compiled_only("times of a slow machine")
@pytest.mark.parametrize("text", ["mcts", "rhea", "sp-mcts", "nrpa", "online-evolution", "turn-maximin"])
def test_time_is_shared_by_streams_of_one_thread(text):
    state = turnwise.make("samegame").start(seed=1)
    mind = planner(text, streams=3, threads=1)
    mind.plan(state, Budget(iterations=6))
    began = time.monotonic()
    plan = mind.plan(state, Budget(seconds=0.6))
    assert 0.3 < time.monotonic() - began < 1.5
    assert plan.report.stopped_by == "time"


def test_small_arrays_have_cache_lines_of_their_own():
    problems = [Problem(turnwise.make("samegame").start(seed=1), Budget(iterations=1), n) for n in range(3)]
    assert all(p.record.address % LINE == 0 and p.record.rng % LINE == 0 for p in problems)


def test_more_threads_than_streams_are_refused():
    for text in ("mcts:threads=2", "rhea:streams=2,threads=3", "sp-mcts:streams=1,threads=2"):
        with pytest.raises(OptionError, match=r"threads \(\d\) must not exceed streams \(\d\).*would be idle"):
            planner(text)
    assert planner("nrpa:streams=3,threads=3").parameters.threads == 3
