"""TPE: what Optuna is asked, through a double of it; and Optuna itself where it is installed."""

import importlib.util
import random
import sys
import types

import pytest

from turnwise.core.errors import TurnwiseError
from turnwise.tuning.landscapes import CoinFlips, landscape_space
from turnwise.tuning.run import tune
from turnwise.tuning.space import INACTIVE, Parameter, Space, Subset
from turnwise.tuning.tpe import Tpe, TpeSettings

MIXED = Space(
    [
        Parameter("policy", ("random", "tabu")),
        Parameter("tabu", (1, 2, 3), True, {"policy": ("tabu",)}),
        Subset("scripts", ("a", "b")),
    ]
)


class Trial:
    def __init__(self, rng, asked):
        self.rng, self.asked = rng, asked
        self.params, self.distributions = {}, {}

    def suggest_int(self, name, low, high):
        self.asked.append(("int", name, low, high))
        return self.params.setdefault(name, self.rng.randint(low, high))

    def suggest_categorical(self, name, choices):
        self.asked.append(("category", name, tuple(choices)))
        return self.params.setdefault(name, self.rng.choice(choices))


class Study:
    def __init__(self, sampler):
        self.rng, self.asked, self.told = random.Random(sampler["seed"]), [], []

    def ask(self):
        return Trial(self.rng, self.asked)

    def tell(self, trial, value=None, state="COMPLETE"):
        if state == "COMPLETE":
            self.told.append((trial.params, value))

    def add_trial(self, trial):
        self.told.append(trial)


@pytest.fixture
def studies(monkeypatch):
    """A module that looks like Optuna; the studies that it makes."""
    made = []
    optuna = types.ModuleType("optuna")

    def create_study(direction, sampler):
        assert direction == "maximize"
        made.append(Study(sampler))
        return made[-1]

    optuna.create_study = create_study
    optuna.trial = types.SimpleNamespace(
        TrialState=types.SimpleNamespace(FAIL="FAIL"),
        create_trial=lambda params, distributions, value: (params, value),
    )
    optuna.samplers = types.SimpleNamespace(TPESampler=lambda **settings: settings)
    optuna.logging = types.SimpleNamespace(WARNING=30, set_verbosity=lambda level: None)
    monkeypatch.setitem(sys.modules, "optuna", optuna)
    found = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *rest: name == "optuna" or found(name, *rest))
    return made


def test_optuna_is_asked_and_told(studies):
    tuning = tune(MIXED, lambda settings, seed: float(len(settings)), evaluations=30, algorithm="tpe", batch=4, seed=1)
    points = set(MIXED.points())
    assert all(evaluation.trial.point in points for evaluation in tuning.evaluations)
    (study,) = studies
    assert len(study.told) == 30
    assert set(study.asked) == {
        ("category", "0", (0, 1)),
        ("int", "1", 0, 2),
        ("category", "2", (0, 1)),
        ("category", "3", (0, 1)),
    }
    assert {value for _, value in study.told} == {2.0, 3.0}
    # What it hears of is what was evaluated, also where it proposed the empty subset.
    evaluated = [each.trial.point for each in tuning.evaluations]
    assert [{int(name): index for name, index in params.items()} for params, _ in study.told] == [
        {place: index for place, index in enumerate(point) if index != INACTIVE} for point in evaluated
    ]
    assert tuning.best["policy"] == "tabu"
    assert any(evaluation.trial.point[1] == INACTIVE for evaluation in tuning.evaluations)


def test_without_optuna_the_extra_is_named(monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(TurnwiseError, match=r"pip install 'turnwise\[tune\]'.*All other algorithms need nothing"):
        tune(MIXED, lambda settings, seed: 0.0, evaluations=5, algorithm="tpe")


class TestOptunaItself:
    """The real library; left out where it is missing."""

    @pytest.fixture(autouse=True)
    def optuna(self):
        return pytest.importorskip("optuna")

    def test_the_same_seed_gives_the_same_points(self):
        one, same, other = (
            tune(landscape_space(), CoinFlips("separable"), evaluations=40, algorithm="tpe", seed=seed)
            for seed in (3, 3, 4)
        )
        assert one.evaluations == same.evaluations
        assert [e.trial.point for e in one.evaluations] != [e.trial.point for e in other.evaluations]

    @pytest.mark.parametrize("recommend", ["model", "own"])
    def test_mixed_spaces_with_batches_and_runs(self, recommend):
        def fitness(settings, seed):
            return float(settings.get("tabu", 0)) + len(settings["scripts"])

        found = tune(MIXED, fitness, evaluations=60, algorithm="tpe", runs=2, batch=3, seed=1, recommend=recommend)
        known = set(MIXED.points())
        assert all(each.trial.point in known for each in found.evaluations)
        assert any(each.trial.point[1] == INACTIVE for each in found.evaluations)
        assert fitness(found.best, 0) >= 4.0  # the largest is 5

    def test_it_searches_where_it_has_seen_good_points(self):
        """After its random points, most points have one of the three best values of ten."""
        space = Space([Parameter("x", tuple(range(10)), True), Parameter("y", ("a", "b", "c"))])
        found = tune(space, lambda settings, seed: float(settings["x"]), evaluations=60, algorithm="tpe", seed=2)
        late = [each.trial.point[0] for each in found.evaluations[20:]]
        assert sum(x >= 7 for x in late) > len(late) / 2

    def test_refused_points_are_told(self):
        optimiser = Tpe(MIXED, 1, TpeSettings())
        for number in range(30):
            (point,) = optimiser.ask(1)
            if number % 3:
                optimiser.tell(point, 1.0)
            else:
                optimiser.refuse(point)
        assert optimiser.recommend() in set(MIXED.points())
        complete = [trial.params for trial in optimiser._study.trials if trial.state.name == "COMPLETE"]
        assert len(complete) == 30
        assert all(params["2"] or params["3"] for params in complete)  # no empty subset
        assert not any(trial.state.name == "RUNNING" for trial in optimiser._study.trials)
