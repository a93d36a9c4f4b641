"""What a search in plain Python has cost, and whether it may go on."""

from __future__ import annotations

from random import Random

from turnwise.core import arguments
from turnwise.core.budget import Budget, as_budget
from turnwise.core.rollouts import rollout_value
from turnwise.core.state import State, as_state
from turnwise.plain_python.watch import refuse_endless
from turnwise.search.inspection.views import SearchPopulation, SearchTree
from turnwise.search.plan import SearchReport
from turnwise.search.watching import Progress


class Meter:
    """Counts the cost of a search, and says when the budget is used up.

    Attributes:
        value: The search's value of its best line, for the plan; set by the search.
        details: The planner's own figures for the report; filled by the search.
        is_inspected: Whether somebody wants to see what the search leaves (``inspect=True``).
        left: What it leaves: trees and populations for ``Plan.search``; filled by the search where ``is_inspected``.
    """

    def __init__(self, budget: Budget | str, random: Random, *, is_inspected: bool = False) -> None:
        """Start the clock.

        Args:
            budget: Limits of the search.
            random: Source of chance for the actions played through this meter; owned by the caller.
            is_inspected: Whether somebody wants to see what the search leaves.

        Raises:
            OptionError: The budget or the source of chance has another type.
        """
        self.is_inspected = arguments.flag(is_inspected, "is_inspected")
        self.left: list[SearchTree | SearchPopulation] = []
        self._budget = as_budget(budget)
        arguments.instance(random, Random, "The source of chance", "a random.Random")
        self.value: float | None = None
        self.details: dict[str, float] = {}
        self._random = random
        self._start = self._budget.now
        self._forward = self._evaluations = self._iterations = 0
        self._is_interrupted = False

    def play(self, state: State, action: str | int) -> State:
        """The state after an action, with chance outcomes of the search itself; counts one forward call.

        Raises:
            IllegalActionError: The action is not legal in the state.
            OptionError: The value is not a State.
            EndlessSearchError: See :func:`.watched`.
        """
        as_state(state)
        refuse_endless()
        self._forward += 1
        if state.game.is_stochastic:
            state = state.with_chance(self._random.getrandbits(64))
        return state.play(action)

    def evaluate(self, state: State, player: int, evaluation: str = "") -> float:
        """Value of a state for a player; counts one evaluation, and the actions of "rollouts" as forward calls.

        Raises:
            UnknownNameError: No evaluation of that name.
            OptionError: The value is not a State, or there is no such player.
            EndlessSearchError: See :func:`.watched`.
        """
        game = as_state(state).game
        refuse_endless()
        self._evaluations += 1
        if game.evaluation(evaluation)[1].function != 0:
            return state.evaluate(player, evaluation)
        player = game.checked_player(player)
        return rollout_value(game, state.row, player, self._random.getrandbits(64), self._may_play)

    def _may_play(self) -> bool:
        """Count a forward call of a rollout, unless none is left; the evaluation that it belongs to is counted."""
        if self._stopped_by(of_rollout=True):
            return False
        self._forward += 1
        return True

    def count_iteration(self) -> None:
        """Count one iteration of the planner's main loop.

        Raises:
            EndlessSearchError: See :func:`.watched`.
        """
        refuse_endless()
        self._iterations += 1

    @property
    def stopped_by(self) -> str:
        """Why the search must end: "interrupt" (Ctrl-C), "budget", "time"; empty while it may go on.

        Raises:
            EndlessSearchError: See :func:`.watched`.
        """
        return self._stopped_by(of_rollout=False)

    def _stopped_by(self, *, of_rollout: bool) -> str:
        """Why the search, or a rollout for an evaluation that is already counted, must end."""
        refuse_endless()
        if self._is_interrupted:
            return "interrupt"
        limit = self._budget
        spent = [(self._forward, limit.forward_calls)]
        if not of_rollout:
            spent += [(self._evaluations, limit.evaluations), (self._iterations, limit.iterations)]
        if any(most is not None and count >= most for count, most in spent):
            return "budget"
        if limit.seconds is not None and limit.now - self._start >= limit.seconds:
            return "time"
        return ""

    @property
    def exhausted(self) -> bool:
        """Whether the search must end now; check it before every step with a cost."""
        return bool(self.stopped_by)

    def interrupt(self) -> None:
        """Ask the search to end as soon as it can, with the best that it has."""
        self._is_interrupted = True

    @property
    def progress(self) -> Progress:
        """How far the search is."""
        best = float(self.value) if isinstance(self.value, int | float) else float("-inf")
        return Progress(self._budget.now - self._start, self._forward, self._evaluations, self._iterations, best)

    def report(self) -> SearchReport:
        """The cost so far."""
        seconds = self._budget.now - self._start
        counts = (self._forward, self._evaluations, self._iterations)
        return SearchReport(seconds, *counts, self.stopped_by or "done", dict(self.details))
