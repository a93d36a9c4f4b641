"""Tables of the page on strength: ``python docs/strength_tables.py docs/studies/results`` prints them as Markdown.

The folder holds the recorded results of all studies. Games of one scenario with the same effort are pooled; new results
join the tables as soon as they are recorded. The page's tables are this output.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pair_tables import played_in, read_seats
from rating_tables import print_ratings
from score_tables import read_scores, with_interval

from turnwise.arena.results.reading import open_results
from turnwise.statistics.intervals import Interval, Tally
from turnwise.studies.hybrids_2022.experiment import parts
from turnwise.studies.hybrids_2022.report import sums, tables_by_reading
from turnwise.studies.played import played_of
from turnwise.studies.portfolio_2021.players import PLANNERS
from turnwise.studies.score_table import ScoreTable
from turnwise.studies.tribes_2021.question import REFERENCE

Tallies = Mapping[tuple[str, str], Tally]
_EVOLUTION = "online-evolution"


@dataclass(frozen=True)
class Pool:
    """Games of one scenario with the same effort.

    Attributes:
        title: Heading.
        effort: What every planner had.
        anchor: The player with rating 0.
        sources: Folder or file of results -> names in these results that stand for other players: name -> in the table.
        names: The same for all sources.
    """

    title: str
    effort: str
    anchor: str
    sources: Mapping[str, Mapping[str, str]]
    names: Mapping[str, str] = field(default_factory=dict)


def stratega(mode: str) -> Pool:
    """The games of one mode of Stratega; settings found by tuning make other players of its planners."""
    tuned = {name: f"{name}, tuned" for name in PLANNERS}
    return Pool(
        f"Stratega: {mode}, the published planners",
        "2,000 forward-model calls for every action",
        _EVOLUTION,
        {
            f"portfolio-2021/round-robin-{mode}-sound": {},
            f"portfolio-2021/added-{mode}-sound": {},
            f"portfolio-2021/rule-agents-{mode}-sound": {},
            f"portfolio-2021/tuned-round-robin-{mode}-sound": tuned,
            f"portfolio-2021/tuned-rule-agents-{mode}-sound": tuned,
        },
        {"agent": "the mode's rule-based agent"},
    )


def whole_turns(title: str, what: str, anchor: str, *parts: str) -> Pool:
    """The games of tribes-2021 in which whole turns have equal effort."""
    folders = (f"tribes-2021/{part}-sound" for part in parts)
    return Pool(f"{title}, {what}", "20,000 forward-model calls a turn", anchor, {folder: {} for folder in folders})


def fielded(game: str, title: str, how: str = "counted") -> Pool:
    """All planners of the library in one game; the games against its runners-up are not pooled, since it chose them."""
    timed = how == "time"
    return Pool(
        f"{title}: all planners{', 10 ms a turn' if timed else ''}",
        "10 ms a turn, one thread (a server with two cores)" if timed else "20,000 forward-model calls a turn",
        _EVOLUTION,
        {f"turn-search/field-{game}-{how}-sound": {}},
        {"script": "the rule-based agent"},
    )


_OPEN, _CAREFUL = "Hero Academy, open hands", "Tribes without destructions and disbandings"
_MODES = ("kings", "healers", "pushers")
_PLANNERS = "planners of whole turns and searches over scripts"
POOLS = (
    Pool(
        "Hero Academy, open hands, the effort of 2016",
        "the work that is published for six seconds a turn",
        _EVOLUTION,
        {"oe-2016/table-sound.sqlite": {}, "oe-2016/against-random-sound.sqlite": {}},
    ),
    Pool(
        "Hero Academy, open hands, the effort of 2018",
        "the work that is published for six seconds a turn; `turn-maximin` has 923,250 forward-model calls",
        _EVOLUTION,
        {"turn-search/table-2-sound": {}},
    ),
    Pool(
        _OPEN,
        "30,775 forward-model calls a turn",
        _EVOLUTION,
        {"turn-search/turn-maximin-open-counted-sound": {}},
    ),
    Pool(
        f"{_OPEN}, 200 ms a turn",
        "200 ms a turn, one thread (a server with two cores)",
        _EVOLUTION,
        {"turn-search/turn-maximin-open-time-sound": {}},
    ),
    Pool(
        f"{_OPEN}, ten times the time of turn-maximin for the others",
        "200 ms a turn for `turn-maximin`, 2 s for the others, one thread (a server with two cores)",
        _EVOLUTION,
        {"turn-search/turn-maximin-open-time-tenfold-sound": {}},
    ),
    *(
        Pool(
            f"{_OPEN}, {milliseconds} ms a turn",
            f"{milliseconds} ms a turn, one thread (a server with two cores)",
            _EVOLUTION,
            {f"turn-search/time-sweep-open-{milliseconds}ms-sound": {}},
        )
        for milliseconds in (5, 20, 50)
    ),
    Pool(
        "Hero Academy, hidden hands",
        "30,775 forward-model calls a turn",
        _EVOLUTION,
        {"turn-search/turn-maximin-hidden-counted-sound": {}},
    ),
    Pool(
        f"{_OPEN}, ten times the effort of turn-maximin for the others",
        "30,775 forward-model calls a turn for `turn-maximin`, 307,750 for the others",
        _EVOLUTION,
        {"turn-search/turn-maximin-open-counted-tenfold-sound": {}},
    ),
    *(fielded(mode, f"Stratega: {mode}") for mode in _MODES),
    *(fielded(mode, f"Stratega: {mode}", "time") for mode in _MODES),
    *(stratega(mode) for mode in _MODES),
    fielded("tribes", _CAREFUL),
    fielded("tribes", _CAREFUL, "time"),
    Pool(
        "Tribes, two tribes, mode Capitals",
        "2,000 forward-model calls for every action",
        "oep",
        {
            "tribes-2021/round-robin-sound": {},
            "tribes-2021/figures-5-6-sound": {},
            "tribes-2021/figures-7-8-sound": {"oep": "oep before its improvements"},
        },
        {"simple": "`tribes-rules`, the rule-based agent"},
    ),
    whole_turns(_CAREFUL, _PLANNERS, "oep", "planners-tribes-middle", "planners-tribes-scripts"),
    whole_turns(_CAREFUL, "forms of a turn", REFERENCE, "representations-tribes", "finalists-tribes-middle"),
    whole_turns(_OPEN, _PLANNERS, "oep", "planners-hero-academy-middle", "planners-hero-academy-scripts"),
    whole_turns(_OPEN, "forms of a turn", REFERENCE, "representations-hero-academy", "finalists-hero-academy-middle"),
)
_SETTING = re.compile(r" (?=v?\d|fitting)")
"""Where an agent's name goes on with its version, its choice of N and its time."""
SINGLE = ("samegame", "samegame-seeds", "peers", "peers-beam", "peers-nrpa", "search-race", "search-race-splits")
"""Parts of hybrids-2022 with the agents of SameGame, and those of Search Race at equal time."""


