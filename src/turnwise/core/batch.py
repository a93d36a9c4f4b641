"""Many games of one scenario side by side, in arrays: for learning, for sampling, for measurements."""

from __future__ import annotations

import math
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from threading import RLock
from typing import Any, Concatenate, NoReturn, ParamSpec, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from turnwise.core import arguments
from turnwise.core.batch_kernels import (
    BatchRecord,
    begin_chosen_again,
    begin_games,
    choose_actions,
    find_actions,
    first_illegal,
    look,
    play_actions,
    write_features,
    write_masks,
    write_values,
)
from turnwise.core.chance import RNG_WORDS, derive_seed, generator
from turnwise.core.crew import CHUNK, NONE, Crew
from turnwise.core.declaration_checks import check_declaration
from turnwise.core.errors import (
    CapacityError,
    GameFunctionError,
    IllegalActionError,
    NotationError,
    OptionError,
    TurnwiseError,
    counted,
    shown,
)
from turnwise.core.game import Game, Row, as_game
from turnwise.core.machine_memory import physical_memory
from turnwise.core.pickling import Pinned
from turnwise.core.state import State, as_state
from turnwise.jit.kernel import Entry
from turnwise.jit.record import Floats, Floats32, Ints, Ints8, Word, array_address

Scalar = TypeVar("Scalar", bound=np.generic)
Result = TypeVar("Result")
Arguments = ParamSpec("Arguments")
_MOST_GAMES, _MOST_THREADS = 10_000_000, 256
_LARGEST = np.iinfo(np.int64).max
_NUMBERS = 7  # of each game: mover, length of its list, action, ...
_ARRAYS = ("rows", "rngs", "choosers", "codes", "movers", "counts", "done", "results")
_FUNCTIONS = ("start", "is_legal", "apply", "to_move", "legal_actions", "returns", "index", "features")


def _read_only(array: NDArray[Scalar]) -> NDArray[Scalar]:
    """A view through which nothing can be written; it keeps the array alive."""
    view = array.view()
    view.flags.writeable = False
    return view


