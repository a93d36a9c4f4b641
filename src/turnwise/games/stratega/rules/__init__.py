"""The rules of the strategy engine."""
