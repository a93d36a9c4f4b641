"""Memory limits in bytes: numbers of entries such that the arrays of one decision's search fit into them.

A family of planners says which numbers of entries belong to a tree or table of a given size, and how many bytes the
search's arrays have then, in the game at hand. :func:`within_memory` finds the largest size that fits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, ClassVar, Self, TypeVar

from pydantic import BeforeValidator, ByteSize, Field, TypeAdapter, ValidationError, model_validator

from turnwise.core.errors import OptionError, counted
from turnwise.core.game import Game
from turnwise.core.machine_memory import physical_memory
from turnwise.search.actor_names import names_bytes
from turnwise.search.actors import actor_capacity
from turnwise.search.genomes import MOST_ALIGNED
from turnwise.search.horizon import Reply
from turnwise.search.planner_parameters import PlannerParameters

MEMORY = "limit of the arrays of one decision, all streams together, in bytes: 512MB, 2GiB, ..."
WORD = 8  # bytes
_MARGIN = 1 << 14  # bytes for the records, and for what small arrays are padded with
_KILO = 1000
_MOST = 1 << 60  # bytes
_SIZE = TypeAdapter(ByteSize)


def read_memory(value: object) -> int | None:
    """The number of bytes that a parameter ``memory`` names; None for an empty text.

    Raises:
        ValueError: Not a number of bytes, nor a text of a number and a unit.
    """
    if value is None or value == "":
        return None
    try:
        size = int(_SIZE.validate_python(value)) if type(value) in (int, str, ByteSize) else 0
    except (ValidationError, OverflowError):
        size = 0
    if not 0 < size <= _MOST:
        raise ValueError("expected a number of bytes, or one with a unit, such as 512MB or 2GiB")
    return size


MemorySize = Annotated[ByteSize | None, BeforeValidator(read_memory)]
"""Type of a parameter ``memory``."""


class MemoryParameters(PlannerParameters):
    """Parameters of every planner whose trees and tables are limited.

    Attributes:
        entries: Names of the parameters that limit them by numbers of entries; ``memory`` replaces all of these.
    """

    entries: ClassVar[tuple[str, ...]] = ()

    memory: MemorySize = Field(
        default=None, description=f"{MEMORY}; it determines all maximum numbers of entries; empty: these count"
    )

    @model_validator(mode="after")
    def _one_limit(self) -> Self:
        given = [name.replace("_", "-") for name in self.entries if name in self.model_fields_set]
        if self.memory is not None and given:
            raise ValueError(
                f"both memory and {', '.join(given)} are given, but memory determines all numbers of entries; give one "
                "of them"
            )
        return self


Settings = TypeVar("Settings", bound=MemoryParameters)
Entries = Mapping[str, int]  # name of a parameter -> number of entries


def within_memory(
    settings: Settings,
    game: Game,
    entries: Callable[[int], Entries],
    size: Callable[[Entries], int],
    least: int,
    most: int,
    worlds: int = 1,
) -> Settings:
    """Parameters with the largest numbers of entries that fit into their memory.

    Args:
        settings: The parameters; without ``memory`` they are returned as they are.
        game: The scenario, for messages.
        entries: The parameters' numbers for a tree or table of so many entries; they rise with it.
        size: Bytes of all arrays of one stream with these numbers, at least.
        least: The smallest tree or table.
        most: The largest one.
        worlds: Number of worlds of a decision, if each has arrays of its own.

    Returns:
        Parameters without ``memory``, whose numbers of entries hold for one stream.

    Raises:
        OptionError: See :func:`memory_of_stream`.
    """
    if settings.memory is None:
        return settings
    limit = memory_of_stream(settings, game, size(entries(least)), worlds)
    found = largest(lambda count: size(entries(count)) <= limit, least, most)
    return settings.model_copy(update={**entries(found), "memory": None})


def memory_of_stream(settings: MemoryParameters, game: Game, least: int, worlds: int = 1) -> int:
    """Bytes that each of a decision's streams may have.

    Args:
        settings: The parameters, with ``memory``.
        game: The scenario, for messages.
        least: Bytes that one stream needs at least.
        worlds: Number of worlds, if each has arrays of its own.

    Raises:
        OptionError: The memory is less than the streams need, or more than the machine has.
    """
    assert settings.memory is not None
    streams: int = getattr(settings, "streams", 1)
    given, needed = int(settings.memory), streams * worlds * least
    if given < needed:
        parts = [f"{count} {name}" for count, name in ((worlds, "worlds"), (streams, "streams")) if count > 1]
        all_streams = f" for its {' of '.join(parts)} together" if parts else ""
        raise OptionError(
            f"memory={_shown(given)} is too little: with these parameters a search in {game.spec} needs at least "
            f"{needed:,} bytes{all_streams}. Give memory={-(-needed // _KILO)}kB or more; a number without a unit is "
            "in bytes."
        )
    physical = physical_memory()
    if 0 < physical < given:
        raise OptionError(
            f"memory={_shown(given)} is more than this machine has: {_shown(physical)}. Give less; other programs and "
            "searches need memory, too."
        )
    return given // (streams * worlds)


def largest(fits: Callable[[int], bool], least: int, most: int) -> int:
    """The largest number from ``least`` (which fits) to ``most`` that fits; all smaller ones fit, too."""
    while least < most:
        middle = (least + most + 1) // 2
        if fits(middle):
            least = middle
        else:
            most = middle - 1
    return least


def working_bytes(game: Game, *, rows: int = 0, lists: int = 0, words: int = 0) -> int:
    """Bytes of a search's small arrays, with its records and what replies need.

    Args:
        game: The scenario.
        rows: Number of states.
        lists: Number of lists of legal actions.
        words: Number of other values of 8 bytes.
    """
    replies = game.players * 2 * Reply.dtype.itemsize + WORD * (actor_capacity(game) + game.scratch_words)
    return WORD * (rows * game.state_words + lists * game.max_actions + words + game.players) + replies + _MARGIN


def genome_bytes(game: Game, slots: int, width: int, *, aligned: bool = False) -> int:
    """Bytes of a genome memory, with the scratch of the operators on it.

    Args:
        game: The scenario.
        slots: Number of genomes for which there is room.
        width: Maximum number of genes in a genome.
        aligned: Whether parents are aligned by their common subsequence, for which genes have labels.
    """
    words = slots * (width + 6) + (MOST_ALIGNED + 1) ** 2
    if aligned:
        words += slots * (width + 1)
    names = names_bytes(game) if aligned else 0
    return names + working_bytes(game, rows=3, lists=1, words=words)


def _shown(count: int) -> str:
    """A number of bytes for people."""
    if count < _KILO:
        return counted(count, "byte")
    return ByteSize(count).human_readable(decimal=True).replace("KB", "kB")
