"""Rows and columns of tiles, which are computed without divisions."""

import pytest

import turnwise
from turnwise.games.tribes.rules.board import column_at, row_at
from turnwise.games.tribes.tables import LEAST_SIDE, MOST_SIDE


@pytest.mark.parametrize("side", range(LEAST_SIDE, MOST_SIDE + 1))
def test_rows_and_columns_are_those_of_a_division(side):
    setup = turnwise.make("tribes", side=side).tables
    for cell in range(side * side):
        assert (row_at(setup, cell), column_at(setup, cell)) == divmod(cell, side)
