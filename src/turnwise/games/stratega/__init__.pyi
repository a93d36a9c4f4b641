from .game import Stratega as Stratega
