"""Tunings with a results file: games of small tournaments, continuation, workers, functions, refusals, faults."""

import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest

from doubles import tuned
from doubles.tuned import SPEC
from turnwise.arena.results.writing import ResultsBusyError, ResultsMismatchError
from turnwise.core.errors import DamagedFileError, OptionError, TurnwiseError, UnknownNameError
from turnwise.registry import load_presets
from turnwise.search.presets import added, remove
from turnwise.tuning.campaign import run_tuning
from turnwise.tuning.fitness import make_fitness
from turnwise.tuning.page import forfeit_words
from turnwise.tuning.plan import Trial
from turnwise.tuning.specification import make_tuning, read_tuning

IMPORTS = ["doubles.arena_doubles", "doubles.tuned"]
FUNCTION = {
    "fitness": "doubles.tuned:parabola",
    "evaluations": 40,
    "parameters": {"x": {"from": 0, "to": 9}},
}


def spec(**changed):
    return make_tuning(**(SPEC | changed))


def rows(path):
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("SELECT * FROM samples ORDER BY trial, number").fetchall()


def test_an_evaluation_is_a_tournament_with_balanced_seats(tmp_path):
    fitness = make_fitness(spec(games_per_pair=4))
    trial = Trial("run 0, 0", "search", 0, (2, 1), 77)
    jobs = [json.loads(job) for job in fitness.jobs(trial, {"dial": 2, "extra": 1.0})]
    assert len(jobs) == fitness.size == 8
    for opponent in ("plain", "plain:salt=1"):
        mine = [job for job in jobs if opponent in job["names"]]
        assert [job["names"].index("tuned") for job in mine] in ([0, 1, 0, 1], [1, 0, 1, 0])
        assert len({job["start_seed"] for job in mine}) == 2
    assert {text for job in jobs for text in job["players"]} == {"dial:dial=2", "plain", "plain:salt=1"}
    other = [json.loads(job) for job in fitness.jobs(Trial("", "search", 0, (2, 1), 78), {"dial": 2, "extra": 1.0})]
    assert not {job["start_seed"] for job in jobs} & {job["start_seed"] for job in other}


def test_the_fitness_is_the_mean_score(tmp_path):
    tuning = run_tuning(spec(), tmp_path / "t.sqlite")
    assert len(tuning.evaluations) == 12
    stored = {}
    for trial, _, _, _, fitness, detail, _ in rows(tmp_path / "t.sqlite"):
        stored.setdefault(trial, []).append(fitness)
        assert "toy:turns=4, seat " in detail
        assert fitness in (0.0, 0.5, 1.0)
    for evaluation in tuning.evaluations:
        assert evaluation.samples == tuple(stored[evaluation.trial.key])
        assert evaluation.fitness == sum(evaluation.samples) / 4
    assert len(stored) == 12


def test_a_draw_can_count_less(tmp_path):
    half = run_tuning(spec(), tmp_path / "half.sqlite")
    quarter = run_tuning(spec(algorithm="grid", draw=0.25), tmp_path / "quarter.sqlite")
    samples = [sample for evaluation in quarter.evaluations for sample in evaluation.samples]
    assert set(samples) == {0.0, 0.25, 1.0}
    played = {one.trial.key: one.samples for one in run_tuning(spec(algorithm="grid"), tmp_path / "g").evaluations}
    for evaluation in quarter.evaluations:
        same = [0.25 if sample == 0.5 else sample for sample in played[evaluation.trial.key]]
        assert list(evaluation.samples) == same
    assert {sample for evaluation in half.evaluations for sample in evaluation.samples} == {0.0, 0.5, 1.0}


