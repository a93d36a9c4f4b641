"""The C function pointers of a plain Python game: handle -> object, the user's function, checks, result -> memory.

No exception of the user's code leaves a callback: the first error is kept, searches are stopped, and all functions do
nothing (the game looks finished) until the Python layer has raised the error.
"""

from __future__ import annotations

import ctypes
import math
from array import array
from collections.abc import Callable, Mapping, Sequence
from operator import index
from typing import Any

import numpy as np

from turnwise.core.errors import CapacityError, GameFunctionError, shown
from turnwise.core.table import ALL, FORMS, NOTHING, VERBS
from turnwise.jit.kernel import c_function_type
from turnwise.plain_python.chance import Chance
from turnwise.plain_python.named_parameters import changed_values
from turnwise.plain_python.rules import PythonRules
from turnwise.plain_python.signatures import WrongResultError, expected_signature
from turnwise.plain_python.table import Node, ObjectTable

_word = ctypes.c_uint64
_copy = ctypes.memmove
# Results of a failed game, which looks finished. Functions without a result return None.
_AFTER_FAILURE: dict[str, Any] = {"to_move": -1, "legal_actions": 1, "prune": 1, "action_score": 0.0, "evaluation": 0.0}
_AFTER_FAILURE["script"] = NOTHING
_WRITTEN_AS = {"start": "first_state", "apply": "play", "metrics": "measure", "evaluation": "evaluate"}
_WRITTEN_AS |= {"evaluation_of_all": "evaluate_all", "survives": "prune"}
_NO_RESULT = (
    "start",
    "apply",
    "returns",
    "move_codes",
    "view",
    "determinise",
    "features",
    "metrics",
    "evaluation_of_all",
)