def tallies_of(place: Path) -> Tallies:
    """Pair of players -> their games, of a recorded tournament."""
    if place.suffix == ".sqlite":
        with open_results(place) as results:
            return played_of(list(results)).tallies
    return played_in(read_seats(place)).tallies


def pooled(pool: Pool, results: Path) -> dict[tuple[str, str], Tally]:
    """Pair of players -> all their games, each pair once."""
    found: dict[tuple[str, str], Tally] = {}
    for source, renamed in pool.sources.items():
        if not (results / source).exists():
            continue
        names = {**pool.names, **renamed}
        for pair, tally in tallies_of(results / source).items():
            row, column = (names.get(name, name) for name in pair)
            if row < column:
                found[row, column] = found.get((row, column), Tally(0, 0, 0)) + tally
    return found


def print_best(reading: str, table: ScoreTable) -> None:
    """The best setting of every planner of a game for one player, best first."""
    best: dict[str, tuple[Interval, str]] = {}
    for total, agent in sums(table):
        best.setdefault(_SETTING.split(agent)[0], (total, agent))
    print(f"### {reading.partition(',')[0]}\n\nEffort: a tenth of the thesis' simulator steps.\n")
    print(f"| best setting of a planner | sum over {len(table.cases)} cases |\n|---|---|")
    for total, agent in best.values():
        print(f"| {agent} | {with_interval(total, 0)} |")
    print()


def main(results: Path) -> None:
    """Print all tables."""
    for pool in POOLS:
        if any((results / source).exists() for source in pool.sources):
            print_ratings(f"### {pool.title}", pool.effort, pooled(pool, results), pool.anchor)
    folder = results / "hybrids-2022" / "tenth"
    chosen = {name: part for name, part in parts().items() if name in SINGLE and (folder / name).exists()}
    scores = {name: read_scores(folder / name / "seats.parquet") for name in chosen}
    for reading, table in tables_by_reading(chosen, scores).items():
        print_best(reading, table)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(Path(sys.argv[1]))
