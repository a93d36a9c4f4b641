"""A plan, what its search cost, and the other turns that the search rated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from turnwise.core import arguments
from turnwise.core.errors import IllegalActionError, OptionError
from turnwise.core.state import State, as_state

if TYPE_CHECKING:
    from turnwise.search.inspection.views import SearchView


@dataclass(frozen=True, slots=True)
class SearchReport:
    """What one decision cost and why it ended, always with all four budget counters.

    Attributes:
        seconds: Wall time.
        forward_calls: Calls of ``apply`` that count towards the budget.
        evaluations: Calls of an evaluation.
        iterations: Turns of the planner's main loop.
        stopped_by: "budget", "time", "interrupt", "memory" or "done" (nothing left to search, or the
            next step, such as a generation, would not have fitted).
        details: The planner's own figures (unique outcomes, depth, generations, ...); the mean over several searches.
        searches: How many searches this stands for: 1 for a budget per turn, one per action for a budget per action.
        forward_calls_for_others: Calls of ``apply`` for other seats; part of ``forward_calls`` unless the planner's
            ``count`` is "own".
    """

    seconds: float = 0.0
    forward_calls: int = 0
    evaluations: int = 0
    iterations: int = 0
    stopped_by: str = "done"
    details: Mapping[str, float] = field(default_factory=dict)
    searches: int = 1
    forward_calls_for_others: int = 0

    @classmethod
    def nothing(cls) -> SearchReport:
        """The report before the first search: nothing is spent."""
        return cls(searches=0)

    def __add__(self, other: SearchReport) -> SearchReport:
        """Both together: counters added up, details averaged over the searches."""
        if not isinstance(other, SearchReport):
            return NotImplemented
        details = dict(self.details)
        total = self.searches + other.searches
        for key, value in other.details.items():
            before = details.get(key)
            details[key] = value if before is None else (before * self.searches + value * other.searches) / total
        return SearchReport(
            self.seconds + other.seconds,
            self.forward_calls + other.forward_calls,
            self.evaluations + other.evaluations,
            self.iterations + other.iterations,
            other.stopped_by,
            details,
            total,
            self.forward_calls_for_others + other.forward_calls_for_others,
        )


@dataclass(frozen=True, slots=True)
class Alternative:
    """Another turn that the search rated.

    Attributes:
        actions: The turn as text, from the planned state on.
        value: Its value for the mover, on the planner's own scale.
    """

    actions: tuple[str, ...]
    value: float


@dataclass(frozen=True, slots=True)
class Plan:
    """The rest of a turn, or its beginning.

    Attributes:
        codes: Action codes in order, legal from the planned state on.
        actions: The same as text.
        value: Value for the mover on the planner's own scale; None where the planner has none.
        alternatives: Other good turns, those first that the planner would rather play, mostly in the order of their
            values; each differs from the plan and from the others.
        report: What the search cost.
        continuation: Action codes that the planner expects to be played after this turn, where it looks that far; in
            a single-player game without chance they can be played as they stand.
        search: What the searches have left, their trees or populations, if that was asked for (``inspect=True``); None:
            it was not, or the planner keeps neither.
        is_complete: Whether the actions end the turn. A turn that outgrows the game's ``max_turn`` is planned in parts:
            after the last action of such a plan the player plans again.
    """

    codes: tuple[int, ...]
    actions: tuple[str, ...]
    value: float | None = None
    alternatives: tuple[Alternative, ...] = ()
    report: SearchReport = field(default_factory=SearchReport)
    continuation: tuple[int, ...] = ()
    is_complete: bool = True
    search: SearchView | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        """Check the codes.

        Raises:
            IllegalActionError: Codes that are not 64-bit integers.
        """
        object.__setattr__(self, "codes", arguments.action_codes(self.codes, "The codes of a plan"))
        object.__setattr__(self, "continuation", arguments.action_codes(self.continuation, "A plan's continuation"))

    @classmethod
    def of(cls, state: State, actions: Sequence[str | int], value: float | None = None, **more: Any) -> Plan:
        """A plan from a state and its actions, the rest of the turn in progress or its beginning.

        Raises:
            IllegalActionError: The actions cannot be played in this order, or go beyond the turn.
            NotationError: A text is not an action.
            OptionError: Not a state, or not a list of at least one action.
        """
        start = as_state(state)
        codes: list[int] = []
        texts: list[str] = []
        given = arguments.sequence(actions, "The actions of a plan", "actions")
        if not given:
            raise OptionError(
                "The actions of a plan must be at least one; got an empty list. Every turn has an action: if nothing "
                "else is to be played, give the one that ends the turn (see state.legal_actions())."
            )
        for action in given:
            if codes and not state.is_over and (state.to_move, state.turn) != (start.to_move, start.turn):
                raise IllegalActionError(
                    f"The actions of a plan must belong to one turn; got {len(given)}, but the turn ends after "
                    f"{len(codes)} ({', '.join(texts)}). Leave out the others; what a search expects afterwards is "
                    "given as Plan.continuation."
                )
            code = state.code(action)
            codes.append(code)
            texts.append(state.text(code))
            state = state.play(code)
        is_complete = (state.to_move, state.turn) != (start.to_move, start.turn)
        return cls(tuple(codes), tuple(texts), value, is_complete=is_complete, **more)