def test_another_weight_of_draws_is_another_tuning(tmp_path):
    run_tuning(spec(), tmp_path / "t.sqlite")
    run_tuning(spec(draw=0.5), tmp_path / "t.sqlite")
    with pytest.raises(ResultsMismatchError):
        run_tuning(spec(draw=0.25), tmp_path / "t.sqlite")


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"fitness": "result"}, "the games' results"),
        ({"games": ("toy:players=3,turns=4",)}, "ranks of 3 players"),
    ],
)
def test_draws_count_only_in_scores_of_two_players(fields, words):
    with pytest.raises(OptionError, match=f"draw = 0.25 has no meaning here, since the fitness is made of {words}"):
        make_fitness(spec(draw=0.25, **fields))


def test_functions_have_no_draws():
    with pytest.raises(OptionError, match="no games, but 'draw' is given"):
        make_tuning(**FUNCTION, draw=0.25)


def test_a_finished_tuning_is_read_and_not_played_again(tmp_path):
    path, steps = tmp_path / "t.sqlite", []
    first = run_tuning(spec(), path)
    before = path.read_bytes()
    again = run_tuning(spec(name="other name"), path, progress=steps.append)
    assert again.evaluations == first.evaluations
    assert again.point == first.point
    assert steps[-1].played == 0
    assert steps[-1].done == steps[-1].total == 48
    assert rows(path)
    assert len(before) > 0
    assert sorted(file.name for file in tmp_path.iterdir()) == ["t.sqlite"]


class Stopped(Exception):
    pass


@pytest.mark.parametrize("after", [1, 7, 30, 47])
def test_an_interrupted_tuning_continues_where_it_stopped(tmp_path, after):
    whole = run_tuning(spec(), tmp_path / "whole.sqlite")
    path, steps = tmp_path / "t.sqlite", []

    def stop(step):
        if step.played == after:
            raise Stopped

    with pytest.raises(Stopped):
        run_tuning(spec(), path, progress=stop)
    assert len(rows(path)) == after
    tuning = run_tuning(spec(), path, progress=steps.append)
    assert tuning.evaluations == whole.evaluations
    assert steps[-1].played == 48 - after
    assert rows(path) == rows(tmp_path / "whole.sqlite")


def test_a_killed_tuning_loses_no_finished_game(tmp_path):
    """The process dies in the middle of its third game."""
    path = tmp_path / "t.sqlite"
    code = (
        "import os, sys, signal\n"
        f"sys.path[:0] = {[p for p in sys.path if p]!r}\n"
        "from turnwise.tuning.campaign import run_tuning\n"
        "from turnwise.tuning.specification import make_tuning\n"
        "import doubles.arena_doubles, doubles.tuned\n"
        "def step(p):\n"
        "    if p.played == 3: os.kill(os.getpid(), signal.SIGKILL)\n"
        f"run_tuning(make_tuning(**doubles.tuned.SPEC), {str(path)!r}, progress=step)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == -9, done.stderr
    steps = []
    tuning = run_tuning(spec(), path, progress=steps.append)
    assert steps[-1].played == 45
    assert tuning.evaluations == run_tuning(spec(), tmp_path / "whole.sqlite").evaluations


def test_more_evaluations_use_the_stored_ones(tmp_path):
    path, steps = tmp_path / "t.sqlite", []
    run_tuning(spec(runs=1), path)
    longer = run_tuning(spec(runs=1, evaluations=20), path, progress=steps.append)
    assert steps[-1].played == 4 * 8
    assert longer.evaluations == run_tuning(spec(runs=1, evaluations=20), tmp_path / "n.sqlite").evaluations


@pytest.mark.slow
def test_the_number_of_workers_changes_nothing(tmp_path, monkeypatch):
    """Two processes, of which one dies once in its first game."""
    pytest.importorskip("distributed")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(path for path in sys.path if path))
    one = run_tuning(spec(batch=2), tmp_path / "one.sqlite")
    monkeypatch.setenv("TUNING_TEST_DIE", str(tmp_path / "died"))
    messages = []
    two = run_tuning(
        spec(batch=2),
        tmp_path / "two.sqlite",
        workers=2,
        imports=IMPORTS,
        progress=lambda step: messages.append(step.message),
    )
    assert two.evaluations == one.evaluations
    assert (tmp_path / "died").exists()
    assert any("worker died" in text for text in messages)
    assert rows(tmp_path / "one.sqlite") == rows(tmp_path / "two.sqlite")


