"""Tables of ratings for the pages of recorded studies."""

from __future__ import annotations

from collections.abc import Mapping

from turnwise.statistics.intervals import Interval, Tally
from turnwise.statistics.ratings import bradley_terry


def print_ratings(title: str, effort: str, tallies: Mapping[tuple[str, str], Tally], anchor: str) -> None:
    """The ratings of all players of a scenario, best first.

    Args:
        title: Heading.
        effort: What every planner had.
        tallies: Pair of players -> their games, each pair once.
        anchor: The player with rating 0.
    """
    table = bradley_terry(tallies, anchor=anchor)
    print(f"{title}\n\nEffort: {effort}. {sum(tally.games for tally in tallies.values()):,} games.\n")
    print("| planner | rating (95 % interval) | score % | games |\n|---|---|---|---|")
    for rating in table.ratings:
        share = 100 * rating.tally.points / rating.tally.games
        print(f"| {rating.player} | {elo_words(rating.elo)} | {share:.1f} | {rating.games:,} |")
    print()


def elo_words(elo: Interval) -> str:
    """A rating with its interval; the anchor has none."""
    if elo.low == elo.high:
        return f"{elo.estimate:.0f}"
    return f"{round(elo.estimate):+d} ({round(elo.low):+d} to {round(elo.high):+d})"
