"""Greedy turn: depth-first enumeration of one turn with a table of visited states."""

from turnwise.planners.greedy_turn.planner import GreedyTurn

__all__ = ["GreedyTurn"]
