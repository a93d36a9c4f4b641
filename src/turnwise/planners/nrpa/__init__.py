"""Nested rollout policy adaptation."""

from turnwise.planners.nrpa.planner import NRPA

__all__ = ["NRPA"]
