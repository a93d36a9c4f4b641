"""Search Race, the CodinGame puzzle on which evolution and tree search are compared for one player."""

from __future__ import annotations

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Any

    from turnwise.games.search_race.game import SearchRace as SearchRace

__all__ = ["SearchRace"]


def __getattr__(name: str) -> Any:
    """Import the class when it is first asked for: settings and first answers load without numba and NumPy."""
    if name == "SearchRace":
        from turnwise.games.search_race.game import SearchRace

        return SearchRace
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
