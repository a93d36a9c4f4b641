"""Tables of the recorded study turn-search: ``python docs/turn_search_tables.py FOLDER`` prints them as Markdown.

FOLDER holds what ``turnwise export --format parquet --no-timing`` wrote of every tournament, as
FOLDER/PART-CASE-READING/seats.parquet. The page's results are this output. The parts "factors" and "regret" are judged
from other files and are not printed.
"""

from __future__ import annotations

import sys
from pathlib import Path

from pair_tables import counts, print_pairs, print_verdicts, read_all

from turnwise.statistics.intervals import wilson_interval
from turnwise.studies.played import Played
from turnwise.studies.turn_search.effort import TurnEffort
from turnwise.studies.turn_search.experiment import Key, keys, name_of
from turnwise.studies.turn_search.players import MAXIMIN
from turnwise.studies.turn_search.report import judge_all, title_of

GAMES = 100  # per pair of Table II, with the effort "paper"
_EFFORT = TurnEffort("paper", GAMES)
_ONE_AGAINST_ALL = ("turn-maximin", "ablations", "time-sweep")


def print_rivals(title: str, played: Played) -> None:
    """Turn-maximin against each of the others."""
    print(f"#### {title}\n\n{played.games} games, from the point of view of `{MAXIMIN}`.\n")
    print("| against | won-drawn-lost | score % (95 % interval) |\n|---|---|---|")
    for (one, other), tally in played.tallies.items():
        if one == MAXIMIN:
            score = wilson_interval(tally.points, tally.games)
            cells = f"{100 * score.estimate:.1f} ({100 * score.low:.1f} to {100 * score.high:.1f})"
            print(f"| {other} | {counts(tally)} | {cells} |")
    print()


def main(folder: Path) -> None:
    """Print all tables, then the verdicts."""
    names: dict[Key, str] = {key: name_of(key) for key in keys(_EFFORT)}
    found = read_all(folder, names, "PART-CASE-READING")
    for key, played in found.items():
        if key[1] in _ONE_AGAINST_ALL:
            print_rivals(title_of(key), played)
        else:
            print_pairs(title_of(key), played, ())
    print("### Verdicts\n")
    print_verdicts(judge_all(found, _EFFORT))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(Path(sys.argv[1]))
