"""Monte Carlo tree search over single actions, and its two variants."""

from turnwise.planners.mcts.planner import MCTS, BridgeBurningMCTS, NonExploringMCTS

__all__ = ["MCTS", "BridgeBurningMCTS", "NonExploringMCTS"]
