"""Two checkouts of turnwise play each other: ``python benchmarks/versions_match.py OLD NEW PLANNER [GAME]``.

Every start is played twice with swapped seats, so that a change of plans is judged on equal terms. Prints the new
checkout's wins, draws and losses, and its score with the 95 % Wilson interval. The rules are those of the new checkout.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

WORKER = r"""
import json, sys
import turnwise
from turnwise.core.budget import parse_budget
game, planner = turnwise.make(sys.argv[1]), turnwise.planner(sys.argv[2])
budget = parse_budget(sys.argv[3])
session = None
for line in sys.stdin:
    asked = json.loads(line)
    if "seat" in asked:
        session = planner.session(game, asked["seat"], asked["seed"])
        continue
    state = game.from_dict(asked["state"], asked["chance"])
    print(json.dumps(int(session.next_action(state, budget)[0])), flush=True)
"""


class Checkout:
    """A process that plays one seat with the code of one checkout."""

    def __init__(self, folder: Path, game: str, planner: str, budget: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", WORKER, game, planner, budget],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, "PYTHONPATH": str(folder / "src")},
        )

    def send(self, message: dict[str, Any]) -> None:
        """Send a message."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def action(self, state: dict[str, Any], chance: int) -> int:
        """The next action in a state."""
        assert self.process.stdout is not None
        self.send({"state": state, "chance": chance})
        answer = self.process.stdout.readline()
        if not answer:
            sys.exit("A checkout failed; run its planner by hand to see the error.")
        return int(json.loads(answer))


def play(game: Any, players: list[Checkout], seed: int) -> tuple[float, ...]:
    """One game; returns its result for each seat."""
    for seat, player in enumerate(players):
        player.send({"seat": seat, "seed": 1000 * seed + seat})
    state, number = game.start(seed), 0
    while not state.is_over:
        number += 1
        known = state.view(state.to_move)
        state = state.play(players[state.to_move].action(known.to_dict(), 1_000_000 * seed + number))
    returns: tuple[float, ...] = state.returns
    return returns


def main() -> None:
    """Play the games and print the score."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("old", type=Path)
    arguments.add_argument("new", type=Path)
    arguments.add_argument("planner")
    arguments.add_argument("game", nargs="?", default="hero-academy")
    arguments.add_argument("--budget", default="iterations=200")
    arguments.add_argument("--pairs", type=int, default=50, help="starts, each played with both seatings")
    chosen = arguments.parse_args()
    sys.path.insert(0, str(chosen.new / "src"))
    import turnwise
    from turnwise.statistics.intervals import wilson_interval

    game = turnwise.make(chosen.game)
    old, new = (Checkout(folder, chosen.game, chosen.planner, chosen.budget) for folder in (chosen.old, chosen.new))
    counts = {"won": 0, "drawn": 0, "lost": 0}
    for seed in range(1, chosen.pairs + 1):
        for seat, players in enumerate(([new, old], [old, new])):
            mine, other = (play(game, players, seed)[place] for place in (seat, 1 - seat))
            counts["won" if mine > other else "lost" if mine < other else "drawn"] += 1
        print(f"{seed} of {chosen.pairs}: {counts}", file=sys.stderr, flush=True)
    games = sum(counts.values())
    points = counts["won"] + 0.5 * counts["drawn"]
    found = wilson_interval(points, games)
    print(
        f"{chosen.game} {chosen.planner} {chosen.budget}: new {counts['won']} won, {counts['drawn']} drawn, "
        f"{counts['lost']} lost; score {100 * points / games:.1f} % ({100 * found.low:.1f} to {100 * found.high:.1f})"
    )


if __name__ == "__main__":
    main()
