"""Notices are printed once, on standard error."""

import sys

import turnwise
from turnwise.core import notices
from turnwise.core.budget import Budget
from turnwise.core.notices import notice_once


def test_a_notice_is_given_once(capsys, monkeypatch):
    monkeypatch.setattr(notices, "_given", set())
    for _ in range(2):
        notice_once("it is late.")
    notice_once("it is cold.")
    printed = capsys.readouterr()
    assert printed.err == "turnwise: it is late.\nturnwise: it is cold.\n"
    assert printed.out == ""


def test_worker_processes_give_none(capsys, monkeypatch):
    monkeypatch.setattr(notices, "_given", set())
    monkeypatch.setattr(notices.multiprocessing, "parent_process", lambda: sys)
    notice_once("it is late.")
    assert capsys.readouterr().err == ""


class Walk(turnwise.PythonGame[int, str]):
    """Without an evaluation."""

    players, max_turn, max_actions, bounds = 1, 1, 2, (0.0, 3.0)

    def first_state(self, random):
        return 0

    def to_move(self, state):
        return -1 if state // 10 == 3 else 0

    def turn(self, state):
        return state // 10

    def legal_actions(self, state):
        return ["on", "stay"]

    def play(self, state, action, random):
        return state + 11 if action == "on" else state + 10

    def returns(self, state):
        return (float(state % 10),)


def test_the_default_by_rollouts_is_reported_and_a_choice_is_not(capsys, monkeypatch):
    monkeypatch.setattr(notices, "_given", set())
    state = Walk().start()
    turnwise.planner("greedy-turn", evaluation="rollouts").plan(state, Budget(forward_calls=20))
    assert capsys.readouterr().err == ""
    for _ in range(2):
        turnwise.planner("greedy-turn").plan(state, Budget(forward_calls=20))
    printed = capsys.readouterr().err
    assert printed.count("\n") == 1
    assert "walk" in printed
    assert "define evaluate(state, player)" in printed
