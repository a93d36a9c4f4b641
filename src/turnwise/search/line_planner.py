"""What searches for whole lines share: how far a line goes, and the best one that a player remembers."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from turnwise.core.budget import Budget
from turnwise.core.game import Game
from turnwise.core.state import State
from turnwise.jit.kernel import kernel
from turnwise.jit.memory import store_int
from turnwise.search.forward_model import ProblemRecord, apply, exhausted, in_turn, policy_action, start_policy, to_move
from turnwise.search.problem import Line, Problem
from turnwise.search.search_planner import SearchPlanner


def first_policy(game: Game, name: str) -> str:
    """The rollout policy to use: the named one, for an empty name the game's first, or uniform choice."""
    return name or next(iter(game.policies), "uniform")


class RolloutPlanner(SearchPlanner):
    """Base of single-player searches that roll out.

    Its parameters have ``evaluation``, ``policy`` (the rollout policy) and ``q``, for the policy epsilon-greedy.
    """

    def make_problem(self, state: State, budget: Budget, seed: int) -> Problem:
        """The problem with evaluation and rollout policy."""
        settings = self.parameters
        policy = first_policy(state.game, settings.policy)
        return Problem(state, budget, seed, settings.evaluation, policy, (settings.q,))


class LinePlanner(RolloutPlanner):
    """Base of planners that search for the best whole line; a subclass implements :meth:`find`."""

    plans_games = True

    def search(self, problem: Problem, budget: Budget, memory: dict[str, Any]) -> Line:
        """The better one of what is found now and the best line of earlier decisions."""
        old = remembered(problem, memory)
        return best_known(problem, memory, old, self.find(problem, budget))

    @abstractmethod
    def find(self, problem: Problem, budget: Budget) -> Line:
        """Search until ``exhausted`` says so and return the best line, without a value if none was finished.

        Args:
            problem: What to search; its limits are set.
            budget: The same limits.
        """


def plans_whole_game(game: Game) -> bool:
    """Whether lines go to the end of the game: one player and no chance; elsewhere they end with the own turn."""
    return game.players == 1 and not game.is_stochastic


def longest_line(game: Game, horizon: int) -> int:
    """Most actions of a line: ``horizon``, and where lines end with the own turn not more than a turn has."""
    return horizon if plans_whole_game(game) else min(horizon, game.max_turn)


@kernel
def goes_on(p: ProblemRecord, whole_game: int, state: int) -> bool:
    """Whether a line goes on in a state: to the end of the game, or of the turn that is being planned."""
    return to_move(p, state) >= 0 if whole_game != 0 else in_turn(p, state)


@kernel
def play_out(
    p: ProblemRecord, whole_game: int, state: int, actions: int, length: int, horizon: int, epsilon: float, listed: int
) -> int:
    """Go on with a line by the rollout policy to its end.

    Args:
        p: The problem.
        whole_game: See :func:`goes_on`.
        state: Address of the state that the line has led to, changed in place.
        actions: Address of int64[horizon], the line; it is written on.
        length: Actions so far.
        horizon: Most actions.
        epsilon: For the built-in policy: probability of the best-scored action.
        listed: Scratch, int64[max_actions].

    Returns:
        Length of the whole line; -1 if the budget ended first.
    """
    start_policy(p)
    while length < horizon and goes_on(p, whole_game, state):
        if exhausted(p):
            return -1
        action = policy_action(p, state, epsilon, listed)
        apply(p, state, action)
        store_int(actions, length, action)
        length += 1
    return length


def steps_between(before: State, line: list[int], now: State) -> int | None:
    """How many actions of a line lead from a state to another; None if they do not."""
    for count in range(len(line) + 1):
        if _is_same(before, now):
            return count
        if count == len(line) or before.is_over or not before.is_legal(line[count]):
            break
        before = before.play(line[count])
    return None


def _is_same(one: State, other: State) -> bool:
    """Whether two states are equal; rows answer that quickly, but only between states of one game object."""
    if one.game is other.game and np.array_equal(one.row, other.row):
        return True
    return one.fingerprint == other.fingerprint and one == other


def remembered(problem: Problem, memory: dict[str, Any]) -> Line | None:
    """The best line that this player knows from earlier decisions, without the actions played since.

    Args:
        problem: The search; told of the line's value.
        memory: The player's memory.

    Returns:
        The line with its value by the search's evaluation; None if there is none or the game went another way.
    """
    if "line" not in memory:
        return None
    state, codes, end = memory.pop("line")
    played = steps_between(state, codes, problem.state)
    if played is None or played == len(codes):
        return None
    value = end.evaluate(problem.state.to_move, problem.evaluation_name, problem.state)
    problem.record.best = max(problem.record.best, value)
    return Line(codes[played:], value)


def best_known(problem: Problem, memory: dict[str, Any], old: Line | None, new: Line) -> Line:
    """The better one of the line found now and the one remembered; the player remembers it from here on.

    Args:
        problem: The search.
        memory: The player's memory.
        old: What :func:`remembered` gave.
        new: What the search found; without a value if it found nothing.
    """
    better = new
    if old is not None and old.value is not None and (new.value is None or new.value < old.value):
        better = Line(old.codes, old.value, details=new.details)
    if plans_whole_game(problem.game) and better.codes and better.value is not None:
        end: State = problem.state
        for code in better.codes:
            end = end.play(code)
        memory["line"] = (problem.state, list(better.codes), end)
    return better


def best_line(record: NDArray[Any], codes: NDArray[Any], details: dict[str, float]) -> Line:
    """The best line that kernels have noted in ``best_length`` and ``best_value`` of a search's record.

    Args:
        record: The record, one element.
        codes: int64[horizon], the line's actions.
        details: The planner's figures.
    """
    length = int(record["best_length"][0])
    if length == 0:
        return Line([], details=details)
    return Line([int(code) for code in codes[:length]], float(record["best_value"][0]), details=details)
