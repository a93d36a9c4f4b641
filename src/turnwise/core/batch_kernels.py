"""What kernels do with the games of a batch: begin, play, choose, places, masks, features, values.

What a crew of threads does (signature ``WORK``) takes a share of the games, from ``begin`` to before ``end``, and
returns the first game at which it stopped, or ``NONE``.
"""

from __future__ import annotations

import numpy as np

from turnwise.core import table
from turnwise.core.chance import Rng, draw, mix
from turnwise.core.crew import NONE, WORK
from turnwise.jit.kernel import entry, kernel
from turnwise.jit.memory import at, offset, row_address, words_at
from turnwise.jit.record import Address, Floats, Floats32, Ints, Ints8, Record, Word

_LONG_LIST = 128  # from this length on, asking the rules about an action is quicker than looking through the list


class BatchRecord(Record):
    """A batch as kernels see it."""

    start: Word
    is_legal: Word
    apply: Word
    to_move: Word
    legal_actions: Word
    returns: Word
    index: Word
    features: Word
    evaluation: Word  # the function that is asked for values
    setup: Address
    rows: Address  # uint64[games, state_words]
    rngs: Address  # uint64[games, RNG_WORDS]: chance of the games
    choosers: Address  # uint64[games, RNG_WORDS]: chance of random actions
    chosen: Ints  # int64[games]: whether a game takes part in the next step, or begins again
    actions: Ints  # int64[games]: of the next step
    choices: Ints  # int64[games]: random actions
    places: Ints  # int64[games]: places of the actions of the next step
    movers: Ints  # int64[games]
    done: Ints  # int64[games]: whether the game ended in the last step
    results: Floats  # float64[games, players]
    counts: Ints  # int64[games]: lengths of the legal lists
    codes: Ints  # int64[games, max_actions]: legal lists
    masks: Ints8  # int8[games, indices]: whether a legal action has a place
    described: Floats32  # float32[games, feature_numbers]
    values: Floats  # float64[games]: of an evaluation
    parameters: Floats  # of the evaluation
    state_words: int
    rng_words: int
    players: int
    max_actions: int
    indices: int
    feature_numbers: int
    player: int  # whose features or values are asked for; below 0: those of the player to move
    auto_reset: int
    seed: Word  # of the random actions


_rng = at(Rng)


@entry(WORK)
def begin_games(b: BatchRecord, begin: int, end: int) -> int:
    """Begin the games, list their legal actions, and seed their random actions."""
    for i in range(begin, end):
        begin_game(b, i)
        look(b, i)
        _rng(row_address(b.choosers, i, b.rng_words)).word = mix(b.seed + np.uint64(i))
    return NONE


@entry(WORK)
def begin_chosen_again(b: BatchRecord, begin: int, end: int) -> int:
    """Begin the chosen games again, with the chance streams that they have."""
    for i in range(begin, end):
        if b.chosen[i] != 0:
            b.done[i] = 0
            begin_game(b, i)
            look(b, i)
    return NONE


@kernel
def begin_game(b: BatchRecord, i: int) -> None:
    """Write the first state of a game; its own rng takes care of chance."""
    here = row_address(b.rows, i, b.state_words)
    row = words_at(here)
    for word in range(b.state_words):
        row[word] = np.uint64(0)
    table.call_start(b.start, (b.setup, here, row_address(b.rngs, i, b.rng_words)))


@kernel
def look(b: BatchRecord, i: int) -> None:
    """Write down who is to move in a game, and its legal list."""
    here = row_address(b.rows, i, b.state_words)
    b.movers[i] = table.call_to_move(b.to_move, (b.setup, here))
    b.counts[i] = 0
    if b.movers[i] >= 0:
        b.counts[i] = table.call_legal_actions(b.legal_actions, (b.setup, here, offset(b.codes, i * b.max_actions)))


@entry(WORK)
def first_illegal(b: BatchRecord, begin: int, end: int) -> int:
    """The first chosen game whose action is not legal: neither in a short list, nor accepted by the rules."""
    for i in range(begin, end):
        if b.chosen[i] == 0 or b.movers[i] < 0 or (b.counts[i] < _LONG_LIST and is_listed(b, i)):
            continue
        here = row_address(b.rows, i, b.state_words)
        if table.call_is_legal(b.is_legal, (b.setup, here, b.actions[i])) == 0:
            return i
    return NONE


