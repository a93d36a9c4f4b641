"""Generated maps, and the random numbers that they are made of (recorded maps are compared in the conformance test)."""

import numpy as np
import pytest

import turnwise
from turnwise.games.tribes.rules.java_random import JavaRandom, java_double, seed_java
from turnwise.jit.kernel import kernel


def java(seed):
    """The generator by its definition, in Python's numbers."""
    word = (seed ^ 0x5DEECE66D) & (2**48 - 1)
    while True:
        word = (word * 0x5DEECE66D + 0xB) & (2**48 - 1)
        yield word


@kernel
def doubles(r, seed, out):
    seed_java(r, seed)
    for i in range(len(out)):
        out[i] = java_double(r)


def test_a_known_number_of_java():
    out = np.zeros(1)
    doubles(JavaRandom(), 42, out)
    assert out[0] == 0.7275636800328681


@pytest.mark.parametrize("seed", [0, 1, -1, -(2**63), 2**63 - 1, 1590191438878])
def test_fractions(seed):
    out, words = np.zeros(50), java(seed)
    doubles(JavaRandom(), seed, out)
    assert out.tolist() == [((next(words) >> 22 << 27) + (next(words) >> 21)) / 2**53 for _ in out]


def letters(state):
    return "".join(state.to_dict()["terrain"])


class TestMaps:
    @pytest.mark.parametrize("tribes", ["xin-xi+imperius", "bardur+oumaji+xin-xi", "oumaji+imperius+bardur+xin-xi"])
    @pytest.mark.parametrize("side", [8, 11, 18])
    def test_every_tribe_has_a_capital_away_from_the_edge(self, tribes, side):
        names = tribes.upper().replace("-", "_").split("+")
        for level in range(12):
            data = turnwise.make("tribes", tribes=tribes, side=side, level=level).start().to_dict()
            assert sorted(tribe["type"] for tribe in data["tribes"]) == sorted(names)
            assert [city["id"] for city in data["cities"]] == data["capitals"]
            assert all(2 <= line < side - 2 for city in data["cities"] for line in city["pos"])

    def test_aid_for_imperius_and_bardur(self):
        for level in range(20):
            data = turnwise.make("tribes", tribes="imperius+bardur", level=level).start().to_dict()
            for city in data["cities"]:
                x, y = city["pos"]
                around = [
                    data["terrain"][x + i][y + j] + data["resource"][x + i][y + j]
                    for i in (-1, 0, 1)
                    for j in (-1, 0, 1)
                ]
                wanted = ".f" if data["tribes"][city["tribe"]]["type"] == "IMPERIUS" else "fa"
                assert around.count(wanted) >= 2

    def test_ruins_are_never_in_shallow_water_and_villages_not_on_the_edge(self):
        for seed in range(10):
            data = turnwise.make("tribes", tribes="xin-xi+oumaji").start(seed=seed).to_dict()
            for x, y in [(x, y) for x in range(11) for y in range(11)]:
                assert (data["terrain"][x][y], data["resource"][x][y]) != ("s", "r")
                assert data["terrain"][x][y] != "v" or (0 < x < 10 and 0 < y < 10)
            assert "".join(data["resource"]).count("r") <= 3

    def test_the_same_seed_gives_the_same_map_whatever_was_there_before(self):
        game = turnwise.make("tribes", level=5)
        assert game.start(1).to_dict() == game.start(2).to_dict()
        assert turnwise.make("tribes", level=6).start().to_dict() != game.start().to_dict()

    def test_games_without_a_level_have_one_each(self):
        game = turnwise.make("tribes")
        assert len({letters(game.start(seed)) for seed in range(20)}) == 20
        assert game.start(3) == game.start(3)

    @pytest.mark.parametrize("level", [-1, -(2**63), 2**63 - 1])
    def test_any_number_is_a_seed(self, level):
        assert turnwise.make("tribes", level=level).start().to_dict()["capitals"] == [1, 3]

    def test_without_land_there_is_a_plain_for_all_tribes(self):
        for land, players in ((0.0, 2), (0.0, 4), (0.05, 3)):
            data = turnwise.make("tribes", land=land, players=players, level=7).start().to_dict()
            assert len(data["cities"]) == players
        assert set("".join(data["terrain"])) <= set(".cvsdmf")

    def test_land_everywhere(self):
        state = turnwise.make("tribes", land=1.0, level=17).start()
        assert not set(letters(state)) & set("sd")
