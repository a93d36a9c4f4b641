"""Hybrids of rolling horizon evolution and single-player tree search."""

from turnwise.planners.hybrids.ea_alt_actions import EAAltActions
from turnwise.planners.hybrids.planner import MCTSRHEA, RHEAMCTS

__all__ = ["MCTSRHEA", "RHEAMCTS", "EAAltActions"]
