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
from turnwise.core.finite import finite
from turnwise.core.game import Game
from turnwise.core.text_file import json_of
from turnwise.interop.engines.budgets import budget_of
from turnwise.interop.engines.following import ReportedPlace, followed
from turnwise.interop.engines.messages import LONGEST_LINE, PROTOCOL, MessageError, line_of
from turnwise.interop.engines.options import options_of
from turnwise.search.inspection.live import LiveSearch, LiveSnapshot
from turnwise.search.plan import Plan
from turnwise.search.planner import Planner
from turnwise.search.session import Session

Write = Callable[[dict[str, Any]], None]
_EVERY = 0.25  # seconds between two infos
_MOST_WAITING = 64  # messages that wait for an answer; then no more are read until a search ends


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
    lock = threading.Lock()  # infos come from another thread

    def write(message: dict[str, Any]) -> None:
        with lock:
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
        self._lines: queue.Queue[bytes | None] = queue.Queue(_MOST_WAITING)
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
        self._game, self._inbox, self._write, self._version = game, inbox, write, version
        self._declared = self._planner = planner
        self._session: Session | None = None
        self._place: ReportedPlace | None = None

    def answer(self, message: dict[str, Any]) -> bool:
        """Follow a message; returns whether to go on."""
        kind = message.get("type")
        steps: dict[str, Callable[[dict[str, Any]], None]] = {
            "hello": self._hello,
            "new_game": self._new_game,
            "position": self._position,
            "go": self._go,
            "stop": lambda message: None,
        }
        if kind == "quit":
            return False
        if not isinstance(kind, str) or kind not in steps:
            raise MessageError(f"Expected a type of {', '.join(steps)} or quit; got {brief(kind)}.")
        steps[kind](message)
        return True

    def _hello(self, message: dict[str, Any]) -> None:
        name = f"turnwise {self._declared.spec}"
        answer = {"type": "hello", "protocol": PROTOCOL, "name": name[:200], "version": self._version}
        options = options_of(self._declared.Parameters, self._declared.parameters)
        self._write({**answer, "games": [self._game.name], "wants": [], "options": options})

    def _new_game(self, message: dict[str, Any]) -> None:
        name, rules = message.get("game"), message.get("rules", self._game.rules_version)
        options = message.get("options", {})
        if (name, rules) != (self._game.name, self._game.rules_version) or not self._has_options(options):
            raise MessageError(
                f"This engine plays {self._game.spec}, rules {self._game.rules_version}; got {brief(name)} with the "
                f"options {brief(options)}, rules {brief(rules)}. Start it with the game that is to be played."
            )
        seat = arguments.whole_number(message.get("seat", 0), "The seat", 0, self._game.players - 1)
        planner = _with_options(self._declared, message.get("engine_options", {}))
        self._session = planner.session(self._game, seat, arguments.seed(message.get("seed", 0)))
        self._planner, self._place = planner, None
        self._write({"type": "ready"})

    def _has_options(self, options: object) -> bool:
        """Whether options are those of the game, which is not constructed: that may start a program."""
        return isinstance(options, dict) and self._game.read_options(**options) == self._game.options

    def _position(self, message: dict[str, Any]) -> None:
        self._place = followed(self._game, self._place, message)

    def _go(self, message: dict[str, Any]) -> None:
        session, place = self._session, self._place
        if session is None or place is None:
            raise MessageError("Expected new_game and position before go.")
        budget, number, state = budget_of(message.get("budget")), message.get("id", 0), place.known
        with _Infos(number, self._write) as live:

            def search() -> Plan:
                with live:
                    return session.plan(state, budget)

            plan = self._inbox.searched(search, lambda: self._planner.plan(state, Budget(iterations=0)))
        report = plan.report
        self._write(
            {
                "type": "best",
                "id": number,
                "actions": list(plan.actions),
                "value": finite(plan.value),
                "forward_calls": report.forward_calls,
                "evaluations": report.evaluations,
                "iterations": report.iterations,
            }
        )


def _with_options(planner: Planner, given: object) -> Planner:
    """The planner with other parameters.

    Raises:
        MessageError: The options are no table.
        OptionError: A parameter is unknown or has an invalid value.
    """
    if not isinstance(given, dict):
        raise MessageError(
            f"Expected engine_options as an object with the options that hello lists; got {brief(given)}."
        )
    if not given:
        return planner
    changed = {name.replace("-", "_"): value for name, value in given.items()}
    return type(planner)(**{**planner.parameters.model_dump(mode="json", exclude_defaults=True), **changed})


class _Infos:
    """Writes what a search has found so far, a few times a second while it goes on."""

    def __init__(self, number: object, write: Write) -> None:
        self._number, self._write = number, write
        self._live = LiveSearch(lines=1)
        self._has_ended = threading.Event()
        self._thread = threading.Thread(target=self._follow, daemon=True)

    def __enter__(self) -> LiveSearch:
        self._thread.start()
        return self._live

    def __exit__(self, *error: object) -> None:
        self._has_ended.set()
        self._thread.join()  # no info comes after the decision

    def _follow(self) -> None:
        while not self._has_ended.wait(_EVERY):
            now = self._live.snapshot()
            if now is not None and not now.has_ended:
                self._write(self._message(now))

    def _message(self, now: LiveSnapshot) -> dict[str, Any]:
        return {
            "type": "info",
            "id": self._number,
            "actions": list(now.lines[0].actions) if now.lines else [],
            "value": now.value,
            "forward_calls": now.forward_calls,
            "evaluations": now.evaluations,
            "iterations": now.iterations,
            "iterations_per_second": now.iterations_per_second,
            "share": now.share,
        }
