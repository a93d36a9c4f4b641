"""The contract between games and planners; knows no particular game."""
