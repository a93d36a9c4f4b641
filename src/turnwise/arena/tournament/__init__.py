"""Tournaments: their specification, schedule, workers and standings."""
