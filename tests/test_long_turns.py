"""Turns of thousands of actions: planned, played, stored and replayed in time linear in their length."""

import gc
import time
from dataclasses import dataclass

import pytest

import turnwise
from doubles.toy_game import Toy
from turnwise.arena.match import play_game
from turnwise.registry import GAMES
from turnwise.replay import read_replay

SHORT, LONG = 250, 2000
# Eight times the length: eight times the time if it is linear, 64 times if it is quadratic. The limit leaves room for
# caches that a long turn outgrows.
LIMIT = 24.0
pytestmark = pytest.mark.compiled_only("times of long turns")


def fastest(work, times=3):
    best = float("inf")
    gc.freeze()  # what all modules and other tests hold takes a second to look through
    for _ in range(times):
        gc.collect()
        began = time.process_time()  # other work on the machine does not count
        work()
        best = min(best, time.process_time() - began)
    gc.unfreeze()
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


@dataclass(frozen=True)
class Way:
    """How far a walk has come, and what it found."""

    steps: int = 0
    found: int = 0


class Walk(turnwise.PythonGame[Way, str]):
    """One turn of many steps; each tenth one finds something, by chance. Counts the calls of ``play``."""

    players = 1
    max_actions = 2
    is_stochastic = True

    def __init__(self, length):
        self.max_turn = self.length = length
        self.calls = 0
        super().__init__()

    def first_state(self, random):
        return Way()

    def to_move(self, state):
        return 0 if state.steps < self.length else -1

    def turn(self, state):
        return 0

    def legal_actions(self, state):
        return ["walk", "run"]

    def play(self, state, action, random):
        self.calls += 1
        return Way(state.steps + 1, state.found + (random.draw(1000) if state.steps % 10 == 9 else 0))

    def returns(self, state):
        return [state.found / 1e6]


class Ahead(turnwise.PythonPlanner):
    """Looks at nothing."""

    name = title = "ahead"

    def search(self, state, meter, random):
        return []


@pytest.mark.parametrize("budget", ["forward=0", "forward=20/action"])
@pytest.mark.parametrize("planner", ["random", "mcts", Ahead()], ids=str)
def test_a_turn_with_many_surprises_is_linear(planner, budget):
    """A new plan after each surprise is not completed to the end of the turn."""
    short, long = 200, 1000
    calls = {}
    for length in (short, long):
        game = Walk(length)
        record = play_game(game, [planner], budget, seed=1)
        assert len(record.replay.steps) == length
        assert sum(len(step.note.plan) for step in record.replay.steps if step.note is not None) <= 70 * length
        calls[length] = game.calls
    assert calls[long] < 1.2 * long / short * calls[short], calls


def test_the_first_plan_of_a_turn_and_short_turns_are_complete():
    session = turnwise.planner("random").session(Walk(100), 0, 1)
    state, lengths = session.game.start(1), []
    while not state.is_over:
        seen = state.with_chance(len(lengths))  # what chance brings is not what the plan expects
        code, plan = session.next_action(seen, turnwise.Budget(forward_calls=0))
        lengths += [] if plan is None else [(len(plan.codes), plan.is_complete)]
        state = state.play(code)
    assert lengths[0] == (100, True)
    assert lengths[1] == (64, False)
    assert lengths[4:] == [(60 - 10 * i, True) for i in range(6)]
