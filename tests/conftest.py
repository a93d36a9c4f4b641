"""For all tests: suppressed errors are failures, and compiled code is kept separate from the user's cache."""

import gc
import os
import shutil
import signal
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parent.parent
os.environ.setdefault("TURNWISE_CACHE", str(ROOT / "build" / "test-cache"))
for folder in (ROOT / "tests", ROOT / "examples"):
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))

signal.signal(signal.SIGINT, signal.default_int_handler)  # the shell may have started this process with Ctrl-C ignored

import pytest  # noqa: E402 - after the cache folder, which is read when turnwise is imported

WHOLE_RUN = 4000  # tests at least


def pytest_configure(config):
    """Files are handed out as :func:`pytest_collection_modifyitems` orders them, not by their number of tests."""
    if hasattr(config.option, "loadscopereorder"):
        config.option.loadscopereorder = False


def pytest_collection_finish(session):
    """The processes of a whole run share the work of compiling."""
    # What there is now stays. Without freeze, every garbage collection walks through thousands of tests (a second).
    gc.collect()
    gc.freeze()
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID", "")
    if run and len(session.items) >= WHOLE_RUN and os.environ.get("TURNWISE_COMPILE") != "0":
        from doubles.shared_compiling import compile_share

        compile_share(run)
        gc.freeze()  # compiled functions stay, too


def pytest_runtest_teardown(item, nextitem):
    """What a file leaves stays out of later collections, which took more than a second each late in a run."""
    if nextitem is None or nextitem.path != item.path:
        gc.collect()
        gc.freeze()


def pytest_sessionfinish():
    """Remove the notes on who has compiled what."""
    if run := os.environ.get("PYTEST_XDIST_TESTRUNUID", ""):
        from doubles.shared_compiling import folder_of

        shutil.rmtree(folder_of(run), ignore_errors=True)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items):
    """Order the files: the longest ones first, then those with the most tests.

    With ``TURNWISE_COMPILE=0``, skip the tests marked ``compiled_only``; the summary says why.
    """
    from doubles.file_order import LONGEST

    sizes = Counter(item.path for item in items)
    rank = {ROOT / path: number for number, path in enumerate(LONGEST)}
    items.sort(key=lambda item: (rank.get(item.path, len(rank)), -sizes[item.path], item.path))
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


@pytest.fixture(scope="module")
def browser():
    """A real browser, for tests with the mark ``browser``."""
    from doubles.chromium import CHROMIUM

    playwright = pytest.importorskip("playwright.sync_api", reason="the playwright package is not installed")
    with playwright.sync_playwright() as api:
        browser = api.chromium.launch(executable_path=str(CHROMIUM), args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()
