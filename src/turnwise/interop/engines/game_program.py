"""The program that a game's rules run in: messages to it and from it, in any thread."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from typing import Any

from pydantic import Field

from turnwise.core.errors import GameFunctionError, brief
from turnwise.interop.engines.messages import GameAnswer, Rules
from turnwise.interop.engines.options import Value, checked_options
from turnwise.interop.engines.player import greeted
from turnwise.interop.engines.process import EngineError, EngineGarbage, EngineProcess
from turnwise.plain_python.game import PythonGameOptions


class ProcessGameOptions(PythonGameOptions):
    """Options of a game in another program."""

    command: str = Field(min_length=1, description="command line of the program; no shell reads it")
    options: Mapping[str, Value] = Field(
        default={}, description='options of the program, as a table: options={"size":5}; it declares them in hello'
    )
    startup: float = Field(default=60.0, gt=0, le=3600, description="seconds to answer hello and new_game in")
    patience: float = Field(default=10.0, gt=0, le=3600, description="seconds to answer any other message in")
    max_objects: int = Field(
        200_000, ge=1000, description="largest number of states kept at a time (some kB each); then a search stops"
    )
    max_megabytes: int = Field(
        1000, ge=10, le=1_000_000, description="largest memory of the states kept at a time; then a search stops"
    )


class GameProgram:
    """The program of a game; starts it when it is needed, and names what goes wrong with it.

    Attributes:
        name: Its name and version once it has begun, before its command.
    """

    def __init__(self, options: ProcessGameOptions) -> None:
        self.name = options.command
        self._options = options
        self._lock = threading.RLock()  # searches in several threads ask one program; only who asks it may end it
        self._process: EngineProcess | None = None
        self._rules: Rules | None = None

    def rules(self) -> Rules:
        """What the game is like."""
        with self._lock:
            try:
                self._started()
            except EngineError as error:
                raise failure(error) from error
        assert self._rules is not None
        return self._rules

    def deadline(self) -> float:
        """The time by which a question that is asked now must be answered; starts the program if it is not there."""
        self.rules()
        return time.monotonic() + self._options.patience

    def ask(self, message: Mapping[str, Any], deadline: float) -> GameAnswer:
        """The answer to a message, up to a time of ``time.monotonic``.

        Raises:
            GameFunctionError: There is none in time, or no proper one.
        """
        with self._lock:
            try:
                process = self._started()
                process.send(message, deadline - time.monotonic())
                return process.receive(GameAnswer, deadline - time.monotonic())
            except EngineError as error:
                raise failure(error) from error
            except BaseException:  # Ctrl-C: an answer that comes later belongs to no question
                self.close()
                raise

    def garbage(self, what: str) -> GameFunctionError:
        """End the program; returns the error to raise."""
        self.close()
        return failure(EngineGarbage(f"The game {brief(self._options.command)} {what}."))

    def close(self) -> None:
        """End the program, once nobody waits for its answer."""
        with self._lock:
            if self._process is not None:
                self._process.close()

    def _started(self) -> EngineProcess:
        """The running program, which is started if it is not there."""
        if self._process is not None and self._process.is_running:
            return self._process
        self._process = process = EngineProcess(self._options.command, "game")
        try:
            self._rules = self._begun(process)
        except BaseException:  # a program that has not begun must not be asked
            process.close()
            raise
        return process

    def _begun(self, process: EngineProcess) -> Rules:
        """The rules of a program that has just been started."""
        options = self._options
        hello = greeted(process, options.startup, role="game")
        self.name = f"{hello.name} {hello.version}".strip()
        settings = checked_options(options.options, hello.options, f"The game {hello.name}")
        process.send({"type": "new_game", "options": settings}, options.startup)
        rules = process.receive(Rules, options.startup)
        if self._rules not in (None, rules):
            raise process.failed(EngineGarbage, "has other rules after it was started again")
        return rules


def failure(error: EngineError) -> GameFunctionError:
    """The error of a game: ``game crash``, ``game hang``, ``game garbage`` or ``game flood``."""
    return GameFunctionError(f"{error.ending.replace('engine', 'game')}: {error}")
