"""Matches, tournaments, their store, their statistics, their workers.

Names are imported when they are first used, so that ``import turnwise.arena`` is quick.
"""

from __future__ import annotations

from typing import Any

_HOMES = {
    "Ending": "arena.records",
    "GameRecord": "arena.records",
    "SeatRecord": "arena.records",
    "TurnCost": "arena.records",
    "MatchRules": "arena.match",
    "play_game": "arena.match",
    "solve": "arena.solving.solver",
    "Solver": "arena.solving.solver",
    "Solution": "arena.solving.solution",
    "play_contest": "arena.contest.loop",
    "TournamentSpec": "arena.tournament.specification",
    "make_spec": "arena.tournament.specification",
    "read_spec": "arena.tournament.specification",
    "Schedule": "arena.tournament.schedule",
    "make_schedule": "arena.tournament.schedule",
    "Progress": "arena.tournament.run",
    "RunSummary": "arena.tournament.run",
    "run_tournament": "arena.tournament.run",
    "Results": "arena.results.reading",
    "open_results": "arena.results.reading",
    "DamagedGamesError": "arena.results.damage",
    "ResultsBusyError": "arena.results.writing",
    "ResultsMismatchError": "arena.results.writing",
    "Standings": "arena.tournament.standings",
    "PlayerSummary": "arena.tournament.standings",
    "PairResult": "arena.tournament.standings",
    "standings_of": "arena.tournament.standings",
    "export_csv": "arena.results.export",
    "export_parquet": "arena.results.export",
    "Tally": "statistics.intervals",
    "Interval": "statistics.intervals",
    "wilson_interval": "statistics.intervals",
    "score_interval": "statistics.intervals",
    "bradley_terry": "statistics.ratings",
    "Sprt": "statistics.sprt",
}
__all__ = list(_HOMES)


def __getattr__(name: str) -> Any:
    """Import a public name from its module."""
    if name in _HOMES:
        import importlib

        return getattr(importlib.import_module(f"turnwise.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'turnwise.arena' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
