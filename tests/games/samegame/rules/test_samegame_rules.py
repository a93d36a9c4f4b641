"""The compiled rules against a slow twin written from the rule text, and what is known about all games."""

import json
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import turnwise
from doubles.recorded_play import selection
from turnwise.core.errors import IllegalActionError, NotationError
from turnwise.games.samegame.scenario import named_boards
from turnwise.testing import perft
from twins.samegame_twin import Twin

DATA = selection("samegame")
GAME = turnwise.make("samegame")


def start_of(columns):
    """A start state from columns of colours from the floor up."""
    rows = ["".join(str(c[y]) if y < len(c) else "." for c in columns) for y in range(14, -1, -1)]
    return turnwise.make("samegame", rows=rows).start()


def play_alongside_the_twin(state, rng, largest=False):
    twin = Twin(state.to_dict()["board"])
    removed = 0
    while True:
        assert state.legal_actions() == twin.legal()
        assert state.to_dict() == twin.to_dict()
        assert state.to_dict()["score"] % 2 == removed % 2  # rules K3
        if state.is_over:
            return state
        before = state.row.copy()
        regions = twin.regions()
        region = max(regions, key=len) if largest else rng.choice(regions)
        cell = rng.choice(region)  # any cell of a region is as good as its first
        action = f"{cell[0]} {cell[1]}"
        following = state.play(action)
        assert np.array_equal(state.row, before)
        twin.play(action)
        removed += len(region)
        state = following


@pytest.mark.parametrize("name", ["1", "9", "16", *[name for name in named_boards() if name.startswith("codingame")]])
@pytest.mark.parametrize("largest", [False, True])
def test_named_boards_agree_with_the_twin(name, largest):
    start = turnwise.make("samegame", board=name).start()
    play_alongside_the_twin(start, random.Random(name), largest)


@pytest.mark.parametrize("seed", range(60))
def test_random_boards_agree_with_the_twin(seed):
    rng = random.Random(seed)
    colours = 1 + seed % 5
    columns = [
        [rng.randrange(colours) for _ in range(15 if seed % 2 else rng.randint(1, 15))]
        for _ in range(15 if seed % 2 else rng.randint(1, 15))
    ]
    play_alongside_the_twin(start_of(columns), rng, largest=seed % 3 == 0)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.lists(st.integers(0, 2), min_size=1, max_size=15), min_size=1, max_size=15), st.randoms())
def test_wide_and_winding_regions_agree_with_the_twin(columns, rng):
    play_alongside_the_twin(start_of(columns), rng)


def test_a_cleared_board_scores_the_bonus_and_all_cells_at_once_the_maximum():
    state = start_of([[3] * 15] * 15)
    assert state.legal_actions() == ["0 0"]
    end = state.play("14 14")
    assert end.is_over
    assert end.to_dict()["score"] == 223**2 + 1000 == 50_729  # rules K4
    assert end.returns == (50_729.0,)
    assert turnwise.make("samegame").from_dict(end.to_dict()) == end


def test_a_pair_scores_nothing_and_columns_close_up():
    state = start_of([[0, 1], [2, 2], [1, 0]]).play("1 1")
    assert state.to_dict()["board"][-2:] == ["10" + 13 * ".", "01" + 13 * "."]
    assert state.to_dict()["score"] == 0
    assert state.is_over


def test_a_start_board_without_actions_is_over():
    state = start_of([[0, 1], [1, 0]])
    assert state.is_over  # rules K2
    assert state.to_dict()["terminal"]


def test_illegal_actions_are_refused_and_change_nothing():
    state = turnwise.make("samegame", board=1).start()
    before = state.row.copy()
    for action in ("14 14", "2 2"):
        with pytest.raises(IllegalActionError):
            state.play(action)
    for text in ("15 0", "0 15", "0", "a b", "0,0", "-1 0", " 0 0", "0 0 "):
        with pytest.raises(NotationError):
            state.play(text)
    for code in (-1, 225, 10**6):
        assert not state.is_legal(code)
    assert np.array_equal(before, state.row)
    assert not state.play("0 2").is_legal("14 14")


@pytest.mark.parametrize("penalty", ["none", "per_colour", "total"])
def test_end_penalties(penalty):
    game = turnwise.make("samegame", rows=["2....", "20101", "01010"], end_penalty=penalty)
    end = game.start().play("0 1")
    assert end.is_over
    counts = end.to_dict()["counts"]
    assert counts == [5, 4, 0, 0, 0]
    expected = {"none": 0, "per_colour": -(3**2) - 2**2, "total": -(7**2)}[penalty]
    assert end.returns == (expected,)
    assert end.evaluate(0, "score") == expected / 5000
    assert end.to_dict()["score"] == 0


def test_colours_can_be_exchanged():
    """Validators 31-50 of the contest are the standard boards with other colours (rules 7)."""
    rng = random.Random(5)
    for name in ("2", "11", "20"):
        board = named_boards()[name]
        new = rng.sample("01234", 5)
        exchanged = [row.translate(str.maketrans("01234", "".join(new))) for row in board]
        state = turnwise.make("samegame", board=name).start()
        other = turnwise.make("samegame", rows=exchanged).start()
        while not state.is_over:
            assert other.legal_actions() == state.legal_actions()
            action = rng.choice(state.legal_actions())
            state, other = state.play(action), other.play(action)
            assert other.returns == state.returns
        assert other.is_over
        assert [other.to_dict()["counts"][int(c)] for c in new] == state.to_dict()["counts"]


def test_perft_by_the_test_kits_counting():
    recorded = {p["board"]: p for p in json.loads((DATA / "perft.json").read_text())["positions"]}
    for name in ("small-5x5-c3", "small-4x4-c3", "codingame-few-choices"):
        game = turnwise.make("samegame", rows=recorded[name]["rows"])
        depths = recorded[name]["depths"][:4]
        expected = [(depth["sequences"], depth["distinct_states"]) for depth in depths]
        assert perft(game.start(), len(depths)) == expected


def test_fingerprints_distinguish_boards_and_scores():
    state = turnwise.make("samegame", board=8).start()
    scored = GAME.from_dict({**state.to_dict(), "score": 5})
    assert scored.fingerprint != state.fingerprint
    assert GAME.from_dict(state.to_dict()).fingerprint == state.fingerprint
    ends = {state.play(action).fingerprint for action in state.legal_actions()}
    assert len(ends) == len(state.legal_actions())
