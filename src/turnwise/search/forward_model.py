"""What a compiled search works on: one record that holds the function table, the rows, the limits and the counters.

A planner's kernels take this record and call the functions below; they read like the game's own vocabulary:
``legal(p, state, out)``, ``apply(p, state, action)``, ``evaluate(p, state, player)``, ``exhausted(p)``. The counters
are shared memory, so the Python side sees progress and can stop a running search by writing ``stop``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from turnwise.core import table
from turnwise.core.chance import draw, draws, uniform
from turnwise.core.rollouts import LONGEST
from turnwise.jit.clock import monotonic_ns
from turnwise.jit.kernel import caller, i64, kernel, u64
from turnwise.jit.memory import address_of_record, copy_words
from turnwise.jit.record import Address, Floats, Ints, Record, Records, Word, Words


class Objective(Record):
    """An evaluation among several by which a search rates states."""

    evaluation: Word
    parameters: Floats
    low: float
    high: float


class ProblemRecord(Record):
    """One search: the game's functions, the rows it works on, its limits and its counters."""

    # The game's function table, in the order of :data:`turnwise.core.table.SIGNATURES`; 0: the game has none.
    start: Word
    legal_actions: Word
    is_legal: Word
    apply: Word
    to_move: Word
    turn: Word
    returns: Word
    fingerprint: Word
    prune: Word
    survives: Word
    action_score: Word
    actor: Word
    actors: Word
    actor_kind: Word
    actor_actions: Word
    heir: Word
    nearest: Word
    canonical: Word
    neighbour_action: Word
    move_code: Word
    move_codes: Word
    prior_logit: Word
    policy: Word
    view: Word
    determinise: Word
    news: Word
    index: Word
    features: Word
    metrics: Word
    evaluation: Word  # pointer of the chosen evaluation; 0: the built-in rollouts
    evaluation_of_all: Word  # pointer of its function for all players at once; 0: none
    clock: Word
    play_expression: Word  # pointers of the signatures PLAY_EXPRESSION and LIST_CANDIDATES; 0: not used by this search
    list_candidates: Word
    setup: Address  # rows that the Python side keeps alive
    root: Address
    rng: Address
    scripts: Address  # ScriptTable (search/scripts.py); 0: this search uses no scripts
    evaluation_parameters: Floats
    policy_parameters: Floats
    policy_scratch: Words  # uint64[scratch_words]
    reply_scratch: Words  # uint64[scratch_words], of the policies that play for other seats
    reply_listed: Ints  # int64[max_actions], scratch of these
    timespec: Annotated[Ints, 2]  # scratch of the clock
    state_words: int
    max_actions: int  # capacity of any legal list
    max_actors: int  # capacity of any list of actors
    max_turn: int  # most actions in one turn
    scratch_words: int
    players: int
    mover: int  # the planning player, and the number of the turn that is planned
    turn_number: int
    policy_index: int  # the game's policy for rollouts; UNIFORM, EPSILON_GREEDY or SCRIPTED: the built-in ones
    policy_expression: int  # for SCRIPTED: first node of the policy's expression
    completion: int  # how turns are completed: one of the game's policies, or UNIFORM, BY_SCORE, BY_END, SCRIPTED
    completion_expression: int  # for SCRIPTED
    end_action: int  # the action that ends a turn early
    has_end: int  # whether the game has one
    count_own: int  # 0 or 1: whether calls for other seats do not count towards the limit
    low: float  # bounds of the evaluation; with ``by_range``, of the values seen so far
    high: float
    by_range: int
    objectives: Records[Objective]  # [objective_count]: the evaluations by which states are rated together
    objective_count: int
    best: float  # best value found so far, for observers of the search; -inf: none yet
    forward_calls: int  # counters
    chance_steps: int  # forward calls in which chance took part
    other_calls: int  # forward calls made for other seats
    evaluations: int
    iterations: int
    forward_limit: int
    evaluation_limit: int
    iteration_limit: int
    deadline: int  # monotonic nanoseconds; 0: none
    stop: int  # RUNNING, or why the search ends
    rollout_row: Address  # for the built-in evaluation "rollouts": a state, its results and its legal list
    rollout_returns: Floats
    rollout_listed: Ints
    rollout_low: float  # bounds of its results
    rollout_high: float
    unrated: int  # rollouts of that evaluation that the end of the budget has cut off
    poll_every: int  # calls of exhausted() from one reading of the clock to the next
    until_poll: int


RUNNING, OUT_OF_BUDGET, OUT_OF_TIME, INTERRUPTED, OUT_OF_MEMORY, FAILED = 0, 1, 2, 3, 4, 5
UNIFORM, EPSILON_GREEDY, BY_SCORE, BY_END, SCRIPTED = -1, -2, -3, -4, -5

