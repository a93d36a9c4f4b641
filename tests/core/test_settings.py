"""Settings that games declare: the file, its presets of planners, settings of other packages."""

import subprocess
import sys

import pytest

import turnwise
from turnwise.arena.recommended import GENERAL_PLAYER, GENERAL_SOLVER, recommended_planner, recommended_player
from turnwise.core.errors import DamagedFileError, OptionError, TurnwiseError, UnknownNameError
from turnwise.core.settings import GameSettings, package_folder, read_settings, settings_in
from turnwise.games.stratega import Stratega
from turnwise.registry import all_settings, game_settings
from turnwise.search import presets

FILE = """
[recommended]
solving = "nrpa:preset=recommended-theirs"
by-seconds = [{ from = 0, planner = "nrpa" }, { from = 2.5, planner = "rhea:preset=theirs" }]

[contest]
driver = "theirs.first:Driver"

[rhea.theirs]
population = 70
mutation-probability = 0.5

[ea-roll.theirs]
based-on = "rhea.theirs"
population = 80
"""


@pytest.fixture
def file(tmp_path):
    def write(text):
        (tmp_path / "settings.toml").write_text(text)
        return tmp_path / "settings.toml"

    return write


def test_a_file_is_read(file):
    path = file(FILE)
    rhea = {"population": 70, "mutation_probability": 0.5}
    assert read_settings(path) == GameSettings(
        {"rhea": {"theirs": rhea}, "ea-roll": {"theirs": rhea | {"population": 80}}},
        "nrpa:preset=recommended-theirs",
        ((0.0, "nrpa"), (2.5, "rhea:preset=theirs")),
        "",
        "theirs.first:Driver",
        str(path),
    )


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("rhea = [1", "not valid TOML: "),
        ("rhea = 1\nrhea = 2", "not valid TOML: "),
        (f"[rhea.a]\npopulation = {'9' * 5000}", "a number of 5000 digits at line 2"),
        ("a = " + "[" * 100_000, "nested too deeply"),
        ("rhea = 3", "[rhea]: expected a table of presets"),
        ("[rhea]\npopulation = 3", "[rhea] population: expected a table of parameters, got 3"),
        (
            "recommended = 3",
            "[recommended]: expected a table with playing, by-options, solving, by-seconds, contest; got 3",
        ),
        ("[recommended]\nplanner = 'nrpa'", "got 'planner'"),
        ("[recommended]\nsolving = 3", "solving: expected a string, got 3"),
        ("[recommended]\nby-seconds = 3", "by-seconds: expected a list"),
        ("[recommended]\nby-options = 3", "by-options: expected a list of { OPTION, planner }, got 3"),
        ("[recommended]\nby-options = [{ planner = 'nrpa' }]", "entries such as { map = "),
        ("[recommended]\nby-seconds = [{ from = 'a', planner = 'nrpa' }]", "entries such as"),
        (
            "[recommended]\nby-seconds = [{ from = 2, planner = 'nrpa' }, { from = 1, planner = 'nrpa' }]",
            "rising numbers",
        ),
        ("[rhea.a]\nbased-on = 'rhea.b'", "based-on = 'rhea.b': expected PLANNER.PRESET"),
        ("[rhea.a]\nbased-on = 'rhea.a'", "based-on = 'rhea.a': expected PLANNER.PRESET"),
    ],
)
def test_what_is_wrong_with_a_file_is_named(file, text, part):
    with pytest.raises(DamagedFileError) as caught:
        read_settings(file(text))
    assert "settings.toml: " in str(caught.value)
    assert part in str(caught.value)


def test_a_game_without_a_file_recommends_nothing():
    assert settings_in("turnwise.no_such_module.game") == GameSettings()
    assert settings_in("json.decoder") == settings_in("bisect") == settings_in("__main__") == GameSettings()
    assert recommended_planner("hero-academy", seconds=5.0) == GENERAL_SOLVER


def test_the_folder_of_a_package():
    folder = package_folder("turnwise.games.samegame")
    assert folder is not None
    assert folder.name == "samegame"
    assert package_folder("turnwise.games.samegame.scenario") == folder
    assert package_folder("bisect") is None  # a module of no package


