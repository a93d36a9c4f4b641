"""Building the content of a report from finished games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations

from turnwise.arena.records import FORFEITS, Ending, GameRecord, SeatRecord
from turnwise.arena.tournament.significance import significance_of
from turnwise.arena.tournament.specification import SprtSpec
from turnwise.arena.tournament.standings import Standings, is_at_fault, standings_of
from turnwise.arena.tournament.stopping import verdicts_on
from turnwise.report.csv_tables import games_csv
from turnwise.report.facts import environment_facts
from turnwise.report.measures import search_measures, work_measures
from turnwise.report.model import (
    Endings,
    Fact,
    Overruns,
    PairEndings,
    PublishedCell,
    Reading,
    ReportData,
    WinCell,
    WinTable,
)
from turnwise.report.replays import embed_replays
from turnwise.report.scores import score_comparisons
from turnwise.statistics.intervals import Tally, wilson_interval

FIRST_WON, SECOND_WON, EQUAL = "won by the first", "won by the second", "equal rank"

Pair = tuple[str, str]


def ending_kinds() -> tuple[str, ...]:
    """All endings of a pair's games, in the order of the figure: wins split by winner, then the other endings.

    In games of more than two players a pair's game is won by the one that ranks above the other.
    """
    others = tuple(str(ending) for ending in Ending if ending not in (Ending.WON, Ending.SHARED))
    return (FIRST_WON, EQUAL, *others, SECOND_WON)


def from_results(
    title: str,
    records: Sequence[GameRecord],
    *,
    command: str = "",
    facts: Sequence[Fact] = (),
    players: Sequence[str] = (),
    published: Mapping[Pair, PublishedCell] | None = None,
    published_source: str = "",
    summary: str = "",
    notes: Sequence[str] = (),
    created: str = "",
    max_replays: int = 20,
    seed: int = 0,
    resamples: int = 1000,
    test: SprtSpec | None = None,
) -> ReportData:
    """Make a report on one tournament.

    Args:
        title: Headline.
        records: The finished games, in any order.
        command: The command that repeats the tournament.
        facts: Further lines of "what was run" (specification, seeds), shown after the command. "Rules", "Versions"
            and "Machine" (this one) are added unless given.
        players: Order of the players in tables; players not named follow by rating.
        published: Published cells by (row, column).
        published_source: The publication with these cells.
        summary: One paragraph below the headline.
        notes: Further paragraphs.
        created: Date for the page's footer; empty to leave it out.
        max_replays: Largest number of games to watch on the page.
        seed: Seed of the bootstrap of the intervals of means, and of ratings from games for more than two players.
        resamples: Number of resampled tournaments for the intervals of these ratings.
        test: The sequential test that ended the games of a pair; its verdicts take the place of p-values, which are too
            small after it.

    Raises:
        ValueError: A cell is published for a player that is neither in ``players`` nor in the records.
    """
    reading = make_reading(
        "",
        records,
        players=players,
        published=published,
        published_source=published_source,
        seed=seed,
        resamples=resamples,
        test=test,
    )
    given = [Fact("Command", command, code=True)] if command else []
    given.extend(facts)
    labels = {fact.label for fact in given}
    given.extend(fact for fact in environment_facts(records) if fact.label not in labels)
    return ReportData(
        title=title,
        readings=(reading,),
        comparisons=score_comparisons(records, reading.wins.players, seed),
        summary=summary,
        facts=tuple(given),
        notes=tuple(notes),
        replays=embed_replays({"": records}, max_replays),
        created=created,
        games_csv=games_csv(records),
    )


def make_reading(
    title: str,
    records: Sequence[GameRecord],
    *,
    note: str = "",
    players: Sequence[str] = (),
    published: Mapping[Pair, PublishedCell] | None = None,
    published_source: str = "",
    published_search: Mapping[tuple[str, str], float] | None = None,
    seed: int = 0,
    resamples: int = 1000,
    test: SprtSpec | None = None,
) -> Reading:
    """Make the tables of one tournament; a study makes them for each of its readings of the publication.

    Args:
        title: Title above the tables.
        records: The finished games.
        note: Characteristics of this reading.
        players: Order of the players in tables; players not named follow by rating.
        published: Published cells by (row, column).
        published_source: The publication with these cells.
        published_search: Published means of the planners' own figures by (key, player).
        seed: Seed of the bootstrap of the intervals of means, and of ratings from games for more than two players.
        resamples: Number of resampled tournaments for the intervals of these ratings.
        test: The sequential test that ended the games of a pair; its verdicts take the place of p-values, which are too
            small after it.

    Raises:
        ValueError: A cell is published for a player that is neither in ``players`` nor in the records.
    """
    ordered = sorted(records, key=lambda record: (record.group, record.number, record.key))
    standings = standings_of(ordered, resamples=resamples, seed=seed)
    tallies = {pair: result.tally for pair, result in standings.pairs.items()}
    order = _player_order(players, ordered, standings)
    return Reading(
        title=title,
        note=note,
        games=standings.games,
        wins=win_table(order, tallies, published or {}, published_source),
        ratings=standings.ratings,
        work=work_measures(order, ordered, seed),
        search=search_measures(order, ordered, seed, published_search),
        overruns=overruns_of(order, standings),
        endings=endings_of(order, ordered),
        first_seat=first_seat_tally(ordered),
        most_seats=max((len(record.seats) for record in ordered), default=2),
        significance=() if test else significance_of(ordered, order, seed=seed),
        tests=verdicts_on(test, ordered) if test else (),
    )


def first_seat_tally(records: Sequence[GameRecord]) -> Tally:
    """Wins, draws and losses of the player who moves first, over all counted games of two different players."""
    scores = Counter(
        seat.score
        for record in records
        if record.is_counted and len(record.seats) == 2
        for seat in record.seats
        if seat.seat == 0
    )
    return Tally(scores[1.0], scores[0.5], scores[0.0])


def overruns_of(players: Sequence[str], standings: Standings) -> tuple[Overruns, ...]:
    """Number and size of time overruns by player; players without overruns are left out."""
    summaries = {name: standings.summaries[name] for name in players if name in standings.summaries}
    return tuple(
        Overruns(name, one.overruns, one.decisions, one.median_overrun, one.worst_overrun)
        for name, one in summaries.items()
        if one.overruns
    )


def _player_order(named: Sequence[str], records: Sequence[GameRecord], standings: Standings) -> tuple[str, ...]:
    """The named players, then the others by rating, best first, then those without opponents."""
    rated = [rating.player for rating in standings.ratings.ratings] if standings.ratings else []
    seen = sorted({seat.player for record in records for seat in record.seats})
    return tuple(dict.fromkeys([*named, *rated, *seen]))


def win_table(
    players: Sequence[str],
    tallies: Mapping[Pair, Tally],
    published: Mapping[Pair, PublishedCell],
    source: str = "",
    confidence: float = 0.95,
) -> WinTable:
    """The full table of rows against columns, with Wilson intervals and published cells.

    Args:
        players: Order of rows and columns.
        tallies: Games per pair, from the first player's point of view; one order of each pair is enough.
        published: Published cells by (row, column).
        source: The publication with these cells.
        confidence: Nominal coverage of the intervals.

    Raises:
        ValueError: A pair names a player that is not in ``players``.
    """
    strangers = {name for pair in (*tallies, *published) for name in pair} - set(players)
    if strangers:
        raise ValueError(
            f"the table has the players {', '.join(players)}, but cells also name {', '.join(sorted(strangers))}"
        )
    both = dict(tallies)
    both.update({(column, row): tally.reversed() for (row, column), tally in tallies.items()})
    cells = {}
    for pair in sorted({*both, *published}):
        tally = both.get(pair, Tally(0, 0, 0))
        score = wilson_interval(tally.points, tally.games, confidence) if tally.games else None
        cells[pair] = WinCell(*pair, tally, score, published.get(pair))
    return WinTable(tuple(players), cells, confidence, source)


def endings_of(players: Sequence[str], records: Sequence[GameRecord]) -> Endings:
    """Endings of the games of each pair; a game of more than two players counts for every pair in it."""
    place = {player: index for index, player in enumerate(players)}
    counts: dict[Pair, Counter[str]] = {}
    details: Counter[tuple[str, str]] = Counter()
    for record in records:
        details[str(record.ending), record.detail] += 1
        for one, other in combinations(record.seats, 2):
            first, second = sorted((one, other), key=lambda seat: place[seat.player])
            pair = (first.player, second.player)
            counts.setdefault(pair, Counter())[_ending_kind(record, first, second)] += 1
    kinds = ending_kinds()
    pairs = tuple(
        PairEndings(*pair, {kind: counts[pair][kind] for kind in kinds if counts[pair][kind]})
        for pair in sorted(counts, key=lambda pair: (place[pair[0]], place[pair[1]]))
    )
    ranked = sorted(details.items(), key=lambda item: (-item[1], item[0]))
    return Endings(pairs, tuple((ending, detail, number) for (ending, detail), number in ranked))


def _ending_kind(record: GameRecord, first: SeatRecord, second: SeatRecord) -> str:
    """How a game ended for two of its players."""
    is_forfeit = any(is_at_fault(record, seat) for seat in (first, second))
    is_draw = record.ending not in FORFEITS and all(seat.rank == 1 for seat in record.seats)
    if is_forfeit or is_draw or not record.is_counted:
        return str(record.ending)
    if first.rank == second.rank:
        return EQUAL
    return FIRST_WON if first.rank < second.rank else SECOND_WON
