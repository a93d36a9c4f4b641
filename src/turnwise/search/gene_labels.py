"""Labels of genes: who acts and what it does. By them the genes of two parents correspond (alignment=subsequence).

A label is made of the turn, the lasting name of the actor, and the game's ``verb``, so that two attacks of one unit in
one turn correspond, whomever they hit and wherever the unit stands. In a game without verbs a label is the action.
"""

from __future__ import annotations

from turnwise.core import table
from turnwise.core.chance import mix
from turnwise.jit.kernel import integer, kernel
from turnwise.jit.memory import offset
from turnwise.jit.record import Ints, Word
from turnwise.search.actor_names import begin_names, follow_actors, is_turn_of_names, name_of
from turnwise.search.actors import actor_of
from turnwise.search.genomes import GenomeStore, genome
from turnwise.search.problem_record import ProblemRecord

_LOW_BITS = (1 << 62) - 1  # of a label, so that it is a number from 0, and of a name


@kernel
def note_label(p: ProblemRecord, e: GenomeStore, index: int, place: int, action: int) -> None:
    """Write the label of a gene that is played in ``state`` next; the genes before it have theirs."""
    if e.by_subsequence == 0:
        return
    if place == 0 or not is_turn_of_names(p, e.names[0], e.state):
        begin_names(p, e.names[0], e.state)
    labels = offset(e.labels, index * e.width)
    labels[place] = label_of(p, e, action)
    e.labelled[index] = place + 1
    follow_actors(p, e.names[0], e.state, action)


@kernel
def label_of(p: ProblemRecord, e: GenomeStore, action: int) -> int:
    """The label of an action that is listed in ``state``."""
    if p.verb == 0:
        return action
    names, verb = e.names[0], table.call_verb(p.verb, (p.setup, e.state, action))
    word = mix(Word(names.turn) ^ mix(Word(names.player)))
    word = mix(word ^ Word(name_of(p, names, actor_of(p, e.state, action)) & _LOW_BITS))
    return integer(mix(word ^ Word(verb)) & Word(_LOW_BITS))


@kernel
def keys_of(e: GenomeStore, index: int, by_label: bool) -> Ints:
    """What the genes of an individual are compared by: their labels, or the actions."""
    return offset(e.labels, index * e.width) if by_label else genome(e, index)


@kernel
def has_labels(e: GenomeStore, index: int) -> bool:
    """Whether all genes that were played have labels."""
    return e.labelled[index] >= e.lengths[index]
