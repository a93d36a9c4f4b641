"""Ctrl-C while functions are compiled: it ends the command promptly and leaves nothing half finished."""

import json
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import pytest

import turnwise
from turnwise.jit import interruption
from turnwise.jit.import_names import kept_names
from turnwise.jit.interruption import compilation, refuse_compilation, safe_point, signals_wait, work_for
from turnwise.jit.kept_code import read_whole

TREE, TESTS = Path(turnwise.__file__).parents[1], Path(__file__).parents[1]
PROMPT = 10.0  # seconds; about 1 on an idle machine


def python(code, folder, *arguments):
    """Start Python on this source tree with a separate cache."""
    environment = {
        **os.environ,
        "TURNWISE_COMPILE": "1",
        "PYTHONPATH": os.pathsep.join([str(TREE), str(TESTS)]),
        "TURNWISE_CACHE": str(folder / "cache"),
    }
    first = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
    command = [sys.executable, "-c", first + textwrap.dedent(code), *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)


def broken_files(folder):
    """Files of a cache that are damaged or unexpected."""
    files = [file for file in (folder / "cache").rglob("*") if file.is_file()]
    return [file.name for file in files if not is_whole(file)]


def is_whole(file):
    """Whether a file of the cache is machine code, or what a source file imports, and undamaged."""
    if file.parent.name == "imports":
        return file.suffix == ".txt" and kept_names(file) is not None
    return file.suffix in (".nbi", ".nbc") and read_whole(file) is not None


COMMAND = ["plan", "samegame", "-p", "mcts", "-b", "iterations=20", "--json"]
QUICKER = ["flat-mc" if word == "mcts" else word for word in COMMAND]  # half as much to compile
MAIN = "from turnwise.cli import main; main()"


@pytest.mark.parametrize("delay", [0.0, 0.4, 1.1, 2.3, 3.9, 6.1])
def test_a_command_ends_promptly(tmp_path, delay):
    one = python(MAIN, tmp_path, *COMMAND)
    line = ""
    while "compiling" not in line:
        line = one.stderr.readline()
        assert line, one.stdout.read()
    time.sleep(delay)
    one.send_signal(signal.SIGINT)
    began = time.monotonic()
    out, err = one.communicate(timeout=120)
    assert time.monotonic() - began < PROMPT
    assert (one.returncode, out) == (130, "")
    messages = [line for line in err.splitlines() if "compil" not in line.lower()]
    assert [line.split(":")[0] for line in messages] == ["Interrupted"]
    assert broken_files(tmp_path) == []


def test_the_same_command_works_afterwards(tmp_path):
    plans = []
    for delay in (1.5, 3.0, None):
        one = python(MAIN, tmp_path, *QUICKER)
        if delay is not None:
            time.sleep(delay)
            one.send_signal(signal.SIGINT)
        out, err = one.communicate(timeout=240)
        assert one.returncode == (0 if delay is None else 130), err
        plans.append(out)
    assert json.loads(plans[-1])["iterations"] == 20


SESSION = """
import json, os, threading, time
import turnwise
from turnwise.jit.cache import compile_notices
from doubles.toy_game import Toy

def plan():
    return turnwise.planner("greedy-action").plan(Toy().start(1), turnwise.Budget(forward_calls=60), 3)

longest, interruptions, found = 0.0, 0, None
while found is None:
    ctrl_c = threading.Timer(0.3 + 0.7 * interruptions, lambda: os.kill(os.getpid(), signal.SIGINT))
    ctrl_c.start()
    due = time.monotonic() + ctrl_c.interval
    try:
        with compile_notices(lambda name: None):
            found = plan()
        ctrl_c.cancel()
    except KeyboardInterrupt:
        longest = max(longest, time.monotonic() - due)
        interruptions += 1
again = plan()
print(json.dumps([interruptions, longest, found.codes == again.codes, found.value == again.value, len(again.codes)]))
"""


def test_a_session_goes_on_after_ctrl_c(tmp_path):
    one = python(SESSION, tmp_path)
    out, err = one.communicate(timeout=240)
    assert one.returncode == 0, err
    interruptions, longest, *same, count = json.loads(out)
    assert interruptions >= 2
    assert longest < PROMPT
    assert same == [True, True]
    assert count > 0
    assert broken_files(tmp_path) == []


THREAD = """
import threading, time
from turnwise.jit.kernel import kernel
import turnwise

threading.Thread(target=lambda: turnwise.planner("mcts").plan(turnwise.make("samegame").start(),
    turnwise.Budget(iterations=1)), daemon=True).start()
time.sleep(3)
"""


def test_a_process_may_end_while_another_thread_compiles(tmp_path):
    one = python(THREAD, tmp_path)
    _, err = one.communicate(timeout=60)
    assert one.returncode == 0, err
    assert "Fatal" not in err
    assert broken_files(tmp_path) == []


LOST = """
import sys

class Losing:
    def __del__(self):
        raise KeyboardInterrupt

class Finder:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name == "rich":
            Losing()

sys.meta_path.insert(0, Finder)
sys.argv = ["turnwise", "games"]
from turnwise.cli import main
main()
"""


def test_ctrl_c_that_python_would_drop_is_not_lost(tmp_path):
    one = python(LOST, tmp_path)
    _, err = one.communicate(timeout=60)
    assert one.returncode == 130
    assert "Traceback" not in err


# --------------------------------------------------------------------------------------------------- the parts


def send():
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(0.01)  # the handler runs between two steps of Python


def test_signals_wait_until_the_end():
    steps = []
    with pytest.raises(KeyboardInterrupt):  # noqa: PT012, SIM117 - the exception comes at the end of the inner block
        with signals_wait():
            send()
            steps.append("all")
    assert steps == ["all"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_signals_wait_until_a_safe_point():
    steps = []
    with pytest.raises(KeyboardInterrupt):  # noqa: PT012 - the test is about which step raises
        with compilation(), compilation():
            send()
            steps.append("first function")
            safe_point()
            steps.append("second function")
        steps.append("after")
    assert steps == ["first function"]
    assert not interruption._compiling
    safe_point()


def test_a_handler_that_does_not_raise_is_called_and_compilation_goes_on():
    called = []
    before = signal.signal(signal.SIGINT, lambda number, frame: called.append(number))
    try:
        with compilation():
            send()
            assert called == []
            safe_point()
            assert called == [signal.SIGINT]
    finally:
        signal.signal(signal.SIGINT, before)


def test_a_refused_search_and_its_helpers_leave():
    left = []

    def helper(search):
        work_for(search)
        try:
            safe_point()
        except KeyboardInterrupt:
            left.append("helper")

    def search():
        refuse_compilation(threading.current_thread())
        one = threading.Thread(target=helper, args=(threading.current_thread(),))
        one.start()
        one.join()
        try:
            with compilation():
                safe_point()
        except KeyboardInterrupt:
            left.append("search")

    for work in (search, safe_point):  # the second thread may get the first one's identifier
        one = threading.Thread(target=work)
        one.start()
        one.join()
    assert left == ["helper", "search"]
