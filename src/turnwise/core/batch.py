"""Many games of one scenario side by side, in arrays: for learning, for sampling, for measurements."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from turnwise.core import arguments, table
from turnwise.core.chance import RNG_WORDS, derive_seed, generator
from turnwise.core.errors import IllegalActionError, NotationError, OptionError
from turnwise.core.game import Game, Row, as_game
from turnwise.core.pickling import Pinned
from turnwise.core.state import State
from turnwise.jit.cache import announce
from turnwise.jit.kernel import kernel
from turnwise.jit.memory import offset, row_address, words_at
from turnwise.jit.record import Address, Floats, Ints, Record, Word, array_address

Scalar = TypeVar("Scalar", bound=np.generic)
_MOST_GAMES, _MOST_THREADS = 10_000_000, 256
_NONE = -1


class BatchRecord(Record):
    """A batch as kernels see it."""

    start: Word
    is_legal: Word
    apply: Word
    to_move: Word
    legal_actions: Word
    returns: Word
    setup: Address
    rows: Address  # uint64[games, state_words]
    rngs: Address  # uint64[games, RNG_WORDS]
    actions: Ints  # int64[games]: of the next step
    movers: Ints  # int64[games]
    done: Ints  # int64[games]: whether the game ended in the last step
    results: Floats  # float64[games, players]
    counts: Ints  # int64[games]: lengths of the legal lists
    codes: Ints  # int64[games, max_actions]: legal lists
    state_words: int
    rng_words: int
    players: int
    max_actions: int
    auto_reset: int


@kernel
def first_illegal(b: BatchRecord, begin: int, end: int) -> int:
    """The first game from ``begin`` to ``end`` whose action is not legal; -1: none."""
    for i in range(begin, end):
        here = row_address(b.rows, i, b.state_words)
        if b.movers[i] >= 0 and table.call_is_legal(b.is_legal, (b.setup, here, b.actions[i])) == 0:
            return i
    return _NONE


@kernel
def begin_games(b: BatchRecord, begin: int, end: int) -> int:
    """Begin the games from ``begin`` to ``end``, and list their legal actions."""
    for i in range(begin, end):
        begin_game(b, i)
        look(b, i)
    return _NONE


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


@kernel
def play_actions(b: BatchRecord, begin: int, end: int) -> int:
    """Play the actions of the games from ``begin`` to ``end``; games that end are noted, and begun again if wanted."""
    for i in range(begin, end):
        b.done[i] = 0
        if b.movers[i] < 0:
            continue
        here = row_address(b.rows, i, b.state_words)
        table.call_apply(b.apply, (b.setup, here, b.actions[i], row_address(b.rngs, i, b.rng_words)))
        if table.call_to_move(b.to_move, (b.setup, here)) < 0:
            b.done[i] = 1
            table.call_returns(b.returns, (b.setup, here, offset(b.results, i * b.players)))
            if b.auto_reset != 0:
                begin_game(b, i)
        look(b, i)
    return _NONE


def _read_only(array: NDArray[Scalar]) -> NDArray[Scalar]:
    """A view through which nothing can be written; it keeps the array alive."""
    view = array.view()
    view.flags.writeable = False
    return view


class Batch(Pinned):
    """Games that are played step by step together, with their states in one array.

    Every game has a chance stream of its own, so what happens in one does not depend on the others, nor on the number
    of threads. The arrays are read-only, and overwritten by the next step: copy what is to be kept.

    Attributes:
        game: The scenario.
        games: Number of games.
        rows: uint64[games, state_words], the states.
        movers: int64[games], the player to move, -1 where the game is over (without ``auto_reset``).
        done: bool[games], whether the game ended in the last step.
        results: float64[games, players], the returns of the games that ended in the last step; others are undefined.
        counts: int64[games], lengths of the legal lists; 0 where the game is over.
        codes: int64[games, max_actions], legal lists in native order; only the first ``counts`` of a row are valid.
    """

    def __init__(self, game: Game, games: int, seed: int = 0, *, threads: int = 1, auto_reset: bool = True) -> None:
        """Begin the games.

        Args:
            game: The scenario.
            games: Number of games.
            seed: The chance streams of the games are derived from it.
            threads: How many threads share a step; games in plain Python use one.
            auto_reset: Whether a game that ends begins again within the same step.

        Raises:
            OptionError: An argument has the wrong type or is out of range.
            GameFunctionError: A function of a game in plain Python failed.
        """
        self.game = as_game(game)
        self.games = n = arguments.whole_number(games, "The number of games", 1, _MOST_GAMES)
        seed = arguments.seed(seed)
        threads = arguments.whole_number(threads, "The number of threads", 1, _MOST_THREADS)
        self._rngs = np.array([generator(derive_seed(seed, "batch", i)) for i in range(n)], np.uint64)
        self._actions, self._done = np.zeros(n, np.int64), np.zeros(n, np.int64)
        self._record = BatchRecord()
        self._lay_out(auto_reset)
        self._holds: list[object] = []
        self._in_python = game.poll_every == 1
        parts = 1 if self._in_python else min(threads, n)
        self._ranges = [(n * part // parts, n * (part + 1) // parts) for part in range(parts)]
        self._pool = ThreadPoolExecutor(parts, "turnwise-batch") if parts > 1 else None
        announce(play_actions, "batches of games")
        self._run(begin_games)

    def _lay_out(self, auto_reset: bool) -> None:
        """Make the arrays and the record that kernels read; callers see the arrays read-only."""
        game, b, n = self.game, self._record, self.games
        rows, codes = np.zeros((n, game.state_words), np.uint64), np.zeros((n, game.max_actions), np.int64)
        movers, counts = np.zeros(n, np.int64), np.zeros(n, np.int64)
        results = np.zeros((n, game.players))
        for name in ("start", "is_legal", "apply", "to_move", "legal_actions", "returns"):
            setattr(b, name, Word(game.pointers[name]))
        b.setup, b.rows, b.rngs = game.setup_address, array_address(rows), array_address(self._rngs)
        b.actions, b.movers, b.done = Ints.of(self._actions), Ints.of(movers), Ints.of(self._done)
        b.results, b.counts, b.codes = Floats.of(results), Ints.of(counts), Ints.of(codes)
        b.state_words, b.rng_words, b.players = game.state_words, RNG_WORDS, game.players
        b.max_actions, b.auto_reset = game.max_actions, bool(auto_reset)
        self.rows: Row = _read_only(rows)
        self.codes, self.movers, self.counts = _read_only(codes), _read_only(movers), _read_only(counts)
        self.results = _read_only(results)

    def _run(self, work: Callable[[Any, int, int], int]) -> int:
        """Run a kernel over all games; returns the smallest number that it returned which is not -1, else -1."""
        if self._pool is None:
            found = [work(self._record, *self._ranges[0])]
        else:
            found = list(self._pool.map(lambda part: work(self._record, *part), self._ranges))
        self.game.raise_failure()
        if self._in_python:
            self._holds = [self.game.hold(row) for row in self.rows]
        return min((number for number in found if number != _NONE), default=_NONE)

    @property
    def done(self) -> NDArray[np.bool_]:
        """See the class."""
        return self._done.astype(np.bool_)

    def step(self, actions: Sequence[int] | NDArray[np.int64]) -> None:
        """Play one action in every game that is not over.

        Args:
            actions: int64[games], a legal action of each game; ignored where the game is over.

        Raises:
            OptionError: Not as many whole numbers as there are games.
            IllegalActionError: An action is not legal; nothing has been played then.
            GameFunctionError: A function of a game in plain Python failed.
        """
        given = np.asarray(actions)
        if given.shape != (self.games,) or given.dtype.kind not in "iu":
            raise OptionError(
                f"The actions of a step must be int64[{self.games}], one code for each game; got an array of "
                f"{given.dtype} with shape {given.shape}."
            )
        self._actions[:] = given
        wrong = self._run(first_illegal)
        if wrong != _NONE:
            raise self._illegal(wrong)
        self._run(play_actions)

    def _illegal(self, number: int) -> IllegalActionError:
        state, code = self.state(number), int(self._actions[number])
        try:
            what = repr(state.text(code))
        except NotationError:
            what = f"Action code {code}"
        legal = state.legal_actions()
        some = ", ".join(legal[:8]) + (f", ... ({len(legal)} in all)" if len(legal) > 8 else "")
        return IllegalActionError(f"{what} is not legal in game {number} of the batch. Legal there: {some}.")

    def state(self, number: int) -> State:
        """The state of a game, counted from 0.

        Raises:
            OptionError: There is no such game.
        """
        number = arguments.whole_number(number, "The number of a game in a batch", 0, self.games - 1)
        return State._made(self.game, self.rows[number].copy(), derive_seed("batch", number))
