"""How far a line goes: to the end of the own turn, for n own actions or n turns, or to the end of the game.

A search that looks beyond the turn plays a line like this (:mod:`turnwise.search.reply` has ``let_others_move``)::

    begin_line(p, h, state)
    while let_others_move(p, h, state):
        advance(p, h, state, action, mover_of(p, h, state))

A search that returns to earlier states of its lines keeps their progress (``keep_progress``) for ``resume_line``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from pydantic import BeforeValidator

from turnwise.core.game import Game
from turnwise.jit.kernel import inlined, kernel
from turnwise.jit.record import Address, Ints, Record, Records
from turnwise.search.actors import heir
from turnwise.search.forward_model import apply_as, in_turn, to_move, turn
from turnwise.search.problem_record import ProblemRecord

OWN_TURN, ACTIONS, TURNS, GAME = 0, 1, 2, 3
LONGEST = 100_000  # maximum number of actions in a line
_LONGEST_GAME = 10_000  # room for a line to the end of the game where no number is given
_PLAIN = {"own-turn": OWN_TURN, "game": GAME}
_COUNTED = {"actions": ACTIONS, "turns": TURNS}
_FORMS = f"own-turn, actions=n, turns=n, game, or a whole number of actions; n from 1 to {LONGEST}"


class Reply(Record):
    """How a seat other than the planner's plays in lines (:mod:`turnwise.search.reply`)."""

    kind: int  # NONE, PASS, POLICY, GENES, SCRIPT or ASSIGNMENT
    policy: int  # POLICY: index of the policy, as in rollouts
    greedy_probability: float  # of the built-in epsilon-greedy policy
    expression: int  # SCRIPT: first node of its expression
    count: int  # ASSIGNMENT: number of actors with an expression
    actors: Ints  # int64[count]: their numbers now, a part of the horizon's; below 0: gone
    expressions: Ints  # int64[count]: first nodes of their expressions


class Horizon(Record):
    """How far lines go, who plays in them for the other seats, and how far the present line has come."""

    kind: int  # OWN_TURN, ACTIONS, TURNS or GAME
    count: int  # of own actions or of turns
    replies: Records[Reply]  # [players]; not read where lines end with the own turn, or with one player
    assigned: int  # number of actors with an expression, of all seats
    given: Ints  # int64[assigned]: these actors at the beginning of a line
    actors: Ints  # int64[assigned]: their numbers now
    shared: int  # whether the line itself chooses the actions of all other seats
    actions: int  # own actions of the present line so far (ACTIONS only)
    turns: int  # turns that have ended in it, those of all seats
    mover: int  # mover and number of its turn in progress (TURNS only)
    number: int


@dataclass(frozen=True, slots=True)
class Reach:
    """How far lines go in a game.

    Attributes:
        kind: OWN_TURN, ACTIONS, TURNS or GAME.
        count: Number of own actions or turns; 0 where the kind has none.
        capacity: Maximum number of actions in a line.
    """

    kind: int
    count: int
    capacity: int


def parse_horizon(text: str) -> tuple[int, int]:
    """Kind and count of a horizon's text.

    Raises:
        ValueError: Not a horizon, or the number is too small or too large.
    """
    if text in _PLAIN:
        return _PLAIN[text], 0
    name, _, number = text.partition("=")
    if name not in _COUNTED or not number.isdecimal() or not 1 <= int(number) <= LONGEST:
        raise ValueError(f"got {text!r}; expected {_FORMS}, for example turns=2")
    return _COUNTED[name], int(number)


def read_horizon(value: object) -> object:
    """Check the value of a parameter ``horizon``: a number of actions, a horizon's text, or "auto".

    Raises:
        ValueError: See :func:`parse_horizon`.
    """
    if isinstance(value, str) and value.isdecimal():
        value = int(value)
    if isinstance(value, int) and not isinstance(value, bool):
        if not 1 <= value <= LONGEST:
            raise ValueError(f"got {value}; expected {_FORMS}")
    elif isinstance(value, str) and value != "auto":
        parse_horizon(value)
    return value


def read_tree_horizon(value: object) -> object:
    """Check the value of a parameter ``horizon`` of a planner that does not count turns.

    Raises:
        ValueError: See :func:`parse_horizon`.
    """
    value = read_horizon(value)
    if isinstance(value, str) and value.startswith("turns="):
        raise ValueError(f"got {value!r}; expected own-turn, actions=n, game, or a whole number of actions")
    return value


HorizonValue = Annotated[int | str, BeforeValidator(read_horizon)]
"""Type of a parameter ``horizon``."""
TreeHorizonValue = Annotated[int | str, BeforeValidator(read_tree_horizon)]
"""Type of a parameter ``horizon`` of a planner that does not count turns."""


