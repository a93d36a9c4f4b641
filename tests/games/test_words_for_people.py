"""Every game explains itself to a person at the terminal."""

from itertools import pairwise

import pytest

import turnwise
from turnwise.cli.ui.flow import flowing
from turnwise.registry import GAMES


@pytest.mark.parametrize("name", sorted(GAMES.names()))
def test_rules_legend_and_headings(name):
    state = turnwise.make(name).start(1)
    assert len(state.game.rules_text().splitlines()) >= 3
    assert state.game.legend_text(state.row)
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
        ("stratega", "0", "W Warrior: health 200"),
        ("stratega", "99", ""),
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


@pytest.mark.parametrize("width", [60, 80, 120])
@pytest.mark.parametrize("name", sorted(GAMES.names()))
def test_rules_and_legend_are_wrapped_once(name, width):
    """No line is short where the first word of the next one had room, except before a line of its own."""
    state = turnwise.make(name).start(1)
    for text in (state.game.rules_text(), state.game.legend_text(state.row)):
        lines = flowing(text, width).splitlines()
        assert max(map(len, lines)) <= width
        own = {line.split()[0] for line in text.splitlines() if line.startswith("  ")}
        for line, following in pairwise(lines):
            begins = line.startswith("  ") != following.startswith("  ") or following.split()[0] in own
            assert begins or len(line) + 1 + len(following.split()[0]) > width, (line, following)
