"""Registers the game whose mode is a file; tournaments of the tests import it in workers."""

from doubles.file_mode_game import FileToy
from turnwise.registry import GAMES

if FileToy.name not in GAMES.names():
    GAMES.add(FileToy.name, FileToy)
