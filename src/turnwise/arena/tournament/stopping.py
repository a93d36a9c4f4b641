"""Stopping the games of a pair as soon as a sequential test has decided.

Pairs of games (the same start from both seats) are judged one after another in the order of the schedule, whatever the
order in which they finished: a game counts, and is stored, only when all earlier pairs of games of the same two players
in the same scenario are finished and have not decided the test. Therefore the final set of games depends neither on the
number of workers nor on interruptions. A game that turns out to be unwanted is dropped. A pair that contains an
abandoned game is skipped.

A game that an error in a player's code ended counts for the test as the loss that it is by the tournament's rules, so
that a player that always fails does not play on to the end. But it shows nothing of a player's strength: such a meeting
ends without a verdict.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, groupby
from typing import Protocol

from turnwise.arena.records import GameRecord
from turnwise.arena.tournament.sequential_verdict import SequentialVerdict
from turnwise.arena.tournament.specification import SprtSpec
from turnwise.statistics.sprt import Sprt, SprtReport, SprtState, pentanomial_counts

Scores = Mapping[str, float]
"""Player -> score of one game; empty for an abandoned one."""

_MISSING = ""
"""Key of a game that is not there; no game has it."""


class MeetingGame(Protocol):
    """What the test reads of a game of the schedule, or of a finished one."""

    @property
    def key(self) -> str:
        """Key of the game."""

    @property
    def group(self) -> int:
        """Games of one group share their start."""

    @property
    def scenario(self) -> str:
        """The scenario's ``spec``."""

    @property
    def names(self) -> tuple[str, ...]:
        """Names by seat."""


@dataclass
class _Meeting:
    """The games of two players in one scenario."""

    groups: list[list[MeetingGame]]
    least: int  # games before the test may decide
    judged: int = 0  # number of groups judged so far
    pairs: list[tuple[float, float]] = field(default_factory=list)  # points of the first player
    report: SprtReport | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """Both players; the test's hypotheses are about the first."""
        return self.groups[0][0].names

    @property
    def is_decided(self) -> bool:
        if self.report is None or 2 * self.report.results < self.least:
            return False
        return self.report.state is not SprtState.CONTINUE


class Stopping:
    """Which games of a tournament are wanted."""

    def __init__(
        self,
        test: Sprt,
        jobs: Sequence[MeetingGame],
        stored: Mapping[str, Scores],
        least: int = 0,
        failed: Iterable[str] = (),
    ) -> None:
        """Judge the stored games.

        Args:
            test: The sequential test, of the first player of every meeting against the second.
            jobs: All games in the order of the schedule, of two players each.
            stored: Key -> scores, for the stored games.
            least: Games of a meeting before the test may decide it.
            failed: Keys of the stored games that an error in a player's code ended.
        """
        self._test = test
        self._scores = dict(stored)
        self._failed = set(failed)
        self._early: dict[str, GameRecord] = {}
        self._meetings: dict[tuple[str, ...], _Meeting] = {}
        self._place: dict[str, tuple[_Meeting, int]] = {}
        for _, group in groupby(jobs, key=lambda job: job.group):
            both = list(group)
            meeting = self._meetings.setdefault((both[0].scenario, *sorted(both[0].names)), _Meeting([], least))
            for job in both:
                self._place[job.key] = meeting, len(meeting.groups)
            meeting.groups.append(both)
        for meeting in self._meetings.values():
            self._judge(meeting)

    def wants(self, job: MeetingGame) -> bool:
        """Whether a game belongs to the tournament: the test had not decided its meeting before it."""
        meeting, place = self._place[job.key]
        return not meeting.is_decided or place < meeting.judged

    def take(self, record: GameRecord) -> list[GameRecord]:
        """Take a finished game; returns the games that count from now on."""
        meeting, _ = self._place[record.key]
        self._early[record.key] = record
        ready: list[GameRecord] = []
        while not meeting.is_decided and meeting.judged < len(meeting.groups):
            before = meeting.judged
            for job in meeting.groups[before]:
                if job.key in self._early:
                    ready.append(self._early.pop(job.key))
                    self._scores[job.key] = scores_of(ready[-1])
                    if ready[-1].is_failed:
                        self._failed.add(job.key)
            self._judge(meeting)
            if meeting.judged == before:
                break
        return ready

    def reports(self) -> list[SprtReport | None]:
        """The state of the test of every meeting, in the order of the schedule; None: it has no finished pair."""
        return [meeting.report for meeting in self._meetings.values()]

    def verdicts(self) -> list[SequentialVerdict]:
        """What the test says of every meeting, in the order of the schedule."""
        return [self._verdict(meeting) for meeting in self._meetings.values()]

    def decisions(self) -> list[str]:
        """One sentence per decided meeting."""
        return [verdict.words() for verdict in self.verdicts() if verdict.is_decided]

    def _verdict(self, meeting: _Meeting) -> SequentialVerdict:
        report = meeting.report
        judged = [job.key for group in meeting.groups[: meeting.judged] for job in group]
        return SequentialVerdict(
            players=(meeting.names[0], meeting.names[1]),
            scenario=meeting.groups[0][0].scenario,
            games=0 if report is None else 2 * report.results,
            test=self._test,
            llr=0.0 if report is None else report.llr,
            is_decided=meeting.is_decided,
            errors=sum(key in self._failed for key in judged),
        )

    def _judge(self, meeting: _Meeting) -> None:
        """Judge the finished pairs of games in order, until one is missing or the test decides."""
        while not meeting.is_decided and meeting.judged < len(meeting.groups):
            group = meeting.groups[meeting.judged]
            if any(job.key not in self._scores for job in group):
                return
            found = [self._scores[job.key] for job in group]
            meeting.judged += 1
            if all(found):
                first, second = (scores[meeting.names[0]] for scores in found)
                meeting.pairs.append((first, second))
                meeting.report = self._test.judge(pentanomial_counts(meeting.pairs))


