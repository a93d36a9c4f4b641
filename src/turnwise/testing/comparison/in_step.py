"""``same_game``: play two implementations of a game in step, and shrink a difference to a short sequence of actions."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from turnwise.core import arguments
from turnwise.core.errors import OptionError, TurnwiseError, brief, counted
from turnwise.core.game import Game, as_game
from turnwise.core.state import State
from turnwise.testing.comparison.answers import Question, agree, answer, first_difference, questions

_LONGEST = 2000  # actions of a game
_SHOWN = 12  # actions in a message
_DIFFERENCES = 5  # that are shrunk, of which the shortest is reported: with chance, some cannot become short
_MOST_TRIES = 1000  # games replayed to shrink a sequence
_MOST_STATES = 1000  # compared to find a shorter sequence than the shrunk one
_MOST_GAMES = 10**6


@dataclass(frozen=True, slots=True)
class GameDifference:
    """A difference between two implementations of a game.

    Attributes:
        question: What they answer differently: "the legal actions".
        place: Where in the answer: "[3]", "units.hp"; empty: the answer itself.
        one: What the first implementation has there.
        other: What the second one has there.
        seed: Seed of the start.
        actions: The actions from the start to the state in question, as short as could be found.
    """

    question: str
    place: str
    one: Any
    other: Any
    seed: int
    actions: tuple[str, ...]

    def words(self) -> str:
        """The difference in one or two sentences."""
        where = f" ({self.place})" if self.place else ""
        hidden = len(self.actions) - _SHOWN
        shown = "; ".join(self.actions[-_SHOWN:]) + (f" (and {hidden} before)" if hidden > 0 else "")
        after = f"after {counted(len(self.actions), 'action')} ({shown})" if self.actions else "in the first state"
        return (
            f"{self.question}{where}: {brief(self.one)} and {brief(self.other)}, {after} from start(seed={self.seed})"
        )


class DifferentGamesError(TurnwiseError):
    """Two implementations of a game differ.

    Attributes:
        difference: Where, after which actions.
    """

    def __init__(self, one: Game, other: Game, difference: GameDifference) -> None:
        self.difference = difference
        super().__init__(f"{one.spec} and {other.spec} differ in {difference.words()}.")


def same_game(one: Game, other: Game, *, games: int = 20, seed: int = 0) -> None:
    """Check that two implementations of a game are the same game.

    See :func:`game_difference`.

    Raises:
        DifferentGamesError: They differ; the message gives a short sequence of actions that shows it.
        OptionError: They cannot be compared: different numbers of players, or a wrong argument.
    """
    difference = game_difference(one, other, games=games, seed=seed)
    if difference is not None:
        raise DifferentGamesError(one, other, difference)


def game_difference(one: Game, other: Game, *, games: int = 20, seed: int = 0) -> GameDifference | None:
    """A short difference between two implementations of a game in random play; None if none was found.

    Both begin from the same seed and play the same actions, given as text, with the same chance: what the first one
    drew. In every state both must have the same JSON form, player to move, turn number, list of legal actions in the
    same order, results, and, where both have them, candidates, evaluations, views and metrics of the same names. A
    difference is shrunk: actions are left out as long as any difference remains. Of those of five games, the shortest
    counts, unless there is a shorter one among the first thousand sequences from its start, in the order of length.

    Args:
        one: An implementation, for example in plain Python. It chooses nothing: actions are drawn from its legal list.
        other: Another one, with the same notation and JSON form.
        games: Number of games.
        seed: Seed of starts and actions; equal seeds play the same games.

    Raises:
        OptionError: They cannot be compared: different numbers of players, or a wrong argument.
    """
    one, other = as_game(one), as_game(other)
    arguments.whole_number(games, "games", 1, _MOST_GAMES)
    seed = arguments.seed(seed)
    if one.players != other.players:
        raise OptionError(
            f"{one.spec} has {counted(one.players, 'player')} and {other.spec} {other.players}: two implementations of "
            "one game have the same number."
        )
    asked = questions(one, other)
    differences: list[GameDifference] = []
    for start in range(seed, seed + games):
        found = _played(one, other, asked, start, Random(start))
        if found is not None:
            differences.append(_shrunk(one, other, asked, found))
        if len(differences) == _DIFFERENCES or (differences and not differences[-1].actions):
            break
    shortest = min(differences, key=lambda difference: len(difference.actions), default=None)
    return None if shortest is None else _shorter(one, other, asked, shortest) or shortest


def _shorter(one: Game, other: Game, asked: list[Question], found: GameDifference) -> GameDifference | None:
    """A difference after fewer actions from the same start, breadth first; None: there is none in a thousand states."""
    waiting = deque([((one.start(found.seed), other.start(found.seed)), tuple[str, ...]())])
    for _ in range(_MOST_STATES):
        if not waiting or len(waiting[0][1]) >= len(found.actions):
            return None
        states, actions = waiting.popleft()
        difference = _difference(states, asked, found.seed, actions)
        if difference is not None:
            return difference
        for action in () if states[0].is_over else states[0].legal_actions():
            waiting.append((_after(states, action), (*actions, action)))
    return None


def _played(one: Game, other: Game, asked: list[Question], seed: int, random: Random) -> GameDifference | None:
    """The first difference in a random game."""
    states, actions = (one.start(seed), other.start(seed)), list[str]()
    while True:
        found = _difference(states, asked, seed, actions)
        if found is not None or states[0].is_over or len(actions) == _LONGEST:
            return found
        actions.append(random.choice(states[0].legal_actions()))
        states = _after(states, actions[-1])


def _after(states: tuple[State, State], action: str) -> tuple[State, State]:
    """Both states after an action, with the same chance. An illegal action leaves the second state as it is."""
    after = states[0].play(action)
    try:
        return after, states[1].play(action, after.outcomes)
    except TurnwiseError:
        return after, states[1]


def _difference(
    states: tuple[State, State], asked: list[Question], seed: int, actions: Sequence[str]
) -> GameDifference | None:
    for question in asked:
        answers = [answer(question, state) for state in states]
        if not agree(*answers):
            place, left, right = first_difference(*answers)
            return GameDifference(question[0], place, left, right, seed, tuple(actions))
    return None


def _shrunk(one: Game, other: Game, asked: list[Question], found: GameDifference) -> GameDifference:
    """A difference after so few actions that leaving out any part of them, half or less, shows none."""
    size, tries = len(found.actions) // 2, 0
    while size > 0 and tries < _MOST_TRIES:
        before, place = len(found.actions), 0
        while place < len(found.actions) and tries < _MOST_TRIES:
            tries += 1
            shorter = found.actions[:place] + found.actions[place + size :]
            again = _replayed(one, other, asked, found.seed, shorter)
            if again is not None:
                found = again
            else:
                place += size
        has_shrunk = 0 < len(found.actions) < before
        size = max(1, len(found.actions) // 2) if has_shrunk else size // 2
    return found


def _replayed(
    one: Game, other: Game, asked: list[Question], seed: int, actions: Sequence[str]
) -> GameDifference | None:
    """The first difference while given actions are played; None: there is none, or an action is illegal."""
    states = one.start(seed), other.start(seed)
    for number in range(len(actions) + 1):
        found = _difference(states, asked, seed, actions[:number])
        if found is not None:
            return found
        if number < len(actions):
            if states[0].is_over or not states[0].is_legal(actions[number]):
                return None
            states = _after(states, actions[number])
    return None
