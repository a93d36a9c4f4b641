"""The object table of games written in plain Python: states and actions as numbers, of limited size, with a sweep.

A row of such a game is one word, the *handle* of a state object. Handles are never reused, so the handle of a dropped
state raises an error and never refers to another state. Equal states share one handle. States that Python code still
holds (through :class:`~turnwise.core.state.State`) stay valid; all others are dropped when no search is running.
"""

from __future__ import annotations

import threading
import traceback
from collections.abc import Callable, Hashable
from hashlib import blake2b
from itertools import count
from pathlib import Path
from typing import Any
from weakref import WeakSet, WeakValueDictionary

from turnwise.core.errors import CapacityError, GameFunctionError, shown
from turnwise.core.game import RunningSearch
from turnwise.core.user_code import failed_below, failing_line
from turnwise.jit.closure import is_library
from turnwise.search.forward_model import FAILED, OUT_OF_MEMORY

_IDLE_SWEEP = 4096  # objects that may accumulate outside of searches before a sweep
_LARGEST_CODE = 2**62 - 1
_LONGEST = 200  # characters of a state or result in a message
_RESERVE = 8  # the last 1/8 of the table is reserved for stopped searches to complete their turns


class Node:
    """A state object with what is known about it so far (None: not known yet)."""

    __slots__ = (
        "codes",
        "fingerprint",
        "handle",
        "kept",
        "kept_codes",
        "listed",
        "mover",
        "next",
        "state",
        "turn",
    )

    def __init__(self, state: Any, handle: int) -> None:
        self.state = state
        self.handle = handle
        self.mover: int | None = None
        self.turn: int | None = None
        self.listed: bytes | None = None  # codes of the legal actions, int64 each
        self.codes: frozenset[int] | None = None
        self.kept: bytes | None = None  # the same after pruning
        self.kept_codes: frozenset[int] | None = None
        self.fingerprint: int | None = None
        self.next: dict[int, int] | None = None  # action code -> handle of the result, if there was no chance


class Hold:
    """Keeps a node valid as long as it lives; every State has a Hold, and States of one node share it."""

    __slots__ = ("__weakref__", "node")

    def __init__(self, node: Node) -> None:
        self.node = node


