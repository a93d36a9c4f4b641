"""Fixtures of the tests of studies."""

import pytest

from turnwise.report import replays

FEW = 2


@pytest.fixture(autouse=True)
def few_games_to_watch(monkeypatch):
    """Draw only two games on every report: drawing takes most of a small study's time. Tests of reports draw more."""
    choose = replays.choose
    monkeypatch.setattr(replays, "choose", lambda records, number: choose(records, min(number, FEW)))