def test_the_batch_changes_the_points(tmp_path):
    one = run_tuning(spec(), tmp_path / "one.sqlite")
    two = run_tuning(spec(batch=3), tmp_path / "two.sqlite")
    assert [e.trial.point for e in one.evaluations] != [e.trial.point for e in two.evaluations]


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"seed": 6}, "seed: 5 there, 6 now"),
        ({"batch": 2}, "batch: 1 there, 2 now"),
        ({"budget": "iterations=4"}, "iterations=4"),
        ({"games_per_pair": 4}, "games_per_pair: 2 there, 4 now"),
        ({"opponents": ["plain"]}, "player plain:salt=1: only there"),
        ({"parameters": {"dial": [0, 1]}}, "parameters: dial, extra"),
        ({"algorithm": "random"}, "algorithm: 'ntbea' there, 'random' now"),
        ({"ntbea": {"exploration": 2.0}}, "settings: "),
        ({"fitness": "result"}, "fitness: 'score' there, 'result' now"),
    ],
)
def test_a_file_of_other_settings_is_refused(tmp_path, changed, words):
    path = tmp_path / "t.sqlite"
    run_tuning(spec(), path)
    before = rows(path)
    with pytest.raises(ResultsMismatchError, match=words):
        run_tuning(spec(**changed), path)
    assert rows(path) == before


@pytest.mark.parametrize("content", [b"hello", b"SQLite format 3\0" + b"x" * 200, "database"])
def test_another_file_is_refused_and_kept(tmp_path, content):
    path = tmp_path / "t.sqlite"
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute("CREATE TABLE mine (x)")
    before = path.read_bytes()
    with pytest.raises(DamagedFileError, match=r"not the results of a tuning"):
        run_tuning(spec(), path)
    assert path.read_bytes() == before


def test_only_one_writer(tmp_path):
    path = tmp_path / "t.sqlite"

    def second(step):
        with pytest.raises(ResultsBusyError):
            run_tuning(spec(), path)
        raise Stopped

    with pytest.raises(Stopped):
        run_tuning(spec(), path, progress=second)


def test_refused_settings_count_as_the_worst(tmp_path):
    messages = []
    parameters = {"dial": [0, 1], "mode": ["plain", "refused"]}
    tuning = run_tuning(
        spec(parameters=parameters, evaluations=20),
        tmp_path / "t.sqlite",
        progress=lambda s: messages.append(s.message),
    )
    refused = [e for e in tuning.evaluations if e.refusal]
    assert refused
    assert all(e.fitness is None and "expected plain" in e.refusal for e in refused)
    assert tuning.best["mode"] == "plain"
    assert len([text for text in messages if text]) == 1


def test_a_single_player_game_counts_its_result(tmp_path):
    fields = {
        "games": "samegame:board=1",
        "planner": "random",
        "budget": "iterations=1",
        "evaluations": 2,
        "games_per_pair": 1,
        "max_turns": 1,
        "parameters": {"preset": ["as-coded", "as-published"]},
    }
    fitness = make_fitness(make_tuning(**fields))
    assert fitness.identity["fitness"] == "result"
    assert fitness.size == 1
    with pytest.raises(OptionError, match="expected fitness = 'result'"):
        make_fitness(make_tuning(**fields, fitness="score"))
    with pytest.raises(OptionError, match="expected no opponents, got 1"):
        make_fitness(make_tuning(**fields, opponents="random"))


