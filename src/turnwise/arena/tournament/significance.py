"""Which players of a tournament differ by more than chance, corrected for the number of pairs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from turnwise.arena.records import GameRecord
from turnwise.statistics.pair_significance import pair_evidence

LEVEL = 0.05
_Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class PairSignificance:
    """The games of two players, tested together with those of all other pairs.

    Attributes:
        first: A player.
        second: The other.
        games: Games, or starts that both have played where they play alone.
        effect: Mean lead of the first player per game: points above an even score, or the difference of the results
            where they play alone.
        p_value: Of this pair alone, two-sided.
        adjusted: After Holm's correction for all pairs.
        more_games: How many more games will probably decide; 0: decided; None: the players are even so far, or errors
            ended games, of which no number shows who is better.
        errors: Games among them that errors in a player's code ended; with any of them neither player is called better.
    """

    first: str
    second: str
    games: int
    effect: float
    p_value: float
    adjusted: float
    more_games: int | None
    errors: int = 0

    @property
    def stronger(self) -> str:
        """The player that is better by more than chance; empty if neither is."""
        return "" if self.errors or self.adjusted >= LEVEL else self.first if self.effect > 0 else self.second


def significance_of(
    records: Iterable[GameRecord], players: Sequence[str], *, seed: int = 0
) -> tuple[PairSignificance, ...]:
    """Test all pairs of players that have met.

    Games of one start are not independent, so the unit is the group of games of one start. In games for more than two,
    the better rank of two players wins; players who play alone are compared by their results on equal starts.

    Args:
        records: The finished games, in any order.
        players: Order of the players; pairs are named in this order, and listed by it.
        seed: Seed of random sign flips.

    Returns:
        One entry per pair.
    """
    place = {player: number for number, player in enumerate(players)}
    points: dict[_Pair, dict[object, list[float]]] = {}
    alone: dict[object, dict[str, float]] = {}
    errors: Counter[_Pair] = Counter()
    failed: set[tuple[object, str]] = set()
    for record in records:
        if not record.is_counted:
            continue
        if len(record.seats) == 1:
            start, (seat,) = (record.scenario, record.start_seed), record.seats
            alone.setdefault(start, {})[seat.player] = seat.result
            if record.is_failed:
                failed.add((start, seat.player))
        for one, other in combinations(sorted(record.seats, key=lambda seat: place[seat.player]), 2):
            lead = (one.rank < other.rank) - (one.rank > other.rank)
            points.setdefault((one.player, other.player), {}).setdefault(record.group, []).append(lead / 2)
            errors[one.player, other.player] += record.is_failed
    for common, results in alone.items():
        for first, second in combinations(sorted(results, key=place.__getitem__), 2):
            points.setdefault((first, second), {})[common] = [results[first] - results[second]]
            errors[first, second] += (common, first) in failed or (common, second) in failed
    return _tested(points, errors, place, seed)


def _tested(
    points: dict[_Pair, dict[object, list[float]]], errors: Counter[_Pair], place: dict[str, int], seed: int
) -> tuple[PairSignificance, ...]:
    means = {pair: [sum(group) / len(group) for group in groups.values()] for pair, groups in points.items()}
    evidence = pair_evidence(means, level=LEVEL, seed=seed)
    found = []
    for pair in sorted(points, key=lambda pair: (place[pair[0]], place[pair[1]])):
        games, tested = sum(map(len, points[pair].values())), evidence[pair]
        each = max(map(len, points[pair].values()))
        more = None if tested.more_groups is None or errors[pair] else tested.more_groups * each
        values = tested.effect, tested.p_value, tested.adjusted
        found.append(PairSignificance(*pair, games, *values, more, errors[pair]))
    return tuple(found)
