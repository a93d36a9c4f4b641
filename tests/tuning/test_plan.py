"""Plans and tunings with a Python function: steps, the choice among runs, the same points for the same seed."""

from fractions import Fraction

import numpy as np
import pytest

from turnwise.core.errors import OptionError, UnknownNameError
from turnwise.tuning.landscapes import BEST, LANDSCAPES, TARGETS, CoinFlips, Landscape, drawn_landscape, landscape_space
from turnwise.tuning.ntbea import NtbeaSettings
from turnwise.tuning.plan import TuningPlan
from turnwise.tuning.run import tune
from turnwise.tuning.space import Parameter, Space

SPACE = landscape_space()
SMALL = Space([Parameter("x", tuple(range(6)), True), Parameter("y", tuple(range(5)), True)])


def made(**fields):
    return TuningPlan(SMALL, "ntbea", NtbeaSettings(), **({"evaluations": 40, "runs": 3} | fields))


def steps_of(plan, fitness=lambda trial: float(sum(trial.point))):
    steps = []
    while step := plan.next():
        plan.tell([fitness(trial) for trial in step])
        steps.append(list(step))
    return steps


def test_steps_hold_a_batch_of_every_run():
    steps = steps_of(made(batch=2))
    assert [trial.run for trial in steps[0]] == [0, 0, 1, 1, 2, 2]
    assert sum(map(len, steps)) == 40
    assert all(trial.phase == "search" for step in steps[:-1] for trial in step)
    assert [trial.phase for trial in steps[-1]] == ["choice"] * 8


def test_the_choice_is_among_the_recommendations_with_common_seeds():
    plan = made(selection=0.3)
    steps = steps_of(plan)
    candidates = list(dict.fromkeys(plan.recommendations()))
    last = steps[-1]
    assert {trial.point for trial in last} == set(candidates)
    assert len({trial.seed for trial in last}) == -(-len(last) // len(candidates))
    assert len({trial.key for step in steps for trial in step}) == 40


def test_the_winner_of_the_choice_is_the_best():
    plan = made(runs=4, selection=0.5)
    seen = {}

    def fitness(trial):
        if trial.phase == "search":
            return float(sum(trial.point))
        seen.setdefault(trial.point, float(len(seen)))
        return seen[trial.point]

    steps_of(plan, fitness)
    assert plan.best() == list(seen)[-1]


def test_a_choice_with_fewer_evaluations_than_candidates_is_among_the_most_promising():
    plan = made(evaluations=30, runs=6, selection=0.1)
    steps = steps_of(plan)
    assert [trial.phase for trial in steps[-1]] == ["choice"] * 3
    estimates = {run.recommend(): run.model.mean(run.recommend()) for run in plan._runs}
    assert len(estimates) > 3
    assert {trial.point for trial in steps[-1]} == set(sorted(estimates, key=estimates.get, reverse=True)[:3])
    assert plan._runs[0].recommend() not in {trial.point for trial in steps[-1]}  # the first are not chosen as such


def test_one_run_needs_no_choice():
    steps = steps_of(made(runs=1))
    assert all(trial.phase == "search" for step in steps for trial in step)
    assert sum(map(len, steps)) == 40


def test_more_evaluations_begin_with_the_same_trials():
    short = [trial for step in steps_of(made()) for trial in step if trial.phase == "search"]
    long = {trial.key: trial for step in steps_of(made(evaluations=90)) for trial in step}
    assert all(long[trial.key] == trial for trial in short)


def test_a_refused_point_counts_as_the_worst_so_far():
    plan = made(runs=1, evaluations=3)
    (trial,) = plan.next()
    plan.tell([None])
    assert plan._runs[0].model.mean(trial.point) == 0.0
    plan.next()
    plan.tell([-5.0])
    (third,) = plan.next()
    plan.tell([None])
    assert plan._runs[0].model.evaluated()[third.point].total <= -5.0


def test_too_few_evaluations_are_refused():
    with pytest.raises(OptionError, match="expected more evaluations or fewer runs"):
        made(evaluations=3)


def test_landscapes_have_one_optimum():
    assert SPACE.size == 288
    for probability in LANDSCAPES.values():
        values = {point: probability(point) for point in SPACE.points()}
        best = max(values.values())
        assert best == pytest.approx(BEST)
        assert [point for point, value in values.items() if value > best - 1e-9] == [TARGETS]
        assert min(values.values()) >= 0.2 - 1e-9


def test_the_deceptive_landscape_deceives():
    """The mean over all points with a parameter's right value is the lowest of its means, whatever the others are."""
    points = list(SPACE.points())
    probability = LANDSCAPES["deceptive"]
    for place, target in enumerate(TARGETS):
        means = {}
        for index in range(SPACE.dimensions[place].size):
            mine = [probability(point) for point in points if point[place] == index]
            means[index] = sum(mine) / len(mine)
        assert min(means, key=means.get) == target


def test_coins_are_fair_to_their_probability():
    flips = CoinFlips("separable")
    settings = SPACE.settings(TARGETS)
    sides = [flips(settings, seed) for seed in range(2000)]
    assert abs(sum(sides) / 2000 - BEST) < 0.03
    assert sides == [flips(settings, seed) for seed in range(2000)]


@pytest.mark.parametrize("algorithm", ["ntbea", "random"])
def test_same_seed_same_points(algorithm):
    one, other, third = (
        tune(SPACE, CoinFlips("pairwise"), evaluations=60, algorithm=algorithm, runs=2, seed=seed) for seed in (1, 1, 2)
    )
    assert one == other.__class__(one.space, *(getattr(other, name) for name in other.__slots__[1:]))
    assert [e.trial for e in one.evaluations] != [e.trial for e in third.evaluations]


def test_ntbea_finds_a_good_point_where_random_search_does_not():
    def quality(algorithm, **settings):
        found = [
            tune(SPACE, CoinFlips("separable"), evaluations=144, algorithm=algorithm, seed=seed, **settings).point
            for seed in range(6)
        ]
        return sum(map(LANDSCAPES["separable"], found)) / len(found)

    assert quality("ntbea", tuples=(1,), neighbours=20) > quality("random", recommend="mean") + 0.05


def test_the_result_says_how_good_the_best_is():
    tuning = tune(SPACE, CoinFlips("separable"), evaluations=100, runs=2, selection=0.4, seed=3)
    assert tuning.is_chosen
    chosen = [e for e in tuning.evaluations if e.trial.phase == "choice" and e.trial.point == tuning.point]
    assert tuning.interval.estimate == sum(e.fitness for e in chosen) / len(chosen)
    assert tuning.interval.low < tuning.interval.estimate < tuning.interval.high
    assert tuning.best == dict(zip("abcde", tuning.point, strict=True))
    assert not tune(SPACE, CoinFlips("separable"), evaluations=9).is_chosen


@pytest.mark.parametrize("number", [np.float32(0.5), np.int64(2), Fraction(1, 2), 3])
def test_any_real_number_is_a_fitness(number):
    (only,) = tune(SMALL, lambda settings, seed: number, evaluations=1).evaluations
    assert only.samples == (float(number),)
    assert type(only.samples[0]) is float


@pytest.mark.parametrize("value", [None, "1", True, float("nan"), float("inf")])
def test_other_fitnesses_are_refused(value):
    with pytest.raises(OptionError, match="The fitness must be a finite number"):
        tune(SMALL, lambda settings, seed: value, evaluations=2)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"algorithm": "ntbae"}, "did you mean|Did you mean"),
        ({"evaluations": 0}, "evaluations"),
        ({"selection": 1.0}, "selection"),
        ({"neighbors": 5}, "neighbours"),
        ({"epsilon": -1}, "epsilon"),
    ],
)
def test_invalid_arguments_are_refused(fields, words):
    with pytest.raises((OptionError, UnknownNameError), match=words):
        tune(SMALL, lambda settings, seed: 0.0, **({"evaluations": 5} | fields))