@dataclass(frozen=True, slots=True)
class _KnownGame:
    """A game as one of its meeting, without the schedule: finished, or the missing partner of one that is."""

    key: str
    group: int
    scenario: str
    names: tuple[str, ...]


def verdicts_on(test: SprtSpec, records: Iterable[GameRecord]) -> tuple[SequentialVerdict, ...]:
    """What a tournament's sequential test says of its finished games.

    The schedule is not needed, so the games themselves need not be registered here. A game without the other one of its
    start counts for nothing: the tournament still runs, or a reader leaves the other one out. The test judges the
    complete pairs in their order.

    Args:
        test: The test of the specification.
        records: The finished games of two players each, in any order.

    Returns:
        One verdict per meeting, in the order of the schedule.
    """
    ordered = sorted(records, key=lambda record: record.number)
    meetings: dict[tuple[str, ...], list[list[_KnownGame]]] = {}
    for _, group in groupby(ordered, key=lambda record: record.group):
        pair = _pair_of(list(group))
        meetings.setdefault((pair[0].scenario, *sorted(pair[0].names)), []).append(pair)
    games: list[_KnownGame] = []
    for pairs in meetings.values():  # incomplete pairs last, since the test ends at the first one
        games += chain.from_iterable(sorted(pairs, key=lambda pair: any(game.key == _MISSING for game in pair)))
    scores = {record.key: scores_of(record) for record in ordered}
    failed = [record.key for record in ordered if record.is_failed]
    return tuple(Stopping(test.test(), games, scores, test.least, failed).verdicts())


def _pair_of(records: Sequence[GameRecord]) -> list[_KnownGame]:
    """Both games of a start, of which one or two have finished; the schedule gives the first one an even number."""
    found = [
        _KnownGame(record.key, record.group, record.scenario, tuple(seat.player for seat in record.seats))
        for record in records
    ]
    if len(found) == 1:
        other = replace(found[0], key=_MISSING, names=found[0].names[::-1])
        found.insert(1 - records[0].number % 2, other)
    return found


def scores_of(record: GameRecord) -> Scores:
    """Scores of a game by player; empty if the game was abandoned."""
    return {seat.player: seat.score for seat in record.seats} if record.is_counted else {}