def plans_whole_game(game: Game) -> bool:
    """Whether lines can go to the end of the game as they stand: one player and no chance."""
    return game.players == 1 and not game.is_stochastic


def reach_of(game: Game, horizon: int | str, whole_game: bool) -> Reach:
    """How far lines go in a game.

    Args:
        game: The scenario.
        horizon: A horizon's text. A number n or "auto" means to the end of the game if ``whole_game``, else of the
            turn, and at most n actions.
        whole_game: What "auto" and numbers mean in this game.
    """
    if horizon == "auto" or isinstance(horizon, int):
        longest = _LONGEST_GAME if horizon == "auto" else int(horizon)
        return Reach(GAME, 0, longest) if whole_game else Reach(OWN_TURN, 0, min(longest, game.max_turn))
    kind, count = parse_horizon(horizon)
    capacity = {
        OWN_TURN: game.max_turn,
        ACTIONS: count,
        TURNS: min(count * game.max_turn, LONGEST),
        GAME: _LONGEST_GAME,
    }
    return Reach(kind, count, capacity[kind])


def line_reach(game: Game, horizon: int | str) -> Reach:
    """How far the lines of a search for whole lines go; by default, games of one player without chance are finished."""
    return reach_of(game, horizon, plans_whole_game(game))


@kernel
def begin_line(p: ProblemRecord, h: Horizon, state: Address) -> None:
    """Begin a line in a state."""
    h.actions, h.turns = 0, 0
    for i in range(h.assigned):
        h.actors[i] = h.given[i]
    begin_turn(p, h, state)


@kernel
def keep_progress(h: Horizon, progress: Ints) -> None:
    """Write what :func:`resume_line` needs to know of the present line: ended turns, and the assigned actors' numbers.

    Args:
        h: The horizon.
        progress: int64[1 + ``assigned``].
    """
    progress[0] = h.turns
    for i in range(h.assigned):
        progress[1 + i] = h.actors[i]


@kernel
def resume_line(p: ProblemRecord, h: Horizon, state: Address, actions: int, progress: Ints) -> None:
    """Return to a state of an earlier line.

    Args:
        p: The problem.
        h: The horizon, whose present line changes.
        state: Address of the state.
        actions: Own actions of the line up to this state.
        progress: int64[1 + ``assigned``], what :func:`keep_progress` wrote there.
    """
    h.actions, h.turns = actions, progress[0]
    for i in range(h.assigned):
        h.actors[i] = progress[1 + i]
    begin_turn(p, h, state)


@kernel
def begin_turn(p: ProblemRecord, h: Horizon, state: Address) -> None:
    """Note whose turn is in progress in a state of the present line."""
    if h.kind == TURNS:
        h.mover, h.number = to_move(p, state), turn(p, state)


@inlined
def goes_on(p: ProblemRecord, h: Horizon, state: Address) -> bool:
    """Whether the present line, which has led to a state, continues there."""
    if h.kind == OWN_TURN:
        return in_turn(p, state)
    if h.kind == ACTIONS and h.actions >= h.count:
        return False
    if h.kind == TURNS and h.turns >= h.count:
        return False
    return to_move(p, state) >= 0


@inlined
def mover_of(p: ProblemRecord, h: Horizon, state: Address) -> int:
    """Whose action comes next in a line that goes on."""
    if h.kind == OWN_TURN or p.players == 1:
        return p.mover
    return to_move(p, state)


@kernel
def follow_heirs(p: ProblemRecord, h: Horizon, state: Address, action: int) -> None:
    """Give the actors of all assignments the numbers that they have after an action, which is yet to be played."""
    for i in range(h.assigned):
        if h.actors[i] >= 0:
            h.actors[i] = heir(p, state, h.actors[i], action)


@inlined
def advance(p: ProblemRecord, h: Horizon, state: Address, action: int, player: int) -> None:
    """Play an action of the present line in place; those of other seats are counted apart.

    Args:
        p: The problem, whose counters advance.
        h: The horizon, whose present line advances.
        state: Address of the state, changed in place.
        action: A legal action.
        player: Who plays it.
    """
    if h.assigned != 0:
        follow_heirs(p, h, state, action)
    apply_as(p, state, action, player)
    if h.kind == ACTIONS:
        h.actions += 1 if player == p.mover else 0
    elif h.kind == TURNS:
        count_turns(p, h, state)


@inlined
def count_turns(p: ProblemRecord, h: Horizon, state: Address) -> None:
    """Note whether the present line's turn in progress has ended."""
    mover, number = to_move(p, state), turn(p, state)
    if mover != h.mover or number != h.number:
        h.turns += 1
        h.mover, h.number = mover, number
