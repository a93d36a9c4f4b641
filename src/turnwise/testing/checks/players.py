"""Checks of functions for players: pruning, scores, completion, policies, evaluations, metrics."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from turnwise.core import calls
from turnwise.core.budget import Budget
from turnwise.core.chance import generator
from turnwise.core.checks import with_other_parameters
from turnwise.core.errors import GameFunctionError
from turnwise.core.evaluation import ROLLOUTS, Evaluation, check_bounds
from turnwise.core.state import State
from turnwise.core.table import VERBS
from turnwise.search.completion import completed, finish
from turnwise.search.problem import Line, Problem
from turnwise.search.problem_form import completion_index
from turnwise.testing.checks.failures import Broken
from turnwise.testing.checks.sample import StateSample, text_of

_POLICY_STEPS = 30


def pruning(sample: StateSample) -> None:
    """The pruner keeps at least one action of the list, in the list's order."""
    if not sample.game.pointers["prune"]:
        return
    for state in sample.running:
        listed = state.legal_codes().tolist()
        kept = state.candidate_codes().tolist()
        if not kept:
            raise Broken("the pruner leaves no action", state)
        remaining: Iterator[int] = iter(listed)
        for code in kept:  # 'in' advances the iterator, so this checks for a subsequence
            if code not in remaining:
                message = "the pruner's result is not a subset of the legal list in its order, or repeats an action"
                raise Broken(message, state, text_of(state, code))


def surviving(sample: StateSample) -> None:
    """The function ``survives`` says exactly whether an action is in the pruned list."""
    if not sample.game.pointers["survives"]:
        return
    for state in sample.running:
        kept = set(state.candidate_codes().tolist())
        for code in state.legal_codes().tolist():
            says = bool(calls.call(sample.game, "survives", state.row, code))
            if says != (code in kept):
                raise Broken(
                    f"survives says {says}, but the pruned list {'has' if code in kept else 'has not'} the action",
                    state,
                    text_of(state, code),
                )


def ordering(sample: StateSample) -> None:
    """Action scores are finite, and the same on a second call."""
    if not sample.game.pointers["action_score"]:
        return
    for state in sample.running:
        for code in state.legal_codes().tolist():
            first, again = (float(calls.call(sample.game, "action_score", state.row, code)) for _ in range(2))
            if not math.isfinite(first) or first != again:
                message = f"action_score gave {first}, then {again}; expected the same finite number twice"
                raise Broken(message, state, text_of(state, code))


def grouping(sample: StateSample) -> None:
    """Every legal action is in one of the game's groups, whose names differ, and its verb is a number from 0."""
    game = sample.game
    names = game.action_groups
    if len(set(names)) < len(names):
        raise Broken(f"action_groups has a name twice: {', '.join(names)}", sample.running[0])
    if bool(names) != bool(game.pointers["action_group"]):
        raise Broken("a game needs both action_groups and the function action_group, or neither", sample.running[0])
    for state in sample.running if names else ():
        for code in state.legal_codes().tolist():
            place = int(calls.call(game, "action_group", state.row, code))
            if not 0 <= place < len(names):
                message = f"action_group gave {place}; expected a place in action_groups, 0 to {len(names) - 1}"
                raise Broken(message, state, text_of(state, code))
    for state in sample.running if game.pointers["verb"] else ():
        for code in state.legal_codes().tolist():
            verb = int(calls.call(game, "verb", state.row, code))
            if not 0 <= verb < VERBS:
                raise Broken(f"verb gave {verb}; expected 0 to {VERBS - 1}", state, text_of(state, code))


def completion(sample: StateSample) -> None:
    """The game's ``completion`` exists, and completes the turn in every state."""
    try:
        completion_index(sample.game)
    except GameFunctionError as error:
        raise Broken(str(error), sample.running[0]) from error
    for state in sample.running:
        problem = Problem(state, Budget(iterations=0), 0)
        try:
            plan = finish(problem, Line([]), completed(problem, Line([])))
        finally:
            sample.game.after_plan(problem)
        if not plan.codes:
            raise Broken("completing a turn played no action", state)
        if not plan.is_complete and len(plan.codes) < sample.game.max_turn:
            raise Broken(f"completing a turn stopped after {plan.actions}, before the turn was over", state)


