"""An immutable game state for people and tests; searches work on its row."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from turnwise.core import arguments, calls, returned
from turnwise.core.chance import as_outcomes, derive_seed, generator
from turnwise.core.declaration import Row
from turnwise.core.errors import CapacityError, OptionError, counted, shown
from turnwise.core.position import Position
from turnwise.core.rollouts import rollout_value
from turnwise.core.saved_state import content_of, parsed_state
from turnwise.core.scenario import A_GAME, Scenario
from turnwise.core.step import step
from turnwise.jit.record import array_address

if TYPE_CHECKING:
    from turnwise.core.game import Game


class State(Position):
    """A state of a game; playing an action returns a new state.

    Attributes:
        game: The scenario.
        row: uint64[game.state_words], read-only.
        address: Address of the row, valid as long as the state lives.
        chance: The 64-bit word of this state's own chance stream (not part of its identity).
        outcomes: Chance outcomes drawn in the step that led here, for replays.
    """

    __slots__ = ("chance", "outcomes")

    def __init__(self, game: Game, row: Row, chance: int = 0, outcomes: Sequence[int] = ()) -> None:
        """Make a state from a row.

        Args:
            game: The scenario.
            row: uint64[game.state_words], a valid row of this scenario; it is copied.
            chance: Seed of the state's own chance stream.
            outcomes: Chance outcomes drawn in the step that led here.

        Raises:
            OptionError: The game, the array of uint64 or the seed has another type.
            CapacityError: The row has another width.
            NotationError: No state of the scenario has this row, or the outcomes are not whole numbers.
        """
        if not isinstance(game, Scenario):
            raise OptionError(f"The game must be {A_GAME}; got {shown(game)}.")
        row = game.row_copy(row)
        game.check_row(row)
        self._fill(game, row, arguments.seed(chance), tuple(as_outcomes(outcomes).tolist()))

    def _fill(self, game: Game, row: Row, chance: int, outcomes: tuple[int, ...]) -> None:
        self._hold(game, row)
        self.chance = chance & 0xFFFFFFFFFFFFFFFF
        self.outcomes = outcomes

    @classmethod
    def _made(cls, game: Game, row: Row, chance: int = 0, outcomes: tuple[int, ...] = ()) -> State:
        """Make a state from a row that the game's own functions have written; from now on nothing writes to the row.

        Raises:
            CapacityError: The row has another width.
        """
        if row.shape != (game.state_words,):
            raise CapacityError(f"A state of {game.spec} has {counted(game.state_words, 'word')}; got {row.shape}.")
        made = cls.__new__(cls)
        made._fill(game, row, chance, outcomes)
        return made

    def _later_in_turn(self, row: Row) -> State:
        """A state of the same turn, from a row that the game's own functions have written; see :meth:`_made`."""
        later = self._made(self.game, row, self.chance)
        later._to_move, later._turn = self._to_move, self._turn
        return later

    @classmethod
    def started(cls, game: Game, seed: int, outcomes: Sequence[int] | None = None) -> State:
        """See :meth:`Game.start`."""
        _ = game.options  # a clear error if an __init__ of the user's does not call that of its base
        _ = game.pointers  # checks the sizes that the game declares, before a row of that size is made
        blank = np.zeros(game.state_words, np.uint64)
        seed = arguments.seed(seed)
        return cls._made(game, *step(game, blank, seed, outcomes, lambda row, rng: calls.call(game, "start", row, rng)))

    # ----------------------------------------------------------------------------------------------------- values

    def evaluate(self, player: int, evaluation: str = "", root: State | None = None) -> float:
        """Evaluate the state for a player.

        Args:
            player: The player, from 0.
            evaluation: Name of the evaluation; empty: the game's default. "rollouts" plays one, the same for equal
                states.
            root: The state from which a search would have started (default: this state).

        Raises:
            OptionError: No such player, or the root belongs to another scenario.
            UnknownNameError: No such evaluation.
        """
        chosen = self.game.evaluation(evaluation)[1]
        player = self.game.checked_player(player)
        root = self if root is None else as_state(root, self.game)
        if chosen.function == 0:
            return rollout_value(self.game, self.row, player, derive_seed("rollout", self.fingerprint))
        return calls.value(self.game, chosen, root.row, self.row, player)

    # ------------------------------------------------------------------------------------------------- new states

    def play(self, action: str | int, outcomes: Sequence[int] | None = None) -> State:
        """The state after an action.

        Args:
            action: Text or code.
            outcomes: Recorded chance outcomes to follow instead of this state's own chance stream.

        Raises:
            IllegalActionError: The rules do not accept the action here, or it is neither text nor a code.
            NotationError: The text is not an action, or the outcomes do not fit.
        """
        return self._apply(self._legal_code(action), outcomes)

    def after(self, action: str | int) -> State | None:
        """The state after an action; None if the rules do not accept it.

        Raises:
            IllegalActionError: The action is neither a string nor a 64-bit whole number.
            NotationError: The text is not an action of this game.
        """
        code = self.code(action)
        return self._apply(code, None) if self.is_legal(code) else None

    def _apply(self, code: int, outcomes: Sequence[int] | None) -> State:
        game = self.game
        return self._made(
            game,
            *step(game, self.row, self.chance, outcomes, lambda row, rng: calls.call(game, "apply", row, code, rng)),
        )

    def with_chance(self, seed: int) -> State:
        """The same state with another chance stream, so that a search cannot look into the true future.

        Raises:
            OptionError: The seed is not a whole number.
        """
        return self._made(self.game, self.row, arguments.seed(seed))

    def view(self, player: int) -> State:
        """The state as a player, from 0, may know it: the state itself if nothing is hidden.

        Raises:
            OptionError: No such player.
        """
        player = self.game.checked_player(player)
        if not self.game.pointers["view"]:
            return self
        out = np.zeros(self.game.state_words, np.uint64)
        calls.call_at(self.game, "view", self.address, player, array_address(out))
        return self._made(self.game, out, self.chance)

    def determinise(self, player: int, seed: int) -> State:
        """A full state that agrees with what a player, from 0, knows; chance fills the rest.

        Raises:
            OptionError: No such player, or the seed is not a whole number.
        """
        player = self.game.checked_player(player)
        rng = generator(arguments.seed(seed))
        if not self.game.pointers["determinise"]:
            return self
        row = self.row.copy()
        calls.call(self.game, "determinise", row, player, array_address(rng))
        return self._made(self.game, row, self.chance)

    def has_news(self, expected: State, player: int) -> bool:
        """Whether this state, as a player sees it, differs from the expected one in a way that matters for a plan.

        Without the game's function ``news`` every difference matters.

        Args:
            expected: The state that the player's plan leads to, as the player would see it.
            player: The player, from 0.

        Raises:
            OptionError: No such player, or the expected state belongs to another scenario.
        """
        player = self.game.checked_player(player)
        expected = as_state(expected, self.game)
        if not self.game.pointers["news"]:
            return self != expected
        return bool(calls.call_at(self.game, "news", expected.address, self.address, player))

    # ------------------------------------------------------------------------------------------------------ forms

    def to_dict(self) -> dict[str, Any]:
        """Canonical JSON form."""
        return returned.state_dict(self.game, self.row)

    def to_json(self) -> str:
        """One JSON object that names the game, its rules version and options, and holds the state."""
        return json.dumps(envelope(self.game, self.to_dict()))

    @classmethod
    def from_json(cls, text: str, game: Game, seed: int = 0) -> State:
        """The state that :meth:`to_json` wrote; a bare state (:meth:`to_dict` as JSON) is read, too.

        Args:
            text: The text.
            game: The scenario; a text that names its game, options and rules must be of it.
            seed: Seed of the state's own chance stream, which the text does not hold.

        Raises:
            NotationError: The text holds no state of the game.
            OptionError: It is of another game, other options or other rules, or the seed is not a whole number.
        """
        if not isinstance(game, Scenario):
            raise OptionError(f"The game must be {A_GAME}; got {shown(game)}.")
        return game.from_dict(content_of(parsed_state(text), game), seed)

    def __str__(self) -> str:
        return returned.board_text(self.game, self.row)

    def __repr__(self) -> str:
        mover = "over" if self.is_over else self.game.seat_name(self.to_move) + " to move"
        return f"<State of {self.game.spec}: turn {self.turn}, {mover}>"

    def _repr_svg_(self) -> str:
        return returned.svg(self.game, self.row)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return False
        if self.game.shares_rows(other.game) and np.array_equal(self.row, other.row):
            return True
        return self.to_dict() == other.to_dict()  # of different rows or game objects

    def __hash__(self) -> int:
        return hash(self.fingerprint)

    def __reduce__(self) -> tuple[Any, ...]:
        return restored_state, (self.game, self.game.packed_row(self.row), self.chance, self.outcomes)

    def __copy__(self) -> State:
        return self  # a state is immutable

    def __deepcopy__(self, memo: dict[int, Any]) -> State:
        return self


def envelope(game: Game, state: Mapping[str, Any]) -> dict[str, Any]:
    """A state's dictionary with everything that is needed to read it in another process."""
    options = game.options.model_dump(mode="json", exclude_defaults=True)
    return {"game": game.name, "rules": game.rules_version, "options": options, "state": dict(state)}


def restored_state(game: Game, packed: Any, chance: int, outcomes: tuple[int, ...]) -> State:
    """Make a state from the result of :meth:`State.__reduce__`."""
    return State(game, game.unpacked_row(packed), chance, outcomes)


def as_state(value: object, game: Scenario | None = None) -> State:
    """Check a state, which must belong to the scenario if one is given.

    Raises:
        OptionError: The value is not a State, or belongs to another scenario.
    """
    found = arguments.instance(value, State, "The state", "a State, as game.start() returns it")
    if game is not None and not game.shares_rows(found.game):
        other = found.game.spec
        came = f"a state of another game object of {other}" if other == game.spec else f"a state of {other}"
        raise OptionError(f"Expected a state of {game.spec}; got {came}. Take all states from one game object.")
    return found
