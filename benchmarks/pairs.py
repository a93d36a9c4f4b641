"""Two checkouts of turnwise timed in alternating pairs.

``python benchmarks/pairs.py OLD NEW [--rounds 5] [--pairs 3] [--only TEXT,TEXT]``

Each figure is the CPU time of the same counted work (a search with a budget of iterations, or a number of playouts), so
both checkouts do identical steps. The pairs alternate figure by figure, so that a slowdown of the machine affects both.
Two processes of the same code can differ by a quarter, since the system gives their tables pages of other sizes and
places; therefore each round starts new processes. The last line shows the geometric mean of all median ratios new/old.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import statistics
import subprocess
import sys
from pathlib import Path

FIGURES = {
    "hero-academy": [
        "random",
        "greedy-action",
        "greedy-turn",
        "mcts",
        "mcts-non-exploring",
        "mcts-bridge-burning",
        "online-evolution",
        "online-evolution:fitness=rollout",
        "rhea",
        "flat-mc",
        "beam-search",
        "nmcs",
        "nrpa",
        "sp-mcts",
    ],
    "samegame": ["mcts", "rhea", "sp-mcts", "nrpa", "nmcs", "flat-mc", "beam-search", "rhea-mcts", "mcts-rhea"],
    "search-race": ["rhea", "sp-mcts", "online-evolution", "beam-search", "nrpa", "ea-alt-actions"],
}
BASICS = {
    "hero-academy": ["playout", "copy", "legal", "legal-pruned", "evaluate"],
    "samegame": ["playout"],
    "search-race": ["step"],
}
SECONDS = 0.25  # CPU time that a figure should take in the old checkout

WORKER = r"""
import importlib, json, sys, time
import turnwise
states, planners = {}, {}

def bench():
    for name in ("turnwise.testing.bench.measure", "turnwise.testing.bench"):
        try:
            return importlib.import_module(name)
        except ImportError:
            continue

def state_of(game):
    if game not in states:
        states[game] = turnwise.make(game).start(seed=1)
    return states[game]

def run(game, what, work):
    state = state_of(game)
    if what.startswith("="):
        b, name = bench(), what[1:]
        begin = time.process_time()
        if name == "playout":
            policy = "tabu-colour" if game == "samegame" else "uniform"
            rate = b._playout([state], policy, SECONDS, 1)
        elif name == "step":
            rate = b._steps([game], SECONDS, 1)
        else:
            Problem = b.Problem
            rate = b._basic(Problem(state, turnwise.Budget(seconds=1e9), 1), name, SECONDS)
        return 1e6 / rate, 0
    if what not in planners:
        planners[what] = turnwise.planner(what)
    limit, _, times = work.partition(" x ")
    kind, _, amount = limit.partition("=")
    budget = turnwise.Budget(**{kind: float(amount) if kind == "seconds" else int(amount)})
    begin = time.process_time()
    for _ in range(int(times or 1)):
        report = planners[what].plan(state, budget, seed=3).report
    return time.process_time() - begin, report.iterations

SECONDS = float(sys.argv[1])
for line in sys.stdin:
    game, what, work = json.loads(line)
    try:
        print(json.dumps(run(game, what, work)), flush=True)
    except Exception as error:
        print(json.dumps([None, f"{type(error).__name__}: {error}"[:300]]), flush=True)
"""


class Checkout:
    """A process that runs figures with the code of one checkout."""

    def __init__(self, folder: Path) -> None:
        environment = {**os.environ, "PYTHONPATH": str(folder / "src")}
        self.process = subprocess.Popen(
            [sys.executable, "-c", WORKER, str(SECONDS)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=environment,
        )

    def run(self, game: str, what: str, work: str) -> tuple[float, int]:
        """CPU seconds and iterations of one figure."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps([game, what, work]) + "\n")
        self.process.stdin.flush()
        used, count = json.loads(self.process.stdout.readline())
        if used is None:
            sys.exit(f"{game} {what}: {count}")
        return used, count


def work_of(checkout: Checkout, game: str, what: str) -> str:
    """Budget of one search, and how many searches take about ``SECONDS``."""
    if what.startswith("="):
        return ""
    checkout.run(game, what, "seconds=0.01")
    limit = f"iterations={max(1, checkout.run(game, what, f'seconds={SECONDS}')[1])}"
    checkout.run(game, what, limit)
    return f"{limit} x {max(1, round(SECONDS / checkout.run(game, what, limit)[0]))}"


def measure(old: Checkout, new: Checkout, figure: tuple[str, str], work: str, pairs: int) -> list[float]:
    """Ratios new/old of one figure in alternating pairs; both checkouts must do the same number of iterations."""
    game, what = figure
    for checkout in (new, old):
        checkout.run(game, what, work)  # compiled, loaded and warm
    ratios = []
    for number in range(pairs):
        order = (old, new) if number % 2 == 0 else (new, old)
        used = {checkout: checkout.run(game, what, work) for checkout in order}
        if used[old][1] != used[new][1]:
            sys.exit(f"{game} {what}: {used[old][1]} iterations in the old checkout, {used[new][1]} in the new one")
        ratios.append(used[new][0] / used[old][0])
    return ratios


def main() -> None:
    """Run all figures in pairs and print the ratios."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("old", type=Path)
    arguments.add_argument("new", type=Path)
    arguments.add_argument("--rounds", type=int, default=5, help="rounds, each with new processes")
    arguments.add_argument("--pairs", type=int, default=3, help="pairs of each figure in a round")
    arguments.add_argument("--only", default="", help="figures whose name contains this text (several: comma)")
    chosen = arguments.parse_args()
    figures = [(g, "=" + b) for g, names in BASICS.items() for b in names]
    figures += [(g, p) for g, names in FIGURES.items() for p in names]
    figures = [f for f in figures if any(part in " ".join(f) for part in chosen.only.split(","))]
    work: dict[tuple[str, str], str] = {}
    ratios: dict[tuple[str, str], list[float]] = {figure: [] for figure in figures}
    for number in range(chosen.rounds):
        checkouts = [Checkout(chosen.old), Checkout(chosen.new)]
        for figure in figures:
            if figure not in work:
                work[figure] = work_of(checkouts[0], *figure)
            ratios[figure] += measure(checkouts[0], checkouts[1], figure, work[figure], chosen.pairs)
        for checkout in checkouts:
            checkout.process.kill()
        print(f"round {number + 1} of {chosen.rounds}", file=sys.stderr, flush=True)
    medians = {figure: statistics.median(found) for figure, found in ratios.items()}
    for (game, what), found in ratios.items():
        spread = f"{min(found):.3f} to {max(found):.3f}"
        print(f"{game:<14}{what:<36}{work[game, what]:<24}{medians[game, what]:7.3f}  ({spread})")
    mean = math.exp(statistics.fmean(math.log(ratio) for ratio in medians.values()))
    largest = max(medians.values())
    count = chosen.rounds * chosen.pairs
    print(f"{len(medians)} figures, {count} pairs: geometric mean {mean:.3f}, largest median {largest:.3f}")


if __name__ == "__main__":
    main()
