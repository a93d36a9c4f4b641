"""Algorithms of ``turnwise.tuning`` compared on the noisy landscapes, with intervals.

Run ``python benchmarks/tuning_landscapes.py --repeats 100 --evaluations 288``. Every entrant searches every landscape
with as many evaluations and with the same seeds. A recommended point counts by its true probability of a 1, which the
landscapes know; 0.8 is the optimum. Entrants called "own rule" recommend as their publication does, all others by the
N-tuple model. TPE takes part if Optuna is installed.

With ``--drawn`` every repeat has a random landscape of its own instead: defaults are chosen on those, so that the
published landscapes can judge them.

Where both entrants of a published claim took part, a paired test follows, for every landscape and for the means of all
landscapes. Each seed gives one difference; p-values are those of a two-sided sign-flip test, corrected by Holm's method
for all tests that are printed together. A claim is judged by direction.

====== ==================================================================================================
N1     NTBEA is better than random-mutation hill climbing, by half a point on a scale from -1 to 1 (in 2019)
N2     NTBEA is better than SWcGA, and SWcGA than grid search (in 2018)
N3     several runs with a choice among them are better than one long run (in 2020)
====== ==================================================================================================
"""

from __future__ import annotations

import argparse
import importlib.util
from collections.abc import Mapping, Sequence
from typing import Any

from turnwise.statistics.intervals import Interval, bootstrap_mean, wilson_interval
from turnwise.statistics.tests import holm, permutation_test
from turnwise.tuning import LANDSCAPES, CoinFlips, landscape_space, tune
from turnwise.tuning.landscapes import BEST, Landscape, drawn_landscape

AS_CODED = {"reading": "as-coded", "exploration": 2 / 60, "scale": "none", "neighbours": 10, "tuples": (1, 2)}
OWN = {"recommend": "own"}
ENTRANTS: dict[str, tuple[str, dict[str, Any]]] = {
    "ntbea": ("ntbea", {}),
    "ntbea, tuples of 1": ("ntbea", {"tuples": (1,)}),
    "ntbea, tuples of 1, 2, all": ("ntbea", {"tuples": (1, 2, "all")}),
    "ntbea, range, k = 0.5": ("ntbea", {"scale": "range", "exploration": 0.5}),
    "ntbea, range, k = 1": ("ntbea", {"scale": "range", "exploration": 1.0}),
    "ntbea, range, k = 2": ("ntbea", {"scale": "range", "exploration": 2.0}),
    "ntbea, spread, k = 0.5": ("ntbea", {"scale": "spread", "exploration": 0.5}),
    "ntbea, spread, k = 2": ("ntbea", {"scale": "spread", "exploration": 2.0}),
    "ntbea, as coded": ("ntbea", AS_CODED),
    "ntbea, 2 runs and a choice": ("ntbea", {"runs": 2, "selection": 0.2}),
    "ntbea, 4 runs and a choice": ("ntbea", {"runs": 4, "selection": 0.2}),
    "ntbea, 4 runs, half to choose": ("ntbea", {"runs": 4, "selection": 0.5}),
    "random": ("random", {}),
    "random, own rule": ("random", OWN),
    "rmhc": ("rmhc", {}),
    "rmhc, own rule": ("rmhc", OWN),
    "rmhc, r = 5": ("rmhc", {"resampling": 5}),
    "rmhc, r = 5, own rule": ("rmhc", OWN | {"resampling": 5}),
    "swcga": ("swcga", {}),
    "swcga, own rule": ("swcga", OWN),
    "grid": ("grid", {}),
    "grid, own rule": ("grid", OWN),
    "tpe": ("tpe", {}),
    "tpe, own rule": ("tpe", OWN),
}
"""Name -> algorithm and settings."""

_LEVEL = 0.05
CLAIMS = (
    ("N1", "ntbea", "rmhc, own rule"),
    ("N1", "ntbea", "rmhc, r = 5, own rule"),
    ("N2", "ntbea", "swcga, own rule"),
    ("N2", "swcga, own rule", "grid, own rule"),
    ("N3", "ntbea, 2 runs and a choice", "ntbea"),
    ("N3", "ntbea, 4 runs and a choice", "ntbea"),
    ("N3", "ntbea, 4 runs, half to choose", "ntbea"),
)
"""Published claims: the first entrant is better than the second."""


