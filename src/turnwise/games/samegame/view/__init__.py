"""Positions of SameGame as pictures and as text."""