def test_drawn_landscapes_are_others_of_the_same_kind():
    for kind in LANDSCAPES:
        drawn = [drawn_landscape(kind, seed) for seed in range(20)]
        assert drawn == [drawn_landscape(kind, seed) for seed in range(20)]
        assert len({each.targets for each in drawn}) > 10
        for landscape in drawn:
            values = sorted(landscape(point) for point in SPACE.points())
            assert landscape(landscape.targets) == values[-1] == pytest.approx(BEST)
            assert values[-2] < BEST - 0.01
            assert values[0] >= 0.2 - 1e-9
    assert Landscape("separable")(TARGETS) == pytest.approx(BEST)
    with pytest.raises(UnknownNameError, match="seperable"):
        drawn_landscape("seperable", 1)


@pytest.mark.parametrize(
    ("space", "fitness", "fields", "words"),
    [
        ({"x": [1, 2]}, len, {}, "must be a Space, or a list of Parameter and Subset"),
        ("x", len, {}, "must be a Space"),
        (None, None, {}, "fitness must be a function"),
        (None, len, {"evaluations": "x"}, "tune: evaluations must be a whole number"),
        (None, len, {"runs": 1.5}, "tune: runs must be a whole number"),
        (None, len, {"selection": "half"}, "tune: selection must be a finite number"),
        (None, len, {"seed": "x"}, "seed"),
    ],
)
def test_arguments_of_other_types_are_refused(space, fitness, fields, words):
    with pytest.raises(OptionError, match=words):
        tune(space or landscape_space(), fitness, **{"evaluations": 2} | fields)
