"""Whether planners play a scenario: some parameters depend on it, so each planner plans a turn before a game begins."""

from __future__ import annotations

import threading

from turnwise.arena.tournament.job import refusal
from turnwise.core.budget import Budget
from turnwise.core.errors import TurnwiseError
from turnwise.search.inspection.live import LiveSearch
from turnwise.viewer.thinking import Thinkers

_PROBE = Budget(iterations=2)
_LONGEST_CHECK = 10.0  # seconds, after which a planner is taken for one that plays
PATIENCE = 2.0  # seconds that a request waits for an answer
_MOST_WAITING = 4  # requests that wait at the same time, since each keeps one of the server's threads
_MOST_KEPT = 500


class _Answer:
    """What a planner has answered.

    Attributes:
        refused: See :func:`~turnwise.arena.tournament.job.refusal`.
        is_there: Set when it has answered, or has failed in another way.
    """

    def __init__(self, game: str, player: str) -> None:
        self._game, self._player = game, player
        self.refused = ""
        self.is_there = threading.Event()

    def ask(self) -> None:
        """Let it plan a turn."""
        try:
            self.refused = refusal(self._game, self._player, _PROBE)
        finally:
            self.is_there.set()


class SeatChecks:
    """Asks planners, one after the other in a thread of its own, and remembers what they have answered."""

    def __init__(self) -> None:
        """Ask nothing yet."""
        self._thinkers = Thinkers(1)
        self._lock = threading.Lock()
        self._answers: dict[tuple[str, str], _Answer] = {}
        self._places = threading.BoundedSemaphore(_MOST_WAITING)

    def refusal(self, game: str, player: str, patience: float) -> str | None:
        """Why a planner does not play a scenario at all; empty: it plays; None: the answer is not there yet.

        Args:
            game: The scenario.
            player: The planner.
            patience: Seconds to wait for the answer.
        """
        try:
            answer = self._asked(game, player)
        except TurnwiseError:  # too many others wait
            return None
        if not answer.is_there.is_set() and self._places.acquire(blocking=False):
            try:
                answer.is_there.wait(patience)
            finally:
                self._places.release()
        return answer.refused if answer.is_there.is_set() else None

    def close(self) -> None:
        """Ask no further planner."""
        self._thinkers.close()

    def _asked(self, game: str, player: str) -> _Answer:
        """The answer of a planner that has been asked, now or before.

        Raises:
            TurnwiseError: Too many others wait.
        """
        with self._lock:
            answer = self._answers.pop((game, player), None)
            if answer is None:
                answer = _Answer(game, player)
                self._thinkers.submit(answer.ask, LiveSearch(), is_limited=True, seconds=_LONGEST_CHECK)
            self._answers[game, player] = answer  # the latest ones stay
            while len(self._answers) > _MOST_KEPT:
                self._answers.pop(next(iter(self._answers)))
            return answer
