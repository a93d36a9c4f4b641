"""What claims and tables need of a tournament's games, from its results file or from exported tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby, permutations

from turnwise.arena.records import GameRecord, SeatRecord
from turnwise.report.names import SCRIPT
from turnwise.statistics.intervals import Tally

Pair = tuple[str, str]
"""Two players: the values are those of the first, in its games against the second."""


@dataclass(frozen=True)
class Row:
    """One player's part of a game.

    Attributes:
        game: Number of the game.
        player: Name.
        score: 1 for a win, 0.5 for a draw, 0 for a loss.
        rank: Place in the game, from 1.
        turns: Number of turns of the game.
        metrics: The game's metrics in the last state.
    """

    game: int
    player: str
    score: float
    rank: int
    turns: int
    metrics: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Played:
    """The games of a tournament.

    Attributes:
        games: Number of games.
        tallies: (Row, column) -> the games from the point of view of the row's player; in games for more than two, who
            ranks above the other.
        lengths: Number of rounds of each decided game of two players.
        usage: Player -> script -> share of the player's actions that the script chose, ends of turns left out.
        metrics: Metric -> (row, column) -> values of the row's player at the end of these games.
    """

    games: int
    tallies: Mapping[Pair, Tally]
    lengths: tuple[int, ...]
    usage: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    metrics: Mapping[str, Mapping[Pair, Sequence[float]]] = field(default_factory=dict)

    def once(self) -> dict[Pair, Tally]:
        """Every pair once, from the point of view of the player whose name comes first, as ratings need it."""
        return {pair: tally for pair, tally in self.tallies.items() if pair[0] < pair[1]}

    def totals(self) -> dict[str, Tally]:
        """Player -> all its games."""
        totals: dict[str, Tally] = {}
        for (player, _), tally in self.tallies.items():
            totals[player] = totals.get(player, Tally(0, 0, 0)) + tally
        return totals


def rows_of(records: Sequence[GameRecord]) -> list[Row]:
    """The rows of the games that count, which abandoned ones do not."""
    return [
        Row(record.number, seat.player, seat.score, seat.rank, record.turns, seat.metrics)
        for record in records
        if record.is_counted
        for seat in record.seats
    ]


def from_rows(rows: Iterable[Row]) -> Played:
    """The games of a table with one row for each seat."""
    points: dict[Pair, list[float]] = {}
    metrics: dict[str, dict[Pair, list[float]]] = {}
    lengths, games = [], 0
    for _, seated in groupby(sorted(rows, key=_order), key=lambda row: row.game):
        seats = list(seated)
        games += 1
        for own, other in permutations(seats, 2):
            pair = own.player, other.player
            points.setdefault(pair, []).append(_point(own, other, len(seats)))
            for name, value in own.metrics.items():
                metrics.setdefault(name, {}).setdefault(pair, []).append(value)
        if len(seats) == 2 and seats[0].score != seats[1].score:
            lengths.append((seats[0].turns + 1) // 2)
    tallies = {pair: Tally.of(values) for pair, values in points.items()}
    return Played(games, tallies, tuple(lengths), metrics=metrics)


def _order(row: Row) -> tuple[int, str, float]:
    return row.game, row.player, row.score


def _point(own: Row, other: Row, seats: int) -> float:
    """A player's point against one of the others."""
    if seats == 2:
        return own.score
    return 1.0 if own.rank < other.rank else 0.5 if own.rank == other.rank else 0.0


def played_of(records: Sequence[GameRecord]) -> Played:
    """The games of a results file; abandoned ones do not count."""
    return replace(from_rows(rows_of(records)), usage=usage_of(s for r in records if r.is_counted for s in r.seats))


def usage_of(seats: Iterable[SeatRecord]) -> dict[str, dict[str, float]]:
    """Player -> script -> share of its actions that the script chose; the end of a turn is nobody's."""
    counts: dict[str, Counter[str]] = {}
    for seat in seats:
        for cost in seat.costs:
            chosen = {
                key.removeprefix(SCRIPT): value * cost.actions  # the figures are means over the turn's searches
                for key, value in cost.details.items()
                if key.startswith(SCRIPT)
            }
            counts.setdefault(seat.player, Counter()).update(chosen)
    return shares(counts)


def shares(counts: Mapping[str, Mapping[str, float]]) -> dict[str, dict[str, float]]:
    """Player -> script -> share, of the numbers of actions; players without any are left out."""
    return {
        player: {name: count / sum(each.values()) for name, count in each.items()}
        for player, each in counts.items()
        if sum(each.values()) > 0
    }
