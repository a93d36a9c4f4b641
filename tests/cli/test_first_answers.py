"""Answers before the engine is loaded: the driver, the transition to the engine, input left to the engine."""

import os
import re
import subprocess
import sys
import time

import pytest

import turnwise
from turnwise.arena.contest.loop import play_contest
from turnwise.cli.first_answers import FirstAnswers
from turnwise.games.search_race.first_answers import SearchRaceDriver, drive
from turnwise.testing.referee import PROGRAM, referee

RACE = "search-race:track=test7"
BUSY = 0.5  # seconds of tolerance on a busy machine


def race_start(game):
    return game.contest().opening_lines(game)


def race_lines(state):
    return state.game.contest().turn_lines(state)


class Pipe:
    """A pipe to a FirstAnswers, and the lines that it writes."""

    def __init__(self):
        source, self._sink = os.pipe()
        self.written = []
        self.first = FirstAnswers(SearchRaceDriver(), source, lambda line: self.written.append(line.rstrip("\n")))

    def send(self, lines):
        os.write(self._sink, "".join(line + "\n" for line in lines).encode())

    def close(self):
        os.close(self._sink)

    def wait_for(self, count):
        end = time.monotonic() + 5.0
        while len(self.written) < count and time.monotonic() < end:
            time.sleep(0.002)
        assert len(self.written) == count


@pytest.fixture
def quick(monkeypatch):
    monkeypatch.setattr(SearchRaceDriver, "first_seconds", 0.01)
    monkeypatch.setattr(SearchRaceDriver, "later_seconds", 0.01)


def test_the_driver_loads_nothing_heavy():
    code = (
        "import sys; from turnwise.registry import game_settings, load\n"
        "load(game_settings('search-race').driver, 'driver')()\n"
        "print({'numpy', 'numba', 'pydantic'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_the_driver_finishes_a_race():
    state = turnwise.make(RACE).start()
    targets = [tuple(map(int, line.split())) for line in race_start(state.game)[1:]]
    while not state.is_over:
        number, *car = map(int, race_lines(state)[0].split())
        state = state.play(drive(targets[number], tuple(car)))
    assert 0 < state.metrics(0)["time"] < 600


def test_the_engine_continues_after_the_driver(quick):
    state = turnwise.make(RACE).start()
    pipe = Pipe()
    pipe.send([*race_start(state.game), *race_lines(state)])
    pipe.wait_for(1)
    for turn in range(2, 5):
        state = state.play(pipe.written[-1])
        pipe.send(race_lines(state))
        pipe.wait_for(turn)
    state = state.play(pipe.written[-1])
    answers, seen, budgets = [], [], []

    class Watcher:
        def plan(self, now, budget, seed=0):
            seen.append(now)
            budgets.append(budget.seconds)
            return turnwise.planner("random").plan(now, budget, seed)

    def take_over():
        answered = pipe.first.take_over()
        pipe.send(race_lines(state))
        pipe.close()
        while pipe.first._lines[-1][0] != "":  # lines are stamped when they are read, which may be late
            time.sleep(0.001)
        time.sleep(0.02)  # the referee's clock runs
        return answered

    protocol = turnwise.GAMES.get("search-race").contest()
    arrived = pipe.first.arrived
    report = play_contest(
        protocol, Watcher(), pipe.first.readline, answers.append, arrived=arrived, take_over=take_over
    )
    assert report.answers == 5
    assert len(answers) == 1
    assert len(pipe.first.seconds) == 4
    assert seen[0].to_dict() == state.to_dict()
    assert budgets[0] < 0.05 - 0.015 - 0.02


def test_the_engine_takes_a_young_first_turn_over():
    state = turnwise.make(RACE).start()
    pipe = Pipe()
    pipe.send([*race_start(state.game), *race_lines(state)])
    time.sleep(0.1)
    assert pipe.first.take_over() == pipe.written == []
    assert pipe.first.readline(1000) == race_start(state.game)[0] + "\n"
    assert 0.05 < time.monotonic() - pipe.first.arrived() < 0.1 + BUSY
    pipe.close()


def test_a_turn_that_is_too_old_is_left_to_the_driver(quick, monkeypatch):
    monkeypatch.setattr(SearchRaceDriver, "first_seconds", 0.2)
    monkeypatch.setattr(SearchRaceDriver, "take_over_seconds", 0.05)
    state = turnwise.make(RACE).start()
    pipe = Pipe()
    pipe.send([*race_start(state.game), *race_lines(state)])
    time.sleep(0.1)
    assert len(pipe.first.take_over()) == len(pipe.written) == 1
    assert 0.2 <= pipe.first.seconds[0] < 0.2 + BUSY
    pipe.close()


def test_every_move_set_has_the_drivers_answers():
    for moves in ("ten", "all", "turns", "grid"):
        state = turnwise.make(f"{RACE},moves={moves}").start()
        assert state.is_legal("EXPERT 7 133")


@pytest.mark.parametrize("lines", [["two"], ["6", "1 2"], ["1", "a b", "0 1 1 0 0 0"], ["1", "1 2", "0 1 1 0 0"]])
def test_what_the_protocol_does_not_say_is_left_to_the_engine(quick, lines):
    pipe = Pipe()
    pipe.send(lines)
    pipe.close()
    time.sleep(0.1)
    pipe.first.take_over()
    assert pipe.written == []
    assert [pipe.first.readline(1000) for _ in lines] == [line + "\n" for line in lines]
    assert pipe.first.readline(1000) == ""
    assert pipe.first.readline(1000) == ""


def test_long_lines_come_in_parts_and_a_last_line_may_lack_its_end():
    pipe = Pipe()
    os.write(pipe._sink, b"abcdef")
    pipe.close()
    assert [pipe.first.readline(4) for _ in range(3)] == ["abcd", "ef\n", ""]


def test_the_first_answer_is_in_time_though_the_referee_does_not_wait():
    played = referee(RACE, "--planner", "random", most=3)
    assert played.code == 0, played.stderr
    assert played.seconds[0] < 1.0 + BUSY
    assert "3 answers" in played.stderr
    first_seconds = float(re.search(r"the first took ([0-9.]+) s", played.stderr)[1])
    assert abs(first_seconds - played.seconds[0]) < BUSY


def test_the_driver_answers_for_a_slow_engine():
    slow = "import time, turnwise.arena.contest.loop as c; c.rehearse = lambda *given: time.sleep(1.5) or 0.0"
    played = referee(RACE, "--planner", "random", most=4, program=f"{slow}; {PROGRAM}")
    assert re.search(r"4 answers, [1-4] of them by the driver", played.stderr), played.stderr


def test_a_referee_who_does_not_listen_blocks_nothing(quick, monkeypatch):
    monkeypatch.setattr(SearchRaceDriver, "take_over_seconds", 0.0)

    def refuse(line):
        raise BrokenPipeError

    source, sink = os.pipe()
    first = FirstAnswers(SearchRaceDriver(), source, refuse)
    state = turnwise.make(RACE).start()
    os.write(sink, "".join(line + "\n" for line in [*race_start(state.game), *race_lines(state)]).encode())
    time.sleep(0.1)
    assert first.take_over() == []
    os.close(sink)
