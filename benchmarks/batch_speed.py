"""Environment steps per second of a batch, legal lists included: ``python benchmarks/batch_speed.py [GAME [GAMES]]``.

Two ways to play at random: actions that the batch draws (``Batch.sample``), and actions that NumPy draws from the legal
lists. "step" is the time of ``Batch.step`` alone; "all" includes the choice of actions, which the user pays. Wall time,
since threads share the work; other work on the machine makes it longer, so the best round is shown with the middle one.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

import turnwise

GAMES, ACTIONS, WARM_UP, ROUNDS = 4096, 600_000, 100, 9


def rates(batch: turnwise.Batch, choose: Callable[[], NDArray[np.int64]]) -> tuple[list[float], list[float]]:
    """Steps per second in each round: of stepping alone, and with the choice of actions."""
    for _ in range(WARM_UP):  # the games begin alike; later they are in all stages
        batch.step(choose())
    alone, together = [], []
    steps = max(1, ACTIONS // batch.games)
    for _ in range(ROUNDS):
        stepping, begin = 0.0, time.perf_counter()
        for _ in range(steps):
            actions = choose()
            before = time.perf_counter()
            batch.step(actions)
            stepping += time.perf_counter() - before
        alone.append(steps * batch.games / stepping)
        together.append(steps * batch.games / (time.perf_counter() - begin))
    return sorted(alone), sorted(together)


def main() -> None:
    """Measure both ways to choose, with one thread and with two."""
    game = turnwise.make(sys.argv[1] if len(sys.argv) > 1 else "hero-academy")
    games = int(sys.argv[2]) if len(sys.argv) > 2 else GAMES
    print(f"{game.spec}, {games} games; million steps per second, best round (middle round)")
    for threads in (1, 2):
        for way in ("sample", "numpy"):
            batch = turnwise.Batch(game, games, seed=1, threads=threads)
            random, places = np.random.default_rng(1), np.arange(games)

            def drawn(batch: turnwise.Batch = batch, random: np.random.Generator = random) -> NDArray[np.int64]:
                chosen: NDArray[np.int64] = batch.codes[places, random.integers(0, batch.counts)]  # noqa: B023
                return chosen

            found = rates(batch, batch.sample if way == "sample" else drawn)
            texts = [
                f"{name} {f[-1] / 1e6:.2f} ({f[len(f) // 2] / 1e6:.2f})"
                for name, f in zip(("step", "all"), found, strict=True)
            ]
            print(f"{threads} thread(s), actions by {way}: {', '.join(texts)}")


if __name__ == "__main__":
    main()
