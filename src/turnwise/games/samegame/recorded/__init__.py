"""Readers of recorded play of SameGame."""
