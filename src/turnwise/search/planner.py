"""What a planner is, what it returns, and what it remembers during a game."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, cast, get_args, runtime_checkable

from pydantic import BaseModel, ConfigDict, ValidationError, ValidationInfo, field_validator
from typing_extensions import TypeVar

from turnwise.core import arguments
from turnwise.core.budget import Budget, as_budget
from turnwise.core.chance import derive_seed
from turnwise.core.class_names import registry_name, title_of
from turnwise.core.errors import IllegalActionError, OptionError, TurnwiseError, shown, unknown_name
from turnwise.core.fields import choices, expected, members, validation_message
from turnwise.core.game import Game, as_game, settings_text
from turnwise.core.pickling import ByName, blank
from turnwise.core.set_by_init import SetByInit
from turnwise.core.state import State, as_state
from turnwise.search.former_names import former_of, scale_note
from turnwise.search.presets import presets_of, source_of
from turnwise.search.replans import Replans

if TYPE_CHECKING:
    from turnwise.search.inspection.views import SearchView

_SOME = 8  # legal actions in a message
_ROOM = 64  # actions, the least to which a plan after a surprise is completed


@dataclass(frozen=True, slots=True)
class SearchReport:
    """What one decision cost and why it ended, always with all four budget counters.

    Attributes:
        seconds: Wall time.
        forward_calls: Calls of ``apply`` that count towards the budget.
        evaluations: Calls of an evaluation.
        iterations: Turns of the planner's main loop.
        stopped_by: "budget", "time", "interrupt", "memory" or "done" (nothing left to search).
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
        alternatives: Other good turns, best first; each differs from the plan and from the others.
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


def checked_decision(state: object, budget: object, seed: object) -> tuple[Budget, int]:
    """Check the arguments of one decision; returns the budget and the seed.

    Raises:
        OptionError: Not a state, budget or seed.
    """
    as_state(state)
    return as_budget(budget), arguments.seed(seed)


READINGS = frozenset({"as-published", "as-coded"})
"""The two readings of a publication; a planner without presets is the same in both."""


class PlannerParameters(BaseModel):
    """Base of a planner's parameters: frozen; unknown names and numbers that are not finite are refused.

    Numbers may be given as text, as on the command line, but not as True or False, and texts not as bytes. Every field
    has a description and bounds.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    @field_validator("*", mode="before")
    @classmethod
    def _no_other_type(cls, value: object, info: ValidationInfo) -> object:
        """Refuse what pydantic would convert to a number or a text.

        Raises:
            ValueError: The value is of bytes, or is True or False where these have no meaning.
        """
        declared = cls.model_fields[str(info.field_name)]
        takes_bool = bool in members(declared.annotation) or any(
            type(one) is bool for one in choices(declared.annotation)
        )
        if isinstance(value, bytes | bytearray) or (isinstance(value, bool) and not takes_bool):
            wanted = expected(declared.annotation, declared.metadata)
            if wanted:  # types with a reader of their own refuse such values themselves
                raise ValueError(f"expected {wanted}")
        return value


ParametersT_co = TypeVar("ParametersT_co", bound=PlannerParameters, default=PlannerParameters, covariant=True)
"""A planner's own parameters."""


