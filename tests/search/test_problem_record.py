"""The record of a search, and the function table at its beginning."""

from turnwise.core.table import SIGNATURES
from turnwise.jit.record import Word
from turnwise.search.problem_record import ProblemRecord


def test_the_record_begins_with_the_function_table():
    """In names and order: a function is found by the field of its name, and a table can be copied as a whole."""
    first = list(ProblemRecord.fields.values())[: len(SIGNATURES)]
    assert [field.name for field in first] == list(SIGNATURES)
    assert [field.offset for field in first] == [8 * i for i in range(len(SIGNATURES))]
    assert {ProblemRecord.__annotations__[name] for name in SIGNATURES} <= {"Word", Word}
