"""What a maximin search knows: outcomes of the own turn, the futures in which they are examined, and known replies."""

from __future__ import annotations

from typing import Annotated

from turnwise.jit.record import Address, Floats, Ints, Record, Records, Word, Words
from turnwise.search.beam.layers import BeamLayers
from turnwise.search.horizon import Horizon

NONE = -1
OWN, REPLY, NEXT = 0, 1, 2  # what a beam searches: distinct ends of an own turn, replies to it, or its best end
MOST_REPLIES = 64  # bits of the set of replies that a future has met


class TurnBeam(BeamLayers):
    """A beam over one turn: the own one, or the replies of the others up to the next own turn."""

    listed: Ints  # int64[max_actions], scratch
    part: int  # OWN, REPLY or NEXT
    number: int  # of the turn (OWN, NEXT)
    longest: int  # maximum number of actions in a line
    best_value: float  # of the best end of the turn for those who move
    best_parent: int  # its line: a node and the action after it
    best_action: int
    best_length: int  # 0: none yet
    best_progress: int  # of it (see turns.DRAWN)


class Outcome(Record):
    """A distinct end of the own turn, with the first line found that leads there."""

    key: Word  # of its state
    parent: int  # the line: a node of the own beam and the action after it
    action: int
    length: int
    drawn: int  # whether chance took part
    static: float  # value before any reply
    bound: float  # what it is worth at most: the mean over its futures (see Maximin.static); before it has any, static
    first: int  # its first future
    futures: int  # how many it has; 0: it has not been examined
    searches: int  # reply searches for it


class Future(Record):
    """A state after an own turn: in one of the worlds, with one sample of what chance adds."""

    world: int
    bound: float  # the lowest value after the replies tried so far
    level: int  # reply searches so far, each wider than the one before
    tested: Word  # bit set of the known replies that have been tried
    closed: int  # whether nobody replies


class WorldStart(Record):
    """A state that an own turn may begin in."""

    start: Address
    root: Address  # the state that evaluations compare with
    weight: int


class Maximin(Record):
    """A maximin search over one own turn and the replies to it."""

    unset = ("outcomes", "futures", "rows", "replies")
    scattered = ("known",)

    own: Annotated[Records[TurnBeam], 1]
    reply: Annotated[Records[TurnBeam], 1]
    # Outcomes:
    outcomes: Records[Outcome]  # [room]
    keys: Floats  # float64[room]: heap, while outcomes are collected of values, then of negative bounds
    order: Ints  # int64[room]: the outcomes in it
    count: int
    waiting: int  # outcomes in the heap
    room: int
    known: Words  # uint64[known_mask + 1]: keys of outcomes
    known_mask: int
    known_used: int
    streams: int  # searches of the same turn, which divide the outcomes by their keys
    stream: int  # which one this is: it has the keys with this remainder
    # Futures:
    worlds: Records[WorldStart]  # [world_count]
    world_count: int
    samples: int  # of a turn or reply in which chance takes part
    futures: Records[Future]  # [future_room]
    rows: Address  # uint64[future_room, state_words]
    future_count: int
    future_room: int
    work: Address  # row, scratch
    spare: Address  # row, scratch of rollouts
    line: Ints  # int64[longest line], scratch
    listed: Ints  # int64[max_actions], scratch
    # Known replies:
    replies: Ints  # int64[MOST_REPLIES, reply_room]
    lengths: Annotated[Ints, 64]
    free: Annotated[Words, 64]  # bit sets of the opponents whose actions they are; the others play the best-scored ones
    hits: Annotated[Floats, 64]  # how useful they have been lately
    reply_count: int
    reply_room: int
    pooling: int  # whether replies to one outcome are tried against others
    replying: int  # whether anyone replies at all
    most_free: int  # opponents who reply together with what is worst; the others play best-scored actions
    first_width: int  # of the first reply search for a future
    growth: int  # of the width from one to the next
    levels: int  # most reply searches for a future, at present
    most_levels: int  # the same in the whole search: wider beams have no room
    static: float  # weight of the value before replies in a bound
    rollouts: int  # whether a rollout rates the ends of own turns and of replies
    rollout: Annotated[Records[Horizon], 1]  # how far it goes
    greedy_probability: float  # of its built-in policy
    ahead: int  # own turns between the root and this one
    # What happened:
    tests: int  # known replies tried
    examined: int  # outcomes with futures
    reply_searches: int
    deepest: int  # reply searches of the future that had most


class Comparison(Record):
    """A comparison of the best outcomes by what follows their worst replies."""

    now: Annotated[Records[Maximin], 1]  # the own turn
    next: Annotated[Records[Maximin], 1]  # the own next turn, with refutations of its own
    best: Ints  # int64[most_halved]: the outcomes that are compared, highest bound first, after halving highest worth
    best_count: int
    most_best: int
    worth: Floats  # float64[most_halved]: their values in the last comparison
    halved: int  # outcomes of which the better half stays after a comparison; 0: all stay
    most_halved: int  # at least most_best
    plies: int  # turns looked ahead, at most: 3: the own next turn, 4: the replies to it, too
    widest: int  # largest width of a beam over the own next turn
    further: float  # weight of the value that is found so
    values: Annotated[Floats, 64]  # after each known reply, scratch
    after: Address  # row, scratch
    width: int  # the next comparison: width of the beams over the own next turn
    replies: int  # replies to each outcome
    deeper: int  # beams over replies to the own next turn
    answer: int  # the outcome that is played; NONE: the budget ran out before one was settled
    value: float  # its value in the last comparison
    compared: int  # comparisons, each more thorough than the one before
    deep: int  # of them with replies to the own next turn