# Scripts and portfolios are reached through pointers: a search without them neither compiles nor calls them.
PLAY_EXPRESSION = i64(u64, i64, u64, i64)  # problem, first node, state, actor or ALL -> action or NOTHING
LIST_CANDIDATES = i64(u64, u64, u64)  # problem, state, out -> n
call_play_expression: Callable[[Word, tuple[Address, int, Address, int]], int] = caller(
    PLAY_EXPRESSION.return_type, *PLAY_EXPRESSION.args
)
call_list_candidates: Callable[[Word, tuple[Address, Address, Ints]], int] = caller(
    LIST_CANDIDATES.return_type, *LIST_CANDIDATES.args
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
    if p.survives != 0 and p.list_candidates == 0:
        return table.call_survives(p.survives, (p.setup, state, action)) != 0
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


@kernel
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


@kernel
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


@kernel
def to_move(p: ProblemRecord, state: Address) -> int:
    """Whose decision it is; -1 when the game is over."""
    return table.call_to_move(p.to_move, (p.setup, state))


@kernel
def turn(p: ProblemRecord, state: Address) -> int:
    """The number of the turn in progress."""
    return table.call_turn(p.turn, (p.setup, state))


@kernel
def in_turn(p: ProblemRecord, state: Address) -> bool:
    """Whether a state still belongs to the turn that is being planned."""
    return to_move(p, state) == p.mover and turn(p, state) == p.turn_number


@kernel
def fingerprint(p: ProblemRecord, state: Address) -> Word:
    """Hash of a state."""
    return table.call_fingerprint(p.fingerprint, (p.setup, state))


@kernel
def evaluate(p: ProblemRecord, state: Address, player: int) -> float:
    """Value of a state for a player by the chosen evaluation; counts one evaluation."""
    if p.evaluation == 0:
        value = rollout_value(p, state, player)
    else:
        value = table.call_evaluation(p.evaluation, (p.setup, p.root, state, player, p.evaluation_parameters))
    p.evaluations += 1
    if p.by_range != 0 and p.unrated == 0:
        p.low, p.high = min(p.low, value), max(p.high, value)
    return value


@kernel
def evaluate_for_all(p: ProblemRecord, state: Address, out: Floats) -> bool:
    """Write the values of a state for all players, float64[players]; False: the budget ran out first.

    One evaluation where the game rates all players at once and for rollouts, else one for each.
    """
    if p.evaluation_of_all == 0 and p.evaluation != 0:
        for player in range(p.players):
            if exhausted(p):
                return False
            out[player] = evaluate(p, state, player)
        return True
    if exhausted(p):
        return False
    if p.evaluation == 0:
        roll_to_end(p, state)
        for player in range(p.players):
            out[player] = p.rollout_returns[player]
    else:
        table.call_evaluation_of_all(p.evaluation_of_all, (p.setup, p.root, state, out, p.evaluation_parameters))
    p.evaluations += 1
    if p.by_range != 0 and p.unrated == 0:
        for player in range(p.players):
            p.low, p.high = min(p.low, out[player]), max(p.high, out[player])
    return True


@kernel
def evaluate_objectives(p: ProblemRecord, state: Address, player: int, out: Floats) -> None:
    """Write a state's value for a player by each objective, float64[objective_count]; counts as many evaluations."""
    for i in range(p.objective_count):
        o = p.objectives[i]
        if o.evaluation == 0:
            out[i] = rollout_value(p, state, player)
        else:
            out[i] = table.call_evaluation(o.evaluation, (p.setup, p.root, state, player, o.parameters))
    p.evaluations += p.objective_count


@kernel
def note_best(p: ProblemRecord, value: float) -> None:
    """Record the value of a line that was found, for observers of the search."""
    p.best = max(p.best, value)


@kernel
def normalised(p: ProblemRecord, value: float) -> float:
    """A value of the chosen evaluation, scaled to [0, 1] by its bounds or by the range seen so far."""
    return min(1.0, max(0.0, (value - p.low) / unit(p)))


@kernel
def unit(p: ProblemRecord) -> float:
    """The width of the interval by which values are scaled: of the evaluation's bounds, or of the values seen so far.

    Before two different values were seen it is 1.
    """
    return p.high - p.low if p.high > p.low else 1.0


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


@kernel
def roll_to_end(p: ProblemRecord, state: Address) -> None:
    """Play a rollout by the chosen policy to the end of the game; its results, within bounds, are in the record.

    The actions are forward calls. When the budget is exhausted the rollout is cut off, which ``unrated`` counts, and
    all results are the lowest one: a line whose result is unknown never replaces one that has been rated, and searches
    that average values leave it out. After LONGEST actions the results are in the middle of the bounds.

    Args:
        p: The problem; ``rollout_returns`` gets a result for each player.
        state: Address of the state, unchanged.
    """
    here, out = p.rollout_row, p.rollout_returns
    copy_state(p, here, state)
    start_policy(p)
    length, is_cut = 0, False
    while length < LONGEST and not is_cut and to_move(p, here) >= 0:
        is_cut = exhausted(p)
        if not is_cut:
            action = policy_action(p, here, p.policy_parameters[0], p.rollout_listed)
            apply_as(p, here, action, to_move(p, here))
            length += 1
    if is_cut:
        p.unrated += 1
    if to_move(p, here) < 0:
        table.call_returns(p.returns, (p.setup, here, out))
    else:
        for player in range(p.players):
            out[player] = p.rollout_low if is_cut else 0.5 * (p.rollout_low + p.rollout_high)
    for player in range(p.players):
        out[player] = min(p.rollout_high, max(p.rollout_low, out[player]))


@kernel
def rollout_value(p: ProblemRecord, state: Address, player: int) -> float:
    """A player's result of one rollout; see :func:`roll_to_end`."""
    roll_to_end(p, state)
    return p.rollout_returns[player]
