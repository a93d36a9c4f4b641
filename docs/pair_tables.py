"""Tables of pairs for the pages of recorded studies, read from what ``turnwise export --format parquet`` wrote."""

from __future__ import annotations

import sys
from collections.abc import Hashable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import pyarrow.parquet

from turnwise.report.model import Claim
from turnwise.report.words import DASH
from turnwise.statistics.intervals import Tally, wilson_interval
from turnwise.statistics.plackett_luce import plackett_luce
from turnwise.studies.played import Played, Row, from_rows

Key = TypeVar("Key", bound=Hashable)
_METRIC = "metric_"


def read_seats(place: Path) -> list[dict[str, Any]]:
    """The rows of a folder's ``seats.parquet``, each with its game's number of turns."""
    seats = pyarrow.parquet.read_table(place / "seats.parquet").to_pylist()
    games = pyarrow.parquet.read_table(place / "games.parquet", columns=["number", "turns"]).to_pylist()
    turns = {game["number"]: game["turns"] for game in games}
    return [seat | {"turns": turns[seat["number"]]} for seat in seats]


def played_in(seats: Sequence[Mapping[str, Any]]) -> Played:
    """The games of these rows."""
    return from_rows(
        Row(
            seat["number"],
            seat["player"],
            seat["score"],
            seat["rank"],
            seat["turns"],
            {
                key.removeprefix(_METRIC): value
                for key, value in seat.items()
                if key.startswith(_METRIC) and value is not None
            },
        )
        for seat in seats
    )


def read_all(folder: Path, names: Mapping[Key, str], form: str) -> dict[Key, Played]:
    """All tournaments in a folder, in the order of their keys; the program ends if there are none.

    Args:
        folder: Where ``turnwise export --format parquet`` wrote them.
        names: Key of a tournament -> name of its folder.
        form: What such names look like, for the message.
    """
    found = {
        key: played_in(read_seats(folder / name))
        for key, name in names.items()
        if (folder / name / "seats.parquet").exists()
    }
    if not found:
        sys.exit(f"{folder}: expected folders {form} with seats.parquet and games.parquet.")
    return found


def counts(tally: Tally) -> str:
    """Games won, drawn and lost."""
    return f"{tally.wins}-{tally.draws}-{tally.losses}"


def print_pairs(
    title: str, played: Played, first: Sequence[str], printed: Mapping[str, Sequence[int]] | None = None
) -> None:
    """Every player against every other, won-drawn-lost, with totals.

    Args:
        title: Heading.
        played: The games.
        first: Players in the order of rows and columns; others follow.
        printed: Player -> games won, drawn and lost in all, as the publication prints them.
    """
    totals = played.totals()
    order = [name for name in first if name in totals] + [name for name in totals if name not in first]
    print(f"#### {title}\n\n{played.games} games; won-drawn-lost of the row.\n")
    print(f"| | {' | '.join(order)} | all | won % |{' paper |' if printed else ''}")
    print("|---" * (len(order) + 3 + bool(printed)) + "|")
    for row in order:
        cells = [counts(played.tallies[row, column]) if (row, column) in played.tallies else DASH for column in order]
        won = wilson_interval(totals[row].wins, totals[row].games)
        share = f"{100 * won.estimate:.1f} ({100 * won.low:.1f} to {100 * won.high:.1f})"
        paper = f" {'-'.join(map(str, printed[row]))} |" if printed else ""
        print(f"| **{row}** | {' | '.join(cells)} | {counts(totals[row])} | {share} |{paper}")
    print()


def score_words(tally: Tally) -> str:
    """The share of the points in per cent, with its interval."""
    score = wilson_interval(tally.points, tally.games)
    return f"{100 * score.estimate:.1f} ({100 * score.low:.1f} to {100 * score.high:.1f})"


def print_against(title: str, played: Played, one: str) -> None:
    """Everybody else's games against one player, the best score first."""
    print(f"#### {title}\n\n{played.games} games against `{one}`.\n")
    print("| | won-drawn-lost | score % (95 % interval) |\n|---|---|---|")
    met = {name: tally for (name, other), tally in played.tallies.items() if other == one}
    for name in sorted(met, key=lambda name: -met[name].score):
        print(f"| **{name}** | {counts(met[name])} | {score_words(met[name])} |")
    print()


def print_ratings(title: str, seats: Sequence[Mapping[str, Any]], seed: int) -> None:
    """Ratings from the rankings of games for more than two, with intervals from resampled groups of games.

    Args:
        title: Heading.
        seats: The rows of ``seats.parquet``.
        seed: Seed of the resampling.
    """
    groups: dict[int, dict[int, dict[str, int]]] = {}
    for seat in seats:
        games = groups.setdefault(seat["group"], {})
        games.setdefault(seat["number"], {})[seat["player"]] = seat["rank"]
    table = plackett_luce([list(games.values()) for games in groups.values()], resamples=1000, seed=seed)
    print(f"#### {title}: ratings from rankings\n\n| | rating (95 % interval) | games |\n|---|---|---|")
    for each in table.ratings:
        elo = each.elo
        print(f"| **{each.player}** | {elo.estimate:.0f} ({elo.low:.0f} to {elo.high:.0f}) | {each.games} |")
    print()


def print_verdicts(claims: Sequence[Claim]) -> None:
    """All verdicts."""
    print("| verdict | claim | reading | measured |\n|---|---|---|---|")
    for claim in claims:
        print(f"| {claim.verdict} | {claim.text} ({claim.source}) | {claim.reading} | {claim.reason} |")
