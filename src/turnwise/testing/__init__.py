"""The public conformance kit: checks of any game and any planner, including user-defined ones.

>>> from turnwise.testing import check_game, check_planner, perft
>>> check_game(my_game)
>>> check_planner(my_planner, my_game)
"""

from turnwise.testing.checks.failures import ConformanceError, Failure
from turnwise.testing.checks.game import GAME_CHECKS, check_game, game_failures
from turnwise.testing.checks.planner import check_planner, planner_failures
from turnwise.testing.comparison.in_step import DifferentGamesError, GameDifference, game_difference, same_game
from turnwise.testing.perft import perft
from turnwise.testing.profiling.profile import profile_search

__all__ = [
    "GAME_CHECKS",
    "ConformanceError",
    "DifferentGamesError",
    "Failure",
    "GameDifference",
    "check_game",
    "check_planner",
    "game_difference",
    "game_failures",
    "perft",
    "planner_failures",
    "profile_search",
    "same_game",
]
