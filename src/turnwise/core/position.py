"""What the rules answer about one row of a game, for people and tests."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from turnwise.core import arguments, calls, returned
from turnwise.core.chance import generator
from turnwise.core.declaration import Row
from turnwise.core.errors import IllegalActionError, NotationError, OptionError, shown
from turnwise.core.expression_player import play_expression
from turnwise.core.script import ScriptExpression, expression_text
from turnwise.core.table import ALL, NOTHING
from turnwise.jit.record import Address, array_address

if TYPE_CHECKING:
    from turnwise.core.game import Game

_ACTORS_NAMED = 20  # in a message
MOST_STEPS = 1_000_000  # of health


class Position:
    """What a state of a game answers about itself; :class:`~turnwise.core.state.State` adds other states and forms.

    Attributes:
        game: The scenario.
        row: uint64[game.state_words], read-only.
        address: Address of the row, valid as long as the state lives.
    """

    __slots__ = ("_held", "_to_move", "_turn", "address", "game", "row")

    def _hold(self, game: Game, row: Row) -> None:
        """Keep a valid row of a game; from now on nothing writes to it."""
        self.address: Address = array_address(row)  # quicker as long as the row is writable
        row.flags.writeable = False
        self.game = game
        self.row: Row = row
        self._held = game.hold(row)
        self._to_move: int | None = None  # asked for several times in each decision, so that the answers are kept
        self._turn: int | None = None

    @property
    def to_move(self) -> int:
        """The player to move, from 0; -1 when the game is over."""
        if self._to_move is None:
            self._to_move = int(calls.call_at(self.game, "to_move", self.address))
        return self._to_move

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return self.to_move < 0

    @property
    def turn(self) -> int:
        """Number of the turn in progress."""
        if self._turn is None:
            self._turn = int(calls.call_at(self.game, "turn", self.address))
        return self._turn

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
        return [returned.action_text(self.game, self.row, int(code)) for code in self.legal_codes()]

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
        return [returned.action_text(self.game, self.row, int(code)) for code in self.candidate_codes()]

    def code(self, action: str | int) -> int:
        """Code of an action given as text or code.

        Raises:
            IllegalActionError: The value is neither a string nor a 64-bit whole number.
            NotationError: The text is not an action of this game.
        """
        return (
            returned.action_code(self.game, self.row, action)
            if isinstance(action, str)
            else arguments.action_code(action)
        )

    def text(self, action: int) -> str:
        """Text of an action code in this state.

        Raises:
            IllegalActionError: The value is not a 64-bit whole number.
            NotationError: No action has that code.
        """
        return returned.action_text(self.game, self.row, arguments.action_code(action))

    def is_legal(self, action: str | int) -> bool:
        """Whether the rules accept an action here (they may accept more actions than they list).

        Raises:
            IllegalActionError: The value is neither a string nor a 64-bit whole number.
            NotationError: The text is not an action of this game.
        """
        return not self.is_over and bool(calls.call_at(self.game, "is_legal", self.address, self.code(action)))

    def _legal_code(self, action: str | int) -> int:
        code = self.code(action)
        if self.is_over:
            raise IllegalActionError(f"The game is over; {action!r} cannot be played. Check state.is_over first.")
        if not calls.call_at(self.game, "is_legal", self.address, code):
            listed = self.legal_actions()
            shown = ", ".join(listed[:12]) + (f", ... ({len(listed)} in all)" if len(listed) > 12 else "")
            raise IllegalActionError(f"{self._named(action, code)} is not legal here. Legal: {shown}.")
        return code

    def _named(self, action: str | int, code: int) -> str:
        """Describe an action for a message: not every code has a text."""
        try:
            return repr(action if isinstance(action, str) else self.text(code))
        except NotationError:
            return f"Action code {code}"

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

    def action_group(self, action: str | int) -> str | None:
        """Name of the group that a legal action belongs to, one of ``game.action_groups``; None: the game has none.

        Raises:
            IllegalActionError: The rules do not accept the action here, or it is neither text nor a code.
            NotationError: The text is not an action of this game.
        """
        code = self._legal_code(action)
        if not self.game.pointers["action_group"]:
            return None
        return self.game.action_groups[int(calls.call_at(self.game, "action_group", self.address, code))]

    def verb(self, action: str | int) -> int | None:
        """What a legal action does, as the game's number for moving, attacking, ...; None: the game does not say.

        Raises:
            IllegalActionError: The rules do not accept the action here, or it is neither text nor a code.
            NotationError: The text is not an action of this game.
        """
        code = self._legal_code(action)
        return int(calls.call_at(self.game, "verb", self.address, code)) if self.game.pointers["verb"] else None

    def actor_kind(self, actor: int) -> int:
        """The kind of an actor (its type of unit), from 0.

        Raises:
            OptionError: The state has no such actor.
        """
        actor = self._actor(actor)
        return (
            int(calls.call_at(self.game, "actor_kind", self.address, actor)) if self.game.pointers["actor_kind"] else 0
        )

    def actor_health(self, actor: int, steps: int = 100) -> int:
        """The health of an actor in whole steps; in a game without health every actor has full health.

        Args:
            actor: Number of an actor.
            steps: Number of steps in full health, at least 1; by default the result is a percentage. An actor with more
                than full health has more.

        Raises:
            OptionError: The state has no such actor, or ``steps`` is no such number.
        """
        actor, steps = self._actor(actor), arguments.whole_number(steps, "steps", 1, MOST_STEPS)
        if not self.game.pointers["actor_health"]:
            return steps
        return int(calls.call_at(self.game, "actor_health", self.address, actor, steps))

    def enemy_distance(self, actor: int) -> int | None:
        """How far an actor is from the closest enemy that its player knows of; None: unknown.

        Raises:
            OptionError: The state has no such actor.
        """
        actor = self._actor(actor)
        if not self.game.pointers["enemy_distance"]:
            return None
        distance = int(calls.call_at(self.game, "enemy_distance", self.address, actor))
        return distance if distance >= 0 else None

    def actor_actions(self, actor: int) -> list[str]:
        """The legal actions of an actor as text, in native order; empty: it cannot act now.

        Raises:
            OptionError: The state has no such actor.
        """
        return [returned.action_text(self.game, self.row, int(code)) for code in self.actor_codes(actor)]

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
            raise _no_actor("of this state (state.actors(player))", known, actor)
        return actor

    def _actor_of_mover(self, actor: int) -> int:
        """Check the number of an actor of the player to move; where the game is over, of any player.

        Raises:
            OptionError: There is no such actor.
        """
        if self.is_over:
            return self._actor(actor)
        known = self.actors()
        if type(actor) is not int or actor not in known:
            raise _no_actor(f"of {self.game.seat_name(self.to_move)}, who is to move (state.actors())", known, actor)
        return actor

    def script(self, name: str | ScriptExpression, actor: int | None = None, seed: int = 0) -> str | None:
        """What a script, or an expression of scripts, does here.

        Args:
            name: Name of a script of the game, or an expression: ``best-scored``, ``first(rush,mix(0.3:wait,random))``
                (:mod:`turnwise.search.expressions`), also as an object of that module.
            actor: Number of an actor of the player to move; None: the script chooses among all.
            seed: Seed of the script's chance.

        Returns:
            The action as text; None if the script has none, or if the game is over.

        Raises:
            UnknownNameError: The game has no script of that name.
            OptionError: The text is not an expression, the player to move has no such actor, or an argument has another
                type.
            GameFunctionError: A script is in plain Python and failed.
        """
        name, seed = arguments.text(expression_text(name), "The name of a script"), arguments.seed(seed)
        actor = None if actor is None else self._actor_of_mover(actor)
        is_own = name in self.game.script_names
        code = self._own_script(name, actor, seed) if is_own else play_expression(self, name, actor, seed)
        return None if code is None else returned.action_text(self.game, self.row, code)

    def _own_script(self, name: str, actor: int | None, seed: int) -> int | None:
        """Code of the action of one of the game's own scripts."""
        if self.is_over:
            return None
        code = calls.script_action(self.game, name, self.row, ALL if actor is None else actor, generator(seed))
        return None if code == NOTHING else code

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


def _no_actor(whose: str, known: Iterable[int], given: object) -> OptionError:
    """The error about a number that no actor has."""
    named = ", ".join(map(str, sorted(known)[:_ACTORS_NAMED])) or "none"
    return OptionError(f"An actor must be one of those {whose}: {named}; got {shown(given)}.")