def test_opponents_are_needed():
    with pytest.raises(OptionError, match="expected at least 1 opponent, got 0"):
        make_fitness(spec(opponents=[]))


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"games": "tyo"}, "Did you mean 'toy'"),
        ({"planner": "dail"}, "Did you mean 'dial'"),
        ({"opponents": "plian"}, "Did you mean 'plain'"),
        ({"parameters": {"dail": [1, 2]}}, "did you mean 'dial'"),
        ({"planner": "dial:dial=3"}, "'dial' is both fixed"),
    ],
)
def test_names_are_checked_before_a_file_is_made(tmp_path, changed, words):
    with pytest.raises((UnknownNameError, OptionError), match=words):
        run_tuning(spec(**changed), tmp_path / "t.sqlite")
    assert not (tmp_path / "t.sqlite").exists()


def test_a_function_as_fitness(tmp_path):
    tuned.CALLS.clear()
    tuning = run_tuning(make_tuning(**FUNCTION), tmp_path / "f.sqlite")
    assert tuning.best == {"x": 3}
    assert len(tuned.CALLS) == 40
    assert tuning.interval.low < 0.2 < 0.6
    again = run_tuning(make_tuning(**FUNCTION), tmp_path / "f.sqlite")
    assert again.evaluations == tuning.evaluations
    assert len(tuned.CALLS) == 40


def test_a_function_may_return_numbers_of_numpy(tmp_path):
    fields = FUNCTION | {"fitness": "doubles.tuned:of_numpy", "evaluations": 3}
    tuning = run_tuning(make_tuning(**fields), tmp_path / "f.sqlite")
    assert [each.samples for each in tuning.evaluations] == [(0.5,)] * 3


@pytest.mark.parametrize(
    ("name", "words"),
    [("broken", "ZeroDivisionError: no fitness"), ("not_a_number", "its result must be a finite number; got 'high'")],
)
def test_a_function_that_fails_stops_the_tuning(tmp_path, name, words):
    with pytest.raises(TurnwiseError, match=words):
        run_tuning(make_tuning(**(FUNCTION | {"fitness": f"doubles.tuned:{name}"})), tmp_path / "f.sqlite")
    assert rows(tmp_path / "f.sqlite") == []


@pytest.mark.parametrize(
    ("name", "words"),
    [("doubles.tuned:nothing", "nothing"), ("no_module:f", "no_module"), ("doubles.tuned:SPEC", "a fun")],
)
def test_a_missing_function_is_refused(tmp_path, name, words):
    with pytest.raises(OptionError, match=words):
        run_tuning(make_tuning(**(FUNCTION | {"fitness": name})), tmp_path / "f.sqlite")
    assert not (tmp_path / "f.sqlite").exists()


def test_a_tuning_whose_settings_are_all_refused_fails(tmp_path):
    changed = {"parameters": {"mode": ["refused"], "dial": [1, 2]}}
    with pytest.raises(OptionError, match=r"refuses all settings that were tried: mode: expected plain, got refused\."):
        run_tuning(spec(**changed), tmp_path / "t.sqlite")


def test_forfeits_of_the_tuned_planner_are_reported_once(tmp_path, monkeypatch):
    def fail(self, state, budget, seed=0):
        raise ValueError("no such dial")

    monkeypatch.setattr(tuned.Dial, "plan", fail)
    steps = []
    tuning = run_tuning(spec(opponents=["plain"], evaluations=4), tmp_path / "t.sqlite", progress=steps.append)
    assert {each.fitness for each in tuning.evaluations} == {0.0}
    notes = [step.message for step in steps if step.message]
    assert all(
        "a game was forfeited, which counts as lost for that player. exception: tuned (seat" in note for note in notes
    )
    assert 1 <= len(notes) <= 2  # the reason names the seat
    assert len(tuning.forfeits) == 8
    assert all("exception" in each and "no such dial" in each for each in tuning.forfeits)
    assert run_tuning(spec(opponents=["plain"], evaluations=4), tmp_path / "t.sqlite").forfeits == tuning.forfeits
    assert "8 of 8 games were forfeited" in forfeit_words(tuning)


