"""OpenSpiel's games and search under names of turnwise, ``openspiel`` and ``openspiel-mcts``, once this is imported.

``turnwise --import turnwise.interop.openspiel.registered match --game "openspiel:game=hex(board_size=5)" ...``
"""

from turnwise.interop.openspiel import OpenSpielGame, OpenSpielMCTS
from turnwise.registry import GAMES, PLANNERS

GAMES.add(OpenSpielGame.name, OpenSpielGame)
PLANNERS.add(OpenSpielMCTS.name, OpenSpielMCTS)
