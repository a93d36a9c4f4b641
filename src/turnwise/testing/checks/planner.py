"""``check_planner``: a planner's contract on a game, under every kind and scope of budget."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import replace

from pydantic import ValidationError

from turnwise.core import arguments
from turnwise.core.budget import Budget, Scope, as_budget
from turnwise.core.chance import derive_seed
from turnwise.core.errors import OptionError, counted
from turnwise.core.fields import validation_message
from turnwise.core.game import Game, as_game
from turnwise.core.state import State
from turnwise.core.user_code import failing_line
from turnwise.plain_python.watch import EndlessSearchError, Watch, watched
from turnwise.search.illegal_line import IllegalLineError
from turnwise.search.plan import Plan
from turnwise.search.planner import Planner
from turnwise.search.plans_turns import PlansTurns, as_planner
from turnwise.testing.checks.failures import (
    Begun,
    Broken,
    Checked,
    ConformanceError,
    Failure,
    Failures,
    described,
    failure_of,
    unwatched,
)
from turnwise.testing.checks.sample import MOST_STATES, StateSample

_PATIENCE = 0.25  # tolerated overrun of each search under a time budget, in seconds
_ATTEMPTS = 5  # plans under a time budget, of which the fastest counts: a busy machine does not delay all of them
_STATES_OF_A_GAME = 10  # to plan from
_SOME = 4  # surplus actions in a message
_LONGEST = 30.0  # seconds that a plan may take by default


_SETTINGS = (
    ("horizon", "own-turn"),
    ("horizon", "actions=2"),
    ("horizon", "turns=3"),
    ("memory", "64MB"),
)
_SHORT = Budget(forward_calls=60)


class _Endless(Broken):
    """A plan took too long."""


class _SkippedError(Exception):
    """A check cannot be made; the message is the reason."""


def small_budgets(scope: Scope) -> list[Budget]:
    """The smallest and a small budget of every kind."""
    return [
        *(Budget(forward_calls=n, scope=scope) for n in (0, 1, 60)),
        *(Budget(evaluations=n, scope=scope) for n in (0, 1, 20)),
        *(Budget(iterations=n, scope=scope) for n in (0, 1, 10)),
        *(Budget(seconds=t, scope=scope) for t in (0.0, 0.002)),
    ]


def planner_failures(
    planner: PlansTurns,
    game: Game,
    seed: int = 0,
    states: int = 2,
    budgets: Sequence[Budget | str] | None = None,
    longest: float = _LONGEST,
) -> list[Failure]:
    """Run all checks of a planner on a game.

    Args:
        planner: Any object with a method ``plan``.
        game: The scenario.
        seed: Seed of the sample; equal seeds check the same states.
        states: Number of states to plan from.
        budgets: Budgets to try (default: the smallest and a small one of every kind, in both scopes).
        longest: Seconds that a plan of a planner in plain Python may take, in addition to the time of a budget; then it
            is stopped, and no further budget is tried.

    Returns:
        The first failure of every kind, with the budgets, horizons and limits of memory with which it occurred; empty
        for a correct planner.

    Raises:
        OptionError: An argument has the wrong type, the number of states is out of range, or all games are over when
            they begin.
    """
    return list(checked_planner(planner, game, seed, states, budgets, longest).failures)


def checked_planner(
    planner: PlansTurns,
    game: Game,
    seed: int = 0,
    states: int = 2,
    budgets: Sequence[Budget | str] | None = None,
    longest: float = _LONGEST,
    begun: Begun = unwatched,
) -> Checked:
    """Run all checks of a planner on a game, as :func:`planner_failures` does.

    Args:
        planner: Any object with a method ``plan``.
        game: The scenario.
        seed: Seed of the sample.
        states: Number of states to plan from.
        budgets: Budgets to try; None: the smallest and a small one of every kind, in both scopes.
        longest: See :func:`planner_failures`.
        begun: Called before each check.

    Returns:
        The checks that ran, named by their budgets and settings, their failures, and the settings that the planner does
        not allow or the game has no room for. In a game that cannot be played only the check ``playable`` runs, and
        fails.

    Raises:
        OptionError: See :func:`planner_failures`.
    """
    as_planner(planner)
    as_game(game)
    seed = arguments.seed(seed)
    states = arguments.whole_number(states, "The number of states", 1, MOST_STATES)
    given = arguments.sequence([] if budgets is None else budgets, "budgets", "budgets or their texts")
    tried = [as_budget(budget) for budget in given] or [*small_budgets("turn"), *small_budgets("action")]
    longest = arguments.number(longest, "The longest time of a plan", 0.0)
    try:
        running = _running_states(game, seed, states)
    except (Exception, SystemExit) as error:  # the kit reports every error of a game
        return Checked(("playable",), (_unplayable(error),))
    if not running:
        raise OptionError(
            f"{game.spec}: no state to plan from; the games are over when they begin. Check the game first."
        )
    chosen = _spread(running, states)
    settings = [] if given else [setting for setting in _SETTINGS if _has_parameter(planner, setting[0])]
    total = len(tried) + len(settings)
    failures = Failures()
    names: list[str] = []
    skipped: dict[str, str] = {}

    for budget in tried:
        name = f"budget {budget}"
        begun(name, len(names), total)
        names.append(name)
        try:
            for state in chosen:
                check_plan(planner, state, budget, seed, longest)
        except _Endless as error:
            failures.add(_failure(name, error))
            break
        except (Exception, SystemExit) as error:  # the kit reports every error of a planner
            failures.add(_failure(name, error), error)
    for parameter, value in settings:
        name = f"{parameter}={value}"
        begun(name, len(names) + len(skipped), total)
        try:
            check_setting(_with_setting(planner, parameter, value), chosen[0], seed, longest)
        except (Exception, SystemExit) as error:
            needs_more = parameter == "memory" and isinstance(error, OptionError)  # as some games do
            if needs_more or isinstance(error, _SkippedError):
                skipped[name] = str(error)
                continue
            failures.add(_failure(name, error), error)
        names.append(name)
    return Checked(tuple(names), tuple(failures.found), skipped)


def _running_states(game: Game, seed: int, states: int) -> list[State]:
    """States along random games in which somebody is to move, at least as many as wanted if the games have them."""
    games = 1 + states // _STATES_OF_A_GAME
    return StateSample(game, seed, max(_STATES_OF_A_GAME, 2 * states), games=games).running


def _spread(running: list[State], states: int) -> list[State]:
    """As many of the states as wanted, spread over the games."""
    return [running[i * len(running) // states] for i in range(states)] if len(running) > states else running


def _unplayable(error: Exception | SystemExit) -> Failure:
    """The failure of a game that cannot be played, so that nothing can be planned in it."""
    failure = failure_of("playable", error)
    return replace(failure, message=f"{failure.message} No plan was checked; check the game alone first.")


def _failure(check: str, error: Exception | SystemExit) -> Failure:
    if isinstance(error, Broken):
        return Failure(check, error.message, error.state, error.action)
    if isinstance(error, IllegalLineError):
        return Failure(check, str(error), described(error.state), error.action)
    return Failure(check, f"plan raised {type(error).__name__}: {error}{failing_line(error)}")


def check_setting(planner: Planner, state: State, seed: int, longest: float = _LONGEST) -> None:
    """Check the plan of a planner with another horizon or with a limit of memory, under a small budget.

    Args:
        planner: The planner.
        state: Where to plan.
        seed: Seed of the plans.
        longest: See :func:`planner_failures`.

    Raises:
        Broken: The plan violates the contract, or the search has more memory than it may.
    """
    plan = check_plan(planner, state, _SHORT, seed, longest)
    used, limit = plan.report.details.get("bytes", 0.0), getattr(planner.parameters, "memory", None)
    if limit is not None and used > limit:
        raise Broken(f"the search reports {used:.0f} bytes of memory, but memory={limit:.0f}", state)


def _has_parameter(planner: PlansTurns, name: str) -> bool:
    return isinstance(planner, Planner) and name in type(planner.parameters).model_fields


def _with_setting(planner: PlansTurns, name: str, value: str) -> Planner:
    """The planner with another value of a parameter that it has.

    Raises:
        _SkippedError: Its parameters do not allow the value.
    """
    assert isinstance(planner, Planner)
    replaced = {name, *getattr(planner.parameters, "entries", ())} if name == "memory" else {name}
    kept = planner.parameters.model_dump(exclude_unset=True, exclude=replaced)
    other = copy(planner)
    try:
        other.parameters = type(planner.parameters).model_validate({**kept, name: value})
    except ValidationError as error:
        raise _SkippedError(
            validation_message(f"planner {planner.name}", type(planner.parameters), error, "parameter")
        ) from None
    return other


def check_planner(
    planner: PlansTurns,
    game: Game,
    seed: int = 0,
    states: int = 2,
    budgets: Sequence[Budget | str] | None = None,
    longest: float = _LONGEST,
) -> None:
    """Check that a planner returns legal, complete turns, the same for the same seed, within every budget.

    A planner with several streams must return them with any number of threads. Without given ``budgets``, a planner
    with the parameters ``horizon`` or ``memory`` is also checked with other values of these.

    Args:
        planner: Any object with a method ``plan``.
        game: The scenario.
        seed: Seed of the sample; equal seeds check the same states.
        states: Number of states to plan from.
        budgets: Budgets to try (default: the smallest and a small one of every kind, in both scopes).
        longest: See :func:`planner_failures`.

    Raises:
        ConformanceError: A check failed; the message names budget, state and action.
    """
    failures = planner_failures(planner, game, seed, states, budgets, longest)
    if failures:
        raise ConformanceError(f"{planner!r} on {game.spec}", failures)


def check_plan(planner: PlansTurns, state: State, budget: Budget, seed: int, longest: float = _LONGEST) -> Plan:
    """Plan twice and check the plans; a planner with several streams plans in another number of threads then.

    Args:
        planner: The planner.
        state: Where to plan.
        budget: The limits.
        seed: Seed of the plans.
        longest: See :func:`planner_failures`.

    Raises:
        Broken: A plan violates the contract.
    """
    known = state.view(state.to_move).with_chance(derive_seed(seed, "kit"))
    plan, seconds = _timed(planner, known, budget, seed, longest)
    again, seconds_again = _timed(_in_other_threads(planner), known, budget, seed, longest)
    _complete(known, plan)
    _within(known, plan, budget)
    if budget.seconds is not None:
        overrun = min(_overrun(budget, plan, seconds), _overrun(budget, again, seconds_again))  # the first may compile
        _in_time(planner, known, budget, seed, longest, overrun)
    if not budget.is_timed and (plan.codes, plan.value) != (again.codes, again.value):
        message = f"two plans from the same seed differ: {plan.actions} ({plan.value}), {again.actions} ({again.value})"
        other = _in_other_threads(planner)
        threads = "" if other is planner else f"; the second planner is {other!r}: threads must not change a plan"
        raise Broken(message + threads, known, fault="plans differ")
    return plan


def _in_other_threads(planner: PlansTurns) -> PlansTurns:
    """The planner with another number of threads, if it has several streams; otherwise itself."""
    if not isinstance(planner, Planner) or getattr(planner.parameters, "streams", 1) == 1:
        return planner
    other = copy(planner)
    threads = 1 if planner.parameters.threads > 1 else 2
    other.parameters = planner.parameters.model_copy(update={"threads": threads})
    return other


def _timed(planner: PlansTurns, state: State, budget: Budget, seed: int, longest: float) -> tuple[Plan, float]:
    searches = state.game.max_turn if budget.scope == "action" else 1
    limit = longest + searches * (budget.seconds or 0.0)
    begin = budget.now
    try:
        with watched(limit) as watch:
            plan = _ask(planner, state, budget, seed)
    except EndlessSearchError:
        raise _Endless(
            f"the plan was not ready after {limit:g} s under the budget {budget}. A search in plain Python has to end "
            "when meter.exhausted is True, and iterations count only if it calls meter.count_iteration() in each of "
            "them. If the planner is only slow, give the check more time: longest=...",
            state,
        ) from None
    seconds = budget.now - begin
    _within_turn(state, watch)
    return plan, seconds


def _within_turn(state: State, watch: Watch) -> None:
    """What a search in plain Python returned ends with the turn; other planners show such actions in their plan."""
    if watch.surplus is None:
        return
    played, surplus = watch.surplus
    some = ", ".join(repr(text) for text in surplus[:_SOME]) + (", ..." if len(surplus) > _SOME else "")
    raise Broken(
        f"search returned {counted(played + len(surplus), 'action')}, but the turn ends after {played} of them; the "
        f"surplus is never played: {some}. Return the actions of this turn only: end the line where state.to_move or "
        "state.turn changes",
        state,
        surplus[0],
        fault="surplus actions",
    )


def _ask(planner: PlansTurns, state: State, budget: Budget, seed: int) -> Plan:
    answer = planner.plan(state, budget, seed)
    if isinstance(answer, Plan):
        return answer
    if isinstance(answer, str) or not isinstance(answer, Sequence):
        raise Broken(f"plan returned {type(answer).__name__}; expected a Plan or a list of actions", state)
    return Plan.of(state, answer)


def _complete(state: State, plan: Plan) -> None:
    """The plan is legal and ends the turn; what turns reveal may make later actions illegal.

    Only a turn that outgrows the capacity of a plan is planned in parts, and one that goes on after a surprise.
    """
    if not plan.codes:
        raise Broken("the plan is empty", state)
    if plan.actions[:1] != (state.text(plan.codes[0]),) or len(plan.actions) != len(plan.codes):
        raise Broken(f"the plan's texts {plan.actions} do not match its codes", state, fault="texts")
    mover, turn = state.to_move, state.turn
    now, surprised = state, state.game.reveals_in_turn
    for code, text in zip(plan.codes, plan.actions, strict=False):
        if (now.to_move, now.turn) != (mover, turn):
            raise Broken(f"the plan {plan.actions} continues after the end of the turn", state, text, "surplus")
        if not now.is_legal(code):
            if state.game.reveals_in_turn and now is not state:
                return
            raise Broken(f"the plan {plan.actions} contains an illegal action", now, text, "illegal action")
        if text != now.text(code) and not (state.game.reveals_in_turn or state.game.is_stochastic):
            raise Broken(f"the plan's texts {plan.actions} do not match its codes", now, text, "texts")
        now = now.play(code)
        surprised = surprised or bool(now.outcomes)
    goes_on = (now.to_move, now.turn) == (mover, turn)
    if goes_on == plan.is_complete and not state.game.reveals_in_turn:
        said = f"is_complete is {plan.is_complete}"
        what = "goes on" if goes_on else "ends"
        raise Broken(f"the turn {what} after the plan {plan.actions}, but {said}", state, fault=said)
    if goes_on and not surprised and len(plan.codes) < state.game.max_turn:
        raise Broken(
            f"the turn goes on after the plan {plan.actions}; expected the rest of the turn. Likely cause: plan "
            f"returns its first {counted(len(plan.codes), 'action')} only. Add actions until state.to_move or "
            f"state.turn changes; only a plan of max_turn ({state.game.max_turn}) actions may end before",
            state,
            fault="incomplete plan",
        )


def _within(state: State, plan: Plan, budget: Budget) -> None:
    """Counters stay within the budget; completing a turn may overrun it by the actions of that turn."""
    searches = _searches(plan, budget)
    report, own = plan.report, searches * state.game.max_turn
    limits: dict[str, tuple[int, int | None, int]] = {
        "forward calls": (report.forward_calls, budget.forward_calls, own),
        "evaluations": (report.evaluations, budget.evaluations, 0),
        "iterations": (report.iterations, budget.iterations, own),
    }
    for name, (spent, limit, more) in limits.items():
        if limit is not None and spent > searches * limit + more:
            raise Broken(f"{spent} {name} under the budget {budget} ({searches} searches)", state, fault=name)


def _searches(plan: Plan, budget: Budget) -> int:
    """The number of searches for which a budget holds."""
    return len(plan.codes) if budget.scope == "action" else 1


def _overrun(budget: Budget, plan: Plan, seconds: float) -> float:
    """By how many seconds each search of a plan took longer than its budget of time, on average."""
    return seconds / max(1, _searches(plan, budget)) - (budget.seconds or 0.0)


def _in_time(planner: PlansTurns, state: State, budget: Budget, seed: int, longest: float, overrun: float) -> None:
    """A plan is ready when its budget of time has passed.

    Args:
        planner: The planner.
        state: Where to plan.
        budget: The budget of time.
        seed: Seed of the plans.
        longest: See :func:`planner_failures`.
        overrun: The smaller overrun of two plans; if it is too long, further plans follow.

    Raises:
        Broken: All plans were late.
    """
    for _ in range(2, _ATTEMPTS):
        if overrun <= _PATIENCE:
            return
        overrun = min(overrun, _overrun(budget, *_timed(planner, state, budget, seed, longest)))
    if overrun > _PATIENCE:
        raise Broken(
            f"the fastest of {_ATTEMPTS} plans took {overrun:.2f} s longer than the budget {budget} for each search; "
            f"tolerated are {_PATIENCE:g} s. Likely cause: a single step of the search is slow, or it does not look "
            "at the time between two of them. In plain Python, check meter.exhausted before every step that costs "
            "something",
            state,
            fault="seconds",
        )
