"""For all tests: suppressed errors are failures, and compiled code is kept separate from the user's cache."""

import os
import signal
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
os.environ.setdefault("TURNWISE_CACHE", str(ROOT / "build" / "test-cache"))
for folder in (ROOT / "tests", ROOT / "examples"):
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))

signal.signal(signal.SIGINT, signal.default_int_handler)  # the shell may have started this process with Ctrl-C ignored

import pytest  # noqa: E402 - after the cache folder, which is read when turnwise is imported


def pytest_collection_modifyitems(items):
    """With ``TURNWISE_COMPILE=0``, skip the tests marked ``compiled_only``; the summary says why."""
    if os.environ.get("TURNWISE_COMPILE") == "0":
        for item in items:
            if mark := item.get_closest_marker("compiled_only"):
                (reason,) = mark.args
                item.add_marker(pytest.mark.skip(reason=f"compiled only: {reason}"))


@pytest.fixture(autouse=True)
def no_unraisable_errors(monkeypatch):
    """Fail a test if an exception is suppressed by a C function pointer (it goes to sys.unraisablehook)."""
    seen = []
    monkeypatch.setattr(sys, "unraisablehook", lambda unraisable: seen.append(unraisable.exc_value))
    yield
    assert not seen, f"exceptions were lost inside compiled code: {seen!r}"


@pytest.fixture(autouse=True)
def same_registries():
    """Undo the registrations of a test after it."""
    from turnwise import GAMES, PLANNERS

    before = [(registry, dict(registry._classes), dict(registry._paths)) for registry in (GAMES, PLANNERS)]
    yield
    for registry, classes, paths in before:
        registry._classes.clear()
        registry._classes.update(classes)
        registry._paths.clear()
        registry._paths.update(paths)
