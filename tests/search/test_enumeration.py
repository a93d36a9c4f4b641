"""Enumeration by layers against a walk over all action sequences."""

import pytest

import turnwise
from turnwise.core.errors import CapacityError
from turnwise.search.enumeration import Layers


def walk(state, depth, pruned=False):
    """All states after exactly ``depth`` actions, one entry per sequence."""
    states = [state]
    for _ in range(depth):
        states = [
            s.play(int(code))
            for s in states
            if not s.is_over
            for code in (s.candidate_codes() if pruned else s.legal_codes())
        ]
    return states


@pytest.mark.parametrize("pruned", [False, True])
def test_layers_agree_with_all_sequences(pruned):
    state = turnwise.make("hero-academy", map="a-tiny").start(2)
    layers = Layers(state.game, pruned=pruned)
    for layer in layers.from_row(state.row):
        reached = walk(state, layer.depth, pruned)
        assert layer.sequences == len(reached)
        rows = {row.tobytes(): int(ways) for row, ways in zip(layer.rows, layer.ways, strict=True)}
        assert len(rows) == layer.distinct
        expected: dict[bytes, int] = {}
        for s in reached:
            expected[s.row.tobytes()] = expected.get(s.row.tobytes(), 0) + 1
        assert rows == expected
        if layer.depth == 3:
            assert layers.sequences_after(layer, state.row) == len(walk(state, 4, pruned))
            break


def test_one_turn_ends_with_the_turn():
    state = turnwise.make("hero-academy", map="a-tiny", first_turn_points=2).start(1)
    layers = list(Layers(state.game, one_turn=True).from_row(state.row))
    assert [layer.distinct > 0 for layer in layers] == [True, True, True, False]
    assert sum(layer.dead_ends for layer in layers) == layers[2].distinct
    assert layers[-1].dead_end_sequences == layers[2].sequences == len(walk(state, 3))


def test_too_many_states_is_a_named_error():
    state = turnwise.make("hero-academy").start(1)
    with pytest.raises(CapacityError, match="More than 5000 distinct states"):
        list(Layers(state.game, most_states=5000).from_row(state.row))
