"""Small contest referees, which play a whole game with a program over pipes and time every answer."""

from __future__ import annotations

import subprocess
import sys
import time
from dataclasses import dataclass, field
from typing import IO

import turnwise
from turnwise.arena.contest.protocol import protocol_of
from turnwise.core.state import State

PROGRAM = "from turnwise.cli import main; main()"


@dataclass
class RefereedGame:
    """The record of a referee.

    Attributes:
        state: The last state.
        seconds: Wall time of every answer, from the writing of the turn.
        answers: The answers.
        code: Exit code of the program.
        stderr: The program's standard error output.
    """

    state: State
    seconds: list[float] = field(default_factory=list)
    answers: list[str] = field(default_factory=list)
    code: int | None = None
    stderr: str = ""


def referee(
    game: str, *arguments: str, ready: bool = False, most: int = 10_000, program: str = PROGRAM
) -> RefereedGame:
    """Play one game with ``turnwise contest`` in a separate process.

    Args:
        game: Text of a scenario of a game with a contest protocol.
        *arguments: Arguments of ``turnwise contest GAME``.
        ready: Whether to delay the first input until the program reports that it is ready.
        most: Largest number of answers.
        program: Python source of the program.

    Raises:
        UnknownNameError: No game of that name.
        OptionError: The game has no contest.
        NotationError: An answer cannot be read.
        IllegalActionError: An answer is not legal.
        RuntimeError: The program ended before it was ready.
    """
    scenario = turnwise.make(game)
    protocol = protocol_of(scenario.name)
    played = RefereedGame(scenario.start())
    lines = protocol.opening_lines(scenario)
    command = [sys.executable, "-c", program, "contest", scenario.name, *arguments]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        if ready:
            _wait_until_ready(process.stderr)
        while not played.state.is_over and len(played.answers) < most:
            lines += protocol.turn_lines(played.state)
            began = time.monotonic()
            process.stdin.write("\n".join(lines) + "\n")
            process.stdin.flush()
            answer = process.stdout.readline()
            played.seconds.append(time.monotonic() - began)
            if not answer:
                break
            played.answers.append(answer.rstrip("\n"))
            played.state = played.state.play(played.answers[-1])
            lines = []
        process.stdin.close()
        played.stderr = process.stderr.read()
        played.code = process.wait(60)
    return played


def _wait_until_ready(stderr: IO[str]) -> None:
    """Read standard error until the program reports that it is ready, which may take long if it has to compile."""
    output = ""
    while "is ready" not in output:
        line = stderr.readline()
        if not line:
            raise RuntimeError(f"the program has ended before it was ready: {output}")
        output += line
