"""Doors to OpenSpiel, in both directions; the extra ``open-spiel`` installs it.

Its games for turnwise's planners (:class:`OpenSpielGame`).
"""

from __future__ import annotations

from turnwise.core.extras import need

need("open-spiel", "turnwise.interop.openspiel")

from turnwise.interop.openspiel.exported_game import TurnwiseGame  # noqa: E402
from turnwise.interop.openspiel.foreign_game import OpenSpielGame  # noqa: E402
from turnwise.interop.openspiel.registering import as_openspiel, register_game  # noqa: E402

__all__ = ["OpenSpielGame", "TurnwiseGame", "as_openspiel", "register_game"]
