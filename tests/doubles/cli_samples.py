"""Samples for several tests of the command line."""

TINY = "hero-academy:map=a-tiny,deck=tiny,turn-limit=6"
