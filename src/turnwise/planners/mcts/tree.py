"""The search tree of MCTS: arrays with fixed capacities, seen by kernels through one record.

Nodes are states after an action. A node's edges are in one block of consecutive places, which holds the candidates of
its state, best-scored first; the first ``opened`` of them are edges with statistics, the others are untried. A block is
made when its node is visited for the second time. What selection scans (mean value and 1/sqrt(visits) of each edge)
lies in arrays of its own.
"""

from __future__ import annotations

from typing import Annotated

from turnwise.jit.kernel import integer, kernel
from turnwise.jit.memory import address_of_record, address_of_values, prefetch_word
from turnwise.jit.record import Address, Floats, Int16, Int32, Ints, Ints32, Record, Records, Word
from turnwise.search.action_groups import Parts
from turnwise.search.forward_model import fingerprint, in_turn, to_move
from turnwise.search.horizon import Horizon
from turnwise.search.opponents import OpponentModel
from turnwise.search.outcome_table import spread
from turnwise.search.problem_record import ProblemRecord

NONE = NO_BLOCK = -1
NOT_PRUNED, HARD, PROGRESSIVE = 0, 1, 2  # how nodes are pruned (pruning.py)
FORCED = 1 << 30  # added to an edge's child where a forced end of the turn follows the action
DRAWN = 1 << 29  # added to an edge's child where chance takes part in the action


class Node(Record):
    """A state, reached by one path of actions or (with transpositions) by several."""

    key: Word  # fingerprint of the state, combined with ``deviated``; any number below chance
    first: int  # place of the first edge; NO_BLOCK: candidates not yet listed
    visits: int
    listed: Int32  # candidates
    opened: Int32  # how many of them are edges
    room: Int32  # places in the block (more than listed only in open-loop search)
    depth: Int32  # edges from the root, on the path on which it was found
    mover: Int16  # the player to move here; -1: the game is over
    inside: Int16  # whether this state belongs to the planned turn
    deviated: Int32  # opponents who have deviated (search/opponents.py), or the last actor's mark (unit_order.py)


class Edge(Record):
    """An action of a node, tried or not; two fit into 32 bytes."""

    action: int
    child: Int32  # index of the node that it leads to, plus FORCED or DRAWN
    visits: Int32


_NODE_WORDS = Node.dtype.itemsize // 8
_EDGES_PER_LINE = 64 // Edge.dtype.itemsize


class Width(Record):
    """Which edges of a pruned node selection considers: the first ones of its block."""

    kept: Int32  # how many; 0: the node is not pruned
    known: Int32  # edges that had been opened when this was last brought up to date
    grown: Int32  # how often more edges have become considered
    spare: Int32


class PruningRule(Record):
    """When nodes are pruned, and how far (pruning.py); shares are times the number of a node's candidates."""

    kind: int  # NOT_PRUNED, HARD or PROGRESSIVE
    after: int  # visits from which on a node is pruned: this number or that share, whichever is more
    after_share: float
    kept: int  # edges of each part that are kept: this number or that share, whichever is more
    kept_share: float
    growth: float  # HARD: alpha
    unprune_visits: float  # PROGRESSIVE: A, this number or that share, whichever is more
    unprune_share: float
    unprune_factor: float  # B
    by_bias: int  # whether biases say which edges are best, else mean values
    at_random: int  # PROGRESSIVE: whether chance says which edge is considered next
    parts: int  # groups of actions that are pruned apart, and all others
    apart: Ints  # int64[groups of the game]: part of each group


class Step(Record):
    """One step of a simulation."""

    place: int  # of the edge
    mover: int  # the player who moved along it


class Leaf(Record):
    """The state at the end of a simulation's path, as far as its node needs to know it."""

    key: Word
    depth: int
    deviated: int
    mover: int
    inside: int
    waits: int  # whether its node has yet to be found or added, and the edge to it opened
    place: int  # of that edge
    mark: int  # FORCED, DRAWN or 0
    certain: int  # whether the action always leads to this state