class Planner(ABC, Generic[ParametersT_co]):
    """A planner with its parameters; it holds no memory (that is the session's).

    ``class MyPlanner(Planner[MyParameters])`` declares the parameters, once for users, who give them by name, and once
    for type checkers, which then know the type of ``self.parameters``.

    Attributes:
        name: Registry name; by default, the class's name in small letters with dashes.
        title: Name for people.
        source: Publication that the algorithm comes from.
        Parameters: The parameters as a pydantic model; the class between the brackets of the base.
        presets: The planner's own presets: readings ("as-published", "as-coded") -> parameters that they change.
        iteration: What one iteration of this planner is, for budgets and reports.
        value_of: What the value of its plans is the value of, for people; empty: its plans have none, or it is unknown.
        plans_games: Whether plan and continuation together reach the end of a single-player game.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    _is_named_by_class: ClassVar[bool] = True
    source: ClassVar[str] = ""
    Parameters: ClassVar[type[PlannerParameters]] = PlannerParameters
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {}
    iteration: ClassVar[str] = "one decision"
    value_of: ClassVar[str] = ""
    plans_games: ClassVar[bool] = False

    parameters: ParametersT_co = cast(ParametersT_co, SetByInit())

    def __init_subclass__(cls, **more: Any) -> None:
        """Take ``Parameters`` from between the brackets of the bases, and missing names from the class's own.

        A class whose base declares a name keeps that.
        """
        super().__init_subclass__(**more)
        if cls._is_named_by_class:
            cls._is_named_by_class = "name" not in cls.__dict__
            cls.name = cls.__dict__.get("name") or registry_name(cls)
            cls.title = cls.__dict__.get("title") or title_of(cls)
        if "Parameters" in cls.__dict__:
            return
        for base in cls.__dict__.get("__orig_bases__", ()):
            for argument in get_args(base):
                declared = getattr(argument, "__default__", argument)  # a base of a family of planners has a variable
                if isinstance(declared, type) and issubclass(declared, PlannerParameters):
                    cls.Parameters = declared

    def __init__(self, /, *, preset: str = "", **parameters: Any) -> None:
        """Check and keep the parameters.

        Args:
            preset: A preset to start from; given parameters override it.
            **parameters: See ``Parameters``.

        Raises:
            UnknownNameError: No preset of that name.
            OptionError: An unknown parameter or impossible value.
            TurnwiseError: Two presets of one name, or a game's settings that cannot be read.
        """
        preset = arguments.text(preset, "The name of a preset")
        declared = self._preset(preset) if preset else {}
        try:
            self.parameters = cast(ParametersT_co, self.Parameters(**{**declared, **parameters}))
        except ValidationError as error:
            raise self._refused(preset, declared, parameters, error) from None

    @classmethod
    def _refused(
        cls, preset: str, declared: Mapping[str, Any], given: Mapping[str, Any], error: ValidationError
    ) -> OptionError:
        """The error about wrong parameters: former names are answered with the current ones, files are named."""
        what = f"planner {cls.name}"
        wrong = {problem["loc"][0] for problem in error.errors() if problem["loc"]}
        is_declared = bool(wrong & (declared.keys() - given.keys())) or (not wrong and not given)
        source = source_of(cls.name, preset) if is_declared else ""
        if source:
            what = f"{source}: [{cls.name}.{preset}]: {what}"
        message = validation_message(what, cls.Parameters, error, "parameter", former_of(cls.name))
        return OptionError(message + scale_note(cls.name, {**declared, **given}))

    @classmethod
    def all_presets(cls) -> dict[str, Mapping[str, Any]]:
        """Preset -> parameters: the planner's own, and those that games declare for it.

        Raises:
            TurnwiseError: Two presets of one name, or a game's settings that cannot be read.
        """
        return presets_of(cls.name, cls.presets)

    @classmethod
    def _preset(cls, name: str) -> Mapping[str, Any]:
        known = cls.all_presets()
        readings = set(known)
        if not readings or readings & READINGS:  # where all presets are settings of games, a reading has no meaning
            readings |= READINGS
        if name not in readings:
            raise unknown_name("preset", name, readings, f"Planner {cls.name}")
        return known.get(name, {})

    @property
    def spec(self) -> str:
        """Name and parameters that differ from the defaults; :func:`turnwise.planner` reads it back."""
        return settings_text(self.name, self.parameters.model_dump(mode="json", exclude_defaults=True))

    def __repr__(self) -> str:
        return f"turnwise.planner({self.spec!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle and copy a planner as its class and its attributes."""
        return blank, (ByName(type(self), f"planner {self.name!r}"),), self.__getstate__()

    @abstractmethod
    def plan(self, state: State, budget: Budget | str, seed: int = 0) -> Plan:
        """Plan the rest of the turn in progress.

        Args:
            state: What the mover knows (the arena passes ``state.view(mover)``).
            budget: Limits; a :class:`Budget` or its text, such as "time=200ms".
            seed: With any budget but time, equal seeds give equal plans.

        Returns:
            A legal, complete turn, however small the budget.

        Raises:
            TurnwiseError: The game is over in that state.
        """

    def session(self, game: Game, seat: int, seed: int) -> Session:
        """Begin a game: the returned session owns what the player remembers between decisions."""
        return Session(self, game, seat, seed)