def nearest(sample: StateSample) -> None:
    """The action nearest to any action is legal."""
    if not sample.game.pointers["nearest"]:
        return
    others = [code for state in sample.spread(5) for code in state.legal_codes().tolist()]
    for state in sample.running:
        for code in sample.random.choice(others, size=min(4, len(others)), replace=False).tolist():
            found = int(calls.call(sample.game, "nearest", state.row, code))
            if not state.is_legal(found):
                message = f"the action nearest to {text_of(state, code)!r} is not legal"
                raise Broken(message, state, text_of(state, found))


def canonical(sample: StateSample) -> None:
    """The canonical form of any legal action is listed; that of a listed action is the action itself."""
    if not sample.game.pointers["canonical"]:
        return
    others = {code for state in sample.spread(5) for code in state.legal_codes().tolist()}
    for state in sample.running:
        listed = set(state.legal_codes().tolist())
        for code in sorted(listed | {code for code in others if state.is_legal(code)}):
            found = int(calls.call(sample.game, "canonical", state.row, code))
            if found not in listed or (code in listed and found != code):
                message = f"the canonical form of {text_of(state, code)!r} is {text_of(state, found)!r}; expected "
                message += "itself" if code in listed else "a listed action"
                raise Broken(message, state, text_of(state, code))


def varying(sample: StateSample) -> None:
    """A variation of any action, legal or not, is legal."""
    if not sample.game.pointers["neighbour_action"]:
        return
    others = [code for state in sample.spread(5) for code in state.legal_codes().tolist()]
    for number, state in enumerate(sample.running):
        rng = generator(number)
        for code in sample.random.choice(others, size=min(4, len(others)), replace=False).tolist():
            found = int(calls.call(sample.game, "neighbour_action", state.row, code, rng.ctypes.data))
            if not state.is_legal(found):
                message = f"a variation of {text_of(state, code)!r} is not legal"
                raise Broken(message, state, text_of(state, found))


def naming(sample: StateSample) -> None:
    """The names of a list's moves (``move_codes``) are those of its single moves."""
    game = sample.game
    if not game.pointers["move_codes"]:
        return
    for state in sample.running:
        codes = state.legal_codes()
        names = np.zeros(len(codes), np.int64)
        calls.call(game, "move_codes", state.row, codes.ctypes.data, len(codes), names.ctypes.data)
        for code, name in zip(codes.tolist(), names.tolist(), strict=True):
            single = int(calls.call(game, "move_code", state.row, code)) if game.pointers["move_code"] else code
            if name != single:
                message = f"move_codes names {text_of(state, code)!r} {name}, move_code {single}; expected equal names"
                raise Broken(message, state, text_of(state, code))


def biases(sample: StateSample) -> None:
    """The log-weights of all legal actions are finite under every rollout policy, even without a previous rollout."""
    game = sample.game
    if not game.pointers["prior_logit"]:
        return
    parameters = np.zeros(64)
    for index, name in enumerate(game.policies):
        for state in sample.spread(20):
            scratch = np.zeros(game.scratch_words + 1, np.uint64)
            for code in state.legal_codes().tolist():
                extra = (index, parameters.ctypes.data, scratch.ctypes.data)
                weight = float(calls.call(game, "prior_logit", state.row, code, *extra))
                if not math.isfinite(weight):
                    message = f"prior_logit under policy {name!r} gave {weight}; expected a finite number"
                    raise Broken(message, state, text_of(state, code))


