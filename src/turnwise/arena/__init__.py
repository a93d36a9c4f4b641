"""Matches, tournaments, their store, their statistics, their workers."""
