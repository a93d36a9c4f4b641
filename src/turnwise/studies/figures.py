"""Values of a study's figures: shares in percent, and printed numbers."""

from __future__ import annotations

from turnwise.statistics.intervals import Interval


def percent(share: Interval) -> Interval:
    """A share in percent."""
    return Interval(100 * share.estimate, 100 * share.low, 100 * share.high, share.confidence, share.method)


def exactly(value: float) -> Interval:
    """A printed number, whose spread is not known."""
    return Interval(value, value, value, 0.95, "published")
