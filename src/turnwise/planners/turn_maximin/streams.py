"""The streams of one decision: each has a share of the own outcomes, and the best of their best ones is the answer.

With one stream it has all. An outcome belongs to the stream that its key says, so that no two streams look at the same
one. Every stream collects and settles its own ones; then all compare their best ones at the same depth, until one of
them is out of budget.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from turnwise.core.budget import Budget
from turnwise.planners.turn_maximin.memory import MaximinMemory
from turnwise.search.beam.passes import share_spent
from turnwise.search.problem import Line, Problem
from turnwise.search.streams import Streams

if TYPE_CHECKING:
    from turnwise.planners.turn_maximin.planner import TurnMaximinParameters

_SPENT_BEFORE = 0.1  # share of a budget: more outcomes are settled if own turns and the best of them took no more
_SPENT_AFTER = 0.12  # share of a budget: when it is spent, enough are settled
_LARGEST = ("deepest", "comparisons", "deep_comparisons", "width")  # figures that are not sums


def search_replies(
    streams: Streams, runs: Sequence[MaximinMemory], settings: TurnMaximinParameters, *, loads: bool = False
) -> None:
    """Settle the best outcomes and compare them, after all streams have collected theirs.

    Args:
        streams: The streams.
        runs: The search of each.
        settings: The planner's parameters.
        loads: Whether every kernel is called, though there is nothing to compare, so that none is compiled later.
    """
    problems = streams.problems
    streams.run(lambda index: runs[index].find_best(problems[index]))
    each = list(zip(runs, problems, streams.budgets, strict=True))
    if loads or all(streams.run(lambda index: has_much_left(*each[index], settings))):
        streams.run(lambda index: settle_more(*each[index]))
    candidates = [index for index, run in enumerate(runs) if run.record.best_count > 0]
    several = settings.compared > 0 and sum(int(runs[index].record.best_count) for index in candidates) > 1
    if loads or several:
        while all(streams.run(lambda i: (i not in candidates and not loads) or runs[i].compare(problems[i]))):
            pass
        least = min((runs[index].record.compared for index in candidates), default=0)
        for index in candidates:
            if runs[index].record.compared > least:  # values of different depths cannot be ranked
                runs[index].forget_last_comparison()
    for run, problem in zip(runs, problems, strict=True):
        run.conclude(problem)


def has_much_left(run: MaximinMemory, problem: Problem, budget: Budget, settings: TurnMaximinParameters) -> bool:
    """Whether a beam had the widest width, all best outcomes are settled, and nearly all of the budget is left."""
    if run.record.best_count < run.record.most_best or not 0 < settings.compared < settings.halving:
        return False
    return run.width == settings.widest and share_spent(problem, budget) <= _SPENT_BEFORE


def settle_more(run: MaximinMemory, problem: Problem, budget: Budget) -> None:
    """Settle further outcomes within a part of the budget, for a comparison that halves them."""
    problem.limit(budget.scaled(_SPENT_AFTER))
    run.settle_more(problem)
    problem.limit(budget)


def lines_so_far(runs: Sequence[MaximinMemory], most: int) -> list[tuple[list[int], float]]:
    """The best turns of all streams with their bounds, those to which replies were searched first; also meanwhile.

    Args:
        runs: The search of each stream.
        most: How many turns at most.
    """
    turns = sorted((turn for run in runs for turn in run.turns_so_far(most)), key=lambda turn: (turn[0], -turn[2]))
    return [(codes, bound) for _, codes, bound in turns[:most]]


def joint_line(runs: Sequence[MaximinMemory], most: int) -> Line:
    """The best turn of all streams; figures are sums, or those of the stream with the largest.

    Args:
        runs: The search of each stream.
        most: Maximum number of other turns.
    """
    if len(runs) == 1:
        return runs[0].line(most)
    lines = [run.line(most) for run in sorted(runs, key=lambda run: run.rank, reverse=True)]
    best, *others = lines
    turns = [*best.alternatives]
    for line in others:
        turns += [*([] if line.value is None else [(line.codes, line.value)]), *line.alternatives]
    figures = {}
    for name in best.details:
        together = max if name in _LARGEST else sum
        figures[name] = float(together(line.details.get(name, 0.0) for line in lines))
    if "static" in figures:
        figures["static"] = best.details["static"]
    return replace(best, alternatives=sorted(turns, key=lambda turn: -turn[1])[:most], details=figures)
