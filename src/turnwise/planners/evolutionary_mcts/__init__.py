"""Evolutionary MCTS: trees whose nodes are whole turns."""

from turnwise.planners.evolutionary_mcts.planner import EMCTS, FlexibleHorizonEMCTS

__all__ = ["EMCTS", "FlexibleHorizonEMCTS"]
