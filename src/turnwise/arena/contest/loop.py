"""Answering a contest's referee: read a turn, search within the time left, and answer before the deadline.

The first answer may take long, and its search gets nearly all of that time. Later answers get little: they improve on
the best known game, and if they find nothing better, that game is continued.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from turnwise.arena.contest.collection import no_collection
from turnwise.arena.contest.contestant import Contestant
from turnwise.core.chance import derive_seed
from turnwise.core.contest import ContestProtocol, Lines
from turnwise.core.errors import DamagedFileError, counted
from turnwise.core.state import State
from turnwise.plain_python.completion import quick_action
from turnwise.search.plans_turns import PlansTurns

_LEAST_SECONDS = 0.002  # search time when no time is left
_FIRST_MARGIN = 0.05  # smallest share of the first limit that is held in reserve
_LATEST = 0.5  # share of the margin that is left when an unfinished search is abandoned
_LARGEST_OVERRUN = 0.03  # largest overrun that is held in reserve, in seconds: more would leave no time to search
_FORGETTING = 0.97  # factor by which a remembered overrun shrinks with every answer
_REHEARSALS, _REHEARSAL_SECONDS = 12, 0.02


@dataclass(slots=True)
class ContestReport:
    """How a contest went.

    Attributes:
        answers: Number of answers.
        first_seconds: Time of the first answer, from its first line of input; 0 if the driver gave it.
        slowest_seconds: Longest time of a later answer.
        misses: Number of late searches, for which a fallback answer was sent.
        is_over: Whether the game was over by our rules; False: the input ended first.
    """

    answers: int = 0
    first_seconds: float = 0.0
    slowest_seconds: float = 0.0
    misses: int = 0
    is_over: bool = False

    def count(self, seconds: float, misses: int) -> None:
        """Count an answer."""
        self.misses = misses
        if self.answers == 0:
            self.first_seconds = seconds
        else:
            self.slowest_seconds = max(self.slowest_seconds, seconds)
        self.answers += 1


def rehearse(protocol: ContestProtocol, planner: PlansTurns) -> float:
    """Load or compile everything that answers need, before the referee's clock runs.

    Returns:
        Largest overrun of the rehearsed answers after the first, in seconds.
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

    On a busy machine answers take longer than planned. Therefore the longest recent overrun is held in reserve in
    addition to the margin.

    Args:
        protocol: A new conversation.
        planner: Plans; see :func:`rehearse` for loading it first.
        read: ``read(n)`` returns the next line with its line end, at most n characters of it; "" at the end of input.
        write: Sends a line at once.
        margin: Seconds held in reserve of every limit.
        overrun: What :func:`rehearse` returned.
        seed: Seed of the planner's choices.
        arrived: Returns the time at which the last line read arrived, in seconds of ``time.monotonic``; clocks start
            there.
        take_over: Called when everything is ready for the first turn; returns the answers that the driver has given
            so far. ``read`` still returns the lines that they answer.

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
                raise DamagedFileError(_ended(lines.number)) from None
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
    report.is_over = expected is not None and expected.is_over
    return report


def _ended(lines: int) -> str:
    """The message about an input that ended within a turn."""
    if not lines:
        return "standard input ended before the referee's first line; a referee must send the game."
    return f"standard input ended after {counted(lines, 'line')}, in the middle of the referee's input for a turn."


class _Clock:
    """Time since the first line of a turn arrived."""

    def __init__(self, arrived: Callable[[], float]) -> None:
        self._arrived = arrived
        self._began = 0.0

    def start(self) -> None:
        self._began = self._arrived()

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._began
