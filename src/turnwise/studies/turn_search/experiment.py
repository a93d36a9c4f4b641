"""The tournaments of the study: those that were published, with turn-maximin added, and its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import combinations
from pathlib import Path

from turnwise.arena.tournament.specification import TournamentSpec, make_spec
from turnwise.studies.parts import PartRun
from turnwise.studies.turn_search import STUDY
from turnwise.studies.turn_search.effort import TurnEffort
from turnwise.studies.turn_search.players import MAXIMIN, PAPER_GAME, PUBLISHED, as_read

SEED = 2018
PARTS = tuple(part for part in STUDY.parts if part != "regret")
"""The parts that are tournaments."""
READINGS = STUDY.readings["both"]

Key = tuple[str, str, str]
"""Reading, part, case: the middle of the name of a results file; the case may be empty."""


def _spec(
    key: Key, games: str, players: Mapping[str, str], budgets: Mapping[str, str], count: int, **more: object
) -> TournamentSpec:
    reading, part, case = key
    return make_spec(
        name=f"turn-search {part}{f', {case}' if case else ''}, {reading}",
        games=(games,),
        players=players,
        budget=next(iter(budgets.values())),
        budgets=budgets,
        games_per_pair=count,
        seed=SEED,
        replays=1,
        notes="none",
        **more,
    )


def table_2(key: Key, effort: TurnEffort) -> TournamentSpec:
    """Table II without random play, with turn-maximin."""
    names = (*PUBLISHED, MAXIMIN)
    players = {name: as_read(name, key[0]) for name in names}
    budgets = {name: effort.work(name) for name in names}
    return _spec(
        key, PAPER_GAME, players, budgets, effort.number(1), pairing="tables", tables=tuple(combinations(names, 2))
    )


_MAKERS: Mapping[str, Callable[[Key, TurnEffort], TournamentSpec]] = {"table-2": table_2}
_EVERY_READING = ("table-2", "action-points")
"""Parts whose players a publication describes; the others have the sound reading only."""


def _cases(part: str, effort: TurnEffort) -> tuple[str, ...]:
    """The cases of a part."""
    return ("",)


def keys(
    effort: TurnEffort, readings: tuple[str, ...] = READINGS, parts: tuple[str, ...] = tuple(_MAKERS)
) -> list[Key]:
    """All tournaments of some readings and parts, in the order of play."""
    return [
        (reading, part, case)
        for part in parts
        if part in _MAKERS
        for reading in readings
        if reading == "sound" or part in _EVERY_READING
        for case in _cases(part, effort)
    ]


def name_of(key: Key) -> str:
    """Name of a tournament's results, without ending."""
    reading, part, case = key
    return "-".join(filter(None, (part, case, reading)))


def part_run(key: Key, effort: TurnEffort, folder: Path) -> PartRun:
    """One tournament with its results file."""
    reading, part, case = key
    title = f"{part}{f' ({case})' if case else ''}, {reading} reading"
    return PartRun(title, folder / f"{name_of(key)}.sqlite", _MAKERS[part](key, effort))
