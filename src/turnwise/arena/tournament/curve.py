"""How a planner gains from its budget: a tournament whose players differ in their budgets.

In games for two, all players meet one *reference*, so that every point of the curve is a score against the same
opponent. In single-player games, a point is the mean of the game's own results.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from turnwise.arena.tournament.specification import TournamentSpec, make_spec
from turnwise.core.budget import Budget, as_budget
from turnwise.core.errors import OptionError, counted
from turnwise.registry import make, planner

LIMITS = {
    "seconds": "milliseconds",
    "forward_calls": "forward calls",
    "evaluations": "evaluations",
    "iterations": "iterations",
}
"""Field of a budget -> its unit on the axis."""


@dataclass(frozen=True, slots=True)
class BudgetCurve:
    """What is played for a curve, and how its points are named.

    Attributes:
        tournament: The games.
        planners: The planners' texts, one line each.
        budgets: The budgets' texts, ascending.
        amounts: The same as numbers, for the axis; milliseconds where time is limited.
        axis: What these numbers are ("iterations per turn").
        reference: Name of the player whom all others meet; empty: a single-player game.
    """

    tournament: TournamentSpec
    planners: tuple[str, ...]
    budgets: tuple[str, ...]
    amounts: tuple[float, ...]
    axis: str
    reference: str


def player_name(planner: str, budget: str) -> str:
    """Name of a planner with a budget in the tournament of a curve."""
    return f"{planner} ({budget})"


def budget_curve(
    game: str,
    planners: Sequence[str],
    budgets: Sequence[Budget | str],
    *,
    games: int,
    against: str = "",
    against_budget: Budget | str | None = None,
    seed: int = 0,
) -> BudgetCurve:
    """The tournament of a curve.

    Args:
        game: The scenario, for one player or two.
        planners: Texts of planners.
        budgets: At least two, each with the same one limit.
        games: Games of every point; an odd number counts as the next even one in games for two.
        against: The reference in games for two; empty: the first planner.
        against_budget: Its budget; None: the middle one.
        seed: Seed of all starts and choices.

    Raises:
        UnknownNameError: A game or planner does not exist.
        OptionError: The game is for more than two, the budgets have different limits, or an argument is invalid.
    """
    scenario = make(game)
    if scenario.players > 2:
        raise OptionError(
            f"{scenario.spec} has {counted(scenario.players, 'seat')}; expected a game for one player, whose results "
            "make the curve, or for two, where all points are scores against one opponent."
        )
    texts_of = {planner(text).spec: text for text in planners}
    if len(texts_of) < len(planners) or not planners:
        raise OptionError(f"expected different planners, at least one; got {', '.join(planners) or 'none'}.")
    steps = _ascending(budgets)
    texts = [str(budget) for budget, _ in steps]
    players = {player_name(text, budget): (text, budget) for text in planners for budget in texts}
    reference = ""
    if scenario.players == 2:
        opponent = texts_of.get(planner(against).spec, against) if against else planners[0]
        budget = texts[(len(texts) - 1) // 2] if against_budget is None else str(as_budget(against_budget))
        reference = player_name(opponent, budget)
        players.setdefault(reference, (opponent, budget))
    elif against or against_budget is not None:
        raise OptionError(f"{scenario.spec} has one player: there is no opponent to choose.")
    challengers = tuple(name for name in players if name != reference) if reference else ()
    spec = make_spec(
        name=f"Budget curve: {scenario.spec}",
        games=(game,),
        players={name: text for name, (text, _) in players.items()},
        budget=texts[0],
        budgets={name: budget for name, (_, budget) in players.items() if budget != texts[0]},
        pairing="gauntlet" if reference else "round-robin",
        challengers=challengers,
        games_per_pair=games + games % scenario.players,
        seed=seed,
        replays=2,
    )
    amounts = tuple(amount for _, amount in steps)
    return BudgetCurve(spec, tuple(planners), tuple(texts), amounts, _axis(steps[0][0]), reference)


def _limits(budget: Budget) -> tuple[str, ...]:
    """The fields of a budget that limit something."""
    return tuple(name for name in LIMITS if getattr(budget, name) is not None)


def _axis(budget: Budget) -> str:
    """What the amounts of such budgets are."""
    (limit,) = _limits(budget)
    clock = "CPU " if budget.is_timed and budget.clock == "cpu" else ""
    return f"{clock}{LIMITS[limit]} per {budget.scope}"


def _ascending(budgets: Sequence[Budget | str]) -> list[tuple[Budget, float]]:
    """The budgets with their amounts, from the smallest to the largest.

    Raises:
        OptionError: They cannot be the places of an axis.
    """
    given = [as_budget(budget) for budget in budgets]
    kinds = {(_limits(budget), budget.scope, budget.clock) for budget in given}
    shown = ", ".join(str(budget) for budget in given) or "none"
    if len(kinds) > 1 or any(len(limits) != 1 for limits, _, _ in kinds):
        raise OptionError(
            f"The budgets of a curve must have the same one limit, for example time=10ms, time=30ms and time=100ms; "
            f"got {shown}."
        )
    found: dict[float, Budget] = {}
    for budget in given:
        amount = getattr(budget, _limits(budget)[0])
        found[amount * 1000.0 if budget.is_timed else float(amount)] = budget
    if 0.0 in found:
        raise OptionError(
            f"The budget {found[0.0]} allows no search; the budgets of a curve must be above zero. Got {shown}."
        )
    if len(found) < 2:
        raise OptionError(f"A curve needs at least two different budgets; got {shown}.")
    return [(found[amount], amount) for amount in sorted(found)]
