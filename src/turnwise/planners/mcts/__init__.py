"""Monte Carlo tree search over single actions, and its variants."""

from turnwise.planners.mcts.planner import MCTS, BridgeBurningMCTS, NonExploringMCTS, UnitOrderedMCTS
from turnwise.planners.mcts.portfolio_mcts import PortfolioMCTS

__all__ = ["MCTS", "BridgeBurningMCTS", "NonExploringMCTS", "PortfolioMCTS", "UnitOrderedMCTS"]