class IllegalLineError(IllegalActionError):
    """A planner's search returned a line with an action that cannot be played, and chance is not the reason.

    Attributes:
        state: The state in which the action is illegal.
        action: The action as text.
        number: Its place in the line, from 1.
    """

    def __init__(self, planner: Planner, state: State, action: str, number: int) -> None:
        self.state, self.action, self.number = state, action, number
        legal = state.legal_actions()
        some = ", ".join(repr(text) for text in legal[:_SOME]) + (", ..." if len(legal) > _SOME else "")
        super().__init__(
            f"{planner.spec}: search returned a line whose action {number}, {action!r}, is illegal in its state (turn "
            f"{state.turn}); legal there: {some}. Return only actions that the search has played one after another "
            "from the given state."
        )

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the error with its message and attributes, without the planner."""
        return _restored_error, (str(self), dict(self.__dict__))


def _restored_error(message: str, attributes: dict[str, Any]) -> IllegalLineError:
    """Make an error from the result of :meth:`IllegalLineError.__reduce__`."""
    error = IllegalLineError.__new__(IllegalLineError, message)
    error.__dict__.update(attributes)
    return error


class Session:
    """One player in one game: memory between decisions, and a committed plan that is handed out action by action.

    Attributes:
        planner: Anything with ``plan``.
        game: The scenario.
        seat: Which player this is.
        notes: Whether plans hold what only people read, the texts of actions and alternatives; without them turnwise's
            own planners answer sooner (in Tribes, by some 0.3 ms). A caller may change it between decisions.
    """

    def __init__(self, planner: PlansTurns, game: Game, seat: int, seed: int) -> None:
        """Begin a game.

        Args:
            planner: Anything with ``plan``.
            game: The scenario.
            seat: Which player this is, from 0.
            seed: The seeds of the decisions are derived from it.

        Raises:
            OptionError: Not a planner or game, no such seat, or not a seed.
        """
        self.game = as_game(game)
        self.planner = as_planner(planner)
        self.seat = game.checked_player(seat)
        self._seed = arguments.seed(seed)
        self._decisions = 0
        self._committed: list[int] = []
        self._expected: State | None = None
        self._turn: tuple[int, int] | None = None
        self._spent = SearchReport.nothing()
        self._plans = 0  # in this turn
        self._replans = Replans.of(game)
        self._planned_in: tuple[int, int] | None = None  # turn and mover of the last plan
        self._since_plan = 0  # actions handed out since then
        self.notes = True
        self._handed: list[int] | None = None  # these actions; None: the caller plays the plan, not this session

    def __getstate__(self) -> dict[str, Any]:
        """What pickles and copies keep: everything, so that both continue as this session would."""
        handed = None if self._handed is None else list(self._handed)
        return {**self.__dict__, "_committed": list(self._committed), "_handed": handed}

    def plan(self, state: State, budget: Budget | str, *, room: int | None = None) -> Plan:
        """Plan the rest of the turn, with this session's memory and next seed.

        Args:
            state: What this player knows now.
            budget: Limits; a :class:`Budget` or its text.
            room: Number of actions to which turnwise's planners complete a turn that the search has not planned to its
                end; None: they complete all of it.

        Raises:
            OptionError: A state of another scenario or of another player's turn, or not a budget.
            TurnwiseError: The planner returned something that is not a plan.
        """
        limits = self._checked(state, budget)
        self._decisions += 1
        plan = self._ask(state, limits, derive_seed(self._seed, self._decisions), room)
        self._handed = None
        return plan

    def _checked(self, state: State, budget: Budget | str) -> Budget:
        """Refuse other scenarios and players: remembered rows and codes mean something to these only."""
        mover = as_state(state, self.game).to_move
        limits = as_budget(budget)
        if mover not in (self.seat, -1):
            raise OptionError(
                f"This session plays seat {self.seat}; in this state player {mover} is to move. Every player has a "
                "session of its own; seats are counted from 0."
            )
        return limits

    def _ask(self, state: State, budget: Budget, seed: int, room: int | None) -> Plan:
        answer = self.planner.plan(state, budget, seed)
        if isinstance(answer, Plan):
            return answer
        if isinstance(answer, str) or not isinstance(answer, Sequence):
            raise TurnwiseError(
                f"{type(self.planner).__name__}.plan returned {type(answer).__name__}; expected a Plan or a list "
                "of actions."
            )
        return Plan.of(state, answer)

    def next_action(self, state: State, budget: Budget | str) -> tuple[int, Plan | None]:
        """The next action to play, from the committed plan if the actual state still agrees with it.

        It agrees if it is the expected state. In a game with the function ``news`` it is enough that it brings no news
        and that the next action is legal in it.

        Every plan gets its part of what is left of the turn's budget: the rest divided by the number of plans that the
        turn is still expected to need, judging by this session's turns so far (:class:`.Replans`). Where nothing can
        surprise a player the first plan gets all of it.

        Args:
            state: What this player knows now.
            budget: Limits of the whole turn (or of each action, by its scope); a :class:`Budget` or its text.

        Returns:
            The action's code, and the plan if a new one was made.

        Raises:
            OptionError: A state of another scenario or of another player's turn, or not a budget.
            TurnwiseError: The planner returned no action.
        """
        limits = self._checked(state, budget)
        plan = None
        here = self._go_on(state)
        if here is None:
            began = time.perf_counter()
            plan = self.plan(state, self._part(state, limits), room=self._room(state))
            if not plan.codes:
                raise TurnwiseError(f"{self.planner!r} returned an empty plan.")
            seconds = max(plan.report.seconds, time.perf_counter() - began)  # planners without a report measure nothing
            self._spent = self._spent + replace(plan.report, seconds=seconds)
            surprises = self.game.reveals_in_turn or self.game.is_stochastic
            one_by_one = limits.scope == "action" and surprises  # the next action gets a search of its own anyway
            self._committed = list(plan.codes[:1] if one_by_one else plan.codes)
            self._handed = []
            here = state
        action = self._committed.pop(0)
        self._since_plan += 1
        if self._handed is not None:
            self._handed.append(action)
        goes_on = self._committed and here.is_legal(action)
        self._expected = here.play(action).view(self.seat) if goes_on else None
        return action, plan

    def _go_on(self, state: State) -> State | None:
        """The state from which the committed plan goes on; None if a new plan is needed."""
        here = self._expected  # the state that the plan expects, with the chance under which it was made
        if not self._committed or here is None:
            return None
        if here == state:
            return None if self._is_spoilt(state) else here
        if not self.game.pointers["news"] or not state.is_legal(self._committed[0]):
            return None
        return None if state.has_news(here, self.seat) else state

    def _is_spoilt(self, state: State) -> bool:
        """Whether chance, and not the planner's fault, has made the next action of the plan illegal."""
        uncertain = self.game.is_stochastic or self.game.reveals_in_turn
        return uncertain and not state.is_legal(self._committed[0])

    def _room(self, state: State) -> int | None:
        """The number of actions to which the next plan is completed; None: the whole turn.

        A surprise makes the rest of a plan void. If all plans of a turn with many surprises were completed to its end,
        the turn would take time quadratic in its length. So the first plan is complete, and a later one has room for
        twice as many actions as were played of the plan before it.
        """
        now = (state.turn, state.to_move)
        surprises = self.game.reveals_in_turn or self.game.is_stochastic
        room = max(_ROOM, 2 * self._since_plan) if surprises and now == self._planned_in else None
        self._planned_in, self._since_plan = now, 0
        return room

    def _part(self, state: State, budget: Budget) -> Budget:
        """The part of a turn's budget that the next plan may use."""
        if budget.scope == "action":
            return budget
        now = (state.turn, state.to_move)
        if now != self._turn:
            if self._plans:
                self._replans = self._replans.after_turn(self._plans)
            self._turn, self._spent, self._plans = now, SearchReport.nothing(), 0
        left = budget.less(self._spent) if self._plans else budget
        part = self._replans.part(left, self._plans)
        self._plans += 1
        return part
