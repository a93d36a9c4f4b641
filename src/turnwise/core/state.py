"""An immutable game state for people and tests; searches work on its row."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from turnwise.core import arguments, calls
from turnwise.core.chance import as_outcomes, as_record, derive_seed, generator, recorder, tape
from turnwise.core.errors import CapacityError, IllegalActionError, NotationError, OptionError, counted, shown
from turnwise.core.rollouts import rollout_value
from turnwise.core.scenario import A_GAME, Row, Scenario
from turnwise.core.table import ALL, NOTHING
from turnwise.jit.record import array_address

if TYPE_CHECKING:
    from turnwise.core.game import Game

_FIRST_RECORD, _LARGEST_RECORD = 256, 1 << 20


class State:
    """A state of a game; playing an action returns a new state.

    Attributes:
        game: The scenario.
        row: uint64[game.state_words], read-only.
        address: Address of the row, valid as long as the state lives.
        chance: The 64-bit word of this state's own chance stream (not part of its identity).
        outcomes: Chance outcomes drawn in the step that led here, for replays.
    """

    __slots__ = ("_held", "address", "chance", "game", "outcomes", "row")

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
        self.address = array_address(row)  # quicker as long as the row is writable
        row.flags.writeable = False
        self.game = game
        self.row: Row = row
        self._held = game.hold(row)
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

    @classmethod
    def started(cls, game: Game, seed: int, outcomes: Sequence[int] | None = None) -> State:
        """See :meth:`Game.start`."""
        blank = np.zeros(game.state_words, np.uint64)
        return cls._step(
            game, blank, arguments.seed(seed), outcomes, lambda row, rng: calls.call(game, "start", row, rng)
        )

    @classmethod
    def _step(
        cls,
        game: Game,
        row: Row,
        chance: int,
        outcomes: Sequence[int] | None,
        act: Callable[[Row, int], Any],
    ) -> State:
        """Run a game function that uses chance on a copy of a row, following a tape or recording what it draws."""
        if outcomes is not None:
            recorded = as_outcomes(outcomes)
            rng = tape(recorded)
            new = row.copy()
            act(new, array_address(rng))
            end = as_record(rng)
            if end["faults"] or end["position"] != len(recorded):
                raise NotationError(
                    f"The recorded chance outcomes do not fit: {len(recorded)} given, {end['position']} needed, "
                    f"{end['faults']} missing or out of range. The record must be from the same rules and options."
                )
            return cls._made(game, new, chance, tuple(recorded.tolist()))
        capacity = _FIRST_RECORD
        while capacity <= _LARGEST_RECORD:
            drawn = np.zeros(capacity, np.int64)
            rng = recorder(chance, drawn)
            new = row.copy()
            act(new, array_address(rng))
            end = as_record(rng)
            if not end["faults"]:
                return cls._made(game, new, int(end["word"]), tuple(drawn[: end["position"]].tolist()))
            capacity *= 16
        raise CapacityError(f"One step of {game.spec} drew more than {_LARGEST_RECORD} chance outcomes.")

    # -------------------------------------------------------------------------------------------------- questions

    @property
    def to_move(self) -> int:
        """The player to move, from 0; -1 when the game is over."""
        return int(calls.call_at(self.game, "to_move", self.address))

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return self.to_move < 0

    @property
    def turn(self) -> int:
        """Number of the turn in progress."""
        return int(calls.call_at(self.game, "turn", self.address))

    @property
    def returns(self) -> tuple[float, ...]:
        """Result per player, higher is better; meaningful when the game is over."""
        out = np.zeros(self.game.players)
        calls.call_at(self.game, "returns", self.address, array_address(out))
        return tuple(float(r) for r in out)

    @property
    def fingerprint(self) -> int:
        """64-bit hash; equal states have equal fingerprints."""
        return int(calls.call_at(self.game, "fingerprint", self.address))

    def legal_codes(self) -> NDArray[np.int64]:
        """Codes of the legal actions in native order; empty when the game is over."""
        if self.is_over:
            return np.zeros(0, np.int64)
        return calls.legal_codes(self.game, self.address)

    def legal_actions(self) -> list[str]:
        """The legal actions as text, in native order."""
        return [self.game.action_text(self.row, int(code)) for code in self.legal_codes()]

    def candidate_codes(self) -> NDArray[np.int64]:
        """Codes of the legal actions that the game's pruner keeps, in native order."""
        out = np.zeros(self.game.max_actions, np.int64)
        codes = self.legal_codes()
        out[: len(codes)] = codes
        if not self.game.pointers["prune"] or len(codes) == 0:
            return codes
        return out[: calls.call_at(self.game, "prune", self.address, array_address(out), len(codes))]

    def candidates(self) -> list[str]:
        """The legal actions that the game's pruner keeps, as text."""
        return [self.game.action_text(self.row, int(code)) for code in self.candidate_codes()]

    def code(self, action: str | int) -> int:
        """Code of an action given as text or code.

        Raises:
            IllegalActionError: The value is neither a string nor a 64-bit whole number.
            NotationError: The text is not an action of this game.
        """
        return self.game.parse_action(self.row, action) if isinstance(action, str) else arguments.action_code(action)

    def text(self, action: int) -> str:
        """Text of an action code in this state.

        Raises:
            IllegalActionError: The value is not a 64-bit whole number.
            NotationError: No action has that code.
        """
        return self.game.action_text(self.row, arguments.action_code(action))

    def actors(self, player: int | None = None) -> list[int]:
        """Numbers of a player's actors (units, cities, cards), in the game's order.

        Args:
            player: The player, from 0; None: the player to move. In a game that does not list its actors they are those
                of the legal actions, so only the player to move has any.

        Raises:
            OptionError: No such player.
        """
        chosen = self.to_move if player is None else self.game.checked_player(player)
        if chosen < 0:
            return []
        if self.game.pointers["actors"]:
            out = np.zeros(self.game.max_actors or self.game.max_actions, np.int64)
            count = calls.call_at(self.game, "actors", self.address, chosen, array_address(out))
            return [int(actor) for actor in out[:count]]
        if chosen != self.to_move:
            return []
        found = dict.fromkeys(self._actor_of(int(code)) for code in self.legal_codes())
        return [actor for actor in found if actor is not None]

    def actor(self, action: str | int) -> int | None:
        """Number of the actor that a legal action belongs to; None: it belongs to nobody, as the end of a turn.

        Raises:
            IllegalActionError: The rules do not accept the action here, or it is neither text nor a code.
            NotationError: The text is not an action of this game.
        """
        return self._actor_of(self._legal_code(action))

    def _actor_of(self, code: int) -> int | None:
        if not self.game.pointers["actor"]:
            return 0  # a game without actors
        actor = int(calls.call_at(self.game, "actor", self.address, code))
        return actor if actor >= 0 else None

    def actor_kind(self, actor: int) -> int:
        """The kind of an actor (its type of unit), from 0.

        Raises:
            OptionError: The state has no such actor.
        """
        actor = self._actor(actor)
        return (
            int(calls.call_at(self.game, "actor_kind", self.address, actor)) if self.game.pointers["actor_kind"] else 0
        )

    def actor_actions(self, actor: int) -> list[str]:
        """The legal actions of an actor as text, in native order; empty: it cannot act now.

        Raises:
            OptionError: The state has no such actor.
        """
        return [self.game.action_text(self.row, int(code)) for code in self.actor_codes(actor)]

    def actor_codes(self, actor: int) -> NDArray[np.int64]:
        """Codes of the legal actions of an actor, in native order; empty: it cannot act now.

        Raises:
            OptionError: The state has no such actor.
        """
        actor = self._actor(actor)
        if self.is_over or actor not in self.actors():
            return np.zeros(0, np.int64)
        if self.game.pointers["actor_actions"]:
            out = np.zeros(self.game.max_actions, np.int64)
            return out[: calls.call_at(self.game, "actor_actions", self.address, actor, array_address(out))]
        codes = self.legal_codes()
        return codes[[self._actor_of(int(code)) == actor for code in codes]]

    def heir(self, actor: int, action: str | int) -> int | None:
        """The number that an actor has after a legal action, its own or another's; None: it no longer exists.

        Raises:
            OptionError: The state has no such actor.
            IllegalActionError: The rules do not accept the action here, or it is neither text nor a code.
            NotationError: The text is not an action of this game.
        """
        actor, code = self._actor(actor), self._legal_code(action)
        if not self.game.pointers["heir"]:
            return actor
        found = int(calls.call_at(self.game, "heir", self.address, actor, code))
        return found if found >= 0 else None

    def _actor(self, actor: int) -> int:
        """Check the number of an actor of any player.

        Raises:
            OptionError: The state has no such actor.
        """
        known = {other for player in range(self.game.players) for other in self.actors(player)}
        if type(actor) is not int or actor not in known:
            named = ", ".join(map(str, sorted(known)[:20])) or "none"
            raise OptionError(
                f"An actor must be one of those of this state (state.actors()): {named}; got {shown(actor)}."
            )
        return actor

    def script(self, name: str, actor: int | None = None, seed: int = 0) -> str | None:
        """What a script of the game does here.

        Args:
            name: Name of a script. :func:`turnwise.search.scripted_play.expression_code` plays expressions.
            actor: Number of an actor of the player to move; None: the script chooses among all.
            seed: Seed of the script's chance.

        Returns:
            The action as text; None if the script has none, or if the game is over.

        Raises:
            UnknownNameError: The game has no script of that name.
            OptionError: The state has no such actor, or an argument has another type.
        """
        self.game.script(name)
        number = ALL if actor is None else self._actor(actor)
        if self.is_over:
            return None
        code = calls.script_action(self.game, name, self.row, number, generator(arguments.seed(seed)))
        return None if code == NOTHING else self.game.action_text(self.row, code)

    def is_legal(self, action: str | int) -> bool:
        """Whether the rules accept an action here (they may accept more actions than they list).

        Raises:
            IllegalActionError: The value is neither a string nor a 64-bit whole number.
            NotationError: The text is not an action of this game.
        """
        return not self.is_over and bool(calls.call_at(self.game, "is_legal", self.address, self.code(action)))

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

    def metrics(self, player: int) -> dict[str, float]:
        """The game's metrics (score, units, ...) for a player, from 0.

        Raises:
            OptionError: No such player.
        """
        player = self.game.checked_player(player)
        if not self.game.pointers["metrics"]:
            return {}
        out = np.zeros(len(self.game.metrics))
        calls.call_at(self.game, "metrics", self.address, player, array_address(out))
        return dict(zip(self.game.metrics, out.tolist(), strict=True))

    def index(self, action: str | int) -> int:
        """Place of a legal action in 0..game.indices - 1, by which learnt policies know it.

        Raises:
            IllegalActionError: The rules do not accept the action here, or it is neither text nor a code.
            NotationError: The text is not an action.
            GameFunctionError: The game has no function ``index``.
        """
        if not self.game.pointers["index"]:
            raise self.game.without("index")
        return int(calls.call_at(self.game, "index", self.address, self._legal_code(action)))

    def features(self, player: int) -> NDArray[np.float32]:
        """Numbers that describe the state as a player, from 0, sees it; the game's page says what they mean.

        Returns:
            float32[game.feature_shape].

        Raises:
            OptionError: No such player.
            GameFunctionError: The game has no function ``features``.
        """
        player = self.game.checked_player(player)
        if not self.game.pointers["features"]:
            raise self.game.without("features")
        out = np.zeros(self.game.feature_shape, np.float32)
        calls.call_at(self.game, "features", self.address, player, array_address(out))
        return out

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

    def _legal_code(self, action: str | int) -> int:
        code = self.code(action)
        if self.is_over:
            raise IllegalActionError(f"The game is over; {action!r} cannot be played. Check state.is_over first.")
        if not calls.call_at(self.game, "is_legal", self.address, code):
            listed = self.legal_actions()
            shown = ", ".join(listed[:12]) + (f", ... ({len(listed)} in all)" if len(listed) > 12 else "")
            raise IllegalActionError(f"{self._named(action, code)} is not legal here. Legal: {shown}.")
        return code

    def after(self, action: str | int) -> State | None:
        """The state after an action; None if the rules do not accept it.

        Raises:
            IllegalActionError: The action is neither a string nor a 64-bit whole number.
            NotationError: The text is not an action of this game.
        """
        code = self.code(action)
        return self._apply(code, None) if self.is_legal(code) else None

    def _apply(self, code: int, outcomes: Sequence[int] | None) -> State:
        return self._step(
            self.game,
            self.row,
            self.chance,
            outcomes,
            lambda row, rng: calls.call(self.game, "apply", row, code, rng),
        )

    def _named(self, action: str | int, code: int) -> str:
        """Describe an action for a message: not every code has a text."""
        try:
            return repr(action if isinstance(action, str) else self.text(code))
        except NotationError:
            return f"Action code {code}"

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
        return self.game.state_dict(self.row)

    def to_json(self) -> str:
        """One JSON object that names the game, its rules version and options, and holds the state."""
        return json.dumps(envelope(self.game, self.to_dict()))

    def __str__(self) -> str:
        return self.game.board_text(self.row)

    def __repr__(self) -> str:
        mover = "over" if self.is_over else self.game.seat_name(self.to_move) + " to move"
        return f"<State of {self.game.spec}: turn {self.turn}, {mover}>"

    def _repr_svg_(self) -> str:
        return self.game.svg(self.row)

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
