"""An engine's process: lines to it and from it, with limits of time and size."""

from __future__ import annotations

import contextlib
import os
import select
import shlex
import signal
import subprocess
import time
import weakref
from collections.abc import Callable, Mapping
from typing import IO, Any, ClassVar, TypeVar

from turnwise.core.errors import OptionError, PlayerFault, brief
from turnwise.interop.engines.messages import (
    LONGEST_LINE,
    Answer,
    Info,
    MessageError,
    Ready,
    Refusal,
    Rules,
    answer_of,
    line_of,
    type_of,
)

Kind = TypeVar("Kind", bound=Answer)
_MOST_WAITING = 4 * LONGEST_LINE  # bytes that wait to be read; an engine that writes more is stopped until they are
_MOST_INFOS = 100_000  # during one decision
_NOTES = 2000  # last characters of the engine's standard error that are kept
_GRACE = 1.0  # seconds that an engine has to end after "quit"
_PART = 1 << 16  # bytes that are read at a time
_SLICE = 0.1  # seconds after which somebody's wish to stop is noticed
_ROLES: dict[tuple[type[Answer], type[Answer]], str] = {
    (Rules, Ready): ". It seems to be a player, not a game: use it as process:COMMAND",
    (Ready, Rules): ". It seems to be a game, not a player: use it as process-game:COMMAND",
}
"""Hints about programs in the wrong place: the expected message, the one that came -> end of the error."""


class EngineError(PlayerFault):
    """A program does not do what the protocol asks of it."""


class EngineCrash(EngineError):  # noqa: N818 - the name of the ending
    """The program's process has ended, or could not be started."""

    ending: ClassVar[str] = "engine crash"


class EngineHang(EngineError):  # noqa: N818 - the name of the ending
    """The program has not answered within its time."""

    ending: ClassVar[str] = "engine hang"


class EngineGarbage(EngineError):  # noqa: N818 - the name of the ending
    """The program has sent something that is no message, or another message than expected."""

    ending: ClassVar[str] = "engine garbage"


class EngineFlood(EngineError):  # noqa: N818 - the name of the ending
    """The program has sent too much: a line that is too long, or too many lines."""

    ending: ClassVar[str] = "engine flood"


