"""Checks of results: games end, results differ from game to game, evaluations prefer what wins.

A random game shows little of this, so a check plays more of them until it has seen what it looks for.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from turnwise.core import calls
from turnwise.core.budget import Budget
from turnwise.core.evaluation import ROLLOUTS
from turnwise.core.state import State
from turnwise.registry import planner as make_planner
from turnwise.testing.checks.failures import Broken
from turnwise.testing.checks.sample import LONGEST_GAME, StateSample

_LONGEST = 10 * LONGEST_GAME  # random actions, after which a game counts as one without end
_MORE_GAMES = 5
_DECIDED = 5  # games with a winner, in which an evaluation must prefer the winner once
_EFFORT = Budget(forward_calls=300)


def ends(sample: StateSample) -> None:
    """A randomly played game ends."""
    for played in sample.games:
        last = played.states[-1]
        if not sample.play_on(last, _LONGEST).is_over:
            raise Broken(
                f"the game goes on after {len(played.codes) + _LONGEST} random actions; expected an end, which every "
                "course of a game reaches, such as a limit of turns. Without one, a match may never end",
                last,
            )


def varied_results(sample: StateSample) -> None:
    """Not all games end with the same results, as where ``returns`` says the same for every state."""
    found: list[State] = []
    for end in _varied_ends(sample):
        found.append(end)
        if end.returns != found[0].returns:
            return
    if found:
        raise Broken(
            f"{len(found)} games all ended with the results {found[0].returns}, random ones and those of a greedy "
            "player against random ones; likely cause: returns does not depend on the state. If this game really ends "
            'like that when it is not played well, leave this check out: without=("varied-results",)',
            found[0],
        )


def _varied_ends(sample: StateSample) -> Iterator[State]:
    """Last states of random games, then of games that the greedy planner plays on one seat, if games end."""
    yield from _ends(sample)
    for seat in range(sample.game.players if _all_end(sample) else 0):
        end = _greedy_end(sample, seat)
        if end is not None:
            yield end


def _greedy_end(sample: StateSample, seat: int) -> State | None:
    """The last state of a game of the greedy planner against random play; None if it goes on for too long."""
    planner, state = make_planner("greedy-turn"), sample.game.start(seat)
    turn: list[int] = []
    for _ in range(_LONGEST):
        if state.is_over:
            return state
        if state.to_move != seat:
            turn.clear()
        elif not turn:
            turn = list(planner.plan(state.view(seat), _EFFORT).codes)
        listed = bool(turn) and state.is_legal(turn[0])
        state = state.play(turn.pop(0)) if listed else sample.play_on(state, 1)
    return None


def winning_values(sample: StateSample) -> None:
    """At the end of a game, the default evaluation does not always prefer the loser."""
    game = sample.game
    if game.default_evaluation == ROLLOUTS or game.players == 1:
        return
    decided = 0
    for end in _ends(sample):
        pairs = list(combinations(zip(end.returns, _values(end), strict=True), 2))
        agreement = sum(_sign(one[0] - other[0]) * _sign(one[1] - other[1]) for one, other in pairs)
        if agreement > 0:
            return
        decided += agreement < 0
        if decided == _DECIDED:
            raise Broken(
                f"the first {decided} games with a winner ended with a higher value for the loser: here the results "
                f"are {end.returns}, and evaluation {game.default_evaluation!r} gives {_values(end)}. Likely cause: "
                "returns, or the evaluation, has the players swapped",
                end,
            )


def own_values(sample: StateSample) -> None:
    """The default evaluation depends on the player, unless all players always have equal results."""
    game = sample.game
    if game.default_evaluation == ROLLOUTS or game.players == 1:
        return
    if any(len(set(_values(state))) > 1 for state in sample.states):
        return
    for end in _ends(sample):
        if len(set(_values(end))) > 1:
            return
        if len(set(end.returns)) > 1:
            raise Broken(
                f"evaluation {game.default_evaluation!r} gives all players equal values in all {len(sample.states)} "
                f"states of the sample, and {_values(end)} at this end with the results {end.returns}; expected the "
                "value for the player whose number it is given",
                end,
            )


def _ends(sample: StateSample) -> Iterator[State]:
    """Last states of the sample's games, then of more random games, if games end."""
    if not _all_end(sample):
        return
    yield from (played.states[-1] for played in sample.games)
    for seed in range(_MORE_GAMES):
        end = sample.play_on(sample.game.start(1_000_003 + seed), _LONGEST)
        if not end.is_over:
            return
        yield end


def _all_end(sample: StateSample) -> bool:
    return all(played.states[-1].is_over for played in sample.games)


def _values(state: State) -> list[float]:
    """The default evaluation for every player, as the change from the start of some game where it is a change."""
    game = state.game
    return calls.values(game, game.evaluation(game.default_evaluation)[1], game.start(0).row, state.row)


def _sign(number: float) -> int:
    return (number > 0) - (number < 0)
