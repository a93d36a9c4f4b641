"""How the other seats play in a line that goes on after the own turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import numpy as np
from pydantic import AfterValidator

from turnwise.core import table
from turnwise.core.chance import draw, uniform
from turnwise.core.errors import OptionError
from turnwise.core.game import Game
from turnwise.core.table import NOTHING
from turnwise.jit.kernel import kernel
from turnwise.jit.record import Address, Ints, Records, Words
from turnwise.search.forward_model import (
    EPSILON_GREEDY,
    RUNNING,
    ProblemRecord,
    best_scored,
    exhausted,
    is_legal,
    legal,
    to_move,
)
from turnwise.search.horizon import GAME, OWN_TURN, TURNS, Horizon, Reach, Reply, advance, goes_on
from turnwise.search.problem import Problem, policy_index

NONE, PASS, POLICY, GENES = 0, 1, 2, 3
_PLAIN = {"none": NONE, "pass": PASS, "genes": GENES}
_LINE_FORMS = "none, pass or policy(NAME)"
_FORMS = "none, pass, genes or policy(NAME), one for all other seats or one for each in order of play, separated by /"


def parse_reply(text: str) -> list[tuple[int, str]]:
    """Kind and policy of each reply in a text: one for all other seats, or one for each.

    Raises:
        ValueError: Not a reply.
    """
    found = []
    for part in text.split("/"):
        name = part.removeprefix("policy(").removesuffix(")").strip()
        if part in _PLAIN:
            found.append((_PLAIN[part], ""))
        elif part == f"policy({name})" and name:
            found.append((POLICY, name))
        else:
            raise ValueError(f"got {part!r}; expected {_FORMS}, for example policy(uniform)")
    return found


def read_reply(text: str) -> str:
    """Check the value of a parameter ``reply``.

    Raises:
        ValueError: See :func:`parse_reply`.
    """
    parse_reply(text)
    return text


def read_line_reply(text: str) -> str:
    """Check the value of a parameter ``reply`` of a planner whose lines have own actions only.

    Raises:
        ValueError: See :func:`parse_reply`.
    """
    if any(kind == GENES for kind, _ in parse_reply(text)):
        raise ValueError(f"got {text!r}; this planner's lines have no genes for other seats: expected {_LINE_FORMS}")
    return text


ReplyText = Annotated[str, AfterValidator(read_reply)]
"""Type of a parameter ``reply``."""
LineReplyText = Annotated[str, AfterValidator(read_line_reply)]
"""Type of a parameter ``reply`` of a planner whose lines have own actions only."""


class Lines:
    """How far a search's lines go and who plays in them: it fills a :class:`.Horizon` and keeps what that points to."""

    def __init__(
        self, record: Horizon, problem: Problem, reach: Reach, reply: str = "none", greedy_probability: float = 0.5
    ) -> None:
        """Write the record.

        Args:
            record: The search's horizon.
            problem: The search problem.
            reach: How far lines go.
            reply: How the other seats play, see :func:`parse_reply`.
            greedy_probability: For the built-in epsilon-greedy policy: probability of the best-scored action.

        Raises:
            OptionError: The number of replies is not that of the other seats.
            UnknownNameError: The game has no such policy.
        """
        self.record, self._reach = record, reach
        record.kind, record.count = reach.kind, reach.count
        if reach.kind != OWN_TURN and problem.game.players > 1:
            self._replies = np.zeros(problem.game.players, Reply.dtype)
            record.replies = Records.of_array(Reply, self._replies)
            self._settle(problem, parse_reply(reply), greedy_probability)
            self.attach(problem)

    def _settle(self, problem: Problem, replies: Sequence[tuple[int, str]], greedy_probability: float) -> None:
        game, own = problem.game, problem.state.to_move
        others = [(own + step) % game.players for step in range(1, game.players)]
        for seat, (kind, policy) in zip(others, _for_each(game, replies), strict=True):
            reply = self.record.replies[seat]
            reply.kind, reply.greedy_probability = kind, greedy_probability
            reply.policy = policy_index(game, policy) if kind == POLICY else 0

    def attach(self, problem: Problem) -> None:
        """Give a (new) search the scratch memory that replies need."""
        if self._reach.kind != OWN_TURN and problem.game.players > 1:
            problem.record.reply_listed = Ints.of(np.zeros(problem.game.max_actions, np.int64))
            problem.record.reply_scratch = Words.of(np.zeros(problem.game.scratch_words + 1, np.uint64))


def everyone(record: Horizon, problem: Problem, turns: int | None = None) -> Lines:
    """Rollouts in which one policy plays for all seats: for a number of turns, or to the end of the game.

    Args:
        record: The rollouts' horizon.
        problem: The search problem.
        turns: Number of turns; None: to the end of the game.
    """
    return Lines(record, problem, Reach(GAME, 0, 0) if turns is None else Reach(TURNS, turns, 0), "genes")


def _for_each(game: Game, replies: Sequence[tuple[int, str]]) -> Sequence[tuple[int, str]]:
    """One reply for each seat other than the planner's.

    Raises:
        OptionError: The number of replies is not that of the other seats.
    """
    others = game.players - 1
    if len(replies) not in (1, others):
        raise OptionError(
            f"reply has {len(replies)} parts; {game.spec} has {others} other seats. Give one reply or one each."
        )
    return replies if len(replies) == others else [replies[0]] * others


@kernel
def let_others_move(p: ProblemRecord, h: Horizon, state: Address) -> bool:
    """Play for the other seats until the line itself chooses the next action.

    Args:
        p: The problem.
        h: The horizon, whose present line advances.
        state: Address of the state that the line has led to, changed in place.

    Returns:
        Whether the line goes on; False also if the budget runs out while others move (:func:`was_stopped`).
    """
    if h.kind == OWN_TURN or p.players == 1:
        return goes_on(p, h, state)
    left = p.max_turn * p.players  # so that a policy that never ends its turn cannot hold up the search
    fresh = True
    while goes_on(p, h, state):
        player = to_move(p, state)
        if player == p.mover or h.replies[player].kind == GENES:
            return True
        if left == 0 or exhausted(p):
            return False
        if fresh:
            start_reply(p)
            fresh = False
        action = reply_action(p, h.replies[player], state)
        if action == NOTHING:
            return False
        advance(p, h, state, action, player)
        left -= 1
    return False


@kernel
def was_stopped(p: ProblemRecord) -> bool:
    """Whether the search has been ended, without a new check of its limits."""
    return p.stop != RUNNING


@kernel
def start_reply(p: ProblemRecord) -> None:
    """Clear what the policies of replies remember."""
    for i in range(p.scratch_words):
        p.reply_scratch[i] = 0


@kernel
def reply_action(p: ProblemRecord, r: Reply, state: Address) -> int:
    """What a seat plays in a state in which it is to move; NOTHING: it has no reply, so that the line ends."""
    if r.kind == PASS and p.has_end != 0 and is_legal(p, state, p.end_action):
        return p.end_action
    if r.kind != POLICY:
        return NOTHING
    if r.policy >= 0:
        arguments = (p.setup, state, r.policy, p.policy_parameters, p.rng, p.reply_scratch)
        return table.call_policy(p.policy, arguments)
    if r.policy == EPSILON_GREEDY and uniform(p.rng) < r.greedy_probability:
        return best_scored(p, state, p.reply_listed)
    return p.reply_listed[draw(p.rng, legal(p, state, p.reply_listed))]
