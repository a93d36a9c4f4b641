"""The content of a report, independent of the source of the numbers and of their presentation.

The same model feeds the HTML page and the tables in the terminal. A study makes one `Reading` for each interpretation
of its publication (for example "paper's reading", "sound reading"); they are shown side by side.
`turnwise.report.builder` makes all parts from finished games.

Scores, intervals and published values are shares in [0, 1]; the views print them as percentages. Everything here is
immutable, and any text may come from a user: views escape it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from turnwise.arena.tournament.sequential_verdict import SequentialVerdict
from turnwise.arena.tournament.significance import PairSignificance
from turnwise.statistics.intervals import Interval, Tally
from turnwise.statistics.ratings import RatingTable
from turnwise.statistics.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Fact:
    """One line of "what was run".

    Attributes:
        label: For example "Command".
        value: Its value as text.
        code: Whether the value is code, to be shown in a fixed-width font.
    """

    label: str
    value: str
    code: bool = False


@dataclass(frozen=True, slots=True)
class PublishedCell:
    """A cell of the win table of a publication.

    Attributes:
        score: The published score in [0, 1]; None if the publication has none.
        games: Number of games, if stated.
        verdict: Whether our score agrees; None if it was not judged.
        reason: The numbers that decide the verdict, one or two sentences.
    """

    score: float | None
    games: int | None = None
    verdict: Verdict | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class WinCell:
    """The games of the row's player against the column's player.

    Attributes:
        row: Player that the score belongs to.
        column: Its opponent.
        tally: The games from the point of view of ``row``.
        score: Score with its interval; None without games.
        published: The same cell of the publication, if there is one.
    """

    row: str
    column: str
    tally: Tally
    score: Interval | None
    published: PublishedCell | None = None


@dataclass(frozen=True, slots=True)
class WinTable:
    """Every player against every other.

    Attributes:
        players: Order of rows and columns.
        cells: (row, column) -> cell; pairs that never met and have no published value are absent.
        confidence: Nominal coverage of the intervals.
        source: Where the published values come from; empty if there are none.
    """

    players: tuple[str, ...]
    cells: Mapping[tuple[str, str], WinCell]
    confidence: float = 0.95
    source: str = ""

    @property
    def has_published(self) -> bool:
        """Whether any cell has a published value."""
        return any(cell.published is not None for cell in self.cells.values())


@dataclass(frozen=True, slots=True)
class PlayerSample:
    """One player's values of a measure.

    Attributes:
        player: Name.
        values: One value per turn or decision, in the measure's unit, in the order of play.
        games: Number of games of these values.
        mean: Mean over games of the mean within each game, with an interval; None for fewer than two games.
        published: The published value for this player, if there is one.
    """

    player: str
    values: tuple[float, ...]
    games: int
    mean: Interval | None = None
    published: float | None = None


@dataclass(frozen=True, slots=True)
class Measure:
    """A search characteristic or a cost, compared between players.

    Attributes:
        key: Name in the records ("unique_outcomes").
        title: Name for people.
        unit: Unit of the values; empty for counts.
        per: Unit of observation of one value: "turn" or "decision".
        samples: One sample per player with values.
        kind: "spread": values differ, so their distribution is drawn; "constant": every player has a single value;
            "share": every value is 0 or 100 (%), so only the mean is informative.
        meaning: What it says, for readers; empty: the title says it.
    """

    key: str
    title: str
    unit: str
    per: str
    samples: tuple[PlayerSample, ...]
    kind: Literal["spread", "constant", "share"] = "spread"
    meaning: str = ""

    @property
    def heading(self) -> str:
        """Title, unit and unit of observation, on one line."""
        if self.kind == "share":
            return f"{self.title} (% of {self.per}s)"
        return f"{self.title}{f' ({self.unit})' if self.unit else ''} per {self.per}"


@dataclass(frozen=True, slots=True)
class Overruns:
    """A player's decisions beyond its time budget.

    Attributes:
        player: Name.
        number: Number of decisions beyond the budget.
        decisions: Number of all decisions.
        median: Median of the overruns in seconds.
        largest: The largest overrun in seconds.
    """

    player: str
    number: int
    decisions: int
    median: float
    largest: float


@dataclass(frozen=True, slots=True)
class PairEndings:
    """How the games of one pair ended.

    Attributes:
        first: A player.
        second: The other player.
        counts: Ending -> number of games, for endings that occurred. Wins are split by winner: the keys are those of
            ``turnwise.report.builder.ending_kinds``.
    """

    first: str
    second: str
    counts: Mapping[str, int]

    @property
    def games(self) -> int:
        """Number of games."""
        return sum(self.counts.values())


@dataclass(frozen=True, slots=True)
class Endings:
    """How games ended, by pair, and the games' own names for the endings.

    Attributes:
        pairs: One entry per pair that met.
        details: (ending, detail, number of games), most frequent first.
    """

    pairs: tuple[PairEndings, ...] = ()
    details: tuple[tuple[str, str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Reading:
    """One tournament, or one reading of a publication.

    Attributes:
        title: Title above its tables; may be empty if there is only one reading.
        note: Characteristics of the reading, in one or two sentences.
        games: Number of games counted (all except abandoned ones).
        wins: The win table.
        ratings: Ratings, if at least one pair met.
        work: Cost of a turn.
        search: The planners' own figures.
        overruns: One entry per player with decisions beyond a time budget.
        endings: How the games ended.
        most_seats: Number of players of the largest game; above two, ratings follow from rankings.
        significance: Which pairs differ by more than chance, one entry per pair that met; empty where a sequential test
            ended the games.
        tests: What the sequential test says, one entry per meeting, where one ended the games.
        first_seat: The games of two players from the point of view of who moves first, whoever that is.
    """

    title: str
    note: str
    games: int
    wins: WinTable
    ratings: RatingTable | None = None
    work: tuple[Measure, ...] = ()
    search: tuple[Measure, ...] = ()
    overruns: tuple[Overruns, ...] = ()
    endings: Endings = field(default_factory=Endings)
    most_seats: int = 2
    significance: tuple[PairSignificance, ...] = ()
    tests: tuple[SequentialVerdict, ...] = ()
    first_seat: Tally = field(default_factory=lambda: Tally(0, 0, 0))


@dataclass(frozen=True, slots=True)
class Series:
    """One player's results in a comparison, case by case.

    Attributes:
        name: The player.
        values: One value per case of the comparison, None if it has not played the case.
        mean: Mean over all cases that it has played, None if there are none.
        reference: Index of the case in which the player is the one whom all others meet, so that its value there is
            fixed and has no interval; None: it is not.
    """

    name: str
    values: tuple[Interval | None, ...]
    mean: Interval | None = None
    reference: int | None = None


@dataclass(frozen=True, slots=True)
class Comparison:
    """Players side by side on a list of cases: boards or tracks in rows, or the places of a sweep along an axis.

    Attributes:
        title: Title ("Figure 4.3: ...").
        note: One or two sentences below the title.
        unit: Unit of the values ("% of MCTS 500").
        cases: Names of the cases.
        series: The players.
        mark: Another player, drawn as a reference mark in every case; None: none.
        baseline: The value at which a line is drawn (100 for percent of a baseline); None: no line.
        more_is_better: Whether larger values are better; None: neither.
        decimals: Number of decimals to show; None: three significant digits.
        places: Place of each case on an axis: the values are drawn as lines; empty: a row per case.
        axis: Label of that axis ("ms per turn").
    """

    title: str
    note: str
    unit: str
    cases: tuple[str, ...]
    series: tuple[Series, ...]
    mark: Series | None = None
    baseline: float | None = None
    more_is_better: bool | None = True
    decimals: int | None = None
    places: tuple[float, ...] = ()
    axis: str = ""

    @property
    def direction(self) -> str:
        """Which values are better, in words."""
        return {True: "more is better", False: "less is better", None: ""}[self.more_is_better]

    @property
    def scale(self) -> str:
        """The unit and which values are better, for axes and headings."""
        return ", ".join(filter(None, (self.unit, self.direction)))


@dataclass(frozen=True, slots=True)
class Claim:
    """A published statement and its verdict.

    Attributes:
        text: The statement, paraphrased.
        verdict: Reproduced, not reproduced, undecided or not judged.
        reason: The numbers that decide the verdict.
        source: Place of the statement ("section 3.2").
        reading: Title of the reading by which it was judged; empty if there is only one.
    """

    text: str
    verdict: Verdict
    reason: str = ""
    source: str = ""
    reading: str = ""


@dataclass(frozen=True, slots=True)
class EmbeddedGame:
    """A game that can be watched on the page.

    Attributes:
        title: Title in the list of games.
        pair: The players' names, sorted and joined; the filter's key.
        reading: Title of its reading; empty if there is only one.
        players: Names by seat.
        result: How the game ended, in words.
        turns: Number of turns played.
        actions: Number of actions played.
        data: base64 of gzipped JSON; see :mod:`turnwise.report.replays`.
        winner: Who won, or "nobody"; empty for a single player.
        ending: How it ended, without details; a filter's key like ``winner``.
        doubt: How the stored result contradicts the game's own actions; empty if they agree.
    """

    title: str
    pair: str
    reading: str
    players: tuple[str, ...]
    result: str
    turns: int
    actions: int
    data: str
    winner: str = ""
    ending: str = ""
    doubt: str = ""


@dataclass(frozen=True, slots=True)
class Replays:
    """The games on the page, and how they were chosen.

    Attributes:
        games: The games to watch.
        total: Number of all games played.
        rule: How the games were chosen, in one or two sentences.
        skipped: (game, reason) of chosen games that could not be replayed.
    """

    games: tuple[EmbeddedGame, ...] = ()
    total: int = 0
    rule: str = ""
    skipped: tuple[tuple[str, str], ...] = ()

    @property
    def doubts(self) -> tuple[str, ...]:
        """One sentence for each game on the page whose stored result contradicts its actions."""
        return tuple(game.doubt for game in self.games if game.doubt)


@dataclass(frozen=True, slots=True)
class ReportData:
    """A whole report.

    Attributes:
        title: Headline.
        summary: One paragraph below the headline.
        facts: What was run: command, specification, seeds, versions, kind of machine.
        readings: Games of several players; may be empty for single-player games.
        comparisons: Results of single-player games, case by case.
        claims: Published statements with verdicts.
        deviations: Every difference from the publication.
        notes: Further paragraphs.
        replays: Games to watch.
        created: Date for the footer of the page; empty to leave it out (then the same data gives the same bytes).
        games_csv: All games as CSV, to be downloaded from the page; empty: not offered.
        curve: A comparison that is shown before everything else; None: nothing is.
        maker: Command and results file of a page that the command replaces when it is repeated; empty: another page.
    """

    title: str
    readings: tuple[Reading, ...]
    comparisons: tuple[Comparison, ...] = ()
    summary: str = ""
    facts: tuple[Fact, ...] = ()
    claims: tuple[Claim, ...] = ()
    deviations: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    replays: Replays = field(default_factory=Replays)
    created: str = ""
    games_csv: str = ""
    curve: Comparison | None = None
    maker: str = ""
