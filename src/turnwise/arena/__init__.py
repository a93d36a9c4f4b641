"""Matches, tournaments, their store, their statistics, their workers.

Names are imported when they are first used, so that ``import turnwise.arena`` is quick.
"""

from __future__ import annotations

from typing import Any

_HOMES = {
    "Ending": "records",
    "GameRecord": "records",
    "SeatRecord": "records",
    "TurnCost": "records",
    "MatchRules": "match",
    "play_game": "match",
    "solve": "solver",
    "Solver": "solver",
    "Solution": "solution",
    "play_contest": "contest",
    "TournamentSpec": "tournament",
    "make_spec": "tournament",
    "read_spec": "tournament",
    "Schedule": "schedule",
    "make_schedule": "schedule",
    "Progress": "run",
    "RunSummary": "run",
    "run_tournament": "run",
    "Results": "results",
    "open_results": "results",
    "ResultsBusyError": "store",
    "ResultsMismatchError": "store",
    "Standings": "standings",
    "PlayerSummary": "standings",
    "PairResult": "standings",
    "standings_of": "standings",
    "export_csv": "export",
    "export_parquet": "export",
    "Tally": "statistics",
    "Interval": "statistics",
    "wilson_interval": "statistics",
    "score_interval": "statistics",
    "bradley_terry": "ratings",
    "Sprt": "sprt",
}
__all__ = list(_HOMES)


def __getattr__(name: str) -> Any:
    """Import a public name from its module."""
    if name in _HOMES:
        import importlib

        return getattr(importlib.import_module(f"turnwise.arena.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'turnwise.arena' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
