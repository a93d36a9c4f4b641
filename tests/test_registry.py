"""Both registries: names, did-you-mean, text both ways, other packages' entry points."""

import re
import subprocess
import sys

import pytest

import turnwise
from doubles.counting_game import Counting
from turnwise.core.errors import OptionError, TurnwiseError, UnknownNameError
from turnwise.games.samegame import SameGame
from turnwise.registry import Registry, split_text
from turnwise.search import presets


def test_did_you_mean():
    with pytest.raises(UnknownNameError, match=r"no game 'hero-accademy'\. Did you mean 'hero-academy'"):
        turnwise.make("hero-accademy")
    with pytest.raises(UnknownNameError, match=r"no planner 'mtcs'\. Did you mean 'nmcs' or 'mcts'"):
        turnwise.planner("mtcs")
    with pytest.raises(UnknownNameError, match=r"Known: .*greedy-turn"):
        turnwise.planner("zzzz")


def test_a_script_for_a_planner_is_answered_with_its_form():
    with pytest.raises(UnknownNameError, match="A script of a game plays as 'script:script=NAME'"):
        turnwise.planner("tribes-rules")
    with pytest.raises(UnknownNameError, match=r"^(?!.*script:script)"):
        turnwise.make("tribe")


def test_did_you_mean_in_another_case():
    with pytest.raises(UnknownNameError, match=r"no planner 'MCTS'\. Did you mean 'mcts'"):
        turnwise.planner("MCTS")
    with pytest.raises(UnknownNameError, match=r"no game 'SameGame'\. Did you mean 'samegame'"):
        turnwise.make("SameGame")
    with pytest.raises(OptionError, match="no parameter 'MEMORY'; did you mean 'memory'"):
        turnwise.planner("mcts:MEMORY=1GB")


@pytest.mark.parametrize("value", ["inf", "-inf", "nan", float("inf")])
@pytest.mark.parametrize("name", turnwise.PLANNERS.names())
def test_parameters_are_finite(name, value):
    fields = turnwise.PLANNERS.get(name).Parameters.model_fields
    for parameter in (key for key, field in fields.items() if field.annotation is float):
        with pytest.raises(OptionError, match="expected a finite number"):
            turnwise.planner(name, **{parameter: value})


@pytest.mark.parametrize("name", turnwise.PLANNERS.names())
def test_an_expression_with_a_fault_is_refused_when_the_planner_is_made(name):
    if "policy" in turnwise.PLANNERS.get(name).Parameters.model_fields:
        with pytest.raises(OptionError, match=r"policy = 'first\('.*expected the name of a script"):
            turnwise.planner(name, policy="first(")
        assert turnwise.planner(name, policy="first(a,b)").parameters.policy == "first(a,b)"
        assert turnwise.planner(name, policy="known-to-a-game").parameters.policy == "known-to-a-game"


def test_only_an_unknown_name_is_answered_with_all_names():
    with pytest.raises(OptionError, match=r"backup = 'foo': expected one of one-minus, negate\.$"):
        turnwise.planner("mcts:backup=foo")
    with pytest.raises(OptionError, match=r"Parameters: candidates, .*exploration"):
        turnwise.planner("mcts:backup=foo,back=1")


def test_adding_names():
    registry = Registry("game", "turnwise.nothing", {"samegame": "turnwise.games.samegame:SameGame"})
    registry.add("counting", Counting)
    registry.add("counting", Counting)  # twice, like a notebook cell that is run again
    assert registry.names() == ["counting", "samegame"]
    assert registry.get("samegame") is SameGame
    for name, other in (("samegame", Counting), ("counting", SameGame)):
        with pytest.raises(TurnwiseError, match="already"):
            registry.add(name, other)


@pytest.mark.parametrize("kind", ["game", "planner"])
def test_classes_without_names_and_parameters_are_refused(kind):
    class Other:
        def plan(self, state, budget, seed=0):
            return [state.legal_codes()[0]]

    registry = Registry(kind, "turnwise.nothing", {"own": "turnwise.core.errors:TurnwiseError"})
    words = f"cannot be registered: expected one that derives from turnwise.{kind.title()}, "
    with pytest.raises(OptionError, match="The class Other " + re.escape(words)):
        registry.add("other", Other)
    with pytest.raises(OptionError, match="The class TurnwiseError " + re.escape(words)):
        registry.get("own")


@pytest.mark.parametrize("path", ["no_such_module_here:Thing", "turnwise.core.errors:Missing"])
def test_what_cannot_be_loaded_says_why(path):
    with pytest.raises(TurnwiseError, match="cannot be loaded"):
        Registry("game", "turnwise.nothing", {"broken": path}).get("broken")


