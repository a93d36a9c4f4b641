"""What rare chance costs searches: ``python benchmarks/rare_chance.py [--every 50] [--pairs 5] [--only TEXT,TEXT]``.

Each figure is a ratio of speeds (iterations per second of CPU time): a game in which chance takes part in one action in
fifty, over the same game without chance, from the same positions. The two alternate pair by pair, so that a slowdown of
the machine affects both. The last column is the share of the forward calls in which chance took part.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

import turnwise
from doubles.skirmish import Skirmish
from turnwise.search.problem import Problem
from turnwise.search.search_planner import watch_searches

PLANNERS = {  # planner: iterations of one search
    "mcts": 10_000,
    "mcts-non-exploring": 10_000,
    "mcts-bridge-burning": 10_000,
    "online-evolution": 100,
    "online-evolution:fitness=rollout": 30,
    "rhea": 15,
    "sp-mcts": 10_000,
    "nrpa": 3_000,
    "nmcs": 3_000,
    "flat-mc": 3_000,
    "beam-search": 3_000,
    "greedy-turn": 3_000,
}
POSITIONS = 10
MOST_ACTIONS = 120  # random actions before a position


def positions(chance: turnwise.Game, sure: turnwise.Game) -> list[tuple[turnwise.State, turnwise.State]]:
    """The same positions in both games; how many actions are left to the next chance is different in each."""
    found: list[tuple[turnwise.State, turnwise.State]] = []
    random = Random(1)
    while len(found) < POSITIONS:
        state = chance.start(seed=len(found))
        for _ in range(random.randrange(MOST_ACTIONS)):
            state = state.play(random.choice(state.legal_codes()))
            if state.is_over:
                break
        else:
            found.append((state, sure.from_dict(state.to_dict())))
    return found


def speed(planner: turnwise.Planner, states: list[turnwise.State], iterations: int) -> tuple[float, float]:
    """Iterations per second of CPU time, and the share of forward calls in which chance took part."""
    problems: list[Problem] = []
    used, done = 0.0, 0
    with watch_searches(problems.append):
        for state in states:
            begin = time.process_time()
            done += planner.plan(state, turnwise.Budget(iterations=iterations), seed=3).report.iterations
            used += time.process_time() - begin
    calls = sum(int(problem.record.forward_calls) for problem in problems)
    return done / used, sum(int(problem.record.chance_steps) for problem in problems) / calls


def main() -> None:
    """Run all figures in pairs and print the ratios."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--every", type=int, default=50, help="chance takes part in one action in this number")
    arguments.add_argument("--pairs", type=int, default=5, help="pairs of each figure")
    arguments.add_argument("--only", default="", help="planners whose name contains this text (several: comma)")
    chosen = arguments.parse_args()
    for unbounded in (False, True):
        options = {"players": 2, "unbounded": unbounded}
        states = positions(Skirmish(chance_every=chosen.every, **options), Skirmish(**options))
        print(f"turns of {'any' if unbounded else 'limited'} length")
        for text, iterations in PLANNERS.items():
            if not any(part in text for part in chosen.only.split(",")):
                continue
            planner = turnwise.planner(text)
            for pair in states[0]:
                planner.plan(pair, turnwise.Budget(iterations=3), seed=3)
            ratios, shares = [], []
            for number in range(chosen.pairs):
                found = {}
                for kind in (0, 1) if number % 2 == 0 else (1, 0):
                    found[kind], share = speed(planner, [pair[kind] for pair in states], iterations)
                    shares += [share] if kind == 0 else []
                ratios.append(found[0] / found[1])
            spread = f"({min(ratios):.2f} to {max(ratios):.2f})"
            print(f"  {text:<36}{statistics.median(ratios):6.2f}  {spread:<16}{100 * shares[0]:6.2f} %", flush=True)


if __name__ == "__main__":
    main()
