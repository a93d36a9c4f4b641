"""Output for programs counts players from 0, like the state API."""

import csv
import json
import sqlite3
from pathlib import Path

import pytest

import turnwise
from doubles.cli_samples import TINY
from turnwise.arena import open_results
from turnwise.arena.results.export import tables
from turnwise.replay import read_replay
from turnwise.report.replays import pack

OLD_PARTS = ("table", "against-random", "variants", "longest")
"""Parts of the study that were recorded while players counted from 1."""
RECORDED = Path(__file__).parents[2] / "docs" / "studies" / "results" / "oe-2016"
NAMES = ("heuristic", "random")
KEYS = {"format", "turn", "player", "ap", "terminal", "hands", "decks", "seeds", "units"}


@pytest.fixture
def second():
    """A state in which the second player is to move."""
    state = turnwise.make(TINY).start(seed=3).play("end")
    assert state.to_move == 1
    return state


@pytest.fixture
def replay(cli, tmp_path):
    """A match's replay, and the output of ``match --json`` for the game."""
    shown = cli("match", TINY, *NAMES, "-b", "iterations=5", "--out", tmp_path / "game.json", "--json")
    assert shown.code == 0, shown.err
    return read_replay((tmp_path / "game.json").read_text()), shown.json


@pytest.fixture
def store(cli, tmp_path):
    """A tournament's results file."""
    (tmp_path / "t.toml").write_text(
        f'games = ["{TINY}"]\nbudget = "iterations=5"\ngames_per_pair = 2\n'
        f'[players]\n{NAMES[0]} = "{NAMES[0]}"\n{NAMES[1]} = "{NAMES[1]}"\n'
    )
    shown = cli("tournament", "t.toml", "--out", "t.sqlite", "--json")
    assert shown.code == 0, shown.err
    return tmp_path / "t.sqlite"


def check_state(data, state):
    """Compare player numbers of a state's JSON form with the state's attributes."""
    assert set(data) == KEYS
    if not state.is_over:
        assert data["player"] == state.to_move
    for player in range(state.game.players):
        own = [unit for unit in data["units"] if unit[2] == player]
        metrics = state.metrics(player)
        assert metrics["crystals"] == sum(unit[3] == "CR" for unit in own)
        assert metrics["units"] == sum(unit[3] != "CR" and unit[4] > 0 for unit in own)
        assert metrics["cards"] == sum(data["hands"][player]) + sum(data["decks"][player])
    assert {unit[2] for unit in data["units"]} <= set(range(state.game.players))


def check_replay(replay):
    """Compare players, first state and returns of a replay with its states."""
    states = list(replay.states())
    check_state(replay.start, states[0])
    assert [step.player for step in replay.steps] == [state.to_move for state in states[:-1]]
    assert {step.player for step in replay.steps} == {0, 1}
    assert replay.returns == states[-1].returns
    return states


def test_states(second):
    state = second
    for _ in range(40):
        check_state(state.to_dict(), state)
        check_state(json.loads(state.to_json())["state"], state)
        if state.is_over:
            break
        state = state.play(state.legal_actions()[-1])


def test_plans(cli, second, tmp_path):
    (tmp_path / "s.json").write_text(second.to_json())
    command = ("-p", "heuristic", "-b", "iterations=1", "--json")
    assert cli("plan", "--state", "s.json", *command).json["player"] == second.to_move == 1
    assert cli("plan", TINY, *command).json["player"] == turnwise.make(TINY).start().to_move == 0


def test_matches_and_their_replays(replay):
    played, facts = replay
    last = check_replay(played)[-1]
    assert list(played.players) == list(NAMES)
    (game,) = facts["games"]
    assert game["seats"] == list(played.players)
    assert game["returns"] == list(last.returns)
    best = max(last.returns)
    assert [score > 0 for score in game["scores"]] == [result == best for result in last.returns]


def walk(data):
    """Every key of a JSON output with its value, at any depth."""
    if isinstance(data, dict):
        for key, value in data.items():
            yield key, value
            yield from walk(value)
    elif isinstance(data, list):
        for value in data:
            yield from walk(value)


