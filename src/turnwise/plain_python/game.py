"""Games written in plain Python, with immutable states, for all planners.

Subclass :class:`PythonGame` and write six functions: the result is a full :class:`~turnwise.core.game.Game` for
compiled planners, arena, command line and conformance kit. Calls into Python are slow: expect a hundredth to a
twentieth of the steps per second of a compiled game, depending on the game's functions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from turnwise.core import calls
from turnwise.core.class_names import registry_name, title_of
from turnwise.core.errors import GameFunctionError, NotationError, TurnwiseError, brief, shown
from turnwise.core.evaluation import ROLLOUTS, check_bounds, check_bounds_of
from turnwise.core.game import Evaluation, Row, RunningSearch
from turnwise.core.returned import text_hint
from turnwise.core.scenario import Scenario
from turnwise.core.script import Script
from turnwise.core.table import REQUIRED
from turnwise.plain_python.calls import TableFunctions
from turnwise.plain_python.json_forms import Reader
from turnwise.plain_python.named_parameters import named_parameters
from turnwise.plain_python.pickling import AsJson, PackedEvaluation, PackedScript, can_be_pickled
from turnwise.plain_python.rules import A, PythonGameOptions, PythonRules, S
from turnwise.plain_python.signatures import expected_signature
from turnwise.plain_python.table import Hold, ObjectTable

__all__ = ["PythonGame", "PythonGameOptions"]
_BARE = "(state)"  # key for JSON forms that are not dictionaries


_OPTIONAL = (
    *("prune", "action_score", "actor", "nearest", "canonical", "neighbour_action", "move_code", "prior_logit"),
    *("policy", "view", "determinise", "news", "actors", "actor_kind", "actor_health", "actor_actions"),
    *("heir", "index", "features", "enemy_distance", "action_group", "verb"),
)


class PythonGame(PythonRules[S, A]):
    """A game written in plain Python.

    States (type ``S``) are immutable and hashable: frozen dataclasses, named tuples, tuples. Actions (type ``A``) are
    hashable: strings, numbers, tuples, enums. Write ``first_state``, ``legal_actions``, ``play``, ``to_move``, ``turn``
    and ``returns``; everything else has a default. Class attributes set ``players``, ``max_turn`` (most actions in one
    turn), ``max_actions`` (longest legal list), and if they apply ``is_stochastic``, ``reveals_in_turn``,
    ``shares_goal``, ``seats``, ``policies``, ``metrics``, ``action_groups``, ``indices`` (number of places of
    ``index``), ``feature_shape`` (of ``features``), ``bounds`` (of ``evaluate``; of ``returns`` in a game without
    ``evaluate``) and ``ends_turn`` (the action that ends a turn early, if one can be played at any time).

    The functions must be pure: equal arguments and draws give equal results. All chance must come from the
    :class:`~turnwise.plain_python.chance.Chance` object that is passed in.

    An exception in a function, or a result of a wrong type, stops the search. The call that used the game then raises
    :class:`~turnwise.core.errors.GameFunctionError` with the original error as its cause.
    """

    def __init_subclass__(cls, **more: Any) -> None:
        """Derive the game's name from its class unless it has a name."""
        super().__init_subclass__(**more)
        cls.is_named_by_class = "name" not in cls.__dict__
        if cls.is_named_by_class:
            cls.name = registry_name(cls)
        if "title" not in cls.__dict__:
            cls.title = title_of(cls)

    def __init__(self, /, **options: Any) -> None:
        """See :meth:`Game.__init__`."""
        super().__init__(**options)
        self.setup: Row = np.zeros(1, np.uint64)
        self._table = ObjectTable(self.name, getattr(self.options, "max_objects", 400_000), expected_signature)
        self._calls = TableFunctions(self, self._table)
        self._reader: Reader | None = None
        is_default = type(self).default_evaluation == PythonRules.default_evaluation
        if is_default and not self.overrides("evaluate") and type(self).evaluations is PythonGame.evaluations:
            self.default_evaluation = ROLLOUTS
        if self.ends_turn is not None:
            self.end_action = self._table.code(self.ends_turn, "ends_turn")

    # ----------------------------------------------------------------------------------- what makes it a full Game

    def functions(self) -> Mapping[str, int]:
        """See :meth:`Game.functions`: the required functions and the optional ones of the subclass."""
        named = {name: getattr(self._calls, name) for name in REQUIRED}
        named |= {name: getattr(self._calls, name) for name in _OPTIONAL if self.overrides(name)}
        if self.overrides("prune"):
            named["survives"] = self._calls.survives
        if self.overrides("measure"):
            named["metrics"] = self._calls.measure
        return {name: self._calls.pointer(name, method) for name, method in named.items()}

    def scripts(self) -> Mapping[str, Script]:
        """See :meth:`Game.scripts`: the functions of :meth:`PythonRules.script_functions`.

        Raises:
            GameFunctionError: That is no method, or does not return them by name.
        """
        given: Any = self.script_functions
        found = given() if callable(given) else given
        if not callable(given) or not isinstance(found, Mapping):
            raise GameFunctionError(
                f"{self.name}: script_functions must be a method that returns a dict of names and functions, as in "
                f"{{'rush': rush}}; got {'' if not callable(given) else 'a method that returns '}{shown(found)}. Give "
                "each script a name, by which expressions refer to it."
            )
        return {name: self.python_script(function, name) for name, function in found.items()}

    def python_script(self, function: Callable[..., A | None], name: str = "") -> Script:
        """Make a script in plain Python, for :meth:`Game.register_script`.

        Args:
            function: ``(state, actor or None, random) -> action or None``; the first line of its docstring is the
                summary. Keyword-only arguments with numbers as defaults are named parameters: ``rush(share=0.3)``.
            name: Its name in messages; empty: the function's.

        Raises:
            OptionError: The value is no such function.
        """
        defaults = named_parameters(function, 3, "A script must be a function (state, actor, random) -> action or None")
        name = name or getattr(function, "__name__", "script").replace("<lambda>", "a lambda")
        summary = (getattr(function, "__doc__", None) or name).strip().partition("\n")[0]
        pointer = self._calls.pointer("script", self._calls.script(function, name, defaults), f"script {name!r}")
        self._calls.scripts[pointer] = function
        return Script(pointer, summary, tuple(defaults.values()), tuple(defaults), owner=self)

    def layout(self) -> np.dtype[Any]:
        """See :meth:`Game.layout`; a row of a game in plain Python has no fields.

        Raises:
            GameFunctionError: Always.
        """
        raise GameFunctionError(
            f"{self.name} is a game in plain Python: a row is the number of a state object and has no fields. Read the "
            "object with game.state_of(row)."
        )

    def evaluations(self) -> Mapping[str, Evaluation]:
        """See :meth:`Game.evaluations`: the game's ``evaluate``, if it has one, under the name "heuristic"."""
        if not self.overrides("evaluate"):
            return {}
        own = self.python_evaluation(self.evaluate, *self.bounds, summary="the game's own")
        if self.overrides("evaluate_all"):
            defaults = named_parameters(self.evaluate_all, 1, "evaluate_all must be a method (self, state) -> values")
            if defaults == dict(zip(own.parameter_names, own.parameters, strict=True)):
                together = self._calls.evaluation_of_all(defaults)
                own = replace(own, for_all=self._calls.pointer("evaluation_of_all", together))
        return {"heuristic": own}

    def return_bounds(self) -> tuple[float, float]:
        """See :meth:`Game.return_bounds`."""
        return self.bounds

    def python_evaluation(
        self,
        function: Callable[..., float],
        low: float,
        high: float,
        summary: str = "",
        bounds_of: Callable[[tuple[float, ...]], tuple[float, float]] | None = None,
    ) -> Evaluation:
        """Make another evaluation in plain Python, for :meth:`Game.register_evaluation`.

        Args:
            function: ``(state, player) -> float`` from ``low`` to ``high``, higher is better. Keyword-only arguments
                with numbers as defaults are named parameters: ``evaluation="lead(weight=2)"``.
            low: Smallest value.
            high: Largest value.
            summary: One line for listings.
            bounds_of: Bounds for other values of the named parameters, ``(value, ...) -> (low, high)``; None: the same.

        Raises:
            OptionError: The value is no such function.
            GameFunctionError: The bounds are not finite numbers with low < high, or ``bounds_of`` is no function.
        """
        defaults = named_parameters(function, 2, "An evaluation must be a function (state, player) -> float")
        name = getattr(function, "__name__", "evaluate")
        name = "evaluate (a lambda)" if name == "<lambda>" else name
        check_bounds(name, low, high)
        check_bounds_of(name, bounds_of)
        pointer = self._calls.pointer("evaluation", self._calls.evaluation(function, name, defaults), name)
        self._calls.evaluations[pointer] = function
        values, names = tuple(defaults.values()), tuple(defaults)
        return Evaluation(pointer, low, high, summary or name, values, names, bounds_of, owner=self)

    def _ask(self, name: str, *arguments: Any) -> Any:
        """Call one of the user's functions outside of a search."""
        try:
            return getattr(self, name)(*arguments)
        except Exception as error:
            raise self._table.explained(name, error) from error

    def _text(self, name: str, argument: Any) -> str:
        """Ask one of the user's functions for a text.

        Raises:
            GameFunctionError: It fails, or its result is not a string.
        """
        text = self._ask(name, argument)
        if not isinstance(text, str):
            hint = "A 'return' statement may be missing." if text is None else text_hint(text)
            raise GameFunctionError(
                f"{self.name}: {name} returned {shown(text)}; expected a string. {expected_signature(name)} "
                f"{hint}".rstrip()
            )
        return text

    def state_of(self, row: Row) -> S:
        """The state object of a row.

        Raises:
            GameFunctionError: The row is from a search that has ended.
        """
        state: S = self._table.node(int(row[0])).state
        return state

    def action_text(self, row: Row, action: int) -> str:
        """See :meth:`Game.action_text`.

        Raises:
            NotationError: No action has that code.
        """
        if action not in self._table.actions:
            self._calls.list_actions(int(row[0]))  # the code may come from a plan of another game object
        if action not in self._table.actions:
            raise NotationError(f"{self.name}: {brief(action)} is not the code of an action.")
        return self._text("show_action", self._table.actions[action])

    def parse_action(self, row: Row, text: str) -> int:
        """See :meth:`Game.parse_action`."""
        state = self.state_of(row)
        try:
            action = self.read_action(state, text)
        except TurnwiseError:
            raise
        except Exception as error:  # the text may be anything, and users' parsers may expect valid text
            raise NotationError(
                f"Not an action of {self.name}: expected a text that show_action writes, got {brief(text)}; "
                f"read_action fails with {type(error).__name__}: {error}. Check the action's text."
            ) from error
        return self._table.code(action, "read_action")

    def state_dict(self, row: Row) -> dict[str, Any]:
        """See :meth:`Game.state_dict`; a form that is not a dictionary is wrapped in one."""
        data = self._ask("to_json", self.state_of(row))
        return data if isinstance(data, dict) else {_BARE: data}

    def state_row(self, data: Mapping[str, Any]) -> Row:
        """See :meth:`Game.state_row`.

        Raises:
            NotationError: Fields are missing or invalid.
            GameFunctionError: The state has no number of its turn.
        """
        try:
            state = self.from_json(data[_BARE] if set(data) == {_BARE} else data)
        except TurnwiseError:
            raise
        except Exception as error:  # the form may be anything
            raise NotationError(
                f"Not a state of {self.name}: expected the form that to_json writes, got {brief(data)}; from_json "
                f"fails with {type(error).__name__}: {error}. The state is damaged, or of another game."
            ) from error
        node = self._table.put(state)
        try:
            self._calls.turn_of(node)
        except TurnwiseError:
            raise
        except Exception as error:
            raise self._table.explained("turn", error) from error
        return np.array([node.handle], np.uint64)

    def packed_row(self, row: Row) -> Any:
        """See :meth:`Game.packed_row`: the state object, or its JSON form if it cannot be pickled."""
        state = self.state_of(row)
        return state if can_be_pickled(state) else AsJson(self.state_dict(row))

    def unpacked_row(self, packed: Any) -> Row:
        """See :meth:`Game.unpacked_row`."""
        if isinstance(packed, AsJson):
            return self.state_row(packed.form)
        return np.array([self._table.put(packed).handle], np.uint64)

    def packed_evaluation(self, evaluation: Evaluation) -> Any:
        """See :meth:`Game.packed_evaluation`: the Python function from which the evaluation was made."""
        function = self._calls.evaluations.get(evaluation.function) if isinstance(evaluation.function, int) else None
        if function is None:
            return evaluation
        low, high, summary = evaluation.low, evaluation.high, evaluation.summary
        return PackedEvaluation(_named(self, function), low, high, summary, evaluation.bounds_of)

    def unpacked_evaluation(self, packed: Any) -> Evaluation:
        """See :meth:`Game.unpacked_evaluation`."""
        if not isinstance(packed, PackedEvaluation):
            return super().unpacked_evaluation(packed)
        function = getattr(self, packed.function) if isinstance(packed.function, str) else packed.function
        return self.python_evaluation(function, packed.low, packed.high, packed.summary, packed.bounds_of)

    def packed_script(self, script: Script) -> Any:
        """See :meth:`Game.packed_script`: the Python function from which the script was made."""
        function = self._calls.scripts.get(script.function) if isinstance(script.function, int) else None
        return script if function is None else PackedScript(_named(self, function), script.summary)

    def unpacked_script(self, packed: Any) -> Script:
        """See :meth:`Game.unpacked_script`."""
        if not isinstance(packed, PackedScript):
            return super().unpacked_script(packed)
        return self.python_script(
            getattr(self, packed.function) if isinstance(packed.function, str) else packed.function
        )

    def action_heading(self, row: Row, action: int) -> str:
        """See :meth:`Game.action_heading`: in a game with ``actor``, who acts."""
        actor = int(calls.call(self, "actor", row, action)) if self.overrides("actor") else -1
        return f"Actor {actor}" if actor >= 0 else super().action_heading(row, action)

    def board_text(self, row: Row) -> str:
        """See :meth:`Game.board_text`."""
        return self._text("show", self.state_of(row))

    def svg(self, row: Row, last_action: str | None = None) -> str:
        """See :meth:`Game.svg`."""
        return self._text("show_svg", self.state_of(row)) or super().svg(row, last_action)

    def before_plan(self, search: RunningSearch) -> None:
        """See :meth:`Game.before_plan`."""
        self._table.search_begins(search)

    def after_plan(self, search: RunningSearch) -> None:
        """See :meth:`Game.after_plan`."""
        self._table.search_ends(search)
        self._table.raise_failure()

    def hold(self, row: Row) -> Hold:
        """See :meth:`Game.hold`."""
        return self._table.hold(int(row[0]))

    def check_row(self, row: Row) -> None:
        """See :meth:`Game.check_row`; nothing to do, since every use of a handle checks it."""

    def shares_rows(self, other: Scenario) -> bool:
        """See :meth:`Game.shares_rows`: handles and action codes belong to one game object."""
        return self is other

    def raise_failure(self) -> None:
        """See :meth:`Game.raise_failure`."""
        self._table.raise_failure()


def _named(game: object, function: Callable[..., Any]) -> Callable[..., Any] | str:
    """A user's function for pickling: the name of a method of the game itself, else the function."""
    return function.__name__ if getattr(function, "__self__", None) is game else function
