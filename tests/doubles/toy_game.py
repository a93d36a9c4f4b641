"""A small compiled game for the planners' tests: pieces on a line, several actions a turn, one to three players.

Each player has three pieces. A turn has ``points`` action points; stepping left or right costs one, striking the
weakest enemy next to the piece costs one, waiting costs one. With ``end="forced"`` the action END is listed only (and
alone) when no points are left; with ``end="free"`` it is always listed. Cells hold gems that the first piece to step
there takes. With ``chance`` a strike does 1 to 3 damage, else 2. The game ends after ``turns`` turns or when one player
is left.
"""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from turnwise.core.chance import draw, mix
from turnwise.core.errors import NotationError
from turnwise.core.game import Evaluation, Game, GameOptions
from turnwise.core.table import game_function
from turnwise.jit.kernel import kernel
from turnwise.jit.record import Address, Floats, Ints, Record, Word, Words

CELLS, PIECES = 12, 3
LEFT, RIGHT, STRIKE, WAIT, END = 0, 1, 2, 3, 99


class ToyState(Record):
    turn: int
    mover: int
    points: int
    over: int
    gems: int  # bit set of the cells that still hold one
    purse: Annotated[Ints, 3]
    cell: Annotated[Ints, 9]  # -1: gone
    health: Annotated[Ints, 9]


class ToySetup(Record):
    players: int
    points: int
    turns: int
    free_end: int
    chance: int
    wait_is_free: int


WORDS = ToyState.dtype.itemsize // 8


class ToyOptions(GameOptions):
    players: int = Field(default=2, ge=1, le=3)
    points: int = Field(default=3, ge=1, le=5000)
    turns: int = Field(default=8, ge=1, le=10**6)
    end: Literal["forced", "free"] = "forced"
    chance: bool = False
    survives: bool = True
    units: bool = False  # pieces are actors; else there are no actors
    wait_is_free: bool = False  # waiting changes nothing at all: an action without effect


@game_function("start")
def start(o: ToySetup, s: ToyState, rng: Address) -> None:
    s.turn, s.mover, s.points, s.over = 1, 0, o.points, 0
    s.gems = 0b001010110100
    for player in range(3):
        s.purse[player] = 0
        for k in range(PIECES):
            piece = player * PIECES + k
            s.cell[piece] = (0, 3, 5, 11, 8, 6, 2, 9, 4)[piece] if player < o.players else -1
            s.health[piece] = 4 - k if player < o.players else 0


@kernel
def target(s: ToyState, piece: int) -> int:
    """Weakest enemy within one cell, or -1."""
    best = -1
    for other in range(3 * PIECES):
        near = abs(s.cell[other] - s.cell[piece]) <= 1
        enemy = s.cell[other] >= 0 and other // PIECES != piece // PIECES
        if enemy and near and (best < 0 or s.health[other] < s.health[best]):
            best = other
    return best


@kernel
def accepts(s: ToyState, piece: int, verb: int) -> bool:
    if piece // PIECES != s.mover or s.cell[piece] < 0 or s.points == 0:
        return False
    if verb == LEFT:
        return s.cell[piece] > 0
    if verb == RIGHT:
        return s.cell[piece] < CELLS - 1
    return target(s, piece) >= 0 if verb == STRIKE else True


