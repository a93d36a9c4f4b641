"""The tree of turn-based evolutionary tree search: states in which turns begin, and the turns bred in them.

A node is a state at the beginning of a turn (of whichever side), an edge a whole turn. An edge in which chance took
part has several outcomes, each a node; its value is the mean over the samples. All other edges have one outcome, and of
several turns of a node that lead to one state only the first is in the tree.

A node without turns has the value of its state. All others have the value of their best turn for the side whose turn it
is: the best reply is assumed, whoever replies.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np

from turnwise.core.chance import mix
from turnwise.jit.kernel import kernel, real
from turnwise.jit.memory import offset, row_address
from turnwise.jit.record import Address, Floats, Int32, Ints, Ints32, Record, Records, Word
from turnwise.search.forward_model import copy_state
from turnwise.search.horizon import Horizon
from turnwise.search.opponents import OpponentModel
from turnwise.search.problem_record import ProblemRecord
from turnwise.search.quick_model import QuickModel
from turnwise.search.state_values import as_seen_by

NONE = -1


class Node(Record):
    """A state in which a turn begins."""

    key: Word  # fingerprint of the state
    turn: Int32  # the turn that leads here; NONE: the root
    other: Int32  # another outcome of that turn; NONE: the last one
    weight: Int32  # how often this outcome was sampled
    newest: Int32  # the turn that was bred here last; NONE: none yet
    tries: Int32  # turns bred here, those with known outcomes included
    trials: Int32  # the same, here and below
    mover: Int32  # whose turn it is; below 0: the game is over
    deviated: Int32  # opponents who have chosen freely since the planner's last turn (search/opponents.py)
    closed: Int32  # whether nothing is left to search below it, as after the end of the game


class Turn(Record):
    """A whole turn that has been played in a node."""

    key: Word  # of its outcome; if chance took part, of its actions
    first: int  # place of its first action in ``actions``
    length: Int32
    node: Int32  # where it begins; NONE: it has been dropped
    sibling: Int32  # the turn that was bred there before it; NONE: it is the first
    outcome: Int32  # its newest outcome
    samples: Int32  # how often it was played: once, or with chance as often as its value has samples
    trials: Int32  # turns bred below it, and itself
    place: Int32  # how many turns had been tried in its node before it
    drawn: Int32  # whether chance took part


class TurnTree(Record):
    """The whole tree, the turn that is being bred, and the planner's parameters."""

    unset = ("nodes", "turns", "rows", "rated_rows", "values", "actions", "moved_nodes", "moved_turns", "made")

    nodes: Records[Node]  # [room], by the time at which they were made
    turns: Records[Turn]  # [room], the same
    rows: Address  # uint64[room, state_words]: the nodes' states
    rated_rows: Address  # the same: the states by which nodes were rated, if those are later ones
    values: Floats  # float64[room, stride]: the nodes' values
    actions: Ints  # int64[action_room]: the actions of all turns, one turn after the other
    moved_nodes: Ints32  # int32[room], scratch of compaction
    moved_turns: Ints32  # int32[room], the same
    room: int
    action_room: int
    node_count: int
    turn_count: int
    action_count: int
    root: int  # the node whose turn is planned
    stride: int  # values of a node: the planner's, or those of all players
    # The turn that is being bred (breeding.py):
    work: Address  # row of its state
    spare: Address  # row, scratch
    made: Ints  # int64[max_turn]: its actions
    made_length: int
    mover: int
    number: int  # of the turn
    chance_before: int  # chance steps before it
    listed: Ints  # int64[max_actions], scratch
    # Parameters:
    first_population: int  # turns with which the root begins
    population: int  # turns with which any other node begins
    model_first: int  # whether the first of them is the quick model's
    mutation_share: float  # probability of a mutation, else of a crossover
    gene_probability: float  # of each action in a mutation
    bias: float  # probability that a random action is a good one by score or policy
    by_policy: int  # whether the rollout policy chooses it
    widening: float  # k of k n^a
    widening_power: float  # a
    widening_probability: float
    exploration: float  # C of the upper confidence bound, in units of the values' scale
    by_trials: int  # whether the most tried turn is played, else that with the best value
    opponents: Annotated[Records[OpponentModel], 1]
    model: Annotated[Records[QuickModel], 1]
    beyond: Annotated[Records[Horizon], 1]  # the turns that are played by the model before a state is rated
    # What happened:
    sampled: int  # the turn that is to be played again; NONE: a node gets a turn
    repeated: int  # turns that were bred with a known outcome
    born: int  # turns that came into the tree
    idle: int  # iterations in a row without a new state
    patience: int  # such iterations after which the search ends; 0: never
    restarts: int  # how often a full tree was cut
    deepest: int  # longest path in turns


@kernel
def row_of(p: ProblemRecord, t: TurnTree, node: int) -> Address:
    """Address of a node's state."""
    return row_address(t.rows, node, p.state_words)


@kernel
def rated_row_of(p: ProblemRecord, t: TurnTree, node: int) -> Address:
    """Address of the state by which a node was rated."""
    return row_address(t.rated_rows if t.beyond[0].count > 0 else t.rows, node, p.state_words)


@kernel
def is_full(p: ProblemRecord, t: TurnTree) -> bool:
    """Whether there is no room for another turn."""
    return t.node_count >= t.room or t.action_count + p.max_turn > t.action_room


