"""What a compiled search works on: one record that holds the function table, the rows, the limits and the counters.

The counters are shared memory, so the Python side sees progress and can stop a running search by writing ``stop``.
"""

from __future__ import annotations

from typing import Annotated

from turnwise.jit.record import Address, Floats, Ints, Record, Records, Word, Words


class Objective(Record):
    """An evaluation among several by which a search rates states."""

    evaluation: Word
    parameters: Floats
    low: float
    high: float


class ProblemRecord(Record):
    """One search: the game's functions, the rows it works on, its limits and its counters."""

    unset = ("listed", "rollout_row", "rollout_returns", "rollout_listed")

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
    action_group: Word
    verb: Word
    actor: Word
    actors: Word
    actor_kind: Word
    actor_health: Word
    actor_actions: Word
    enemy_distance: Word
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
    play_expression: Word  # pointers of the signatures of search/forward_model.py; 0: not used by this search
    list_candidates: Word
    is_candidate: Word
    setup: Address  # rows that the Python side keeps alive
    root: Address
    rng: Address
    scripts: Address  # ScriptTable (search/scripts.py); 0: this search uses no scripts
    evaluation_parameters: Floats
    policy_parameters: Floats
    policy_scratch: Words  # uint64[scratch_words]
    listed: Ints  # int64[max_actions], scratch of what comes before and after a search
    reply_scratch: Words  # uint64[scratch_words], of the policies that play for other seats
    reply_listed: Ints  # int64[max_actions], scratch of these
    timespec: Annotated[Ints, 2]  # scratch of the clock
    state_words: int
    max_actions: int  # capacity of any legal list
    max_actors: int  # capacity of any list of actors
    max_turn: int  # most actions in one turn
    scratch_words: int
    players: int
    shares_goal: int  # whether they win and lose together
    mover: int  # the planning player, and the number of the turn that is planned
    turn_number: int
    policy_index: int  # the game's policy for rollouts; UNIFORM, EPSILON_GREEDY or SCRIPTED: the built-in ones
    policy_expression: int  # for SCRIPTED: first node of the policy's expression
    completion: int  # how turns are completed: one of the game's policies, or UNIFORM, BY_SCORE, BY_END, SCRIPTED
    completion_expression: int  # for SCRIPTED
    end_action: int  # the action that ends a turn early
    has_end: int  # whether the game has one
    lists_all: int  # whether the rules accept nothing but what they list
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
    until_poll: int  # calls of exhausted() up to the next reading of the clock
    unrated: int  # rollouts of the built-in evaluation "rollouts" that the end of the budget has cut off
    stop: int  # RUNNING, or why the search ends
    rollout_row: Address  # for that evaluation: a state, its results and its legal list
    rollout_returns: Floats
    rollout_listed: Ints
    rollout_low: float  # bounds of its results
    rollout_high: float
    poll_every: int  # calls of exhausted() from one reading of the clock to the next
