"""Budgets in messages."""

from __future__ import annotations

from typing import Any

from turnwise.core.budget import Budget
from turnwise.core.errors import brief
from turnwise.interop.engines.messages import MessageError

_FIELDS = ("seconds", "forward_calls", "evaluations", "iterations", "scope", "clock")


def budget_message(budget: Budget) -> dict[str, Any]:
    """The field ``budget`` of ``go``."""
    return {name: getattr(budget, name) for name in _FIELDS}


def budget_of(given: object) -> Budget:
    """The budget of such a field; limits may be left out.

    Raises:
        MessageError: It is no object.
        OptionError: It has no limit, or a wrong one.
    """
    if not isinstance(given, dict):
        raise MessageError(f"Expected a budget, an object with seconds, forward_calls, ...; got {brief(given)}.")
    return Budget(**{name: given[name] for name in _FIELDS if given.get(name) is not None})
