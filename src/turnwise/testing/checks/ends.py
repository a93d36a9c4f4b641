"""Ends of games, for checks of results: of random games, then of others until enough of them have a winner."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from turnwise.core.budget import Budget
from turnwise.core.state import State
from turnwise.registry import planner as make_planner
from turnwise.testing.checks.sample import LONGEST_RANDOM, StateSample

DECIDED = 5  # games with a winner that are enough
_MORE_GAMES = 5
_FURTHER_STEPS = 40_000  # actions and forward calls of further games together
_FURTHER_STEPS_IN_PYTHON = 10_000  # where each of them takes a hundred times as long
_GREEDY = ("greedy-turn", "greedy-action")
_EFFORT = Budget(forward_calls=100)


def random_ends(sample: StateSample) -> Iterator[State]:
    """Last states of the sample's games, then of more random games, if games end."""
    if not sample.ends[-1].is_over:
        return
    yield from sample.ends
    for seed in range(_MORE_GAMES):
        end = sample.play_on(sample.game.start(1_000_003 + seed), LONGEST_RANDOM)
        if not end.is_over:
            return
        yield end


def varied_ends(sample: StateSample) -> Iterator[State]:
    """Last states of random games, then of games that a greedy planner plays on one seat, if games end."""
    yield from random_ends(sample)
    for seat in range(sample.game.players if sample.ends[-1].is_over else 0):
        end, _ = _greedy_game(sample, _GREEDY[0], seat, seat, LONGEST_RANDOM)
        if end.is_over:
            yield end


def ends_until_decided(sample: StateSample) -> Iterator[State]:
    """Last states of random games, then of further games until enough have a winner or the steps are used up."""
    decided = 0
    for end in random_ends(sample):
        decided += has_winner(end)
        yield end
    further = _further_ends(sample)
    while decided < DECIDED and (found := next(further, None)) is not None:
        decided += has_winner(found)
        yield found


def has_winner(end: State) -> bool:
    """Whether a game's results differ from player to player."""
    return len(set(end.returns)) > 1


def _further_ends(sample: StateSample) -> Iterator[State]:
    """Last states of further games, within a number of steps: random ones, and of greedy players on every seat."""
    if not sample.ends[-1].is_over:
        return
    steps, most = 0, _FURTHER_STEPS_IN_PYTHON if sample.game.is_plain_python else _FURTHER_STEPS
    kinds = [("", -1), *((name, seat) for name in _GREEDY for seat in range(sample.game.players))]
    for number in count():
        for name, seat in kinds:
            end, more = _greedy_game(sample, name, seat, 2_000_003 + number, most - steps)
            steps += max(1, more)
            if not end.is_over or steps >= most:
                return
            yield end


def _greedy_game(sample: StateSample, name: str, seat: int, seed: int, most: int) -> tuple[State, int]:
    """Play a game of a greedy planner against random play.

    Args:
        sample: The sample, whose random numbers choose the other players' actions.
        name: The planner.
        seat: Which player it is; -1: none, and all play at random.
        seed: Seed of the start.
        most: Steps (actions and forward calls) after which the game is left.

    Returns:
        The last state, and the number of steps.
    """
    state, steps = sample.game.start(seed), 0
    planner = make_planner(name) if seat >= 0 else None
    turn: list[int] = []
    while not state.is_over and steps < most:
        if planner is None or state.to_move != seat:
            turn.clear()
        elif not turn:
            plan = planner.plan(state.view(seat), _EFFORT)
            turn, steps = list(plan.codes), steps + plan.report.forward_calls
        listed = bool(turn) and state.is_legal(turn[0])
        if not listed:  # after a surprise the rest of the turn is void
            turn.clear()
        state = state.play(turn.pop(0)) if listed else sample.play_on(state, 1)
        steps += 1
    return state, steps
