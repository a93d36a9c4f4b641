"""turnwise as an engine: reads messages, plans turns, writes answers."""

from __future__ import annotations

import queue
import signal
import threading
from collections.abc import Callable
from typing import Any, BinaryIO

from turnwise.core import arguments
from turnwise.core.budget import Budget
from turnwise.core.errors import TurnwiseError, brief
from turnwise.core.game import Game
from turnwise.core.state import State
from turnwise.core.text_file import json_of
from turnwise.interop.engines.messages import LONGEST_LINE, PROTOCOL, MessageError, line_of
from turnwise.search.plan import Plan
from turnwise.search.planner import Planner
from turnwise.search.session import Session

Write = Callable[[dict[str, Any]], None]


def serve(game: Game, planner: Planner, lines: BinaryIO, out: BinaryIO, version: str = "") -> None:
    """Answer messages until ``quit`` or the end of the input.

    A message that cannot be followed is answered with ``{"type": "error", "message": ...}``, and changes nothing.

    Args:
        game: The scenario that is played; ``new_game`` must ask for it.
        planner: Who plays.
        lines: The messages, one a line.
        out: Where the answers go.
        version: Version of the engine.
    """

    def write(message: dict[str, Any]) -> None:
        out.write(line_of(message))
        out.flush()

    inbox = _Inbox(lines)
    table = _Table(game, planner, inbox, write, version)
    while (line := inbox.next()) is not None:
        try:
            if not table.answer(_message(line)):
                return
        except TurnwiseError as error:
            write({"type": "error", "message": str(error)})


class _Inbox:
    """Reads lines while the main thread searches, so that ``stop`` can end the search as Ctrl-C does.

    ``stop`` is meant for the ``go`` before it, which may still wait to be answered.
    """

    def __init__(self, lines: BinaryIO) -> None:
        self._lines: queue.Queue[bytes | None] = queue.Queue()
        self._lock = threading.Lock()
        self._is_searching = self._is_stopped = False
        self._main = threading.get_ident()
        threading.Thread(target=self._read, args=(lines,), daemon=True).start()

    def next(self) -> bytes | None:
        """The next line; None at the end."""
        return self._lines.get()

    def searched(self, search: Callable[[], Plan], stopped: Callable[[], Plan]) -> Plan:
        """The plan of a search that ``stop`` interrupts.

        Args:
            search: Searches, and returns the best plan so far after Ctrl-C.
            stopped: Returns a plan at once, for a stop before the search has begun.
        """
        found: Plan | None = None
        try:
            with self._lock:
                self._is_searching = not self._is_stopped
            if self._is_searching:
                found = search()
            with self._lock:
                self._is_searching = False
        except KeyboardInterrupt:
            if not self._is_stopped:  # it is Ctrl-C itself
                raise
            self._is_searching = False
        return stopped() if found is None else found

    def _read(self, lines: BinaryIO) -> None:
        while line := lines.readline(LONGEST_LINE + 2):
            kind = _type_of(line)
            with self._lock:
                self._is_stopped = kind == "stop" or (self._is_stopped and kind != "go")
                if kind == "stop" and self._is_searching:
                    signal.pthread_kill(self._main, signal.SIGINT)
            self._lines.put(line)
            if kind == "quit":
                return  # a thread that still reads when Python ends would end it with an error
        self._lines.put(None)


def _type_of(line: bytes) -> object:
    """The type of a message; None if it is none."""
    try:
        return _message(line).get("type")
    except MessageError:
        return None


def _message(line: bytes) -> dict[str, Any]:
    if len(line) > LONGEST_LINE:
        raise MessageError(f"Expected a line of at most {LONGEST_LINE} bytes.")
    try:
        data = json_of(line)
    except ValueError:
        raise MessageError(f"Expected a JSON object in one line; got {brief(line.decode(errors='replace'))}.") from None
    if not isinstance(data, dict):
        raise MessageError(f"Expected a JSON object in one line; got {brief(data)}.")
    return data


class _Table:
    """The game in progress."""

    def __init__(self, game: Game, planner: Planner, inbox: _Inbox, write: Write, version: str) -> None:
        self._game, self._planner, self._inbox, self._write, self._version = game, planner, inbox, write, version
        self._session: Session | None = None
        self._state: State | None = None

    def answer(self, message: dict[str, Any]) -> bool:
        """Follow a message; returns whether to go on."""
        kind = message.get("type")
        steps: dict[object, Callable[[dict[str, Any]], None]] = {
            "hello": self._hello,
            "new_game": self._new_game,
            "position": self._position,
            "go": self._go,
            "stop": lambda message: None,
        }
        if kind == "quit":
            return False
        if kind not in steps:
            raise MessageError(f"Expected a type of {', '.join(map(str, steps))} or quit; got {brief(kind)}.")
        steps[kind](message)
        return True

    def _hello(self, message: dict[str, Any]) -> None:
        name = f"turnwise {self._planner.spec}"
        answer = {"type": "hello", "protocol": PROTOCOL, "name": name, "version": self._version}
        self._write({**answer, "games": [self._game.name], "wants": []})

    def _new_game(self, message: dict[str, Any]) -> None:
        name, rules = message.get("game"), message.get("rules", self._game.rules_version)
        options = message.get("options", {})
        if (name, rules) != (self._game.name, self._game.rules_version) or not self._has_options(options):
            raise MessageError(
                f"This engine plays {self._game.spec}, rules {self._game.rules_version}; got {brief(name)} with the "
                f"options {brief(options)}, rules {brief(rules)}. Start it with the game that is to be played."
            )
        seat = arguments.whole_number(message.get("seat", 0), "The seat", 0, self._game.players - 1)
        self._session = self._planner.session(self._game, seat, arguments.seed(message.get("seed", 0)))
        self._state = None
        self._write({"type": "ready"})

    def _has_options(self, options: object) -> bool:
        return isinstance(options, dict) and type(self._game)(**options).options == self._game.options

    def _position(self, message: dict[str, Any]) -> None:
        state = message.get("state")
        if not isinstance(state, dict):
            raise MessageError(f"Expected a position with the field state, an object; got {brief(state)}.")
        self._state = self._game.from_dict(state)

    def _go(self, message: dict[str, Any]) -> None:
        session, state = self._session, self._state
        if session is None or state is None:
            raise MessageError("Expected new_game and position before go.")
        budget = _budget(message.get("budget"))
        plan = self._inbox.searched(
            lambda: session.plan(state, budget), lambda: self._planner.plan(state, Budget(iterations=0))
        )
        report = plan.report
        self._write(
            {
                "type": "best",
                "id": message.get("id", 0),
                "actions": list(plan.actions),
                "value": plan.value,
                "forward_calls": report.forward_calls,
                "evaluations": report.evaluations,
                "iterations": report.iterations,
            }
        )


def _budget(given: object) -> Budget:
    if not isinstance(given, dict):
        raise MessageError(f"Expected a budget, an object with seconds, forward_calls, ...; got {brief(given)}.")
    names = ("seconds", "forward_calls", "evaluations", "iterations", "scope", "clock")
    return Budget(**{name: given[name] for name in names if given.get(name) is not None})