def test_a_name_of_an_entry_point_is_taken_whether_the_entry_points_were_read_or_not():
    registry = Registry("game", "turnwise.no-such-group", {})
    registry._paths["counting"], registry._scanned = "elsewhere:Game", True
    with pytest.raises(TurnwiseError, match="already a game 'counting' in elsewhere"):
        registry.add("counting", Counting)
    registry._paths["counting"] = f"{Counting.__module__}:{Counting.__qualname__}"  # its own entry point
    registry.add("counting", Counting)
    assert registry.get("counting") is Counting


def test_a_class_that_an_entry_point_names_through_another_module_is_its_own():
    registry = Registry("planner", "turnwise.no-such-group", {"mcts": "turnwise.planners.mcts:MCTS"})
    found = registry.get("mcts")
    assert found.__module__ != "turnwise.planners.mcts"
    registry.add("mcts", found)


def test_a_class_is_compared_with_entry_points_that_were_not_read_yet(monkeypatch):
    point = type("Point", (), {"name": "counting", "value": "elsewhere:Game"})
    monkeypatch.setattr("turnwise.registry.entry_points", lambda group: [point])
    with pytest.raises(TurnwiseError, match="already a game 'counting' in elsewhere"):
        Registry("game", "group", {}).add("counting", Counting)


def test_presets_of_a_file_that_is_refused_now_stay_as_they_were(tmp_path):
    path = tmp_path / "presets.toml"
    path.write_text("[mcts.kept]\nexploration = 0.3\n")
    try:
        turnwise.load_presets(path)
        path.write_text("[mcts.kept]\nexploration = 'much'\n")
        with pytest.raises(OptionError):
            turnwise.load_presets(path)
        assert turnwise.planner("mcts:preset=kept").parameters.exploration == 0.3
    finally:
        presets.remove(str(path.resolve()))


def test_texts():
    assert split_text("name:a-b=1,c=x=y") == ("name", {"a_b": "1", "c": "x=y"})
    assert split_text(" name ") == ("name", {})
    with pytest.raises(OptionError, match="OPTION=VALUE"):
        split_text("name:oops")
    with pytest.raises(OptionError, match="there is no name before '=3'"):
        split_text("name:a=1,=3")


def test_a_list_without_quotes_is_answered_with_the_quotes():
    hint = re.escape("""'fly' is not of the form OPTION=VALUE. If it belongs to the value of 'my-list', put that in """)
    with pytest.raises(OptionError, match=hint + re.escape("""quotes: my-list="drink,fly" (in a shell with single""")):
        split_text("pgs:my-list=drink,fly")
    assert split_text('pgs:my-list="drink,fly"') == ("pgs", {"my_list": "drink,fly"})


@pytest.mark.parametrize("name", ["", "my:game", "a=b", "one,two", "my game", " own", "own\n", ":"])
@pytest.mark.parametrize("registry", [turnwise.GAMES, turnwise.PLANNERS])
def test_a_name_that_no_text_can_begin_with_is_refused(registry, name):
    with pytest.raises(OptionError, match="must be a word without spaces and without : = ,; got") as raised:
        registry.add(name, Counting)
    assert repr(name) in str(raised.value)
    assert name not in registry.names()


def test_an_option_given_twice_is_named_with_both_values():
    with pytest.raises(
        OptionError, match="'end-penalty' is given twice, as 'total' and as 'codingame'; give one of them"
    ):
        turnwise.make("samegame:end_penalty=total,end-penalty=codingame")
    with pytest.raises(OptionError, match="'board' is given twice, as '1' in the text and as the argument board='2'"):
        turnwise.make("samegame:board=1", board="2")
    twice = "'max-nodes' is given twice, as '9' in the text and as the argument max_nodes=8; give one of them"
    with pytest.raises(OptionError, match=twice):
        turnwise.planner("mcts:max-nodes=9", max_nodes=8)


def test_entry_points_of_another_package(tmp_path):
    """The package is a folder on the path, with the metadata that an installer would write."""
    info = tmp_path / "theirs-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: theirs\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[turnwise.games]\ntheir-game = theirs:Game\n[turnwise.planners]\ntheir-planner = theirs:Planner\n"
        "mcts = theirs:Planner\n"
    )
    (tmp_path / "theirs.py").write_text(
        "import turnwise.games.samegame\nimport turnwise.planners.baselines\n\n"
        "class Game(turnwise.games.samegame.SameGame):\n    name = 'their-game'\n\n"
        "class Planner(turnwise.planners.baselines.Random):\n    name = 'their-planner'\n"
    )
    code = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import turnwise\n"
        "print('their-game' in turnwise.GAMES.names(), turnwise.make('their-game:board=3').spec,"
        " type(turnwise.planner('their-planner')).__name__, turnwise.PLANNERS.get('mcts').__module__)"
    )
    finished = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert finished.stdout.split() == ["True", "their-game:board=3", "Planner", "turnwise.planners.mcts.planner"], (
        finished.stderr
    )
