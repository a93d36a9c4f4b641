"""The questions that the kernels of a search ask: rules, limits, candidates and policies.

They take the record of the problem (search/problem_record.py) and read like the game's own vocabulary:
``legal(p, state, out)``, ``apply(p, state, action)``, ``exhausted(p)``. Optional functions that the game lacks have
their defaults here. The values of states are in search/state_values.py.
"""

from __future__ import annotations

from collections.abc import Callable

from turnwise.core import table
from turnwise.core.chance import draw, draws, uniform
from turnwise.jit.clock import monotonic_ns
from turnwise.jit.kernel import caller, i64, inlined, kernel, u64
from turnwise.jit.memory import address_of_record, copy_words
from turnwise.jit.record import Address, Ints, Word
from turnwise.search.problem_record import ProblemRecord

# ``p.stop``, and the built-in policies among ``p.policy_index`` and ``p.completion``
RUNNING, OUT_OF_BUDGET, OUT_OF_TIME, INTERRUPTED, OUT_OF_MEMORY, FAILED = 0, 1, 2, 3, 4, 5
UNIFORM, EPSILON_GREEDY, BY_SCORE, BY_END, SCRIPTED = -1, -2, -3, -4, -5

# Scripts and portfolios are reached through pointers: a search without them neither compiles nor calls them.
PLAY_EXPRESSION = i64(u64, i64, u64, i64)  # problem, first node, state, actor or ALL -> action or NOTHING
LIST_CANDIDATES = i64(u64, u64, u64)  # problem, state, out -> n
IS_CANDIDATE = i64(u64, u64, i64, u64)  # problem, state, action, scratch -> 0/1
call_play_expression: Callable[[Word, tuple[Address, int, Address, int]], int] = caller(
    PLAY_EXPRESSION.return_type, *PLAY_EXPRESSION.args
)
call_list_candidates: Callable[[Word, tuple[Address, Address, Ints]], int] = caller(
    LIST_CANDIDATES.return_type, *LIST_CANDIDATES.args
)
call_is_candidate: Callable[[Word, tuple[Address, Address, int, Ints]], int] = caller(
    IS_CANDIDATE.return_type, *IS_CANDIDATE.args
)


@kernel
def legal(p: ProblemRecord, state: Address, out: Ints) -> int:
    """List the legal actions of a state into ``out`` (int64[max_actions]); returns how many."""
    return table.call_legal_actions(p.legal_actions, (p.setup, state, out))


@kernel
def pruned(p: ProblemRecord, state: Address, out: Ints) -> int:
    """List the legal actions that survive the game's pruner, in native order; returns how many (at least 1)."""
    n = table.call_legal_actions(p.legal_actions, (p.setup, state, out))
    if p.prune != 0 and n > 1:
        n = table.call_prune(p.prune, (p.setup, state, out, n))
    return n


@kernel
def candidates(p: ProblemRecord, state: Address, out: Ints) -> int:
    """List the actions that the search considers; returns how many (at least 1).

    They are the pruned legal list in native order, or what the parameter ``candidates`` names (search/portfolio.py).
    """
    if p.list_candidates != 0:
        return call_list_candidates(p.list_candidates, (address_of_record(p), state, out))
    return pruned(p, state, out)


@kernel
def is_legal(p: ProblemRecord, state: Address, action: int) -> bool:
    """Whether the rules accept an action."""
    return table.call_is_legal(p.is_legal, (p.setup, state, action)) != 0


@kernel
def survives(p: ProblemRecord, state: Address, action: int, scratch: Ints) -> bool:
    """Whether an action is among the candidates; ``scratch`` is int64[max_actions] that may be overwritten.

    Scripts that draw chance may give other candidates at every call.
    """
    if p.is_candidate != 0:
        return call_is_candidate(p.is_candidate, (address_of_record(p), state, action, scratch)) != 0
    if p.survives != 0 and p.list_candidates == 0:
        return table.call_survives(p.survives, (p.setup, state, action)) != 0
    if p.lists_all != 0 and p.prune == 0 and p.list_candidates == 0:
        return is_legal(p, state, action)
    for i in range(candidates(p, state, scratch)):  # noqa: SIM110 - kernels have no generators
        if scratch[i] == action:
            return True
    return False


@kernel
def action_score(p: ProblemRecord, state: Address, action: int) -> float:
    """Cheap score of an action, higher is better; 0 where the game has none."""
    if p.action_score == 0:
        return 0.0
    return table.call_action_score(p.action_score, (p.setup, state, action))


