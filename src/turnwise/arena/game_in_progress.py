"""A game while people play it: its states and steps, with a way back, and a replay of it at any time."""

from __future__ import annotations

from collections.abc import Sequence

from turnwise.core.errors import OptionError
from turnwise.core.state import State
from turnwise.replay import Note, Replay, ReplayStep


class GameInProgress:
    """States and steps of a game so far.

    Attributes:
        states: The first state, and one after every step.
        steps: The actions played.
    """

    def __init__(self, start: State, earlier: Replay | None = None) -> None:
        """Begin a game, or go on with one.

        Args:
            start: The first state; with ``earlier`` the one in which that replay ends.
            earlier: What was played before; replays begin with it.
        """
        self.states = [start]
        self.steps: list[ReplayStep] = []
        self._earlier = earlier
        self._first = start.to_dict()  # now, so that a game whose code fails later can still be saved

    @classmethod
    def replayed(cls, replay: Replay, seed: int) -> GameInProgress:
        """A game in which the steps of a replay have been played, so that they can be taken back.

        Args:
            replay: The game so far.
            seed: Seed of what chance decides from then on.

        Raises:
            TurnwiseError: The replay cannot be played.
        """
        states = list(replay.states())
        found = cls(states[0])
        found.states = [*states[:-1], states[-1].with_chance(seed)]
        found.steps = list(replay.steps)
        return found

    @property
    def now(self) -> State:
        """The present state."""
        return self.states[-1]

    @property
    def turn_began(self) -> int:
        """Number of steps before the turn in progress, or before the last turn if it is complete."""
        number = len(self.steps)
        if not number:
            return 0
        last = self.states[number] if self._is_same_turn(number) else self.states[number - 1]
        while number and self._key(number - 1) == (last.to_move, last.turn):
            number -= 1
        return number

    @property
    def is_turn_complete(self) -> bool:
        """Whether the last step has ended a turn."""
        return bool(self.steps) and not self._is_same_turn(len(self.steps))

    def play(self, action: str | int, note: Note | None = None) -> ReplayStep:
        """Play an action with chance outcomes of the game's own.

        Args:
            action: A legal action, as text or code.
            note: What its player thought.

        Raises:
            IllegalActionError: It is not legal.
            NotationError: It is no action.
        """
        before = self.now
        after = before.play(action)
        text = action if isinstance(action, str) else before.text(action)
        step = ReplayStep(action=text, player=before.to_move, outcomes=after.outcomes, note=note)
        self.take(after, step)
        return step

    def take(self, state: State, step: ReplayStep) -> None:
        """Note an action that was played elsewhere.

        Args:
            state: The state after it.
            step: The action.
        """
        self.states.append(state)
        self.steps.append(step)

    def rewind(self, number: int) -> None:
        """Go back to the state after the first steps.

        Args:
            number: How many steps stay.

        Raises:
            OptionError: There are not so many.
        """
        if not 0 <= number <= len(self.steps):
            raise OptionError(f"expected a number of steps from 0 to {len(self.steps)}, got {number}.")
        del self.steps[number:]
        del self.states[number + 1 :]

    def replay(self, players: Sequence[str] = (), result: str = "") -> Replay:
        """The game so far.

        Args:
            players: Names by seat.
            result: How it ended; empty: it has not.
        """
        game = self.now.game
        part = Replay(
            game=game.name,
            rules=game.rules_version,
            options=game.options.model_dump(mode="json", exclude_defaults=True),
            start=self._first,
            players=tuple(players),
            steps=tuple(self.steps),
            result=result,
            returns=self.now.returns if result else (),
        )
        return self.after_earlier(part)

    def after_earlier(self, part: Replay) -> Replay:
        """A replay from this game's first state on, with what was played before it."""
        if self._earlier is None:
            return part
        steps = (*self._earlier.steps, *part.steps)
        return part.model_copy(update={"start": self._earlier.start, "steps": steps})

    def _key(self, number: int) -> tuple[int, int]:
        return self.states[number].to_move, self.states[number].turn

    def _is_same_turn(self, number: int) -> bool:
        return self._key(number) == self._key(number - 1)
