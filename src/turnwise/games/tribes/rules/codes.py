"""Action codes: kind, actor (slot of a unit or a city), a target, and a choice.

The target is a tile; for attacks and conversions it is the slot of the other unit. The choice is a technology, a kind
of unit, a building, a resource, or what a growing city gets.
"""

from __future__ import annotations

from turnwise.jit.kernel import inlined

END, RESEARCH, ROAD = range(3)  # of the tribe
BUILD, BURN, CLEAR, DESTROY, GROW, GATHER, SPAWN, LEVEL_UP = range(3, 11)  # of a city
UPGRADE, ATTACK, CAPTURE, CONVERT, DISBAND, EXAMINE, HEAL, VETERAN, MOVE, RECOVER = range(11, 21)  # of a unit
KINDS = 21
KIND_WORDS = (
    "end", "research", "road", "build", "burn", "clear", "destroy", "grow", "gather", "spawn", "levelup", "upgrade",
    "attack", "capture", "convert", "disband", "examine", "heal", "veteran", "move", "recover",
)  # fmt: skip
"""The first words of the notation, by kind."""

_ACTOR_SHIFT, _TARGET_SHIFT, _CHOICE_SHIFT, _END_SHIFT = 5, 13, 22, 27


@inlined
def code(kind: int, actor: int, target: int, choice: int) -> int:
    """The code of an action; parts that its kind does not use are 0."""
    return kind | actor << _ACTOR_SHIFT | target << _TARGET_SHIFT | choice << _CHOICE_SHIFT


@inlined
def kind_of(action: int) -> int:
    """The kind."""
    return action & 31


@inlined
def actor_of(action: int) -> int:
    """Slot of the unit or city that acts."""
    return (action >> _ACTOR_SHIFT) & 0xFF


@inlined
def target_of(action: int) -> int:
    """The tile, or the slot of the other unit."""
    return (action >> _TARGET_SHIFT) & 0x1FF


@inlined
def choice_of(action: int) -> int:
    """Technology, kind of unit, building, resource, or choice of a growing city."""
    return (action >> _CHOICE_SHIFT) & 31


@inlined
def is_code(action: int) -> bool:
    """Whether a number has the form of a code: no bits beyond its parts, and a known kind."""
    return action >> _END_SHIFT == 0 and kind_of(action) < KINDS