@inlined
def apply(p: ProblemRecord, state: Address, action: int) -> None:
    """Play a legal action in place; counts one forward call, and one chance step if the rules drew an outcome."""
    p.forward_calls += 1
    before = draws(p.rng)
    table.call_apply(p.apply, (p.setup, state, action, p.rng))
    if draws(p.rng) != before:
        p.chance_steps += 1


@kernel
def drew(p: ProblemRecord, chance_steps: int) -> bool:
    """Whether chance took part in a step since ``p.chance_steps`` had the given value.

    Where it did not, the same actions from the same state lead to the same state again.
    """
    return p.chance_steps != chance_steps


@inlined
def apply_as(p: ProblemRecord, state: Address, action: int, player: int) -> None:
    """Play a legal action of any seat in place; those of seats other than the planner's are also counted apart.

    Args:
        p: The problem; with ``count_own`` calls for other seats are no forward calls.
        state: Address of the state.
        action: The action.
        player: Who plays it.
    """
    if player != p.mover:
        p.other_calls += 1
        p.forward_calls -= p.count_own
    apply(p, state, action)


@inlined
def to_move(p: ProblemRecord, state: Address) -> int:
    """Whose decision it is; -1 when the game is over."""
    return table.call_to_move(p.to_move, (p.setup, state))


@inlined
def turn(p: ProblemRecord, state: Address) -> int:
    """The number of the turn in progress."""
    return table.call_turn(p.turn, (p.setup, state))


@inlined
def in_turn(p: ProblemRecord, state: Address) -> bool:
    """Whether a state still belongs to the turn that is being planned."""
    return to_move(p, state) == p.mover and turn(p, state) == p.turn_number


@kernel
def fingerprint(p: ProblemRecord, state: Address) -> Word:
    """Hash of a state."""
    return table.call_fingerprint(p.fingerprint, (p.setup, state))


@kernel
def copy_state(p: ProblemRecord, target: Address, source: Address) -> None:
    """Copy a state row between addresses."""
    copy_words(target, source, p.state_words)


@kernel
def random_candidate(p: ProblemRecord, state: Address, out: Ints) -> int:
    """A uniform action from the candidates; ``out`` is scratch, int64[max_actions]."""
    return out[draw(p.rng, candidates(p, state, out))]


@kernel
def nearest(p: ProblemRecord, state: Address, action: int, out: Ints) -> int:
    """The legal action closest to an illegal one; a random candidate if the game has no distance (``out``: scratch)."""
    if p.nearest != 0:
        return table.call_nearest(p.nearest, (p.setup, state, action))
    return random_candidate(p, state, out)


@kernel
def canonical(p: ProblemRecord, state: Address, action: int) -> int:
    """The listed action that a legal one equals: itself, unless the game accepts an action under several codes."""
    if p.canonical != 0:
        return table.call_canonical(p.canonical, (p.setup, state, action))
    return action


@kernel
def neighbour_action(p: ProblemRecord, state: Address, action: int, out: Ints) -> int:
    """A random legal action close to a given one; a random candidate if the game has none (``out``: scratch)."""
    if p.neighbour_action != 0:
        return table.call_neighbour_action(p.neighbour_action, (p.setup, state, action, p.rng))
    return random_candidate(p, state, out)


@kernel
def move_code(p: ProblemRecord, state: Address, action: int) -> int:
    """Name of a move for policies learnt over moves; the action's own code where the game gives none."""
    if p.move_code != 0:
        return table.call_move_code(p.move_code, (p.setup, state, action))
    return action


@kernel
def move_codes(p: ProblemRecord, state: Address, actions: Ints, n: int, out: Ints) -> None:
    """Write the names of n legal actions to ``out`` (int64[n]); see :func:`move_code`."""
    if p.move_codes != 0:
        table.call_move_codes(p.move_codes, (p.setup, state, actions, n, out))
        return
    for i in range(n):
        out[i] = move_code(p, state, actions[i])


@kernel
def prior_logit(p: ProblemRecord, state: Address, action: int) -> float:
    """Initial log-weight of a move in a learnt policy, under the chosen rollout policy; 0 without one."""
    if p.prior_logit == 0 or p.policy_index < 0:
        return 0.0
    arguments = (p.setup, state, action, p.policy_index, p.policy_parameters, p.policy_scratch)
    return table.call_prior_logit(p.prior_logit, arguments)


