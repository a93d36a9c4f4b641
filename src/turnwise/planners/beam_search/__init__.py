"""Beam search."""

from turnwise.planners.beam_search.planner import BeamSearch

__all__ = ["BeamSearch"]
