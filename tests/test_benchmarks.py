"""Benchmarks start; recorded speeds as ratios: a figure below its floor is reported with exit code 1."""

import functools
import importlib.util
import json
import re
import runpy
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import turnwise
from turnwise.testing.referee import referee

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "benchmarks"
REFERENCE = tomllib.loads((FOLDER / "reference.toml").read_text())
SMALL = "hero-academy:map=a-tiny,deck=tiny"
STARTS = {  # script: arguments, smaller constants, what it prints
    "batch_speed": ([SMALL, "8"], {"ACTIONS": 16, "WARM_UP": 1, "ROUNDS": 1}, "2 thread(s), actions by numpy: step"),
    "calls": ([], {"CALLS": 1000, "ROUNDS": 1}, "through an array of addresses:"),
    "contest_times": (
        ["1"],
        {"LIMITS": {"search-race:track=test7": (9.0, 9.0)}, "referee": functools.partial(referee, most=2)},
        "search-race:track=test7: first",
    ),
    "decision_cost": ([SMALL, "--count", "2", "--planners", "random"], {"_WARM_UP": 1}, "\nrandom "),
    "decision_times": (["time=1ms", "--count", "2", "--games", "orchard", "--planners", "random"], {}, "\norchard "),
    "environment_speed": (
        ["--only", "turnwise batch samegame", "--sizes", "4", "--cores", "1", "--repeats", "1"],
        {},
        "\nturnwise  batch      samegame",
    ),
    "live_speed": (
        ["time=50ms", "--pairs", "1", "--game", SMALL, "--snapshots", "50", "--planners", "mcts"],
        {"TURNS": 1, "CALLS": 10},
        "nobody watches: ",
    ),
    "pairs": (
        [str(ROOT), str(ROOT), "--rounds", "1", "--pairs", "1", "--only", "academy random,race rhea"],
        {"SECONDS": 0.01},
        "2 figures, 1 pairs: geometric mean",
    ),
    "pushers_value": (
        ["--mode", str(ROOT / "tests/data/stratega/two-pushers.yaml")],
        {},
        "12 positions; the player to move wins 4, 4 of them at once, and loses 0; 8 are drawn",
    ),
    "rare_chance": (
        ["--pairs", "1"],
        {"POSITIONS": 1, "PLANNERS": {"greedy-turn": 20}},
        "turns of any length\n  greedy-turn",
    ),
    "room_for_genes": (
        ["--rounds", "1"],
        {
            "WAYS": ["crossover=uniform"],
            "TURN": ("hero-academy:map=a-tiny,deck=tiny", 2, 1, (6, 8), ""),
            "WHOLE_GAME": ("samegame", 20, 1, (150,), "horizon=game,preset=samegame"),
        },
        "    150",
    ),
    "samegame_totals": (
        ["beam-search", "recommended", "--playouts", "5", "--seconds", "0.01", "--generated", "1"],
        {},
        "first planner",
    ),
    "search_race_bound": (["--tracks", "700"], {}, "no race over 1 tracks is shorter than"),
    "search_race_totals": (["random", "forward=5", "--tracks", "700"], {}, "total"),
    "search_race_whole": (["--width", "5", "--tracks", "700"], {}, "over 1 tracks"),
    "streams_speed": (
        ["iterations=5", "--rounds", "1", "--games", SMALL, "--planners", "mcts"],
        {},
        "mcts                      5 |         5  ",
    ),
    "streams_strength": (
        ["matches", "mcts", "--game", SMALL, "--budget", "iterations=1", "--seconds", "0.001"],
        {},
        "2 games, score of two cores",
    ),
    "study_costs": (
        ["--effort", "quick", "--only", "figures-5-6", "--games", "1"],
        {"warm": lambda scenario, player: "", "play_job": str},
        "| **figures-5-6-sound** |  | ",
    ),
    "tuning_landscapes": (
        ["--repeats", "2", "--evaluations", "8", "--entrant", "random", "--entrant", "ntbea"],
        {},
        "  ntbea ",
    ),
    "tuning_game": (
        ["--setting", "hero-academy", "--repeats", "2", "--evaluations", "2", "--games", "2"],
        {"ENTRANTS": {"random": {"algorithm": "random"}}},
        "difference from the first",
    ),
    "versions_match": (
        [str(ROOT), str(ROOT), "random", f"{SMALL},turn-limit=2", "--pairs", "1", "--budget", "iterations=1"],
        {},
        "score",
    ),
}
OTHER_PROCESSES = {"contest_times", "environment_speed", "pairs", "tuning_game", "versions_match"}


