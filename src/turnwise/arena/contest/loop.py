"""Answering a contest's referee: read a turn, search within the time that is left, answer, never late.

The first answer may take long: it is planned with nearly all of its time. Later answers have little; they improve on
the best game that is known, and where they find nothing better that game is played on.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from turnwise.arena.contest.collection import no_collection
from turnwise.arena.contest.contestant import Contestant
from turnwise.core.chance import derive_seed
from turnwise.core.contest import ContestProtocol, Lines
from turnwise.core.errors import DamagedFileError
from turnwise.core.state import State
from turnwise.plain_python.planner import quick_action
from turnwise.search.planner import PlansTurns

_LEAST_SECONDS = 0.002  # of search, where no time is left
_FIRST_MARGIN = 0.05  # share of the first limit that is kept back at least
_LATEST = 0.5  # of the margin is left when a search that has not ended is given up
_LARGEST_OVERRUN = 0.03  # that is kept back: more would leave nothing to search
_FORGETTING = 0.97  # what is left of an overrun's memory after an answer
_REHEARSALS, _REHEARSAL_SECONDS = 12, 0.02


@dataclass(slots=True)
class ContestReport:
    """How a contest went.

    Attributes:
        answers: How many were given.
        first_seconds: Time of the first answer, from its first line of input; 0 if it was given before.
        slowest_seconds: Longest time of a later one.
        misses: How many searches were late, so that the answer was one that was in hand.
    """

    answers: int = 0
    first_seconds: float = 0.0
    slowest_seconds: float = 0.0
    misses: int = 0

    def count(self, seconds: float, misses: int) -> None:
        """Count an answer."""
        self.misses = misses
        if self.answers == 0:
            self.first_seconds = seconds
        else:
            self.slowest_seconds = max(self.slowest_seconds, seconds)
        self.answers += 1


def rehearse(protocol: ContestProtocol, planner: PlansTurns) -> float:
    """Load or compile all that answers need, so that no clock of a referee runs meanwhile.

    Returns:
        Seconds by which the later ones of the rehearsed answers took longer than they should, at most.
    """
    state = protocol.rehearsal.start()
    overrun = 0.0
    with Contestant(planner, 0) as contestant:
        for number in range(_REHEARSALS):
            if state.is_over:
                break
            began = time.monotonic()
            action = contestant.decide(state, state, _REHEARSAL_SECONDS)
            protocol.answer(state, action)
            state.to_dict()
            if number >= _REHEARSALS // 2:
                overrun = max(overrun, time.monotonic() - began - _REHEARSAL_SECONDS)
            state = state.play(action)
        quick_action(state)
    return min(overrun, _LARGEST_OVERRUN)


def play_contest(
    protocol: ContestProtocol,
    planner: PlansTurns,
    read: Callable[[int], str],
    write: Callable[[str], None],
    *,
    margin: float = 0.015,
    overrun: float = 0.0,
    seed: int = 0,
    arrived: Callable[[], float] = time.monotonic,
    take_over: Callable[[], Sequence[str]] = tuple,
) -> ContestReport:
    """Answer a referee until its input ends or the game is over by our rules.

    Where the machine is busy, answers take longer than planned. The longest overrun of late is therefore kept back as
    well as the margin.

    Args:
        protocol: A new conversation.
        planner: Plans; see :func:`rehearse` for loading it first.
        read: Gives the next line with its end, at most so many characters of it; "" at the end of the input.
        write: Sends a line at once.
        margin: Seconds that are kept back from every limit.
        overrun: What :func:`rehearse` returned.
        seed: Of the planner's choices.
        arrived: When the line that was read last had come, in seconds of ``time.monotonic``: clocks start there.
        take_over: Called when everything is ready for the first turn; gives the answers that somebody else has given
            until then. ``read`` begins with the lines before them.

    Raises:
        TurnwiseError: The input is not what the protocol says, or the planner fails.
        KeyboardInterrupt: Ctrl-C came during a search.
    """
    lines = Lines(read)
    report = ContestReport()
    expected: State | None = None
    with no_collection(), Contestant(planner, derive_seed(seed, "contest")) as contestant:
        answered = take_over()
        while expected is None or not expected.is_over:
            clock = _Clock(arrived)
            lines.on_first = clock.start
            before = lines.number
            try:
                state = protocol.read(lines, expected)
            except EOFError:
                if lines.number == before and report.answers:
                    break
                raise DamagedFileError(
                    f"standard input ended after {lines.number} lines, in the middle of what the referee tells."
                ) from None
            if report.answers < len(answered):
                expected = state.play(answered[report.answers])
                report.answers += 1
                continue
            begin = clock.seconds
            if report.answers:
                limit, kept = protocol.later_seconds, margin
            else:
                limit, kept = protocol.first_seconds, max(margin, _FIRST_MARGIN * protocol.first_seconds)
            seconds = max(_LEAST_SECONDS, limit - kept - overrun - begin)
            wait = max(seconds, limit - _LATEST * kept - begin)
            action = contestant.decide(state, expected, seconds, wait)
            write(protocol.answer(state, action) + "\n")
            taken = clock.seconds
            report.count(taken, contestant.misses)
            overrun = min(_LARGEST_OVERRUN, max(_FORGETTING * overrun, taken - begin - seconds))
            expected = state.play(action)
    return report


class _Clock:
    """Time since the first line of a turn was there."""

    def __init__(self, arrived: Callable[[], float]) -> None:
        self._arrived = arrived
        self._began = 0.0

    def start(self) -> None:
        self._began = self._arrived()

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._began
