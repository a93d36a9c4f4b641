"""What was run: every setting of a tournament."""

import pytest

from doubles.small_tournaments import spec
from turnwise.arena.tournament.specification import TournamentSpec
from turnwise.report.facts import tournament_facts

BASE = {"players": {"a": "plain", "b": "plain:salt=1", "c": "plain:salt=2"}}
OTHERS = {
    "name": {"name": "another name"},
    "games": {"games": ["toy:turns=5"]},
    "players": {"players": {**BASE["players"], "c": "plain:salt=3"}},
    "budget": {"budget": "iterations=77"},
    "budgets": {"budgets": {"b": "iterations=78"}},
    "pairing": {"pairing": "gauntlet", "challengers": ["a"]},
    "meetings": {"pairing": "sampled", "meetings": 2},
    "challengers": {"pairing": "gauntlet", "challengers": ["b", "c"]},
    "pools": {"pairing": "pools", "pools": [["a", "b"], ["c", "a"]]},
    "tables": {"pairing": "tables", "tables": [["b", "c"]]},
    "games_per_pair": {"games_per_pair": 66},
    "sprt": {"sprt": {"elo0": 0, "elo1": 50, "least": 8}},
    "starts": {"starts": [{"a": 1}, {"a": 2}]},
    "common_starts": {"common_starts": False},
    "seed": {"seed": 99},
    "max_turns": {"max_turns": 37},
    "forfeit_overrun": {"forfeit_overrun": 3},
    "replays": {"replays": 4},
    "notes": {"notes": "plans"},
}
FIRST = {"challengers": ["a"], "meetings": 1, "pools": [["a", "b"]], "tables": [["a", "b"]]}
"""Another value of fields that their pairing requires."""


def lines(**fields):
    return [f"{fact.label}: {fact.value}" for fact in tournament_facts(spec(**{**BASE, **fields}))]


@pytest.mark.parametrize("field", TournamentSpec.model_fields)
def test_every_setting_is_there(field):
    other = OTHERS[field]
    assert lines(**other) != lines(**({**other, field: FIRST[field]} if field in FIRST else {}))


def test_settings_read_well():
    given = lines(
        **{
            key: value
            for field in ("starts", "pools", "sprt", "max_turns", "replays")
            for key, value in OTHERS[field].items()
        }
    )
    for line in (
        "Pool 2: c, a",
        "Limit of turns: 37; a game that reaches it is drawn by limit",
        "Replays: of the first 4 games of every meeting",
    ):
        assert line in given, line
    assert any("when it decides, after 8 games at the earliest, which biases" in line for line in given)
    (starts,) = (line for line in given if line.startswith("Starts"))
    assert starts.startswith("Starts: 2 given states, from which groups of games begin in turn (fingerprint ")


def test_two_lists_of_starts_differ_in_their_fingerprint():
    assert len({tuple(lines(starts=[{"a": last}])) for last in (1, 2, 2)}) == 2
    assert "Starts: the game's own" in lines(games=["toy:turns=4"])
