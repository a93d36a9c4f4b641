"""Evolutions of scripts: PRHEA, MO-PRHEA, S-PRHEA and POE."""

from turnwise.planners.portfolio_evolution.planner import MOPRHEA, POE, PRHEA, SPRHEA

__all__ = ["MOPRHEA", "POE", "PRHEA", "SPRHEA"]
