"""Games to watch on the page: their selection and their packed form.

A game is one JSON object, gzipped and base64-encoded:

- ``parts``: the distinct pieces of its pictures (an SVG is cut before every ``<``);
- ``frames``: for each state, from the first to the last, the indices of its parts in order;
- ``steps``: for each action ``{"a": text, "p": player, "t": turn, "n": index of the note just before it, or -1}``;
- ``notes``: the planners' notes: plan, value, alternatives, cost, details;
- ``evaluation``, ``values``, ``metrics``: the curves (see :mod:`turnwise.report.trajectories`);
- ``rules``: the game's short rules with its codes, or "";
- ``turn``: what the numbers of turns count ("Turn", "Round"), and the first number;
- ``stopped``: why the recording ends early, or "";
- ``doubt``: how the recording contradicts the game's own actions, or "".

Consecutive pictures share nearly all their parts, so 600 boards of 25 kB take about 70 kB.
"""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Mapping, Sequence
from typing import Any

from turnwise.arena.match import contradiction
from turnwise.arena.records import GameRecord
from turnwise.arena.step_faults import StepChecks
from turnwise.core.errors import TurnwiseError, counted
from turnwise.core.finite import finite
from turnwise.core.game import Row
from turnwise.core.state import State
from turnwise.replay import Note
from turnwise.report.model import EmbeddedGame, Replays
from turnwise.report.trajectories import trajectories
from turnwise.report.words import pair_words, result_words, winner_words

LARGEST_TOTAL = 6_000_000
"""Largest number of characters of all games on a page together."""

MOST_STEPS = 20_000
"""Largest number of actions of an embedded game."""

_ALTERNATIVES = 12


def embed_replays(
    records: Mapping[str, Sequence[GameRecord]], max_replays: int = 20, largest_total: int = LARGEST_TOTAL
) -> Replays:
    """Choose games and pack them.

    Every pair of players gets the same number of games, give or take one; within a pair they are spread evenly over
    the numbers of the games, alternating between the seatings. Results do not influence the choice. If a tournament
    keeps the actions of only some games, the choice is among these. Games that cannot be replayed (other rules
    version, damaged, too long) are listed instead of shown.

    Args:
        records: Finished games by the title of their reading.
        max_replays: Largest number of games.
        largest_total: Largest number of characters in total; later rounds of the choice are dropped first.
    """
    total = sum(len(games) for games in records.values())
    records = {reading: [game for game in played if is_kept(game)] for reading, played in records.items()}
    kept = sum(len(games) for games in records.values())
    games: list[EmbeddedGame] = []
    skipped: list[tuple[str, str]] = []
    spent = 0
    for reading, record in choose(records, max_replays):
        try:
            game = embed(record, reading)
        except TurnwiseError as error:
            skipped.append((_title(record), str(error)))
            continue
        if spent + len(game.data) > largest_total:
            skipped.append((game.title, f"no room left in the {largest_total / 1e6:.3g} MB reserved for games"))
            continue
        spent += len(game.data)
        games.append(game)
    order = {pair: place for place, pair in enumerate(_pairs(records))}
    games.sort(key=lambda game: order[game.reading, game.pair])  # stable: within a pair in the order of choice
    rule = (
        f"This file contains at most {counted(max_replays, 'game')}: for every pair of players the same number, give "
        "or take one, spread evenly over the pair's games and seatings, regardless of their results."
    )
    if kept < total:
        rule += (
            f" The choice is among the {kept} of {counted(total, 'game')} whose actions were kept; for the others the "
            "results file has only results, as the tournament's setting 'replays' requires."
        )
    return Replays(tuple(games), total, rule, tuple(skipped))


def is_kept(record: GameRecord) -> bool:
    """Whether a record has the game's actions; a tournament may keep them for a few games only (``replays``)."""
    return bool(record.replay.steps) or record.turns <= 1


