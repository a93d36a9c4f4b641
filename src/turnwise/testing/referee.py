"""Small referees of the contests: they play a whole game with a program over pipes and time every answer."""

from __future__ import annotations

import subprocess
import sys
import time
from dataclasses import dataclass, field
from typing import IO, Any

import turnwise
from turnwise.core.errors import unknown_name
from turnwise.core.state import State

PROGRAM = "from turnwise.cli import main; main()"


@dataclass
class Played:
    """What a referee saw.

    Attributes:
        state: The last state.
        seconds: Wall time of every answer, from the moment that the turn was told.
        answers: The answers.
        code: Exit code of the program.
        stderr: What it said there.
    """

    state: State
    seconds: list[float] = field(default_factory=list)
    answers: list[str] = field(default_factory=list)
    code: int | None = None
    stderr: str = ""


def samegame_lines(state: State) -> list[str]:
    """A turn's input in SameGame: 15 rows of numbers, top row first."""
    return [" ".join("-1" if cell == "." else cell for cell in row) for row in state.to_dict()["board"]]


def race_start(game: Any) -> list[str]:
    """What Search Race's referee tells once: the targets of three rounds."""
    points = list(game.options.points)
    targets = (points[1:] + points[:1]) * 3
    return [str(len(targets)), *(f"{x} {y}" for x, y in targets)]


def race_lines(state: State) -> list[str]:
    """A turn's input in Search Race."""
    told = state.to_dict()
    return [" ".join(str(told[name]) for name in ("cp", "x", "y", "vx", "vy", "angle"))]


TURNS = {"samegame": samegame_lines, "search-race": race_lines}
"""Game -> what the referee of its contest tells every turn."""


def referee(game: str, *arguments: str, ready: bool = False, most: int = 10_000, program: str = PROGRAM) -> Played:
    """Play one game with ``turnwise contest`` in a process of its own.

    Args:
        game: Text of the scenario, samegame or search-race.
        *arguments: Of ``turnwise contest GAME``.
        ready: Whether the first input waits until the program says that it is ready.
        most: Give up after so many answers.
        program: What Python runs.

    Raises:
        UnknownNameError: There is no contest of that game.
        NotationError: An answer cannot be read.
        IllegalActionError: An answer is not legal.
        RuntimeError: The program ended before it was ready.
    """
    name = game.partition(":")[0]
    if name not in TURNS:
        raise unknown_name("contest", name, TURNS)
    scenario, tell = turnwise.make(game), TURNS[name]
    played = Played(scenario.start())
    lines = race_start(scenario) if name == "search-race" else []
    command = [sys.executable, "-c", program, "contest", name, *arguments]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        if ready:
            _wait_until_ready(process.stderr)
        while not played.state.is_over and len(played.answers) < most:
            lines += tell(played.state)
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
    """Read what the program says until it is ready; compiling takes its time where nothing has been compiled yet."""
    said = ""
    while "is ready" not in said:
        line = stderr.readline()
        if not line:
            raise RuntimeError(f"the program has ended: {said}")
        said += line
