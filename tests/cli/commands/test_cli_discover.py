"""``games`` and ``planners``."""

import turnwise
from doubles.cli_samples import TINY
from doubles.file_mode_game import FileToy, ModeFile
from turnwise.registry import GAMES, games, planners


def test_games_are_listed(cli):
    assert "hero-academy" in cli("games").out
    listed = cli("games", "--json").json
    assert [game["name"] for game in listed] == games()


def test_a_game_shows_its_options_and_evaluations(cli):
    shown = cli("games", "hero-academy").out
    for part in ("action-points", "≥ 1, ≤ 25", "determined | random", "heuristic-as-coded", "random-tree"):
        assert part in shown
    facts = cli("games", "hero-academy", "--json").json
    options = {option["name"]: option for option in facts["options"]}
    assert options["turn-limit"]["default"] == 100
    assert options["hands"]["choices"] == ["hidden", "open"]
    assert facts["evaluations"]["heuristic"]["default"]


def test_a_game_names_its_recommended_planners(cli):
    shown = cli("games", "stratega:mode=pushers").out
    assert "Planner of 'turnwise plan', 'play' and 'engine' by default: turn-maximin:preset=pushers" in shown
    assert "turnwise solve" not in shown
    assert cli("games", "samegame", "--json").json["recommended"]["solving"] == "nrpa:preset=recommended-samegame"
    race = "Planner of 'turnwise solve' without options: rhea:preset=recommended-search-race"
    assert race in " ".join(cli("games", "search-race").out.split())


def test_a_game_shows_what_is_hidden_and_what_a_plan_has_room_for(cli):
    shown = " ".join(cli("games", "hero-academy").out.split())
    assert "2 players, no chance after the start, players do not know the whole state" in shown
    assert (
        f"A plan holds at most {turnwise.make('hero-academy').max_turn} actions; "
        "a longer turn would be planned in parts." in shown
    )
    assert "at most in a turn" not in shown
    assert "chance takes part after the start" in cli("games", "hero-academy:draws=random").out
    facts = cli("games", "samegame", "--json").json
    assert (facts["hides_information"], facts["reveals_in_turn"]) == (False, False)


def test_a_mode_is_shown_by_its_label(cli, monkeypatch):
    monkeypatch.setitem(GAMES._classes, FileToy.name, FileToy)
    for name in ("file-toy", "file-toy:mode=long-game"):
        shown = cli("games", name).out
        assert f"{ModeFile.named('standard').label}" in "".join(shown.split())
        assert "long-game or standard or a file" in " ".join(shown.split())
        assert "ModeFile" not in shown
        assert "knight" not in shown
    (mode,) = [row for row in cli("games", name, "--json").json["options"] if row["name"] == "mode"]
    assert mode["value"] == ModeFile.named("long-game").label


def test_planners_are_listed(cli):
    listed = cli("planners", "--json").json
    assert [planner["name"] for planner in listed] == planners()
    assert all("error" not in planner for planner in listed), listed
    assert all(planner["iteration"] for planner in listed)
    assert "mcts-bridge-burning" in cli("planners").out


def test_a_planner_shows_parameters_ranges_defaults_presets_and_source(cli):
    shown = cli("planners", "random-heuristic").out
    for part in (
        "Source: Justesen",
        " greedy-probability ",
        "≥ 0, ≤ 1",
        "0.5",
        "as-published",
        "policy=epsilon-greedy",
    ):
        assert part in shown
    facts = cli("planners", "random-heuristic", "--json").json
    assert set(facts) == {"name", "title", "summary", "source", "iteration", "parameters", "presets", "preset_games"}
    (chance,) = [row for row in facts["parameters"] if row["name"] == "greedy-probability"]
    assert (chance["type"], chance["range"], chance["default"]) == ("number", "≥ 0, ≤ 1", 0.5)


