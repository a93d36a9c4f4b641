"""Readers of recorded play of Search Race."""