def test_presets_of_games_are_presets_of_planners():
    settings = game_settings("samegame")
    assert turnwise.PLANNERS.get("rhea").all_presets()["samegame"] == settings.presets["rhea"]["samegame"]
    assert turnwise.planner("rhea:preset=samegame").parameters.length == 30
    assert game_settings(turnwise.make("samegame")) is settings
    with pytest.raises(UnknownNameError, match="no game 'samegam'"):
        game_settings("samegam")


def test_a_preset_of_another_game_is_named_as_the_likely_cause():
    start = turnwise.make("hero-academy:map=a-tiny,deck=tiny").start(1)
    assert presets.games_of("turn-maximin", "kings") == ("stratega",)
    assert presets.games_of("mcts", "as-published") == ()
    assert presets.note_on_games(turnwise.planner("turn-maximin:preset=kings"), "stratega") == ""
    for text in ("turn-maximin:preset=kings", turnwise.planner("turn-maximin:preset=kings").spec):
        with pytest.raises(UnknownNameError, match=r"no evaluation 'advance'.*'kings' .* is for the game stratega\.$"):
            turnwise.planner(text).plan(start, "iterations=5")
    with pytest.raises(UnknownNameError, match=r"no evaluation 'advance'(?!.*preset)"):
        turnwise.planner("turn-maximin:evaluation=advance").plan(start, "iterations=5")


@pytest.mark.parametrize("planner", turnwise.PLANNERS.names())
def test_every_preset_is_possible(planner):
    for preset in turnwise.PLANNERS.get(planner).all_presets():
        turnwise.planner(planner, preset=preset)


def test_games_declare_presets_of_planners_that_exist():
    for game, settings in all_settings().items():
        assert set(settings.presets) <= set(turnwise.PLANNERS.names()), game
        for text in (settings.solving, settings.contest, *(text for _, text in settings.by_seconds)):
            assert not text or turnwise.planner(text)


def test_two_presets_of_one_name_are_an_error(monkeypatch):
    def declared(source, preset):
        return GameSettings({"sp-mcts": {preset: {"exploration": 2.0}}}, source=source)

    monkeypatch.setattr(presets, "_source", lambda: {"a": declared("a.toml", "mine"), "b": declared("b.toml", "mine")})
    with pytest.raises(TurnwiseError, match=r"'mine' of planner sp-mcts is declared twice, by a\.toml and in b\.toml"):
        turnwise.planner("sp-mcts:preset=mine")
    monkeypatch.setattr(presets, "_source", lambda: {"a": declared("a.toml", "schadd")})
    with pytest.raises(TurnwiseError, match="by the planner itself and in a"):
        turnwise.planner("sp-mcts:preset=schadd")
    monkeypatch.setattr(presets, "_source", lambda: {"a": declared("a.toml", "mine"), "b": declared("a.toml", "mine")})
    assert turnwise.planner("sp-mcts:preset=mine").parameters.exploration == 2.0  # two games of one package


def test_a_wrong_preset_is_reported_with_its_file(monkeypatch):
    declared = GameSettings({"nrpa": {"mine": {"bias": 2.0}}}, source="there/settings.toml")
    monkeypatch.setattr(presets, "_source", lambda: {"a": declared})
    with pytest.raises(
        OptionError, match=r"^there/settings\.toml: \[nrpa\.mine\]: .*'bias' is now called 'prior-weight'"
    ):
        turnwise.planner("nrpa:preset=mine")
    sound = GameSettings({"nrpa": {"mine": {"alpha": 2.0}}}, source="there/settings.toml")
    monkeypatch.setattr(presets, "_source", lambda: {"a": sound})
    with pytest.raises(OptionError, match=r"^planner nrpa: alpha = 'x'"):
        turnwise.planner("nrpa:preset=mine,alpha=x")


def test_a_wrong_recommended_planner_is_reported_with_the_file(monkeypatch, file):
    settings = read_settings(file("[recommended]\nsolving = 'nrpi'\ncontest = 'nrpa:bias=2'"))
    monkeypatch.setattr("turnwise.arena.recommended.game_settings", lambda game: settings)
    with pytest.raises(UnknownNameError, match=r"settings\.toml: There is no planner 'nrpi'"):
        recommended_planner("samegame")
    with pytest.raises(OptionError, match=r"settings\.toml: planner nrpa: the parameter 'bias'"):
        recommended_planner("samegame", contest=True)


