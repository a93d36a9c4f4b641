"""NTBEA: its model against hand-computed numbers and a slow twin, and its choice of points."""

from math import log, sqrt
from random import Random

import pytest

from turnwise.core.errors import OptionError
from turnwise.tuning.model import Sums, TupleModel
from turnwise.tuning.ntbea import Ntbea, NtbeaSettings
from turnwise.tuning.optimiser import ModelSettings
from turnwise.tuning.random_search import RandomSearch
from turnwise.tuning.space import Parameter, Space, Subset
from twins.slow_ntuple import SlowModel

TWO = Space([Parameter("x", (0, 1, 2)), Parameter("y", (0, 1))])
CONDITIONAL = Space(
    [
        Parameter("kind", ("plain", "deep")),
        Parameter("depth", (1, 2, 3), True, {"kind": ("deep",)}),
        Parameter("size", (10, 20, 30, 40), True),
        Subset("scripts", ("a", "b")),
    ]
)


def test_means_by_hand():
    model = TupleModel(2, (1, "all"), 0.5)
    for point, fitness in (((0, 0), 1.0), ((0, 1), 0.0), ((1, 0), 0.5)):
        model.add(point, fitness)
    assert model.mean((0, 0)) == pytest.approx((0.5 + 0.75 + 1.0) / 3)
    assert model.mean((1, 1)) == pytest.approx((0.5 + 0.0) / 2)  # the pair was never seen
    assert model.mean((2, 0)) == pytest.approx(0.75)  # nor was x = 2
    assert TupleModel(2, ("all",), 0.5).mean((0, 0)) == 0.0
    alone = TupleModel(2, ("all",), 0.5)
    alone.add((0, 0), 3.0)
    assert alone.mean((1, 1)) == 3.0


def test_exploration_by_hand():
    model = TupleModel(2, (1, 2), 0.5)
    assert model.exploration((0, 0)) == 0.0
    for point in ((0, 0), (0, 1), (0, 0)):
        model.add(point, -1.0)
    n = log(1 + 3)
    assert model.exploration((0, 0)) == pytest.approx((sqrt(n / 3.5) + sqrt(n / 2.5) + sqrt(n / 2.5)) / 3)
    assert model.exploration((1, 1)) == pytest.approx((sqrt(n / 0.5) + sqrt(n / 1.5) + sqrt(n / 0.5)) / 3)


def test_inactive_dimensions_say_nothing():
    model = TupleModel(2, (1, "all"), 0.5)
    model.add((0, -1), 1.0)
    model.add((1, 0), 0.0)
    assert model.mean((0, -1)) == 1.0
    # Twice visited: the tuple of the first dimension; once: that of the second, which the first point does not have.
    pair, single = sqrt(log(3) / 1.5), sqrt(log(2) / 1.5)
    assert model.exploration((1, 0)) == pytest.approx((pair + single + pair) / 3)
    assert model.exploration((0, -1)) == pytest.approx(pair)


@pytest.mark.parametrize("lengths", [(1,), (2,), (1, 2), (1, 2, "all"), (3, "all")])
def test_model_equals_its_slow_twin(lengths):
    rng = Random(6)
    d = len(CONDITIONAL.dimensions)
    model, twin = TupleModel(d, lengths, 0.3), SlowModel(d, lengths, 0.3)
    points = list(CONDITIONAL.points())
    for _ in range(60):
        point, fitness = CONDITIONAL.sample(rng), rng.random() - 0.5
        model.add(point, fitness)
        twin.add(point, fitness)
        for probe in rng.sample(points, 10):
            assert model.mean(probe) == pytest.approx(twin.mean(probe))
            assert model.exploration(probe) == pytest.approx(twin.exploration(probe))


def test_tuples_of_the_same_length_count_once():
    model = TupleModel(2, (1, 2, "all"), 0.5)
    assert len(model._tuples) == 3


@pytest.mark.parametrize("lengths", [(5,), (30,)])
def test_impossible_tuples_are_refused(lengths):
    with pytest.raises(OptionError, match="expected 1 to 50000"):
        TupleModel(4 if lengths == (5,) else 60, lengths, 0.5)


def test_the_reading_as_coded_by_hand():
    """Four pairs of two dimensions, and a seen value's own number of visits under the logarithm."""
    model = TupleModel(2, (1, 2), 0.5, as_coded=True)
    assert model._tuples == ((0,), (1,), (0, 0), (0, 1), (1, 0), (1, 1))
    for point in ((0, 0), (0, 1), (0, 0)):
        model.add(point, 1.0)
    three, two, unseen = sqrt(log(4) / 3.5), sqrt(log(3) / 2.5), sqrt(log(4) / 0.5)
    assert model.exploration((0, 0)) == pytest.approx((2 * three + 4 * two) / 6)
    assert model.exploration((2, 0)) == pytest.approx((2 * two + 4 * unseen) / 6)


def test_mutants_as_coded_may_be_their_parent():
    space = Space([Parameter(f"p{i}", (0, 1)) for i in range(10)])
    rng, start = Random(7), (0,) * 10
    changes = [sum(space.redrawn(start, rng, 0.1)) for _ in range(4000)]
    assert 0 in changes
    assert abs(sum(changes) / 4000 - (0.5 + 9 * 0.05)) < 0.05
    points = set(CONDITIONAL.points())
    for point in points:
        assert {CONDITIONAL.redrawn(point, rng, 0.1) for _ in range(20)} <= points


