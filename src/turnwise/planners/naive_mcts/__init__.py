"""Planners that sample whole turns, one choice or several for each actor: naive MCTS and LSI."""

from turnwise.planners.naive_mcts.planner import LSI, NaiveMCTS

__all__ = ["LSI", "NaiveMCTS"]
