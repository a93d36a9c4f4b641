"""The tree of naive MCTS: nodes, the turns seen in them, and the local bandits of their actors.

A node is a state in which a turn begins. Its *arms* are the whole turns that have been played there; turns with one
outcome are one arm. A heap keeps the arm with the highest mean on top. *Choices* are the arms of the local bandits: an
action of an actor in a node, a pass, or a script of a group of actors.
"""

from __future__ import annotations

from typing import Annotated

from turnwise.core.chance import mix
from turnwise.jit.kernel import integer, kernel
from turnwise.jit.record import Address, Floats, Int32, Ints, Ints32, Record, Records, Word
from turnwise.planners.naive_mcts.key_table import NONE, KeyTable, add_key, clear
from turnwise.search.horizon import Horizon
from turnwise.search.outcome_table import spread
from turnwise.search.team import Team

BANDITS, GREEDY, NESTED, EVOLUTION = range(4)  # samplers (samplers.py)
UNRATED = -1e300  # mean of an arm that has no value yet
FIRST_BLOCK = 4  # places of a node's first heap
_CODE = (1 << 63) - 1  # the bits of an action's code that its key reads


class Node(Record):
    """A state in which a turn begins."""

    first: int  # place of its heap
    visits: int
    count: Int32  # arms
    room: Int32  # places of its heap


class Arm(Record):
    """A turn seen in a node; its key is made of the node and the outcome, below chance of the node and the actions."""

    mean: float  # value for the player whose turn it is
    first: int  # its first choice in ``kept``
    count: Int32  # choices
    visits: Int32
    child: Int32  # node after it; NONE: not visited again yet
    place: Int32  # in the node's heap


class Choice(Record):
    """What an actor can do in a node: an arm of its local bandit."""

    mean: float  # value for the actor's player
    visits: int


class Made(Record):
    """A choice that was made in a turn."""

    action: int  # NOTHING: a pass, or the script of a group
    choice: Int32  # its number; NONE: no bandit learns from it
    script: Int32  # place of the script that a group has in this turn; NONE: not a group's


class Climb(Record):
    """What a node's sampler remembers from turn to turn."""

    tried: Int32  # scripts that all actors have followed in a turn
    best: Int32  # the turn from which steps begin; NONE: none was made yet
    place: Int32  # where the group is whose script the next step changes
    offset: Int32  # number of the next step's script among those of the group
    fruitless: Int32  # steps since ``best`` was found, those that change nothing included
    swept: Int32  # whether a sweep over all groups and scripts has been made
    pending: Int32  # the turn whose replies are being searched; NONE: none


class Step(Record):
    """A turn of the simulation in progress."""

    node: int
    arm: int  # NONE: new
    mover: int
    key: Word  # of the arm
    first: int  # its first choice in ``made``
    count: int  # choices
    awaits: int  # whether its replies are to be searched before the node's sampler makes another turn


class NaiveTree(Record):
    """The whole tree, the simulation in progress, and the planner's parameters."""

    unset = ("nodes", "climbs", "arms", "heaps", "kept", "choices", "made", "listed", "places", "weights")

    nodes: Records[Node]  # [arm_room + 1]
    climbs: Records[Climb]  # [arm_room + 1], the nodes'; none if ``climbing`` is 0
    climbing: int  # whether samplers remember anything
    arms: Records[Arm]  # [arm_room]
    heaps: Ints32  # int32[heap_room]: arms of each node, the children of place i at 2i + 1 and 2i + 2
    kept: Records[Made]  # [kept_room]: the choices of all arms
    choices: Records[Choice]  # [choice_room]
    arm_keys: Annotated[Records[KeyTable], 1]
    choice_keys: Annotated[Records[KeyTable], 1]
    arm_room: int
    heap_room: int
    kept_room: int
    node_count: int
    heap_count: int
    kept_count: int
    full: int
    work: Address  # state of the simulation in progress
    path: Records[Step]  # [depth]
    length: int  # steps of the path
    deepest: int
    made: Records[Made]  # [made_room]: the choices of the simulation in progress
    made_count: int
    most_passes: int  # that are recorded in a turn
    chance_before: int  # chance steps before the simulation
    # A turn that is being sampled (turns.py):
    given: Ints  # int64[actor_capacity]: numbers of the actors at the beginning of the round, in order of commitment
    now: Ints  # int64[actor_capacity]: their numbers now; below 0: gone
    free: Ints  # int64[actor_capacity]: whether their actions are unrestricted
    listed: Ints  # int64[max_actions + 1]: what an actor can do
    places: Ints  # int64[max_actions + 1], scratch
    weights: Floats  # float64[max_actions + 1], scratch
    script: int  # place of the script that all actors follow in this turn; NONE: they choose
    team: Annotated[Records[Team], 1]  # ASSIGNMENT: the mover's actors and their scripts
    forced: int  # whether nobody may pass
    actions: int  # actions of the turn
    passes: int  # passes of the turn that were recorded
    # Parameters:
    rule: int  # of local bandits: EPSILON_GREEDY, EVEN or WEIGHTED (bandits.py)
    sampler: int  # BANDITS, GREEDY, NESTED or EVOLUTION
    grouping: int  # ASSIGNMENT: what has one script, as in turnwise.search.groups
    strata: int  # ASSIGNMENT: steps of health that divide the actors of a kind into groups
    tournament: int  # EVOLUTION: turns drawn for each parent; 0: the best turn is the parent
    mutation_probability: float  # EVOLUTION: that a group's script is redrawn
    order: int  # of commitment: SHUFFLED, LISTED or RANKED (turns.py)
    ranked: Ints  # int64[actor_capacity]: RANKED: the root's actors in their order
    ranked_count: int
    alive: Ints  # int64[drawn]: the drawn turns, best first, of which the first ones are still rated
    entropies: Floats  # float64[actor_capacity], scratch
    explore: float  # epsilon_0
    local_epsilon: float
    global_epsilon: float
    depth: int  # maximum number of turns in a path
    source: int  # of choices: ALL_ACTIONS, PRUNED_ACTIONS, SCRIPTS or ASSIGNMENT (choices.py)
    scripts: Ints  # first nodes of the portfolio's scripts, then of those of each kind
    size: int  # scripts of the portfolio
    kind_begin: Ints  # int64[kinds + 1]: the first script of each kind of actor; NONE: the portfolio's
    kinds: int
    unrestricted: int  # actors that see all their actions although ``source`` is SCRIPTS
    unrestricted_rule: int
    guidance: float  # probability that a choice is a script's
    first: int  # how the first turns of a node are made: SAMPLED, ONE_SCRIPT or EACH_SCRIPT (search.py)
    best_reply: int  # whether values are backed up as the best reply's
    by_value: int  # whether the plan is the turn with the highest mean, else the most visited
    rollout: Annotated[Records[Horizon], 1]
    greedy_probability: float
    sharpness: float  # exponent of weights


