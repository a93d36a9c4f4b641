"""Positions of Search Race as pictures and as text."""
