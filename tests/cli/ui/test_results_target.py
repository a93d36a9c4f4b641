"""Commands that are shown for results files."""

from pathlib import Path

import pytest

from turnwise.cli.ui.results_target import merge_command


@pytest.mark.parametrize(
    ("results", "part", "words"),
    [
        ("one.sqlite", (1, 2), "one.sqlite PART-2.sqlite --out league.sqlite"),
        (
            "runs/p2 of 3.sqlite",
            (2, 4),
            "runs/p1 of 3.sqlite|runs/p2 of 3.sqlite|runs/p3 of 3.sqlite|runs/p4 of 3.sqlite",
        ),
        ("league.sqlite", (2, 2), "PART-1.sqlite league.sqlite --out league-all.sqlite"),
        ("p12.sqlite", (12, 100), "p12.sqlite OTHERS... --out league.sqlite"),
    ],
)
def test_the_command_that_joins_parts(results, part, words):
    if "|" in words:
        words = " ".join(f"'{name}'" for name in words.split("|")) + " --out league.sqlite"
    assert merge_command(Path("league.toml"), Path(results), *part) == f"turnwise merge {words}"
