"""Flat Monte Carlo."""

from turnwise.planners.flat_mc.planner import FlatMC

__all__ = ["FlatMC"]