def test_the_player_of_a_game_is_the_recommended_one(monkeypatch, file):
    assert recommended_player("hero-academy") == "turn-maximin"
    assert recommended_player(turnwise.make("hero-academy:map=a-tiny")) == "turn-maximin"
    assert recommended_player("samegame").startswith("nrpa:")
    assert recommended_player("stratega") == "turn-maximin:preset=kings"  # the default mode
    assert recommended_player(turnwise.make("stratega:mode=healers,fog=false")) == "turn-maximin:preset=healers"
    assert recommended_player(turnwise.make("stratega:mode=mixed3")) == GENERAL_PLAYER
    settings = read_settings(file("[recommended]\nplaying = 'mtcs'"))
    monkeypatch.setattr("turnwise.arena.recommended.game_settings", lambda game: settings)
    with pytest.raises(UnknownNameError, match=r"settings\.toml: There is no planner 'mtcs'"):
        recommended_player("samegame")


def test_every_recommended_player_of_a_scenario_is_valid():
    for name, settings in all_settings().items():
        for options, text in settings.by_options:
            assert recommended_player(turnwise.make(name, **options)) == text


def test_the_player_may_depend_on_options(monkeypatch, file):
    tiny = ("{ map = 'a-tiny', action-points = 3, planner = 'osla' }", "{ map = 'a-tiny', planner = 'pgs' }")
    settings = read_settings(file(f"[recommended]\nplaying = 'mcts'\nby-options = [{', '.join(tiny)}]"))
    monkeypatch.setattr("turnwise.arena.recommended.game_settings", lambda game: settings)
    scenarios = ("", ":map=a-tiny", ":action_points=3,map=a-tiny", ":action_points=3")
    found = [recommended_player(turnwise.make(f"hero-academy{options}")) for options in scenarios]
    assert found == ["mcts", "pgs", "osla", "mcts"]
    assert recommended_player("hero-academy") == "mcts"
    with pytest.raises(OptionError, match=r"settings\.toml: .*map"):
        recommended_player("samegame")


def test_scenarios_of_classes_that_are_not_registered_have_recommended_players(monkeypatch, file):
    class Unregistered(Stratega):
        name = "unregistered"

    settings = read_settings(file("[recommended]\nby-options = [{ mode = 'pushers', planner = 'osla' }]"))
    monkeypatch.setattr("turnwise.arena.recommended.game_settings", lambda game: settings)
    assert recommended_player(Unregistered(mode="pushers")) == "osla"
    assert recommended_player(Unregistered()) == GENERAL_PLAYER


def test_settings_of_another_package_come_without_an_import_of_the_game(tmp_path):
    info = tmp_path / "theirs-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: theirs\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[turnwise.games]\ntheirs = theirs:Game\n")
    (tmp_path / "theirs").mkdir()
    (tmp_path / "theirs" / "__init__.py").write_text("class Game: pass\n")
    (tmp_path / "theirs" / "settings.toml").write_text(FILE)
    code = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
        "from turnwise.planners.rhea import EARoll, RHEA\n"
        "print(RHEA(preset='theirs').parameters.population, EARoll(preset='theirs').parameters.population)\n"
        "from turnwise.arena.recommended import recommended_planner\n"
        "print(recommended_planner('theirs', seconds=3.0), 'theirs' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.stdout.splitlines() == ["70 80", "rhea:preset=theirs False"], done.stderr


def test_settings_are_read_without_numba():
    code = "import sys; from turnwise.registry import all_settings; print(len(all_settings()), 'numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.split()[1] == "False"


def test_a_preset_can_begin_with_a_reading_of_the_planner(monkeypatch):
    def declares(reading):
        declared = GameSettings({"p": {"mine": {"reading": reading, "population": 1}}}, source="a.toml")
        monkeypatch.setattr(presets, "_source", lambda: {"a": declared})
        return presets.presets_of("p", {"as-coded": {"population": 5, "length": 2}})

    assert declares("as-coded")["mine"] == {"population": 1, "length": 2}
    with pytest.raises(TurnwiseError, match=r"\[p.mine\] reading: expected one of as-coded; got 'as-codet'"):
        declares("as-codet")