def qualities(landscapes: Sequence[Landscape], entrant: str, evaluations: int, seeds: Sequence[int]) -> list[float]:
    """True quality of the recommended point of each seed in its landscape."""
    algorithm, settings = ENTRANTS[entrant]
    space = landscape_space()
    return [
        landscape(
            tune(space, CoinFlips(landscape), evaluations=evaluations, algorithm=algorithm, seed=seed, **settings).point
        )
        for landscape, seed in zip(landscapes, seeds, strict=True)
    ]


def row(entrant: str, found: Sequence[float], baseline: Sequence[float]) -> str:
    """Mean quality, the difference from the first entrant with the same seeds, and how often the optimum was found."""
    hits = sum(value > BEST - 1e-9 for value in found)
    differences = [one - other for one, other in zip(found, baseline, strict=True)]
    return (
        f"  {entrant:<31}{shown(mean(found)):<24}{shown(mean(differences)):<26}"
        f"{shown(wilson_interval(hits, len(found)))}"
    )


def judged(found: Mapping[str, Mapping[str, Sequence[float]]]) -> list[str]:
    """A line for every claim whose entrants took part, on every landscape, and on the means of several.

    Args:
        found: Landscape (or game) -> entrant -> quality for every seed.
    """
    tests = []
    for claim, better, worse in CLAIMS:
        if not all({better, worse} <= {*of} for of in found.values()):
            continue
        by_kind = {kind: [a - b for a, b in zip(of[better], of[worse], strict=True)] for kind, of in found.items()}
        if len(by_kind) > 1:
            by_kind["all"] = [sum(each) / len(each) for each in zip(*by_kind.values(), strict=True)]
        tests += [(f"{claim}: {better} - {worse}", kind, values) for kind, values in by_kind.items()]
    p_values = holm([permutation_test(values).p_value for _, _, values in tests])
    return [
        f"  {name:<50}{kind:<11}{shown(mean(values)):<26}p = {p:<8.2g}{_direction(sum(values), p)}"
        for (name, kind, values), p in zip(tests, p_values, strict=True)
    ]


def _direction(difference: float, p_value: float) -> str:
    """The verdict by direction."""
    if p_value >= _LEVEL:
        return "undecided"
    return "as claimed" if difference > 0 else "the opposite"


def mean(values: Sequence[float]) -> Interval:
    """Mean with a 95 % bootstrap interval."""
    return bootstrap_mean(values, seed=0)


def shown(interval: Interval) -> str:
    """An estimate with its interval."""
    return f"{interval.estimate:.3f} [{interval.low:.3f}, {interval.high:.3f}]"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=100, help="tunings of each entrant on each landscape")
    parser.add_argument("--evaluations", type=int, action="append", help="may be given several times; default: 288")
    parser.add_argument("--entrant", action="append", choices=ENTRANTS, help="may be given several times; default: all")
    parser.add_argument("--seed", type=int, default=1000, help="first seed; each repeat has the next one")
    parser.add_argument("--drawn", action="store_true", help="a random landscape for every repeat, to choose defaults")
    given = parser.parse_args()
    seeds = range(given.seed, given.seed + given.repeats)
    entrants = given.entrant or list(ENTRANTS)
    if importlib.util.find_spec("optuna") is None:
        left_out = [name for name in entrants if ENTRANTS[name][0] == "tpe"]
        entrants = [name for name in entrants if name not in left_out]
        if left_out:
            print(f"Optuna is not installed; left out: {', '.join(left_out)}")
    for evaluations in given.evaluations or [288]:
        found: dict[str, dict[str, list[float]]] = {kind: {} for kind in LANDSCAPES}
        for kind, published in LANDSCAPES.items():
            landscapes = [drawn_landscape(kind, seed) if given.drawn else published for seed in seeds]
            print(
                f"{kind}{', drawn' if given.drawn else ''}, {evaluations} evaluations, {given.repeats} repeats",
                flush=True,
            )
            print(f"  {'entrant':<31}{'quality (best 0.8)':<24}{'difference from the first':<26}optimum found")
            of = found[kind]
            for entrant in entrants:
                of[entrant] = qualities(landscapes, entrant, evaluations, seeds)
                print(row(entrant, of[entrant], of[entrants[0]]), flush=True)
        if lines := judged(found):
            print("\n".join([f"claims, {evaluations} evaluations", *lines]), flush=True)


if __name__ == "__main__":
    main()
