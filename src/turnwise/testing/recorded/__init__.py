"""Verification against recorded play."""
