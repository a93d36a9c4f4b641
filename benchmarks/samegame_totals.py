"""Total score over the 20 standard SameGame boards, one thread, for planners and budgets in seconds per board.

Run ``python benchmarks/samegame_totals.py --seconds 0.2 --seconds 1 "nrpa:levels=3" "beam-search"``. A planner's line
for the whole game is played unchanged. A board's budget is CPU time of the process, so that other work on the machine
does not count. The planner "recommended" is what ``turnwise solve`` takes for the seconds.

Settings are chosen on other boards: ``--generated 40`` takes random ones of five colours, and prints the difference of
each planner from the first one, per 20 boards, with its standard error over the boards.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time

import turnwise
from turnwise.arena.recommended import recommended_planner

BOARDS = range(1, 21)


def generated(number: int) -> turnwise.State:
    """The start of a random board of 15 x 15 cells and five colours; no standard board."""
    source = random.Random(7000 + number)
    rows = ["".join(str(source.randrange(5)) for _ in range(15)) for _ in range(15)]
    return turnwise.make("samegame", rows=rows).start()


def within(
    chosen: turnwise.Planner, state: turnwise.State, limit: turnwise.Budget, seed: int
) -> tuple[turnwise.Plan, float]:
    """Plan within a budget; returns the plan and the CPU seconds."""
    begin = time.process_time()
    return chosen.plan(state, limit, seed), time.process_time() - begin


def named(text: str, limit: turnwise.Budget) -> str:
    """A planner's text; for "recommended" the one that the game recommends for a time."""
    return recommended_planner("samegame", seconds=limit.seconds) if text == "recommended" else text


def score_of(plan: turnwise.Plan, state: turnwise.State) -> int:
    """The final score of the plan and its continuation."""
    for code in (*plan.codes, *plan.continuation):
        state = state.play(code)
    return round(state.returns[0])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("planners", nargs="+")
    parser.add_argument("--seconds", type=float, action="append", default=[], help="CPU seconds per board")
    parser.add_argument("--playouts", type=int, action="append", default=[], help="or iterations per board")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--first-seed", type=int, default=1)
    parser.add_argument("--boards", default="", help="some boards only: 1,5,9")
    parser.add_argument("--generated", type=int, default=0, help="so many random boards instead")
    parser.add_argument("--quiet", action="store_true", help="no scores of single boards")
    given = parser.parse_args()
    boards = [int(b) for b in given.boards.split(",")] if given.boards else list(BOARDS)
    if given.generated:
        boards = list(range(given.generated))
        states = {b: generated(b) for b in boards}
    else:
        states = {b: turnwise.make(f"samegame:board={b}").start() for b in boards}
    first: dict[turnwise.Budget, list[int]] = {}  # the scores of the first planner
    limits = [turnwise.Budget(seconds=seconds, clock="cpu") for seconds in given.seconds]
    limits += [turnwise.Budget(iterations=n) for n in given.playouts]
    for text in given.planners:
        for limit in limits:
            chosen = turnwise.planner(named(text, limit))
            chosen.plan(states[boards[0]], turnwise.Budget(iterations=1, clock=limit.clock))
            totals, rates, spent, found = [], [], [], list[int]()
            for seed in range(given.first_seed, given.first_seed + given.seeds):
                scores = []
                if not given.quiet:
                    print(f"    seed {seed}:", end="", flush=True)
                for board in boards:
                    plan, used = within(chosen, states[board], limit, 1000 * seed + board)
                    spent.append(used)
                    scores.append(score_of(plan, states[board]))
                    rates.append(plan.report.iterations / used)
                    if not given.quiet:  # at once: with ten minutes a board, hours pass before the total
                        print(f" {scores[-1]}", end="", flush=True)
                if not given.quiet:
                    print()
                totals.append(sum(scores))
                found += scores
            print(
                f"{text:60} {limit}  total {statistics.fmean(totals):9.0f} (each {totals})  "
                f"{statistics.median(rates):9.0f} iterations/s, CPU seconds a board {statistics.fmean(spent):.2f} "
                f"(most {max(spent):.2f})",
                flush=True,
            )
            if given.generated and first.setdefault(limit, found) is not found:
                print(
                    f"    {difference(found, first[limit])} points per 20 boards more than the first planner",
                    flush=True,
                )


def difference(scores: list[int], others: list[int]) -> str:
    """Difference of two planners' scores on the same boards, per 20 boards, and its standard error."""
    each = [20 * (one - other) for one, other in zip(scores, others, strict=True)]
    error = statistics.stdev(each) / len(each) ** 0.5 if len(each) > 1 else 0.0
    return f"{statistics.fmean(each):+.0f} +- {error:.0f}"


if __name__ == "__main__":
    main()
