"""What a report says, apart from where the numbers come from and how they are shown.

The same model feeds the HTML page and the tables in the terminal. A study makes one `Reading` per way it reads its
publication (for example "paper's reading", "sound reading"); they are shown side by side. `turnwise.report.builder`
makes all parts from finished games.

Scores, intervals and published values are shares in [0, 1]; the views print them as percentages. Everything here is
immutable, and any text may come from a user: views escape it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from turnwise.statistics.intervals import Interval, Tally
from turnwise.statistics.ratings import RatingTable
from turnwise.statistics.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Fact:
    """One line of "what was run".

    Attributes:
        label: For example "Command".
        value: Its value as text.
        code: Whether it is something to type or a literal, shown in a fixed-width face.
    """

    label: str
    value: str
    code: bool = False


@dataclass(frozen=True, slots=True)
class PublishedCell:
    """What a publication prints for one cell of its win table.

    Attributes:
        score: The published score in [0, 1]; None where it prints none.
        games: Games that it rests on, if stated.
        verdict: Whether ours agrees; None if it was not judged.
        reason: The numbers that decide the verdict, one or two sentences.
    """

    score: float | None
    games: int | None = None
    verdict: Verdict | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class WinCell:
    """The games of the row's player against the column's.

    Attributes:
        row: Player that the score belongs to.
        column: Its opponent.
        tally: The games, seen by ``row``.
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
        cells: By (row, column); pairs that never met and have no published value are absent.
        confidence: Nominal coverage of the intervals.
        source: Where the published values come from; empty if there are none.
    """

    players: tuple[str, ...]
    cells: Mapping[tuple[str, str], WinCell]
    confidence: float = 0.95
    source: str = ""

    @property
    def has_published(self) -> bool:
        """Whether any cell stands next to a published one."""
        return any(cell.published is not None for cell in self.cells.values())


@dataclass(frozen=True, slots=True)
class Sample:
    """One player's values of a measure.

    Attributes:
        player: Name.
        values: One per turn or decision, in the measure's unit, in the order of play.
        games: How many games they come from.
        mean: Mean over games of the mean within each game, with an interval; None for fewer than two games.
        published: What a publication states for this player, if anything.
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
        per: What one value stands for: "turn" or "decision".
        samples: One per player that has values.
        kind: "spread": values differ, their distribution is worth a drawing; "constant": every player has a single
            value; "share": every value is 0 or 100 (%), so that only the mean says something.
    """

    key: str
    title: str
    unit: str
    per: str
    samples: tuple[Sample, ...]
    kind: Literal["spread", "constant", "share"] = "spread"

    @property
    def heading(self) -> str:
        """Title, unit and what a value stands for, in one line."""
        if self.kind == "share":
            return f"{self.title} (% of {self.per}s)"
        return f"{self.title}{f' ({self.unit})' if self.unit else ''} per {self.per}"


@dataclass(frozen=True, slots=True)
class Overruns:
    """How far a player's decisions went beyond its time budget.

    Attributes:
        player: Name.
        number: Decisions that went beyond it.
        decisions: All of its decisions.
        median: Median of the overruns in seconds.
        largest: The largest in seconds.
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
        second: The other.
        counts: Ways to end -> games; only those that occurred. Wins are split by winner: the keys are those of
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
    """How games ended, by pair, and the games' own words for it.

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
        title: Shown above its tables; may be empty if it is the only one.
        note: What is special about it, one or two sentences.
        games: Number of games counted (all but abandoned ones).
        wins: The win table.
        ratings: Ratings, if at least one pair met.
        work: What a turn cost.
        search: The planners' own figures.
        overruns: One entry per player that went beyond a time budget.
        endings: How the games ended.
        most_seats: Players of the largest game; above two, intervals of ratings take too much as independent.
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


@dataclass(frozen=True, slots=True)
class Series:
    """One player's results in a comparison, case by case.

    Attributes:
        name: The player.
        values: One per case of the comparison, None where it has not played.
        mean: Over all cases that it has played, None if there are none.
    """

    name: str
    values: tuple[Interval | None, ...]
    mean: Interval | None = None


@dataclass(frozen=True, slots=True)
class Comparison:
    """Players of a single-player game side by side on a list of cases (boards, tracks), as in a bar chart.

    Attributes:
        title: What is compared ("Figure 4.3: ...").
        note: One or two sentences below it.
        unit: What the values are ("% of MCTS 500").
        cases: Names of the cases.
        series: The players.
        mark: A further player that is drawn as a mark of reference in every case; None: none.
        baseline: The value that a line is drawn at (100 for percent of a baseline); None: no line.
        more_is_better: Whether larger values are better.
        decimals: Decimals that values are shown with; None: three significant digits.
    """

    title: str
    note: str
    unit: str
    cases: tuple[str, ...]
    series: tuple[Series, ...]
    mark: Series | None = None
    baseline: float | None = None
    more_is_better: bool = True
    decimals: int | None = None

    @property
    def direction(self) -> str:
        """Which values are better, in words."""
        return "more is better" if self.more_is_better else "less is better"


@dataclass(frozen=True, slots=True)
class Claim:
    """A published statement and what became of it.

    Attributes:
        text: The statement in own words.
        verdict: Reproduced, not reproduced, undecided or not judged.
        reason: The numbers that decide the verdict.
        source: Where it is made ("section 3.2").
        reading: Title of the reading it was judged by; empty if there is only one.
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
        title: For the list of games.
        pair: The players' names, sorted and joined; the filter's key.
        reading: Title of its reading; empty if there is only one.
        players: Names by seat.
        result: How it ended, in words.
        turns: Turns played.
        actions: Actions played.
        data: base64 of gzipped JSON; see :mod:`turnwise.report.replays`.
        doubt: What the stored game says otherwise than its own actions; empty if they agree.
    """

    title: str
    pair: str
    reading: str
    players: tuple[str, ...]
    result: str
    turns: int
    actions: int
    data: str
    doubt: str = ""


@dataclass(frozen=True, slots=True)
class Replays:
    """The games on the page, and how they were chosen.

    Attributes:
        games: The games to be watched.
        total: How many were played in all.
        rule: How they were chosen, in one or two sentences.
        skipped: (game, reason) of chosen games that could not be replayed.
    """

    games: tuple[EmbeddedGame, ...] = ()
    total: int = 0
    rule: str = ""
    skipped: tuple[tuple[str, str], ...] = ()

    @property
    def doubts(self) -> tuple[str, ...]:
        """One sentence for each game on the page whose stored result is not what its actions lead to."""
        return tuple(game.doubt for game in self.games if game.doubt)


@dataclass(frozen=True, slots=True)
class ReportData:
    """A whole report.

    Attributes:
        title: Headline.
        summary: One paragraph below it.
        facts: What was run: command, specification, seeds, versions, kind of machine.
        readings: Games of several players; may be empty for single-player games.
        comparisons: Results of single-player games, case by case.
        claims: Published statements with verdicts.
        deviations: Every difference from the publication.
        notes: Further paragraphs.
        replays: Games to be watched.
        created: Date for the foot of the page; empty to leave it out (the same data then gives the same bytes).
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
