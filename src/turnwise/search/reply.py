"""How the other seats play in a line that goes on after the own turn."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic import AfterValidator, BeforeValidator

from turnwise.core import table
from turnwise.core.chance import draw, uniform
from turnwise.core.errors import OptionError, brief, counted
from turnwise.core.fields import normaliser
from turnwise.core.game import Game
from turnwise.core.script import ScriptExpression
from turnwise.core.state import State
from turnwise.core.table import ALL, NOTHING
from turnwise.jit.kernel import inlined, kernel
from turnwise.jit.large_arrays import large_array
from turnwise.jit.record import Address, Ints, Records, array_address
from turnwise.search.actors import actor_capacity, actors, contains
from turnwise.search.expressions import checked_policy, parse
from turnwise.search.forward_model import (
    EPSILON_GREEDY,
    RUNNING,
    SCRIPTED,
    best_scored,
    exhausted,
    is_legal,
    legal,
    resting_action,
    scripted,
    to_move,
)
from turnwise.search.horizon import GAME, OWN_TURN, TURNS, Horizon, Reach, Reply, advance, goes_on
from turnwise.search.problem import Problem
from turnwise.search.problem_form import policy_index
from turnwise.search.problem_record import ProblemRecord
from turnwise.search.scripts import book_of

_expression = normaliser(parse)

NONE, PASS, POLICY, GENES, SCRIPT, ASSIGNMENT = range(6)
_PLAIN = {"none": NONE, "pass": PASS, "genes": GENES}
_CALL = re.compile(r"(policy|script|assignment)\((.+)\)", re.DOTALL)
_FORMS_BUT_TWO = "none, pass, policy(NAME), script(EXPRESSION)"
_LINE_FORMS = f"{_FORMS_BUT_TWO} or assignment(ACTOR:EXPRESSION;...)"
_LARGEST_ACTOR = 2**63 - 1
_WORLDS = 32  # in which an actor is looked for
_ALL_FORMS = f"{_FORMS_BUT_TWO}, assignment(ACTOR:EXPRESSION;...) or genes"
_FORMS = f"{_ALL_FORMS}, one for all other seats or one for each in order of play, separated by /"


class ReplyForm(NamedTuple):
    """One reply of a text.

    Attributes:
        kind: NONE, PASS, POLICY, GENES, SCRIPT or ASSIGNMENT.
        text: Name of the policy, or the expression.
        assigned: For ASSIGNMENT: actor -> expression.
    """

    kind: int
    text: str = ""
    assigned: tuple[tuple[int, str], ...] = ()


def parse_reply(text: str) -> list[ReplyForm]:
    """The replies of a text: one for all other seats, or one for each.

    Raises:
        ValueError: Not a reply, or an expression with a fault.
    """
    return [_parse_one(part) for part in text.split("/")]


def reply_text(value: object) -> object:
    """The text of a reply that is an expression as an object, or of a list with one reply for each seat."""
    if isinstance(value, list | tuple) and value and all(isinstance(one, str | ScriptExpression) for one in value):
        return "/".join(str(reply_text(one)) for one in value)
    return f"script({value})" if isinstance(value, ScriptExpression) else value


def _parse_one(part: str) -> ReplyForm:
    if part in _PLAIN:
        return ReplyForm(_PLAIN[part])
    call = _CALL.fullmatch(part)
    if call is None:
        raise ValueError(f"got {part!r}; expected {_FORMS}, for example policy(uniform)")
    name, inner = call.groups()
    if name == "policy":
        return ReplyForm(POLICY, checked_policy(inner))
    if name == "script":
        return ReplyForm(SCRIPT, _expression(inner))
    assigned = tuple(_assigned(pair) for pair in inner.split(";"))
    given = [actor for actor, _ in assigned]
    twice = next((actor for actor in given if given.count(actor) > 1), None)
    if twice is not None:
        raise ValueError(
            f"got {counted(given.count(twice), 'expression')} for actor {twice} in {part!r}; expected one for each "
            f"actor. Combine them, as in {twice}:first(one,other)"
        )
    return ReplyForm(ASSIGNMENT, assigned=assigned)


def _assigned(pair: str) -> tuple[int, str]:
    actor, colon, expression = pair.partition(":")
    if not colon or not actor.strip().isdecimal():
        raise ValueError(f"got {pair!r} in an assignment; expected ACTOR:EXPRESSION, for example 3:random")
    digits = actor.strip().lstrip("0") or "0"
    if len(digits) > len(str(_LARGEST_ACTOR)) or int(digits) > _LARGEST_ACTOR:
        raise ValueError(
            f"got actor {brief(digits)} in an assignment; expected a number from 0 to {_LARGEST_ACTOR}, one of "
            "state.actors(player)"
        )
    return int(digits), _expression(expression)


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
    if any(form.kind == GENES for form in parse_reply(text)):
        raise ValueError(f"got {text!r}; this planner's lines have no genes for other seats: expected {_LINE_FORMS}")
    return text


ReplyText = Annotated[str, BeforeValidator(reply_text), AfterValidator(read_reply)]
"""Type of a parameter ``reply``."""
LineReplyText = Annotated[str, BeforeValidator(reply_text), AfterValidator(read_line_reply)]
"""Type of a parameter ``reply`` of a planner whose lines have own actions only."""


class HorizonMemory:
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
            OptionError: The number of replies is not that of the other seats; also where no line goes beyond the turn.
            UnknownNameError: The game has no such policy or script; also where no line goes beyond the turn.
        """
        self.record = record
        self._seats: list[tuple[int, ReplyForm]] = []
        self._has_scripts = False
        if reply not in _PLAIN:
            refuse_unknown_names(problem.game, reply)
        record.kind, record.count = reach.kind, reach.count
        if reach.kind != OWN_TURN and problem.game.players > 1:
            self._replies = np.zeros(problem.game.players, Reply.dtype)
            record.replies = Records.of_array(Reply, self._replies)
            if reply == "genes":  # nothing but the line itself moves
                self._replies["kind"], record.shared = GENES, 1
                return
            self._scratch = np.zeros(problem.game.scratch_words + 1, np.uint64)
            self._listed = np.zeros(actor_capacity(problem.game), np.int64)
            self._scratch_places: list[int] = [array_address(self._scratch), array_address(self._listed)]
            self._settle(problem, parse_reply(reply), greedy_probability)
            self.attach(problem)

    def _settle(self, problem: Problem, replies: Sequence[ReplyForm], greedy_probability: float) -> None:
        game, own = problem.game, problem.state.to_move
        others = [(own + step) % game.players for step in range(1, game.players)]
        self._seats = list(zip(others, _for_each(game, replies), strict=True))
        self.record.shared = all(form.kind == GENES for _, form in self._seats)
        for seat, form in self._seats:
            reply = self.record.replies[seat]
            reply.kind, reply.greedy_probability = form.kind, greedy_probability
            if form.kind == POLICY:
                reply.policy = policy_index(game, form.text)
                if reply.policy == SCRIPTED:
                    reply.kind = SCRIPT
        if any(form.assigned for _, form in self._seats):
            for seat, form in self._seats:
                refuse_unknown_actors(problem.state, seat, form)
            self._assign()
        self._find_expressions(problem)

    def _find_expressions(self, problem: Problem) -> None:
        """Write the first nodes of the seats' expressions, which are the same in all searches in a game."""
        for seat, form in self._seats:
            reply = self.record.replies[seat]
            if reply.kind == SCRIPT:
                reply.expression = problem.expression(form.text)
            for i, (_, text) in enumerate(form.assigned):
                reply.expressions[i] = problem.expression(text)
            self._has_scripts |= reply.kind == SCRIPT or bool(form.assigned)

    def _assign(self) -> None:
        """Make room for the assignments of expressions to the seats' actors."""
        given = [actor for _, form in self._seats for actor, _ in form.assigned]
        self._assignments = np.array([given, given, np.zeros_like(given)], np.int64)
        self.record.assigned = len(given)
        self.record.given, self.record.actors, _ = (Ints.of(row) for row in self._assignments)
        first = 0
        for seat, form in self._seats:
            reply, part = self.record.replies[seat], self._assignments[:, first : first + len(form.assigned)]
            reply.count = len(form.assigned)
            reply.actors, reply.expressions = Ints.of(part[1]), Ints.of(part[2])
            first += reply.count

    def room_for_progress(self, lines: int) -> NDArray[np.int64]:
        """int64[lines, 1 + assigned] for :func:`.keep_progress`; pages are touched only when they are needed."""
        return large_array((lines, 1 + self.record.assigned), np.int64)

    def attach(self, problem: Problem) -> None:
        """Give a (new) search what replies need: scratch memory, and the expressions of the game."""
        if not self._seats:
            return
        self._scratch.fill(0)
        problem.record.write_integers("reply_scratch", self._scratch_places)  # a tenth of the time of two pointers
        problem.record.keep("reply_scratch", self)
        if self._has_scripts:
            problem.scripts.play_all()


