"""Nested Monte Carlo search."""

from turnwise.planners.nmcs.planner import NMCS

__all__ = ["NMCS"]
