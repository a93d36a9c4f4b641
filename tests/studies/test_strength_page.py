"""The page on strength shows the tables of all recorded results."""

from doubles.recorded_studies import DOCS, lines_missing_on

PAGE = DOCS / "studies" / "strength.md"


def test_the_tables_are_those_of_the_recorded_results():
    assert lines_missing_on(PAGE, "strength_tables.py", DOCS / "studies" / "results") == []
