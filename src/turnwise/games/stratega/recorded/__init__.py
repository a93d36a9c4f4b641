"""Recorded play of the original engine."""
