"""A small compiled game with the whole contract: 2 to 4 players, units known by their squares, fog, and rare chance.

The board has 7 rows of 8 squares. Scouts (2 health, 3 action points, 1 damage) and fighters (4, 2, 2) step, strike
and turn around. Striking a fighter costs the striker 1 health, so a unit can die by its own action. The first unit on
a ruin gains 1 health. A turn ends only by the action "end", and a player without units drops out. With ``unbounded``,
steps and turning around are free, so a turn can have any length; otherwise every action costs a point. Every
``chance_every``-th action of a unit draws: a strike its damage, any other action whether the unit gets tired. With
``fog`` a player sees what is within 2 squares of its own units; a view counts the units that it hides, and ruins are
unknown until seen.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from turnwise.core.chance import draw, mix
from turnwise.core.errors import NotationError
from turnwise.core.game import Evaluation, Game, GameOptions
from turnwise.core.script import Script
from turnwise.core.table import ALL, NOTHING, game_function
from turnwise.jit.kernel import kernel
from turnwise.jit.memory import address_of_record, copy_words
from turnwise.jit.record import Address, Floats, Floats32, Ints, Ints8, Record, Word, Words

WIDTH, HEIGHT, SQUARES = 8, 7, 56
SIGHT, MOST_HEALTH, FAR = 2, 5, 13
SCOUT, FIGHTER = 0, 1
EMPTY, RUIN, UNKNOWN = 0, 1, 2  # ground
TURN, STRIKE = 4, 5  # verbs: 0 to 3 step north, east, south, west; 5 to 8 strike there
VERBS = (
    *("north", "east", "south", "west", "turn"),
    *("strike-north", "strike-east", "strike-south", "strike-west"),
)
END = 16 * SQUARES  # an action is 16 * square + verb, or END
RUINS = (19, 20, 25, 30, 35, 36)
PLAYERS, MOST_UNITS = 4, 6


class SkirmishState(Record):
    turn: int
    mover: int
    over: int
    fuse: int  # actions of units since the last draw
    hidden: Annotated[Ints, 8]  # units that a view has removed, at 2 * owner + kind
    owner: Annotated[Ints8, 56]  # -1: nothing stands here, and the next four fields are 0
    kind: Annotated[Ints8, 56]
    health: Annotated[Ints8, 56]
    points: Annotated[Ints8, 56]  # action points left; 0 unless the owner is to move
    facing: Annotated[Ints8, 56]
    ground: Annotated[Ints8, 56]
    explored: Annotated[Ints8, 56]  # bit set of the players that have seen the square


class SkirmishSetup(Record):
    players: int
    units: int
    turns: int
    unbounded: int
    chance_every: int
    fog: int


class SkirmishOptions(GameOptions):
    players: int = Field(default=3, ge=2, le=PLAYERS)
    units: int = Field(default=4, ge=1, le=MOST_UNITS)
    turns: int = Field(default=40, ge=1, le=10**6)
    unbounded: bool = True
    chance_every: int = Field(default=0, ge=0)
    fog: bool = False
    max_turn: int = Field(default=60, ge=1)


WORDS = SkirmishState.dtype.itemsize // 8


# ------------------------------------------------------------------------------------------------------- the board


@kernel
def next_to(square: int, direction: int) -> int:
    """The next square to the north, east, south or west; -1 outside the board."""
    x = square % WIDTH + (0, 1, 0, -1)[direction]
    y = square // WIDTH + (-1, 0, 1, 0)[direction]
    return y * WIDTH + x if 0 <= x < WIDTH and 0 <= y < HEIGHT else -1


@kernel
def distance(one: int, other: int) -> int:
    return abs(one % WIDTH - other % WIDTH) + abs(one // WIDTH - other // WIDTH)


@kernel
def is_near(one: int, other: int) -> bool:
    return max(abs(one % WIDTH - other % WIDTH), abs(one // WIDTH - other // WIDTH)) <= SIGHT


@kernel
def sees(g: SkirmishSetup, s: SkirmishState, player: int, square: int) -> bool:
    if g.fog == 0:
        return True
    for k in range(SQUARES):  # noqa: SIM110 - kernels have no generators
        if s.owner[k] == player and is_near(k, square):
            return True
    return False


@kernel
def closest_enemy(s: SkirmishState, player: int, square: int) -> int:
    """Distance to the closest enemy of a player; FAR: there is none."""
    best = FAR
    for k in range(SQUARES):
        if s.owner[k] >= 0 and s.owner[k] != player:
            best = min(best, distance(k, square))
    return best


@kernel
def units_of(s: SkirmishState, player: int) -> int:
    count = s.hidden[2 * player] + s.hidden[2 * player + 1]
    for k in range(SQUARES):
        count += s.owner[k] == player
    return count


@kernel
def place(g: SkirmishSetup, s: SkirmishState, square: int, player: int, kind: int) -> None:
    s.owner[square], s.kind[square], s.health[square], s.facing[square] = player, kind, 2 + 2 * kind, 0
    s.points[square] = 3 - kind if player == s.mover else 0


@kernel
def clear(s: SkirmishState, square: int) -> None:
    s.owner[square], s.kind[square], s.health[square], s.points[square], s.facing[square] = -1, 0, 0, 0, 0


@kernel
def explore(g: SkirmishSetup, s: SkirmishState, player: int, square: int) -> None:
    for k in range(SQUARES):
        if g.fog != 0 and is_near(k, square):
            s.explored[k] |= 1 << player


# ------------------------------------------------------------------------------------------------------- the rules


@game_function("start")
def start(g: SkirmishSetup, s: SkirmishState, rng: Address) -> None:
    s.turn, s.mover, s.over, s.fuse = 1, 0, 0, 0
    for k in range(2 * PLAYERS):
        s.hidden[k] = 0
    for k in range(SQUARES):
        clear(s, k)
        s.ground[k], s.explored[k] = EMPTY, 0
    for k in range(len(RUINS)):
        s.ground[RUINS[k]] = RUIN
    for player in range(g.players):
        right, bottom = (0, 1, 1, 0)[player], (0, 1, 0, 1)[player]
        for k in range(g.units):
            x, y = k % 3, k // 3
            square = (HEIGHT - 1 - y if bottom else y) * WIDTH + (WIDTH - 1 - x if right else x)
            place(g, s, square, player, k % 2)
            explore(g, s, player, square)


@kernel
def accepts(g: SkirmishSetup, s: SkirmishState, square: int, verb: int) -> bool:
    if s.over != 0 or s.owner[square] != s.mover:
        return False
    if s.points[square] == 0 and (g.unbounded == 0 or verb >= STRIKE):
        return False
    if verb == TURN:
        return True
    to = next_to(square, verb if verb < TURN else verb - STRIKE)
    if to < 0:
        return False
    return s.owner[to] < 0 if verb < TURN else (s.owner[to] >= 0 and s.owner[to] != s.mover)


@kernel
def list_of(g: SkirmishSetup, s: SkirmishState, square: int, out: Ints, n: int) -> int:
    """Add the actions of the unit on a square to a list of n actions."""
    for verb in range(len(VERBS)):
        if accepts(g, s, square, verb):
            out[n] = 16 * square + verb
            n += 1
    return n


@kernel
def list_all(g: SkirmishSetup, s: SkirmishState, out: Ints) -> int:
    n = 0
    for square in range(SQUARES):
        if s.owner[square] == s.mover:
            n = list_of(g, s, square, out, n)
    out[n] = END
    return n + 1


@game_function("legal_actions")
def legal_actions(g: SkirmishSetup, s: SkirmishState, out: Ints) -> int:
    return list_all(g, s, out)


@kernel
def allowed(g: SkirmishSetup, s: SkirmishState, action: int) -> bool:
    if action == END:
        return s.over == 0
    return 0 <= action < END and action % 16 < len(VERBS) and accepts(g, s, action // 16, action % 16)


@game_function("is_legal")
def is_legal(g: SkirmishSetup, s: SkirmishState, action: int) -> int:
    return 1 if allowed(g, s, action) else 0


@kernel
def end_turn(g: SkirmishSetup, s: SkirmishState) -> None:
    for k in range(SQUARES):
        s.points[k] = 0
    s.turn += 1
    s.mover = (s.mover + 1) % g.players
    while units_of(s, s.mover) == 0:
        s.mover = (s.mover + 1) % g.players
    for k in range(SQUARES):
        if s.owner[k] == s.mover:
            s.points[k] = 3 - s.kind[k]
    if s.turn > g.turns:
        s.over = 1


@kernel
def step(g: SkirmishSetup, s: SkirmishState, square: int, to: int) -> None:
    s.owner[to], s.kind[to], s.health[to] = s.owner[square], s.kind[square], s.health[square]
    s.points[to], s.facing[to] = s.points[square], s.facing[square]
    clear(s, square)
    if s.ground[to] == RUIN:
        s.ground[to] = EMPTY
        s.health[to] = min(MOST_HEALTH, s.health[to] + 1)
    explore(g, s, s.mover, to)


@kernel
def strike(g: SkirmishSetup, s: SkirmishState, square: int, to: int, damage: int) -> None:
    s.points[square] -= 1
    s.health[to] -= damage
    if s.kind[to] == FIGHTER:
        s.health[square] -= 1
    if s.health[to] <= 0:
        clear(s, to)
    if s.health[square] <= 0:
        clear(s, square)
    left = 0
    for player in range(g.players):
        left += units_of(s, player) > 0
    if left <= 1:
        s.over = 1


@game_function("apply")
def apply(g: SkirmishSetup, s: SkirmishState, action: int, rng: Address) -> None:
    if action == END:
        end_turn(g, s)
        return
    square, verb, draws = action // 16, action % 16, False
    if g.chance_every > 0:
        s.fuse = (s.fuse + 1) % g.chance_every
        draws = s.fuse == 0
    if verb >= STRIKE:
        strike(g, s, square, next_to(square, verb - STRIKE), 1 + draw(rng, 3) if draws else 1 + s.kind[square])
        return
    if g.unbounded == 0:
        s.points[square] -= 1
    if draws and draw(rng, 4) == 0:
        s.points[square] = 0
    if verb == TURN:
        s.facing[square] = 1 - s.facing[square]
    else:
        step(g, s, square, next_to(square, verb))


@game_function("to_move")
def to_move(g: SkirmishSetup, s: SkirmishState) -> int:
    return s.mover if s.over == 0 else -1


@game_function("turn")
def turn(g: SkirmishSetup, s: SkirmishState) -> int:
    return s.turn


@game_function("returns")
def returns(g: SkirmishSetup, s: SkirmishState, out: Floats) -> None:
    """1 for the last player with units and -1 for the others; 0 for all while several are left, or none."""
    left = 0
    for player in range(g.players):
        left += units_of(s, player) > 0
    for player in range(g.players):
        out[player] = 0.0 if left != 1 else (1.0 if units_of(s, player) > 0 else -1.0)


@game_function("fingerprint")
def fingerprint(g: SkirmishSetup, state: Words) -> Word:
    word = np.uint64(1)
    for i in range(WORDS):
        word = mix(word ^ state[i]) + np.uint64(i)
    return word


# ---------------------------------------------------------------------------------------------- actions and actors


@game_function("prune")
def prune(g: SkirmishSetup, s: SkirmishState, actions: Ints, n: int) -> int:
    """Drop turning around; "end" is always left."""
    kept = 0
    for i in range(n):
        if actions[i] == END or actions[i] % 16 != TURN:
            actions[kept] = actions[i]
            kept += 1
    return max(kept, 1)


@game_function("action_score")
def action_score(g: SkirmishSetup, s: SkirmishState, action: int) -> float:
    if action == END:
        return 1.0
    square, verb = action // 16, action % 16
    if verb >= STRIKE:
        return 10.0 - s.health[next_to(square, verb - STRIKE)]
    if verb == TURN:
        return 0.0
    return 3.0 if s.ground[next_to(square, verb)] == RUIN else 0.5


@game_function("actor")
def actor(g: SkirmishSetup, s: SkirmishState, action: int) -> int:
    return -1 if action == END else action // 16


@game_function("actors")
def actors(g: SkirmishSetup, s: SkirmishState, player: int, out: Ints) -> int:
    n = 0
    for k in range(SQUARES):
        if s.owner[k] == player:
            out[n] = k
            n += 1
    return n


@game_function("actor_kind")
def actor_kind(g: SkirmishSetup, s: SkirmishState, actor: int) -> int:
    return s.kind[actor]


@game_function("actor_actions")
def actor_actions(g: SkirmishSetup, s: SkirmishState, actor: int, out: Ints) -> int:
    return list_of(g, s, actor, out, 0)


@game_function("heir")
def heir(g: SkirmishSetup, s: SkirmishState, actor: int, action: int) -> int:
    """Where a strike draws its damage, its target is taken to survive."""
    if action == END:
        return actor
    square, verb = action // 16, action % 16
    if verb < TURN:
        return next_to(square, verb) if actor == square else actor
    if verb >= STRIKE:
        to = next_to(square, verb - STRIKE)
        draws = g.chance_every > 0 and (s.fuse + 1) % g.chance_every == 0
        if actor == to and not draws and s.health[to] <= 1 + s.kind[square]:
            return -1
        if actor == square and s.kind[to] == FIGHTER and s.health[square] <= 1:
            return -1
    return actor


@game_function("index")
def index(g: SkirmishSetup, s: SkirmishState, action: int) -> int:
    return len(VERBS) * SQUARES if action == END else len(VERBS) * (action // 16) + action % 16


@game_function("neighbour_action")
def neighbour_action(g: SkirmishSetup, s: SkirmishState, action: int, rng: Address) -> int:
    """An action of the same unit, if it has any."""
    if action != END:
        n = 0
        for verb in range(len(VERBS)):
            n += accepts(g, s, action // 16, verb)
        rest = draw(rng, n) if n > 0 else -1
        for verb in range(len(VERBS)):
            if accepts(g, s, action // 16, verb):
                if rest == 0:
                    return 16 * (action // 16) + verb
                rest -= 1
    return END


@game_function("policy")
def policy(g: SkirmishSetup, s: SkirmishState, index: int, parameters: Floats, rng: Address, scratch: Ints) -> int:
    """``fierce`` (0): one of the strikes, if there are any; ``calm`` (1): any action, uniformly."""
    n = list_all(g, s, scratch)
    strikes = 0
    for i in range(n - 1):
        if index == 0 and scratch[i] % 16 >= STRIKE:
            scratch[strikes] = scratch[i]
            strikes += 1
    return scratch[draw(rng, strikes if strikes > 0 else n)]


# --------------------------------------------------------------------------------------------------------- scripts

WEAKEST, CLOSEST, AWAY = 0, 1, 2


@kernel
def merit(s: SkirmishState, action: int, rule: int) -> int:
    """How well an action follows a rule; not above 0: it does not."""
    if action == END or action % 16 == TURN:
        return 0
    square, verb = action // 16, action % 16
    if verb >= STRIKE:
        return 0 if rule == AWAY else 100 - (s.health[next_to(square, verb - STRIKE)] if rule == WEAKEST else 0)
    gain = closest_enemy(s, s.mover, square) - closest_enemy(s, s.mover, next_to(square, verb))
    return 0 if rule == WEAKEST else (gain if rule == CLOSEST else -gain)


@kernel
def follow(g: SkirmishSetup, s: SkirmishState, actor: int, rule: int, scratch: Ints) -> int:
    """The action that follows a rule best, the first of equals; NOTHING if none does."""
    n = list_all(g, s, scratch) if actor == ALL else list_of(g, s, actor, scratch, 0)
    best, found = 0, NOTHING
    for i in range(n):
        value = merit(s, scratch[i], rule)
        if value > best:
            best, found = value, scratch[i]
    return found


@game_function("script")
def attack_weakest(
    g: SkirmishSetup, s: SkirmishState, actor: int, parameters: Floats, rng: Address, scratch: Ints
) -> int:
    return follow(g, s, actor, WEAKEST, scratch)


@game_function("script")
def attack_closest(
    g: SkirmishSetup, s: SkirmishState, actor: int, parameters: Floats, rng: Address, scratch: Ints
) -> int:
    return follow(g, s, actor, CLOSEST, scratch)


@game_function("script")
def run_away(g: SkirmishSetup, s: SkirmishState, actor: int, parameters: Floats, rng: Address, scratch: Ints) -> int:
    return follow(g, s, actor, AWAY, scratch)


@game_function("script")
def at_random(g: SkirmishSetup, s: SkirmishState, actor: int, parameters: Floats, rng: Address, scratch: Ints) -> int:
    n = list_all(g, s, scratch) if actor == ALL else list_of(g, s, actor, scratch, 0)
    return scratch[draw(rng, n)] if n > 0 else NOTHING


@game_function("script")
def nothing(g: SkirmishSetup, s: SkirmishState, actor: int, parameters: Floats, rng: Address, scratch: Ints) -> int:
    return NOTHING


# ------------------------------------------------------------------------------------------------ hidden information


@game_function("view")
def view(g: SkirmishSetup, s: SkirmishState, player: int, out: SkirmishState) -> None:
    copy_words(address_of_record(out), address_of_record(s), WORDS)
    if g.fog == 0:
        return
    for k in range(SQUARES):
        seen = sees(g, s, player, k)
        if not seen and s.owner[k] >= 0:
            out.hidden[2 * s.owner[k] + s.kind[k]] += 1
            clear(out, k)
        out.explored[k] = s.explored[k] & (1 << player)
        if not seen and out.explored[k] == 0:
            out.ground[k] = UNKNOWN


@game_function("determinise")
def determinise(g: SkirmishSetup, s: SkirmishState, player: int, rng: Address) -> None:
    """Hidden units stand, fresh, on free squares that the player does not see; unknown ground is a ruin in one of 8."""
    for slot in range(2 * PLAYERS):
        while s.hidden[slot] > 0:
            free = 0
            for k in range(SQUARES):
                free += s.owner[k] < 0 and not sees(g, s, player, k)
            rest = draw(rng, free)
            for k in range(SQUARES):
                if s.owner[k] < 0 and not sees(g, s, player, k):
                    if rest == 0:
                        place(g, s, k, slot // 2, slot % 2)
                    rest -= 1
            s.hidden[slot] -= 1
    for k in range(SQUARES):
        if s.ground[k] == UNKNOWN:
            s.ground[k] = RUIN if draw(rng, 8) == 0 else EMPTY


@game_function("news")
def news(g: SkirmishSetup, expected: SkirmishState, seen: SkirmishState, player: int) -> int:
    """An enemy has appeared or vanished in sight, or an own unit differs."""
    for k in range(SQUARES):
        if expected.owner[k] != seen.owner[k]:
            if expected.owner[k] == player or sees(g, seen, player, k):
                return 1
        elif seen.owner[k] == player and (
            expected.kind[k] != seen.kind[k]
            or expected.health[k] != seen.health[k]
            or expected.points[k] != seen.points[k]
            or expected.facing[k] != seen.facing[k]
        ):
            return 1
    return 0


@game_function("features")
def features(g: SkirmishSetup, s: SkirmishState, player: int, out: Floats32) -> None:
    """Planes: health of own units, their points, health of enemies in sight, ground."""
    for k in range(SQUARES):
        seen = sees(g, s, player, k)
        own = s.owner[k] == player
        known = seen or (s.explored[k] >> player) & 1
        out[k] = s.health[k] if own else 0
        out[SQUARES + k] = s.points[k] if own else 0
        out[2 * SQUARES + k] = s.health[k] if seen and not own else 0
        out[3 * SQUARES + k] = s.ground[k] if known else UNKNOWN


# ------------------------------------------------------------------------------------------------------- evaluation


@kernel
def material(s: SkirmishState, player: int) -> float:
    """Health of a player's units and 2 for each fighter; hidden units count as fresh."""
    total = 2.0 * s.hidden[2 * player] + 6.0 * s.hidden[2 * player + 1]
    for k in range(SQUARES):
        if s.owner[k] == player:
            total += s.health[k] + 2.0 * s.kind[k]
    return total