def refuse_unknown_names(game: Game, reply: str) -> None:
    """Check the names in a reply, also where the horizon leaves it unused, so that a misspelt name is noticed.

    Args:
        game: The scenario.
        reply: See :func:`parse_reply`.

    Raises:
        OptionError: The number of replies is not that of the other seats, or an expression has a fault.
        UnknownNameError: The game has no such policy or script.
    """
    forms = parse_reply(reply)
    if game.players > 1 or len(forms) > 1:
        _for_each(game, forms)
    for form in forms:
        if form.kind == POLICY:
            policy_index(game, form.text)
        for text in (form.text if form.kind == SCRIPT else "", *(text for _, text in form.assigned)):
            if text:
                book_of(game).add(game, text)


def refuse_unknown_actors(state: State, seat: int, form: ReplyForm) -> None:
    """Refuse an assignment to actors that do not exist when the game begins.

    That includes units that the game creates later (summoned, built): an assignment may name them as soon as they
    exist, in games with ``heir`` or a drawn start from the second turn on. An actor that no longer exists is not
    refused: its script has nothing to do. Where numbers of actors change, or games begin differently, only states of
    the first turn say which numbers are wrong. Where something is hidden, only the planner's own actors in the first
    turn are refused, unless the seat may have actors of these numbers, too.

    Args:
        state: Where the search begins.
        seat: The seat that the assignment is for.
        form: Its reply.

    Raises:
        OptionError: There is an unknown actor.
    """
    game = state.game
    if not form.assigned or (game.pointers["actor"] and not game.pointers["actors"]):
        return  # only the seat to move has a list
    first = game.start(0)
    if game.hides_information:
        if game.pointers["actor"] and state.turn == first.turn:
            _refuse_own_actors(state, seat, form)
        return  # lists of the others' actors are not complete
    changes = game.pointers["heir"] or first.outcomes
    if changes and state.turn != first.turn:
        return
    known = {0} if not game.pointers["actor"] else {*state.actors(seat), *(() if changes else first.actors(seat))}
    unknown = sorted({actor for actor, _ in form.assigned} - known)
    if unknown and known:  # a seat without actors may get them later
        raise OptionError(
            f"reply: the assignment has scripts for actor {', '.join(map(str, unknown))}, but "
            f"{game.seat_name(seat)} of {game.spec} has only {', '.join(map(str, sorted(known)))} "
            "(state.actors(player)). Correct the numbers, or use script(EXPRESSION) for all actors."
        )


