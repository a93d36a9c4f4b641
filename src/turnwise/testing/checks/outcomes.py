"""Checks of results: games end, results differ from game to game, evaluations prefer what wins.

A random game shows little of this, so a check plays more of them until it has seen what it looks for.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from turnwise.core import calls
from turnwise.core.errors import counted
from turnwise.core.evaluation import ROLLOUTS
from turnwise.core.game import Game
from turnwise.core.state import State
from turnwise.testing.checks.ends import DECIDED, ends_until_decided, has_winner, varied_ends
from turnwise.testing.checks.failures import Broken
from turnwise.testing.checks.sample import LONGEST_RANDOM, StateSample

_ENOUGH_STATES = 10  # different ones, in which a value should change


def ends(sample: StateSample) -> None:
    """A randomly played game ends."""
    if not sample.ends[-1].is_over:
        played = sample.games[len(sample.ends) - 1]
        raise Broken(
            f"the game goes on after {len(played.codes) + LONGEST_RANDOM} random actions; expected an end, which every "
            "course of a game reaches, such as a limit of turns. Without one, a match may never end",
            played.states[-1],
        )


def stubborn_play(sample: StateSample) -> None:
    """A game ends, too, if everybody always chooses the first action of the list, the last one, or the same again."""
    if not sample.ends[-1].is_over:
        return
    for course in ("first", "last", "same"):
        start = sample.game.start(0)
        if not _stubborn_end(sample, start, course).is_over:
            habit = {
                "first": "the first action of the legal list",
                "last": "the last action of the legal list",
                "same": "the action that was played before, where it is legal",
            }[course]
            raise Broken(
                f"random games end, but one in which everybody always chooses {habit} goes on after {LONGEST_RANDOM} "
                "actions. A match of two planners may never end then: expected an end that every course of a game "
                "reaches, such as a limit of turns or of repetitions. If your matches have a limit of their own, leave "
                'this check out: without=("stubborn-play",)',
                start,
            )


def _stubborn_end(sample: StateSample, state: State, course: str) -> State:
    """The last state of a game in which everybody chooses in the same way; longer turns than plans end at random."""
    played: list[int] = []
    turn, in_turn = (state.to_move, state.turn), 0
    while not state.is_over and len(played) < LONGEST_RANDOM:
        codes: list[int] = state.legal_codes().tolist()
        choice = codes[-1 if course == "last" else 0]
        if in_turn >= sample.game.max_turn:
            choice = next(sample.some_actions(state))
        elif course == "same" and played and played[-1] in codes:
            choice = played[-1]
        state = state.play(choice)
        played.append(choice)
        in_turn = in_turn + 1 if (state.to_move, state.turn) == turn else 0
        turn = (state.to_move, state.turn)
    return state


def varied_results(sample: StateSample) -> None:
    """Not all games end with the same results, as where ``returns`` says the same for every state."""
    found: list[State] = []
    for end in varied_ends(sample):
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


def shared_goal(sample: StateSample) -> None:
    """Players who share a goal have the same result."""
    if not sample.game.shares_goal:
        return
    for end in varied_ends(sample):
        if has_winner(end):
            raise Broken(
                f"the results are {end.returns}, but shares_goal is True: players who win and lose together have equal "
                "results. Set shares_goal to False, or let returns give all players the same number",
                end,
            )


def winning_values(sample: StateSample) -> None:
    """At the end of a game, the default evaluation does not always prefer the loser."""
    game = sample.game
    if game.default_evaluation == ROLLOUTS or _has_one_goal(game) or not sample.ends[-1].is_over:
        return
    games = decided = 0
    wrong: list[State] = []
    for end in ends_until_decided(sample):
        games += 1
        agreement = _agreement(end)
        if agreement > 0:
            return
        decided += has_winner(end)
        wrong += [end] if agreement < 0 else []
        if len(wrong) == DECIDED:
            break
    if not decided:
        raise Broken(
            f"this check could not be made: none of {games} games had a winner, neither random ones nor those of "
            "greedy players against random ones, so it is unknown whether returns and evaluation agree about who wins. "
            "Check a smaller scenario that somebody wins, or, if nobody ever wins this game, leave this check out: "
            'without=("winning-values",)'
        )
    if wrong and len(wrong) in (decided, DECIDED):
        _report_swapped(wrong[-1], len(wrong))


def _agreement(end: State) -> int:
    """Pairs of players in which the evaluation prefers the winner, minus those in which it prefers the loser."""
    pairs = combinations(zip(end.returns, _values(end), strict=True), 2)
    return sum(_sign(one[0] - other[0]) * _sign(one[1] - other[1]) for one, other in pairs)


def _report_swapped(end: State, number: int) -> None:
    games = "the only game with a winner" if number == 1 else f"the first {number} games with a winner"
    raise Broken(
        f"{games} ended with a higher value for the loser: here the results are {end.returns}, and evaluation "
        f"{end.game.default_evaluation!r} gives {_values(end)}. Likely cause: returns, or the evaluation, has the "
        "players swapped",
        end,
    )


def better_values(sample: StateSample) -> None:
    """With one player or a shared goal, the default evaluation does not rank ends of games the other way round."""
    game = sample.game
    if game.default_evaluation == ROLLOUTS or not _has_one_goal(game) or not sample.ends[-1].is_over:
        return
    wrong: list[tuple[State, State]] = []
    for better, worse in _ranked_pairs(list(varied_ends(sample))):
        order = _sign(_values(better)[0] - _values(worse)[0])
        if order > 0:
            return
        wrong += [(better, worse)] if order < 0 else []
    if len(wrong) >= DECIDED:
        better, worse = wrong[0]
        raise Broken(
            f"in all {len(wrong)} pairs of ends with different results and values, the better result has the lower "
            f"value: {better.returns[0]:g} has {_values(better)[0]:g}, and {worse.returns[0]:g} has "
            f"{_values(worse)[0]:g}, by evaluation {game.default_evaluation!r}. Likely cause: the sign of returns, or "
            "of the evaluation, is wrong: higher must be better in both",
            better,
        )


def _has_one_goal(game: Game) -> bool:
    return game.players == 1 or game.shares_goal


def _ranked_pairs(found: list[State]) -> Iterator[tuple[State, State]]:
    """Pairs of ends with different returns, the better one first."""
    for one, other in combinations(found, 2):
        if one.returns != other.returns:
            yield (one, other) if one.returns > other.returns else (other, one)


def varied_values(sample: StateSample) -> None:
    """The default evaluation is not the same in all states."""
    game = sample.game
    if game.default_evaluation == ROLLOUTS:
        return
    states = sample.all_states
    first = _values(states[0])
    if len({state.fingerprint for state in states}) >= _ENOUGH_STATES and all(_values(s) == first for s in states):
        raise Broken(
            f"evaluation {game.default_evaluation!r} is {first[0]:g} in all {len(states)} states of "
            f"{counted(len(sample.games), 'random game')}: searches learn nothing from it. Expected a value that grows "
            "when the player's state gets better; without one, leave out evaluate, and searches play on to the end of "
            "the game. If it only changes in games that are played well, leave this check out: "
            'without=("varied-values",)',
            states[-1],
        )


def own_values(sample: StateSample) -> None:
    """The default evaluation depends on the player, unless all players always have equal results."""
    game = sample.game
    if game.default_evaluation == ROLLOUTS or game.players == 1:
        return
    if any(len(set(_values(state))) > 1 for state in sample.states):
        return
    for end in ends_until_decided(sample):
        if len(set(_values(end))) > 1:
            return
        if has_winner(end):
            raise Broken(
                f"evaluation {game.default_evaluation!r} gives all players equal values in all {len(sample.states)} "
                f"states of the sample, and {_values(end)} at this end with the results {end.returns}; expected the "
                "value for the player whose number it is given",
                end,
            )


def _values(state: State) -> list[float]:
    """The default evaluation for every player, as the change from the start of some game where it is a change."""
    game = state.game
    return calls.values(game, game.evaluation(game.default_evaluation)[1], game.start(0).row, state.row)


def _sign(number: float) -> int:
    return (number > 0) - (number < 0)