def test_every_benchmark_is_started():
    assert {path.stem for path in FOLDER.glob("*.py")} == {*STARTS, "ratios"}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow) if name in OTHER_PROCESSES else name for name in STARTS]
)
@pytest.mark.compiled_only("times compiled code")
def test_a_benchmark_starts(name, monkeypatch, capfd):
    arguments, constants, words = STARTS[name]
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setattr(sys, "argv", [name, *arguments])
    found = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    module = importlib.util.module_from_spec(found)
    monkeypatch.setitem(sys.modules, name, module)
    found.loader.exec_module(module)
    for constant, value in constants.items():
        assert hasattr(module, constant)
        monkeypatch.setattr(module, constant, value)
    module.main(*map(int, arguments if name == "contest_times" else ()))
    assert words in capfd.readouterr().out


def ratios(*files):
    command = [sys.executable, str(FOLDER / "ratios.py"), *map(str, files)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_aims_are_above_floors():
    """The aims that the speeds were to come close to, and what they keep."""
    figures = {**REFERENCE["hero-academy"], **REFERENCE["samegame"], **REFERENCE["search-race"]}
    aims = {
        "copy": 300e6,
        "evaluate": 80e6,
        "greedy-turn": 4e6,
        "mcts": 1e6,
        "sp-mcts": 90e3,
        "nrpa": 40e3,
        "step": 80e6,
    }
    assert {name: figures[name]["aim"] for name in aims} == aims
    assert REFERENCE["hero-academy"]["playout"]["aim"] == 8e6
    assert all(figure["floor"] < figure["aim"] for figure in figures.values())


def test_recorded_results_reach_their_floors():
    files = sorted((FOLDER / "results").glob("*.json"))
    assert files
    shown = ratios(*files)
    assert shown.returncode == 0, shown.stdout
    assert "x original" in shown.stdout


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{}", "expected a result of turnwise bench GAME --json, with the fields game, machine, results; got a JSON"),
        ("[]", "got a JSON value without game, machine, results"),
        ('"x"', "got a JSON value without"),
        ('{"game": "samegame", "machine": "here"}', "without results"),
        ("playout", "is not JSON"),
        ("", "is not JSON"),
    ],
)
def test_another_file_is_refused_with_a_message(tmp_path, text, words):
    file = tmp_path / "other.json"
    file.write_text(text)
    shown = ratios(file)
    assert shown.returncode == 1
    assert shown.stderr.startswith(f"{file}")
    assert words in shown.stderr
    assert "Traceback" not in shown.stderr


def test_a_file_that_cannot_be_read_is_refused_with_a_message(tmp_path):
    for path, words in ((tmp_path / "missing.json", "No such file"), (tmp_path, "Is a directory")):
        shown = ratios(path)
        assert shown.returncode == 1
        assert shown.stderr.startswith(f"{path} cannot be read ({words}")
        assert "Traceback" not in shown.stderr


@pytest.mark.parametrize("path", sorted((FOLDER / "results").glob("*.json")), ids=lambda path: path.stem)
def test_a_median_is_shown_within_its_rounds(path):
    lines = re.findall(r" ([\d,]+) \(([\d,]+) to ([\d,]+)\)", ratios(path).stdout)
    assert lines
    for line in lines:
        median, low, high = (int(number.replace(",", "")) for number in line)
        assert low <= median <= high


def test_a_slow_figure_is_reported(tmp_path):
    result = json.loads(next((FOLDER / "results").glob("hero-academy-*.json")).read_text())
    result["results"][0].update(per_second=10, relative=0.1)
    slow = tmp_path / "slow.json"
    slow.write_text(json.dumps(result))
    shown = ratios(slow)
    assert shown.returncode == 1
    assert "BELOW THE FLOOR" in shown.stdout


def test_a_slow_machine_is_not_a_slow_figure(tmp_path):
    result = json.loads(next((FOLDER / "results").glob("hero-academy-*.json")).read_text())
    for figure in result["results"]:
        figure.update({name: figure[name] / 4 for name in ("per_second", "low", "high")})
    result["calibration"] = 92_000_000 / 4
    for figure in result["results"]:
        figure["relative"] = 1e6 * figure["per_second"] / result["calibration"]
    slow = tmp_path / "slow.json"
    slow.write_text(json.dumps(result))
    shown = ratios(slow)
    assert shown.returncode == 0, shown.stdout
    assert "multiplied by 4.000" in shown.stdout
    result["results"][0]["relative"] /= 100
    slow.write_text(json.dumps(result))
    assert ratios(slow).returncode == 1


