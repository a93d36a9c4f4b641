"""RHEA with room for few and for many genes: CPU time of the same generations, in alternating rounds.

``python benchmarks/room_for_genes.py [--rounds 5]``

In Hero Academy a genome is one turn, however many genes there is room for. In SameGame with ``horizon=game`` it is a
whole game, which ends before the room does. The forward calls show whether the searches did the same work.
"""

from __future__ import annotations

import argparse
import itertools
import statistics
import time
from random import Random

import turnwise

TURN = ("hero-academy", 24, 60, (6, 8, 2000), "")
WHOLE_GAME = ("samegame", 20, 12, (150, 2000), "horizon=game,preset=samegame")
WAYS = [
    f"crossover={crossover},mutation-operator={mutation}"
    for crossover, mutation in itertools.product(("one-point", "uniform"), ("uniform", "diversity", "bandit"))
]


def state_after(name: str, actions: int) -> turnwise.State:
    """The state after some random actions."""
    state, random = turnwise.make(name).start(seed=1), Random(5)
    for _ in range(actions):
        state = state.play(int(random.choice(state.legal_codes().tolist())))
    return state


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="rounds of every search")
    rounds = parser.parse_args().rounds
    print(f"{'game':14}{'operators':50}{'genes':>6}{'CPU ms':>10}{'ratio':>7}{'forward calls':>15}")
    for name, actions, generations, lengths, more in (TURN, WHOLE_GAME):
        state, budget = state_after(name, actions), turnwise.Budget(iterations=generations)
        for way in WAYS:
            searches = {n: turnwise.planner(f"rhea:{way},length={n}{',' if more else ''}{more}") for n in lengths}
            seconds: dict[int, list[float]] = {n: [] for n in lengths}
            calls = {n: search.plan(state, budget, seed=1).report.forward_calls for n, search in searches.items()}
            for _ in range(rounds):
                for n, search in searches.items():
                    began = time.process_time()
                    search.plan(state, budget, seed=1)
                    seconds[n].append(time.process_time() - began)
            first = statistics.median(seconds[lengths[0]])
            for n in lengths:
                median = statistics.median(seconds[n])
                print(f"{name:14}{way:50}{n:6}{1000 * median:10.1f}{median / first:7.2f}{calls[n]:15,}", flush=True)


if __name__ == "__main__":
    main()
