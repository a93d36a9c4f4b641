"""Threads that share a loop over numbers inside kernels, without the interpreter's lock.

A step of a batch can take less time than it takes to wake a thread, and several times less than it takes until that
thread has the interpreter's lock. Therefore a helper that has ended its work waits for the next work inside a kernel
for a while, before it goes to sleep; and the caller never waits for a helper to begin::

    lead:    let the helpers in;  take part;  let nobody else in;  wait until the last helper has left
    attend:  as long as there has been work lately:  if let in: take part
    take part:
        take chunk after chunk of the own part of the numbers, then of the other parts; work on each

Parts are the same every time, so that each core finds the memory of its numbers in its own cache. A helper that comes
late, or not at all, finds its part done by the others.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from functools import partial
from typing import Annotated

from turnwise.core.threads import Workers, start_thread
from turnwise.jit.atomics import NAP, add_atomic, load_atomic, nap, store_atomic
from turnwise.jit.cache import COMPILED
from turnwise.jit.kernel import Entry, caller, i64, kernel, u64
from turnwise.jit.memory import address_of_values, offset
from turnwise.jit.record import Address, Ints, Record, Word
from turnwise.jit.room import LINE

NONE = -1  # no number
CHUNK = 64
"""Numbers that a thread takes at a time."""
WORK = i64(u64, i64, i64)
"""Signature of work: a record, and the first number and the one after the last; returns a number, or ``NONE``."""

_call_work: Callable[[Word, tuple[Address, int, int]], int] = caller(i64, u64, i64, i64)

_APART = LINE // 8  # int64 values, so that what follows is on other cache lines
_OPEN = 1 << 32  # in the gate: helpers are let in; the rest is how many are inside
_OVER = -2  # in place of the number of the work: no more will come
_LOOKS = 100_000  # at what it waits for before a thread takes naps in between: some 50 to 100 µs
_NAP = 20  # microseconds; systems add some 50
_NAPS = 100  # before a helper goes to sleep, from which only the caller wakes it


class CrewRecord(Record):
    """A crew as kernels see it; what several threads write to is on cache lines of its own."""

    gate: Annotated[Ints, _APART]  # the first value: see _OPEN
    number: Annotated[Ints, _APART]  # the first value: number of the present work; _OVER: there will be no more
    begins: Ints  # int64[threads, _APART]: the first number of each part that nobody has taken
    ends: Ints  # int64[threads]: the number after the last one of each part
    found: Ints  # int64[threads, _APART]: the least number that the work of a thread has returned
    asleep: Ints  # int64[threads, _APART]: whether a helper has gone to sleep, or is about to
    threads: int
    work: Word  # a function of signature WORK
    subject: Address  # the record that it works on
    nap: Word  # the address NAP


@kernel
def lead(c: CrewRecord, count: int) -> int:
    """Work on the numbers from 0 to before ``count`` together with the helpers that are there.

    Returns:
        The least number that the work has returned, or ``NONE``.
    """
    for part in range(c.threads):
        c.begins[part * _APART] = count * part // c.threads
        c.ends[part] = count * (part + 1) // c.threads
        c.found[part * _APART] = NONE
    gate = address_of_values(c.gate)
    add_atomic(gate, _OPEN)
    store_atomic(address_of_values(c.number), c.number[0] + 1)
    take_part(c, 0)
    add_atomic(gate, -_OPEN)
    looks = 0
    while load_atomic(gate) != 0:
        looks += 1
        if looks > _LOOKS:
            nap(c.nap, _NAP)
    found = NONE
    for part in range(c.threads):
        found = least(found, c.found[part * _APART])
    return found


@kernel
def attend(c: CrewRecord, thread: int) -> None:
    """Help with all work, until there has been none for a while.

    Args:
        c: The crew.
        thread: Number of the thread, from 1 on.
    """
    gate, number = address_of_values(c.gate), address_of_values(c.number)
    seen, looks = NONE, 0
    while looks < _LOOKS + _NAPS:
        now = load_atomic(number)
        if now == _OVER:
            looks = _LOOKS + _NAPS
        elif now != seen:
            seen, looks = now, 0
            if add_atomic(gate, 1) >= _OPEN:
                take_part(c, thread)
            add_atomic(gate, -1)
        else:
            looks += 1
            if looks > _LOOKS:
                nap(c.nap, _NAP)
    store_atomic(address_of_values(offset(c.asleep, thread * _APART)), 1)


@kernel
def take_part(c: CrewRecord, thread: int) -> None:
    """Work on chunks as long as there are any."""
    found = c.found[thread * _APART]
    for step in range(c.threads):
        part = (thread + step) % c.threads
        taken, end = address_of_values(offset(c.begins, part * _APART)), c.ends[part]
        begin = add_atomic(taken, CHUNK)
        while begin < end:
            found = least(found, _call_work(c.work, (c.subject, begin, min(begin + CHUNK, end))))
            begin = add_atomic(taken, CHUNK)
    c.found[thread * _APART] = found


@kernel
def least(one: int, other: int) -> int:
    """The smaller of two numbers, each of which may be ``NONE``."""
    if one == NONE or (other != NONE and other < one):
        return other
    return one


class Crew:
    """The calling thread and its helpers; :meth:`close` ends these."""

    def __init__(self, threads: int, subject: Record) -> None:
        """Start the helpers.

        Args:
            threads: How many threads work, with the calling one.
            subject: What they work on.

        Raises:
            CapacityError: The system gives no further thread.
        """
        # Uncompiled code would hold the interpreter's lock while it waits.
        threads = threads if COMPILED else 1
        spread = threads * _APART
        self._record = c = CrewRecord(begins=spread, ends=threads, found=spread, asleep=spread)
        c.keep("subject", subject)
        c.subject, c.threads, c.nap = subject.address, threads, Word(NAP)
        self._asleep = c.array("asleep")[::_APART]
        self._helpers = Workers(threads - 1, partial(_Helper, c), _Helper.end)

    def run(self, work: Entry, count: int) -> int:
        """Work on the numbers from 0 to before ``count``.

        Args:
            work: A function of signature WORK, which returns the first number at which it stopped, or ``NONE``.
            count: How many numbers.

        Returns:
            The least number that the work has returned, or ``NONE``.
        """
        self._record.work = Word(work.address)
        if count > CHUNK:
            for number, helper in enumerate(self._helpers.all(), start=1):
                if self._asleep[number]:
                    self._asleep[number] = 0
                    helper.awake()
        return lead(self._record, count)

    def close(self) -> None:
        """End the helpers; this crew must not work any more."""
        self._helpers.close()


class _Helper:
    """A thread that helps a crew as long as there is work, and sleeps in between."""

    def __init__(self, record: CrewRecord, index: int) -> None:
        if index == 0:
            record.gate[0] = 0  # this process may have been forked while one of the crew's helpers was inside
        record.asleep[(index + 1) * _APART] = 1
        self._record = record
        self._sleep = threading.Lock()  # held by the thread, unless it is to begin
        self._sleep.acquire()
        target = partial(_help, record, index + 1, self._sleep)
        start_thread(threading.Thread(target=target, name="turnwise-crew", daemon=True))

    def awake(self) -> None:
        """Let the thread go on, now or when it next wants to sleep."""
        with contextlib.suppress(RuntimeError):  # it was to go on, and has not yet
            self._sleep.release()

    def end(self) -> None:
        """End all helpers of the crew, this one at once."""
        self._record.number[0] = _OVER
        self.awake()


def _help(record: CrewRecord, number: int, sleep: threading.Lock) -> None:
    while record.number[0] != _OVER:
        sleep.acquire()
        attend(record, number)
