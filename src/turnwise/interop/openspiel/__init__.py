"""Doors to OpenSpiel, in both directions; the extra ``open-spiel`` installs it.

Turnwise's games in OpenSpiel: :func:`as_openspiel`, or ``pyspiel.load_game("turnwise_samegame")`` once this package is
imported. OpenSpiel's games in turnwise: :class:`OpenSpielGame`. Planners as bots: :class:`PlannerBot`. Bots as
planners: :class:`BotPlanner`, and :class:`OpenSpielMCTS` with turnwise's budgets. The module ``registered`` adds
OpenSpiel's games and its search to turnwise's names, for the command line.
"""

from __future__ import annotations

from turnwise.core.extras import need

need("open-spiel", "turnwise.interop.openspiel")

from turnwise.interop.openspiel.bot_planner import BotPlanner  # noqa: E402
from turnwise.interop.openspiel.exported_game import TurnwiseGame  # noqa: E402
from turnwise.interop.openspiel.foreign_game import OpenSpielGame  # noqa: E402
from turnwise.interop.openspiel.mcts_planner import OpenSpielMCTS  # noqa: E402
from turnwise.interop.openspiel.planner_bot import PlannerBot  # noqa: E402
from turnwise.interop.openspiel.registering import as_openspiel, register_game  # noqa: E402

__all__ = [
    "BotPlanner",
    "OpenSpielGame",
    "OpenSpielMCTS",
    "PlannerBot",
    "TurnwiseGame",
    "as_openspiel",
    "register_game",
]
