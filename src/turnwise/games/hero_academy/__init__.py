"""Hero Academy (Council against Council), the test bed of *Online Evolution for Multi-Action Adversarial Games*."""

from __future__ import annotations

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Any

    from turnwise.games.hero_academy.game import HeroAcademy as HeroAcademy

__all__ = ["HeroAcademy"]


def __getattr__(name: str) -> Any:
    """Import the class when it is first asked for: settings and first answers load without numba and NumPy."""
    if name == "HeroAcademy":
        from turnwise.games.hero_academy.game import HeroAcademy

        return HeroAcademy
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