def test_both_readings_search():
    _, points = run(CONDITIONAL, lambda point: float(point[2]), 30)
    coded, other = run(CONDITIONAL, lambda point: float(point[2]), 30, reading="as-coded", tuples=(1, 2))
    assert points != other
    assert coded.recommend()[2] == 3


def test_deviation():
    sums = Sums()
    assert sums.deviation == 0.0
    for value in (1.0, 2.0, 4.0):
        sums.add(value)
    assert sums.mean == pytest.approx(7 / 3)
    assert sums.deviation == pytest.approx(sqrt(((4 / 3) ** 2 + (1 / 3) ** 2 + (5 / 3) ** 2) / 2))


def run(space, fitness, evaluations, seed=0, batch=1, **settings):
    optimiser = Ntbea(space, seed, NtbeaSettings(**settings))
    points = []
    while len(points) < evaluations:
        asked = optimiser.ask(min(batch, evaluations - len(points)))
        for point in asked:
            optimiser.tell(point, fitness(point))
        points += asked
    return optimiser, points


@pytest.mark.parametrize("scale", ["range", "spread"])
def test_units_of_the_fitness_do_not_matter(scale):
    """Fitnesses of any size and sign give the same points: the exploration is normalised."""

    def fitness(point):
        return point[2] + 0.37 * point[0] + 0.11 * point[3]

    first, points = run(CONDITIONAL, fitness, 20, scale=scale)
    for factor, offset in ((1024.0, 0.0), (1 / 1024, -7.0), (1.0, -128.0)):
        other, same = run(CONDITIONAL, lambda p, f=factor, o=offset: f * fitness(p) + o, 20, scale=scale)
        assert same == points
        assert other.recommend() == first.recommend()
    _, unscaled = run(CONDITIONAL, lambda p: 1024 * fitness(p), 20, scale="none")
    assert unscaled != points


@pytest.mark.parametrize("scale", ["range", "spread"])
def test_the_next_point_has_the_largest_bound(scale):
    optimiser, _ = run(CONDITIONAL, lambda point: sum(point) / 10, 15, neighbours=500, scale=scale)
    current, before = optimiser._current, optimiser.random.getstate()
    neighbours = optimiser.neighbours(current)
    assert len(set(neighbours)) == len(neighbours)
    assert current not in neighbours
    optimiser.random.setstate(before)
    model = optimiser.model
    unit = model.high - model.low if scale == "range" else model.all.deviation
    bounds = {p: optimiser.model.mean(p) + unit * optimiser.model.exploration(p) for p in neighbours}
    (chosen,) = optimiser.ask(1)
    assert bounds[chosen] == pytest.approx(max(bounds.values()))


def test_a_batch_holds_the_best_neighbours_once_each():
    optimiser, _ = run(CONDITIONAL, lambda point: sum(point) / 10, 8)
    asked = optimiser.ask(4)
    assert len(set(asked)) == 4
    values = [optimiser.value(point) for point in asked]
    assert values == sorted(values, reverse=True)
    assert optimiser._current == asked[0]


def test_tiny_spaces_end():
    tiny = Space([Parameter("x", (0, 1))])
    optimiser, points = run(tiny, lambda point: float(point[0]), 6, batch=3)
    assert set(points) == {(0,), (1,)}
    assert optimiser.recommend() == (1,)


def test_negative_fitnesses_are_recommended():
    optimiser, _ = run(TWO, lambda point: -10.0 + point[0], 30)
    assert optimiser.recommend()[0] == 2


def test_recommendation_is_an_evaluated_point_with_the_best_estimate():
    optimiser = RandomSearch(TWO, 0, ModelSettings())
    with pytest.raises(ValueError, match="no point has been evaluated"):
        optimiser.recommend()
    for point, fitness in (((0, 0), 1.0), ((1, 0), 0.0), ((1, 1), 1.0), ((1, 1), 1.0)):
        optimiser.tell(point, fitness)
    model = optimiser.model
    assert optimiser.recommend() == max(model.evaluated(), key=model.mean) == (1, 1)


def test_refused_points_are_not_recommended():
    optimiser = RandomSearch(TWO, 0, ModelSettings())
    optimiser.refuse((1, 1))
    assert optimiser.recommend() == (1, 1)
    optimiser.tell((0, 0), -3.0)
    optimiser.refuse((2, 0))
    assert optimiser.recommend() == (0, 0)
    assert optimiser.model.evaluated()[2, 0].mean == -3.0


def test_recommendation_by_mean():
    by_mean = RandomSearch(TWO, 0, ModelSettings(recommend="mean"))
    by_model = RandomSearch(TWO, 0, ModelSettings())
    for optimiser in (by_mean, by_model):
        for point, fitness in (((0, 0), 0.9), ((0, 1), 0.0), ((1, 0), 0.0), ((2, 1), 0.8), ((2, 1), 0.8)):
            optimiser.tell(point, fitness)
    assert by_mean.recommend() == (0, 0)
    assert by_model.recommend() == (2, 1)


@pytest.mark.parametrize(
    "settings", [{"epsilon": 0}, {"tuples": ()}, {"tuples": (0,)}, {"tuples": (1, 1)}, {"neighbours": 0}, {"k": 1}]
)
def test_invalid_settings_are_refused(settings):
    with pytest.raises(ValueError, match="validation error"):
        NtbeaSettings(**settings)
