"""Every game explains itself to a person at the terminal."""

import pytest

import turnwise
from turnwise.registry import GAMES


@pytest.mark.parametrize("name", sorted(GAMES.names()))
def test_rules_and_headings(name):
    state = turnwise.make(name).start(1)
    assert len(state.game.rules_text().splitlines()) >= 3
    for code in state.legal_codes():
        heading = state.game.action_heading(state.row, int(code))
        assert "\n" not in heading
        assert len(heading) < 40


@pytest.mark.parametrize(
    ("game", "subject", "words"),
    [
        ("hero-academy", "cr", "CR Crystal: 4500 hit points; cannot act"),
        ("hero-academy", "POWER square", "P power square: 100 more power"),
        ("stratega", "king", "K King: health 400, moves 1, damage 10"),
        ("tribes", "mind bender", "M Mind bender: attack 0, defence 1"),
        ("tribes", "Climbing", "Climbing: tier 1; then: Meditation, Mining."),
        ("tribes", "port", "Port: costs 10 stars"),
        ("tribes", "", ""),
        ("samegame", "3 1", ""),
    ],
)
def test_information(game, subject, words):
    state = turnwise.make(game).start(1)
    found = state.game.info_text(state.row, subject)
    assert found.startswith(words) if words else found == ""
