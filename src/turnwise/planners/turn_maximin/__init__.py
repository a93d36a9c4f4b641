"""Maximin over whole turns, with a pool of refutations."""

from turnwise.planners.turn_maximin.planner import TurnMaximin

__all__ = ["TurnMaximin"]
