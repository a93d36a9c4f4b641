"""Turns of thousands of actions: planned, played, stored and replayed in time linear in their length."""

import gc
import time

import pytest

import turnwise
from doubles.toy_game import Toy
from turnwise.arena.match import play_game
from turnwise.registry import GAMES
from turnwise.replay import read_replay

SHORT, LONG = 250, 2000
# Eight times the length: eight times the time if it is linear, 64 times if it is quadratic. The limit leaves room for
# other work on the machine and for caches that a long turn outgrows.
LIMIT = 24.0
pytestmark = pytest.mark.compiled_only("times of long turns")


def fastest(work, times=3):
    best = float("inf")
    for _ in range(times):
        gc.collect()
        began = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - began)
    return best


def game_of(length):
    return Toy(players=2, points=length, turns=2, end="forced")


@pytest.mark.parametrize("budget", ["forward=20000", "forward=20/action"])
@pytest.mark.parametrize("text", ["random", "greedy-action", "beam-search:width=2", "mcts", "online-evolution", "rhea"])
def test_planning_is_linear(text, budget):
    planner, limits = turnwise.planner(text), turnwise.parse_budget(budget)
    seconds = {}
    for length in (SHORT, LONG):
        state = game_of(length).start()
        assert len(planner.plan(state, limits).codes) == length + 1
        seconds[length] = fastest(lambda state=state: planner.plan(state, limits))
    assert seconds[LONG] < LIMIT * seconds[SHORT], seconds


def test_playing_storing_and_replaying_are_linear(monkeypatch):
    monkeypatch.setitem(GAMES._classes, "toy", Toy)
    planner = turnwise.planner("random")
    play, store, replay = {}, {}, {}
    for length in (SHORT, LONG):
        game = game_of(length)
        record = play_game(game, [planner, planner], "forward=100", seed=1)
        text = record.replay.model_dump_json()
        assert len(record.replay.steps) > length  # the others may be struck down in the first turn
        assert list(read_replay(text).states())[-1].is_over
        play[length] = fastest(lambda game=game: play_game(game, [planner, planner], "forward=100", seed=1))
        store[length] = fastest(lambda record=record: record.replay.model_dump_json())
        replay[length] = fastest(lambda text=text: list(read_replay(text).states()))
    for seconds in (play, store, replay):
        assert seconds[LONG] < LIMIT * seconds[SHORT], (play, store, replay)
