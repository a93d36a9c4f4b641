"""Python processes with a compile cache of their own."""

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import turnwise

PATHS = (Path(turnwise.__file__).parents[1], Path(__file__).parents[1])  # this source tree, and its tests


def lines_printed(code, folder, *arguments):
    """What compiled code prints, line by line; it can import modules in a folder, whose ``cache`` is the cache.

    Args:
        code: Python code, which may be indented.
        folder: The folder.
        *arguments: The process's arguments.
    """
    environment = {
        **os.environ,
        "TURNWISE_COMPILE": "1",
        "PYTHONPATH": os.pathsep.join(map(str, (folder, *PATHS))),
        "TURNWISE_CACHE": str(folder / "cache"),
    }
    command = [sys.executable, "-c", textwrap.dedent(code), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=600)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()
