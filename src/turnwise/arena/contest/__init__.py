"""Answering the referee of a contest within its time limits."""
