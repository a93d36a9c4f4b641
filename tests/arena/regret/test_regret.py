"""What turns cost after a reply: the values themselves, resumption, and files of other measurements."""

import json
from dataclasses import replace

import pytest

from turnwise.arena.regret import REFERENCE, Regret, RegretSpec, measure_regret
from turnwise.arena.regret.measurement import job_text, play_turn, sample_position
from turnwise.arena.regret.run import stored_regret
from turnwise.arena.results.writing import ResultsMismatchError
from turnwise.core.errors import DamagedFileError, OptionError, TurnwiseError

TINY = "hero-academy:map=a-tiny,deck=tiny,hands=open,action_points=2,first_turn_points=2,turn_limit=12"
SPEC = RegretSpec(
    game=TINY,
    players={"greedy": "greedy-action", "random": "random"},
    budgets={"greedy": "iterations=10", "random": "iterations=10"},
    reference="greedy-turn",
    reference_budget="forward=300",
    reply="greedy-turn",
    reply_budget="forward=300",
    sources=("random", "greedy-action"),
    source_budget="iterations=10",
    positions=4,
    seed=3,
)


def position(spec, number):
    return sample_position(json.loads(job_text(spec, number, ())))


def test_a_turn_is_worth_what_is_left_after_the_reply(tmp_path):
    found = measure_regret(SPEC, tmp_path / "regret.jsonl")
    assert found.positions == 4
    line = json.loads((tmp_path / "regret.jsonl").read_text().splitlines()[2])
    state = start = position(SPEC, 1)
    assert line["state"] == start.to_dict()
    key = SPEC.everybody["greedy"].key
    for action in line["turns"][key]["actions"]:
        state = state.play(action)
    assert (state.to_move, state.turn) != (start.to_move, start.turn)
    replied, _ = play_turn(state, "greedy-turn", "forward=300", 0)  # no choice of it is random
    assert found.values["greedy"][1] == pytest.approx(replied.evaluate(start.to_move))
    assert found.losses(REFERENCE) == (0.0,) * 4
    assert found.losses("greedy")[1] == found.values[REFERENCE][1] - found.values["greedy"][1]


def test_positions_are_starts_of_turns_and_the_same_again():
    states = [position(SPEC, number) for number in range(4)]
    assert [position(SPEC, number) for number in range(4)] == states
    assert len(set(states)) == 4
    assert {state.to_move for state in states} == {0, 1}
    assert all(len(state.legal_codes()) > 1 for state in states)


def test_only_what_is_missing_is_measured(tmp_path):
    path, steps = tmp_path / "regret.jsonl", []
    first = measure_regret(replace(SPEC, positions=2), path)
    two = path.read_bytes()
    measure_regret(SPEC, path, progress=lambda done, total: steps.append((done, total)))
    assert steps == [(2, 4), (3, 4), (4, 4)]
    assert path.read_bytes().startswith(two)
    more = replace(SPEC, players={"end": "do-nothing", **SPEC.players}, budgets={"end": "iterations=1", **SPEC.budgets})
    assert stored_regret(more, path) is None
    found = measure_regret(more, path)
    assert list(json.loads(path.read_text().splitlines()[-1])["turns"]) == [more.everybody["end"].key]
    assert found.values["greedy"][:2] == first.values["greedy"]
    whole = path.read_bytes()
    measure_regret(more, path)
    assert path.read_bytes() == whole


def test_a_line_that_was_cut_off_is_measured_again(tmp_path):
    path = tmp_path / "regret.jsonl"
    first = measure_regret(SPEC, path)
    path.write_bytes(path.read_bytes()[:-20])
    assert stored_regret(SPEC, path).positions == 3
    assert measure_regret(SPEC, path) == first


def test_files_of_other_measurements_are_refused(tmp_path):
    path = tmp_path / "regret.jsonl"
    measure_regret(replace(SPEC, positions=1), path)
    other = replace(SPEC, seed=4)
    with pytest.raises(ResultsMismatchError, match="another measurement"):
        measure_regret(other, path)
    assert stored_regret(other, path) is None
    assert not path.with_name("regret.jsonl.lock").exists()
    path.write_text("no results\n")
    with pytest.raises(DamagedFileError, match="not a file of measured turns"):
        measure_regret(SPEC, path)


@pytest.mark.parametrize("line", ['{"position": 0}', '{"turns": {}}', "7", '{"position": 0, "turns": {"x": 1}}'])
def test_a_line_without_what_it_needs_is_refused(line, tmp_path):
    path = tmp_path / "turns.jsonl"
    measure_regret(SPEC, path)
    path.write_text(path.read_text() + line + "\n")
    with pytest.raises(DamagedFileError, match="not a file of measured turns"):
        measure_regret(SPEC, path)


def test_what_cannot_be_measured_is_refused():
    with pytest.raises(OptionError, match="for two players"):
        replace(SPEC, game="samegame:board=1")
    with pytest.raises(OptionError, match="two sources"):
        replace(SPEC, sources=("random",))
    with pytest.raises(OptionError, match="needs a budget"):
        replace(SPEC, budgets={})


def test_a_position_that_fails_ends_the_measurement(tmp_path, monkeypatch):
    monkeypatch.setattr("turnwise.arena.regret.run.measure", lambda text: '{"error": "no such thing"}')
    with pytest.raises(TurnwiseError, match="Position 0 could not be measured: no such thing"):
        measure_regret(SPEC, tmp_path / "regret.jsonl")


def test_losses_are_paired_by_position():
    found = Regret({REFERENCE: (5.0, 1.0), "one": (3.0, 2.0)})
    assert found.losses("one") == (2.0, -1.0)
