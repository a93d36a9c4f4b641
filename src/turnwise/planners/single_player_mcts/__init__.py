"""Single-player Monte Carlo tree search."""

from turnwise.planners.single_player_mcts.planner import SPMCTS

__all__ = ["SPMCTS"]
