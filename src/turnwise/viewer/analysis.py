"""What would this planner do here: searches that people ask for, apart from the game."""

from __future__ import annotations

import secrets
import threading
from typing import Any

from turnwise.core.errors import TurnwiseError, UnknownNameError
from turnwise.core.finite import finite
from turnwise.core.state import State
from turnwise.search.inspection.live import LiveSearch
from turnwise.search.plan import Plan
from turnwise.search.planner import Planner
from turnwise.viewer.limits import checked_budget
from turnwise.viewer.thinking import Thinkers
from turnwise.viewer.viewed_game import snapshot_facts

_MOST_KEPT = 100


class Analysis:
    """One search and its answer.

    Attributes:
        live: Shows and interrupts the search.
    """

    def __init__(self, state: State, mind: Planner[Any], budget: str, seed: int) -> None:
        """Check what is asked for; nothing is searched yet.

        Args:
            state: What the player to move knows.
            mind: The planner.
            budget: Its limits.
            seed: Seed of the decision.

        Raises:
            OptionError: The budget is invalid.
        """
        self._state, self._mind, self._seed = state, mind, seed
        self._budget = checked_budget(budget)
        self.live = LiveSearch()
        self._plan: Plan | None = None
        self._trouble = ""
        self._is_stopped = False

    def run(self) -> None:
        """Search, unless it was stopped while it waited for a thread; never raises."""
        if self._is_stopped:
            self._trouble = "This search was stopped before it began."
            return
        try:
            self._plan = self._mind.plan(self._state, self._budget, self._seed)
        except (Exception, SystemExit) as error:  # planners and games of users can fail in any way
            self._trouble = str(error) if isinstance(error, TurnwiseError) else f"{type(error).__name__}: {error}"

    def stop(self) -> None:
        """Ask the search to end soon; what it has found counts."""
        self._is_stopped = True
        self.live.interrupt(or_next=True)

    def facts(self) -> dict[str, Any]:
        """What it has found so far."""
        plan = self._plan
        return {
            "planner": self._mind.spec,
            "has_ended": plan is not None or bool(self._trouble),
            "trouble": self._trouble,
            "live": snapshot_facts(self.live),
            "plan": None if plan is None else list(plan.actions),
            "value": None if plan is None else finite(plan.value),
            "alternatives": []
            if plan is None
            else [{"actions": list(other.actions), "value": finite(other.value)} for other in plan.alternatives[:8]],
        }


class Analyses:
    """The latest analyses by name."""

    def __init__(self, thinkers: Thinkers) -> None:
        """Keep none yet.

        Args:
            thinkers: Threads for searches.
        """
        self._thinkers = thinkers
        self._kept: dict[str, Analysis] = {}
        self._lock = threading.Lock()

    def begin(self, analysis: Analysis) -> str:
        """Search in a thread of the server; returns the analysis' name.

        Raises:
            TurnwiseError: Too many other searches wait.
        """
        self._thinkers.submit(analysis.run, analysis.live, is_limited=True)
        name = secrets.token_urlsafe(12)
        with self._lock:
            self._kept[name] = analysis
            while len(self._kept) > _MOST_KEPT:
                self._kept.pop(next(iter(self._kept)))
        return name

    def get(self, name: str) -> Analysis:
        """An analysis.

        Raises:
            UnknownNameError: There is none of that name any more.
        """
        with self._lock:
            found = self._kept.get(name)
        if found is None:
            raise UnknownNameError("This analysis is not there any more; ask again.")
        return found