def test_a_figure_below_the_multiple_of_the_original_is_reported(tmp_path):
    """Every figure reaches its floor, and one is less than twelve times as fast as the original."""
    result = json.loads(next((FOLDER / "results").glob("hero-academy-*.json")).read_text())
    legal = next(figure for figure in result["results"] if figure["name"] == "legal")
    factor = 5_000_000 / (legal["relative"] * 92)
    legal.update({name: legal[name] * factor for name in ("per_second", "low", "high", "relative")})
    shown = subprocess.run(
        [sys.executable, str(FOLDER / "ratios.py"), "-"],
        input=json.dumps(result),
        capture_output=True,
        text=True,
        check=False,
    )
    assert shown.returncode == 1
    assert "BELOW THE FLOOR" not in shown.stdout
    assert "at least 12 x original: NOT REACHED; smallest: 9.6 (legal)" in shown.stdout


def modes_result(scenario, step):
    figure = {"name": "step", "per_second": step, "low": step, "high": step}
    return json.dumps({"game": "stratega", "scenario": scenario, "machine": "here", "results": [figure]})


@pytest.mark.parametrize(
    "scenario", ["stratega", "stratega:mode=kings", turnwise.make("stratega", mode="healers").spec]
)
def test_a_scenario_finds_its_reference_however_it_is_written(tmp_path, scenario):
    fast, slow = tmp_path / "fast.json", tmp_path / "slow.json"
    fast.write_text(modes_result(scenario, 9_000_000))
    slow.write_text(modes_result(scenario, 7_000_000))
    shown = ratios(fast)
    assert shown.returncode == 0, shown.stderr
    assert "x original   floor met" in shown.stdout
    assert shown.stderr == ""
    assert ratios(slow).returncode == 1


@pytest.mark.parametrize("scenario", ["stratega:mode=armies", "stratega:mode=mine@0123456789ab"])
def test_a_warning_where_a_game_has_figures_and_none_was_compared(tmp_path, scenario):
    file = tmp_path / "other.json"
    file.write_text(modes_result(scenario, 9_000_000))
    shown = ratios(file)
    assert shown.returncode == 0
    assert f"warning: no figure of {scenario} was compared" in shown.stderr
    assert "stratega:mode=kings" in shown.stderr


def test_the_page_on_tuning_shows_recorded_figures():
    page = (FOLDER.parent / "docs" / "reference" / "tuning.md").read_text()
    (name,) = set(re.findall(r"benchmarks/results/(tuning-[\d-]+\.txt)", page))
    recorded = (FOLDER / "results" / name).read_text()
    figures = re.findall(r"-?\d\.\d{3} \[-?\d\.\d{3}, -?\d\.\d{3}\]", page)
    assert len(figures) > 40
    assert [figure for figure in figures if figure not in recorded] == []


def test_claims_about_tuning_are_judged_by_paired_tests():
    judged = runpy.run_path(str(FOLDER / "tuning_landscapes.py"))["judged"]
    worse = [0.1 * (seed % 3) for seed in range(30)]
    better = [value + 0.2 + 0.01 * (seed % 2) for seed, value in enumerate(worse)]
    found = {"separable": {"ntbea": better, "rmhc, own rule": worse, "ntbea, 4 runs and a choice": worse}}
    found["pairwise"] = found["separable"]
    claimed, _, over_all, opposite, *_ = judged(found)
    assert claimed.startswith("  N1: ntbea - rmhc, own rule")
    assert claimed.endswith("as claimed")
    assert over_all.split()[6] == "all"
    assert opposite.startswith("  N3: ntbea, 4 runs and a choice - ntbea")
    assert opposite.endswith("the opposite")
    even = {"separable": {"ntbea": worse, "rmhc, own rule": worse[::-1]}}
    assert len(judged(even)) == 1  # the mean over one landscape is no further test
    assert all(line.endswith("undecided") for line in judged(even))


def test_positions_are_solved_backwards():
    solve = runpy.run_path(str(FOLDER / "pushers_value.py"))["solve"]
    turns = {  # whether its player wins at once, and where its turns lead
        "won": (True, set()),
        "lost": (False, {"won"}),
        "won later": (False, {"won", "lost"}),
        "lost later": (False, {"won", "won later"}),
        "drawn": (False, {"won", "circle"}),
        "circle": (False, {"drawn"}),
    }
    assert solve(turns) == {"won": 1, "lost": -1, "won later": 1, "lost later": -1}


@pytest.mark.parametrize(
    ("mode", "words"),
    [
        ("kings", "expected one unit of the same type for each player; got [['Warrior', 0],"),
        ("nonsense", "There is no mode of the strategy engine named 'nonsense'."),
    ],
)
def test_positions_of_other_modes_are_refused(mode, words, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["pushers_value", "--mode", mode])
    with pytest.raises(SystemExit) as stopped:
        runpy.run_path(str(FOLDER / "pushers_value.py"), run_name="__main__")
    assert stopped.value.code == 2
    assert words in capsys.readouterr().err
