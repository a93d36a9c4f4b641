"""Solving single-player games."""
