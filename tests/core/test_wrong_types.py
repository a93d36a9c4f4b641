"""Every public function refuses wrong types with a clear error; the functions of one game have ``test_api_fuzz.py``."""

import inspect
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

import turnwise
from doubles.toy_game import Toy
from turnwise import arena, testing, tuning
from turnwise.core.errors import TurnwiseError
from turnwise.tuning import Parameter, Space, Subset

TINY = "hero-academy:map=a-tiny,deck=tiny"
ELSEWHERE = {"play_contest", "check_game", "check_planner", "game_failures", "planner_failures"}  # see test_api_fuzz.py
Call = tuple[Callable[..., Any], dict[str, Any]]


class NoRepr:
    def __repr__(self) -> str:
        raise RuntimeError("no repr")


@pytest.fixture(scope="module")
def game():
    return Toy()


@pytest.fixture(scope="module")
def calls(game, tmp_path_factory):
    """Name -> function and valid arguments of every public function."""
    folder = tmp_path_factory.mktemp("wrong_types")
    state, planner = game.start(1), turnwise.planner("random")
    record = arena.play_game(game, ["random", "random"], "iterations=1", seed=1)
    spec = arena.make_spec(games=[TINY], players={"a": "random", "b": "greedy-action"}, budget="iterations=1")
    results = folder / "results.sqlite"
    arena.run_tournament(spec, results)
    picture = lambda: turnwise.Picture(3, 3)  # noqa: E731
    tally = arena.Tally(3, 1, 2)
    found: dict[str, Call] = {
        "make": (turnwise.make, {"text": TINY}),
        "planner": (turnwise.planner, {"text": "random"}),
        "parse_budget": (turnwise.parse_budget, {"text": "iterations=1"}),
        "load_presets": (turnwise.load_presets, {"path": folder / "none.toml"}),
        "State.from_json": (turnwise.State.from_json, {"text": state.to_json(), "game": game}),
        "Picture": (turnwise.Picture, {"columns": 2, "rows": 2, "shape": "hex", "title": "t", "fill": "grass"}),
        "Picture.cell": (
            lambda **given: picture().cell(**given),
            {"column": 1, "row": 1, "fill": "grass", "text": "a", "hint": "b"},
        ),
        "Picture.token": (
            lambda **given: picture().token(**given),
            {"column": 1, "row": 1, "text": "a", "player": 0, "health": 0.5, "faded": True, "hint": "h"},
        ),
        "Picture.arrow": (lambda **given: picture().arrow(**given), {"start": (0, 0), "end": (1, 1)}),
        "Picture.ring": (lambda **given: picture().ring(**given), {"column": 1, "row": 1}),
        "Picture.cards": (
            lambda **given: picture().cards(**given),
            {"owner": "a", "texts": ["x"], "hidden": 2, "player": 1},
        ),
        "Picture.line": (lambda **given: picture().line(**given), {"text": "x"}),
        "Meter": (turnwise.Meter, {"budget": "iterations=1", "random": Random(1)}),
        "plan_states": (
            arena.plan_states,
            {"planner": planner, "states": [state], "budget": "iterations=1", "seed": 1, "workers": 1},
        ),
        "play_game": (
            arena.play_game,
            {"game": game, "players": ["random", "random"], "budget": "iterations=1", "seed": 1, "names": ()},
        ),
        "open_results": (arena.open_results, {"path": results, "skip": (), "skip_damaged": False}),
        "merge_results": (arena.merge_results, {"paths": [results], "out": folder / "merged.sqlite"}),
        "make_spec": (
            arena.make_spec,
            {name: getattr(spec, name) for name in type(spec).model_fields},
        ),
        "read_spec": (arena.read_spec, {"path": folder / "none.toml"}),
        "make_schedule": (arena.make_schedule, {"spec": spec, "imports": ()}),
        "run_tournament": (
            arena.run_tournament,
            {
                "spec": spec,
                "path": results,
                "workers": 1,
                "scheduler": "",
                "imports": (),
                "attempts": 3,
                "retry_abandoned": False,
                "retry_damaged": False,
                "command": "",
                "part": (1, 1),
            },
        ),
        "standings_of": (
            arena.standings_of,
            {"records": [record], "players": (), "confidence": 0.95, "resamples": 10, "seed": 1},
        ),
        "export_csv": (arena.export_csv, {"records": [record], "folder": folder / "csv", "timing": True}),
        "export_parquet": (arena.export_parquet, {"records": [record], "folder": folder / "parquet", "timing": True}),
        "solve": (
            arena.solve,
            {"game": turnwise.make("samegame", board=3), "mind": "random", "budget": "iterations=0", "seed": 1},
        ),
        "bradley_terry": (
            arena.bradley_terry,
            {"results": {("a", "b"): tally}, "confidence": 0.95, "prior_games": 1.0},
        ),
        "plackett_luce": (
            arena.plackett_luce,
            {"blocks": [[(("a", 1), ("b", 2))]], "confidence": 0.95, "prior_games": 1.0, "resamples": 2, "seed": 1},
        ),
        "score_interval": (arena.score_interval, {"tally": tally, "confidence": 0.95}),
        "wilson_interval": (arena.wilson_interval, {"points": 1.5, "games": 3, "confidence": 0.95}),
        "same_game": (testing.same_game, {"one": game, "other": Toy(), "games": 1, "seed": 1}),
        "game_difference": (testing.game_difference, {"one": game, "other": Toy(), "games": 1, "seed": 1}),
        "perft": (testing.perft, {"state": state, "depth": 1, "max_states": 10}),
        "profile_search": (
            testing.profile_search,
            {"planner": turnwise.planner("greedy-action"), "positions": [state], "budget": "iterations=1"},
        ),
        "Parameter": (Parameter, {"name": "x", "values": (1, 2), "is_ordered": True, "when": {}}),
        "Subset": (Subset, {"name": "x", "items": ("a", "b"), "form": "", "least": 1}),
        "Space": (Space, {"parameters": [Parameter("x", (1, 2))]}),
        "drawn_landscape": (tuning.drawn_landscape, {"kind": "onemax", "seed": 1}),
        "tune": (
            tuning.tune,
            {
                "space": Space([Parameter("x", (1, 2))]),
                "fitness": lambda *_: 0.5,
                "evaluations": 2,
                "algorithm": "ntbea",
                "runs": 1,
                "selection": 0.2,
                "batch": 1,
                "seed": 1,
            },
        ),
        "read_tuning": (tuning.read_tuning, {"path": folder / "none.toml"}),
        "make_tuning": (tuning.make_tuning, {"parameters": {"x": [1, 2]}, "evaluations": 2}),
    }
    return found


