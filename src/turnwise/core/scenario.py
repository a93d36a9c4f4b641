"""A game with one scenario, without its states: static data, function table, evaluations, notation, drawing."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, ValidationError

from turnwise.core import arguments
from turnwise.core.errors import CapacityError, GameFunctionError, NotationError, OptionError, counted, unknown_name
from turnwise.core.evaluation import ROLLOUTS, Evaluation, joined_name, split_name
from turnwise.core.fields import validation_message
from turnwise.core.scenario_file import AS_LABELS
from turnwise.core.script import Script
from turnwise.core.spec_text import settings_text
from turnwise.jit.record import Address, array_address

if TYPE_CHECKING:
    from turnwise.core.file_option import FileOption
    from turnwise.jit.kernel import Entry

Row = NDArray[np.uint64]
A_GAME = "a game object, as turnwise.make(NAME) returns it"


class GameOptions(BaseModel):
    """Base of a game's scenario options: frozen, and unknown names are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Scenario(ABC):
    """A game with one map and one set of options; :class:`~turnwise.core.game.Game` adds its states.

    A subclass is one game; an instance is one *scenario* of it (map, options). Subclasses set the attributes below in
    ``__init__`` and implement the abstract methods. Rows are uint64 arrays; only the game knows their layout.

    Attributes:
        name: Registry name, for example "hero-academy".
        title: Name for people.
        rules_version: Changes whenever recorded games would replay differently. A scenario whose rules come from a
            data file adds the file's hash, so that results from different data are never mixed.
        Options: The scenario options as a pydantic model.
        options: This scenario's options.
        players: Number of players.
        setup: uint64 row of everything that never changes in this scenario; owned by the game, read-only.
        state_words: Width of a state row in 8-byte words.
        max_actions: Capacity of a list of legal actions: a bound that the rules prove, since nothing checks it while a
            search runs. The conformance kit and ``TURNWISE_BOUNDSCHECK=1`` put guard words after lists.
        max_turn: Capacity of a plan in actions. Longer turns are planned in parts, so it should be the largest number
            of actions in one turn where the rules limit that, and a generous one elsewhere.
        scratch_words: Size in 8-byte words of the memory of a rollout policy during a rollout.
        is_stochastic: Whether chance takes part after the start.
        reveals_in_turn: Whether a player can learn something new in the middle of its own turn (chance or hidden
            information), so that a plan may have to be revised.
        completion: How searches complete a turn that they have not planned to its end: "action-score" (the best-scored
            action), "end" (end the turn, where that is legal), "uniform" (a random legal action), one of the game's
            policies, or an expression of scripts. Empty: the first of these three for which the game has the function
            or action.
        policies: Names of the game's rollout policies, in the order of their index.
        objective: The metric by which solutions of a single-player game are reported ("score"); empty: the return.
        less_is_better: Whether a smaller objective is better.
        seats: Names of the players; players without a name are "player 1" and so on.
        metrics: Names of the numbers that the function ``metrics`` writes.
        max_actors: Capacity of a list of actors, for games with the function ``actors``; 0: that of a legal list.
        script_words: Size in 8-byte words of a script's scratch memory; it always has room for a legal list.
        indices: Number of places that the function ``index`` gives actions; 0: the game has no such function.
        feature_shape: Shape of the array that the function ``features`` writes; empty: the game has no such function.
        default_evaluation: The evaluation that planners use by default; "rollouts" in games without evaluations.
        evaluation_aliases: Reading ("as-coded", "as-published") -> evaluation that this reading uses in this game.
        files: Options of the command line that take a name or a file (a board, a track).
    """

    name: ClassVar[str]
    title: ClassVar[str]
    rules_version: str
    Options: ClassVar[type[GameOptions]]

    options: GameOptions
    players: int
    setup: Row
    state_words: int
    max_actions: int
    max_turn: int
    scratch_words: int = 0
    is_stochastic: bool = False
    reveals_in_turn: bool = False
    completion: str = ""
    policies: tuple[str, ...] = ()
    max_actors: int = 0
    script_words: int = 0
    indices: int = 0
    feature_shape: tuple[int, ...] = ()
    metrics: tuple[str, ...] = ()
    default_evaluation: str = ROLLOUTS
    evaluation_aliases: Mapping[str, str] = {}
    objective: str = ""
    less_is_better: bool = False
    seats: tuple[str, ...] = ()
    files: tuple[FileOption, ...] = ()
    end_action: int | None = None  # the code that ends a turn early, if the rules accept one at any time
    poll_every: int = 64  # largest number of cheap steps of a search between two readings of the clock

    def __init__(self, /, **options: Any) -> None:
        """Check the options of a scenario; a subclass calls it first and works out the rest from ``self.options``.

        Args:
            **options: Scenario options, see ``Options``.

        Raises:
            OptionError: An unknown option or an impossible value.
        """
        self.options = self.read_options(**options)

    # ------------------------------------------------------------------------------------------- to be supplied

    @abstractmethod
    def functions(self) -> Mapping[str, Entry | int]:
        """The function table: all required names and any optional ones of :mod:`turnwise.core.table`."""

    @abstractmethod
    def evaluations(self) -> Mapping[str, Evaluation]:
        """The game's evaluations by name."""

    def scripts(self) -> Mapping[str, Script]:
        """The game's scripts by name; the first one of a single-player game also completes turns without search."""
        return {}

    def return_bounds(self) -> tuple[float, float]:
        """Smallest and largest result of a player, to which the built-in evaluation "rollouts" cuts its values."""
        return -1.0, 1.0

    @abstractmethod
    def action_text(self, row: Row, action: int) -> str:
        """Text of an action in a state, even if it is not legal there.

        Raises:
            NotationError: No action has that code, which may be any 64-bit number.
        """

    @abstractmethod
    def parse_action(self, row: Row, text: str) -> int:
        """Code of an action's text; the inverse of :meth:`action_text`.

        Raises:
            NotationError: The text is not an action of this game.
        """

    @abstractmethod
    def state_dict(self, row: Row) -> dict[str, Any]:
        """Canonical JSON form of a state; equal dictionaries mean equal states."""

    @abstractmethod
    def state_row(self, data: Mapping[str, Any]) -> Row:
        """Row of a canonical JSON form; the inverse of :meth:`state_dict`.

        Raises:
            NotationError: Fields are missing or invalid.
        """

    def state_dict_like(self, row: Row, recorded: Mapping[str, Any]) -> dict[str, Any]:
        """Write a state in the version of the JSON form that a recorded state has, to compare the two.

        Only games whose form has changed, and whose :meth:`state_row` still reads the older form, need to override it.
        """
        return self.state_dict(row)

    def check_row(self, row: Row) -> None:
        """Refuse a row of the right width that is not a valid state, before a compiled function reads it.

        The default converts the row to its JSON form and back. Override it if that form omits part of the row.

        Args:
            row: uint64[state_words], from the caller.

        Raises:
            NotationError: No state of this scenario has this row.
        """
        try:
            is_state = np.array_equal(self.state_row(self.state_dict(row)), row)
        except Exception:  # a row may hold anything, so any function that reads it may fail in any way
            is_state = False
        if not is_state:
            raise NotationError(
                f"No state of {self.spec} has this row. Take rows from states of the same scenario (state.row), or "
                "read a state with game.from_dict."
            )

    def layout(self) -> np.dtype[Any]:
        """The fields of a state row: ``rows.view(game.layout())`` gives an array of NumPy records.

        The default is the record class that the game's functions read, if it describes the whole row.

        Returns:
            A structured dtype of 8 * state_words bytes.

        Raises:
            GameFunctionError: The game does not name the fields of its rows.
        """
        from turnwise.jit.kernel import Entry
        from turnwise.jit.record import Record

        for function in self.functions().values():
            seen = function.classes()[1] if isinstance(function, Entry) else None
            if isinstance(seen, type) and issubclass(seen, Record) and seen.dtype.itemsize == 8 * self.state_words:
                return seen.dtype
        raise GameFunctionError(
            f"{self.name} does not name the fields of its rows. Override layout() so that it returns a NumPy dtype of "
            f"{8 * self.state_words} bytes, or read states as dictionaries (state.to_dict())."
        )

    def ending_text(self, row: Row) -> str:
        """The game's own name for its ending ("crystals", "turn limit"); empty if it has none.

        "turn limit" means to the arena that a limit caused a draw, not the winning conditions.
        """
        return ""

    def objective_of(self, value: float, evaluation: str) -> float | None:
        """The objective of a game that ends with a value, for displays while a search runs.

        Args:
            value: A value of the evaluation.
            evaluation: Its own name.

        Returns:
            The objective; None if it does not follow from the value.
        """
        return None

    def board_text(self, row: Row) -> str:
        """The state for a terminal."""
        import json

        return json.dumps(self.state_dict(row), indent=1)

    def coloured_board_text(self, row: Row) -> str:
        """The state for a terminal with colours (ANSI codes); games without colours show plain text."""
        return self.board_text(row)

    def svg(self, row: Row, last_action: str | None = None) -> str:
        """The state as a self-contained SVG; games without a drawing show the board's text."""
        from html import escape

        lines = self.board_text(row).splitlines()
        spans = "".join(f'<tspan x="8" dy="1.2em">{escape(line)}</tspan>' for line in lines)
        height = 20 + 17 * len(lines)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 {height}" width="640" role="img">'
            f'<rect width="640" height="{height}" fill="#fff"/>'
            f'<text xml:space="preserve" font-family="monospace" font-size="14" y="8">{spans}</text></svg>'
        )

    def svg_of(self, rows: Sequence[Row], last_action: str | None = None) -> str:
        """The last of a game's states as an SVG that may show how the game got there (a path, for example).

        Args:
            rows: All states so far in order, at least one.
            last_action: Text of the action that led to the last one.
        """
        return self.svg(rows[-1], last_action)

    # --------------------------------------------------------------------------------------------- for everyone

    @classmethod
    def read_options(cls, /, **options: Any) -> GameOptions:
        """Check scenario options.

        Raises:
            OptionError: An option is unknown or has an invalid value; the message lists what is possible.
        """
        try:
            return cls.Options(**options)
        except ValidationError as error:
            raise OptionError(validation_message(f"{cls.name} scenario", cls.Options, error)) from None

    @cached_property
    def pointers(self) -> dict[str, int]:
        """Address of every table function, 0 if it is absent; compiles on first use.

        Raises:
            GameFunctionError: A required function is missing or a name is unknown.
        """
        from turnwise.core.table import REQUIRED, SIGNATURES
        from turnwise.jit.kernel import Entry

        given = self.functions()
        missing = [name for name in REQUIRED if name not in given]
        unknown = [name for name in given if name not in SIGNATURES]
        if missing or unknown:
            raise GameFunctionError(
                f"The function table of {self.name!r} misses {missing or 'nothing'} and has unknown names "
                f"{unknown or 'none'}; the names are {', '.join(SIGNATURES)}."
            )
        for name, function in given.items():
            if isinstance(function, Entry) and function.signature != SIGNATURES[name]:
                raise GameFunctionError(
                    f"The function {name!r} of {self.name!r} has the signature {function.signature}; expected "
                    f'{SIGNATURES[name]}. Decorate it with @game_function("{name}").'
                )
        return {name: _address(given[name]) if name in given else 0 for name in SIGNATURES}

    @cached_property
    def hides_information(self) -> bool:
        """Whether players do not know the whole state: the game has the functions ``view`` and ``determinise``."""
        return {"view", "determinise"} <= set(self.functions())

    @cached_property
    def pointer_row(self) -> Row:
        """uint64[functions]: the pointers in the table's order."""
        return np.array(list(self.pointers.values()), np.uint64)

    @property
    def setup_address(self) -> Address:
        """Address of the setup row."""
        if self._setup_place[0] is not self.setup:
            self._setup_place = (self.setup, array_address(self.setup))
        return self._setup_place[1]

    _setup_place: tuple[Row | None, Address] = (None, Address(0))

    @cached_property
    def _registered(self) -> dict[str, Evaluation]:
        return dict(self.evaluations())

    @cached_property
    def _added(self) -> dict[str, Evaluation]:
        return {}

    @property
    def evaluation_names(self) -> tuple[str, ...]:
        """Names of the game's evaluations, including user-defined ones; "rollouts" is built in."""
        return tuple(self._registered)

    def evaluation(self, name: str = "") -> tuple[str, Evaluation]:
        """Look up an evaluation by name or by the name of a reading ("as-coded").

        Args:
            name: Name of the evaluation, which may set its parameters: ``linear(cities=2)``; "rollouts" is built in.
                Empty: the game's default.

        Returns:
            The evaluation's own name, with the parameters that were set, and the evaluation.

        Raises:
            OptionError: The name is not a string, or sets parameters in another form.
            UnknownNameError: There is no evaluation of that name, or it has no such parameter.
        """
        name = arguments.text(name, "The name of an evaluation")
        if name in ("as-coded", "as-published") and name not in self._registered:
            name = self.evaluation_aliases.get(name, "")
        name = name or self.default_evaluation
        if name in self._registered:
            return name, self._registered[name]
        if name == ROLLOUTS:
            return name, self._rollouts
        if "(" not in name:
            raise unknown_name(f"evaluation of {self.name}", name, [*self._registered, ROLLOUTS])
        name, changes = split_name(name)
        name, plain = self.evaluation(name)
        return joined_name(name, changes), plain.with_parameters(name, changes)

    @property
    def _rollouts(self) -> Evaluation:
        """The built-in evaluation, with the game's bounds."""
        return Evaluation(0, *self.return_bounds(), "result of a rollout to the end of the game")

    @cached_property
    def _scripts(self) -> dict[str, Script]:
        return dict(self.scripts())

    @cached_property
    def _added_scripts(self) -> dict[str, Script]:
        return {}

    @property
    def script_names(self) -> tuple[str, ...]:
        """Names of all scripts, including user-defined ones."""
        return tuple(self._scripts)

    def script(self, name: str) -> Script:
        """Look up a script.

        Raises:
            OptionError: The name is not a string.
            UnknownNameError: There is no script of that name.
        """
        name = arguments.text(name, "The name of a script")
        if name not in self._scripts:
            raise unknown_name(f"script of {self.name}", name, self._scripts)
        return self._scripts[name]

    def add_evaluation(self, name: str, evaluation: Evaluation) -> None:
        """Add an evaluation that has already been tested; see :meth:`register_evaluation`."""
        self._registered[name] = self._added[name] = evaluation

    def add_script(self, name: str, script: Script) -> None:
        """Add a script that has already been tested; see :meth:`register_script`."""
        self._scripts[name] = self._added_scripts[name] = script

    # ------------------------------------------------------------------------------------------ pickles and copies

    def packed_row(self, row: Row) -> Any:
        """The picklable form of a state."""
        return self.state_dict(row)

    def unpacked_row(self, packed: Any) -> Row:
        """The row of a state's picklable form."""
        return self.state_row(packed)

    def packed_evaluation(self, evaluation: Evaluation) -> Any:
        """The picklable form of an evaluation that was added to this game."""
        return evaluation

    def unpacked_evaluation(self, packed: Any) -> Evaluation:
        """The evaluation of a picklable form."""
        evaluation: Evaluation = packed
        return evaluation

    def packed_script(self, script: Script) -> Any:
        """The picklable form of a script that was added to this game."""
        return script

    def unpacked_script(self, packed: Any) -> Script:
        """The script of a picklable form."""
        script: Script = packed
        return script

    def hold(self, row: Row) -> object:
        """An object that a :class:`State` must keep alive for its row to stay valid."""
        return None

    def raise_failure(self) -> None:
        """Raise the error of a failed game function, if there is one."""

    def shares_rows(self, other: Scenario) -> bool:
        """Whether rows of another game object are valid for this one: it is the same scenario."""
        return self is other or (type(self) is type(other) and self.spec == other.spec)

    def checked_player(self, value: object) -> int:
        """Check a player's number, from 0, that a caller passed.

        Raises:
            OptionError: There is no such player.
        """
        if type(value) is int and 0 <= value < self.players:
            return value
        hint = (
            f"{self.spec} has {counted(self.players, 'player')}. The Python interface counts players from 0, notation "
            "and displays from 1."
        )
        return arguments.whole_number(value, "A player", 0, self.players - 1, hint=hint)

    def row_copy(self, value: object) -> Row:
        """A contiguous copy of an array of the form of a state row; :meth:`check_row` checks its content.

        Returns:
            uint64[state_words].

        Raises:
            OptionError: The value is not an array of uint64.
            CapacityError: The array has another shape.
        """
        given = arguments.instance(value, np.ndarray, "A state row", f"an array uint64[{self.state_words}]")
        if given.dtype != np.uint64:
            raise OptionError(f"A state row must be an array of uint64; got one of {given.dtype}.")
        if given.shape != (self.state_words,):
            raise CapacityError(
                f"A state of {self.spec} has {counted(self.state_words, 'word')}; got an array of shape {given.shape}. "
                "Check that it is a row of this scenario."
            )
        return np.array(given, np.uint64, order="C")

    def without(self, function: str) -> GameFunctionError:
        """The error of a question that needs a function which the game does not have."""
        declared = {"index": " and set Game.indices", "features": " and set Game.feature_shape"}.get(function, "")
        return GameFunctionError(
            f"{self.name} has no function {function!r}. Add it to the game's functions{declared} to use this."
        )

    def seat_name(self, player: int) -> str:
        """Name of a player, counted from 0.

        Raises:
            OptionError: No such player.
        """
        player = self.checked_player(player)
        return self.seats[player] if player < len(self.seats) else f"player {player + 1}"

    def changed_options(self) -> dict[str, Any]:
        """The options that differ from the defaults, as plain values."""
        return self.options.model_dump(mode="json", exclude_defaults=True)

    @property
    def spec(self) -> str:
        """Name and options that differ from the defaults; :func:`turnwise.make` reads it back.

        Contents of scenario files appear as labels, which only a game's own ones can be made from: see
        :attr:`full_spec`.
        """
        return settings_text(self.name, self.labelled_options())

    @property
    def full_spec(self) -> str:
        """The ``spec`` with the contents of scenario files; :func:`turnwise.make` reads it back in any process."""
        return settings_text(self.name, self.changed_options())

    def labelled_options(self) -> dict[str, Any]:
        """The options that differ from the defaults, with labels instead of the contents of scenario files."""
        return self.options.model_dump(mode="json", exclude_defaults=True, context=AS_LABELS)

    def __repr__(self) -> str:
        return f"turnwise.make({self.spec!r})"


def _address(function: Entry | int) -> int:
    return function if isinstance(function, int) else function.address
