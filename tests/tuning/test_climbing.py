"""The simple algorithms next to NTBEA: hill climbing, the compact genetic algorithm, grid search."""

import pytest

from turnwise.core.errors import OptionError
from turnwise.tuning.grid_search import GridSearch
from turnwise.tuning.optimiser import ModelSettings
from turnwise.tuning.random_search import RandomSearch
from turnwise.tuning.rmhc import Rmhc, RmhcSettings
from turnwise.tuning.run import tune
from turnwise.tuning.space import INACTIVE, Parameter, Space, Subset
from turnwise.tuning.swcga import Swcga, SwcgaSettings

LINE = Space([Parameter("x", tuple(range(8)), True), Parameter("y", tuple(range(8)), True)])
MIXED = Space(
    [
        Parameter("policy", ("random", "tabu")),
        Parameter("tabu", (1, 2, 3), True, {"policy": ("tabu",)}),
        Subset("scripts", ("a", "b")),
    ]
)


def hill(point):
    return -abs(point[0] - 5) - abs(point[1] - 2)


def test_hill_climbing_stands_on_the_best_point_it_has_heard_of_or_on_an_equal_one():
    climber = Rmhc(LINE, 3, RmhcSettings(recommend="own"))
    height = None
    for _ in range(200):
        (point,) = climber.ask(1)
        if height is not None:
            assert sum(one != other for one, other in zip(point, climber.recommend(), strict=True)) == 1
        climber.tell(point, hill(point))
        height = hill(point) if height is None else max(height, hill(point))
        assert hill(climber.recommend()) == height
    assert climber.recommend() == (5, 2)


def test_a_lucky_point_is_kept_with_one_evaluation_and_not_with_resampling():
    """The first evaluation of every point is 10, the others are 0: with one each, every move is accepted."""
    climber = Rmhc(LINE, 1, RmhcSettings(resampling=4, recommend="own"))
    first = climber.ask(9)
    assert first == first[:1] * 4
    climber.tell(first[0], 10.0)
    assert climber.ask(9) == first[:1] * 3
    for _ in range(3):
        climber.tell(first[0], 0.0)
    (other, *_) = climber.ask(4)
    assert other != first[0]
    for fitness in (2.0, 2.0, 2.0, 3.0):  # the mean of the first is 2.5
        climber.tell(other, fitness)
    assert climber.recommend() == first[0]
    (third, *_) = climber.ask(4)
    for fitness in (2.0, 2.0, 3.0, 3.0):  # equal is enough
        climber.tell(third, fitness)
    assert climber.recommend() == third


def test_a_refused_point_is_left_and_never_recommended():
    climber = Rmhc(LINE, 1, RmhcSettings(recommend="own"))
    (first,) = climber.ask(1)
    climber.refuse(first)  # counts as 0, as there is nothing worse yet
    (second,) = climber.ask(1)
    climber.tell(second, -5.0)  # so the climber stays on the refused point
    assert climber.recommend() == second


def test_the_compact_algorithm_moves_probability_from_losers_to_winners():
    search = Swcga(LINE, 0, SwcgaSettings(window=2, strength=16.0, recommend="own"))
    search.tell((0, 0), 1.0)
    search.tell((1, 0), 2.0)  # wins over (0, 0); the second dimension is equal
    assert search._chances[0][:3] == [0.125 - 0.0625, 0.125 + 0.0625, 0.125]
    assert search._chances[1] == [0.125] * 8
    search.tell((2, 3), 0.0)  # loses against both
    assert search._chances[0][:3] == [0.125, 0.25, 0.0]
    assert search._chances[1][0] == 0.25
    search.tell((4, 4), 0.0)  # the window holds (1, 0) and (2, 3) only; an equal fitness moves nothing
    assert search._chances[0][0] == 0.125
    assert sum(search._chances[0]) == sum(search._chances[1]) == 1.0
    assert search.recommend() == (1, 0)


def test_the_compact_algorithm_finds_a_hill_that_random_points_miss():
    points = [tune(LINE, lambda s, seed: hill((s["x"], s["y"])), evaluations=60, algorithm="swcga", seed=seed,
                   strength=8.0, recommend="own").point for seed in range(20)]  # fmt: skip
    random = RandomSearch(LINE, 0, ModelSettings()).ask(20)
    assert sum(map(hill, points)) / 20 > -1.5 > -3.0 > sum(map(hill, random)) / 20


def test_grid_search_visits_every_point_once_per_pass():
    search = GridSearch(MIXED, 4, ModelSettings())
    passes = [search.ask(MIXED.size) for _ in range(2)]
    for points in passes:
        assert sorted(points) == sorted(MIXED.points())
    assert passes[0] != passes[1]
    assert passes[0] != list(MIXED.points())


def test_grid_search_refuses_large_spaces():
    large = Space([Parameter(name, tuple(range(100))) for name in "abc"])
    with pytest.raises(OptionError, match=r"1000000; expected at most 100000\. Choose another algorithm"):
        tune(large, lambda settings, seed: 0.0, evaluations=5, algorithm="grid")


@pytest.mark.parametrize("algorithm", ["rmhc", "swcga", "grid"])
@pytest.mark.parametrize("recommend", ["model", "mean", "own"])
def test_mixed_spaces_with_batches_and_runs(algorithm, recommend):
    def fitness(settings, seed):
        return float(settings.get("tabu", 0)) + len(settings["scripts"])

    one, other = (
        tune(MIXED, fitness, evaluations=60, algorithm=algorithm, runs=2, batch=3, seed=1, recommend=recommend)
        for _ in range(2)
    )
    assert one.evaluations == other.evaluations
    assert len(one.evaluations) == 60
    known = set(MIXED.points())
    assert all(each.trial.point in known for each in one.evaluations)
    assert any(each.trial.point[1] == INACTIVE for each in one.evaluations)
    assert fitness(one.best, 0) >= 4.0  # the largest is 5