@kernel
def word_of(code: int) -> Word:
    """A number as a word for hashing; the highest bit is left out."""
    return Word(code & _CODE)


@kernel
def new_node(e: NaiveTree) -> int:
    """Append a node; returns its index, NONE if the tree is full."""
    if e.node_count > e.arm_room:
        e.full = 1
        return NONE
    n = e.nodes[e.node_count]
    n.first, n.visits, n.count, n.room = NONE, 0, 0, 0
    if e.climbing != 0:
        c = e.climbs[e.node_count]
        c.tried, c.best, c.place, c.offset, c.fruitless, c.swept, c.pending = 0, NONE, 0, 0, 0, 0, NONE
    e.node_count += 1
    return e.node_count - 1


@kernel
def plant(e: NaiveTree) -> None:
    """Make the root of an empty tree."""
    clear(e.arm_keys[0])
    clear(e.choice_keys[0])
    new_node(e)


@kernel
def key_of_arm(node: int, outcome: Word) -> Word:
    """Key of an arm of a node."""
    return spread(outcome ^ mix(Word(node + 1)))


@kernel
def add_arm(e: NaiveTree, node: int, key: Word, first: int, count: int) -> int:
    """Add an arm, which is not known yet, to a node.

    Args:
        e: The tree.
        node: The node.
        key: Key of the arm.
        first: Its first choice in ``made``.
        count: Number of choices.

    Returns:
        Its index, NONE if the tree is full.
    """
    n = e.nodes[node]
    index = NONE
    if e.kept_count + count <= e.kept_room and _has_place(e, n):
        index = add_key(e.arm_keys[0], key)
    if index == NONE:
        e.full = 1
        return NONE
    arm = e.arms[index]
    arm.mean, arm.visits, arm.child = UNRATED, 0, NONE
    arm.first, arm.count, arm.place = e.kept_count, count, n.count
    for i in range(count):
        kept, made = e.kept[e.kept_count + i], e.made[first + i]
        kept.action, kept.choice, kept.script = made.action, made.choice, made.script
    e.heaps[n.first + n.count] = index
    n.count += 1
    e.kept_count += count
    return index


@kernel
def _has_place(e: NaiveTree, n: Node) -> bool:
    """Make sure that a node's heap has a free place; a full heap moves to twice the room. False: the tree is full."""
    if n.count < n.room:
        return True
    room = max(FIRST_BLOCK, 2 * n.room)
    if e.heap_count + room > e.heap_room:
        return False
    for i in range(n.count):
        e.heaps[e.heap_count + i] = e.heaps[n.first + i]
    n.first, n.room = e.heap_count, room
    e.heap_count += room
    return True


@kernel
def settle(e: NaiveTree, n: Node, arm: Arm) -> None:
    """Move an arm whose mean has changed to its place in the node's heap."""
    place, index = integer(arm.place), e.heaps[n.first + arm.place]
    while place > 0:
        above = e.heaps[n.first + (place - 1) // 2]
        if e.arms[above].mean >= arm.mean:
            break
        e.heaps[n.first + place] = above
        e.arms[above].place = place
        place = (place - 1) // 2
    while 2 * place + 1 < n.count:
        child = 2 * place + 1
        if child + 1 < n.count and e.arms[e.heaps[n.first + child + 1]].mean > e.arms[e.heaps[n.first + child]].mean:
            child += 1
        below = e.heaps[n.first + child]
        if e.arms[below].mean <= arm.mean:
            break
        e.heaps[n.first + place] = below
        e.arms[below].place = place
        place = child
    e.heaps[n.first + place] = index
    arm.place = place


@kernel
def best_arm(e: NaiveTree, node: int) -> int:
    """The arm of a node with the highest mean."""
    return e.heaps[e.nodes[node].first]


@kernel
def rate_arm(e: NaiveTree, node: int, index: int, value: float) -> None:
    """Add a value, for the player whose turn it is, to an arm's mean."""
    n, arm = e.nodes[node], e.arms[index]
    arm.visits += 1
    arm.mean = value if arm.visits == 1 else arm.mean + (value - arm.mean) / arm.visits
    settle(e, n, arm)


@kernel
def teach(e: NaiveTree, first: int, count: int, value: float) -> None:
    """Add a value, for the player who made them, to the means of choices in ``made``."""
    for i in range(first, first + count):
        if e.made[i].choice != NONE:
            c = e.choices[e.made[i].choice]
            c.visits += 1
            c.mean += (value - c.mean) / c.visits
