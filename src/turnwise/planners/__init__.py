"""Planners, one family a folder."""
