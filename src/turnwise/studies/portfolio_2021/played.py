"""What claims and tables need of a tournament's games, from its results file or from exported tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from operator import itemgetter

from turnwise.arena.records import GameRecord, SeatRecord
from turnwise.report.names import SCRIPT
from turnwise.statistics.intervals import Tally

Row = tuple[int, str, float, int]
"""Number of the game, player, score, turns: one for each seat."""


@dataclass(frozen=True)
class Played:
    """The games of a tournament for two.

    Attributes:
        games: Number of games.
        tallies: (Row, column) -> the games from the point of view of the row's player.
        lengths: Number of rounds of each decided game; the publication's turns are rounds of both players.
        usage: Player -> script -> share of the player's actions that the script chose, ends of turns left out.
    """

    games: int
    tallies: Mapping[tuple[str, str], Tally]
    lengths: tuple[int, ...]
    usage: Mapping[str, Mapping[str, float]] = field(default_factory=dict)

    def totals(self) -> dict[str, Tally]:
        """Player -> all its games."""
        totals: dict[str, Tally] = {}
        for (player, _), tally in self.tallies.items():
            before = totals.get(player, Tally(0, 0, 0))
            totals[player] = Tally(before.wins + tally.wins, before.draws + tally.draws, before.losses + tally.losses)
        return totals


def played_of(records: Sequence[GameRecord]) -> Played:
    """The games of a results file; abandoned ones do not count."""
    counted = [record for record in records if record.is_counted]
    played = from_rows((r.number, seat.player, seat.score, r.turns) for r in counted for seat in r.seats)
    return replace(played, usage=usage_of(seat for record in counted for seat in record.seats))


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


def from_rows(rows: Iterable[Row]) -> Played:
    """The games of a table with one row for each seat."""
    points: dict[tuple[str, str], list[float]] = {}
    lengths, games = [], 0
    for _, seats in groupby(sorted(rows), key=itemgetter(0)):
        (_, one, score, turns), (_, other, others_score, _) = seats
        points.setdefault((one, other), []).append(score)
        points.setdefault((other, one), []).append(others_score)
        games += 1
        if score != others_score:
            lengths.append((turns + 1) // 2)
    return Played(games, {pair: Tally.of(values) for pair, values in points.items()}, tuple(lengths))
