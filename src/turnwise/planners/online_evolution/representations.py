"""The representations of online evolution by name: their functions, and the arrays that they need."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from turnwise.core.game import Game
from turnwise.jit.kernel import Entry
from turnwise.jit.record import Word
from turnwise.planners.online_evolution import descriptors, permutations, random_keys
from turnwise.planners.online_evolution.codes import Codes
from turnwise.search.actor_names import names_bytes
from turnwise.search.candidates import sorting_room
from turnwise.search.outcome_table import slots_for

if TYPE_CHECKING:
    from turnwise.planners.online_evolution.planner import OnlineEvolutionParameters

ACTIONS, PERMUTATION, DESCRIPTORS = "actions", "permutation", "descriptors"


@dataclass(frozen=True, slots=True)
class Representation:
    """The functions of a representation (:mod:`turnwise.planners.online_evolution.codes`).

    Attributes:
        imitate: Signature IMITATE.
        recombine: Signature RECOMBINE.
        decode: Signature DECODE.
        stride: Numbers of a code.
    """

    imitate: Entry
    recombine: Entry
    decode: Entry
    stride: int = 1


CODED = {
    PERMUTATION: Representation(
        permutations.imitate_by_order, permutations.recombine_orders, permutations.decode_order
    ),
    "keys": Representation(random_keys.imitate_by_keys, random_keys.recombine_keys, random_keys.decode_keys),
    DESCRIPTORS: Representation(
        descriptors.imitate_by_descriptors,
        descriptors.recombine_descriptors,
        descriptors.decode_descriptors,
        descriptors.STRIDE,
    ),
}
"""All representations but lists of actions."""


def code_width(settings: OnlineEvolutionParameters, width: int) -> int:
    """Most codes of a genome.

    Args:
        settings: The planner's parameters.
        width: Most actions of a genome.
    """
    if settings.representation == ACTIONS:
        return 0
    return settings.pool if settings.representation == PERMUTATION else width


def code_bytes(settings: OnlineEvolutionParameters, game: Game, width: int, genomes: int) -> int:
    """Size of the codes of a population."""
    if settings.representation == ACTIONS:
        return 0
    codes = 8 * genomes * code_width(settings, width) * CODED[settings.representation].stride
    return codes + (names_bytes(game) if settings.representation == DESCRIPTORS else 0)


def settle_codes(r: Codes, settings: OnlineEvolutionParameters, width: int, genomes: int, game: Game) -> list[Codes]:
    """Write a representation into the record of a population's codes, with new arrays.

    Args:
        r: The record, part of that of the population.
        settings: The planner's parameters.
        width: Most actions of a genome.
        genomes: Number of genomes.
        game: The scenario.

    Returns:
        What owns the arrays, which the caller keeps alive; empty for lists of actions.
    """
    if settings.representation == ACTIONS:
        return []
    chosen, most = CODED[settings.representation], code_width(settings, width)
    room = {"codes": genomes * most * chosen.stride, "counts": genomes, "read": genomes}
    if settings.representation == PERMUTATION:
        slots = slots_for(most)
        room |= {"pool": most, "slots": slots, "numbers": slots, "marks": most}
    elif settings.representation == "keys":
        room["scores"] = sorting_room(game.max_actions)
    made = Codes(**room)
    made.width, made.stride = most, chosen.stride
    made.mask = len(made.array("slots")) - 1 if settings.representation == PERMUTATION else 0
    made.imitate, made.recombine = Word(chosen.imitate.address), Word(chosen.recombine.address)
    made.decode = Word(chosen.decode.address)
    r.become(made)
    return [made]
