"""What the options of the original program change in evolutions of scripts.

The program that comes with Dockhorn et al. 2021 plays lines, breeds and begins its next decision like this::

    asked_action:        the first legal action says whose script is asked (acts=able), or all actors are asked together
                         (acts=together); a script without an action leaves the choice to chance (idle=random)
    goes_on_by_number:   a line ends when the number of the turn is ``turns`` above that of the present one, which
                         also chooses the row of a plan, and makes changes due
    store_action:        a gene keeps the action that it has played; after a shift it plays it again if it is legal
    make_mutant:         of the only individual, or of the best one after a shift: all genes are new
    cross_changes:       a whole change is of one parent
    rival:               tournaments without replacement
    choose_end:          which end of a front comes first, as both are infinitely far from others
    spread:              the next decision begins with the best individual, some mutants of it, and random individuals
    lift_limits:         the budget is checked between generations only
"""

from __future__ import annotations

from turnwise.core.budget import UNLIMITED
from turnwise.core.chance import draw, uniform
from turnwise.core.table import ALL, NOTHING
from turnwise.jit.kernel import kernel
from turnwise.jit.record import Ints
from turnwise.planners.portfolio_evolution.encodings import (
    CHANGES,
    PLAN,
    SEQUENCE,
    TOGETHER,
    ScriptPopulation,
    assign_turn,
    change_scripts,
    genome,
)
from turnwise.search.actors import actor_of
from turnwise.search.forward_model import exhausted, is_legal, legal, scripted, to_move, turn
from turnwise.search.horizon import advance
from turnwise.search.problem_record import ProblemRecord
from turnwise.search.reply import reply_action, start_reply
from turnwise.search.team import place_of

_STABLE = 16  # the longest list that the program's sort leaves in order where individuals are equal

# ------------------------------------------------------------------------------------------------------------- lines


@kernel
def asked_action(p: ProblemRecord, e: ScriptPopulation, genes: Ints, actions: int) -> int:
    """The next own action by the script of the first actor that can act, or of all actors together.

    Args:
        p: The problem.
        e: The population; ``state`` is where the present line has led.
        genes: Those of its individual.
        actions: Number of own actions so far.
    """
    t = e.team[0]
    actor, script = ALL, 0
    if e.acts != TOGETHER:
        legal(p, e.state, t.actions)
        actor = actor_of(p, e.state, t.actions[0])
        if actor < 0:
            return t.actions[0]
    if e.encoding == SEQUENCE:
        script = genes[actions]
    else:
        if e.encoding == CHANGES and e.ticks_in_turns == 0:
            change_scripts(e, genes, actions)
        place = place_of(t, p.mover, actor, t.first[p.mover])
        if place < 0:  # it has appeared in the line
            return t.actions[0]
        script = t.script[place]
    action = scripted(p, t.scripts[script], e.state, actor)
    return idle_action(p, e) if action == NOTHING else action


@kernel
def idle_action(p: ProblemRecord, e: ScriptPopulation) -> int:
    """What is played where the script that was asked has no action."""
    t = e.team[0]
    if e.idles_at_random == 0 and p.has_end != 0 and is_legal(p, e.state, p.end_action):
        return p.end_action
    return t.actions[draw(p.rng, legal(p, e.state, t.actions))]


@kernel
def store_action(e: ScriptPopulation, genes: Ints, actions: int, action: int) -> None:
    """Let a gene keep the action that it plays; genes after the last one played have none."""
    if e.encoding == SEQUENCE:
        genes[e.width + actions] = action
        if actions + 1 < e.length:
            genes[e.width + actions + 1] = NOTHING


@kernel
def goes_on_by_number(p: ProblemRecord, e: ScriptPopulation, genes: Ints) -> bool:
    """Whether a line goes on whose turns are counted by their number; the other seats have moved if it does."""
    if not let_others_move_by_number(p, e):
        return False
    before, e.number = e.number, turn(p, e.state)
    if e.number != before:
        row = e.number - p.turn_number
        if e.encoding == PLAN:
            assign_turn(e, genes, row)
        elif e.ticks_in_turns != 0:
            change_scripts(e, genes, row)
    return True


