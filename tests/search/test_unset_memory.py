"""What a record calls ``unset`` is written before it is read: nothing of an earlier search gets into a plan."""

import numpy as np
import pytest

import turnwise
from turnwise import Budget
from turnwise.jit.record import Floats, Ints, Record

GAMES = {"hero-academy": "hero-academy:map=a-tiny,deck=tiny", "samegame": "samegame"}
BUDGETS = [Budget(iterations=40, scope="action"), Budget(forward_calls=300), Budget(forward_calls=0, scope="action")]


class Table(Record):
    unset = ("notes",)

    notes: Ints
    counts: Ints
    shares: Floats


def test_a_restored_record_keeps_what_is_in_unset_arrays():
    table = Table(notes=3, counts=2, shares=2)
    made = table.contents()
    for name in ("notes", "counts", "shares"):
        table.array(name)[:] = 7
    table.restore(made)
    assert [table.array(name).tolist() for name in ("notes", "counts", "shares")] == [[7] * 3, [0] * 2, [0.0] * 2]
    assert [table.counts[0], table.notes[2]] == [0, 7]


def spoil(record):
    """Fill all arrays that may hold anything."""
    for name in record.unset:
        if name in record._room._places:
            record.array(name).view(np.uint8)[:] = 0xA5


def plans(text, game):
    """Plans of one session under several budgets, from two states each."""
    start = game.start(seed=2)
    session = turnwise.planner(text).session(game, start.to_move, 3)
    states = [start, start.play(start.legal_codes()[0])]
    made = [session.plan(state.view(state.to_move), budget) for budget in BUDGETS for state in states]
    return [(plan.codes, plan.value, plan.report.forward_calls, plan.report.details) for plan in made]


@pytest.mark.compiled_only("uncompiled searches take minutes")
@pytest.mark.parametrize(
    ("game", "text"),
    [
        *(("hero-academy", name) for name in ("mcts", "mcts-unit-ordered", "naive-mcts", "lsi", "online-evolution")),
        ("hero-academy", "mcts:information-set=true"),
        *(("samegame", name) for name in ("mcts", "sp-mcts", "rhea-mcts", "mcts-rhea", "nrpa", "lsi")),
    ],
)
def test_plans_do_not_depend_on_what_unset_arrays_hold(monkeypatch, game, text):
    scenario, restored = turnwise.make(GAMES[game]), []
    expected = plans(text, scenario)
    restore = Record.restore

    def restore_and_spoil(record, contents):
        restore(record, contents)
        spoil(record)
        restored.append(type(record).__name__)

    monkeypatch.setattr(Record, "restore", restore_and_spoil)
    assert plans(text, scenario) == expected
    assert restored
