"""What all searches of one kind in a game have in common: their record without state, seed and limits."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from turnwise.core import arguments
from turnwise.core.chance import RNG_WORDS
from turnwise.core.errors import GameFunctionError, TurnwiseError, unknown_name
from turnwise.core.evaluation import ROLLOUTS, Evaluation
from turnwise.core.game import Game
from turnwise.core.notices import notice_once
from turnwise.core.script import NAME
from turnwise.jit.record import Floats, Word
from turnwise.search import forward_model as compiled
from turnwise.search.actors import actor_capacity
from turnwise.search.forms import form_of
from turnwise.search.problem_record import ProblemRecord
from turnwise.search.scripts import book_of, script_names

BUILT_IN_POLICIES = {"uniform": compiled.UNIFORM, "epsilon-greedy": compiled.EPSILON_GREEDY}
"""The rollout policies of every game -> their index; expressions of scripts are policies, too."""


class ProblemForm(NamedTuple):
    """What all searches of one kind in a game have in common.

    Attributes:
        record: Their record, but for the state, the seed and the limits.
        evaluation: Name of the evaluation.
        low: Lower bound of its values.
        high: Upper bound.
        policy: The rollout policy.
        room: Its arrays, which each search has for itself.
    """

    record: ProblemRecord
    evaluation: str
    low: float
    high: float
    policy: str
    room: dict[str, int]


def problem_form(game: Game, evaluation: str, policy: str, policy_parameters: tuple[float, ...]) -> ProblemForm:
    """The form of a kind of searches; made once for a game."""
    name, chosen = game.evaluation(evaluation)
    if name == ROLLOUTS and not evaluation:
        _notice_rollouts(game)
    try:
        kind = (ProblemRecord, name, policy, policy_parameters)
        return form_of(game, kind, lambda: _new_form(game, name, chosen, policy, policy_parameters))
    except TypeError:  # a value that cannot be a key; most such values are refused
        return _new_form(game, name, chosen, policy, policy_parameters)


def _notice_rollouts(game: Game) -> None:
    """Say why searches are slow and their values noisy, where the author of a game may not have chosen that."""
    remedy = "define evaluate(state, player)" if game.is_plain_python else "give it an evaluation"
    notice_once(
        f"{game.name} rates no states, so searches play each one at random to the end of the game, which is slow and "
        f"noisy. For better turns {remedy}; if rollouts are meant, choose evaluation=rollouts."
    )


def _new_form(
    game: Game, name: str, chosen: Evaluation, policy: str, policy_parameters: tuple[float, ...]
) -> ProblemForm:
    policy = arguments.text(policy, "The name of a rollout policy")
    is_rollouts = chosen.address == 0
    policy = policy or (next(iter(game.policies), "uniform") if is_rollouts else "uniform")
    room = {"rng": RNG_WORDS, "policy_scratch": game.scratch_words + 1, "listed": game.max_actions}
    if is_rollouts:
        room |= rollout_room(game)
    r = ProblemRecord()
    r.write_words("start", game.pointer_row)
    r.evaluation, r.evaluation_of_all = Word(chosen.address), Word(chosen.address_for_all)
    r.evaluation_parameters = Floats.of(arguments.parameters(chosen.parameters, "An evaluation"))
    r.policy_parameters = Floats.of(arguments.parameters(policy_parameters, "A rollout policy"))
    r.policy_index = policy_index(game, policy)
    r.state_words, r.max_actions, r.max_turn = game.state_words, game.max_actions, game.max_turn
    r.scratch_words, r.players, r.poll_every = game.scratch_words, game.players, game.poll_every
    r.shares_goal = game.shares_goal
    r.max_actors = actor_capacity(game)
    r.completion, r.end_action = completion_index(game), game.end_action or 0
    r.has_end, r.lists_all = game.end_action is not None, game.lists_all_legal
    r.low, r.high, r.best = chosen.low, chosen.high, -np.inf
    if is_rollouts:
        r.rollout_low, r.rollout_high = game.return_bounds()
    return ProblemForm(r, name, chosen.low, chosen.high, policy, room)


def rollout_room(game: Game) -> dict[str, int]:
    """Room for what the built-in evaluation writes to."""
    return {"rollout_row": game.state_words, "rollout_returns": game.players, "rollout_listed": game.max_actions}


def policy_index(game: Game, policy: str) -> int:
    """Index of a rollout policy: the game's own by their order, the built-in ones and expressions negative.

    Raises:
        OptionError: The name is not a string, or is an expression with a fault.
        UnknownNameError: No such policy or script.
    """
    policy = arguments.text(policy, "The name of a rollout policy")
    if policy in game.policies:
        return game.policies.index(policy)
    if policy in BUILT_IN_POLICIES:
        return BUILT_IN_POLICIES[policy]
    if NAME.fullmatch(policy) is None:
        book_of(game).add(game, policy)
    elif policy not in script_names(game):
        known = dict.fromkeys([*game.policies, *BUILT_IN_POLICIES, *script_names(game)])
        raise unknown_name("rollout policy", policy, known, f"Game {game.name}")
    return compiled.SCRIPTED


def completion_index(game: Game) -> int:
    """How searches complete a turn, as kernels read it; see ``Scenario.completion``.

    Raises:
        GameFunctionError: The game has no such policy or script, or no function or action of that kind.
    """
    choice = game.completion
    has_score, has_end = game.pointers["action_score"] != 0, game.end_action is not None
    if choice in game.policies:
        return game.policies.index(choice)
    possible = {"action-score": has_score, "end": has_end, "uniform": True}
    if not choice:
        choice = next(name for name, is_possible in possible.items() if is_possible)
    if possible.get(choice):
        return {"action-score": compiled.BY_SCORE, "end": compiled.BY_END, "uniform": compiled.UNIFORM}[choice]
    note, cause = "", None
    if choice not in possible:
        try:
            book_of(game).add(game, choice)
            return compiled.SCRIPTED
        except TurnwiseError as error:
            note, cause = f" As an expression: {error}", error
    expected = [*(name for name, is_possible in possible.items() if is_possible), *game.policies]
    raise GameFunctionError(
        f"{game.name}: completion = {choice!r}; expected one of {', '.join(map(repr, expected))}, an expression of "
        f"scripts, or an empty string for the first of them.{note}"
    ) from cause
