"""``plan``: one turn from the start or from a saved state, with the next best turns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from turnwise.cli.ui.exit_codes import INTERRUPTED
from turnwise.cli.ui.options import (
    GAME_HELP,
    BudgetOption,
    CodedOption,
    JsonOption,
    PlayerOption,
    PublishedOption,
    SeedOption,
    StateOption,
    add,
    make_planner,
)
from turnwise.cli.ui.output import console, message, plain, print_json, show, show_board, table
from turnwise.cli.ui.progress import compile_progress
from turnwise.core.errors import OptionError, counted, work_words

if TYPE_CHECKING:
    from turnwise.core.budget import Budget
    from turnwise.core.state import State
    from turnwise.search.plan import Alternative, Plan
    from turnwise.search.planner import Planner

_MOST_DETAILS_ON_A_LINE = 6
STOPPED = {
    "budget": "the budget was used up",
    "time": "time was up",
    "interrupt": "interrupted",
    "memory": "its memory was full",
    "done": "nothing was left to search, or no further step fitted into the budget",
}


def register(app: typer.Typer) -> None:
    """Add the command."""
    add(
        app,
        plan,
        "turnwise plan hero-academy --planner online-evolution --budget time=100ms",
        "turnwise plan hero-academy:map=a-small -p mcts:exploration=1.4 -b iterations=20000 --seed 3",
        "turnwise plan --state position.json -p greedy-turn -b time=1s --alternatives 10",
        "turnwise plan --state positions.jsonl:3 -p online-evolution -b iterations=100 --json",
    )


def plan(
    game: Annotated[str | None, typer.Argument(metavar="GAME", help=GAME_HELP + " Not needed with --state.")] = None,
    planner: PlayerOption = None,
    budget: BudgetOption = "time=1s",
    seed: SeedOption = 0,
    state: StateOption = None,
    alternatives: Annotated[
        int | None,
        typer.Option("--alternatives", "-n", min=0, max=100, help="Number of other turns to show; default: 3."),
    ] = None,
    as_published: PublishedOption = False,
    as_coded: CodedOption = False,
    as_json: JsonOption = False,
) -> None:
    """Plan a turn: show the best turns found with their values.

    The planner sees what the player to move may know. Compiling and loading come first and do not count: the budget is
    for the search alone. Ctrl-C ends the search and shows the best turn so far.
    """
    from turnwise.arena.recommended import recommended_player
    from turnwise.cli.ui.states import first_state
    from turnwise.core.budget import parse_budget
    from turnwise.registry import make, split_text
    from turnwise.search.plan import Plan

    limits = parse_budget(budget)
    if game is not None:
        make(game)  # report a wrong name before anything is loaded
    settings = {} if alternatives is None else {"alternatives": alternatives}
    if settings and planner and "alternatives" in split_text(planner)[1]:
        raise OptionError(f"--alternatives and 'alternatives=' in {planner!r} set the same number; give one of them.")

    def mind_of(text: str) -> Planner:
        return make_planner(text, as_published=as_published, as_coded=as_coded, **settings)

    mind = mind_of(planner) if planner else None  # a wrong name, too, is reported before anything is loaded
    try:
        with compile_progress():
            truth = first_state(game, state, seed)
            mind = mind or mind_of(recommended_player(truth.game))
            known = truth.view(truth.to_move)
            warm_up(mind, known)
        answer: Any = mind.plan(known, limits, seed)
    except KeyboardInterrupt:
        message("Interrupted", "before a turn was found; there is nothing to show.", style="yellow")
        raise typer.Exit(INTERRUPTED) from None
    found = answer if isinstance(answer, Plan) else Plan.of(known, answer)  # a planner may return a list of actions
    found = replace(found, alternatives=_by_value(found.alternatives))
    name = getattr(mind, "spec", planner or "")
    if as_json:
        print_json(plan_facts(known, name, limits, seed, found) | {"value_of": value_of(mind, known, found)})
    else:
        show_plan(known, planner or name, limits, found)
        if found.value is not None and (what := value_of(mind, known, found)):
            plain(f"Value of {what}.")
    if found.report.stopped_by == "interrupt":
        message("Interrupted", "the search ended early; the best turn found until then is above.", style="yellow")
        raise typer.Exit(INTERRUPTED)


def _by_value(turns: Sequence[Alternative]) -> tuple[Alternative, ...]:
    """Turns in the order of their values; a planner may put first those that it has examined more closely."""
    return tuple(sorted(turns, key=lambda turn: -turn.value))


def warm_up(planner: Planner, state: State) -> None:
    """Load or compile what a planner needs, so that this does not count as search time.

    Raises:
        KeyboardInterrupt: Ctrl-C during the loading; the search has not begun.
    """
    from turnwise.core.budget import Budget
    from turnwise.search.search_planner import SearchPlanner

    if isinstance(planner, SearchPlanner):
        tried = planner.plan(state, Budget(iterations=1, seconds=0.05))
        if tried.report.stopped_by == "interrupt":
            raise KeyboardInterrupt


def value_of(planner: Planner, state: State, plan: Plan) -> str:
    """What the value of a plan is the value of, and by which evaluation; empty: unknown."""
    from turnwise.core.errors import TurnwiseError

    worlds = round(plan.report.details.get("worlds", 1))
    drawn = getattr(planner, "number_of_worlds", lambda _: 1)(state.game)  # turn-maximin draws its own
    what = "the turn's outcome" if worlds > 1 and drawn > 1 else planner.meaning_of_value(plan)
    if not what:
        return ""
    try:
        name = state.game.evaluation(getattr(getattr(planner, "parameters", None), "evaluation", ""))[0]
    except TurnwiseError:
        return what
    mean = f", the mean of {worlds} worlds" if worlds > 1 else ""
    return f"{what}{mean}, by the evaluation {name!r}"


def plan_facts(state: State, planner: str, budget: Budget, seed: int, plan: Plan) -> dict[str, Any]:
    """A whole plan as data for programs; ``seconds`` is the time of the search alone."""
    report = plan.report
    return {
        "game": state.game.spec,
        "planner": planner,
        "budget": str(budget),
        "seed": seed,
        "turn": state.turn,
        "player": state.to_move,
        "actions": list(plan.actions),
        "is_complete": plan.is_complete,
        "value": plan.value,
        "alternatives": [{"actions": list(a.actions), "value": a.value} for a in plan.alternatives],
        "seconds": report.seconds,
        "iterations": report.iterations,
        "evaluations": report.evaluations,
        "forward_calls": report.forward_calls,
        "forward_calls_for_others": report.forward_calls_for_others,
        "stopped_by": report.stopped_by,
        "details": dict(report.details),
    }


def show_plan(state: State, planner: str, budget: Budget, plan: Plan) -> None:
    """Show a plan to people: board, turns with values, report."""
    from rich.text import Text

    show_board(state)
    whose = ", ".join(filter(None, (state.game.turn_text(state.turn), state.game.seat_name(state.to_move))))
    console().print(Text(f"\n{whose}: {planner}, {budget}", style="bold"))
    listing = table("", "value", "turn", numbers=("value",))
    listing.add_row("best", _value(plan.value), "; ".join(plan.actions), style="green")
    for rank, other in enumerate(plan.alternatives, start=2):
        listing.add_row(str(rank), _value(other.value), "; ".join(other.actions))
    show(listing)
    if plan.value is not None and any(other.value > plan.value for other in plan.alternatives):
        plain("A turn with a higher value than the best one was searched less, so the planner does not prefer it.")
    if not plan.is_complete:
        plain(f"The turn goes on: these are its first {counted(len(plan.actions), 'action')}. Plan again after them.")
    for line in report_lines(plan, budget):
        plain(line)


def _value(value: float | None) -> str:
    return "" if value is None else f"{value:.6g}"


def report_lines(plan: Plan, budget: Budget) -> list[str]:
    """The cost of a search in words."""
    report = plan.report
    why = STOPPED.get(report.stopped_by, report.stopped_by)
    lines = [
        f"{1000 * report.seconds:.1f} ms of search, "
        f"{work_words(report.iterations, report.evaluations, report.forward_calls, report.forward_calls_for_others)}; "
        f"{why}."
    ]
    if budget.is_empty:
        lines[0] += f" Nothing was searched, since {budget.zeros} allows no search."
    elif not report.iterations and report.stopped_by != "done":
        lines[0] += " No iteration was finished in this budget."
    details = [f"{key.replace('_', ' ')} {_figure(value)}" for key, value in report.details.items()]
    step = _MOST_DETAILS_ON_A_LINE
    return lines + [", ".join(details[begin : begin + step]) for begin in range(0, len(details), step)]


def _figure(value: float) -> str:
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.4g}"