def policies(sample: StateSample) -> None:
    """Every rollout policy returns legal actions throughout a rollout, and stays within its scratch memory."""
    game = sample.game
    parameters = np.zeros(64)
    guard = np.uint64(0x5EED5EED5EED5EED)
    for index, name in enumerate(game.policies):
        for number, state in enumerate(sample.spread(20)):
            rng = generator(number)
            scratch = np.full(game.scratch_words + 8, guard, np.uint64)
            scratch[: game.scratch_words] = 0
            for _ in range(_POLICY_STEPS):
                if state.is_over:
                    break
                extra = (index, parameters.ctypes.data, rng.ctypes.data, scratch.ctypes.data)
                code = int(calls.call(game, "policy", state.row, *extra))
                if not state.is_legal(code):
                    message = f"policy {name!r} returned an illegal action"
                    raise Broken(message, state, text_of(state, code))
                if (scratch[game.scratch_words :] != guard).any():
                    raise Broken(f"policy {name!r} wrote beyond its {game.scratch_words} scratch words", state)
                state = state.play(code)


def evaluations(sample: StateSample) -> None:
    """Every evaluation is finite, within its bounds, the same on a second call and for all players at once.

    Bounds have to hold for other values of its parameters, too.
    """
    for name in sample.game.evaluation_names:
        chosen = sample.game.evaluation(name)[1]
        try:
            check_bounds(name, chosen.low, chosen.high)
            others = with_other_parameters(name, chosen)
        except GameFunctionError as error:
            raise Broken(str(error)) from None
        for state in sample.states:
            for player in range(sample.game.players):
                value, again = state.evaluate(player, name), state.evaluate(player, name)
                where = f"evaluation {name!r} for player {player} (counted from 0)"
                if not chosen.low <= value <= chosen.high:
                    raise Broken(f"{where} is {value}; its bounds are {chosen.low} and {chosen.high}", state)
                if value != again:
                    raise Broken(f"{where} is {value}, then {again} for the same state", state)
            _for_all(state, name, chosen)
            for text, other in others:
                _within_bounds(state, text, other)


def _within_bounds(state: State, text: str, other: Evaluation) -> None:
    """An evaluation keeps to the bounds that it has with other values of its parameters.

    With these it may be no number, where a parameter says that states cannot be compared.
    """
    for player in range(state.game.players):
        value = calls.value(state.game, other, state.row, state.row, player)
        if value < other.low or value > other.high:
            raise Broken(
                f"evaluation {text!r} for player {player} (counted from 0) is {value}; its bounds with these "
                f"parameters are {other.low} and {other.high}. Where bounds depend on parameters, give bounds_of",
                state,
            )


def _for_all(state: State, name: str, chosen: Evaluation) -> None:
    each = [state.evaluate(player, name) for player in range(state.game.players)]
    together = calls.values(state.game, chosen, state.row, state.row)
    if together != each:
        raise Broken(f"evaluation {name!r} gives {together} for all players at once, and {each} one by one", state)


def rollouts(sample: StateSample) -> None:
    """Results are within ``return_bounds``, in games that are searched by rollouts."""
    game = sample.game
    if game.default_evaluation != ROLLOUTS:
        return
    low, high = game.return_bounds()
    if not low < high:
        raise Broken(f"the bounds of the results are {low} and {high}; expected a smaller and a larger number")
    for state in sample.states:
        if state.is_over and not all(low <= value <= high for value in state.returns):
            message = (
                f"the results are {state.returns}; their bounds (return_bounds, in plain Python bounds) are {low:g} "
                f"and {high:g}"
            )
            raise Broken(message, state)


def metrics(sample: StateSample) -> None:
    """Metrics are finite numbers with the names that the game declares."""
    if bool(sample.game.pointers["metrics"]) != bool(sample.game.metrics):
        function = "the method measure" if sample.game.is_plain_python else "the function metrics"
        raise Broken(f"the game needs both: names in the attribute metrics and {function}, which gives their values")
    for state in sample.states:
        for player in range(sample.game.players):
            _finite(state, player)


def _finite(state: State, player: int) -> None:
    for name, value in state.metrics(player).items():
        if not math.isfinite(value):
            raise Broken(f"metric {name!r} of player {player} (counted from 0) is {value}", state)
