"""What one viewer serves at most, so that no page and no mistake exhausts the machine."""

from __future__ import annotations

from turnwise.core.budget import Budget, parse_budget
from turnwise.core.errors import OptionError, counted

MOST_ROOMS = 200
MOST_STREAMS = 100
"""Pages that follow a game at the same time."""

MOST_WAITING = 16
"""Searches that wait for a free core."""

LARGEST_BODY = 8_000_000
"""Bytes of a request: a long replay has some megabytes."""

LONGEST_SECONDS = 300.0
LARGEST_COUNT = 20_000_000
MOST_STEPS = 20_000


def checked_budget(text: str) -> Budget:
    """A budget that a page asks for.

    Raises:
        OptionError: It is no budget, has no limit, or is too large for a server.
    """
    budget = parse_budget(text)
    if budget.seconds is not None and budget.seconds > LONGEST_SECONDS:
        raise OptionError(f"A budget here has at most {LONGEST_SECONDS:g} seconds; got {text}.")
    counts = [budget.iterations, budget.evaluations, budget.forward_calls]
    if any(count is not None and count > LARGEST_COUNT for count in counts):
        raise OptionError(f"A budget here has at most {counted(LARGEST_COUNT, 'step', ',')}; got {text}.")
    return budget
