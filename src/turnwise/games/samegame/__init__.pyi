from .game import SameGame as SameGame
