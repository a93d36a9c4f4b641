"""Following the game: the tree keeps what it knows when actions or turns have been played, and forgets the rest."""

from __future__ import annotations

from turnwise.jit.kernel import kernel
from turnwise.jit.memory import address_of_record, at, copy_words, offset
from turnwise.jit.record import Address, Word, Words
from turnwise.planners.turn_tree.search import write_values
from turnwise.planners.turn_tree.tree import (
    NONE,
    Node,
    Turn,
    TurnTree,
    actions_of,
    best_turn,
    key_of_actions,
    rated_row_of,
    row_of,
    settle,
)
from turnwise.search.forward_model import apply, copy_state, drew, exhausted, fingerprint, in_turn
from turnwise.search.problem_record import ProblemRecord

words_at = at(Words)
_NODE_WORDS, _TURN_WORDS = Node.dtype.itemsize // 8, Turn.dtype.itemsize // 8


@kernel
def node_of(p: ProblemRecord, t: TurnTree, state: Address, key: Word) -> int:
    """The most tried node with a state in which the planner's turn begins; NONE: the tree does not know it."""
    found = NONE
    for node in range(t.node_count):
        n = t.nodes[node]
        better = found == NONE or n.trials > t.nodes[found].trials
        if n.key == key and n.mover == p.mover and better and is_same(p, row_of(p, t, node), state):
            found = node
    return found


@kernel
def is_same(p: ProblemRecord, one: Address, other: Address) -> bool:
    """Whether two rows are equal."""
    a, b = words_at(one), words_at(other)
    i = 0
    while i < p.state_words and a[i] == b[i]:
        i += 1
    return i == p.state_words


@kernel
def follow_action(p: ProblemRecord, t: TurnTree, action: int) -> bool:
    """Play an action of the turn that is planned: of the root's turns, those that begin with it stay, without it.

    Args:
        p: The problem.
        t: The tree.
        action: A legal action of the root.

    Returns:
        False if nothing has changed: chance took part, the turn would be over, no turn of several actions begins with
        it, or the budget is exhausted.
    """
    if exhausted(p):
        return False
    copy_state(p, t.work, row_of(p, t, t.root))
    before = p.chance_steps
    apply(p, t.work, action)
    if drew(p, before) or not in_turn(p, t.work) or not keeps_any(t, action):
        return False
    root = t.nodes[t.root]
    copy_state(p, row_of(p, t, t.root), t.work)
    root.key = fingerprint(p, t.work)
    last, turn = NONE, root.newest
    root.newest, root.tries, root.trials = NONE, 0, 0
    while turn != NONE:
        e = t.turns[turn]
        after = e.sibling
        if begins_with(t, turn, action):
            e.first += 1
            e.length -= 1
            e.sibling = NONE
            e.key = key_of_actions(actions_of(t, turn), e.length) if e.drawn != 0 else e.key
            if last == NONE:
                root.newest = turn
            else:
                t.turns[last].sibling = turn
            last = turn
            root.tries += 1
            root.trials += e.trials
        else:
            e.node = NONE
        turn = after
    settle(p, t, t.root)
    return True


@kernel
def begins_with(t: TurnTree, turn: int, action: int) -> bool:
    """Whether a turn begins with an action and goes on after it."""
    return t.turns[turn].length > 1 and actions_of(t, turn)[0] == action


@kernel
def keeps_any(t: TurnTree, action: int) -> bool:
    """Whether any turn of the root begins with an action and goes on after it."""
    turn = t.nodes[t.root].newest
    while turn != NONE and not begins_with(t, turn, action):
        turn = t.turns[turn].sibling
    return turn != NONE


@kernel
def keep_below(p: ProblemRecord, t: TurnTree, root: int) -> None:
    """Make a node the root and forget all nodes and turns that are not below it.

    What is kept moves to the front. A turn is younger than the node in which it was bred, and a node younger than the
    turn that leads to it, so one walk in order of age moves both.
    """
    nodes, turns, actions, next_node = 0, 0, 0, 0
    for turn in range(t.turn_count):
        e = t.turns[turn]
        while next_node < t.node_count and t.nodes[next_node].turn < turn:
            nodes = keep_node(p, t, next_node, nodes, root)
            next_node += 1
        t.moved_turns[turn] = NONE
        if e.node != NONE and t.moved_nodes[e.node] != NONE:
            for i in range(e.length):
                t.actions[actions + i] = t.actions[e.first + i]
            kept = t.turns[turns]
            copy_words(address_of_record(kept), address_of_record(e), _TURN_WORDS)
            kept.node, kept.first = t.moved_nodes[e.node], actions
            t.moved_turns[turn] = turns
            actions += kept.length
            turns += 1
    while next_node < t.node_count:
        nodes = keep_node(p, t, next_node, nodes, root)
        next_node += 1
    t.node_count, t.turn_count, t.action_count, t.root = nodes, turns, actions, 0
    correct_links(t)


