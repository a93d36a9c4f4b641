"""Recorded choices of scripts and decisions of rule-based players, right and wrong."""

import pytest

from doubles.stratega_positions import position
from turnwise.core.conformance import JSONRecord, Mismatches
from turnwise.core.errors import DamagedFileError
from turnwise.games.stratega.recorded.scripts import Deciding, compare_scripts

OPEN = " ".join(["." * 9] * 7)


def fought():
    """A fighter next to a friend, and an enemy in range."""
    return position(OPEN, ("Fighter", 0, 3, 3), ("Medic", 0, 3, 4), ("Fighter", 1, 5, 3))


def compared(state, scripts):
    """Number of recorded choices that differ."""
    tally = Mismatches()
    compare_scripts(state, JSONRecord("file", scripts), tally)
    return tally.compared.total(), tally.wrong.total()


def test_choices_are_compared_for_all_units_and_for_single_ones():
    choices = {"all": "attack 0 2", "0": "attack 0 1", "1": "move 1 4,3"}
    assert compared(fought(), {"AC": choices}) == (1, 0)
    assert compared(fought(), {"AC": choices, "US": {"all": None, "1": None}}) == (2, 0)
    for unit in choices:
        assert compared(fought(), {"AC": {**choices, unit: "end"}}) == (1, 1)
        assert compared(fought(), {"AC": {**choices, unit: None}}) == (1, 1)


@pytest.mark.parametrize("scripts", [{"XX": {"all": None}}, {"AC": {"99": None}}, {"AC": {"-1": None}}, {"AC": "end"}])
def test_damaged_choices_are_refused(scripts):
    with pytest.raises(DamagedFileError):
        compared(fought(), scripts)


def decided(state, player, action, used_chance=False, **header):
    """Number of decisions compared, and of those that differ."""
    tally = Mismatches()
    data = {"players": [player, "Random"], "initial_state": {"can_play": [1, 1]}, **header}
    Deciding(JSONRecord("file", data)).compare(state, action, used_chance, tally)
    return tally.compared.total(), tally.wrong.total()


def test_decisions_of_rule_based_players_are_compared_on_their_view():
    assert decided(fought(), "Combat", "attack 0 2") == (1, 0)
    assert decided(fought(), "Combat", "end") == (1, 1)
    assert decided(fought(), "Combat", "attack 0 2", used_chance=True) == (1, 1)
    assert decided(fought(), "Push", "move 0 4,3") == (1, 0)
    assert decided(fought(), "Random", "end") == (0, 0)
    unseen = position(OPEN, ("Fighter", 0, 0, 3), ("Fighter", 1, 8, 3), sight=2)
    assert decided(unseen, "Combat", "move 0 1,2", used_chance=True) == (1, 0)
    assert decided(unseen, "Combat", "move 0 2,3", agents_see_fog=False) == (1, 0)


def test_every_seat_has_a_player():
    with pytest.raises(DamagedFileError, match="players"):
        decided(fought(), "Combat", "end", players=["Combat"])
