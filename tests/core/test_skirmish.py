"""The test game that has the whole contract follows it, compiled and in plain Python."""

import pytest

from doubles.skirmish import Skirmish
from turnwise.testing import check_game

OPTIONS = {
    "unbounded": {"turns": 6},
    "bounded": {"turns": 8, "unbounded": False, "players": 2, "units": 2},
    "chance": {"turns": 6, "chance_every": 3, "players": 4},
    "fog": {"turns": 6, "fog": True},
    "all": {"turns": 8, "unbounded": False, "fog": True, "chance_every": 1, "units": 3},
}


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_the_compiled_game_follows_the_contract(options):
    check_game(Skirmish(**options), states=12)
