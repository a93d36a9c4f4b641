"""Positions of Hero Academy as pictures and as text."""
