"""Tables of the recorded study portfolio-2021: ``python docs/portfolio_tables.py FOLDER`` prints them as Markdown.

FOLDER holds what ``turnwise export --format parquet --no-timing`` wrote of every tournament, as
FOLDER/PART-MODE-READING/seats.parquet. The page's results are this output.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from statistics import fmean
from typing import Any

from pair_tables import counts, played_in, print_pairs, print_verdicts, read_seats

from turnwise.report.words import DASH
from turnwise.statistics.intervals import bootstrap_mean, wilson_interval
from turnwise.studies.played import Played, shares
from turnwise.studies.portfolio_2021.claims import AGAINST_AGENT, MEAN_LENGTHS, TOTALS, printed_mode
from turnwise.studies.portfolio_2021.directions import DIRECTIONS
from turnwise.studies.portfolio_2021.experiment import CALLS, GAMES, PARTS, READINGS, Key, PlannedEffort
from turnwise.studies.portfolio_2021.experiment import keys as keys_of_readings
from turnwise.studies.portfolio_2021.players import MODES, PLANNERS, SCRIPTS, script_of
from turnwise.studies.portfolio_2021.report import PART_TITLES, judge
from turnwise.studies.portfolio_2021.tuning import recorded

_SCRIPT = "figure_script_"
_EFFORT = PlannedEffort("paper", CALLS["paper"], GAMES["paper"])


def read(folder: Path) -> dict[Key, Played]:
    """All tournaments in a folder, in the order of play."""
    found = {}
    for key in keys_of_readings(READINGS, PARTS):
        reading, part, mode = key
        place = folder / f"{part}-{mode}-{reading}"
        if (place / "seats.parquet").exists():
            found[key] = _played(place)
    return found


def _played(place: Path) -> Played:
    seats = read_seats(place)
    return replace(played_in(seats), usage=_usage(seats))


def _usage(seats: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, float]]:
    """Player -> script -> share of its actions that the script chose."""
    counts: dict[str, Counter[str]] = {}
    for seat in seats:
        chosen = {
            column.removeprefix(_SCRIPT).replace("_", "-"): value * seat["actions"]
            for column, value in seat.items()
            if column.startswith(_SCRIPT) and value is not None
        }
        counts.setdefault(seat["player"], Counter()).update(chosen)
    return shares(counts)


def print_agents(reading: str, part: str, found: Mapping[Key, Played]) -> None:
    """Every planner against the rule-based agents of all modes."""
    modes = [mode for mode in MODES if (reading, part, mode) in found]
    is_printed = part != "usage"
    note = "; in brackets as printed" if is_printed else ""
    print(f"#### {reading}: {PART_TITLES[part]}\n\nWon-drawn-lost{note}.\n")
    print(f"| | {' | '.join(modes)} |\n{'|---' * (len(modes) + 1)}|")
    for name in PLANNERS:
        cells = []
        for mode in modes:
            tally = found[reading, part, mode].tallies.get((name, "agent"))
            printed = f" ({'-'.join(map(str, AGAINST_AGENT[printed_mode(mode)][name]))})" if is_printed else ""
            cells.append(DASH if tally is None else f"{counts(tally)}{printed}")
        print(f"| **{name}** | {' | '.join(cells)} |")
    lengths = [found[reading, part, mode].lengths for mode in modes]
    means = [
        f"{fmean(each):.1f}{f' ({MEAN_LENGTHS[printed_mode(mode)]:g})' if is_printed else ''}" if each else DASH
        for mode, each in zip(modes, lengths, strict=True)
    ]
    print(f"| mean rounds of decided games | {' | '.join(means)} |\n")


def in_column(script: str) -> str:
    """A script as its column's name has it: nothing but letters, digits and hyphens."""
    return re.sub("[^a-z0-9]+", "-", script).strip("-")