@kernel
def keep_node(p: ProblemRecord, t: TurnTree, node: int, kept: int, root: int) -> int:
    """Move a node to a place if it is the root or below it; returns the next place."""
    n = t.nodes[node]
    is_below = n.turn != NONE and t.moved_turns[n.turn] != NONE
    t.moved_nodes[node] = NONE
    if node != root and not is_below:
        return kept
    k = t.nodes[kept]
    copy_words(address_of_record(k), address_of_record(n), _NODE_WORDS)
    k.turn = t.moved_turns[n.turn] if node != root else NONE
    copy_state(p, row_of(p, t, kept), row_of(p, t, node))
    if t.beyond[0].count > 0:
        copy_state(p, rated_row_of(p, t, kept), rated_row_of(p, t, node))
    for player in range(t.stride):
        t.values[kept * t.stride + player] = t.values[node * t.stride + player]
    t.moved_nodes[node] = kept
    return kept + 1


@kernel
def correct_links(t: TurnTree) -> None:
    """Give the links to turns and nodes that have moved their new numbers."""
    for node in range(t.node_count):
        n = t.nodes[node]
        n.newest = t.moved_turns[n.newest] if n.newest != NONE else NONE
        n.other = t.moved_nodes[n.other] if n.other != NONE else NONE
    t.nodes[t.root].other = NONE
    for turn in range(t.turn_count):
        e = t.turns[turn]
        e.sibling = t.moved_turns[e.sibling] if e.sibling != NONE else NONE
        e.outcome = t.moved_nodes[e.outcome]


@kernel
def keep_best(p: ProblemRecord, t: TurnTree) -> bool:
    """Make room in a full tree: of the root's turns only the best stays; False: there is none.

    If what is below it still takes more than half of the room, that is forgotten, too.
    """
    best = best_turn(p, t, t.root)
    if best == NONE:
        return False
    keep_only(t, best)
    keep_below(p, t, t.root)
    if 2 * t.node_count > t.room or 2 * t.action_count > t.action_room:
        forget_below(t, 0)
        keep_below(p, t, t.root)
    t.restarts += 1
    return True


@kernel
def forget_below(t: TurnTree, turn: int) -> None:
    """Drop all that is below the only turn of the root; of several outcomes one stays."""
    e = t.turns[turn]
    for node in range(t.node_count):
        n = t.nodes[node]
        if n.turn == turn and node != e.outcome:
            n.turn = NONE
    for other in range(t.turn_count):
        if other != turn:
            t.turns[other].node = NONE
    n = t.nodes[e.outcome]
    n.other, n.newest, n.weight, n.tries, n.trials = NONE, NONE, 1, 0, 0
    n.closed = 1 if n.mover < 0 else 0
    e.samples = e.trials = 1
    t.nodes[t.root].trials = 1


@kernel
def keep_only(t: TurnTree, turn: int) -> None:
    """Drop all turns of the root but one."""
    root, edge = t.nodes[t.root], t.nodes[t.root].newest
    while edge != NONE:
        after = t.turns[edge].sibling
        if edge != turn:
            t.turns[edge].node = NONE
        edge = after
    t.turns[turn].sibling = NONE
    root.newest, root.tries, root.trials = turn, 1, t.turns[turn].trials


@kernel
def rate_again(p: ProblemRecord, t: TurnTree) -> bool:
    """Rate the kept states as seen from the new root, since evaluations may compare with it; False: out of budget.

    Results of rollouts do not depend on the root and stay.
    """
    for node in range(t.node_count - 1, -1, -1):  # what is below a node is younger
        values = offset(t.values, node * t.stride)
        if t.nodes[node].newest != NONE:
            settle(p, t, node)
        elif p.evaluation != 0 and not write_values(p, t, rated_row_of(p, t, node), values):
            return False
        for player in range(t.stride if p.by_range != 0 else 0):
            p.low, p.high = min(p.low, values[player]), max(p.high, values[player])
    return True