@kernel
def advantage(g: SkirmishSetup, s: SkirmishState, player: int) -> float:
    others = 0.0
    for other in range(g.players):
        if other != player:
            others += material(s, other)
    return material(s, player) - others / (g.players - 1)


@game_function("evaluation")
def material_of(g: SkirmishSetup, root: Address, s: SkirmishState, player: int, parameters: Floats) -> float:
    return advantage(g, s, player)


@game_function("evaluation_of_all")
def material_of_all(g: SkirmishSetup, root: Address, s: SkirmishState, out: Floats, parameters: Floats) -> None:
    for player in range(g.players):
        out[player] = advantage(g, s, player)


@game_function("evaluation")
def distance_of(g: SkirmishSetup, root: Address, s: SkirmishState, player: int, parameters: Floats) -> float:
    """Closeness to the enemy, mean over the player's units in sight, times the parameter."""
    total, units = 0.0, 0
    for k in range(SQUARES):
        if s.owner[k] == player:
            total += FAR - closest_enemy(s, player, k)
            units += 1
    return parameters[0] * total / units if units > 0 else 0.0


@game_function("metrics")
def metrics(g: SkirmishSetup, s: SkirmishState, player: int, out: Floats) -> None:
    out[0], out[1] = units_of(s, player), material(s, player)


