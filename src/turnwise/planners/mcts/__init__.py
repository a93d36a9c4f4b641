"""Monte Carlo tree search over single actions, and its variants."""

from turnwise.planners.mcts.planner import MCTS, BridgeBurningMCTS, NonExploringMCTS, UnitOrderedMCTS

__all__ = ["MCTS", "BridgeBurningMCTS", "NonExploringMCTS", "UnitOrderedMCTS"]
