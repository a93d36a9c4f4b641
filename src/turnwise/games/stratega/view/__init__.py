"""Positions of the strategy engine as pictures and as text."""