@pytest.mark.parametrize(
    "command",
    [
        ("plan", TINY, "-p", "heuristic"),
        ("match", TINY, *NAMES, "-b", "iterations=1", "-g", 2),
        ("tournament", "t.toml", "--out", "t.sqlite"),
        ("stats", TINY, "-p", "random", "-g", 2, "--positions", 0),
    ],
    ids=lambda command: command[0],
)
def test_a_player_or_seat_in_a_json_output_is_a_name_or_a_number_from_0(cli, store, command):
    shown = cli(*command, "--json")
    assert shown.code == 0, shown.err
    for key, value in walk(shown.json):
        if key in ("player", "seat", "opponent"):
            assert value in (0, 1, *NAMES), (key, value)
        if key == "seats":
            assert sorted(value) == sorted(NAMES)


def test_a_persons_replay(cli, tmp_path):
    for seat in (1, 2):
        file = tmp_path / f"{seat}.json"
        command = ("play", TINY, "-p", "heuristic", "-b", "iterations=1", "--seat", seat, "--out", file)
        shown = cli(*command, typed="end\nquit\n")
        assert shown.code == 0, shown.err
        data = json.loads(file.read_text())
        assert data["players"].index("person") == seat - 1
        states = list(read_replay(file.read_text()).states())
        assert [step["player"] for step in data["steps"]] == [state.to_move for state in states[:-1]]
        assert seat - 1 in {step["player"] for step in data["steps"]}


def test_results_files_and_exports(cli, store, tmp_path):
    with open_results(store) as results:
        records = list(results)
        games, seats = tables(results)
    assert len(records) == 2
    for record in records:
        last = check_replay(record.replay)[-1]
        assert [seat.seat for seat in record.seats] == [0, 1]
        for seat in record.seats:
            assert seat.player == record.replay.players[seat.seat]
            assert seat.result == last.returns[seat.seat]
            assert dict(seat.metrics) == last.metrics(seat.seat)
    expected = [(r.number, s.seat, s.player, s.result) for r in records for s in r.seats]
    stored = sqlite3.connect(store)
    assert stored.execute("SELECT number, seat, player, result FROM seats ORDER BY number, seat").fetchall() == expected
    stored.close()
    assert [(row["number"], row["seat"], row["player"], row["result"]) for row in seats] == expected
    assert [row["players"] for row in games] == [2, 2]  # how many, not which
    for form in ("csv", "parquet"):
        if form == "parquet":
            parquet = pytest.importorskip("pyarrow.parquet")
        assert cli("export", store, "--format", form, "--out", "tables").code == 0
        if form == "csv":
            with (tmp_path / "tables" / "seats.csv").open() as file:
                rows = list(csv.DictReader(file))
        else:
            rows = parquet.read_table(tmp_path / "tables" / "seats.parquet").to_pylist()
        assert [(int(r["number"]), int(r["seat"]), r["player"], float(r["result"])) for r in rows] == expected


def test_games_in_reports(store):
    with open_results(store) as results:
        for record in results:
            states = list(record.replay.states())
            assert [step["p"] for step in pack(record)["steps"]] == [state.to_move for state in states[:-1]]


def test_a_replay_whose_start_counts_from_1_still_replays(cli, replay, tmp_path):
    played, _ = replay
    state = played.make_game().from_dict(played.start)
    old = state.game.state_dict_like(state.row, {})
    assert old["player"] == 1
    saved = tmp_path / "old.json"
    saved.write_text(played.model_copy(update={"start": old}).model_dump_json())
    again = read_replay(saved.read_text())
    assert [s.to_dict() for s in again.states()] == [s.to_dict() for s in played.states()]
    shown = cli("verify", saved)
    assert shown.code == 0, shown.out
    envelope = {**json.loads(state.to_json()), "state": old}
    (tmp_path / "state.json").write_text(json.dumps(envelope))
    assert cli("verify", tmp_path / "state.json").code == 0
    assert cli("plan", "--state", "state.json", "-p", "heuristic", "--json").json["player"] == 0


_OLD = [f"{part}-{reading}" for part in OLD_PARTS for reading in ("sound", "as-published")]


@pytest.mark.parametrize("file", [RECORDED / f"{name}.sqlite" for name in _OLD], ids=lambda file: file.stem)
def test_recorded_games_that_count_from_1_in_their_start_still_replay(file):
    with open_results(file) as results:
        record = next((record for record in results if record.replay.steps), None)
    if record is None:
        pytest.skip("no game's actions were kept")
    assert "format" not in record.replay.start
    states = list(record.replay.states())
    assert [step.player for step in record.replay.steps] == [state.to_move for state in states[:-1]]
    assert [seat.result for seat in record.seats] == [states[-1].returns[seat.seat] for seat in record.seats]
