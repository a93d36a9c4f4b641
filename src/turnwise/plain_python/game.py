"""Games written in plain Python, with immutable states, for all planners.

Subclass :class:`PythonGame`, write six functions, and the result is a full :class:`~turnwise.core.game.Game`: compiled
planners, arena, command line and conformance kit take it. A call into Python costs what Python costs: expect a
hundredth to a twentieth of the steps per second of a compiled game, depending on the game's own functions.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, TypeVar

import numpy as np
from pydantic import Field

from turnwise.core.errors import GameFunctionError, NotationError, OptionError, TurnwiseError, brief, shown
from turnwise.core.game import Evaluation, Game, GameOptions, Words
from turnwise.core.table import REQUIRED
from turnwise.plain_python.calls import TableFunctions, repr_fingerprint
from turnwise.plain_python.chance import Chance
from turnwise.plain_python.json_forms import Reader, to_plain
from turnwise.plain_python.pickling import AsJson, PackedEvaluation, can_be_pickled
from turnwise.plain_python.table import Hold, ObjectTable
from turnwise.search.problem import Problem

S = TypeVar("S")
A = TypeVar("A")
_BARE = "(state)"  # key for JSON forms that are no dictionaries


class PythonGameOptions(GameOptions):
    """Options of every plain Python game; a game with options of its own extends this."""

    max_objects: int = Field(
        400_000, ge=1000, description="most states kept at a time (about 1 kB each); a search stops when all are used"
    )


_OPTIONAL = (
    *("prune", "order", "actor", "nearest", "canonical", "vary", "move_code", "bias"),
    *("policy", "script", "view", "determinise"),
)


class PythonGame(Game, Generic[S, A]):
    """A game written in plain Python.

    States (type ``S``) are immutable and hashable: frozen dataclasses, named tuples, tuples. Actions (type ``A``) are
    hashable: text, numbers, tuples, enums. Write ``first_state``, ``legal_actions``, ``play``, ``to_move``, ``turn``
    and ``returns``; everything else has a default. Class attributes give ``players``, ``max_turn`` (most actions in one
    turn), ``max_actions`` (longest legal list), and where they apply ``is_stochastic``, ``reveals_in_turn``,
    ``plan_share``, ``seats``,
    ``policies``, ``scripts``, ``metrics``, ``bounds`` (of ``evaluate``) and ``ends_turn`` (the action that ends a turn
    early, if one can be played at any time).

    The functions must be pure: equal arguments and draws, equal results. All chance comes from the
    :class:`~turnwise.plain_python.chance.Chance` object that is handed in.

    What a function raises, or a result of a wrong type, stops the search and comes out of the call that used the game
    as :class:`~turnwise.core.errors.GameFunctionError` with the original error as its cause.
    """

    Options = PythonGameOptions
    rules_version = "1"
    players = 2
    max_turn = 32
    max_actions = 256
    state_words = 1
    poll_every = 1  # every step is slow here, so a search looks at the clock before each
    default_evaluation = "heuristic"
    bounds: tuple[float, float] = (-1.0, 1.0)
    ends_turn: Any = None

    def __init_subclass__(cls, **more: Any) -> None:
        """Name the game after its class unless it has a name."""
        super().__init_subclass__(**more)
        words = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+", cls.__name__)
        if "name" not in cls.__dict__:
            cls.name = "-".join(words).lower()
        if "title" not in cls.__dict__:
            cls.title = " ".join(words)

    def __init__(self, /, **options: Any) -> None:
        """Make a scenario.

        Args:
            **options: The scenario options, see ``Options``.

        Raises:
            OptionError: An unknown option or an impossible value.
        """
        self.options = self.read_options(**options)
        self.setup: Words = np.zeros(1, np.uint64)
        self._table = ObjectTable(self.name, getattr(self.options, "max_objects", 400_000))
        self._calls = TableFunctions(self, self._table)
        self._reader: Reader | None = None
        if self.ends_turn is not None:
            self.end_action = self._table.code(self.ends_turn)

    # ----------------------------------------------------------------------------------------- the game: required

    @abstractmethod
    def first_state(self, random: Chance) -> S:
        """The first state. Annotate the result: the type tells how states are read back from JSON."""

    @abstractmethod
    def legal_actions(self, state: S) -> Sequence[A]:
        """All legal actions, always in the same order; asked only while the game goes on, and never empty."""

    @abstractmethod
    def play(self, state: S, action: A, random: Chance) -> S:
        """The state after a legal action."""

    @abstractmethod
    def to_move(self, state: S) -> int:
        """Whose decision it is, from 0; -1 when the game is over."""

    @abstractmethod
    def turn(self, state: S) -> int:
        """Number of the turn: a turn is the longest run of actions with one mover and one number."""

    @abstractmethod
    def returns(self, state: S) -> Sequence[float]:
        """Result per player, higher is better (1, 0, -1 for win, draw, loss; or a score)."""

    # ------------------------------------------------------------------------------- the game: better players

    def evaluate(self, state: S, player: int) -> float:
        """Value for a player within ``bounds``, higher is better; the default knows only the end of the game."""
        low, high = self.bounds
        value = float(self.returns(state)[player]) if self.to_move(state) < 0 else (low + high) / 2
        return min(high, max(low, value))

    def is_legal(self, state: S, action: A) -> bool:
        """Whether the rules accept an action that is not listed."""
        return False

    def order(self, state: S, action: A) -> float:
        """Cheap score of an action, higher is better: greedy players and completed turns follow it."""
        return 0.0

    def prune(self, state: S, actions: Sequence[A]) -> Sequence[A]:
        """The actions worth looking at: a part of the given ones, in their order, never empty."""
        return actions

    def actor(self, state: S, action: A) -> int:
        """Number of the unit or card that an action belongs to."""
        return 0

    def nearest(self, state: S, action: A) -> A:
        """The legal action closest to one that is not legal."""
        return self.legal_actions(state)[0]

    def canonical(self, state: S, action: A) -> A:
        """The listed action that a legal one equals, for games that also take actions they do not list."""
        return action

    def vary(self, state: S, action: A, random: Chance) -> A:
        """A random legal action close to a given one, which need not be legal."""
        return random.choice(self.legal_actions(state))

    def move_code(self, state: S, action: A) -> int:
        """Number of a move for policies that are learnt over moves."""
        return 0

    def bias(self, state: S, action: A, name: str) -> float:
        """Log-weight that a learnt policy starts from, under the rollout policy of that name."""
        return 0.0

    def policy(self, state: S, name: str, random: Chance) -> A:
        """An action by the rollout policy of that name (one of ``policies``)."""
        return random.choice(self.legal_actions(state))

    def script(self, state: S, name: str, actor: int) -> A | None:
        """What the portfolio script of that name (one of ``scripts``) does with an actor; None: nothing."""
        return None

    def view(self, state: S, player: int) -> S:
        """The state as a player may know it; deterministic."""
        return state

    def determinise(self, state: S, player: int, random: Chance) -> S:
        """A full state that agrees with what a player knows; the rest is drawn."""
        return state

    def measure(self, state: S, player: int) -> Sequence[float]:
        """The numbers that ``metrics`` names, for tables."""
        return [0.0] * len(self.metrics)

    def fingerprint(self, state: S) -> int:
        """64-bit hash, equal for equal states and the same in every process.

        The default hashes the repr. A state with sets or dictionaries in it may print in several orders; write your
        own then.
        """
        return repr_fingerprint(self.name, state)

    # ------------------------------------------------------------------------------------------ the game: notation

    def show_action(self, action: A) -> str:
        """Text of an action."""
        return action if isinstance(action, str) else str(action)

    def read_action(self, state: S, text: str) -> A:
        """The action of a text; the default looks for it among the legal actions, then among all seen so far.

        Raises:
            NotationError: There is none.
        """
        legal = self.legal_actions(state) if self.to_move(state) >= 0 else []
        for action in [*legal, *self._table.actions.values()]:
            if self.show_action(action) == text:  # type: ignore[arg-type]
                return action  # type: ignore[return-value]
        shown = ", ".join(repr(self.show_action(action)) for action in legal[:12])
        raise NotationError(f"{text!r} is not an action of {self.name}. Legal here: {shown or 'nothing'}.")

    def to_json(self, state: S) -> Any:
        """JSON form of a state: a dictionary of plain values."""
        return to_plain(state)

    def from_json(self, data: Any) -> S:
        """The state of a JSON form.

        Raises:
            NotationError: Missing, unknown or impossible fields.
        """
        self._reader = self._reader or Reader(self.first_state, self.name)
        state: S = self._reader.read(data)
        return state

    def show(self, state: S) -> str:
        """The state for a terminal."""
        return str(state)

    def show_svg(self, state: S) -> str:
        """The state as a self-contained SVG; the default shows the text of :meth:`show`."""
        return ""

    # ----------------------------------------------------------------------------------- what makes it a full Game

    def overrides(self, name: str) -> bool:
        """Whether the subclass has its own function of a name."""
        return getattr(type(self), name) is not getattr(PythonGame, name)

    def functions(self) -> Mapping[str, int]:
        """See :meth:`Game.functions`: the required functions and those that the subclass has."""
        named = {name: getattr(self._calls, name) for name in REQUIRED}
        named |= {name: getattr(self._calls, name) for name in _OPTIONAL if self.overrides(name)}
        if self.overrides("prune"):
            named["survives"] = self._calls.survives
        if self.overrides("measure"):
            named["metrics"] = self._calls.measure
        return {name: self._calls.pointer(name, method) for name, method in named.items()}

    def evaluations(self) -> Mapping[str, Evaluation]:
        """See :meth:`Game.evaluations`: the game's ``evaluate`` under the name "heuristic"."""
        return {"heuristic": self.python_evaluation(self.evaluate, *self.bounds, summary="the game's own")}

    def python_evaluation(
        self, function: Callable[[S, int], float], low: float, high: float, summary: str = ""
    ) -> Evaluation:
        """A further evaluation in plain Python, to be given to :meth:`Game.register_evaluation`.

        Args:
            function: ``(state, player) -> float`` from ``low`` to ``high``, higher is better.
            low: Smallest value.
            high: Largest value.
            summary: One line for listings.

        Raises:
            OptionError: The function cannot be called.
        """
        if not callable(function):
            raise OptionError(f"An evaluation is a function (state, player) -> float; got {shown(function)}.")
        name = getattr(function, "__name__", "evaluation")
        pointer = self._calls.pointer("evaluation", self._calls.evaluation(function, name))
        self._calls.evaluations[pointer] = function
        return Evaluation(pointer, low, high, summary or name)

    def _ask(self, name: str, *arguments: Any) -> Any:
        """Call one of the user's functions that no search calls."""
        try:
            return getattr(self, name)(*arguments)
        except Exception as error:
            raise self._table.explained(name, error) from error

    def state_of(self, row: Words) -> S:
        """The state object of a row.

        Raises:
            GameFunctionError: The row is from a search that has ended.
        """
        state: S = self._table.node(int(row[0])).state
        return state

    def action_text(self, row: Words, action: int) -> str:
        """See :meth:`Game.action_text`.

        Raises:
            NotationError: No action has that code.
        """
        if action not in self._table.actions:
            self._calls.list_actions(int(row[0]))  # it may come from a plan of another game object
        if action not in self._table.actions:
            raise NotationError(f"{self.name}: {brief(action)} is not the code of an action.")
        text = self._ask("show_action", self._table.actions[action])
        if not isinstance(text, str):
            raise GameFunctionError(f"{self.name}: show_action returned {text!r}; expected text.")
        return text

    def parse_action(self, row: Words, text: str) -> int:
        """See :meth:`Game.parse_action`."""
        state = self.state_of(row)
        try:
            action = self.read_action(state, text)
        except TurnwiseError:
            raise
        except Exception as error:  # a reader may meet any text, and users write readers that expect good ones
            raise NotationError(f"Not an action of {self.name}: {type(error).__name__}: {error}.") from error
        return self._table.code(action)

    def state_dict(self, row: Words) -> dict[str, Any]:
        """See :meth:`Game.state_dict`; a form that is no dictionary is put into one."""
        data = self._ask("to_json", self.state_of(row))
        return data if isinstance(data, dict) else {_BARE: data}

    def state_row(self, data: Mapping[str, Any]) -> Words:
        """See :meth:`Game.state_row`."""
        try:
            state = self.from_json(data[_BARE] if set(data) == {_BARE} else data)
        except TurnwiseError:
            raise
        except Exception as error:  # a form from outside may be anything
            raise NotationError(f"Not a state of {self.name}: {type(error).__name__}: {error}.") from error
        return np.array([self._table.put(state).handle], np.uint64)

    def packed_row(self, row: Words) -> Any:
        """See :meth:`Game.packed_row`: the state object, or its JSON form if it cannot be pickled."""
        state = self.state_of(row)
        return state if can_be_pickled(state) else AsJson(self.state_dict(row))

    def unpacked_row(self, packed: Any) -> Words:
        """See :meth:`Game.unpacked_row`."""
        if isinstance(packed, AsJson):
            return self.state_row(packed.form)
        return np.array([self._table.put(packed).handle], np.uint64)

    def packed_evaluation(self, evaluation: Evaluation) -> Any:
        """See :meth:`Game.packed_evaluation`: the Python function of one that has been made from such."""
        function = self._calls.evaluations.get(evaluation.function) if isinstance(evaluation.function, int) else None
        if function is None:
            return evaluation
        is_own = getattr(function, "__self__", None) is self
        named = function.__name__ if is_own else function
        return PackedEvaluation(named, evaluation.low, evaluation.high, evaluation.summary)

    def unpacked_evaluation(self, packed: Any) -> Evaluation:
        """See :meth:`Game.unpacked_evaluation`."""
        if not isinstance(packed, PackedEvaluation):
            return super().unpacked_evaluation(packed)
        function = getattr(self, packed.function) if isinstance(packed.function, str) else packed.function
        return self.python_evaluation(function, packed.low, packed.high, packed.summary)

    def board_text(self, row: Words) -> str:
        """See :meth:`Game.board_text`."""
        return str(self._ask("show", self.state_of(row)))

    def svg(self, row: Words, last_action: str | None = None) -> str:
        """See :meth:`Game.svg`."""
        return self._ask("show_svg", self.state_of(row)) or super().svg(row, last_action)

    def before_plan(self, problem: Problem) -> None:
        """See :meth:`Game.before_plan`."""
        self._table.search_begins(problem)

    def after_plan(self, problem: Problem) -> None:
        """See :meth:`Game.after_plan`."""
        self._table.search_ends(problem)
        self._table.raise_failure()

    def hold(self, row: Words) -> Hold:
        """See :meth:`Game.hold`."""
        return self._table.hold(int(row[0]))

    def check_row(self, row: Words) -> None:
        """See :meth:`Game.check_row`; a handle is looked up, and refused, wherever it is used."""

    def shares_rows(self, other: Game) -> bool:
        """See :meth:`Game.shares_rows`: handles and action codes belong to one game object."""
        return self is other

    def raise_failure(self) -> None:
        """See :meth:`Game.raise_failure`."""
        self._table.raise_failure()