class EngineProcess:
    """A running program that speaks the protocol.

    One thread at a time uses it, but any thread may call :meth:`stop`. Its standard error is kept for messages;
    :meth:`close` ends it, at the latest with Python.
    """

    def __init__(self, command: str, kind: str = "engine") -> None:
        """Start the program.

        Args:
            command: Its command line, as for a shell, but no shell reads it.
            kind: What messages call it.

        Raises:
            OptionError: The command is empty, or has an open quote.
            EngineCrash: It cannot be started.
        """
        self.command = command
        self._who = f"The {kind} {brief(command)}"
        try:
            words = shlex.split(command)
        except ValueError as error:
            raise OptionError(f"The {kind}'s command {brief(command)} cannot be read: {error}.") from None
        if not words:
            raise OptionError(f"The {kind}'s command is empty; expected a program and its arguments, as in ./program.")
        pipe = subprocess.PIPE
        try:
            process = subprocess.Popen(words, bufsize=0, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True)
        except (OSError, ValueError) as error:
            raise EngineCrash(f"{self._who} cannot be started: {error}.") from None
        self._process = process
        self._end = weakref.finalize(self, _kill, process)
        self._in, self._out, self._err = (_unblocked(one) for one in (process.stdin, process.stdout, process.stderr))
        self._reading, self._writing = select.poll(), select.poll()
        for ready in (self._reading, self._writing):
            ready.register(self._out, select.POLLIN)
            ready.register(self._err, select.POLLIN)
        self._writing.register(self._in, select.POLLOUT)
        self._lines = bytearray()  # what has been read and is no answer yet
        self._searched = 0  # bytes of it in which there is no end of a line
        self._notes = bytearray()
        self._is_stopped = self._has_ended = False

    def send(self, message: Mapping[str, Any], within: float) -> None:
        """Send a message.

        Args:
            message: The message.
            within: Seconds after which a program that does not read it is ended.

        Raises:
            EngineCrash: The process has ended.
            EngineHang: It does not read.
        """
        rest, deadline = memoryview(line_of(message)), time.monotonic() + within
        while rest:
            try:
                rest = rest[os.write(self._in, rest) :]
            except BlockingIOError:
                left = deadline - time.monotonic()
                if left <= 0.0:
                    raise self.failed(
                        EngineHang, f"does not read its standard input: {within:g} s for one message"
                    ) from None
                self._wait_for(self._writing, left)
            except OSError:
                raise self._crash() from None

    def receive(self, kind: type[Kind], within: float, heard: Callable[[Info], None] | None = None) -> Kind:
        """Wait for a message.

        Args:
            kind: The class of the message.
            within: Seconds.
            heard: Called with every info that comes before it.

        Raises:
            EngineCrash: The process has ended.
            EngineHang: No such message has come in time.
            EngineGarbage: Something else has come.
            EngineFlood: Too much has come.
        """
        deadline = time.monotonic() + within
        for _ in range(_MOST_INFOS):
            line = self._next(deadline, within)
            try:
                answer = answer_of(line)
            except MessageError as error:
                raise self.failed(EngineGarbage, f"has sent what is no message: {error}") from None
            if isinstance(answer, kind):
                return answer
            if isinstance(answer, Refusal):
                raise self.failed(EngineGarbage, f"has refused a message: {answer.message}")
            if not isinstance(answer, Info):
                wanted, came = (type_of(one) for one in (kind, type(answer)))
                hint = _ROLES.get((kind, type(answer)), "")
                raise self.failed(EngineGarbage, f"has sent another message: expected {wanted}; got {came}{hint}")
            if heard is not None:
                heard(answer)
        raise self.failed(EngineFlood, f"has sent more than {_MOST_INFOS} infos in one decision")

    def stop(self) -> None:
        """Let :meth:`receive` ask for an answer as soon as possible; called in any thread."""
        self._is_stopped = True

    def forget_stop(self) -> None:
        """A wish to stop belongs to one decision."""
        self._is_stopped = False

    def _next(self, deadline: float, within: float) -> bytes:
        """The next line."""
        while (end := self._lines.find(b"\n", self._searched)) < 0:
            self._searched = len(self._lines)
            if self._searched > LONGEST_LINE:
                raise self.failed(EngineFlood, f"has sent a line of more than {LONGEST_LINE} bytes")
            if self._has_ended:
                raise self._crash()
            left = deadline - time.monotonic()
            if left <= 0.0:
                raise self.failed(EngineHang, f"has not answered within {within:.3g} s. It has been ended")
            if self._is_stopped:
                self._is_stopped = False
                self.send({"type": "stop"}, left)
            self._wait_for(self._reading, left)
        line = bytes(self._lines[:end])
        del self._lines[: end + 1]
        self._searched = 0
        if len(line) > LONGEST_LINE:
            raise self.failed(EngineFlood, f"has sent a line of more than {LONGEST_LINE} bytes")
        return line

    def _wait_for(self, ready: select.poll, seconds: float) -> None:
        """Wait for at most a slice of the seconds until there is something to read, or also to write, and read it.

        Raises:
            EngineCrash: There is nothing, and the process has ended; a child of it may still have its pipes open.
        """
        if self._read_ready(ready, min(seconds, _SLICE)) or self._process.poll() is None:
            return
        if not self._read_ready(ready, 0.0):  # its last words came after the wait
            raise self._crash()

    def _read_ready(self, ready: select.poll, seconds: float) -> bool:
        """Wait for something, and read it; returns whether there was something."""
        streams = ready.poll(1000.0 * seconds)
        for stream, _ in streams:
            if stream == self._err:
                self._read_notes()
            elif stream == self._out:
                self._read_lines()
        return bool(streams)

    def _read_lines(self) -> None:
        if len(self._lines) >= _MOST_WAITING:
            time.sleep(0.01)  # the pipe stays full, which stops the program
            return
        part = _read(self._out)
        self._lines += part or b""
        if part == b"":
            self._has_ended = True
            self._forget(self._out)

    def _read_notes(self) -> None:
        part = _read(self._err)
        self._notes += part or b""
        del self._notes[:-_NOTES]
        if part == b"":
            self._forget(self._err)

    def _forget(self, stream: int) -> None:
        for ready in (self._reading, self._writing):
            ready.unregister(stream)

    def ends_with_its_input(self, within: float) -> bool:
        """Close its standard input, and return whether it ends within so many seconds."""
        assert self._process.stdin is not None
        self._process.stdin.close()
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
        """Ask the program to end, and end it if it does not."""
        if self.is_running:
            self._quit()
        self._end()

    def failed(self, fault: type[EngineError], what: str) -> EngineError:
        """End the program; returns the error to raise."""
        self.close()
        return fault(f"{self._who} {what}.")

    def _quit(self) -> None:
        stream = self._process.stdin
        with contextlib.suppress(OSError, subprocess.TimeoutExpired):
            if stream is not None and not stream.closed:
                os.write(self._in, line_of({"type": "quit"}))
                self._process.wait(_GRACE)

    def _crash(self) -> EngineCrash:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_GRACE)
        code = self._process.poll()
        how = "closed its standard output" if code is None else f"ended with exit code {code}"
        if code is not None and code < 0:
            how = f"was ended by the signal {_signal_name(-code)}"
        if not self._process.stderr or not self._process.stderr.closed:
            self._notes += _read(self._err) or b""  # its last words may still be in the pipe
        self.close()
        last = self._notes.decode(errors="replace").strip().splitlines()[-1:]
        return EngineCrash(f"{self._who} {how}.{f' Its last words: {brief(last[0])}' if last else ''}")


def _signal_name(number: int) -> str:
    """The name of a signal; the number of one that has none, as real-time signals."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return str(number)


def _unblocked(stream: IO[bytes] | None) -> int:
    """The number of a pipe, which from now on never blocks."""
    assert stream is not None
    os.set_blocking(stream.fileno(), False)
    return stream.fileno()


def _read(stream: int) -> bytes | None:
    """What there is to read; empty: the pipe has ended; None: nothing for now."""
    try:
        return os.read(stream, _PART)
    except BlockingIOError:
        return None
    except OSError:
        return b""


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End the process and all that it has started in its session."""
    with contextlib.suppress(OSError):
        os.killpg(process.pid, signal.SIGKILL)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(_GRACE)
    for stream in (process.stdin, process.stdout, process.stderr):
        with contextlib.suppress(OSError, ValueError):
            if stream is not None:
                stream.close()
