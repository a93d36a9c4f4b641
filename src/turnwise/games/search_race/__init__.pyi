from .game import SearchRace as SearchRace
