"""The compiled part of MCTS over single actions, with MultiNegamax back-up.

After Justesen, Mahlmann & Togelius 2016, section 2.4; :func:`back_up` is their Algorithm 1::

    search:     until the budget is exhausted: simulate
    simulate:   s <- copy of the root's state
                path <- descend(s);  roll_out(s);  delta <- value of s for the planner, in [0, 1]
                back_up(path, delta)

    descend:    v <- root
                while s is not over:
                    if v has an untried candidate:  add expand(v) to the path;  stop
                    e <- best_edge(v) = the edge of v with the largest  w(e)/n(e) + C sqrt(ln N(v) / n(e))
                    apply e to s;  add e to the path;  v <- target of e

    expand:     a <- the best-scored untried candidate of v;  apply a to s
                (a forced end of the turn is part of a; an action that changes nothing is dropped)
                open an edge from v to the node of s, which may be known (transposition);
                link_leaf does this after the rollout

    back_up:    for each edge e of the path:                              (Algorithm 1, MultiNegamax)
                    n(e) <- n(e) + 1;  N(target of e) <- N(target of e) + 1
                    w(e) <- w(e) + delta        if the planning player moved along e
                    w(e) <- w(e) - delta        else (``backup=negate``; default, as in the engine: + 1 - delta)

Players of one turn move several times in a row, so the sign depends on who moved and not on the depth. With more than
two players delta is a vector, and an edge gets the entry of the player who moved along it, unless the others are
assumed to play together against the planner (:mod:`turnwise.search.opponents`). The tree stores w/n as a running mean.
Below a step in which chance took part, :mod:`turnwise.planners.mcts.open_loop` goes on: such a step is sampled again by
every simulation, all others lead to the same state every time.

The paper's constant is C' = 1/sqrt 2 in w/n + 2 C' sqrt(2 ln N / n), which is C = 2 here.
"""

from __future__ import annotations

from turnwise.core import table
from turnwise.core.chance import mix
from turnwise.jit.kernel import integer, kernel
from turnwise.jit.largest import place_of_largest
from turnwise.jit.record import Word
from turnwise.planners.mcts.listing import note_biases, ordered_candidates, shuffle
from turnwise.planners.mcts.open_loop import NO_KEY, descend_open, play
from turnwise.planners.mcts.pruning import is_pruned, narrow
from turnwise.planners.mcts.selection import best_varied
from turnwise.planners.mcts.tree import (
    DRAWN,
    FORCED,
    NO_BLOCK,
    NONE,
    Node,
    Tree,
    child_of,
    describe_leaf,
    fetch_edges,
    fetch_known,
    fetch_node,
    fetch_slot,
    find_or_add,
    new_block,
    new_node,
    open_edge,
    step_on_path,
)
from turnwise.planners.mcts.unit_order import follow_order, mark_of, restore_order
from turnwise.search.forward_model import (
    OUT_OF_MEMORY,
    apply_as,
    copy_state,
    drew,
    exhausted,
    fingerprint,
    legal,
    survives,
    to_move,
    turn,
)
from turnwise.search.opponents import deviated_after, each_for_itself
from turnwise.search.problem_record import ProblemRecord
from turnwise.search.rollout import closes_turn, roll_out
from turnwise.search.state_values import evaluate, evaluate_for_all, normalised, unit
from turnwise.search.upper_bound import exploration_factor, inverse_root

OUT_OF_STEPS = -1
_TRIED = 4  # neighbours of a candidate by which a forced end of the turn is ruled out


@kernel
def list_candidates(p: ProblemRecord, t: Tree, n: Node) -> bool:
    """Give a node its block: the candidates of the state in ``work``, best-scored first; False: the tree is full."""
    count = ordered_candidates(p, t, n, n.mover, t.listed, t.sorted)
    if t.shuffled != 0:
        shuffle(p, t.listed, count)
    first = new_block(t, count)
    if first == NO_BLOCK:
        return False
    for i in range(count):
        t.edges[first + i].action = t.listed[i]
    if t.biased != 0:
        note_biases(p, t, first, count)
    n.first, n.listed, n.opened, n.room = first, count, 0, count
    return True


@kernel
def best_edge(p: ProblemRecord, t: Tree, n: Node, count: int) -> int:
    """Place of the edge with the highest upper confidence bound, of the first ``count`` ones; ties: the first one.

    The bound is w/n + C sqrt(ln N / n), where N counts the node's visits and n the edge's.
    """
    end = n.first + count
    fetch_edges(t, n.first, end)
    if t.varied != 0:
        return best_varied(p, t, n, end)
    return place_of_largest(t.means, t.bonuses, exploration_factor(t.exploration, n.visits), n.first, end)


