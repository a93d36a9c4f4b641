"""Rolling horizon evolution: a population of action sequences that moves on with the game."""

from turnwise.planners.rhea.ea_roll import EARoll
from turnwise.planners.rhea.planner import RHEA

__all__ = ["RHEA", "EARoll"]