def test_games_without_forfeits_are_none(tmp_path):
    tuning = run_tuning(spec(opponents=["plain"], evaluations=2), tmp_path / "t.sqlite")
    assert tuning.forfeits == ()
    assert forfeit_words(tuning) == ""


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"dial": [0, 10, -1]}, r"planner dial refuses dial = 10: .*; dial = -1: "),
        ({"dial": {"values": [1, 12], "when": {"mode": "plain"}}}, "dial = 12"),
        ({"extra": [1.0, True]}, "extra"),
        ({"preset": ["as-published", "tuned"]}, "no preset 'tuned'"),
    ],
)
def test_values_that_no_other_setting_makes_valid_are_refused_before_any_game(tmp_path, parameters, words):
    with pytest.raises((OptionError, UnknownNameError), match=words):
        run_tuning(spec(parameters={"mode": ["plain", "other"], **parameters}), tmp_path / "t.sqlite")
    assert not list(tmp_path.iterdir())


def test_names_that_the_game_does_not_have_are_refused_before_any_game(tmp_path):
    fields = {"parameters": {"script": {"subset": ["random", "nonsense"], "form": "first({})"}}, "planner": "script"}
    with pytest.raises(OptionError, match=r"parameters: script = 'first\(nonsense\)' in toy:turns=4: .*nonsense"):
        run_tuning(spec(**fields), tmp_path / "t.sqlite")
    assert not list(tmp_path.iterdir())


def test_a_fitness_that_fails_at_once_does_not_block_a_corrected_tuning(tmp_path):
    path = tmp_path / "t.sqlite"
    with pytest.raises(TurnwiseError, match=r"no fitness.*begin again: remove the results file, or .* --out"):
        run_tuning(make_tuning(**FUNCTION | {"fitness": "doubles.tuned:broken"}), path)
    changed = {"parameters": {"x": {"from": 0, "to": 5}}, "evaluations": 5}
    assert len(run_tuning(make_tuning(**FUNCTION | changed), path).evaluations) == 5


def test_workers_and_results_do_not_need_a_loaded_preset(tmp_path):
    (tmp_path / "p.toml").write_text("[dial.mine]\ndial = 3\n")
    load_presets(tmp_path / "p.toml")
    fields = {"planner": "dial:preset=mine", "opponents": ["dial:preset=mine"], "evaluations": 1, "runs": 1}
    path = tmp_path / "t.sqlite"
    try:
        one = spec(**fields, parameters={"extra": [0.5, 1.0]})
        found = run_tuning(one, path, workers=2, imports=IMPORTS)
        assert found.evaluations == run_tuning(one, tmp_path / "alone.sqlite").evaluations
    finally:
        remove(*added())
    with closing(sqlite3.connect(path)) as connection:
        stored = json.loads(connection.execute("SELECT value FROM meta WHERE name = 'spec'").fetchone()[0])
    assert stored["planner"] == "dial:dial=3"
    assert [*stored["opponents"].values()] == ["dial:dial=3"]


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"spec": "mcts.toml"}, "The tuning must be what make_tuning or read_tuning returns; got 'mcts.toml'"),
        ({"path": 3}, "The results file must be the path of a file, .* got 3"),
        ({"workers": "2"}, "workers must be a whole number from 1; got '2'"),
        ({"attempts": 0}, "attempts must be a whole number from 1; got 0"),
        ({"scheduler": 8786}, "is not the address of a Dask scheduler"),
    ],
)
def test_arguments_of_a_wrong_type_are_refused(tmp_path, changed, words):
    given = {"spec": make_tuning(**FUNCTION), "path": tmp_path / "t.sqlite"} | changed
    with pytest.raises(OptionError, match=words):
        run_tuning(given.pop("spec"), given.pop("path"), **given)
    with pytest.raises(OptionError, match="The file of a tuning must be the path of a file"):
        read_tuning(None)
    assert list(tmp_path.iterdir()) == []
