"""The public conformance kit: checks of any game and any planner, ours and the user's own.

>>> from turnwise.testing import check_game, check_planner, perft
>>> check_game(my_game)
>>> check_planner(my_planner, my_game)
"""

from turnwise.testing.failures import ConformanceError, Failure
from turnwise.testing.game_check import GAME_CHECKS, check_game, game_failures
from turnwise.testing.perft import perft
from turnwise.testing.planner_check import check_planner, planner_failures

__all__ = [
    "GAME_CHECKS",
    "ConformanceError",
    "Failure",
    "check_game",
    "check_planner",
    "game_failures",
    "perft",
    "planner_failures",
]
