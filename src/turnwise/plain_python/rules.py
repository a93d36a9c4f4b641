"""The functions that the author of a game in plain Python writes: six required ones, and others for better play."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from hashlib import blake2b
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np
from numpy.typing import ArrayLike
from pydantic import Field

from turnwise.core.errors import GameFunctionError, NotationError
from turnwise.core.game import Game, GameOptions
from turnwise.plain_python.chance import Chance
from turnwise.plain_python.json_forms import Reader, to_plain
from turnwise.plain_python.table import ObjectTable

S = TypeVar("S")
A = TypeVar("A")


class PythonGameOptions(GameOptions):
    """Options of every plain Python game; a game with more options extends this class."""

    max_objects: int = Field(
        400_000, ge=1000, description="largest number of states kept at a time (about 1 kB each); then a search stops"
    )


class PythonRules(Game, Generic[S, A]):
    """The functions of a game; :class:`~turnwise.plain_python.game.PythonGame` makes a full game of them."""

    is_plain_python = True
    Options: ClassVar[type[GameOptions]] = PythonGameOptions
    rules_version = "1"
    players = 2
    max_turn = 32
    max_actions = 256
    state_words = 1
    poll_every = 1  # every step is slow, so a search reads the clock before each
    default_evaluation = "heuristic"
    bounds: tuple[float, float] = (-1.0, 1.0)
    ends_turn: Any = None

    _table: ObjectTable
    _reader: Reader | None = None

    # ----------------------------------------------------------------------------------------- the game: required

    @abstractmethod
    def first_state(self, random: Chance) -> S:
        """The first state. Annotate the result: its type determines how states are read back from JSON."""

    @abstractmethod
    def legal_actions(self, state: S) -> Sequence[A]:
        """All legal actions, always in the same order; never empty, and called only while the game goes on."""

    @abstractmethod
    def play(self, state: S, action: A, random: Chance) -> S:
        """The state after a legal action."""

    @abstractmethod
    def to_move(self, state: S) -> int:
        """The player to move, from 0; -1 when the game is over."""

    @abstractmethod
    def turn(self, state: S) -> int:
        """Number of the turn: a turn is the longest run of actions with one mover and one number."""

    @abstractmethod
    def returns(self, state: S) -> Sequence[float]:
        """Result per player, higher is better (1, 0, -1 for win, draw, loss; or a score)."""

    # ------------------------------------------------------------------------------- the game: better players

    def evaluate(self, state: S, player: int) -> float:
        """Value for a player within ``bounds``, higher is better.

        A game without this function is searched with rollouts to its end, whose results are cut to ``bounds``.
        """
        low, high = self.bounds
        value = float(self.returns(state)[player]) if self.to_move(state) < 0 else (low + high) / 2
        return min(high, max(low, value))

    def evaluate_all(self, state: S) -> Sequence[float]:
        """Values for all players by ``evaluate``, for games that know them all at once."""
        return [self.evaluate(state, player) for player in range(self.players)]

    def is_legal(self, state: S, action: A) -> bool:
        """Whether the rules accept an action that is not listed."""
        return False

    def action_score(self, state: S, action: A) -> float:
        """Cheap score of an action, higher is better: greedy players and completed turns follow it."""
        return 0.0

    def action_group(self, state: S, action: A) -> str:
        """The group that a legal action belongs to, one of ``action_groups``: what options of planners can name."""
        return self.action_groups[0]

    def verb(self, state: S, action: A) -> int:
        """What a legal action does, as a number from 0: one for moving, another one for attacking, and so on."""
        return 0

    def prune(self, state: S, actions: Sequence[A]) -> Sequence[A]:
        """The promising actions: a subset of the given ones, in their order, never empty."""
        return actions

    def actor(self, state: S, action: A) -> int:
        """Number of the unit or card that an action belongs to, from 0; below 0: none, as for the end of a turn.

        ``turnwise play`` groups the legal actions by it.
        """
        return 0

    def actors(self, state: S, player: int) -> Sequence[int]:
        """Numbers of a player's units and cards, in a fixed order, whether they can act or not.

        Without this method the player to move has the actors of the legal actions.
        """
        return []

    def actor_kind(self, state: S, actor: int) -> int:
        """The kind of an actor (its type of unit), from 0."""
        return 0

    def actor_health(self, state: S, actor: int, steps: int) -> int:
        """The health of an actor in whole steps, of which full health has ``steps`` (health * steps // full health)."""
        return steps

    def actor_actions(self, state: S, actor: int) -> Sequence[A]:
        """The legal actions of an actor of the player to move, in the order of :meth:`legal_actions`; may be empty."""
        return [action for action in self.legal_actions(state) if self.actor(state, action) == actor]

    def enemy_distance(self, state: S, actor: int) -> int:
        """How far an actor is from the closest enemy that its player knows of, from 0; below 0: from none."""
        return -1

    def heir(self, state: S, actor: int, action: A) -> int:
        """Number that an actor has after an action played in ``state``, its own or another's; below 0: none any more.

        For games that know a unit by its square: a unit that steps gets the number of its new square.
        """
        return actor

    def nearest(self, state: S, action: A) -> A:
        """The legal action closest to one that is not legal."""
        return self.legal_actions(state)[0]

    def canonical(self, state: S, action: A) -> A:
        """The listed action that a legal one equals, for games that also accept actions that they do not list."""
        return action

    def neighbour_action(self, state: S, action: A, random: Chance) -> A:
        """A random legal action close to a given one, which need not be legal."""
        return random.choice(self.legal_actions(state))

    def move_code(self, state: S, action: A) -> int:
        """Number of a move for policies that are learnt over moves."""
        return 0

    def prior_logit(self, state: S, action: A, name: str) -> float:
        """Log-weight that a learnt policy starts from, under the rollout policy of that name."""
        return 0.0

    def policy(self, state: S, name: str, random: Chance) -> A:
        """An action by the rollout policy of that name (one of ``policies``)."""
        return random.choice(self.legal_actions(state))

    def script_functions(self) -> Mapping[str, Callable[..., A | None]]:
        """The game's scripts by name: functions ``(state, actor, random) -> action``.

        A script returns a legal action of that actor, or of any if the actor is None; None where it has no action. The
        first line of its docstring is its summary; keyword-only arguments with numbers as defaults are its named
        parameters.
        """
        return {}

    def view(self, state: S, player: int) -> S:
        """The state as a player may know it; deterministic."""
        return state

    def determinise(self, state: S, player: int, random: Chance) -> S:
        """A full state that agrees with what a player knows; the rest is drawn."""
        return state

    def news(self, expected: S, seen: S, player: int) -> bool:
        """Whether what a player sees differs from what its plan expected in a way that matters for the plan."""
        return expected != seen

    def measure(self, state: S, player: int) -> Sequence[float]:
        """The values of the metrics that ``metrics`` names, for tables."""
        return [0.0] * len(self.metrics)

    def index(self, state: S, action: A) -> int:
        """Place of a legal action in 0..``indices`` - 1, different for all actions of a legal list."""
        return 0

    def features(self, state: S, player: int) -> ArrayLike:
        """An array of the shape ``feature_shape`` (float32) that describes a state as a player sees it."""
        return np.zeros(self.feature_shape, np.float32)

    def fingerprint(self, state: S) -> int:
        """64-bit hash, equal for equal states and the same in every process.

        The default hashes the repr. Write your own if a state contains sets or dictionaries, whose repr can have
        several orders.
        """
        return _repr_fingerprint(self.name, state)

    # ------------------------------------------------------------------------------------------ the game: notation

    def show_action(self, action: A) -> str:
        """Text of an action."""
        return action if isinstance(action, str) else str(action)

    def read_action(self, state: S, text: str) -> A:
        """The action of a text; the default looks among the legal actions, then among all actions seen so far.

        Raises:
            NotationError: There is no such action.
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
            NotationError: Fields are missing, unknown or invalid.
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

    def overrides(self, name: str) -> bool:
        """Whether the subclass overrides a function."""
        return getattr(type(self), name) is not getattr(PythonRules, name)


def _repr_fingerprint(game_name: str, state: object) -> int:
    """64 bits of a state's repr.

    Raises:
        GameFunctionError: The repr contains a memory address, so it does not represent the state.
    """
    text = repr(state)
    if " at 0x" in text:
        raise GameFunctionError(
            f"{game_name}: the repr of {type(state).__name__} shows a memory address, so equal states would have "
            "different fingerprints. Use frozen dataclasses or tuples, or write fingerprint(state)."
        )
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "little")
