"""Small referees of the contests: they play a whole game with a program over pipes and time every answer."""

import subprocess
import sys
import time
from dataclasses import dataclass, field

import turnwise

ROWS = 15


@dataclass
class Played:
    """What a referee saw."""

    state: object
    seconds: list = field(default_factory=list)
    answers: list = field(default_factory=list)
    code: int | None = None
    stderr: str = ""


def samegame_lines(state):
    """A turn's input: 15 rows of numbers, top row first."""
    return [" ".join("-1" if cell == "." else cell for cell in row) for row in state.to_dict()["board"]]


def race_start(game):
    """What is told once."""
    points = list(game.options.points)
    targets = (points[1:] + points[:1]) * 3
    return [str(len(targets)), *(f"{x} {y}" for x, y in targets)]


def race_lines(state):
    """A turn's input."""
    told = state.to_dict()
    return [" ".join(str(told[name]) for name in ("cp", "x", "y", "vx", "vy", "angle"))]


def wait_until_ready(process):
    """Read what the program says until it is ready; compiling takes its time where nothing has been compiled yet."""
    said = ""
    while "is ready" not in said:
        line = process.stderr.readline()
        assert line, f"the program has ended: {said}"
        said += line


PROGRAM = "from turnwise.cli import main; main()"


def referee(game, *arguments, ready=False, most=10_000, program=PROGRAM):
    """Play one game.

    Args:
        game: Text of the scenario.
        *arguments: Of ``turnwise contest GAME``.
        ready: Whether the first input waits until the program says that it is ready.
        most: Give up after so many answers.
        program: What Python runs.
    """
    name = game.partition(":")[0]
    scenario = turnwise.make(game)
    state = scenario.start()
    is_race = name == "search-race"
    lines = race_start(scenario) if is_race else []
    command = [sys.executable, "-c", program, "contest", name, *arguments]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        if ready:
            wait_until_ready(process)
        played = Played(state)
        while not state.is_over and len(played.answers) < most:
            lines += race_lines(state) if is_race else samegame_lines(state)
            began = time.monotonic()
            process.stdin.write("\n".join(lines) + "\n")
            process.stdin.flush()
            answer = process.stdout.readline()
            played.seconds.append(time.monotonic() - began)
            if not answer:
                break
            played.answers.append(answer.rstrip("\n"))
            state = state.play(played.answers[-1])  # an illegal answer is an error here
            lines = []
        process.stdin.close()
        played.stderr = process.stderr.read()
        played.code = process.wait(60)
    played.state = state
    return played
