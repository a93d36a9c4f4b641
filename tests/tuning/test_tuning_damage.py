"""Damaged results files of tunings: noticed, named, and with ``retry_damaged`` repaired from what is intact."""

import random
import re
import shutil
import sqlite3
from contextlib import closing

import pytest

from doubles.tuned import SPEC
from turnwise.arena.results.writing import ResultsMismatchError
from turnwise.core.errors import DamagedFileError
from turnwise.tuning.campaign import run_tuning
from turnwise.tuning.specification import make_tuning


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A finished tuning's file and its result."""
    from doubles.tuned import register_doubles

    register_doubles()
    path = tmp_path_factory.mktemp("finished") / "t.sqlite"
    return path, run_tuning(make_tuning(**SPEC), path)


@pytest.fixture
def path(finished, tmp_path):
    shutil.copy(finished[0], tmp_path / "t.sqlite")
    return tmp_path / "t.sqlite"


def run(path, **arguments):
    """The result, the number of games played now, and the messages."""
    steps = []
    tuning = run_tuning(make_tuning(**SPEC), path, progress=steps.append, **arguments)
    return tuning, steps[-1].played, [step.message for step in steps if step.message]


def change(path, statement):
    with closing(sqlite3.connect(path)) as connection, connection:
        assert connection.execute(statement).rowcount > 0


def files(path):
    return sorted(file.name for file in path.parent.iterdir())


def outcome(action):
    """The result of an action, or the error about damage that it raises."""
    try:
        return action()
    except DamagedFileError as error:
        return error


FLIP = "UPDATE samples SET fitness = 1 - fitness WHERE trial IN ('run 0, 1', 'run 1, 2') AND number = 0"


def test_damaged_results_are_named_and_the_file_stays(path):
    change(path, FLIP)
    before = path.read_bytes()
    with pytest.raises(
        DamagedFileError, match=r"2 results are damaged \(of 'run 0, 1'; 'run 1, 2'; .*again, run .* --retry-damaged"
    ):
        run(path)
    assert path.read_bytes() == before
    assert files(path) == ["t.sqlite"]


def test_damaged_results_are_played_again(path, finished):
    change(path, FLIP)
    damaged = path.read_bytes()
    tuning, played, messages = run(path, retry_damaged=True)
    assert tuning.evaluations == finished[1].evaluations
    assert played == 2
    (message,) = messages
    assert "46 results kept; 2 damaged ones will be played again" in message
    assert message.endswith(f"The damaged file is now {path}.damaged.")
    assert (path.parent / "t.sqlite.damaged").read_bytes() == damaged
    assert files(path) == ["t.sqlite", "t.sqlite.damaged"]
    again, played, messages = run(path)
    assert (again.evaluations, played, messages) == (tuning.evaluations, 0, [])


def test_a_second_damage_gets_a_second_name(path):
    for _ in range(2):
        change(path, FLIP)
        run(path, retry_damaged=True)
    assert files(path) == ["t.sqlite", "t.sqlite.damaged", "t.sqlite.damaged-2"]


def test_an_intact_file_is_left_alone(path, finished):
    tuning, played, messages = run(path, retry_damaged=True)
    assert (tuning.evaluations, played, messages) == (finished[1].evaluations, 0, [])
    assert files(path) == ["t.sqlite"]


def test_a_lost_row_is_a_game_that_has_not_been_played(path, finished):
    change(path, "DELETE FROM samples WHERE trial = 'run 0, 3'")
    tuning, played, _ = run(path)
    assert (tuning.evaluations, played) == (finished[1].evaluations, 4)


def test_a_damaged_file_of_another_tuning_is_not_touched(path):
    change(path, FLIP)
    before = path.read_bytes()
    with pytest.raises(ResultsMismatchError, match="seed"):
        run_tuning(make_tuning(**SPEC | {"seed": 6}), path, retry_damaged=True)
    assert path.read_bytes() == before
    assert files(path) == ["t.sqlite"]


@pytest.mark.parametrize("retry", [False, True])
@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE meta SET value = replace(value, '5', '6') WHERE name = 'identity'",
        "DELETE FROM meta WHERE name = 'identity'",
    ],
)
def test_without_a_description_nothing_is_kept(path, statement, retry):
    change(path, statement)
    change(path, FLIP)
    before = path.read_bytes()
    with pytest.raises(DamagedFileError, match="damaged") as caught:
        run(path, retry_damaged=retry)
    assert not retry or "nothing shows which tuning its results belong to. Restore a copy" in str(caught.value)
    assert path.read_bytes() == before


def test_a_file_that_is_cut_off_keeps_what_can_be_read(path, finished):
    content = path.read_bytes()
    path.write_bytes(content[: len(content) - 4096])
    with pytest.raises(DamagedFileError, match=r"damaged \(.*\d+ results in it can be read\. .*--retry-damaged"):
        run(path)
    tuning, played, messages = run(path, retry_damaged=True)
    assert tuning.evaluations == finished[1].evaluations
    assert 0 < played < 48
    assert f"{48 - played} results kept" in messages[0]


@pytest.mark.parametrize("retry", [False, True])
def test_no_flipped_bit_misleads_a_tuning(path, finished, retry):
    """A run with a damaged file is stopped with a message, or ends with the same evaluations."""
    content = path.read_bytes()
    draw = random.Random(5 + retry)
    refused = 0
    for bit in [draw.randrange(8 * 100) for _ in range(15)] + [draw.randrange(8 * len(content)) for _ in range(45)]:
        changed = bytearray(content)
        changed[bit // 8] ^= 1 << bit % 8
        path.write_bytes(changed)
        seen = outcome(lambda: run(path, retry_damaged=retry)[0].evaluations)
        if isinstance(seen, DamagedFileError):
            refused += 1
            assert str(path) in str(seen)
            assert str(seen).isprintable()
            assert not retry or re.search("[Rr]estore a copy|not the results of a tuning", str(seen)), seen
        else:
            assert seen == finished[1].evaluations, bit
    assert refused < 10 if retry else refused > 10
