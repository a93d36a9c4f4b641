"""Intervals, tests, ratings, sequential tests and verdicts; imports nothing of turnwise."""
