"""Greedy searches for an assignment of scripts to actors: PGS, NGS and SSS."""

from turnwise.planners.portfolio_greedy.planner import NGS, PGS, SSS

__all__ = ["NGS", "PGS", "SSS"]
