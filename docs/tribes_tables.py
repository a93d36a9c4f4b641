"""Tables of the recorded study tribes-2021: ``python docs/tribes_tables.py FOLDER`` prints them as Markdown.

FOLDER holds what ``turnwise export --format parquet --no-timing`` wrote of every tournament, as
FOLDER/PART-CASE-READING/seats.parquet. The page's results are this output.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

from pair_tables import print_against, print_pairs, print_ratings, print_verdicts, read_all, read_seats

from turnwise.report.words import DASH
from turnwise.statistics.intervals import Interval
from turnwise.studies.played import Pair, Played
from turnwise.studies.tribes_2021.effort import CALLS, GAMES, LEVELS, TribesEffort
from turnwise.studies.tribes_2021.experiment import SEED, Key, keys, name_of
from turnwise.studies.tribes_2021.printed import BEFORE, IMPROVED, METRICS, Printed
from turnwise.studies.tribes_2021.question import reference
from turnwise.studies.tribes_2021.report import judge_all, mean_metrics, title_of

_EFFORT = TribesEffort("paper", CALLS["paper"], LEVELS["paper"], GAMES["paper"])
_PRINTED: Mapping[str, Mapping[Pair, Printed]] = {"figures-5-6": IMPROVED, "figures-7-8": BEFORE}
_DECIMALS = {"score": 0, "technologies": 2, "cities": 2, "production": 1}


def print_figure(key: Key, played: Played) -> None:
    """Wins and means of every pair from both sides; printed numbers in brackets."""
    printed = _PRINTED[key[1]]
    pairs = [pair for pair in printed if pair in played.tallies]
    print(f"#### {title_of(key)}\n\n{played.games} games; means at the end of the game, in brackets as printed.\n")
    print(f"| | against | won % | {' | '.join(METRICS)} |\n{'|---' * (3 + len(METRICS))}|")
    means = {metric: mean_metrics(played, metric, pairs) for metric in METRICS}
    for number, pair in enumerate(pairs):
        tally = played.tallies[pair]
        cells = [f"{100 * tally.wins / tally.games:.1f} ({100 * printed[pair].share:g})"]
        cells += [
            f"{_shown(means[metric][number], _DECIMALS[metric])} ({getattr(printed[pair], metric):g})"
            for metric in METRICS
        ]
        print(f"| **{pair[0]}** | {pair[1]} | {' | '.join(cells)} |")
    print()


def _shown(mean: Interval | None, decimals: int) -> str:
    return DASH if mean is None else f"{mean.estimate:.{decimals}f}"


def main(folder: Path) -> None:
    """Print all tables, then the verdicts."""
    names: dict[Key, str] = {key: name_of(key) for key in keys()}
    found = read_all(folder, names, "PART-CASE-READING")
    for key, played in found.items():
        if key[1] in _PRINTED:
            print_figure(key, played)
        elif key[1].startswith("representations-"):
            print_against(title_of(key), played, reference(key[2]))
        else:
            print_pairs(title_of(key), played, ())
        if key[1] == "four-players":
            print_ratings(title_of(key), read_seats(folder / name_of(key)), SEED)
    print("### Verdicts\n")
    print_verdicts(judge_all(found, _EFFORT))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(Path(sys.argv[1]))