class Tree(Record):
    """The whole tree, the simulation in progress, and the planner's parameters."""

    scattered = ("table",)
    unset = ("nodes", "edges", "means", "bonuses", "biases", "widths", "listed", "sorted", "scores")
    nodes: Records[Node]  # Node[node_room]
    edges: Records[Edge]  # Edge[edge_room]
    means: Floats  # float64[edge_room]: mean value for the player who moves there
    bonuses: Floats  # float64[edge_room]: 1/sqrt(visits)
    biases: Floats  # float64[edge_room] with ``biased``: votes of scripts for the action
    widths: Records[Width]  # Width[node_room] where nodes are pruned
    table: Ints32  # int32[mask + 1], transpositions: node + 1, 0: empty
    mask: int
    node_room: int
    edge_room: int
    node_count: int
    edge_count: int  # places in use, opened or not
    opened: int  # edges with statistics
    full: int
    start_row: Address  # where simulations begin
    start_node: int
    work: Address  # rows of the simulation in progress
    spare: Address
    listed: Ints  # int64[max_actions], scratch
    sorted: Ints  # int64[max_actions], scratch of open-loop search
    scores: Floats  # float64[sorting_room(max_actions)], scratch
    values: Floats  # float64[players]: the last leaf's values, in [0, 1] unless they are scaled by the range seen
    opponents: Annotated[Records[OpponentModel], 1]
    path: Records[Step]  # Step[depth_limit + 2]: the simulation in progress
    leaf: Annotated[Records[Leaf], 1]
    depth_limit: int
    pending: int  # node whose last edge was opened in this simulation; NONE: no node
    rollout: Annotated[Records[Horizon], 1]  # how far rollouts go: that many turns
    exploration: float  # C, in units of the values
    constant: float  # C of the parameters
    greedy_probability: float
    negate: int  # whether back-up subtracts the value instead of adding 1 - value
    transpositions: int
    open_loop: int  # whether the simulation in progress is below chance
    start_open: int  # whether simulations begin below chance
    rule: Annotated[Records[PruningRule], 1]
    parts: Annotated[Records[Parts], 1]  # groups of actions, one of which is drawn at the root
    varied: int  # whether selection differs from UCT: ``biased`` or ``opponent_sign``
    biased: int  # whether bias/visits is added to an edge's bound; candidates are tried in the order of their biases
    opponent_sign: float  # of the exploration term at nodes of other players
    by_visits: int  # whether the best edge is the one with most visits, else with the highest mean
    shuffled: int  # whether candidates are tried in random order
    force_end: int  # the turn ends at every so many actions of a path; 0: never
    ordered: int  # whether actors act in a fixed order; if so (unit_order.py):
    order: Ints  # int64[ORDER_WORDS + actor_capacity]: the turn in progress, and its actors' numbers now
    start_order: Ints  # the same where simulations begin
    numbers: Ints  # int64[actor_capacity], scratch
    determinise: int
    turns_seen: int  # nodes at the end of the planned turn
    deepest: int
    line_end: int  # node at the end of the last line read


@kernel
def child_of(edge: Edge) -> int:
    """Index of the node that an edge leads to."""
    return edge.child & (DRAWN - 1)


@kernel
def describe_leaf(p: ProblemRecord, t: Tree, state: Address, key: Word, depth: int, deviated: int) -> None:
    """Note what a node for a state needs, so that it can be found or added when the state has been changed."""
    leaf = t.leaf[0]
    leaf.key, leaf.depth, leaf.deviated = key, depth, deviated
    leaf.mover = to_move(p, state)
    leaf.inside = 1 if in_turn(p, state) else 0


@kernel
def new_node(t: Tree) -> int:
    """Append a node for the leaf; returns its index, NONE if the tree is full."""
    if t.node_count == t.node_room:
        t.full = 1
        return NONE
    index, leaf = t.node_count, t.leaf[0]
    t.node_count += 1
    n = t.nodes[index]
    n.key, n.first, n.visits, n.listed, n.opened, n.room = leaf.key, NO_BLOCK, 0, 0, 0, 0
    n.depth, n.mover, n.inside, n.deviated = leaf.depth, leaf.mover, leaf.inside, leaf.deviated
    t.deepest = max(t.deepest, leaf.depth)
    if t.rule[0].kind != NOT_PRUNED:
        t.widths[index].kept, t.widths[index].known, t.widths[index].grown = 0, 0, 0
    return index


