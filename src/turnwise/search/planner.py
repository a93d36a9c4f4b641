"""The base of planners: name, parameters, presets."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from functools import wraps
from inspect import Parameter, isfunction, signature
from typing import Any, ClassVar, Generic, Self, cast, get_args

from pydantic import ValidationError

from turnwise.core import arguments
from turnwise.core.budget import Budget
from turnwise.core.class_names import registry_name, title_of
from turnwise.core.errors import OptionError, unknown_name
from turnwise.core.fields import validation_message
from turnwise.core.game import Game, settings_text
from turnwise.core.pickling import ByName, blank
from turnwise.core.set_by_init import NotSetError, SetByInit
from turnwise.core.state import State
from turnwise.core.user_classes import refuse_unfinished
from turnwise.search.former_names import former_of, scale_note
from turnwise.search.plan import Plan
from turnwise.search.planner_parameters import READINGS, ParametersT_co, PlannerParameters
from turnwise.search.plans_turns import refuse_wrong_plan
from turnwise.search.presets import presets_of, source_of
from turnwise.search.session import Session


class Planner(ABC, Generic[ParametersT_co]):
    """A planner with its parameters; it holds no memory (that is the session's).

    ``class MyPlanner(Planner[MyParameters])`` declares the parameters, once for users, who give them by name, and once
    for type checkers, which then know the type of ``self.parameters``.

    Attributes:
        name: Registry name; by default, the class's name in small letters with dashes.
        title: Name for people.
        is_named_by_class: Whether the name follows from the class's; a registry may then give it another one.
        source: Publication that the algorithm comes from.
        Parameters: The parameters as a pydantic model; the class between the brackets of the base.
        presets: The planner's own presets: readings ("as-published", "as-coded") -> parameters that they change.
        iteration: What one iteration of this planner is, for budgets and reports.
        value_of: What the value of its plans is the value of, for people; empty: its plans have none, or it is unknown.
        plans_games: Whether plan and continuation together reach the end of a single-player game.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    is_named_by_class: ClassVar[bool] = True
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
        own = cls.__dict__.get("plan")
        if isfunction(own) and not _takes_inspect(own):
            cls.plan = _without_inspection(own)  # type: ignore[method-assign]
        if cls.is_named_by_class:
            cls.is_named_by_class = "name" not in cls.__dict__
            cls.name = cls.__dict__.get("name") or registry_name(cls)
            cls.title = cls.__dict__.get("title") or title_of(cls)
        if "Parameters" in cls.__dict__:
            return
        for base in cls.__dict__.get("__orig_bases__", ()):
            for argument in get_args(base):
                declared = getattr(argument, "__default__", argument)  # a base of a family of planners has a variable
                if isinstance(declared, type) and issubclass(declared, PlannerParameters):
                    cls.Parameters = declared

    def __new__(cls, *_: Any, **__: Any) -> Self:
        """Make a planner of a complete class.

        Raises:
            OptionError: The class lacks methods.
        """
        refuse_unfinished(cls, "planner")
        return super().__new__(cls)

    def __init__(self, /, *, preset: str = "", **parameters: Any) -> None:
        """Check and keep the parameters.

        Args:
            preset: A preset to start from; given parameters override it.
            **parameters: See ``Parameters``.

        Raises:
            UnknownNameError: No preset of that name.
            OptionError: An unknown parameter or impossible value, or a ``plan`` with other arguments.
            TurnwiseError: Two presets of one name, or a game's settings that cannot be read.
        """
        self.refuse_wrong_methods()
        preset = arguments.text(preset, "The name of a preset")
        declared = self._preset(preset) if preset else {}
        try:
            self.parameters = cast(ParametersT_co, self.Parameters(**{**declared, **parameters}))
        except ValidationError as error:
            raise self._refused(preset, declared, parameters, error) from None

    @classmethod
    def refuse_wrong_methods(cls) -> None:
        """Refuse a ``plan`` that cannot be called.

        Raises:
            OptionError: It takes other arguments.
        """
        refuse_wrong_plan(cls)

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
        """Name and parameters that differ from the defaults; :func:`turnwise.planner` reads it back.

        Raises:
            OptionError: The class's ``__init__`` does not call that of its base.
        """
        try:
            parameters = self.parameters
        except NotSetError as error:  # no AttributeError: a planner without a text of its own is something else
            raise OptionError(str(error)) from None
        return settings_text(self.name, parameters.model_dump(mode="json", exclude_defaults=True))

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

    def meaning_of_value(self, plan: Plan) -> str:
        """What the value of this planner's plan is the value of, for people; empty: it has none, or it is unknown."""
        return self.value_of

    def session(self, game: Game, seat: int, seed: int) -> Session:
        """Begin a game: the returned session owns what the player remembers between decisions."""
        return Session(self, game, seat, seed)


def _takes_inspect(plan: Callable[..., Any]) -> bool:
    """Whether a method ``plan`` can be called with ``inspect=True``."""
    given = signature(plan).parameters.values()
    return any(one.name == "inspect" or one.kind is Parameter.VAR_KEYWORD for one in given)


def _without_inspection(plan: Callable[..., Plan]) -> Callable[..., Plan]:
    """A method ``plan`` without the argument ``inspect``, which answers ``inspect=True`` with a clear error."""

    @wraps(plan)
    def plan_only(self: Planner[Any], *given: Any, inspect: bool = False, **more: Any) -> Plan:
        if arguments.flag(inspect, "inspect"):
            raise OptionError(
                f"The planner {self.name} cannot show what its search has left: its method plan takes no argument "
                "inspect. Leave out inspect=True, or let plan take inspect and fill Plan.search."
            )
        return plan(self, *given, **more)

    return plan_only
