"""The part "factors": turn-maximin in every cell of Hero Academy, judged by sequential tests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from turnwise.arena.records import GameRecord
from turnwise.registry import make
from turnwise.report.model import Claim, Comparison, Series
from turnwise.statistics.intervals import Interval, Tally, wilson_interval
from turnwise.statistics.sprt import Sprt, pentanomial_counts
from turnwise.statistics.tests import holm
from turnwise.statistics.verdict import Direction, judge_rate
from turnwise.studies.figures import percent
from turnwise.studies.turn_search.cells import CELLS, RIVALS, Cell
from turnwise.studies.turn_search.claims import claim
from turnwise.studies.turn_search.effort import TurnEffort
from turnwise.studies.turn_search.experiment import PART_OF_CELLS, Key, part_run, scenario_of
from turnwise.studies.turn_search.players import MAXIMIN

Meeting = tuple[Cell, str]
"""A cell and the rival there."""


@dataclass(frozen=True)
class Met:
    """The games against one rival in one cell.

    Attributes:
        tally: The games of turn-maximin.
        p_value: Of the sequential test, whenever its games ended.
    """

    tally: Tally
    p_value: float


class CellGame(NamedTuple):
    """A finished game of a cell.

    Attributes:
        scenario: Specification of its game.
        group: The two games of one start have the same number.
        scores: Player -> score.
    """

    scenario: str
    group: int
    scores: Mapping[str, float]


def games_of(records: Iterable[GameRecord]) -> list[CellGame]:
    """The games of records that count."""
    return [
        CellGame(record.scenario, record.group, {seat.player: seat.score for seat in record.seats})
        for record in records
        if record.is_counted
    ]


def meetings(games: Iterable[CellGame], test: Sprt) -> dict[Meeting, Met]:
    """What the games of a tournament show, in the order of cells and rivals.

    Args:
        games: Its games.
        test: The test that ended them.
    """
    cell_of = {make(scenario_of(cell)).spec: cell for cell in CELLS}
    points: dict[Meeting, dict[int, list[float]]] = {}
    for game in games:
        if MAXIMIN in game.scores:
            (rival,) = game.scores.keys() - {MAXIMIN}
            groups = points.setdefault((cell_of[game.scenario], rival), {})
            groups.setdefault(game.group, []).append(game.scores[MAXIMIN])
    found = {}
    for meeting in ((cell, rival) for cell in CELLS for rival in RIVALS):
        if meeting in points:
            groups = points[meeting]
            pairs = [pair for pair in groups.values() if len(pair) == 2]
            tally = Tally.of([each for pair in groups.values() for each in pair])
            found[meeting] = Met(tally, test.judge(pentanomial_counts(pairs)).p_value)
    return found


def factor_claims(found: Mapping[str, Mapping[Meeting, Met]], effort: TurnEffort) -> list[Claim]:
    """In every cell the score is above one half, corrected over all cells.

    Args:
        found: Kind of limit -> what its games show.
        effort: The effort.
    """
    claims = []
    for way, met in found.items():
        corrected = holm([each.p_value for each in met.values()])
        for ((cell, rival), each), p in zip(met.items(), corrected, strict=True):
            judged = judge_rate(each.tally, None, direction=Direction.ABOVE, p_value=p)
            claims.append(claim(f"{way}, {cell.text}: {MAXIMIN} beats {rival}", judged, "sound", effort))
    return claims


def factor_figures(found: Mapping[str, Mapping[Meeting, Met]]) -> list[Comparison]:
    """A figure for each kind of limit: the scores in all cells."""
    figures = []
    for way, met in found.items():
        cells = list(dict.fromkeys(cell for cell, _ in met))
        series = [Series(rival, tuple(_score(met.get((cell, rival))) for cell in cells)) for rival in RIVALS]
        figures.append(
            Comparison(
                title=f"{MAXIMIN} against each, one factor of Hero Academy at a time and combinations ({way})",
                note="Games end when a sequential test decides, so scores are biased away from one half.",
                unit="score in %",
                cases=tuple(cell.text for cell in cells),
                series=tuple(series),
                baseline=50.0,
                decimals=1,
            )
        )
    return figures


def _score(met: Met | None) -> Interval | None:
    return None if met is None else percent(wilson_interval(met.tally.points, met.tally.games))


def met_in(played: Mapping[Key, Sequence[CellGame]], effort: TurnEffort) -> dict[str, dict[Meeting, Met]]:
    """Kind of limit -> what the games of the part show.

    Args:
        played: (reading, part, case) -> finished games of any part.
        effort: The effort.
    """
    found = {}
    for key, games in played.items():
        sprt = part_run(key, effort, Path()).spec.sprt
        if key[1] == PART_OF_CELLS and games and sprt is not None:
            found[key[2]] = meetings(games, sprt.test())
    return found