def _refuse_own_actors(state: State, seat: int, form: ReplyForm) -> None:
    """Refuse an assignment to actors of the planner's seat, which are known also where something is hidden.

    Raises:
        OptionError: There is one that the other seat has in no world that the planner takes for possible.
    """
    mover = state.to_move
    own = {actor for actor, _ in form.assigned}.intersection(state.actors(mover))
    known = state.view(mover)
    for seed in range(_WORLDS if own else 0):  # cards of both seats may have the same numbers
        own.difference_update(known.determinise(mover, seed).actors(seat))
    if own:
        game = state.game
        raise OptionError(
            f"reply: the assignment for {game.seat_name(seat)} of {game.spec} has scripts for actor "
            f"{', '.join(map(str, sorted(own)))} of {game.seat_name(mover)}, who plans; expected actors of "
            f"{game.seat_name(seat)}. Correct the numbers, or use script(EXPRESSION) for all actors."
        )


def progress_words(game: Game, reply: str) -> int:
    """Most values of 8 bytes that the progress of a line takes; see :func:`.keep_progress`."""
    forms = _for_each(game, parse_reply(reply)) if game.players > 1 else []
    return 1 + sum(len(form.assigned) for form in forms)


def everyone(record: Horizon, problem: Problem, turns: int | None = None) -> HorizonMemory:
    """Rollouts in which one policy plays for all seats: for a number of turns, or to the end of the game.

    Args:
        record: The rollouts' horizon.
        problem: The search problem.
        turns: Number of turns; None: to the end of the game.
    """
    return HorizonMemory(record, problem, Reach(GAME, 0, 0) if turns is None else Reach(TURNS, turns, 0), "genes")