@game_function("is_legal")
def is_legal(o: ToySetup, s: ToyState, action: int) -> int:
    if s.over:
        return 0
    if action == END:
        return 1  # always accepted, but not always listed
    return 1 if 0 <= action < 12 * PIECES and accepts(s, action // 4, action % 4) else 0


@game_function("legal_actions")
def legal_actions(o: ToySetup, s: ToyState, out: Ints) -> int:
    n = 0
    for k in range(PIECES):
        for verb in range(4):
            if accepts(s, s.mover * PIECES + k, verb):
                out[n] = (s.mover * PIECES + k) * 4 + verb
                n += 1
    if n == 0 or o.free_end:
        out[n] = END
        n += 1
    return n


@kernel
def lives(s: ToyState, player: int) -> bool:
    first = player * PIECES
    return s.cell[first] >= 0 or s.cell[first + 1] >= 0 or s.cell[first + 2] >= 0


@kernel
def end_turn(o: ToySetup, s: ToyState) -> None:
    alive = 0
    for player in range(o.players):
        alive += lives(s, player)
    if s.turn >= o.turns or (o.players > 1 and alive == 1):
        s.over = 1
        return
    s.mover = (s.mover + 1) % o.players
    while not lives(s, s.mover):
        s.mover = (s.mover + 1) % o.players
    s.turn += 1
    s.points = o.points


@game_function("apply")
def apply(o: ToySetup, s: ToyState, action: int, rng: Address) -> None:
    if action == END:
        end_turn(o, s)
        return
    piece, verb = action // 4, action % 4
    if verb == WAIT and o.wait_is_free:
        return
    s.points -= 1
    if verb <= RIGHT:
        s.cell[piece] += 1 if verb == RIGHT else -1
        if (s.gems >> s.cell[piece]) & 1:
            s.gems -= 1 << s.cell[piece]
            s.purse[s.mover] += 1
    elif verb == STRIKE:
        other = target(s, piece)
        s.health[other] -= 1 + draw(rng, 3) if o.chance else 2
        if s.health[other] <= 0:
            s.cell[other], s.health[other] = -1, 0


@game_function("to_move")
def to_move(o: ToySetup, s: ToyState) -> int:
    return -1 if s.over else s.mover


@game_function("turn")
def turn(o: ToySetup, s: ToyState) -> int:
    return s.turn


@kernel
def worth(s: ToyState, player: int) -> float:
    total = 2.0 * s.purse[player]
    for k in range(PIECES):
        piece = player * PIECES + k
        if s.cell[piece] >= 0:
            total += 3.0 * s.health[piece] + 0.25 * (6.0 - abs(s.cell[piece] - 5.5))
    return total


@game_function("returns")
def returns(o: ToySetup, s: ToyState, out: Floats) -> None:
    for player in range(o.players):
        out[player] = worth(s, player)


@game_function("fingerprint")
def fingerprint(o: ToySetup, state: Words) -> Word:
    word = np.uint64(1)
    for i in range(WORDS):
        word = mix(word ^ state[i]) + np.uint64(i)
    return word


@game_function("prune")
def prune(o: ToySetup, s: ToyState, actions: Ints, n: int) -> int:
    kept = 0
    for i in range(n):
        action = actions[i]
        if action == END or action % 4 != WAIT or n == 1:
            actions[kept] = action
            kept += 1
    if kept == 0:
        kept = 1  # nothing but waiting: keep the first
    return kept


@game_function("survives")
def survives(o: ToySetup, s: ToyState, action: int) -> int:
    if action == END:
        return 1 if o.free_end or s.points == 0 else 0
    return 1 if action % 4 != WAIT and accepts(s, action // 4, action % 4) else 0


@game_function("action_score")
def action_score(o: ToySetup, s: ToyState, action: int) -> float:
    if action == END:
        return 0.0
    piece, verb = action // 4, action % 4
    if verb == STRIKE:
        return 10.0
    step = 1 if verb == RIGHT else -1
    if verb != WAIT and (s.gems >> (s.cell[piece] + step)) & 1:
        return 5.0
    return 1.0


@game_function("evaluation")
def advantage(o: ToySetup, root: ToyState, s: ToyState, player: int, parameters: Floats) -> float:
    others = 0.0
    for other in range(o.players):
        if other != player:
            others += worth(s, other)
    return worth(s, player) - (others / (o.players - 1) if o.players > 1 else 0.0)


@game_function("actor")
def actor(o: ToySetup, s: ToyState, action: int) -> int:
    return -1 if action == END else action // 4


@game_function("action_group")
def action_group(o: ToySetup, s: ToyState, action: int) -> int:
    if action == END:
        return 3
    return max(0, action % 4 - RIGHT)


@game_function("verb")
def verb(o: ToySetup, s: ToyState, action: int) -> int:
    return 4 if action == END else action % 4


@game_function("determinise")
def determinise(o: ToySetup, s: ToyState, player: int, rng: Address) -> None:
    draw(rng, 2)


class Toy(Game):
    name, title, rules_version, Options = "toy", "Toy", "1", ToyOptions

    def __init__(self, **options: ToyState) -> None:
        self.options: ToyOptions = self.read_options(**options)
        o = self.options
        self.players = o.players
        self.seats = tuple(f"player {i + 1}" for i in range(o.players))
        self.setup = np.array([o.players, o.points, o.turns, o.end == "free", o.chance, o.wait_is_free], np.uint64)
        self.state_words, self.max_actions, self.max_turn = WORDS, 16, o.points + 1
        self.is_stochastic = self.reveals_in_turn = o.chance
        self.default_evaluation = "advantage"
        self.action_groups = ("step", "strike", "wait", "end")
        self.end_action = END

    def functions(self):
        table = {
            f.python.__name__: f for f in (start, legal_actions, is_legal, apply, to_move, turn, returns, fingerprint)
        }
        table |= {f.python.__name__: f for f in (prune, action_score, action_group, verb, determinise)}
        table |= {"actor": actor} if self.options.units else {}
        return table | ({"survives": survives} if self.options.survives else {})

    def evaluations(self):
        return {"advantage": Evaluation(advantage, -60.0, 60.0, "worth less mean worth of the others")}

    def return_bounds(self):
        return -60.0, 60.0

    def action_text(self, row, action):
        if action != END and not 0 <= action < 12 * PIECES:
            raise NotationError(f"code {action:#x} is not an action of the toy game")
        return "end" if action == END else f"{action // 4}{('left', 'right', 'strike', 'wait')[action % 4]}"

    def parse_action(self, row, text):
        verbs = ("left", "right", "strike", "wait")
        if text == "end":
            return END
        if text[:1] not in set("012345678") or text[1:] not in verbs:
            raise NotationError(f"{text!r} is not an action of the toy game.")
        return 4 * int(text[0]) + verbs.index(text[1:])

    def state_dict(self, row):
        return {"row": [int(word) for word in row]}

    def state_row(self, data):
        try:
            return np.array(data["row"], np.uint64)
        except (LookupError, TypeError, ValueError, OverflowError) as error:
            raise NotationError(f"not a row: {error!r:.200}") from None


def solo(**options):
    """A single-player game, short by default."""
    return Toy(players=1, **{"points": 2, "turns": 3, **options})
