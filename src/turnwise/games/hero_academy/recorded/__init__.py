"""Readers of recorded play of Hero Academy."""