def _for_each(game: Game, replies: Sequence[ReplyForm]) -> Sequence[ReplyForm]:
    """One reply for each seat other than the planner's.

    Raises:
        OptionError: The number of replies is not that of the other seats.
    """
    others = game.players - 1
    if len(replies) not in (1, others):
        raise OptionError(
            f"reply has {len(replies)} parts; {game.spec} has {counted(others, 'other seat')}. Give one reply, or one "
            "for each."
        )
    return replies if len(replies) == others else [replies[0]] * others


@inlined
def let_others_move(p: ProblemRecord, h: Horizon, state: Address) -> bool:
    """Play for the other seats until the line itself chooses the next action.

    Where lines have own actions only, nothing is called: this is part of the inner loop of most searches.

    Args:
        p: The problem.
        h: The horizon, whose present line advances.
        state: Address of the state that the line has led to, changed in place.

    Returns:
        Whether the line goes on; False also if the budget runs out while others move (:func:`was_stopped`).
    """
    if h.kind == OWN_TURN or p.players == 1:
        return goes_on(p, h, state)
    return play_replies(p, h, state)


@kernel
def play_replies(p: ProblemRecord, h: Horizon, state: Address) -> bool:
    """:func:`let_others_move` where other seats may be to move."""
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
    if r.kind == PASS:
        return resting_action(p, state)
    if r.kind == SCRIPT or r.kind == ASSIGNMENT:
        return scripted_reply(p, r, state)
    if r.kind != POLICY:
        return NOTHING
    if r.policy >= 0:
        arguments = (p.setup, state, r.policy, p.policy_parameters, p.rng, p.reply_scratch)
        return table.call_policy(p.policy, arguments)
    if r.policy == EPSILON_GREEDY and uniform(p.rng) < r.greedy_probability:
        return best_scored(p, state, p.reply_listed)
    return p.reply_listed[draw(p.rng, legal(p, state, p.reply_listed))]


@kernel
def scripted_reply(p: ProblemRecord, r: Reply, state: Address) -> int:
    """What scripts play for the seat to move: where they have no action, the turn ends, or chance decides."""
    action = NOTHING
    if r.kind == SCRIPT:
        action = scripted(p, r.expression, state, ALL)
    else:
        count = actors(p, state, to_move(p, state), p.reply_listed)
        for i in range(r.count):
            if action == NOTHING and r.actors[i] >= 0 and contains(p.reply_listed, count, r.actors[i]):
                action = scripted(p, r.expressions[i], state, r.actors[i])
    if action == NOTHING and p.has_end != 0 and is_legal(p, state, p.end_action):
        return p.end_action
    return action if action != NOTHING else p.reply_listed[draw(p.rng, legal(p, state, p.reply_listed))]
