"""An engine's process: lines to it and from it, with limits of time and size."""

from __future__ import annotations

import contextlib
import os
import queue
import shlex
import signal
import subprocess
import threading
import time
import weakref
from collections.abc import Mapping
from typing import IO, Any, TypeVar

from turnwise.core.errors import OptionError, TurnwiseError, brief
from turnwise.interop.engines.messages import LONGEST_LINE, Answer, Info, MessageError, answer_of, line_of

Kind = TypeVar("Kind", bound=Answer)
_MOST_WAITING = 1000  # lines that wait to be read; an engine that writes more is stopped until they are
_MOST_INFOS = 100_000  # during one decision
_NOTES = 2000  # last characters of the engine's standard error that are kept
_GRACE = 1.0  # seconds that an engine has to end after "quit"


class EngineError(TurnwiseError):
    """An engine does not do what the protocol asks of it."""


class EngineCrash(EngineError):  # noqa: N818 - the name of the ending
    """The engine's process has ended, or could not be started."""


class EngineHang(EngineError):  # noqa: N818 - the name of the ending
    """The engine has not answered within its time."""


class EngineGarbage(EngineError):  # noqa: N818 - the name of the ending
    """The engine has sent something that is no message, or another message than expected."""


class EngineFlood(EngineError):  # noqa: N818 - the name of the ending
    """The engine has sent too much: a line that is too long, or too many lines."""


