"""Answers to a referee that does not wait until the program has loaded.

Loading takes a second or more, but a referee may allow one second from the start of the process. A thread reads
standard input from the start. Until the engine is ready, the thread answers with the game's driver in plain Python. As
soon as the engine is ready, it reads the input so far and takes over. Nothing here imports numba.
"""

from __future__ import annotations

import math
import os
import select
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path

from turnwise.core.contest import Driver

_STAT = Path("/proc/self/stat")
_SWITCH_SECONDS = 0.0005  # switch interval between threads, so that the driver gets time while the engine loads
_CHUNK = 1 << 16
_LONGEST = 1 << 20  # characters without a line end


class FirstAnswers:
    """Reads a referee's lines from the start of the process, and answers until the engine takes over.

    Attributes:
        seconds: For each answer, the time that the referee waited for it.
    """

    def __init__(self, driver: Driver, source: int, write: Callable[[str], None]) -> None:
        """Start to read.

        Args:
            driver: The driver that answers in the meantime.
            source: File descriptor of the input; nothing else may read it.
            write: Sends a line with its line end at once.
        """
        self._driver = driver
        self.seconds: list[float] = []
        self._answered: list[str] = []
        self._source, self._write = source, write
        self._lines: deque[tuple[str, float]] = deque()  # not yet passed to the engine, with arrival times; "": end
        self._turn: list[str] = []  # lines since the last answer
        self._began = 0.0  # arrival time of the first of them
        self._arrived = 0.0
        self._driving = True
        self._changed = threading.Condition()
        self._interval = sys.getswitchinterval()
        sys.setswitchinterval(_SWITCH_SECONDS)
        waiting = bool(select.select([source], [], [], 0)[0])
        self._earliest = time.monotonic() - age_of_process() if waiting else None
        for work in (self._read, self._drive):
            threading.Thread(target=work, daemon=True, name="turnwise-first-answers").start()

    def take_over(self) -> list[str]:
        """End the driver's work between two turns, or early in the first turn.

        After that :meth:`readline` returns all lines from the first.

        Returns:
            The driver's answers.
        """
        with self._changed:
            while self._is_driving_a_turn():
                self._changed.wait()
            self._driving = False
            self._changed.notify_all()
        sys.setswitchinterval(self._interval)
        return self._answered

    def readline(self, most: int) -> str:
        """The next line with its line end, at most ``most`` characters of it; "" at the end of the input."""
        with self._changed:
            while not self._lines:
                self._changed.wait()
            line, self._arrived = self._lines[0]
            if line:
                self._lines.popleft()
            if len(line) > most:
                self._lines.appendleft((line[most:], self._arrived))
            return line[:most]

    def arrived(self) -> float:
        """Arrival time of the last line that :meth:`readline` returned, in seconds of ``time.monotonic``."""
        return self._arrived

    def _read(self) -> None:
        rest = b""
        while True:
            try:
                chunk = os.read(self._source, _CHUNK)
            except OSError:
                chunk = b""
            *whole, rest = (rest + chunk).split(b"\n")
            if rest and (not chunk or len(rest) > _LONGEST):
                whole, rest = [*whole, rest], b""
            with self._changed:
                now, self._earliest = self._earliest or time.monotonic(), None
                for line in whole:
                    self._note(line.decode("utf-8", "replace") + "\n", now)
                if not chunk:
                    self._lines.append(("", now))
                self._changed.notify_all()
            if not chunk:
                return

    def _note(self, line: str, now: float) -> None:
        self._lines.append((line, now))
        if self._driving:
            self._began = self._began if self._turn else now
            self._turn.append(line)

    def _is_driving_a_turn(self) -> bool:
        """Whether the driver is responsible for the current turn: the engine could not answer it in time."""
        if not self._driving or not self._turn or self._lines[-1][0] == "":
            return False
        return bool(self._answered) or time.monotonic() - self._began > self._driver.take_over_seconds

    def _drive(self) -> None:
        with self._changed:
            while self._driving:
                is_first = not self._answered
                limit = self._driver.first_seconds if is_first else self._driver.later_seconds
                left = self._began + limit - time.monotonic() if self._turn else math.inf
                if left > 0 or not self._driver.is_whole(self._turn, is_first):
                    self._changed.wait(left if 0 < left < math.inf else None)
                    continue
                answer = self._driver.answer(self._turn, is_first)
                if answer is None or not self._send(answer):  # the engine will meet the same problem and report it
                    self._driving = False
                self._changed.notify_all()

    def _send(self, answer: str) -> bool:
        """Send an answer; returns False if the referee no longer reads."""
        try:
            self._write(answer + "\n")
        except OSError:
            return False
        self.seconds.append(time.monotonic() - self._began)
        self._answered.append(answer)
        self._turn = []
        return True


def age_of_process() -> float:
    """Seconds since the start of this process, or its CPU time if the system does not provide them."""
    try:
        began = float(_STAT.read_text().rpartition(")")[2].split()[19]) / os.sysconf("SC_CLK_TCK")
        return max(0.0, time.clock_gettime(time.CLOCK_BOOTTIME) - began)
    except (OSError, ValueError, AttributeError, IndexError):
        return time.process_time()
