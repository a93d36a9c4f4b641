"""What rare chance costs searches: ``python benchmarks/rare_chance.py [--every 50] [--pairs 5] [--only TEXT,TEXT]``.

Each figure is a ratio of speeds (iterations per second of CPU time): a game in which chance takes part in one action in
fifty, over the same game without chance, from the same positions; median, smallest and largest of several pairs. The
games of a pair alternate, so that a slowdown of the machine affects all. A game with rare chance has more states than
one without, since a state says how many actions are left to the next chance. Therefore the second figure is the ratio
to a game that counts in the same way, but whose chance never comes. The last column is the share of the forward calls
in which chance took part.
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
from doubles.skirmish import Skirmish  # type: ignore[import-not-found]
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
NEVER = 10**6  # actions to the next chance: more than any search here plays; the game takes no larger number
MOST_ACTIONS = 120  # random actions before a position


def positions(games: tuple[turnwise.Game, ...]) -> list[tuple[turnwise.State, ...]]:
    """The same positions in several games, played at random in the first, at various distances from the next chance."""
    found: list[tuple[turnwise.State, ...]] = []
    random = Random(1)
    while len(found) < POSITIONS:
        state = games[0].start(seed=len(found))
        for _ in range(random.randrange(MOST_ACTIONS)):
            state = state.play(random.choice(state.legal_codes()))
            if state.is_over:
                break
        else:
            found.append(tuple(game.from_dict(state.to_dict()) for game in games))
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
        found = positions(tuple(Skirmish(chance_every=every, **options) for every in (chosen.every, 0, NEVER)))
        print(f"turns of {'any' if unbounded else 'limited'} length")
        for text, iterations in PLANNERS.items():
            if any(part in text for part in chosen.only.split(",")):
                print(figure(text, iterations, found, chosen.pairs), flush=True)


def figure(text: str, iterations: int, found: list[tuple[turnwise.State, ...]], pairs: int) -> str:
    """One line of the table."""
    planner = turnwise.planner(text)
    planner.plan(found[0][0], turnwise.Budget(iterations=3), seed=3)
    speeds: list[list[float]] = []
    share = 0.0
    for number in range(pairs):
        now = [0.0, 0.0, 0.0]
        for kind in (0, 1, 2) if number % 2 == 0 else (2, 1, 0):
            now[kind], drawn = speed(planner, [states[kind] for states in found], iterations)
            share = drawn if kind == 0 else share
        speeds.append(now)
    columns = []
    for other in (1, 2):
        ratios = [now[0] / now[other] for now in speeds]
        columns.append(f"{statistics.median(ratios):6.2f} ({min(ratios):.2f} to {max(ratios):.2f})")
    return f"  {text:<34}{''.join(columns)}{100 * share:8.2f} %"


if __name__ == "__main__":
    main()
