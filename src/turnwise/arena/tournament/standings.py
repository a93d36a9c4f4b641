"""The tables of a tournament: results of pairs, ratings, endings of games, cost of turns.

Abandoned games count only among the endings. In games with more than two players, each two players are compared by
their ranks. Players of single-player games are compared by their results on equal starts.

Ratings are Bradley-Terry; with games for more than two players they are Plackett-Luce, from the ranking of each game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from statistics import median

from turnwise.arena.records import FORFEITS, GameRecord, SeatRecord
from turnwise.core import arguments
from turnwise.core.errors import OptionError, shown
from turnwise.statistics.intervals import Interval, Tally, wilson_interval
from turnwise.statistics.plackett_luce import Ranking, plackett_luce
from turnwise.statistics.ratings import RatingTable, bradley_terry

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class PairResult:
    """The games of two players, from the first player's point of view.

    Attributes:
        tally: Wins, draws, losses.
        score: Points per game with a Wilson interval.
    """

    tally: Tally
    score: Interval


@dataclass(frozen=True, slots=True)
class PlayerSummary:
    """One player over all its games.

    Attributes:
        games: Games counted.
        tally: Results against all other players together.
        endings: Ending -> number of games.
        forfeits: Kind of forfeit -> number of games in which this player was at fault.
        result: Mean of the game's own returns.
        decisions: Plans made.
        turns: Turns planned.
        seconds: Wall time per turn.
        forward_calls: Calls of ``apply`` per turn.
        forward_calls_for_others: Those for other seats.
        evaluations: Evaluations per turn.
        iterations: Iterations per turn.
        overruns: Decisions that overran a time budget.
        median_overrun: Median of these overruns in seconds; 0 without any.
        worst_overrun: The longest overrun in seconds.
        details: Each of the planner's own figures, averaged over the plans that reported it. (A plan is a turn,
            unless the game reveals something in mid-turn and the rest of the turn is planned again.)
        metrics: The game's metrics in the last state, averaged over games.
    """

    games: int
    tally: Tally
    endings: Mapping[str, int]
    forfeits: Mapping[str, int]
    result: float
    decisions: int
    turns: int
    seconds: float
    forward_calls: float
    forward_calls_for_others: float
    evaluations: float
    iterations: float
    overruns: int
    median_overrun: float
    worst_overrun: float
    details: Mapping[str, float]
    metrics: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Standings:
    """All tables of a tournament.

    Attributes:
        players: The players in the order of the specification, or of appearance.
        games: Games counted.
        pairs: (player, other) -> result, both ways round; pairs that never met are absent.
        ratings: Ratings; None if no pair met.
        endings: Ending -> games, abandoned ones included.
        mean_turns: Turns per game.
        summaries: Player -> summary, for players with at least one game.
    """

    players: tuple[str, ...]
    games: int
    pairs: Mapping[Pair, PairResult]
    ratings: RatingTable | None
    endings: Mapping[str, int]
    mean_turns: float
    summaries: Mapping[str, PlayerSummary]


def standings_of(
    records: Iterable[GameRecord],
    players: Sequence[str] = (),
    confidence: float = 0.95,
    *,
    resamples: int = 1000,
    seed: int = 0,
) -> Standings:
    """Count a tournament's games.

    Args:
        records: For example an open :class:`~turnwise.arena.results.reading.Results`; read once, one by one.
        players: Order of the players; other players follow in the order of appearance.
        confidence: Nominal coverage of the intervals.
        resamples: Number of resampled tournaments for the ratings' intervals, if games have more than two players.
        seed: Seed of the resampling.

    Raises:
        OptionError: An argument has another type, or is out of range.
    """
    arguments.seed(seed)
    arguments.whole_number(resamples, "resamples", 0)
    if not 0 < arguments.number(confidence, "The confidence") < 1:
        raise OptionError(f"The confidence must lie between 0 and 1, for example 0.95; got {confidence}.")
    players = [arguments.text(name, "A player's name") for name in arguments.sequence(players, "The players", "names")]
    if not isinstance(records, Iterable):
        raise OptionError(
            f"The records must be records of games, for example open_results(path); got {shown(records)}."
        )
    counts: dict[str, _Count] = {name: _Count() for name in players}
    tallies: dict[Pair, Tally] = {}
    endings: Counter[str] = Counter()
    alone: dict[tuple[str, int], dict[str, float]] = {}
    blocks: dict[Hashable, list[Ranking]] = {}
    games = turns = most_seats = 0
    for record in records:
        arguments.instance(record, GameRecord, "A record", "a GameRecord, as play_game and open_results give it")
        endings[record.ending.value] += 1
        if not record.is_counted:
            continue
        games, turns, most_seats = games + 1, turns + record.turns, max(most_seats, len(record.seats))
        for seat in record.seats:
            counts.setdefault(seat.player, _Count()).add(record, seat)
        for first, second in combinations(record.seats, 2):
            _meet(tallies, first.player, second.player, second.rank - first.rank)
        if len(record.seats) > 1:
            block = blocks.setdefault((record.group, frozenset(seat.player for seat in record.seats)), [])
            block.append({seat.player: seat.rank for seat in record.seats})
        else:
            same_start = alone.setdefault((record.scenario, record.start_seed), {})
            same_start[record.seats[0].player] = record.seats[0].result
    for start, results in alone.items():
        for one, other in combinations(results, 2):
            _meet(tallies, one, other, results[one] - results[other])
            blocks.setdefault(start, []).append({one: -results[one], other: -results[other]})
    ratings: RatingTable | None = None
    if most_seats > 2:
        ratings = plackett_luce(list(blocks.values()), confidence=confidence, resamples=resamples, seed=seed)
    elif tallies:
        ratings = bradley_terry(_once(tallies), confidence=confidence)
    totals = {name: sum((t for pair, t in tallies.items() if pair[0] == name), Tally(0, 0, 0)) for name in counts}
    return Standings(
        players=tuple(counts),
        games=games,
        pairs={
            pair: PairResult(tally, wilson_interval(tally.points, tally.games, confidence))
            for pair, tally in tallies.items()
        },
        ratings=ratings,
        endings=dict(endings),
        mean_turns=turns / games if games else 0.0,
        summaries={name: count.summary(totals[name]) for name, count in counts.items() if count.games},
    )


def _meet(tallies: dict[Pair, Tally], one: str, other: str, lead: float) -> None:
    """Count one comparison for both players: ``lead`` is positive if the first was better."""
    tally = Tally(int(lead > 0), int(lead == 0), int(lead < 0))
    zero = Tally(0, 0, 0)
    tallies[one, other] = tallies.get((one, other), zero) + tally
    tallies[other, one] = tallies.get((other, one), zero) + tally.reversed()


def _once(tallies: Mapping[Pair, Tally]) -> dict[Pair, Tally]:
    """Each pair in one order only."""
    once: dict[Pair, Tally] = {}
    for (one, other), tally in tallies.items():
        if (other, one) not in once:
            once[one, other] = tally
    return once


@dataclass(slots=True)
class _Count:
    """Running sums of one player."""

    games: int = 0
    decisions: int = 0
    turns: int = 0
    result: float = 0.0
    seconds: float = 0.0
    forward_calls: int = 0
    forward_calls_for_others: int = 0
    evaluations: int = 0
    iterations: int = 0
    overruns: list[float] = field(default_factory=list)
    endings: Counter[str] = field(default_factory=Counter)
    forfeits: Counter[str] = field(default_factory=Counter)
    details: dict[str, list[float]] = field(default_factory=dict)
    metrics: dict[str, list[float]] = field(default_factory=dict)

    def add(self, record: GameRecord, seat: SeatRecord) -> None:
        self.games += 1
        self.result += seat.result
        self.endings[record.ending.value] += 1
        if is_at_fault(record, seat):
            self.forfeits[record.ending.value] += 1
        self.turns += len({cost.turn for cost in seat.costs})
        self.decisions += len(seat.costs)
        for cost in seat.costs:
            self.seconds += cost.seconds
            self.forward_calls += cost.forward_calls
            self.forward_calls_for_others += cost.forward_calls_for_others
            self.evaluations += cost.evaluations
            self.iterations += cost.iterations
            if cost.overrun > 0:
                self.overruns.append(cost.overrun)
            _accumulate(self.details, cost.details)
        _accumulate(self.metrics, seat.metrics)

    def summary(self, tally: Tally) -> PlayerSummary:
        turns = max(1, self.turns)
        return PlayerSummary(
            games=self.games,
            tally=tally,
            endings=dict(self.endings),
            forfeits=dict(self.forfeits),
            result=self.result / self.games,
            decisions=self.decisions,
            turns=self.turns,
            seconds=self.seconds / turns,
            forward_calls=self.forward_calls / turns,
            forward_calls_for_others=self.forward_calls_for_others / turns,
            evaluations=self.evaluations / turns,
            iterations=self.iterations / turns,
            overruns=len(self.overruns),
            median_overrun=median(self.overruns) if self.overruns else 0.0,
            worst_overrun=max(self.overruns, default=0.0),
            details={key: total / count for key, (total, count) in self.details.items()},
            metrics={key: total / count for key, (total, count) in self.metrics.items()},
        )


def is_at_fault(record: GameRecord, seat: SeatRecord) -> bool:
    """Whether this player forfeited the game."""
    if record.ending not in FORFEITS:
        return False
    return len(record.seats) == 1 or seat.rank > 1


def _accumulate(sums: dict[str, list[float]], values: Mapping[str, float]) -> None:
    for key, value in values.items():
        entry = sums.setdefault(key, [0.0, 0])
        entry[0] += value
        entry[1] += 1