class ObjectTable:
    """States by handle and actions by code, for one game object.

    Attributes:
        nodes: Handle -> node.
        actions: Code -> action. Codes are hashes of the actions, so that plans are valid in every process.
        failed: Whether a game function has failed; its first error is kept.
    """

    def __init__(self, name: str, max_objects: int, signature: Callable[[str], str]) -> None:
        """Make an empty table.

        Args:
            name: The game's name, for messages.
            max_objects: Largest number of states, and of distinct actions, kept at a time.
            signature: Says what a method of the game should look like.
        """
        self._signature = signature
        self.nodes: dict[int, Node] = {}
        self.actions: dict[int, Hashable] = {}
        self.failed = False
        self._name = name
        self._most = max_objects
        self._full = max_objects - max_objects // _RESERVE
        self._by_state: dict[Any, Node] = {}
        self._held: WeakValueDictionary[int, Hold] = WeakValueDictionary()
        self._codes: dict[Hashable, int] = {}
        self._handles = count(1)
        self._local = threading.local()
        self._lock = threading.RLock()
        self._searches: WeakSet[RunningSearch] = WeakSet()
        self._error: BaseException | None = None
        self.kinds: dict[str, type] = {}
        self._idle_limit = min(_IDLE_SWEEP, max_objects // 2)
        self._size: Callable[[Any], int] | None = None
        self._bytes = self._most_bytes = self._idle_bytes = 0

    def limit_bytes(self, size: Callable[[Any], int], most: int) -> None:
        """Limit the memory of the states, too; called before there is one.

        Args:
            size: Bytes of a state.
            most: Largest number of bytes of all states kept at a time.
        """
        self._size, self._most_bytes, self._idle_bytes = size, most, most // 2

    # ------------------------------------------------------------------------------------------------- numbering

    def put(self, state: Any) -> Node:
        """The node of a state; a new node if no equal state is known.

        Raises:
            GameFunctionError: The state is None or cannot be hashed.
            CapacityError: The table is full.
        """
        try:
            node = self._by_state.get(state)
        except TypeError:
            raise GameFunctionError(
                f"{self._name}: a state must be immutable and hashable (a frozen dataclass, a tuple, ...); got "
                f"{shown(state, _LONGEST)}."
            ) from None
        if node is None:
            node = self._new(state)
        self.made(node)
        return node

    def made(self, node: Node) -> None:
        """Keep the last node of this thread: another thread may sweep before a State holds it."""
        self._local.last = node

    def _new(self, state: Any) -> Node:
        if state is None:
            raise GameFunctionError(f"{self._name}: a state is None; a 'return' statement may be missing.")
        with self._lock:
            known = self._by_state.get(state)  # the thread of another search may have been faster
            if known is not None:
                return known
            self._find_room()
            node = Node(state, next(self._handles))
            self._keep(node)
            return node

    def _find_room(self) -> None:
        """Stop all searches if the table is almost full.

        Raises:
            CapacityError: It is full.
        """
        bytes_full = self._most_bytes - self._most_bytes // _RESERVE
        if len(self.nodes) >= self._full or self._bytes > bytes_full:
            self._stop_searches(OUT_OF_MEMORY)
        full = f"{self._most} states. Set a larger max_objects" if len(self.nodes) >= self._most else ""
        if self._bytes > self._most_bytes:
            full = f"{len(self.nodes)} states of {self._bytes // 10**6} MB. Set a larger max_megabytes"
        if full:
            raise CapacityError(
                f"{self._name}: the table is full with {full}, plan with a smaller budget, count to a smaller depth "
                "(perft), or hold fewer State objects."
            )

    def _keep(self, node: Node) -> None:
        if self._size is not None and node.handle not in self.nodes:
            self._bytes += self._size(node.state)
        self.nodes[node.handle] = self._by_state[node.state] = node

    def code(self, action: Any, source: str) -> int:
        """The code of an action; a new code if it has not been seen before.

        Args:
            action: The action.
            source: Whose it is, for messages: the method that returned it, or an attribute.

        Raises:
            GameFunctionError: The action is None or cannot be hashed.
            CapacityError: There are too many distinct actions.
        """
        try:
            known = self._codes.get(action)
            is_wrong = action is None
        except TypeError:
            known, is_wrong = None, True
        if known is not None:
            return known
        if is_wrong:
            raise GameFunctionError(
                f"{self._name}: {source} gave the action {shown(action, _LONGEST)}; expected a hashable action (a "
                "string, a number, a tuple, a frozen dataclass, ...). Lists become hashable as tuples."
            )
        with self._lock:
            if len(self.actions) >= self._most:
                raise CapacityError(f"{self._name}: more than {self._most} distinct actions. Set a larger max_objects.")
            if action not in self._codes:
                code = _hash(action)
                while code in self.actions:  # actions whose reprs are equal
                    code = (code + 1) & _LARGEST_CODE
                self.actions[code] = action
                self._codes[action] = code
            return self._codes[action]

    def node(self, handle: int) -> Node:
        """The node of a handle.

        Raises:
            GameFunctionError: The state has been dropped.
        """
        node = self.nodes.get(handle)
        if node is None:
            raise GameFunctionError(
                f"{self._name}: state number {handle} is no longer known; a row of a game in plain Python is valid "
                "only during its search. Keep State objects, or their JSON, instead of rows."
            )
        return node

    # ------------------------------------------------------------------------------------------- life and death

    def hold(self, handle: int) -> Hold:
        """Keep a node valid as long as the result lives."""
        node = self.nodes.get(handle)
        if node is None:  # another thread has swept since this thread created the state
            last: Node | None = getattr(self._local, "last", None)
            node = last if last is not None and last.handle == handle else self.node(handle)
        with self._lock:
            held = self._held.get(handle) or Hold(node)
            self._held[handle] = held
            self._keep(node)
            if len(self.nodes) > self._idle_limit or self._bytes > self._idle_bytes:
                self._sweep()
                kept = len(self.nodes)
                self._idle_limit = min(max(_IDLE_SWEEP, 2 * kept), (kept + self._most) // 2)
                self._idle_bytes = (self._bytes + self._most_bytes) // 2
        return held

    def search_begins(self, search: RunningSearch) -> None:
        """Keep all objects until this search ends (or its record is deleted)."""
        with self._lock:
            self._sweep()
            self._searches.add(search)

    def search_ends(self, search: RunningSearch) -> None:
        """Drop the states that no State object holds, unless another search is running."""
        with self._lock:
            self._searches.discard(search)
            self._sweep()

    def _sweep(self) -> None:
        if not self._searches:
            self.nodes = {handle: held.node for handle, held in self._held.items()}
            self._by_state = {node.state: node for node in self.nodes.values()}
            if self._size is not None:
                self._bytes = sum(self._size(node.state) for node in self.nodes.values())

    # -------------------------------------------------------------------------------------------------- failures

    def fail(self, function: str, error: BaseException) -> None:
        """Keep the first error and stop all searches; from now on the game's functions do nothing."""
        with self._lock:
            if self.failed:
                return
            self._error = self.explained(function, error)
            self.failed = True
            self._stop_searches(FAILED)

    def explained(self, function: str, error: BaseException) -> BaseException:
        """An error that says which of the user's functions failed, and where; turnwise errors stay unchanged."""
        if type(error) is GameFunctionError and failed_below(error):  # a call of turnwise, such as random.draw
            return GameFunctionError(f"{self._name}: {function}{failing_line(error, named=True)}: {error}")
        place = _raised_at(error)
        if isinstance(error, SystemExit):
            error.add_note(f"{self._name}: {function} raised SystemExit: {error}{place}.")
        if isinstance(error, GameFunctionError | CapacityError) or not isinstance(error, Exception):
            return error
        wrong_call = isinstance(error, TypeError) and not place  # raised by the call itself
        signature = f" {self._signature(function)}" if wrong_call and self._signature(function) else ""
        explained = GameFunctionError(
            f"{self._name}: {function} raised {type(error).__name__}: {error}{place}.{signature}{self._odd_kinds()} "
            "The original error is the cause."
        )
        explained.__cause__ = error
        return explained

    def _odd_kinds(self) -> str:
        """A sentence on functions that returned states of another class than the first state, a likely cause."""
        first = self.kinds.get("first_state")
        odd = [f"{name} has returned a {kind.__name__}" for name, kind in self.kinds.items() if kind is not first]
        return f" {' and '.join(odd)}, first_state a {first.__name__}." if first is not None and odd else ""

    def _stop_searches(self, reason: int) -> None:
        for search in self._searches:
            search.stop(reason)

    def raise_failure(self) -> None:
        """Raise the first error, if there is one, and clear it when no search is running."""
        if not self.failed:
            return
        with self._lock:
            error = self._error
            if not self._searches:
                self.failed, self._error = False, None
        if error is not None:
            raise error


def _raised_at(error: BaseException) -> str:
    """Where in the user's sources an error was raised; the called function may have called another."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if Path(frame.filename).parent != Path(__file__).parent]
    users = [frame for frame in own if not is_library(Path(frame.filename))] or own
    if not users:
        return ""
    return f" ({Path(users[-1].filename).name}, line {users[-1].lineno}, in {users[-1].name})"


def _hash(action: Hashable) -> int:
    """A 62-bit number that depends only on an action's repr."""
    return int.from_bytes(blake2b(repr(action).encode(), digest_size=8).digest(), "little") & _LARGEST_CODE
