"""A page on one recorded game: scenario, players, result, and the game itself to watch."""

from __future__ import annotations

import dataclasses

from turnwise.arena.match import award, ended
from turnwise.arena.records import Ending, GameRecord, SeatRecord
from turnwise.arena.solving.solution import reached, record_of
from turnwise.core.errors import DamagedFileError, counted
from turnwise.core.game import Game
from turnwise.core.state import State
from turnwise.replay import Replay
from turnwise.report.facts import environment_facts
from turnwise.report.model import Fact, Replays, ReportData
from turnwise.report.replays import embed
from turnwise.report.words import reached_words, scenario_words


def from_replay(replay: Replay, title: str = "") -> ReportData:
    """Make a page on one game.

    Args:
        replay: The game.
        title: Headline; default: the game's title with its players, or with the result of a single player.

    Raises:
        TurnwiseError: The game is unknown, was recorded under other rules, is damaged or is too long.
    """
    state: State | None = None
    for state in replay.states():  # noqa: B007 - the last state is needed
        pass
    assert state is not None
    game = state.game
    record = record_of(replay, state) if game.players == 1 else _record(replay, state)
    shown = embed(record)
    if not state.is_over and not replay.result:
        shown = dataclasses.replace(shown, result="not played to its end")
    note = next((step.note for step in replay.steps if step.note is not None), None)
    facts = [
        Fact("Scenario", game.spec, code=True),
        *(Fact(_label(game, seat), name, code=True) for seat, name in enumerate(replay.players)),
        Fact("Result", shown.result),
        Fact("Length", counted(len(replay.steps), "action")),
    ]
    if note is not None and game.players == 1 and sum(step.note is not None for step in replay.steps) == 1:
        facts.append(Fact("Search", f"{note.seconds:.1f} s, {counted(note.iterations, 'iteration', ',')}"))
    return ReportData(
        title=title or _headline(replay, state, record),
        readings=(),
        facts=(*facts, *environment_facts([record])),
        replays=Replays((shown,), 1, ""),
    )


def _headline(replay: Replay, end: State, record: GameRecord) -> str:
    """Game and players; for a single-player game its options, the result and the planner."""
    game, players = end.game, ", ".join(replay.players)
    if game.players > 1:
        return f"{game.title}: {players or 'a game'}"
    result = reached_words(game, *reached(record), record.seats[0].result)
    rest = "" if end.is_over else ", not played to its end"
    return f"{scenario_words(game)}: {result}{rest}{f' by {players}' if players else ''}"


def _label(game: Game, seat: int) -> str:
    return "Planner" if game.players == 1 else game.seat_name(seat).capitalize()


def _record(replay: Replay, end: State) -> GameRecord:
    """Convert the replay of a game of several players to a record."""
    count = end.game.players
    names = replay.players or tuple(end.game.seat_name(seat) for seat in range(count))
    if len(names) != count:
        raise DamagedFileError(f"This replay names {counted(len(names), 'player')}; {end.game.spec} has {count}.")
    try:
        ending = Ending(replay.result)
    except ValueError:
        ending = ended(end).ending if end.is_over else Ending.ABANDONED
    returns = end.returns
    scores, ranks = award(returns, ended(end)) if end.is_over else ([0.0] * count, [1] * count)
    seats = tuple(
        SeatRecord(player=names[seat], seat=seat, rank=ranks[seat], score=scores[seat], result=returns[seat])
        for seat in range(count)
    )
    return GameRecord(
        key="", group=0, ending=ending, turns=end.turn, seats=seats, replay=replay, scenario=end.game.spec
    )