def test_a_planner_is_shown_with_given_values(cli):
    shown = cli("planners", "random-heuristic:greedy-probability=0.25,preset=as-published").out
    rows = {line.split()[0]: line.split() for line in shown.splitlines() if line.split()}
    assert rows["greedy-probability"][1:3] == ["0.25", "*"]
    assert rows["policy"][1:3] == ["epsilon-greedy", "*"]
    assert "* differs from the default" in shown
    facts = cli("planners", "mcts:exploration=3", "--json").json
    rows = {row["name"]: row for row in facts["parameters"]}
    assert (rows["exploration"]["value"], rows["exploration"]["default"]) == (3.0, 2.0)
    assert rows["max-depth"]["value"] == rows["max-depth"]["default"]
    assert facts["name"] == "mcts"
    assert "differs" not in cli("planners", "mcts").out
    cli("planners", "mcts:exploration=-1").refused("exploration = '-1': expected a number from 0")
    cli("planners", "random:q=1").refused("there is no parameter 'q'")


def test_a_game_is_shown_with_given_values(cli):
    shown = cli("games", "hero-academy:action-points=7").out
    (row,) = [line.split() for line in shown.splitlines() if line.split()[:1] == ["action-points"]]
    assert row[1:3] == ["7", "*"]
    options = {row["name"]: row["value"] for row in cli("games", "hero-academy:draws=random", "--json").json["options"]}
    assert (options["draws"], options["hands"]) == ("random", "hidden")


def test_defaults_that_are_shown_can_be_typed(cli):
    """Every listed parameter of every planner is accepted with its listed default."""
    for name in planners():
        for row in cli("planners", name, "--json").json["parameters"]:
            if row["default"] is not None:
                settings = {row["name"].replace("-", "_"): row["default"]}
                assert turnwise.planner(name, **settings).spec == name


def test_a_planner_that_cannot_be_loaded_does_not_hide_the_others(cli, monkeypatch):
    from turnwise.registry import PLANNERS

    monkeypatch.setitem(PLANNERS._paths, "broken", "no_such_module:Broken")
    listed = {planner["name"]: planner for planner in cli("planners", "--json").json}
    assert "no_such_module" in listed["broken"]["error"]
    assert listed["mcts"]["parameters"]
    assert cli("planners").code == 0
    cli("planners", "broken").refused("no_such_module")


PLUGIN = """
from turnwise import PLANNERS, PythonPlanner

class First(PythonPlanner):
    '''Plays the first :smile: action, [/b] whatever it is.'''

    name, title, iteration = "first", "First", "nothing"

    def search(self, state, meter, random):
        return []

PLANNERS.add("first", First)
"""


def test_user_modules_are_imported_from_the_current_folder(cli, tmp_path, monkeypatch):
    import sys

    from turnwise.registry import PLANNERS

    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setenv("PYTHONPATH", "")
    (tmp_path / "my_plugin.py").write_text(PLUGIN)
    try:
        shown = cli("--import", "my_plugin", "planners", "first", "--json")
        assert shown.err == ""
        assert shown.json["summary"] == "Plays the first :smile: action, [/b] whatever it is."
        listed = cli("planners")
        assert all(text in listed.out for text in (":smile:", "[/b]"))  # texts of users are not markup
        plan = cli("plan", TINY, "-p", "first", "-b", "iterations=1", "--json").json
        assert plan["planner"] == "first"
        assert plan["actions"]
    finally:
        PLANNERS._classes.pop("first", None)
        sys.modules.pop("my_plugin", None)
    cli("--import", "my_plugin.py", "games").refused("my_plugin.py", "not my_game.py")
    cli("--import", "../elsewhere/my_plugin", "games").refused("../elsewhere/my_plugin", "not a path")


def test_a_module_that_registers_nothing_is_named(cli, tmp_path, monkeypatch):
    import sys

    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setenv("PYTHONPATH", "")
    (tmp_path / "my_constants.py").write_text("LIMIT = 3\n")
    try:
        shown = cli("--import", "my_constants", "games")
    finally:
        sys.modules.pop("my_constants", None)
    assert shown.code == 0
    assert "samegame" in shown.out
    (line,) = shown.err.splitlines()
    assert line.startswith("Warning: --import my_constants: expected a module that registers a game or a planner")
    assert "my_constants.py" in line
    assert "turnwise.GAMES.add(" in line