def choose(records: Mapping[str, Sequence[GameRecord]], number: int) -> list[tuple[str, GameRecord]]:
    """Make the fair selection that `embed_replays` describes: (reading, game), all pairs once before any pair twice."""
    pairs = _pairs(records)
    if not pairs or number < 1:
        return []
    if number < len(pairs):
        names = list(pairs)
        pairs = {names[i]: pairs[names[i]] for i in spread(len(names), number)}
    rounds = -(-number // len(pairs))
    queues = [(reading, _by_seating(games, rounds)) for (reading, _), games in pairs.items()]
    chosen = [(reading, queue[turn]) for turn in range(rounds) for reading, queue in queues if turn < len(queue)]
    return chosen[:number]


def _pairs(records: Mapping[str, Sequence[GameRecord]]) -> dict[tuple[str, str], list[GameRecord]]:
    """Games by (reading, pair), in the order of the tournament."""
    pairs: dict[tuple[str, str], list[GameRecord]] = {}
    for reading, games in records.items():
        for record in sorted(games, key=lambda record: (record.group, record.number, record.key)):
            pairs.setdefault((reading, pair_key(record)), []).append(record)
    return pairs


def spread(total: int, number: int) -> list[int]:
    """``number`` indices below ``total``, evenly spaced and in order; all of them if there are fewer."""
    number = min(total, number)
    return [(2 * i + 1) * total // (2 * number) for i in range(number)]


def _by_seating(games: Sequence[GameRecord], number: int) -> list[GameRecord]:
    """Evenly spaced games of each seating, alternating between the seatings."""
    seatings: dict[tuple[str, ...], list[GameRecord]] = {}
    for record in games:
        seatings.setdefault(tuple(seat.player for seat in record.seats), []).append(record)
    picked = [[games[i] for i in spread(len(games), number)] for games in seatings.values()]
    longest = max(len(queue) for queue in picked)
    return [queue[i] for i in range(longest) for queue in picked if i < len(queue)][:number]


def pair_key(record: GameRecord) -> str:
    """The players of a game, regardless of their seats."""
    return pair_words(sorted(seat.player for seat in record.seats))


def embed(record: GameRecord, reading: str = "") -> EmbeddedGame:
    """Replay a game, draw every state, and pack the result.

    Raises:
        TurnwiseError: The game is unknown, was recorded under other rules, is too long, or its actions were not kept.
    """
    steps = record.replay.steps
    if len(steps) > MOST_STEPS:
        raise TurnwiseError(f"{len(steps)} actions; a page takes games of up to {MOST_STEPS}")
    if not is_kept(record):
        raise TurnwiseError("its actions were not kept (the tournament keeps no replays)")
    packed = pack(record)
    text = json.dumps(packed, separators=(",", ":"), allow_nan=False, ensure_ascii=False)
    data = base64.b64encode(gzip.compress(text.encode(), 9, mtime=0)).decode("ascii")
    return EmbeddedGame(
        title=_title(record),
        pair=pair_key(record),
        reading=reading,
        players=tuple(seat.player for seat in record.seats),
        result=result_words(record),
        winner=winner_words(record),
        ending=str(record.ending),
        turns=record.turns,
        actions=len(packed["steps"]),
        data=data,
        doubt=packed["doubt"],
    )


def pack(record: GameRecord) -> dict[str, Any]:
    """Make the JSON object described in this module's docstring.

    Raises:
        TurnwiseError: Not even the first state can be restored.
    """
    replay = record.replay
    parts: dict[str, int] = {}
    frames: list[list[int]] = []
    steps: list[dict[str, Any]] = []
    notes: list[dict[str, Any]] = []

    shown: list[State] = []  # kept alive: a row of a game in plain Python is valid only as long as its State
    rows: list[Row] = []

    def draw(state: State, last_action: str | None) -> None:
        shown.append(state)
        rows.append(state.row)
        before, *tags = state.game.svg_of(rows, last_action).split("<")
        pieces = [before, *("<" + tag for tag in tags)] if before else ["<" + tag for tag in tags]
        frames.append([parts.setdefault(piece, len(parts)) for piece in pieces])

    states = replay.states()
    state = next(states)
    draw(state, None)
    stopped = fault = ""
    checks = StepChecks()
    for number, step in enumerate(replay.steps, 1):
        before = state
        try:
            state = next(states)
        except TurnwiseError as error:
            stopped = str(error)
            break
        wrong = "" if fault else checks.fault(step, before)
        fault = f"action {number}, {step.action!r}: {wrong}" if wrong else fault
        note = -1
        if step.note is not None:
            note = len(notes)
            notes.append(note_dict(step.note))
        steps.append({"a": step.action, "p": step.player, "t": before.turn, "n": note})
        draw(state, step.action)
    doubt = f"its actions cannot all be played ({stopped})" if stopped else fault or contradiction(record, state)
    return {
        "parts": list(parts),
        "frames": frames,
        "steps": steps,
        "notes": notes,
        **trajectories(shown),
        "rules": state.game.rules_text(),
        "turn": [state.game.turn_word.capitalize(), state.game.first_turn],
        "stopped": stopped,
        "doubt": f"Game {record.key or _title(record)}: {doubt}." if doubt else "",
    }


def note_dict(note: Note) -> dict[str, Any]:
    """A planner's note for the page; numbers that JSON cannot represent become null."""
    return {
        "plan": list(note.plan),
        "value": finite(note.value),
        "others": [[list(actions), finite(value)] for actions, value in note.alternatives[:_ALTERNATIVES]],
        "seconds": finite(note.seconds),
        "calls": note.forward_calls,
        "evaluations": note.evaluations,
        "iterations": note.iterations,
        "stopped": note.stopped_by,
        "details": {key: finite(value) for key, value in note.details.items()},
    }


def _title(record: GameRecord) -> str:
    if len(record.seats) == 1:
        return f"{record.seats[0].player}, {record.scenario or record.replay.game}"
    return f"{pair_words(seat.player for seat in record.seats)}, group {record.group + 1}"