@kernel
def new_node(t: TurnTree, turn: int, key: Word, mover: int, deviated: int) -> int:
    """Append a node, whose value and state are in their places; returns its index."""
    node = t.node_count
    n = t.nodes[node]
    n.key, n.turn, n.mover, n.deviated = key, turn, mover, deviated
    n.other, n.newest, n.weight, n.tries, n.trials = NONE, NONE, 1, 0, 0
    n.closed = 1 if mover < 0 else 0
    t.node_count += 1
    return node


@kernel
def add_outcome(t: TurnTree, turn: int, node: int) -> None:
    """Make a node an outcome of a turn."""
    e = t.turns[turn]
    t.nodes[node].other = e.outcome
    e.outcome = node
    e.samples += 1


@kernel
def add_turn(t: TurnTree, node: int, key: Word, drawn: bool) -> int:
    """Make the turn that has been bred an edge of a node; it has no outcome yet. Returns its index."""
    turn, n = t.turn_count, t.nodes[node]
    e = t.turns[turn]
    e.key, e.drawn, e.node, e.sibling, e.outcome = key, 1 if drawn else 0, node, n.newest, NONE
    e.first, e.length, e.samples, e.trials, e.place = t.action_count, t.made_length, 0, 0, n.tries
    for i in range(t.made_length):
        t.actions[t.action_count + i] = t.made[i]
    t.action_count += t.made_length
    t.turn_count += 1
    n.newest = turn
    return turn


@kernel
def actions_of(t: TurnTree, turn: int) -> Ints:
    """The actions of a turn, int64[length]."""
    return offset(t.actions, t.turns[turn].first)


@kernel
def key_of_actions(actions: Ints, length: int) -> Word:
    """Key of a turn in which chance took part."""
    key = Word(1)
    for i in range(length):
        key = mix(key ^ Word(actions[i] & ((1 << 63) - 1)))
    return key


@kernel
def has_turn(t: TurnTree, node: int, key: Word, drawn: bool) -> bool:
    """Whether a node has a turn with a key."""
    turn = t.nodes[node].newest
    while turn != NONE:
        e = t.turns[turn]
        if e.key == key and (e.drawn != 0) == drawn:
            return True
        turn = e.sibling
    return False


@kernel
def value_of(t: TurnTree, turn: int, player: int) -> float:
    """Value of a turn: that of its outcome, or the mean over the samples.

    Args:
        t: The tree.
        turn: The turn.
        player: For whom; not read where only the planner's values are known.
    """
    e, place = t.turns[turn], player if t.stride > 1 else 0
    node = e.outcome
    if t.nodes[node].other == NONE:
        return t.values[node * t.stride + place]
    total = 0.0
    while node != NONE:
        n = t.nodes[node]
        total += n.weight * t.values[node * t.stride + place]
        node = n.other
    return total / real(e.samples)


@kernel
def worth(p: ProblemRecord, t: TurnTree, turn: int, mover: int) -> float:
    """Value of a turn for the player whose turn it is; where only the planner's is known, opponents lower that."""
    value = value_of(t, turn, mover)
    return value if t.stride > 1 else as_seen_by(p, mover, value)


@kernel
def next_turn(p: ProblemRecord, t: TurnTree, node: int, before: int, other: int) -> int:
    """The turn of a node that comes next in order of its value for the mover, then of age; NONE: there is none.

    Args:
        p: The problem.
        t: The tree.
        node: The node.
        before: The turn before it; NONE: the best one is wanted.
        other: A turn that is left out; NONE: none is.
    """
    mover, best, best_value = t.nodes[node].mover, NONE, -np.inf
    last = np.inf if before == NONE else worth(p, t, before, mover)
    edge = t.nodes[node].newest
    while edge != NONE:
        value = worth(p, t, edge, mover)
        comes_later = before == NONE or value < last or (value == last and edge > before)
        if comes_later and edge != other and (best == NONE or value >= best_value):
            best, best_value = edge, value
        edge = t.turns[edge].sibling
    return best


@kernel
def best_turn(p: ProblemRecord, t: TurnTree, node: int) -> int:
    """The turn of a node with the best value for its mover, the oldest of equals; NONE: it has none."""
    return next_turn(p, t, node, NONE, NONE)


@kernel
def settle(p: ProblemRecord, t: TurnTree, node: int) -> bool:
    """Give a node the value of its best turn; returns whether that changed anything."""
    best = best_turn(p, t, node)
    changed = False
    for player in range(t.stride):
        value = value_of(t, best, player)
        if value != t.values[node * t.stride + player]:
            t.values[node * t.stride + player] = value
            changed = True
    return changed


@kernel
def back_up(p: ProblemRecord, t: TurnTree, node: int, changed: bool) -> None:
    """Count one more try in a node and all above it, and let their values follow.

    Args:
        p: The problem.
        t: The tree.
        node: Where a turn was bred.
        changed: Whether the values of its turns may have changed.
    """
    depth = 1
    while True:
        n = t.nodes[node]
        n.trials += 1
        if changed:
            changed = settle(p, t, node)
        if node == t.root:
            t.deepest = max(t.deepest, depth)
            return
        t.turns[n.turn].trials += 1
        node = t.turns[n.turn].node
        depth += 1


@kernel
def plant(p: ProblemRecord, t: TurnTree, state: Address, key: Word) -> None:
    """Make a state the root of an empty tree; it has no value until it gets turns."""
    t.node_count = t.turn_count = t.action_count = 0
    t.root = new_node(t, NONE, key, p.mover, 0)
    copy_state(p, row_of(p, t, t.root), state)
    t.made_length = 0
    t.repeated = t.born = t.idle = t.restarts = t.deepest = 0