def nonsense(game) -> list[Any]:
    numbers = [0, -1, 3, 2.5, float("nan"), float("inf"), 10**30, True]
    texts = ["", "x", "time=1ms", "\x00", b"x"]
    lists: list[Any] = [[], [1], ["x"], [[]], {}, {"a": 1}, {1: 2}, set(), (), (1, 2), (None, None), iter([1])]
    things: list[Any] = [
        None,
        object(),
        len,
        NoRepr(),
        Path("nowhere"),
        turnwise.planner("random"),
        game.start(2),
        game,
    ]
    return [*numbers, *texts, *lists, *things]


def test_every_public_function_is_tried(calls):
    functions = {
        name
        for module in (turnwise, arena, testing, tuning)
        for name in dir(module)
        if not name.startswith("_") and inspect.isfunction(getattr(module, name))
    }
    assert len(functions) > 25
    assert functions - calls.keys() - ELSEWHERE == {"landscape_space", "preset_text", "render_tuning", "run_tuning"}


def outcome(function, given) -> str:
    """What a call does: "works", "refuses", or what is wrong."""
    expected: tuple[type[Exception], ...] = (TurnwiseError,)
    if function.__module__.startswith("turnwise.statistics"):  # they import nothing of turnwise
        expected = (ValueError, ArithmeticError)
    try:
        result = function(**given)
        if hasattr(result, "close"):
            result.close()
    except expected as error:
        return "refuses" if str(error) else "an error without a message"
    except Exception as error:
        return repr(error)[:150]
    return "works"


def test_wrong_types_are_refused(calls, game, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    outcomes: dict[str, int] = {}
    wrong: dict[str, str] = {}
    for name, (function, given) in calls.items():
        for argument in given:
            for value in nonsense(game):
                if argument == "fitness" and callable(value):
                    continue  # its errors are the user's own
                found = outcome(function, {**given, argument: value})
                outcomes[found] = outcomes.get(found, 0) + 1
                if found not in ("works", "refuses"):
                    wrong.setdefault(f"{name} {argument}", f"{type(value).__name__}: {found}")
    assert wrong == {}
    assert outcomes["refuses"] > 2 * outcomes["works"] > 500
