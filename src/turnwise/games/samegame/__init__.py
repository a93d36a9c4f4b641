"""SameGame, the test bed of single-player tree search and of *Combining Evolutionary Algorithms with MCTS*."""

from __future__ import annotations

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Any

    from turnwise.games.samegame.game import SameGame as SameGame

__all__ = ["SameGame"]


def __getattr__(name: str) -> Any:
    """Import the class when it is first asked for: settings and first answers load without numba and NumPy."""
    if name == "SameGame":
        from turnwise.games.samegame.game import SameGame

        return SameGame
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