class EngineProcess:
    """A running engine. Its standard error is kept for messages; :meth:`close` ends it, at the latest with Python."""

    def __init__(self, command: str) -> None:
        """Start the engine.

        Args:
            command: Its command line, as for a shell, but no shell reads it.

        Raises:
            OptionError: The command is empty, or has an open quote.
            EngineCrash: It cannot be started.
        """
        self.command = command
        try:
            words = shlex.split(command)
        except ValueError as error:
            raise OptionError(f"The engine's command {brief(command)} cannot be read: {error}.") from None
        if not words:
            raise OptionError("The engine's command is empty; expected a program and its arguments: process:./engine.")
        pipe = subprocess.PIPE
        try:
            self._process = subprocess.Popen(words, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True)
        except (OSError, ValueError) as error:
            raise EngineCrash(f"The engine {brief(command)} cannot be started: {error}.") from None
        self._lines: queue.Queue[bytes | None] = queue.Queue(_MOST_WAITING)
        self._notes = bytearray()
        self._is_over = threading.Event()
        # The threads know the pipes but not this object, which ends the engine when nobody has it any more.
        out, notes = self._process.stdout, self._process.stderr
        threading.Thread(target=_read_lines, args=(out, self._lines, self._is_over), daemon=True).start()
        self._note_reader = threading.Thread(target=_read_notes, args=(notes, self._notes), daemon=True)
        self._note_reader.start()
        self._end = weakref.finalize(self, _kill, self._process, self._is_over)

    def send(self, message: Mapping[str, Any], within: float) -> None:
        """Send a message.

        Args:
            message: The message.
            within: Seconds after which an engine that does not read it is ended.

        Raises:
            EngineCrash: The process has ended.
            EngineHang: It does not read.
        """
        failed: list[OSError] = []

        def write() -> None:
            try:
                stream = self._process.stdin
                assert stream is not None
                stream.write(line_of(message))
                stream.flush()
            except (OSError, ValueError) as error:
                failed.append(error if isinstance(error, OSError) else OSError(str(error)))

        writer = threading.Thread(target=write, daemon=True)  # a pipe that nobody reads blocks
        writer.start()
        writer.join(within)
        if writer.is_alive():
            raise self._ended(EngineHang, f"does not read its standard input: {within:g} s for one message")
        if failed:
            raise self._crash()

    def receive(self, kind: type[Kind], within: float) -> Kind:
        """Wait for a message; infos before it are skipped.

        Args:
            kind: The class of the message.
            within: Seconds.

        Raises:
            EngineCrash: The process has ended.
            EngineHang: No such message has come in time.
            EngineGarbage: Something else has come.
            EngineFlood: Too much has come.
        """
        deadline = time.monotonic() + within
        for _ in range(_MOST_INFOS):
            try:
                line = self._lines.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                raise self._ended(EngineHang, f"has not answered within {within:.3g} s. It has been ended") from None
            if line is None:
                raise self._crash()
            if len(line) > LONGEST_LINE:
                raise self._ended(EngineFlood, f"has sent a line of more than {LONGEST_LINE} bytes")
            try:
                answer = answer_of(line)
            except MessageError as error:
                raise self._ended(EngineGarbage, f"has sent what is no message: {error}") from None
            if isinstance(answer, kind):
                return answer
            if not isinstance(answer, Info):
                wanted, came = (one.__name__.lower() for one in (kind, type(answer)))
                raise self._ended(EngineGarbage, f"has sent another message: expected {wanted!r}; got {came!r}")
        raise self._ended(EngineFlood, f"has sent more than {_MOST_INFOS} infos in one decision")

    def ends_with_its_input(self, within: float) -> bool:
        """Close its standard input, and wait whether it ends by itself."""
        stream = self._process.stdin
        assert stream is not None
        with contextlib.suppress(OSError):
            stream.close()
        try:
            self._process.wait(within)
        except subprocess.TimeoutExpired:
            return False
        return True

    @property
    def is_running(self) -> bool:
        """Whether the process is there and has not been ended."""
        return self._end.alive and self._process.poll() is None

    def close(self) -> None:
        """Ask the engine to end, and end it if it does not."""
        if self.is_running:
            self._quit()
        self._end()

    def _ended(self, fault: type[EngineError], what: str) -> EngineError:
        """End the engine; returns the error to raise."""
        self.close()
        return fault(f"{self._who} {what}.")

    def _quit(self) -> None:
        stream = self._process.stdin
        with contextlib.suppress(OSError, ValueError, subprocess.TimeoutExpired):
            assert stream is not None
            os.set_blocking(stream.fileno(), False)
            os.write(stream.fileno(), line_of({"type": "quit"}))
            self._process.wait(_GRACE)

    @property
    def _who(self) -> str:
        return f"The engine {brief(self.command)}"

    def _crash(self) -> EngineCrash:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_GRACE)
        code = self._process.poll()
        how = "closed its standard output" if code is None else f"ended with exit code {code}"
        if code is not None and code < 0:
            how = f"was ended by the signal {signal.Signals(-code).name}"
        self.close()
        self._note_reader.join(_GRACE)  # its last words may still be in the pipe
        last = self._notes.decode(errors="replace").strip().splitlines()[-1:]
        return EngineCrash(f"{self._who} {how}.{f' Its last words: {brief(last[0])}' if last else ''}")


def _read_lines(stream: IO[bytes], lines: queue.Queue[bytes | None], is_over: threading.Event) -> None:
    """Read lines as long as there is room for them; None is the end."""
    line: bytes | None = b""
    while line is not None and len(line) <= LONGEST_LINE and not is_over.is_set():
        line = stream.readline(LONGEST_LINE + 2) or None
        while not is_over.is_set():
            with contextlib.suppress(queue.Full):
                lines.put(line, timeout=0.2)
                break


def _read_notes(stream: IO[bytes], notes: bytearray) -> None:
    """Keep the end of what an engine writes for people."""
    while part := os.read(stream.fileno(), 4096):
        notes += part
        del notes[:-_NOTES]


def _kill(process: subprocess.Popen[bytes], is_over: threading.Event) -> None:
    """End the process and all that it has started."""
    is_over.set()
    with contextlib.suppress(OSError):
        os.killpg(process.pid, signal.SIGKILL)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(_GRACE)
    with contextlib.suppress(OSError, ValueError):  # the other pipes end with their readers
        if process.stdin is not None:
            process.stdin.close()