@kernel
def let_others_move_by_number(p: ProblemRecord, e: ScriptPopulation) -> bool:
    """Play for the other seats until the mover is to move; False: the line ends there, or the budget ran out."""
    left = p.max_turn * p.players  # as in lines of all other searches
    fresh = True
    while True:
        player = to_move(p, e.state)
        if player < 0 or turn(p, e.state) - p.turn_number >= e.turns:
            return False
        if player == p.mover:
            return True
        if left == 0 or exhausted(p):
            return False
        if fresh:
            start_reply(p)
            fresh = False
        action = reply_action(p, e.reach[0].replies[player], e.state)
        if action == NOTHING:
            return False
        advance(p, e.reach[0], e.state, action, player)
        left -= 1


# --------------------------------------------------------------------------------------------------------- evolution


@kernel
def make_mutant(p: ProblemRecord, e: ScriptPopulation, parent: Ints, mutant: Ints) -> None:
    """Make a mutant of a single individual: each gene is redrawn by the probability of mutation, or all genes are."""
    for i in range(e.width):
        mutant[i] = parent[i]
    for i in range(e.mutable):
        if e.redraws_all != 0 or uniform(p.rng) < e.mutation_probability:
            mutant[i] = draw(p.rng, e.alphabet[i])


@kernel
def cross_changes(p: ProblemRecord, e: ScriptPopulation, one: Ints, other: Ints, genes: Ints) -> None:
    """Take every change as a whole from one parent: the first one with the probability of mutation."""
    for change in range(e.changes):
        at = e.seats + 3 * change
        takes_first = uniform(p.rng) < e.mutation_probability
        for i in range(at, at + 3):
            genes[i] = one[i] if takes_first else other[i]


@kernel
def best_of_distinct(p: ProblemRecord, e: ScriptPopulation) -> int:
    """The best place among those of some random individuals, none of which is drawn twice."""
    for i in range(min(e.tournament, e.members)):
        place = draw(p.rng, e.members - i)  # among the places not drawn so far, which are in rising order
        at = 0
        while at < i and e.rivals[at] <= place:
            place += 1
            at += 1
        for j in range(i, at, -1):
            e.rivals[j] = e.rivals[j - 1]
        e.rivals[at] = place
    return e.rivals[0]


@kernel
def choose_end(p: ProblemRecord, e: ScriptPopulation, count: int) -> None:
    """Decide which end of a front comes first in absolute crowding: the better by the first objective.

    The program's sort keeps that order only in short lists; in longer ones it is arbitrary, here a matter of chance.
    """
    f = e.fronts[0]
    f.worst_first = 0
    if f.absolute != 0 and count > _STABLE:
        f.worst_first = draw(p.rng, 2)


@kernel
def spread(p: ProblemRecord, e: ScriptPopulation, mutants: int) -> None:
    """Make a population of its first individual: mutants of it follow, all others are random already."""
    for index in range(1, min(e.members, 1 + mutants)):
        make_mutant(p, e, genome(e, 0), genome(e, index))
    e.resumes = e.stores


@kernel
def lift_limits(p: ProblemRecord, e: ScriptPopulation) -> None:
    """Let a generation end whatever it costs; time is still limited."""
    if e.overshoots != 0:
        e.forward_limit, e.evaluation_limit = p.forward_limit, p.evaluation_limit
        p.forward_limit = p.evaluation_limit = UNLIMITED


@kernel
def restore_limits(p: ProblemRecord, e: ScriptPopulation) -> None:
    """Limit the search again."""
    if e.overshoots != 0:
        p.forward_limit, p.evaluation_limit = e.forward_limit, e.evaluation_limit