@kernel
def first_slot(t: Tree, key: Word) -> int:
    """Where the table is searched for a key first."""
    return integer(spread(key) & Word(t.mask))


@kernel
def fetch_slot(t: Tree, key: Word) -> None:
    """Fetch the place of a key in the table into the CPU's caches."""
    prefetch_word(address_of_values(t.table), first_slot(t, key) >> 1)


@kernel
def fetch_known(t: Tree) -> None:
    """Fetch the node that the table holds at the leaf's first place."""
    entry = t.table[first_slot(t, t.leaf[0].key)]
    prefetch_word(address_of_record(t.nodes[entry - 1]), 0)


@kernel
def fetch_node(t: Tree, index: int) -> None:
    """Fetch a node, which may be on two lines of the cache."""
    node = address_of_record(t.nodes[index])
    prefetch_word(node, 0)
    prefetch_word(node, _NODE_WORDS - 1)


@kernel
def fetch_edges(t: Tree, begin: int, end: int) -> None:
    """Fetch the edges of which one will be selected."""
    for place in range(begin, end, _EDGES_PER_LINE):
        prefetch_word(address_of_record(t.edges[place]), 0)


@kernel
def find_or_add(t: Tree) -> int:
    """Index of the leaf's node, found by its key or added; NONE if the tree is full.

    The probing is not :func:`turnwise.search.outcome_table.slot_of` because slots hold numbers of nodes in four bytes,
    and the keys are in the nodes.
    """
    key = t.leaf[0].key
    slot = first_slot(t, key)
    while True:
        entry = t.table[slot]
        if entry == 0:
            index = new_node(t)
            if index != NONE:
                t.table[slot] = index + 1
            return index
        if t.nodes[entry - 1].key == key:
            return entry - 1
        slot = (slot + 1) & t.mask


@kernel
def new_block(t: Tree, room: int) -> int:
    """Reserve consecutive places for edges; returns the first one, NO_BLOCK if the tree is full."""
    if t.edge_count + room > t.edge_room:
        t.full = 1
        return NO_BLOCK
    first = t.edge_count
    t.edge_count += room
    return first


@kernel
def open_edge(t: Tree, n: Node, place: int, child: int, mark: int) -> None:
    """Turn the node's next place into an edge to ``child`` with empty statistics; ``mark``: FORCED, DRAWN or 0."""
    edge = t.edges[place]
    edge.child = child + mark
    edge.visits = 0
    t.means[place] = 0.0
    t.bonuses[place] = 0.0
    n.opened += 1
    t.opened += 1


@kernel
def copy_edge(t: Tree, target: int, source: int) -> None:
    """Copy an edge and its statistics to another place."""
    new, old = t.edges[target], t.edges[source]
    new.action, new.child, new.visits = old.action, old.child, old.visits
    t.means[target] = t.means[source]
    t.bonuses[target] = t.bonuses[source]
    if t.biased != 0:
        t.biases[target] = t.biases[source]


@kernel
def swap_edges(t: Tree, one: int, other: int) -> None:
    """Exchange two places of a block: edges with statistics, or candidates."""
    a, b = t.edges[one], t.edges[other]
    a.action, b.action = b.action, a.action
    a.child, b.child = b.child, a.child
    a.visits, b.visits = b.visits, a.visits
    t.means[one], t.means[other] = t.means[other], t.means[one]
    t.bonuses[one], t.bonuses[other] = t.bonuses[other], t.bonuses[one]
    if t.biased != 0:
        t.biases[one], t.biases[other] = t.biases[other], t.biases[one]


@kernel
def considered(t: Tree, index: int) -> int:
    """How many edges of a node selection considers: the first ones of its block."""
    if t.rule[0].kind != NOT_PRUNED and t.widths[index].kept > 0:
        return integer(t.widths[index].kept)
    return integer(t.nodes[index].opened)


@kernel
def step_on_path(t: Tree, length: int, place: int, mover: int) -> None:
    """Record that the simulation moved along an edge."""
    step = t.path[length]
    step.place, step.mover = place, mover


@kernel
def plant(p: ProblemRecord, t: Tree) -> None:
    """Make the root, the node of ``start_row``, in an empty tree."""
    describe_leaf(p, t, t.start_row, fingerprint(p, t.start_row), 0, 0)
    find_or_add(t)