# --------------------------------------------------------------------------------------------------------- the game

SCRIPTS = {
    "attack-weakest": Script(attack_weakest, "strike the weakest enemy in reach"),
    "attack-closest": Script(attack_closest, "strike an enemy, or step towards the closest one"),
    "run-away": Script(run_away, "step away from the closest enemy"),
    "random": Script(at_random, "any action, uniformly"),
    "nothing": Script(nothing, "no action"),
}
_FUNCTIONS = (
    *(start, legal_actions, is_legal, apply, to_move, turn, returns, fingerprint),
    *(prune, action_score, actor, actors, actor_kind, actor_actions, heir, index, neighbour_action, policy),
    *(view, determinise, news, features, metrics),
)


def square_text(square: int) -> str:
    return "abcdefgh"[square % WIDTH] + str(square // WIDTH + 1)


def read_action(text: str) -> tuple[int, str]:
    """Square and verb of an action's text; -1 and "end".

    Raises:
        NotationError: The text is not an action.
    """
    square, _, verb = text.partition("-")
    if text == "end":
        return -1, text
    if len(square) != 2 or square[0] not in "abcdefgh" or square[1] not in "1234567" or verb not in VERBS:
        raise NotationError(f"{text!r} is not an action of skirmish; expected 'end' or, for example, 'c3-north'.")
    return (int(square[1]) - 1) * WIDTH + "abcdefgh".index(square[0]), verb


def board_text(state: Mapping[str, Any]) -> str:
    """The board of a state's JSON form: kind and owner of each unit."""
    units = zip(state["ground"], state["owner"], state["kind"], strict=True)
    shown = [" " + ".*?"[ground] if owner < 0 else f"{'sf'[kind]}{owner + 1}" for ground, owner, kind in units]
    rows = [" ".join(shown[k : k + WIDTH]) for k in range(0, SQUARES, WIDTH)]
    return "\n".join([f"turn {state['turn']}, player {state['mover'] + 1}", *rows])


def checked_fields(data: Mapping[str, Any], players: int) -> dict[str, NDArray[np.int64]]:
    """The fields of a state's JSON form.

    Raises:
        NotationError: They are not those of a state.
    """
    ranges = {"turn": (1, 2**40), "mover": (0, players - 1), "over": (0, 1), "fuse": (0, 2**40)}
    ranges |= {"hidden": (0, MOST_UNITS), "owner": (-1, players - 1), "kind": (0, 1), "health": (0, MOST_HEALTH)}
    ranges |= {"points": (0, 3), "facing": (0, 1), "ground": (0, 2), "explored": (0, 2**PLAYERS - 1)}
    if set(data) != set(ranges):
        raise NotationError(f"Not a state of skirmish: expected the fields {sorted(ranges)}, got {sorted(data)}.")
    fields = {name: np.asarray(value) for name, value in data.items()}
    for name, (low, high) in ranges.items():
        values, shape = fields[name], SkirmishState.dtype[name].shape
        if values.shape != shape or values.dtype != np.int64 or values.min() < low or values.max() > high:
            raise NotationError(f"Not a state of skirmish: expected {name!r} {shape} from {low} to {high}.")
    if any(fields[name][fields["owner"] < 0].any() for name in ("kind", "health", "points", "facing")):
        raise NotationError("Not a state of skirmish: expected zeros where nothing stands.")
    return fields


class Skirmish(Game):
    name, title, rules_version, Options = "skirmish", "Skirmish", "1", SkirmishOptions
    completion = "end"
    end_action = END
    policies = ("fierce", "calm")
    metrics = ("units", "material")
    default_evaluation = "material"
    indices = len(VERBS) * SQUARES + 1
    feature_shape = (4, HEIGHT, WIDTH)

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        o: SkirmishOptions = self.options
        self.players, self.max_turn = o.players, o.max_turn
        self.setup = np.array([o.players, o.units, o.turns, o.unbounded, o.chance_every, o.fog], np.uint64)
        self.state_words, self.max_actions = WORDS, 5 * o.units + 1
        self.scratch_words = self.script_words = self.max_actions
        self.is_stochastic = o.chance_every > 0
        self.reveals_in_turn = self.is_stochastic or o.fog

    def functions(self):
        table = {function.python.__name__: function for function in _FUNCTIONS}
        if not self.options.fog:
            del table["view"], table["determinise"]
        return table

    def evaluations(self):
        most = float((MOST_HEALTH + 2) * self.options.units)
        text = "own material less mean material of the others"
        return {
            "material": Evaluation(material_of, -most, most, text, for_all=material_of_all),
            "distance": Evaluation(distance_of, 0.0, 100.0 * FAR, "closeness to the enemy", (100.0,)),
        }

    def scripts(self):
        return SCRIPTS

    def action_text(self, row, action):
        if action == END:
            return "end"
        if not 0 <= action < END or action % 16 >= len(VERBS):
            raise NotationError(f"code {action:#x} is not an action of skirmish")
        return f"{square_text(action // 16)}-{VERBS[action % 16]}"

    def parse_action(self, row, text):
        square, verb = read_action(text)
        return END if verb == "end" else 16 * square + VERBS.index(verb)

    def state_dict(self, row):
        state = np.frombuffer(row.tobytes(), SkirmishState.dtype)[0]
        return {field: state[field].tolist() for field in SkirmishState.fields}

    def state_row(self, data):
        state = np.zeros(1, SkirmishState.dtype)
        for field, values in checked_fields(data, self.players).items():
            state[field] = values
        return np.frombuffer(state.tobytes(), np.uint64).copy()

    def board_text(self, row):
        return board_text(self.state_dict(row))