def _one_at_a_time(
    method: Callable[Concatenate[Batch, Arguments], Result],
) -> Callable[Concatenate[Batch, Arguments], Result]:
    """Let a second thread wait: it must not change the actions between their test and the step."""

    @wraps(method)
    def alone(batch: Batch, /, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
        with batch._lock:
            return method(batch, *args, **kwargs)

    return alone


class Batch(Pinned):
    """Games that are played step by step together, with their states in one array.

    Every game has a chance stream of its own, so what happens in one does not depend on the others, nor on the number
    of threads. The arrays are read-only, and overwritten by the next step or question: copy what is to be kept. So only
    one of a program's threads should use a batch; if several do, one waits for another.

    Attributes:
        game: The scenario.
        games: Number of games.
        rows: uint64[games, state_words], the states; ``rows.view(game.layout())`` names their fields.
        rngs: uint64[games, 6], the chance streams (:class:`turnwise.core.chance.Rng`).
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
            seed: The chance streams of the games, and the random actions of :meth:`sample`, are derived from it.
            threads: How many threads share a step, each with at least 64 games; games in plain Python use one.
            auto_reset: Whether a game that ends begins again within the same step.

        Raises:
            OptionError: An argument has the wrong type or is out of range.
            GameFunctionError: An attribute of the game is wrong, or a function of a game in plain Python failed.
        """
        self.game = as_game(game)
        self._lock = RLock()
        check_declaration(game)
        self.games = n = arguments.whole_number(games, "The number of games", 1, _MOST_GAMES)
        self._seed = arguments.seed(seed)
        self._threads = arguments.whole_number(threads, "The number of threads", 1, _MOST_THREADS)
        auto_reset = arguments.instance(auto_reset, bool, "auto_reset", "True or False")
        self._record = BatchRecord()
        self._check_memory()
        try:
            self._rngs, self._choosers = np.zeros((2, n, RNG_WORDS), np.uint64)
            self._lay_out(auto_reset)
        except MemoryError as error:
            raise self._too_large("more than the system gives") from error
        for i in range(n):
            self._rngs[i] = generator(derive_seed(self._seed, "batch", i))
        self._holds: list[object] = []
        self._in_python = game.poll_every == 1
        self._crew = Crew(1 if self._in_python else min(self._threads, -(-n // CHUNK)), self._record)
        weakref.finalize(self, self._crew.close)
        self._run(begin_games)

    def _check_memory(self) -> None:
        """Refuse a batch that this machine cannot hold, before the system ends the process for it.

        Raises:
            CapacityError: Its arrays are larger than the machine's memory.
        """
        physical = physical_memory()
        if 0 < physical < self._bytes:
            raise self._too_large(f"this machine has {physical / 1e9:,.1f} GB")

    @property
    def _bytes(self) -> int:
        """Size of the arrays."""
        game = self.game
        return 8 * self.games * (game.state_words + game.max_actions + game.players + 2 * RNG_WORDS + _NUMBERS)

    def _too_large(self, why: str) -> CapacityError:
        return CapacityError(
            f"{counted(self.games, 'game', ',')} of {self.game.spec} need {self._bytes / 1e9:,.1f} GB: {why}. Play "
            "fewer games at a time."
        )

    def _lay_out(self, auto_reset: bool) -> None:
        """Make the arrays and the record that kernels read; callers see the arrays read-only."""
        game, b, n = self.game, self._record, self.games
        self._rows, self._codes = np.zeros((n, game.state_words), np.uint64), np.zeros((n, game.max_actions), np.int64)
        self._movers, self._counts, self._actions, self._done, self._places, self._choices, self._chosen = np.zeros(
            (_NUMBERS, n), np.int64
        )
        self._results, self._values = np.zeros((n, game.players)), np.zeros(n)
        for name in _FUNCTIONS:
            setattr(b, name, Word(game.pointers[name]))
        b.setup, b.rows, b.rngs = game.setup_address, array_address(self._rows), array_address(self._rngs)
        b.choosers, b.seed = array_address(self._choosers), Word(derive_seed(self._seed, "batch actions"))
        b.actions, b.movers, b.done = Ints.of(self._actions), Ints.of(self._movers), Ints.of(self._done)
        b.places, b.choices, b.chosen = Ints.of(self._places), Ints.of(self._choices), Ints.of(self._chosen)
        b.values = Floats.of(self._values)
        b.results, b.counts, b.codes = Floats.of(self._results), Ints.of(self._counts), Ints.of(self._codes)
        b.state_words, b.rng_words, b.players = game.state_words, RNG_WORDS, game.players
        b.indices, b.feature_numbers = game.indices, math.prod(game.feature_shape)
        b.max_actions, b.auto_reset = game.max_actions, auto_reset
        self._masks: NDArray[np.bool_] | None = None
        self._features: NDArray[np.float32] | None = None
        self.rows: Row = _read_only(self._rows)
        self.rngs: Row = _read_only(self._rngs)
        self.codes, self.movers, self.counts = (_read_only(a) for a in (self._codes, self._movers, self._counts))
        self.results = _read_only(self._results)

    def _run(self, work: Entry) -> int:
        """Do some work on all games; returns the first game at which it stopped, or ``NONE``."""
        if not self._in_python:
            found = self._crew.run(work, self.games)
            self.game.raise_failure()
            return found
        step = _Step()
        with self._undone_on_failure():
            self.game.before_plan(step)  # a game in plain Python drops no state until all are held
            try:
                found = self._crew.run(work, self.games)
                self._holds = [self.game.hold(row) for row in self.rows]
            finally:
                self.game.after_plan(step)
            self.game.raise_failure()
        return found

    @contextmanager
    def _undone_on_failure(self) -> Iterator[None]:
        """Return to the arrays of before if a function of a game in plain Python fails; compiled ones cannot."""
        if not self._in_python:
            yield
            return
        arrays = [getattr(self, f"_{name}") for name in _ARRAYS]
        before, holds = [array.copy() for array in arrays], self._holds
        try:
            yield
        except BaseException:
            for array, old in zip(arrays, before, strict=True):
                array[:] = old
            self._holds = holds
            raise

    @property
    def done(self) -> NDArray[np.bool_]:
        """See the class."""
        return self._done.astype(np.bool_)

    # ------------------------------------------------------------------------------------------------------ play

    @_one_at_a_time
    def step(
        self, actions: Sequence[int] | NDArray[np.int64], where: Sequence[bool] | NDArray[np.bool_] | None = None
    ) -> None:
        """Play one action in every game that is not over, or in some of them.

        Args:
            actions: int64[games], a legal action of each game; ignored where no action is played.
            where: bool[games], the games in which an action is played; None: all. The others stay as they are.

        Raises:
            OptionError: Not as many whole numbers, or booleans, as there are games.
            IllegalActionError: An action is not legal; nothing has been played then.
            GameFunctionError: A function of a game in plain Python failed; nothing has been played then.
        """
        self._actions[:] = self._one_each(actions, "actions of a step", "one code")
        self._chosen[:] = self._some_games(where)
        wrong = self._crew.run(first_illegal, self.games)
        self.game.raise_failure()
        if wrong != NONE:
            raise self._illegal(wrong, int(self._actions[wrong]))
        self._run(play_actions)

    @_one_at_a_time
    def step_indices(
        self, places: Sequence[int] | NDArray[np.int64], where: Sequence[bool] | NDArray[np.bool_] | None = None
    ) -> None:
        """Play the actions that have the given places (the game's function ``index``) in the games that are not over.

        Args:
            places: int64[games], the place of a listed action of each game; ignored where no action is played.
            where: bool[games], the games in which an action is played; None: all. The others stay as they are.

        Raises:
            OptionError: Not as many whole numbers, or booleans, as there are games.
            IllegalActionError: No listed action has the place; nothing has been played then.
            GameFunctionError: The game has no function ``index``, or a function of a game in plain Python failed.
        """
        self._need("index", self.game.indices)
        self._places[:] = self._one_each(places, "places of a step", "one place")
        self._chosen[:] = self._some_games(where)
        wrong = self._run(find_actions)
        if wrong != NONE:
            raise self._no_such_place(wrong, int(self._places[wrong]))
        self._run(play_actions)

    def code(self, number: int, text: str) -> int:
        """The code of an action's text in a game, for :meth:`step`; the action need not be legal.

        Args:
            number: The game, counted from 0.
            text: The action.

        Raises:
            OptionError: There is no such game, or the text is not a string.
            NotationError: The text is not an action of the scenario.
        """
        return self.state(number).code(arguments.text(text, "An action"))

    def codes_of(self, texts: Sequence[str]) -> NDArray[np.int64]:
        """The codes of actions' texts, for :meth:`step`.

        Args:
            texts: The text of an action for each game; ignored where the game is over.

        Returns:
            int64[games]; 0 where the game is over.

        Raises:
            OptionError: Not as many texts as there are games.
            NotationError: A text is not an action of the scenario; the message names its game.
        """
        given = arguments.sequence(texts, "The actions of a step", f"{self.games} texts, one for each game")
        if len(given) != self.games:
            raise OptionError(f"Expected {self.games} texts of actions, one for each game; got {len(given)}.")
        found = np.zeros(self.games, np.int64)
        for number in np.flatnonzero(self.movers >= 0).tolist():
            try:
                found[number] = self.code(number, given[number])
            except NotationError as error:
                raise NotationError(f"Game {number} of the batch: {error}") from None
        return found

    @_one_at_a_time
    def sample(self, where: Sequence[bool] | NDArray[np.bool_] | None = None) -> NDArray[np.int64]:
        """A legal action of every game, drawn uniformly; 0 where the game is over.

        Each game draws from a stream of its own, so the other games and the number of threads change nothing.

        Args:
            where: bool[games], the games that draw; None: all. The streams of the others stay as they are.

        Returns:
            int64[games], codes for :meth:`step`, 0 where nothing is drawn; a new array.

        Raises:
            OptionError: Not as many booleans as there are games.
            GameFunctionError: A function of a game in plain Python failed.
        """
        self._chosen[:] = self._some_games(where)
        self._run(choose_actions)
        return self._choices.copy()

    @_one_at_a_time
    def restart(
        self,
        where: Sequence[bool] | NDArray[np.bool_] | None = None,
        seeds: Sequence[int] | None = None,
    ) -> None:
        """Begin some games again, whether they are over or not.

        Args:
            where: bool[games], the games that begin again; None: all.
            seeds: Seeds of new streams, for chance and for :meth:`sample`, one for each game of the batch (those of
                other games are ignored); None: the games keep their streams, so that they begin differently than
                before.

        Raises:
            OptionError: Not as many booleans or seeds as there are games.
            GameFunctionError: A function of a game in plain Python failed; nothing has begun again then.
        """
        self._chosen[:] = chosen = self._some_games(where)
        with self._undone_on_failure():
            if seeds is not None:
                given = arguments.sequence(seeds, "The seeds", f"{self.games} whole numbers, one for each game")
                if len(given) != self.games:
                    raise OptionError(f"Expected {self.games} seeds, one for each game; got {len(given)}.")
                for i in np.flatnonzero(chosen).tolist():
                    seed = arguments.seed(given[i])
                    self._rngs[i], self._choosers[i] = generator(seed), generator(derive_seed(seed, "batch actions"))
            self._run(begin_chosen_again)

    @_one_at_a_time
    def set(self, number: int, state: State) -> None:
        """Continue a game from a given state, with the chance stream that the game has.

        A state that is over stays over, also with ``auto_reset``.

        Args:
            number: The game, counted from 0.
            state: A state of the same scenario.

        Raises:
            OptionError: There is no such game, or the state belongs to another scenario.
        """
        number = self._number(number)
        row = as_state(state, self.game).row
        with self._undone_on_failure():
            self._rows[number] = row
            self._done[number] = 0
            look(self._record, number)
            self.game.raise_failure()
            if self._in_python:
                self._holds = [*self._holds[:number], self.game.hold(row), *self._holds[number + 1 :]]

    def copy(self) -> Self:
        """Another batch in the same states, with the same chance streams: both go on alike, and apart."""
        other = type(self)(self.game, self.games, self._seed, threads=self._threads)
        other._record.auto_reset = self._record.auto_reset
        for name in _ARRAYS:
            getattr(other, f"_{name}")[:] = getattr(self, f"_{name}")
        other._holds = list(self._holds)
        return other

    def __len__(self) -> int:
        return self.games

    def __repr__(self) -> str:
        over = int((self.movers < 0).sum())
        return f"<Batch: {counted(self.games, 'game')} of {self.game.spec}{f', {over} over' if over else ''}>"

    def __reduce__(self) -> NoReturn:
        """Refuse to pickle.

        Raises:
            TurnwiseError: Always.
        """
        raise TurnwiseError(
            "A Batch cannot be pickled: it holds addresses of this process. Pickle its states (batch.state(number)) "
            "and set them in a new Batch there (batch.set(number, state)); within this process use batch.copy()."
        )

    def __copy__(self) -> Self:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self.copy()

    # ------------------------------------------------------------------------------------------------- questions

    @_one_at_a_time
    def masks(self) -> NDArray[np.bool_]:
        """Which places (the game's function ``index``) the listed actions have.

        Returns:
            bool[games, game.indices]; overwritten by the next call.

        Raises:
            GameFunctionError: The game has no function ``index``, or it gave a place that is out of range.
        """
        self._need("index", self.game.indices)
        if self._masks is None:
            self._masks = self._zeros((self.game.indices,), np.bool_)
            self._record.masks = Ints8.of(self._masks.view(np.int8))
        wrong = self._run(write_masks)
        if wrong != NONE:
            raise GameFunctionError(
                f"The function index of {self.game.name!r} gave an action of game {wrong} a place outside 0 to "
                f"{self.game.indices - 1}. Correct it, or Game.indices; turnwise.testing.check_game shows the action."
            )
        return _read_only(self._masks)

    @_one_at_a_time
    def features(self, player: int | None = None) -> NDArray[np.float32]:
        """What the game's function ``features`` writes about each state.

        Args:
            player: For whom; None: for the player to move in each game (zeros where the game is over).

        Returns:
            ``float32[games, *game.feature_shape]``; overwritten by the next call.

        Raises:
            OptionError: There is no such player.
            GameFunctionError: The game has no function ``features``, or it is in plain Python and failed.
        """
        self._need("features", math.prod(self.game.feature_shape) if self.game.feature_shape else 0)
        self._record.player = -1 if player is None else self.game.checked_player(player)
        if self._features is None:
            self._features = self._zeros(self.game.feature_shape, np.float32)
            self._record.described = Floats32.of(self._features)
        self._run(write_features)
        return _read_only(self._features)

    @_one_at_a_time
    def evaluate(self, player: int | None = None, evaluation: str = "") -> NDArray[np.float64]:
        """Evaluate every state for a player, as :meth:`turnwise.core.state.State.evaluate` does.

        Args:
            player: For whom; None: for the player to move in each game (0 where the game is over).
            evaluation: Name of the evaluation; empty: the game's default.

        Returns:
            float64[games]; overwritten by the next call.

        Raises:
            OptionError: There is no such player, or the evaluation plays rollouts, which is for single states only.
            UnknownNameError: There is no such evaluation.
            GameFunctionError: The evaluation is in plain Python and failed.
        """
        name, chosen = self.game.evaluation(evaluation)
        if chosen.function == 0:
            raise OptionError(
                f"The evaluation {name!r} plays rollouts; a batch evaluates by functions of the game only. Use "
                "batch.state(number).evaluate(player), or give the game an evaluation."
            )
        self._record.player = -1 if player is None else self.game.checked_player(player)
        self._parameters = arguments.parameters(tuple(chosen.parameters), "An evaluation")
        self._record.evaluation, self._record.parameters = Word(chosen.address), Floats.of(self._parameters)
        self._run(write_values)
        return _read_only(self._values)

    def state(self, number: int) -> State:
        """The state of a game, counted from 0, with a chance stream of its own: it shows nothing of the game's future.

        Raises:
            OptionError: There is no such game.
        """
        number = self._number(number)
        chance = derive_seed(self._seed, "batch state", number, int(self._rngs[number, 1]))
        return State._made(self.game, self.rows[number].copy(), chance)

    # -------------------------------------------------------------------------------------------------- messages

    def _number(self, number: int) -> int:
        return arguments.whole_number(number, "The number of a game in a batch", 0, self.games - 1)

    def _zeros(self, shape: tuple[int, ...], dtype: type[Scalar]) -> NDArray[Scalar]:
        """An array for what is asked about each game.

        Raises:
            CapacityError: It does not fit into memory.
        """
        size = self.games * math.prod(shape) * np.dtype(dtype).itemsize
        try:
            if 0 < physical_memory() < size:
                raise MemoryError
            return np.zeros((self.games, *shape), dtype)
        except MemoryError as error:
            raise CapacityError(
                f"An array for {counted(self.games, 'game', ',')} of {self.game.spec} needs {size / 1e9:,.1f} GB, more "
                "than there is. Play fewer games at a time."
            ) from error

    def _need(self, function: str, size: int) -> None:
        if not self.game.pointers[function] or not size:
            raise self.game.without(function)

    def _one_each(self, values: Sequence[int] | NDArray[np.int64], what: str, each: str) -> NDArray[np.int64]:
        try:
            given = np.asarray(values)
        except (TypeError, ValueError):  # lists of different lengths, a list that contains itself
            raise OptionError(
                f"The {what} must be int64[{self.games}], {each} for each game; got {shown(values)}."
            ) from None
        if given.shape != (self.games,) or given.dtype.kind not in "iu":
            is_text = each == "one code" and any(isinstance(value, str) for value in given.flat)
            texts = " Texts become codes with batch.codes_of(texts)." if is_text else ""
            came = f"an array of {given.dtype} with shape {given.shape}" if given.ndim else shown(values)
            raise OptionError(f"The {what} must be int64[{self.games}], {each} for each game; got {came}.{texts}")
        if given.dtype.kind == "u" and (given > _LARGEST).any():
            raise OptionError(
                f"The {what} must be int64[{self.games}], {each} for each game; got {given.max()}, which needs more "
                "than 63 bits."
            )
        return given

    def _some_games(self, where: Sequence[bool] | NDArray[np.bool_] | None) -> NDArray[np.bool_]:
        """The games of a step or a restart.

        Raises:
            OptionError: Not one boolean for each game.
        """
        if where is None:
            return np.ones(self.games, np.bool_)
        try:
            given = np.asarray(where)
        except (TypeError, ValueError):
            given = np.zeros(0)
        if given.shape != (self.games,) or given.dtype != np.bool_:
            raise OptionError(f"'where' must be bool[{self.games}], one for each game; got {shown(where)}.")
        return given

    def _where(self, number: int) -> str:
        """Which game an error is about; a single one, as in an environment, needs no number."""
        return "in this state" if self.games == 1 else f"in game {number} of the batch"

    def _illegal(self, number: int, code: int) -> IllegalActionError:
        state = self.state(number)
        try:
            what = repr(state.text(code))
        except NotationError:
            what = f"Action code {code}"
        return IllegalActionError(
            f"{what} is not legal {self._where(number)}. Legal there: {_some(state.legal_actions())}."
        )

    def _no_such_place(self, number: int, place: int) -> IllegalActionError:
        state = self.state(number)
        legal = [f"{state.index(code)} ({state.text(code)})" for code in state.legal_codes().tolist()]
        return IllegalActionError(
            f"No legal action has place {place} {self._where(number)}. Places there: {_some(legal)}."
        )


class _Step:
    """A step of all games, which a game in plain Python sees as a search."""

    def stop(self, reason: int) -> None:
        """See :meth:`turnwise.core.game.RunningSearch.stop`; a step goes on, and the error is raised after it."""


def _some(texts: Sequence[str]) -> str:
    """The first texts of a list that may be long."""
    return ", ".join(texts[:8]) + (f", ... ({len(texts)} in all)" if len(texts) > 8 else "")