class TableFunctions:
    """The table functions of one game object; methods have the names of the table."""

    def __init__(self, game: PythonRules[Any, Any], table: ObjectTable) -> None:
        self.game = game
        self.table = table
        self._alive: list[Any] = []  # ctypes objects whose pointers are in use
        self.evaluations: dict[int, Callable[..., float]] = {}  # pointer -> the user's function
        self.scripts: dict[int, Callable[..., Any]] = {}

    def pointer(self, name: str, method: Callable[..., Any], written_as: str = "") -> int:
        """Address of a C function that calls a method and never raises; valid as long as this object lives.

        Args:
            name: Name in the table.
            method: The method.
            written_as: What the user calls the function, for messages; empty: the method of the game.
        """
        form = FORMS[name]
        table = self.table
        safe = None if name in _NO_RESULT else _AFTER_FAILURE.get(name, 0)

        def call(*arguments: int) -> Any:
            if table.failed:
                return safe
            try:
                return method(*arguments)
            except BaseException as error:
                table.fail(written_as or _WRITTEN_AS.get(name, name), error)
                return safe

        function = c_function_type(form.return_type, *form.args)(call)
        self._alive.append(function)
        return ctypes.cast(function, ctypes.c_void_p).value or 0

    def _node(self, at: int) -> Node:
        handle = _word.from_address(at).value
        return self.table.nodes.get(handle) or self.table.node(handle)

    def _write(self, name: str, at: int, state: Any) -> None:
        _word.from_address(at).value = self._put(name, state).handle

    def _put(self, name: str, state: Any) -> Node:
        if state is None:
            message = f"{self.game.name}: {name} returned None; expected a state"
            raise WrongResultError(
                f"{message}. {expected_signature(name)} A 'return' statement may be missing.", message
            )
        self.table.kinds[name] = type(state)
        return self.table.put(state)

    def _codes(self, name: str, node: Node, actions: Sequence[Any]) -> bytes:
        if type(actions) not in (list, tuple) and (
            isinstance(actions, str | bytes) or not isinstance(actions, Sequence)
        ):
            raise self._wrong_type(name, node, actions, "a list or tuple of actions")
        if not actions:
            raise self._wrong(name, node, actions, "at least one action while the game goes on")
        if len(actions) > self.game.max_actions:
            raise CapacityError(
                f"{self.game.name}: {name} returned {len(actions)} actions in state {shown(node.state)}; max_actions "
                f"is {self.game.max_actions}. Set max_actions to the longest list that the rules allow."
            )
        code = self.table.code
        return array("q", [code(action, name) for action in actions]).tobytes()

    def _wrong(self, name: str, node: Node, got: object, expected: str) -> WrongResultError:
        """The error about a value that is out of range."""
        return WrongResultError(
            f"{self.game.name}: {name} returned {shown(got)} in state {shown(node.state)}; expected {expected}.",
            f"{name}: expected {expected}",
        )

    def _wrong_type(self, name: str, node: Node, got: object, expected: str) -> WrongResultError:
        """The error about a result of a wrong type, with the method's signature."""
        error = self._wrong(name, node, got, expected)
        return WrongResultError(f"{error} {expected_signature(name)}".rstrip(), error.fault)

    def _whole(self, name: str, node: Node, value: Any) -> int:
        """A result as a number of 64 bits; callbacks would drop the other bits of a larger one."""
        try:
            number = index(value)
        except TypeError:
            raise self._wrong_type(name, node, value, "a whole number") from None
        if not -(2**63) <= number < 2**63:
            raise self._wrong(name, node, value, "a whole number from -2**63 to 2**63 - 1")
        return number

    def _number(self, name: str, node: Node, value: Any) -> float:
        try:
            number = float("" if isinstance(value, str) else value)  # a text is no number
        except (TypeError, ValueError):
            raise self._wrong_type(name, node, value, "a finite number") from None
        if not math.isfinite(number):
            raise self._wrong(name, node, value, "a finite number")
        return number

    def _floats(self, name: str, node: Node, values: Any, count: int, out: int) -> None:
        if not isinstance(values, Sequence) or len(values) != count:
            raise self._wrong_type(name, node, values, f"{count} numbers")
        _copy(out, array("d", [self._number(name, node, v) for v in values]).tobytes(), 8 * count)

    # -------------------------------------------------------------------------------------------------- required

    def start(self, setup: int, at: int, rng: int) -> None:
        """Write the first state."""
        chance = Chance._of_row(rng)
        try:
            self._write("first_state", at, self.game.first_state(chance))
        finally:
            chance.close()

    def to_move(self, setup: int, at: int) -> int:
        """The player to move."""
        return self._mover(self._node(at))

    def _mover(self, node: Node) -> int:
        mover = node.mover
        if mover is None:
            mover = self._whole("to_move", node, self.game.to_move(node.state))
            if not -1 <= mover < self.game.players:
                raise self._wrong("to_move", node, mover, f"-1 (over) or a player from 0 to {self.game.players - 1}")
            node.mover = mover
        return mover

    def turn(self, setup: int, at: int) -> int:
        """Number of the turn in progress."""
        return self.turn_of(self._node(at))

    def turn_of(self, node: Node) -> int:
        """Number of the turn in progress in a state."""
        if node.turn is None:
            node.turn = self._whole("turn", node, self.game.turn(node.state))
        return node.turn

    def _listed(self, node: Node) -> bytes:
        if node.listed is None:
            over = self._mover(node) < 0
            node.listed = b"" if over else self._codes("legal_actions", node, self.game.legal_actions(node.state))
        return node.listed

    def list_actions(self, handle: int) -> None:
        """Assign codes to the legal actions of a state."""
        self._listed(self.table.node(handle))

    def legal_actions(self, setup: int, at: int, out: int) -> int:
        """List the legal actions."""
        listed = self._listed(self._node(at))
        _copy(out, listed, len(listed))
        return len(listed) >> 3

    def is_legal(self, setup: int, at: int, code: int) -> int:
        """Whether the rules accept an action: it is listed, or the game's is_legal accepts it."""
        node = self._node(at)
        if node.codes is None:
            node.codes = frozenset(array("q", self._listed(node)))
        if code in node.codes:
            return 1
        if not self.game.overrides("is_legal") or self._mover(node) < 0 or code not in self.table.actions:
            return 0
        return 1 if self.game.is_legal(node.state, self._action(code)) else 0

    def _action(self, code: int) -> Any:
        try:
            return self.table.actions[code]
        except KeyError:
            raise GameFunctionError(f"{self.game.name}: {code} is not the code of an action.") from None

    def apply(self, setup: int, at: int, code: int, rng: int) -> None:
        """Play an action in place; results without chance are remembered."""
        node = self._node(at)
        known = self.table.nodes.get(node.next[code]) if node.next is not None and code in node.next else None
        if known is not None:
            self.table.made(known)
            _word.from_address(at).value = known.handle
            return
        chance = Chance._of_row(rng)
        try:
            after = self._put("play", self.game.play(node.state, self._action(code), chance))
        finally:
            chance.close()
        _word.from_address(at).value = after.handle
        if not chance.draws:
            if node.next is None:
                node.next = {}
            node.next[code] = after.handle

    def returns(self, setup: int, at: int, out: int) -> None:
        """Result per player."""
        node = self._node(at)
        self._floats("returns", node, self.game.returns(node.state), self.game.players, out)

    def fingerprint(self, setup: int, at: int) -> int:
        """Hash of a state: the game's own fingerprint, or by default a hash of the repr."""
        node = self._node(at)
        if node.fingerprint is None:
            found = self.game.fingerprint(node.state)
            try:
                node.fingerprint = index(found) & (2**64 - 1)
            except TypeError:
                raise self._wrong_type("fingerprint", node, found, "a whole number") from None
        return node.fingerprint

    # -------------------------------------------------------------------------------------------------- optional

    def prune(self, setup: int, at: int, actions: int, n: int) -> int:
        """Drop poor actions from a list in place."""
        node = self._node(at)
        given = ctypes.string_at(actions, 8 * n)
        whole = given == node.listed
        kept = node.kept if whole else None
        if kept is None:
            texts = [self._action(code) for code in array("q", given)]
            kept = self._codes("prune", node, self.game.prune(node.state, texts))
            if len(kept) > len(given):
                raise self._wrong("prune", node, self.game.prune(node.state, texts), "a subset of the list")
            if whole:
                node.kept = kept
        _copy(actions, kept, len(kept))
        return len(kept) >> 3

    def survives(self, setup: int, at: int, code: int) -> int:
        """Whether an action is in the pruned legal list."""
        node = self._node(at)
        if node.kept_codes is None:
            listed = self._listed(node)
            buffer = ctypes.create_string_buffer(listed, len(listed) + 8)
            n = len(listed) >> 3
            if n > 1:
                n = self.prune(setup, at, ctypes.addressof(buffer), n)
            node.kept_codes = frozenset(array("q", buffer.raw[: 8 * n]))
        return 1 if code in node.kept_codes else 0

    def action_score(self, setup: int, at: int, code: int) -> float:
        """Cheap score of an action."""
        node = self._node(at)
        return self._number("action_score", node, self.game.action_score(node.state, self._action(code)))

    def actor(self, setup: int, at: int, code: int) -> int:
        """The unit that an action belongs to."""
        node = self._node(at)
        return self._whole("actor", node, self.game.actor(node.state, self._action(code)))

    def action_group(self, setup: int, at: int, code: int) -> int:
        """Place of an action's group."""
        node = self._node(at)
        group, names = self.game.action_group(node.state, self._action(code)), self.game.action_groups
        if group not in names:
            raise self._wrong("action_group", node, group, f"one of action_groups: {', '.join(names) or 'none'}")
        return names.index(group)

    def verb(self, setup: int, at: int, code: int) -> int:
        """What an action does."""
        node = self._node(at)
        verb = self._whole("verb", node, self.game.verb(node.state, self._action(code)))
        if not 0 <= verb < VERBS:
            raise self._wrong("verb", node, verb, f"a whole number from 0 to {VERBS - 1}")
        return verb

    def actors(self, setup: int, at: int, player: int, out: int) -> int:
        """The actors of a player."""
        node = self._node(at)
        found = self.game.actors(node.state, player)
        most = self.game.max_actors or self.game.max_actions
        if isinstance(found, str | bytes) or not isinstance(found, Sequence):
            raise self._wrong_type("actors", node, found, "a list or tuple of whole numbers")
        numbers = [self._whole("actors", node, number) for number in found]
        if any(number < 0 for number in numbers) or len(set(numbers)) < len(numbers):
            raise self._wrong("actors", node, found, "different whole numbers from 0")
        if len(numbers) > most:
            raise CapacityError(
                f"{self.game.name}: actors returned {len(numbers)} numbers in state {shown(node.state)}; the capacity "
                f"is {most}. Set max_actors to the largest number of actors of one player."
            )
        _copy(out, array("q", numbers).tobytes(), 8 * len(numbers))
        return len(numbers)

    def actor_kind(self, setup: int, at: int, actor: int) -> int:
        """The kind of an actor."""
        node = self._node(at)
        kind = self._whole("actor_kind", node, self.game.actor_kind(node.state, actor))
        if kind < 0:
            raise self._wrong("actor_kind", node, kind, "a whole number from 0")
        return kind

    def actor_health(self, setup: int, at: int, actor: int, steps: int) -> int:
        """The health of an actor."""
        node = self._node(at)
        health = self._whole("actor_health", node, self.game.actor_health(node.state, actor, steps))
        if health < 0:
            raise self._wrong("actor_health", node, health, "a whole number from 0")
        return health

    def actor_actions(self, setup: int, at: int, actor: int, out: int) -> int:
        """The legal actions of an actor."""
        node = self._node(at)
        found = self.game.actor_actions(node.state, actor)
        codes = b"" if isinstance(found, list | tuple) and not found else self._codes("actor_actions", node, found)
        listed = set(array("q", self._listed(node)))
        if any(code not in listed for code in array("q", codes)):
            raise self._wrong("actor_actions", node, found, f"actions that are legal there (of actor {actor})")
        _copy(out, codes, len(codes))
        return len(codes) >> 3

    def enemy_distance(self, setup: int, at: int, actor: int) -> int:
        """How far an actor is from the closest enemy."""
        node = self._node(at)
        return self._whole("enemy_distance", node, self.game.enemy_distance(node.state, actor))

    def heir(self, setup: int, at: int, actor: int, code: int) -> int:
        """The number of an actor after an action."""
        node = self._node(at)
        return self._whole("heir", node, self.game.heir(node.state, actor, self._action(code)))

    def nearest(self, setup: int, at: int, code: int) -> int:
        """The closest legal action to an illegal one."""
        node = self._node(at)
        return self.table.code(self.game.nearest(node.state, self._action(code)), "nearest")

    def canonical(self, setup: int, at: int, code: int) -> int:
        """The listed action that a legal one equals."""
        node = self._node(at)
        return self.table.code(self.game.canonical(node.state, self._action(code)), "canonical")

    def neighbour_action(self, setup: int, at: int, code: int, rng: int) -> int:
        """A random legal action close to a given one."""
        chance = Chance._of_row(rng)
        try:
            found = self.game.neighbour_action(self._node(at).state, self._action(code), chance)
            return self.table.code(found, "neighbour_action")
        finally:
            chance.close()

    def prior_logit(self, setup: int, at: int, code: int, number: int, parameters: int, scratch: int) -> float:
        """Log-weight that a learnt policy starts from."""
        node = self._node(at)
        logit = self.game.prior_logit(node.state, self._action(code), self.game.policies[number])
        return self._number("prior_logit", node, logit)

    def move_code(self, setup: int, at: int, code: int) -> int:
        """Name of a move for policies learnt over moves."""
        node = self._node(at)
        return self._whole("move_code", node, self.game.move_code(node.state, self._action(code)))

    def policy(self, setup: int, at: int, number: int, parameters: int, rng: int, scratch: int) -> int:
        """An action by a named rollout policy."""
        chance = Chance._of_row(rng)
        try:
            found = self.game.policy(self._node(at).state, self.game.policies[number], chance)
            return self.table.code(found, "policy")
        finally:
            chance.close()

    def script(self, function: Callable[..., Any], name: str, defaults: Mapping[str, float]) -> Callable[..., int]:
        """Wrap a script ``(state, actor or None, random) -> action or None`` as a table function.

        Args:
            function: The user's function.
            name: Its name, for messages.
            defaults: Its named parameters and their defaults.
        """

        def act(setup: int, at: int, actor: int, parameters: int, rng: int, scratch: int) -> int:
            node, chance = self._node(at), Chance._of_row(rng)
            changes = changed_values(defaults, parameters) if defaults else {}
            try:
                action = function(node.state, None if actor == ALL else actor, chance, **changes)
            finally:
                chance.close()
            if action is None:
                return NOTHING
            code = self.table.code(action, f"script {name!r}")
            if not self.is_legal(setup, at, code):
                asked = "" if actor == ALL else f" of actor {actor}"
                raise self._wrong(f"script {name!r}", node, action, f"a legal action{asked}, or None")
            return code

        return act

    def view(self, setup: int, at: int, player: int, out: int) -> None:
        """The state as a player may know it."""
        self._write("view", out, self.game.view(self._node(at).state, player))

    def determinise(self, setup: int, at: int, player: int, rng: int) -> None:
        """Fill what a player cannot know by chance, in place."""
        chance = Chance._of_row(rng)
        try:
            self._write("determinise", at, self.game.determinise(self._node(at).state, player, chance))
        finally:
            chance.close()

    def index(self, setup: int, at: int, code: int) -> int:
        """Place of an action."""
        node, game = self._node(at), self.game
        place = self._whole("index", node, game.index(node.state, self._action(code)))
        if not 0 <= place < game.indices:
            raise self._wrong("index", node, place, f"a place from 0 to {game.indices - 1} (indices = {game.indices})")
        return place

    def features(self, setup: int, at: int, player: int, out: int) -> None:
        """Numbers that describe a state as a player sees it."""
        node, shape = self._node(at), self.game.feature_shape
        given = self.game.features(node.state, player)
        try:
            values = np.array(given, np.float32, order="C")
        except (TypeError, ValueError):
            values = np.zeros(0, np.float32)
        if values.shape != shape or not np.isfinite(values).all():
            raise self._wrong_type("features", node, given, f"finite numbers of the shape {shape} (feature_shape)")
        _copy(out, values.tobytes(), values.nbytes)

    def news(self, setup: int, expected: int, seen: int, player: int) -> int:
        """Whether what a player sees matters for its plan."""
        node = self._node(seen)
        found: object = self.game.news(self._node(expected).state, node.state, player)
        if not isinstance(found, bool | np.bool_):
            raise self._wrong_type("news", node, found, "True or False")
        return int(found)

    def measure(self, setup: int, at: int, player: int, out: int) -> None:
        """The metrics of a state."""
        node = self._node(at)
        self._floats("measure", node, self.game.measure(node.state, player), len(self.game.metrics), out)

    def evaluation_of_all(self, defaults: Mapping[str, float]) -> Callable[..., None]:
        """Wrap the game's ``evaluate_all``, whose named parameters have these defaults, as a table function."""

        def evaluate_all(setup: int, root: int, at: int, out: int, parameters: int) -> None:
            node, changes = self._node(at), changed_values(defaults, parameters) if defaults else {}
            self._floats("evaluate_all", node, self.game.evaluate_all(node.state, **changes), self.game.players, out)

        return evaluate_all

    def evaluation(
        self, function: Callable[..., float], name: str, defaults: Mapping[str, float]
    ) -> Callable[..., float]:
        """Wrap an evaluation ``(state, player) -> float`` as a table function.

        Args:
            function: The user's function.
            name: Its name, for messages.
            defaults: Its named parameters and their defaults.
        """

        def evaluate(setup: int, root: int, at: int, player: int, parameters: int) -> float:
            node, changes = self._node(at), changed_values(defaults, parameters) if defaults else {}
            return self._number(name, node, function(node.state, player, **changes))

        return evaluate
