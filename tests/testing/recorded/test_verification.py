"""Files and folders of recorded play: what is read, what is refused, progress."""

import gzip
from pathlib import Path

import pytest

from doubles.recorded_play import selection
from turnwise.core.errors import DamagedFileError
from turnwise.testing.recorded.files import read_document
from turnwise.testing.recorded.verification import verify_file, verify_files

TRACES = selection("hero_academy") / "traces"
TRACE, RANDOM = TRACES / "play_0067.jsonl.gz", TRACES / "play_0077.jsonl.gz"


def test_the_name_does_not_matter(tmp_path):
    renamed = tmp_path / "something.txt"
    renamed.write_bytes(TRACE.read_bytes())
    plain = tmp_path / "trace.gz"
    plain.write_bytes(gzip.decompress(TRACE.read_bytes()))
    for path in (renamed, plain):
        assert verify_file(path).tally.compared == verify_file(TRACE).tally.compared


@pytest.mark.parametrize("game", ["hero_academy", "samegame", "search_race"])
def test_all_traces_agree(game):
    """The part of the recorded play that also an uncompiled run (``make coverage``) can verify."""
    report = verify_files([selection(game) / "traces"])
    assert report.damaged == []
    assert report.mismatches == 0, "\n".join(report.summary_lines())
    assert report.files == len(list((selection(game) / "traces").iterdir()))


def test_a_file_that_is_too_large_is_refused(tmp_path):
    path = tmp_path / "bomb.gz"
    path.write_bytes(gzip.compress(b"0" * 1_000_000))
    with pytest.raises(DamagedFileError, match="at most 100000 bytes"):
        read_document(path, limit=100_000)


def test_a_missing_path_is_an_error(tmp_path):
    with pytest.raises(DamagedFileError, match="no such file"):
        verify_files([tmp_path / "nothing.gz"])
    with pytest.raises(DamagedFileError, match="the folder has none"):
        verify_files([tmp_path])


def test_progress_is_reported():
    seen = []
    verify_files([TRACE, RANDOM], progress=lambda name, done, total: seen.append((Path(name).name, done, total)))
    assert seen == [(TRACE.name, 0, 2), (RANDOM.name, 1, 2), ("", 2, 2)]
