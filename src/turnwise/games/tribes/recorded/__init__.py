"""Recorded play of the original game."""
