"""Planners, one file an algorithm."""
