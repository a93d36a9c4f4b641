"""Environment steps per second of a batch, legal lists included: ``python benchmarks/batch_speed.py [GAME]``.

Actions are drawn uniformly from the legal lists by NumPy; its time is measured apart and not counted. Wall time, since
threads share the work.
"""

from __future__ import annotations

import sys
import time

import numpy as np

import turnwise

GAMES, STEPS, ROUNDS = 4096, 60, 5


def rate(game: turnwise.Game, threads: int) -> list[float]:
    """Steps per second in each round."""
    batch = turnwise.Batch(game, GAMES, seed=1, threads=threads)
    random, places = np.random.default_rng(1), np.arange(GAMES)
    found = []
    for _ in range(ROUNDS):
        used = 0.0
        for _ in range(STEPS):
            actions = batch.codes[places, random.integers(0, batch.counts)]
            begin = time.perf_counter()
            batch.step(actions)
            used += time.perf_counter() - begin
        found.append(GAMES * STEPS / used)
    return found


def main() -> None:
    """Measure with one thread and with two."""
    game = turnwise.make(sys.argv[1] if len(sys.argv) > 1 else "hero-academy")
    for threads in (1, 2):
        found = sorted(rate(game, threads))
        middle = found[len(found) // 2]
        print(f"{game.spec}, {threads} thread(s): {middle:,.0f} steps per second ({found[0]:,.0f} to {found[-1]:,.0f})")


if __name__ == "__main__":
    main()
