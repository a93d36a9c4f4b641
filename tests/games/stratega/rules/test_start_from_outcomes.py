"""A start that follows recorded outcomes."""

import pytest

import turnwise
from turnwise.core.errors import NotationError


def test_too_few_outcomes_are_refused_and_not_waited_for():
    game = turnwise.make("stratega:mode=kings")
    with pytest.raises(NotationError):
        game.start(0, outcomes=[])
    assert game.start(0, outcomes=game.start(3).outcomes) == game.start(3)
