"""Running the command line inside the test's process, and as a separate process."""

import io
import json
import os
import subprocess
import sys
from dataclasses import dataclass

import pytest

from turnwise.cli.run import run


@dataclass
class Outcome:
    """The result of a command."""

    code: int
    out: str
    err: str

    @property
    def json(self):
        """Standard output as JSON."""
        return json.loads(self.out)

    def refused(self, *parts):
        """Check that this is one clear message: exit code 2, no traceback, nothing on standard output."""
        assert self.code == 2, (self.code, self.out, self.err)
        assert "Traceback" not in self.err
        assert self.out == ""
        lines = [line for line in self.err.splitlines() if line.startswith("Error: ")]
        assert len(lines) == 1, self.err
        for part in parts:
            assert part in lines[0], lines[0]


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    """Make an empty folder the current one, since commands write into it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TURNWISE_DEBUG", raising=False)


@pytest.fixture(autouse=True)
def _no_width_of_ours(monkeypatch):
    """Tables are as wide as they are where no terminal is; the processes of pytest-xdist set 80 columns."""
    monkeypatch.delenv("COLUMNS", raising=False)


@pytest.fixture
def cli(capsys, monkeypatch):
    """Call ``cli("plan", ..., typed="...")``; ``typed`` is the standard input."""

    def call(*arguments, typed=""):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(typed.encode())))
        capsys.readouterr()
        code = run([str(argument) for argument in arguments])
        seen = capsys.readouterr()
        return Outcome(code, seen.out, seen.err)

    return call


@pytest.fixture
def process():
    """Call ``process("plan", ...)`` as a separate process; returns a started ``Popen``."""
    started = []

    def start(*arguments, **environment):
        command = [sys.executable, "-c", "from turnwise.cli import main; main()", *map(str, arguments)]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        one = subprocess.Popen(command, env={**os.environ, **environment}, text=True, **pipes)
        started.append(one)
        return one

    yield start
    for one in started:
        if one.poll() is None:
            one.kill()
        one.communicate()
