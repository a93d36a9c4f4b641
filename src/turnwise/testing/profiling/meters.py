"""Meters in a game's function table: functions that count their calls, time some of them, and call the game's own.

A meter is machine code that contains the addresses of the function and of its counters, so it is compiled in every
process that uses it (a second or two for a game).
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from turnwise.core.errors import OptionError
from turnwise.core.evaluation import Evaluation
from turnwise.core.game import Game
from turnwise.core.table import EVALUATION, EVALUATION_OF_ALL, SIGNATURES
from turnwise.jit.cache import COMPILED
from turnwise.jit.clock import CLOCK, monotonic_ns
from turnwise.jit.interruption import compilation
from turnwise.jit.kernel import caller, kernel
from turnwise.jit.memory import at
from turnwise.jit.record import Ints, Word

_TIMED = 13  # in compiled games every 13th call is timed: reading the clock twice takes as long as playing an action
_CALLS, _TIMED_CALLS, _NANOSECONDS, _CLOCK = 0, 1, 2, 3  # places in a meter; the clock writes two words
_WORDS = 5
_LEFT = frozenset(("to_move", "turn", "start", "returns", "index", "features", "metrics", "news", "view"))
"""Functions without a meter: those that take as long as counting the call, and those that no search loop calls."""
_ints_at: Any = at(Ints)


@dataclass(frozen=True)
class MeterReading:
    """What a meter has counted.

    Attributes:
        function: Name in the function table, or "evaluation".
        calls: Number of calls.
        nanoseconds: Mean time of a call, without what reading the clock takes; 0.0 if none was timed.
    """

    function: str
    calls: int
    nanoseconds: float


class Meters:
    """A copy of a game whose functions are metered.

    Attributes:
        game: The copy. Its searches must use one thread: counters are ordinary memory.
    """

    def __init__(self, game: Game) -> None:
        """Put meters into a copy of a game.

        Raises:
            OptionError: Code is not compiled in this process (``TURNWISE_COMPILE=0``).
            GameFunctionError: The game's declaration is wrong.
        """
        if not COMPILED:
            raise OptionError("A profile of uncompiled code says nothing; unset TURNWISE_COMPILE.")
        self._every = 1 if game.is_plain_python else _TIMED
        self._meters: dict[str, NDArray[np.int64]] = {}
        self._kept: list[Any] = []
        self._cost = clock_cost()
        self.game = copy.copy(game)
        own = self.game.pointers
        vars(self.game)["pointers"] = {name: self._metered(name, SIGNATURES[name], own[name]) for name in own}
        vars(self.game)["evaluation"] = cache(self._evaluation)

    def readings(self) -> list[MeterReading]:
        """What was counted since the last call of :meth:`clear`; functions that were not called are left out."""
        found = []
        for name, meter in self._meters.items():
            calls, timed, total = (int(meter[word]) for word in (_CALLS, _TIMED_CALLS, _NANOSECONDS))
            if calls:
                mean = max(0.0, total / timed - self._cost) if timed else 0.0
                found.append(MeterReading(name, calls, mean))
        return found

    def clear(self) -> None:
        """Set all counters to zero."""
        for meter in self._meters.values():
            meter[:] = 0

    def _evaluation(self, name: str = "") -> tuple[str, Evaluation]:
        """In place of the copy's own method: what a search asks for is metered."""
        name, evaluation = type(self.game).evaluation(self.game, name)
        address = self._metered("evaluation", EVALUATION, evaluation.address)
        for_all = self._metered("evaluation_of_all", EVALUATION_OF_ALL, evaluation.address_for_all)
        return name, replace(evaluation, function=address, for_all=for_all or None)

    def _metered(self, name: str, signature: Any, address: int) -> int:
        """Address of the metered function; the game's own if it is absent or has no meter."""
        if address == 0 or name in _LEFT:
            return address
        meter = self._meters.setdefault(name, np.zeros(_WORDS, np.int64))
        metered, kept = metered_function(signature, address, meter, self._every)
        self._kept.append(kept)
        return metered


def clock_cost() -> float:
    """Nanoseconds that a timed call takes when there is nothing to time."""
    scratch = np.zeros(2, np.int64)
    rounds = [_empty_intervals(Word(CLOCK), Ints.of(scratch)) for _ in range(5)]
    return min(rounds)


@kernel
def _empty_intervals(clock: Word, scratch: Ints) -> float:
    total, number = 0, 1000
    for _ in range(number):
        begun = monotonic_ns(clock, scratch)
        total += monotonic_ns(clock, scratch) - begun
    return total / number


def metered_function(signature: Any, address: int, meter: NDArray[np.int64], every: int) -> tuple[int, Any]:
    """A metered function in machine code, and what keeps it alive.

    Args:
        signature: The function's signature.
        address: Its address.
        meter: int64[5], its counters.
        every: Every how many calls one is timed.
    """
    call = caller(signature.return_type, *signature.args)
    with compilation():
        compiled = numba.cfunc(signature)(_meter_around(call, len(signature.args), address, meter.ctypes.data, every))
    return int(compiled.address), compiled


def _meter_around(call: Any, arguments: int, address: int, place: int, every: int) -> Callable[..., Any]:
    """The function that counts, times and calls; it contains addresses."""
    function, system = Word(address), Word(CLOCK)

    def count_and_call(given: Any) -> Any:
        meter = _ints_at(np.uint64(place))
        meter[_CALLS] += 1
        if meter[_CALLS] % every != 0:
            return call(function, given)
        scratch = _ints_at(np.uint64(place + 8 * _CLOCK))
        begun = monotonic_ns(system, scratch)
        result = call(function, given)
        meter[_NANOSECONDS] += monotonic_ns(system, scratch) - begun
        meter[_TIMED_CALLS] += 1
        return result

    metered: Any = numba.njit(error_model="numpy", forceinline=True)(count_and_call)
    by_arguments: dict[int, Callable[..., Any]] = {
        2: lambda a, b: metered((a, b)),
        3: lambda a, b, c: metered((a, b, c)),
        4: lambda a, b, c, d: metered((a, b, c, d)),
        5: lambda a, b, c, d, e: metered((a, b, c, d, e)),
        6: lambda a, b, c, d, e, f: metered((a, b, c, d, e, f)),
    }
    return by_arguments[arguments]
