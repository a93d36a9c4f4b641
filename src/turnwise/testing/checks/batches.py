"""Check of batches: many games side by side are played as single states are."""

from __future__ import annotations

from turnwise.core.batch import Batch
from turnwise.core.state import State
from turnwise.testing.checks.failures import Broken
from turnwise.testing.checks.sample import StateSample, text_of

_MOST_GAMES, _STEPS = 8, 3


def batches(sample: StateSample) -> None:
    """The games of a batch have the legal lists, states and results that single states have, with the same chance."""
    chosen = sample.spread(_MOST_GAMES)[:_MOST_GAMES]
    if not chosen:
        return
    batch = Batch(sample.game, len(chosen), auto_reset=False)
    for number, state in enumerate(chosen):
        batch.set(number, state)
    for _ in range(_STEPS):
        states = [batch.state(number).with_chance(int(batch.rngs[number, 1])) for number in range(batch.games)]
        for number, state in enumerate(states):
            _same_lists(batch, number, state)
        actions = [int(sample.random.choice(state.legal_codes())) if not state.is_over else 0 for state in states]
        expected = [state if state.is_over else state.play(code) for state, code in zip(states, actions, strict=True)]
        batch.step(actions)
        for number, (before, after) in enumerate(zip(states, expected, strict=True)):
            _same_outcome(batch, number, before, after, actions[number])


def _same_lists(batch: Batch, number: int, state: State) -> None:
    listed = batch.codes[number, : batch.counts[number]].tolist()
    if int(batch.movers[number]) != state.to_move or listed != state.legal_codes().tolist():
        raise Broken(
            f"in game {number} of a batch player {batch.movers[number]} is to move with {len(listed)} actions; in the "
            f"same state alone it is player {state.to_move} with {len(state.legal_codes())}, or the actions or their "
            "order differ. Rules must follow from the state alone, not from what was asked before",
            state,
        )


def _same_outcome(batch: Batch, number: int, before: State, after: State, code: int) -> None:
    if before.is_over:
        return
    if batch.state(number) != after:
        raise Broken(
            f"the action leads to another state in game {number} of a batch than in the state alone, with the same "
            "chance. Rules must follow from state, action and rng alone",
            before,
            text_of(before, code),
        )
    if after.is_over and (not batch.done[number] or tuple(batch.results[number].tolist()) != after.returns):
        raise Broken(
            f"the game ends with the results {after.returns}; in game {number} of a batch with "
            f"{batch.results[number].tolist()} (done: {bool(batch.done[number])})",
            after,
        )
