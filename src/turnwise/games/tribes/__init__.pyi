from .game import Tribes as Tribes
