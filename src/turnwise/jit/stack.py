"""Scratch memory of a kernel on the machine's stack: games must not allocate, and their functions get no scratch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir

from turnwise.jit import record_types
from turnwise.jit.cache import COMPILED
from turnwise.jit.kernel import intrinsic
from turnwise.jit.record import Words


def stack_room(words: int) -> Callable[[], Words]:
    """Make a function that returns a pointer to that many words on the stack of the kernel that calls it.

    The words have any content, and last until that kernel returns: it may pass the pointer on, but not return it. In a
    loop, a call returns the same words each time.
    """
    if not COMPILED:

        def room() -> Words:
            return Words.of(np.full(words, 0xA5A5A5A5A5A5A5A5, np.uint64))

        return room
    kind = record_types.argument_type(Words)

    @intrinsic
    def room_on_stack(typing_context: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
            with builder.goto_entry_block():  # LLVM gives memory that is reserved elsewhere back only at the end
                memory = builder.alloca(ir.ArrayType(ir.IntType(64), words))
            memory.align = 64
            return builder.bitcast(memory, ir.IntType(8).as_pointer())

        return kind(), generate

    made: Callable[[], Words] = room_on_stack
    return made