@kernel
def drop_next_candidate(t: Tree, n: Node) -> None:
    """Forget the candidate that would be tried next (it changes nothing)."""
    for place in range(n.first + n.opened, n.first + n.listed - 1):
        t.edges[place].action = t.edges[place + 1].action
        if t.biased != 0:
            t.biases[place] = t.biases[place + 1]
    n.listed -= 1


@kernel
def key_of(state: Word, deviated: int) -> Word:
    """Key of a node: its state's fingerprint, and who has deviated on the way to it."""
    return state if deviated == 0 else state ^ mix(Word(deviated))


@kernel
def has_choice(p: ProblemRecord, t: Tree, n: Node, place: int) -> bool:
    """Whether two other candidates of a node are still candidates in ``work``, after the one at a place.

    This is a quick test before the legal actions are listed to find out whether there is only one. False: unknown.
    """
    if p.survives == 0 or p.list_candidates != 0:
        return False
    found = 0
    for distance in range(1, _TRIED + 1):
        other = place + distance if place + distance < n.first + n.listed else place - distance
        if other >= n.first and survives(p, t.work, t.edges[other].action, t.listed):
            found += 1
        if found == 2:
            return True
    return False


@kernel
def expand(p: ProblemRecord, t: Tree, index: int, length: int) -> int:
    """Try a node's next candidate in ``work`` and open an edge for it; returns the new length of the path."""
    n = t.nodes[index]
    place = n.first + n.opened
    number = turn(p, t.work)
    chance_steps = p.chance_steps
    acted = mark_of(p, t, t.work, t.edges[place].action) if t.ordered != 0 else 0
    follow_order(p, t, t.work, t.edges[place].action)
    apply_as(p, t.work, t.edges[place].action, n.mover)
    mark = DRAWN if drew(p, chance_steps) else 0
    is_certain = mark == 0
    may_close = to_move(p, t.work) == n.mover and turn(p, t.work) == number and not has_choice(p, t, n, place)
    if may_close and closes_turn(p, t.work, t.spare, t.listed):
        is_certain = not drew(p, chance_steps)
        mark = FORCED if mark == 0 else DRAWN
    deviated = deviated_after(t.opponents[0], n.deviated, n.mover, p.mover, n.opened, to_move(p, t.work))
    if t.ordered != 0 and to_move(p, t.work) == n.mover and turn(p, t.work) == number:
        deviated = acted if acted > 0 else integer(n.deviated)
    key = key_of(fingerprint(p, t.work), deviated) if is_certain else NO_KEY
    if is_certain and key == n.key:
        drop_next_candidate(t, n)
        return length
    describe_leaf(p, t, t.work, key, n.depth + 1, deviated)
    leaf = t.leaf[0]
    leaf.waits, leaf.place, leaf.mark = 1, place, mark
    leaf.certain = 1 if is_certain else 0
    fetch_slot(t, key)
    t.pending = index
    step_on_path(t, length, place, n.mover)
    return length + 1


@kernel
def link_leaf(t: Tree, length: int) -> int:
    """Find or add the leaf's node and open the edge that leads to it; returns the length of the path.

    This is done after the rollout: the table and the tree do not fit into the CPU's caches, and what is read here is
    fetched while the rollout is played.
    """
    leaf = t.leaf[0]
    n = t.nodes[t.pending]
    before = t.node_count
    child = find_or_add(t) if t.transpositions != 0 and leaf.certain != 0 else new_node(t)
    if child == NONE:
        t.pending = NONE
        return length - 1
    if t.node_count > before and n.inside != 0 and t.nodes[child].inside == 0:
        t.turns_seen += 1
    open_edge(t, n, leaf.place, child, leaf.mark)
    return length


