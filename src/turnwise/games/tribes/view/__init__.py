"""Positions of Tribes as pictures and as text."""
