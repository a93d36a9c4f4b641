"""Games in other programs under a name of turnwise, ``process-game``, once this is imported.

``turnwise --import turnwise.interop.engines.registered match process-game:./breakthrough mcts random``

Whoever imports it lets files that name such a game, such as replays and results, start the program that they name.
"""

from turnwise.interop.engines.game import ProcessGame
from turnwise.registry import GAMES

GAMES.add(ProcessGame.name, ProcessGame)