@kernel
def descend(p: ProblemRecord, t: Tree) -> int:
    """Walk from the start to a leaf, opening one edge at its end; ``work`` becomes the leaf's state.

    Returns:
        Number of edges walked (recorded in ``path``), OUT_OF_STEPS if the budget ran out on the way.
    """
    index, length = t.start_node, 0
    while True:
        n = t.nodes[index]
        if n.mover < 0 or length >= t.depth_limit:
            return length
        if exhausted(p):
            return OUT_OF_STEPS
        if n.first == NO_BLOCK and (t.full != 0 or not list_candidates(p, t, n)):
            if length == 0 and t.rollout[0].count == 0:  # no step would ever be counted again
                p.stop = OUT_OF_MEMORY
            return length
        count = integer(n.opened)
        if is_pruned(t, n):
            if narrow(p, t, index):
                return expand(p, t, index, length)
            count = integer(t.widths[index].kept)
        elif n.opened < n.listed and t.full == 0:
            return expand(p, t, index, length)
        if n.opened == 0:
            return length
        place = best_edge(p, t, n, count)
        edge = t.edges[place]
        chance_steps = p.chance_steps
        fetch_node(t, child_of(edge))
        step_on_path(t, length, place, n.mover)
        length += 1
        if edge.child & DRAWN:
            play(p, t, edge.action)
        else:
            follow_order(p, t, t.work, edge.action)
            apply_as(p, t.work, edge.action, n.mover)
            if edge.child & FORCED:
                if exhausted(p):
                    return OUT_OF_STEPS
                legal(p, t.work, t.listed)
                apply_as(p, t.work, t.listed[0], n.mover)
        index = child_of(edge)
        if drew(p, chance_steps):
            t.open_loop = 1
            return descend_open(p, t, index, length)


@kernel
def rate_leaf(p: ProblemRecord, t: Tree) -> bool:
    """Evaluate the state in ``work`` into ``values``; False: out of budget.

    There is a value for each player if each maximises its own, else one for the planning player. Values are scaled to
    [0, 1] by the evaluation's bounds. Scaled by the range seen so far they stay as they are, and exploration grows with
    the range instead.
    """
    players = p.players if rates_all(p, t) else 1
    if players > 1:
        if not evaluate_for_all(p, t.work, t.values):
            return False
    elif exhausted(p):
        return False
    else:
        t.values[0] = evaluate(p, t.work, p.mover)
    if p.by_range != 0:
        t.exploration = t.constant * unit(p)
    else:
        for i in range(players):
            t.values[i] = normalised(p, t.values[i])
    return p.unrated == 0


@kernel
def rates_all(p: ProblemRecord, t: Tree) -> bool:
    """Whether leaves are rated for every player."""
    return each_for_itself(p, t.opponents[0])


@kernel
def value_for(p: ProblemRecord, t: Tree, mover: int) -> float:
    """The leaf's value for the player who moved along an edge."""
    if rates_all(p, t):
        return t.values[mover]
    value = t.values[0]
    if mover == p.mover or p.shares_goal != 0:
        return value
    return -value if t.negate != 0 or p.by_range != 0 else 1.0 - value


@kernel
def back_up(p: ProblemRecord, t: Tree, length: int) -> None:
    """MultiNegamax (Algorithm 1): every edge of the path gets the value for the player who moved along it."""
    t.nodes[t.start_node].visits += 1
    for i in range(length):
        step = t.path[i]
        place = step.place
        edge = t.edges[place]
        edge.visits += 1
        t.nodes[child_of(edge)].visits += 1
        mean = t.means[place]
        t.means[place] = mean + (value_for(p, t, step.mover) - mean) / edge.visits
        t.bonuses[place] = inverse_root(edge.visits)


@kernel
def take_back(t: Tree) -> None:
    """Close the edge that an unfinished simulation opened."""
    if t.pending != NONE:
        n = t.nodes[t.pending]
        n.opened -= 1
        t.opened -= 1
        if t.open_loop != 0:
            n.listed -= 1


@kernel
def simulate(p: ProblemRecord, t: Tree) -> bool:
    """One iteration; False if the budget ran out in it; all statistics are then as before."""
    copy_state(p, t.work, t.start_row)
    restore_order(p, t)
    if t.determinise != 0:
        table.call_determinise(p.determinise, (p.setup, t.work, p.mover, p.rng))
    t.pending, t.leaf[0].waits = NONE, 0
    t.open_loop = t.start_open
    length = descend_open(p, t, t.start_node, 0) if t.open_loop != 0 else descend(p, t)
    if length == OUT_OF_STEPS:
        return False
    finished = roll_out(p, t.rollout[0], t.work, t.greedy_probability, t.listed)
    fetch_known(t)
    finished = finished and rate_leaf(p, t)
    if t.leaf[0].waits != 0:
        length = link_leaf(t, length)
    if not finished:
        take_back(t)
        return False
    back_up(p, t, length)
    return True


@kernel
def search(p: ProblemRecord, t: Tree) -> None:
    """Simulate until the budget is exhausted, or nothing is left to decide at the start.

    Chance can end the game on the way to the start, within the own turn; no step would be counted there.

    Args:
        p: The problem; its counters advance.
        t: A tree with its root; it grows.
    """
    if to_move(p, t.start_row) < 0:
        return
    start = t.nodes[t.start_node]
    while not exhausted(p):
        if not simulate(p, t):
            break
        p.iterations += 1
        if start.first != NO_BLOCK and start.listed == 0:
            break
