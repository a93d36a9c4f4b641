"""Numbers that JSON can have: planners and games of users may return infinite ones."""

from __future__ import annotations

import math


def finite(value: float | None) -> float | None:
    """A number as a float; None: there is none, or it is infinite or not a number."""
    return None if value is None or not math.isfinite(value) else float(value)
