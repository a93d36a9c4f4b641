"""Capitals next to each other: the centre of the later one lies within the borders of the earlier one."""

import pytest

from turnwise.core.budget import Budget
from turnwise.core.errors import NotationError
from turnwise.registry import make, planner

CROWDED = "tribes:players=3,side=8"
SEEDS = (0, 3, 6, 7)


def centres(state):
    """City -> owner of its centre."""
    data = state.to_dict()
    return {city["id"]: data["owner"][city["pos"][0]][city["pos"][1]] for city in data["cities"]}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("fog", ["false", "true"])
def test_saved_states_are_read_again(seed, fog):
    state = make(f"{CROWDED},fog={fog}").start(seed=seed)
    assert any(city != owner for city, owner in centres(state).items())
    for _ in range(3):
        for seen in (state, state.view(state.to_move)):
            assert state.game.from_dict(seen.to_dict()).to_dict() == seen.to_dict()
        state = state.play("end")


def test_nobody_captures_an_own_city():
    state = make(CROWDED).start(seed=0)
    for _ in range(3):
        own = {city["id"] for city in state.to_dict()["cities"] if city["tribe"] == state.to_move}
        captured = {int(text.split()[2][1:]) for text in state.legal_actions() if text.startswith("capture")}
        assert not own & captured
        state = state.play("end")


@pytest.mark.parametrize("seed", SEEDS)
def test_planners_search_under_fog(seed):
    state = make(f"{CROWDED},fog=true").start(seed=seed)
    for _ in range(3):
        plan = planner("osla").plan(state.view(state.to_move), Budget(forward_calls=100), seed=1)
        assert plan.actions
        state = state.play("end")


def test_other_cities_must_own_their_centres():
    game = make("tribes:level=1")
    data = game.start(seed=0).to_dict()
    x, y = data["cities"][0]["pos"]
    data["owner"][x][y] = data["cities"][1]["id"]
    with pytest.raises(NotationError, match="or lie within the borders"):
        game.from_dict(data)


def test_a_city_within_the_borders_of_another_is_read(tmp_path):
    """A level file may put a village next to a capital; who captures it founds a city there."""
    tiles = [[".:"] * 8 for _ in range(8)]
    tiles[1][1], tiles[6][6], tiles[1][2] = "c:0", "c:2", "v:"
    (tmp_path / "village.csv").write_text("\n".join(",".join(row) for row in tiles))
    state = make("tribes", level=tmp_path / "village.csv").start(seed=0)
    unit = state.to_dict()["cities"][0]["units"][0]
    state = state.play(f"move u{unit} 1,2").play("end").play("end").play(f"capture u{unit} village")
    founded = next(city for city in state.to_dict()["cities"] if city["pos"] == [1, 2])
    assert centres(state)[founded["id"]] != founded["id"]
    assert state.game.from_dict(state.to_dict()).to_dict() == state.to_dict()
