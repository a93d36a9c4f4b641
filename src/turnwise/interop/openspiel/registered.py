"""OpenSpiel's games and search under names of turnwise, ``openspiel`` and ``openspiel-mcts``, once this is imported.

``turnwise --import turnwise.interop.openspiel.registered match "openspiel:game=hex(board_size=5)" mcts openspiel-mcts``
"""

from turnwise.interop.openspiel import OpenSpielGame, OpenSpielMCTS
from turnwise.registry import GAMES, PLANNERS

GAMES.add(OpenSpielGame.name, OpenSpielGame)
PLANNERS.add(OpenSpielMCTS.name, OpenSpielMCTS)