@kernel
def is_listed(b: BatchRecord, i: int) -> bool:
    """Whether a game's action is in its legal list; the whole list is compared, many actions at a time."""
    listed, action, found = offset(b.codes, i * b.max_actions), b.actions[i], 0
    for k in range(b.counts[i]):
        found += 1 if listed[k] == action else 0
    return found > 0


@entry(WORK)
def play_actions(b: BatchRecord, begin: int, end: int) -> int:
    """Play the actions of the chosen games; games that end are noted, and begun again if wanted."""
    for i in range(begin, end):
        b.done[i] = 0
        if b.chosen[i] == 0 or b.movers[i] < 0:
            continue
        here = row_address(b.rows, i, b.state_words)
        table.call_apply(b.apply, (b.setup, here, b.actions[i], row_address(b.rngs, i, b.rng_words)))
        if table.call_to_move(b.to_move, (b.setup, here)) < 0:
            b.done[i] = 1
            table.call_returns(b.returns, (b.setup, here, offset(b.results, i * b.players)))
            if b.auto_reset != 0:
                begin_game(b, i)
        look(b, i)
    return NONE


@entry(WORK)
def choose_actions(b: BatchRecord, begin: int, end: int) -> int:
    """Choose a legal action of each chosen game uniformly; 0 in the others, and where the game is over."""
    for i in range(begin, end):
        b.choices[i] = 0
        if b.chosen[i] != 0 and b.movers[i] >= 0:
            place = draw(row_address(b.choosers, i, b.rng_words), b.counts[i])
            b.choices[i] = b.codes[i * b.max_actions + place]
    return NONE


@entry(WORK)
def find_actions(b: BatchRecord, begin: int, end: int) -> int:
    """Look up the actions of the chosen games that have the given places; stops at a game that lists none."""
    for i in range(begin, end):
        if b.chosen[i] == 0:
            continue
        here, listed = row_address(b.rows, i, b.state_words), offset(b.codes, i * b.max_actions)
        k = 0
        while k < b.counts[i] and table.call_index(b.index, (b.setup, here, listed[k])) != b.places[i]:
            k += 1
        if k < b.counts[i]:
            b.actions[i] = listed[k]
        elif b.movers[i] >= 0:
            return i
    return NONE


@entry(WORK)
def write_masks(b: BatchRecord, begin: int, end: int) -> int:
    """Mark the places of the legal actions; stops at a game that gives an action a place out of range."""
    for i in range(begin, end):
        here, listed = row_address(b.rows, i, b.state_words), offset(b.codes, i * b.max_actions)
        mask = offset(b.masks, i * b.indices)
        for place in range(b.indices):
            mask[place] = 0
        for k in range(b.counts[i]):
            place = table.call_index(b.index, (b.setup, here, listed[k]))
            if place < 0 or place >= b.indices:
                return i
            mask[place] = 1
    return NONE


@entry(WORK)
def write_features(b: BatchRecord, begin: int, end: int) -> int:
    """Write the features of every game for a player, or for the player to move; zeros if there is none."""
    for i in range(begin, end):
        player = b.player if b.player >= 0 else b.movers[i]
        out = offset(b.described, i * b.feature_numbers)
        if player >= 0:
            table.call_features(b.features, (b.setup, row_address(b.rows, i, b.state_words), player, out))
        else:
            for k in range(b.feature_numbers):
                out[k] = 0.0
    return NONE


@entry(WORK)
def write_values(b: BatchRecord, begin: int, end: int) -> int:
    """Evaluate every game for a player, or for the player to move; 0 where there is none. Each is its own root."""
    for i in range(begin, end):
        player = b.player if b.player >= 0 else b.movers[i]
        here = row_address(b.rows, i, b.state_words)
        b.values[i] = 0.0
        if player >= 0:
            b.values[i] = table.call_evaluation(b.evaluation, (b.setup, here, here, player, b.parameters))
    return NONE
