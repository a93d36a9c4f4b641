"""Numbers and verdicts in words."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from turnwise.arena.records import Ending, GameRecord
from turnwise.arena.results.damage import game_words
from turnwise.arena.results.reading import Results
from turnwise.arena.solving.solution import known_game, own_result, reached
from turnwise.arena.tournament.sequential_verdict import SequentialVerdict
from turnwise.arena.tournament.significance import LEVEL, PairSignificance
from turnwise.core.errors import counted
from turnwise.core.game import Game
from turnwise.statistics.intervals import Interval
from turnwise.statistics.verdict import Verdict

DASH = "\u2013"  # en dash: ranges, pairs, and "no value"
MARKS = {
    Verdict.REPRODUCED: "✓",
    Verdict.NOT_REPRODUCED: "✗",
    Verdict.UNDECIDED: "?",
    Verdict.NOT_JUDGED: "○",
}
_WORDS = {Verdict.UNDECIDED: "undecided with so few games", Verdict.NOT_JUDGED: "not judged at this effort"}


MANY_SEATS = (
    "With more than two players, ratings follow from the ranking of each game, and a score is the share of opponents "
    "that a player beat (ties count half). Intervals of ratings come from resampling all games of a start together."
)

STOPPED = (
    "A sequential test ended the games of each pair, so scores, their intervals and ratings are a little too far from "
    "even. The test's verdict counts."
)

_MANY_GAMES = 100_000
_STEPS = ((1e9, "G"), (1e6, "M"), (1e3, "k"))


def marks_words(verdicts: Iterable[Verdict | None]) -> str:
    """Meaning of the marks next to published scores, for marks that occur: "✓ reproduced, ✗ not reproduced"."""
    there = set(verdicts)
    return ", ".join(f"{MARKS[verdict]} {_WORDS.get(verdict, verdict)}" for verdict in Verdict if verdict in there)


def compact(value: float) -> str:
    """Three significant digits, thousands as k, M, G: 12345 -> "12.3k"; infinities and NaN as a dash."""
    if not math.isfinite(value):
        return DASH
    size = abs(value)
    for step, letter in _STEPS:
        if size >= step * 0.9995:
            return f"{value / step:.3g}{letter}"
    return f"{value:.3g}" if size >= 1e-4 or size == 0 else f"{value:.2g}"


def figure(value: float) -> str:
    """A score or a time, without decimals if it is whole, else with two."""
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.2f}"


def percent(share: float, digits: int = 1) -> str:
    """A share in [0, 1] as percent without the sign: 0.805 -> "80.5"."""
    return f"{100 * share:.{digits}f}"


def milliseconds(seconds: float) -> str:
    """A time in milliseconds without the unit: 0.01234 -> "12.3"."""
    return f"{1000 * seconds:.3g}" if seconds < 1 else f"{1000 * seconds:.0f}"


def percent_range(interval: Interval) -> str:
    """An interval of shares as whole percentages, separated by an en dash."""
    return f"{100 * interval.low:.0f}{DASH}{100 * interval.high:.0f}"


def compact_range(interval: Interval) -> str:
    """An interval of any numbers: "9.2k to 11k"."""
    return f"{compact(interval.low)} to {compact(interval.high)}"


def pair_words(names: Iterable[str]) -> str:
    """Players of a game on one line."""
    return f" {DASH} ".join(names)


def scenario_words(game: Game) -> str:
    """A scenario for headlines, without the content of files: "SameGame, board 7"."""
    contents = {option.content: option.name for option in game.files}
    options = game.labelled_options()
    named = [
        f"own {contents[name]}" if name in contents else f"{name.replace('_', ' ')} {value}"
        for name, value in options.items()
    ]
    return ", ".join([game.title, *named])


def reached_words(game: type[Game] | Game | None, name: str, objective: float, result: float) -> str:
    """The result of a single-player game: "score 531", or "score 531, result 387" if something else counts.

    Args:
        game: The game; None: unknown.
        name: Name of the measure.
        objective: Value of the game's own measure.
        result: The game's return.
    """
    counts = None if game is None else own_result(game, objective, result)
    return f"{name} {figure(objective)}" + ("" if counts is None else f", result {figure(counts)}")


def result_words(record: GameRecord) -> str:
    """How a game ended, in words: with the winner if there is one, or the result of a single-player game."""
    words = str(record.ending)
    if len(record.seats) == 1:
        name, value = reached(record)
        solved = reached_words(known_game(record.replay.game), name, value, record.seats[0].result)
        words = solved if record.ending is Ending.WON else f"{solved}: {words}"
    else:
        winner = winner_words(record)
        if winner != "nobody":
            who = f"{winner} won"
            words = who if record.ending is Ending.WON else f"{who}: {words}"
    return f"{words} ({record.detail})" if record.detail else words


def winner_words(record: GameRecord) -> str:
    """Who won a game of several players, or "nobody"; empty for a single player."""
    best = [seat.player for seat in record.seats if seat.rank == 1]
    if len(record.seats) == 1:
        return ""
    return " and ".join(best) if record.is_counted and len(best) < len(record.seats) else "nobody"


def remarks_on(results: Results) -> list[str]:
    """Remarks for readers of a results file: games that are left out or unchecked."""
    remarks = []
    requested = set(results.skipped) - set(results.damaged_left_out)
    if requested:
        remarks.append(f"Left out on request: {game_words(requested)}.")
    if results.damaged_left_out:
        remarks.append(
            f"Left out because damaged ({counted(len(results.damaged_left_out), 'game')}): "
            f"{game_words(results.damaged_left_out)}."
        )
    if not results.lists_all:
        remarks.append("The file's lists of games are damaged, too: it may have held more games.")
    unchecked = results.unchecked()
    if unchecked:
        is_lost = results.structural_damage()
        why = "or one that cannot be read" if is_lost else "since an earlier version wrote them"
        remarks.append(
            f"{unchecked} of {counted(len(results), 'game')} have no checksum, {why}: damage to them may go unnoticed."
        )
    return remarks


def significance_words(pairs: Sequence[PairSignificance]) -> str:
    """How many pairs differ by more than chance, in one sentence."""
    decided = sum(bool(pair.stronger) for pair in pairs)
    those = "The pair differs" if decided == len(pairs) == 1 else f"{decided} of {counted(len(pairs), 'pair')} differ"
    correction = f", with Holm's correction for {len(pairs)} pairs" if len(pairs) > 1 else ""
    return f"{those} by more than chance (level {100 * LEVEL:g} %{correction})."


def tests_words(verdicts: Sequence[SequentialVerdict]) -> str:
    """What the sequential tests say: the only one in a sentence, several as a count."""
    if len(verdicts) == 1:
        return verdicts[0].words()
    decided = sum(verdict.accepted is not None for verdict in verdicts)
    return f"The sequential test has decided {decided} of {counted(len(verdicts), 'meeting')}."


def pair_verdict(pair: PairSignificance) -> str:
    """Who is better, or how many more games the pair needs; nothing of it where errors ended games."""
    if pair.errors:
        return f"none: {counted(pair.errors, 'game', ',')} ended by an error"
    if pair.stronger:
        return f"{pair.stronger} is better"
    if pair.more_games is None:
        return "open: even so far"
    if pair.more_games > _MANY_GAMES:
        return f"open: more than {_MANY_GAMES:,} further games needed"
    return f"open: about {counted(_rounded_up(pair.more_games), 'further game', ',')} needed"


def _rounded_up(number: int) -> int:
    """Two significant digits, never fewer than the number: the spread seen so far says no more."""
    step = int(10 ** max(0, len(str(number)) - 2))
    return -(-number // step) * step


def p_value(value: float) -> str:
    """A p-value with two digits: "0.032", "<0.001"."""
    return "<0.001" if value < 0.001 else f"{value:.2g}" if value < 0.1 else f"{value:.2f}"
