"""What ``to_json`` writes is read back, and nothing else."""

import json

import pytest

import turnwise
from doubles.toy_game import Toy
from turnwise.core.errors import NotationError, OptionError
from turnwise.testing.bench.measure import BenchResult, Figure
from turnwise.testing.profiling.profile import FunctionShare, MethodShare, SearchProfile


@pytest.mark.parametrize("game", [Toy(turns=5), turnwise.make("hero-academy", map="a-tiny", deck="tiny")])
def test_states_come_back(game):
    state = game.start(3)
    state = state.play(state.legal_codes()[0])
    again = turnwise.State.from_json(state.to_json(), game, seed=7)
    assert again == state
    assert again.game is game
    assert turnwise.State.from_json(json.dumps(state.to_dict()), game) == state


@pytest.mark.parametrize(
    ("text", "error", "words"),
    [
        (Toy(turns=6).start().to_json(), OptionError, "expected one of toy:turns=5"),
        (turnwise.make("hero-academy").start().to_json(), OptionError, "a state of hero-academy"),
        (json.dumps({**json.loads(Toy(turns=5).start().to_json()), "rules": "0"}), OptionError, "rules version 0"),
        (json.dumps({"game": "toy", "state": 3}), NotationError, "must be objects"),
        ("[1]", NotationError, "expected a JSON object"),
        ("{", NotationError, "not a saved state"),
        ("{}", NotationError, "row"),
        ("", NotationError, "not a saved state"),
        (None, NotationError, "expected the text"),
        ("x" * (64 * 1024 * 1024 + 1), NotationError, "at most 67,108,864"),
    ],
)
def test_other_texts_are_refused(text, error, words):
    with pytest.raises(error, match=words):
        turnwise.State.from_json(text, Toy(turns=5))


def test_the_game_must_be_one():
    with pytest.raises(OptionError, match="game"):
        turnwise.State.from_json("{}", "toy")


def test_figures_come_back():
    functions = (FunctionShare("apply", 6, 30.5, 0.25),)
    methods = (MethodShare("play", 6, 1.5, 0.1),)
    profile = SearchProfile("toy", "mcts", "forward=5", 1, 0.5, 6, 7, functions, 0.75, methods)
    assert SearchProfile.from_json(profile.to_json()) == profile
    result = BenchResult("toy", "toy", "a machine", 1e6, (Figure("apply", 100.0, 90.0, 110.0, 0.5, 0.25, 0.75),))
    assert BenchResult.from_json(result.to_json()) == result
    for kind, what in ((SearchProfile, "a profile"), (BenchResult, "a result of a benchmark")):
        for text in ("{}", "[]", "x", '{"game": 1}', None, 3):
            with pytest.raises(NotationError, match=what):
                kind.from_json(text)
