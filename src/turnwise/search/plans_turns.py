"""The least that a planner is: an object with ``plan``."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

from turnwise.core import arguments
from turnwise.core.budget import Budget, as_budget
from turnwise.core.errors import OptionError, shown
from turnwise.core.state import State, as_state
from turnwise.core.user_classes import refuse_wrong_signature
from turnwise.search.plan import Plan


@runtime_checkable
class PlansTurns(Protocol):
    """All that a planner needs: ``plan``. Everything else has a default."""

    def plan(self, state: State, budget: Budget, seed: int = 0) -> Plan | Sequence[str | int]:
        """Plan the rest of the turn that is in progress in ``state``."""
        ...


def as_planner(value: Any) -> PlansTurns:
    """A planner, checked: any object with ``plan``.

    Raises:
        OptionError: The value has no such method.
    """
    if isinstance(value, type) or not callable(getattr(value, "plan", None)):
        made = f" Make an object of the class: {value.__name__}()." if isinstance(value, type) else ""
        raise OptionError(
            f"A planner must be an object with a method plan(state, budget, seed); got {shown(value)}.{made}"
        )
    found: PlansTurns = value
    return found


def refuse_wrong_plan(kind: type[Any]) -> None:
    """Refuse a class of planners whose ``plan`` cannot be called with state, budget and seed.

    Raises:
        OptionError: It takes other arguments.
    """
    if inspect.isfunction(inspect.getattr_static(kind, "plan", None)):
        refuse_wrong_signature(kind, kind.plan, PlansTurns.plan)


def checked_decision(state: object, budget: object, seed: object) -> tuple[Budget, int]:
    """Check the arguments of one decision; returns the budget and the seed.

    Raises:
        OptionError: Not a state, budget or seed.
    """
    as_state(state)
    return as_budget(budget), arguments.seed(seed)
