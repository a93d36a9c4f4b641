"""What a node's candidates are, and in which order they are tried."""

from __future__ import annotations

from turnwise.core.chance import draw
from turnwise.core.table import NOTHING
from turnwise.jit.kernel import kernel
from turnwise.jit.record import Ints
from turnwise.planners.mcts.tree import Node, Tree
from turnwise.planners.mcts.unit_order import keep_later
from turnwise.search.action_groups import keep_one_part
from turnwise.search.candidates import sort_by_score
from turnwise.search.forward_model import candidates, resting_action
from turnwise.search.opponents import width
from turnwise.search.problem_record import ProblemRecord
from turnwise.search.scripts import script_table


@kernel
def ordered_candidates(p: ProblemRecord, t: Tree, n: Node, mover: int, actions: Ints, scratch: Ints) -> int:
    """List the candidates of the state in ``work``, best-scored first (with ``biased``: most votes); returns how many.

    Args:
        p: The problem.
        t: The tree.
        n: The node of that state.
        mover: The player to move there.
        actions: int64[max_actions], receives the candidates.
        scratch: int64[max_actions], overwritten.
    """
    if t.force_end != 0 and n.depth > 0 and n.depth % t.force_end == 0:
        action = resting_action(p, t.work)
        if action != NOTHING:
            actions[0] = action
            return 1
    count = candidates(p, t.work, actions)
    if t.biased != 0:
        sort_by_votes(p, actions, count)
        return count
    if n.depth == 0:
        count = keep_one_part(p, t.parts[0], t.work, actions, count, scratch)
    count = keep_later(p, t, t.work, n.deviated, actions, count)
    sort_by_score(p, t.work, actions, t.scores, count)
    return min(count, width(t.opponents[0], n.deviated, mover, p.mover))


@kernel
def sort_by_votes(p: ProblemRecord, actions: Ints, n: int) -> None:
    """Sort a list of candidates by the votes of scripts, most first; equal ones keep their order."""
    votes = script_table(p.scripts).votes
    for i in range(1, n):
        action, vote, place = actions[i], votes[i], i
        while place > 0 and votes[place - 1] < vote:
            actions[place], votes[place] = actions[place - 1], votes[place - 1]
            place -= 1
        actions[place], votes[place] = action, vote


@kernel
def note_biases(p: ProblemRecord, t: Tree, first: int, count: int) -> None:
    """Write the votes of the candidates that were just listed to the places of a block."""
    votes = script_table(p.scripts).votes
    for i in range(count):
        t.biases[first + i] = votes[i]


@kernel
def shuffle(p: ProblemRecord, actions: Ints, n: int) -> None:
    """Put a list into random order."""
    for i in range(n - 1, 0, -1):
        other = draw(p.rng, i + 1)
        actions[i], actions[other] = actions[other], actions[i]