def print_usage(reading: str, found: Mapping[Key, Played]) -> None:
    """Which scripts chose the actions of each planner, in all modes."""
    scripts = [script_of(name, reading) for name in SCRIPTS]
    print(f"#### {reading}: use of scripts (Figure 5)\n\nShare of the played actions that each script chose, in %.\n")
    print(f"| mode | planner | {' | '.join(scripts)} |\n{'|---' * (len(scripts) + 2)}|")
    for mode in MODES:
        usage = found[reading, "usage", mode].usage if (reading, "usage", mode) in found else {}
        for name in [name for name in PLANNERS if name in usage]:
            cells = [f"{100 * usage[name].get(in_column(script), 0.0):.1f}" for script in scripts]
            print(f"| {mode} | **{name}** | {' | '.join(cells)} |")
    print()


def print_directions(reading: str, found: Mapping[Key, Played], folder: Path) -> None:
    """The pairs of which other publications claim that the first is stronger, in all modes."""
    print(f"#### {reading}: {PART_TITLES['directions']}\n")
    print("The publications claim that the first is stronger. Health: what its units have left at the end of a game,")
    print("less what the second's have, on average.\n")
    print("| mode | first | second | won-drawn-lost | score | health | source |\n|---|---|---|---|---|---|---|")
    for mode, chosen in DIRECTIONS.items():
        if (reading, "directions", mode) not in found:
            continue
        tallies = found[reading, "directions", mode].tallies
        left = _health(read_seats(folder / f"directions-{mode}-{reading}"))
        for claim in chosen.claims:
            pair = claim.better, claim.worse
            score = wilson_interval(tallies[pair].points, tallies[pair].games)
            more = bootstrap_mean(left[pair], seed=0)
            cells = f"{counts(tallies[pair])} | {score.estimate:.2f} ({score.low:.2f} to {score.high:.2f})"
            cells += f" | {more.estimate:.0f} ({more.low:.0f} to {more.high:.0f})"
            print(f"| {mode} | **{claim.better}** | {claim.worse} | {cells} | {claim.source} |")
    print()


def _health(seats: Sequence[Mapping[str, Any]]) -> dict[tuple[str, str], list[float]]:
    """(One player, other player) -> by how much the health of the one's units exceeds the other's at the end."""
    games: dict[int, dict[str, float]] = {}
    for seat in seats:
        games.setdefault(seat["number"], {})[seat["player"]] = seat["metric_health"]
    found: dict[tuple[str, str], list[float]] = {}
    for game in games.values():
        for one, other in permutations(game):
            found.setdefault((one, other), []).append(game[one] - game[other])
    return found


def print_settings(reading: str, found: Mapping[Key, Played]) -> None:
    """The settings that tuning found, with their games against the rule-based agents."""
    print(f"#### {reading}: settings found by NTBEA\n\nGames against the rule-based agent on other starts.\n")
    print("| mode | planner | settings | won-drawn-lost |\n|---|---|---|---|")
    for mode, planners in recorded().get(reading, {}).items():
        played = found.get((reading, "tuned-rule-agents", mode))
        for name, settings in planners.items():
            tally = None if played is None else played.tallies.get((name, "agent"))
            text = ", ".join(f"{key} {_shown(value)}" for key, value in settings.items())
            print(f"| {mode} | **{name}** | {text} | {DASH if tally is None else counts(tally)} |")
    print()


def _shown(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def main(folder: Path) -> None:
    """Print all tables, then the verdicts."""
    found = read(folder)
    if not found:
        sys.exit(f"{folder}: expected folders PART-MODE-READING with seats.parquet and games.parquet.")
    for reading, part in dict.fromkeys((reading, part) for reading, part, _ in found):
        if part == "tuned-rule-agents":
            print_settings(reading, found)
            continue
        if part == "directions":
            print_directions(reading, found, folder)
            continue
        if part in ("rule-agents", "usage"):
            print_agents(reading, part, found)
            if part == "usage":
                print_usage(reading, found)
            continue
        for key, played in found.items():
            if key[:2] == (reading, part):
                mode = key[2]
                printed = TOTALS[printed_mode(mode)] if part.endswith("round-robin") else None
                print_pairs(f"{mode}, {reading}: {PART_TITLES[part]}", played, PLANNERS, printed)
    print("### Verdicts\n")
    print_verdicts([claim for key, played in found.items() for claim in judge(key, played, _EFFORT)])


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(Path(sys.argv[1]))
