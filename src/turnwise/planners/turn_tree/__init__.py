"""Turn-based evolutionary tree search: trees over the turns of all sides, with turns bred from their siblings."""

from turnwise.planners.turn_tree.planner import TBETS

__all__ = ["TBETS"]