@kernel
def best_scored(p: ProblemRecord, state: Address, out: Ints) -> int:
    """The best-scored action of the pruned legal list, first of equals; ``out`` is scratch, int64[max_actions]."""
    n = pruned(p, state, out)
    best = out[0]
    if p.action_score == 0 or n == 1:
        return best
    best_score = action_score(p, state, best)
    for i in range(1, n):
        action = out[i]
        score = action_score(p, state, action)
        if score > best_score:
            best, best_score = action, score
    return best


@kernel
def scripted(p: ProblemRecord, expression: int, state: Address, actor: int) -> int:
    """The action of an expression of scripts for an actor or ``table.ALL``; ``table.NOTHING`` if it has none.

    Args:
        p: The problem, which knows the expression (``Problem.expression``).
        expression: Its first node.
        state: Address of the state, which is not over.
        actor: Number of an actor of the player to move, or ``table.ALL``.
    """
    return call_play_expression(p.play_expression, (address_of_record(p), expression, state, actor))


@kernel
def resting_action(p: ProblemRecord, state: Address) -> int:
    """What ends the turn in progress at once, or leads there; NOTHING where the game has no such action.

    It is the action that ends a turn early, where that is legal, else the game's completion if that is a script: it
    makes the choices that the rules demand first.
    """
    if p.has_end != 0 and is_legal(p, state, p.end_action):
        return p.end_action
    if p.completion == SCRIPTED:
        return scripted(p, p.completion_expression, state, table.ALL)
    return table.NOTHING


@kernel
def completing_action(p: ProblemRecord, state: Address, out: Ints) -> int:
    """The next action of a turn that a search has left unfinished; ``out`` is scratch, int64[max_actions]."""
    if p.completion == BY_END and is_legal(p, state, p.end_action):
        return p.end_action
    if p.completion >= 0:
        arguments = (p.setup, state, p.completion, p.policy_parameters, p.rng, p.policy_scratch)
        return table.call_policy(p.policy, arguments)
    if p.completion == BY_SCORE:
        return best_scored(p, state, out)
    if p.completion == SCRIPTED:
        action = scripted(p, p.completion_expression, state, table.ALL)
        if action != table.NOTHING:
            return action
        if p.has_end != 0 and is_legal(p, state, p.end_action):
            return p.end_action
    return out[draw(p.rng, legal(p, state, out))]


@kernel
def start_policy(p: ProblemRecord) -> None:
    """Begin a rollout: clear what the policy remembers."""
    for i in range(p.scratch_words):
        p.policy_scratch[i] = 0


@kernel
def policy_action(p: ProblemRecord, state: Address, greedy_probability: float, out: Ints) -> int:
    """An action by the chosen rollout policy.

    Args:
        p: The problem; ``policy_index`` chooses one of the game's policies, a built-in one or an expression of scripts,
            which leaves states in which it has no action to chance.
        state: Address of the state.
        greedy_probability: For the built-in epsilon-greedy policy: probability of the best-scored action.
        out: Scratch, int64[max_actions].
    """
    if p.policy_index >= 0:
        return table.call_policy(
            p.policy, (p.setup, state, p.policy_index, p.policy_parameters, p.rng, p.policy_scratch)
        )
    if p.policy_index == EPSILON_GREEDY and uniform(p.rng) < greedy_probability:
        return best_scored(p, state, out)
    if p.policy_index == SCRIPTED:
        action = scripted(p, p.policy_expression, state, table.ALL)
        if action != table.NOTHING:
            return action
    return out[draw(p.rng, legal(p, state, out))]


@kernel
def exhausted(p: ProblemRecord) -> bool:
    """Whether the search must end now: a limit is reached, time is up, or it was asked to stop.

    Called before every step that costs something. Only every ``poll_every``-th call reads the clock.
    """
    if p.stop != RUNNING:
        return True
    if p.forward_calls >= p.forward_limit or p.evaluations >= p.evaluation_limit or p.iterations >= p.iteration_limit:
        p.stop = OUT_OF_BUDGET
        return True
    if p.deadline != 0:
        p.until_poll -= 1
        if p.until_poll <= 0:
            p.until_poll = p.poll_every
            if monotonic_ns(p.clock, p.timespec) >= p.deadline:
                p.stop = OUT_OF_TIME
                return True
    return False
