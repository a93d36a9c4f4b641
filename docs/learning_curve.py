"""Learning curve of examples/train_ppo.py: ``python docs/learning_curve.py`` draws docs/images/learning-curve.svg.

It also prints the table of the final games for docs/how-to/environments.md. Both come from docs/data/train-ppo.csv and
docs/data/train-ppo.json, which ``python docs/learning_curve.py runs/1 runs/2 runs/3`` makes first from the folders that
the example wrote. A point of a curve covers all games that ended in a range of steps; each range is 1.5 times as long
as the one before.
"""

from __future__ import annotations

import csv
import itertools
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import turnwise
from turnwise.report.figures import SERIES, SOFT, finished, plain_canvas, style
from turnwise.statistics.intervals import Interval, Tally, wilson_interval

DOCS = Path(__file__).parent
CURVES, RESULTS = DOCS / "data" / "train-ppo.csv", DOCS / "data" / "train-ppo.json"
PICTURE = DOCS / "images" / "learning-curve.svg"
THEMES = Path(turnwise.__file__).parent / "report" / "templates"
RANGES = [0.0, *(32_768 * 1.5**number for number in range(12))]  # of steps
FONT = "system-ui, sans-serif"


class Update(NamedTuple):
    """A row of a curve: the games that ended since the row before."""

    seed: int
    steps: int
    games: int
    won: int
    drawn: int


def collect(folders: Sequence[Path]) -> None:
    """Store what some runs wrote: their curves without losses, and their final games."""
    updates, results = list[Update](), list[dict[str, Any]]()
    for folder in folders:
        result = json.loads((folder / "result.json").read_text(encoding="utf-8"))
        seed = int(result["settings"]["seed"])
        with (folder / "curve.csv").open(encoding="utf-8") as file:
            for row in csv.DictReader(file):
                games = int(row["games"])
                shares = [float(row[name]) if games else 0.0 for name in ("won", "drawn")]
                updates.append(Update(seed, int(row["steps"]), games, *(round(games * share) for share in shares)))
        results.append({"seed": seed, **{name: result[name] for name in ("steps", "seconds", "against")}})
    with CURVES.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(Update._fields)
        rows.writerows(updates)
    RESULTS.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


def curves() -> dict[int, list[Update]]:
    """The stored curves by seed."""
    found: dict[int, list[Update]] = {}
    with CURVES.open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            update = Update(*(int(row[name]) for name in Update._fields))
            found.setdefault(update.seed, []).append(update)
    return found


def points(updates: Sequence[Update]) -> Iterator[tuple[float, Interval]]:
    """The score in each range of steps, at its last step."""
    for low, high in itertools.pairwise(RANGES):
        inside = [update for update in updates if low < update.steps <= high]
        games = sum(update.games for update in inside)
        if games:
            won, drawn = sum(update.won for update in inside), sum(update.drawn for update in inside)
            yield inside[-1].steps, wilson_interval(won + drawn / 2, games)


def picture() -> str:
    """The SVG, with the colours of reports; it follows the light or dark theme of whoever looks at it."""
    with style():
        figure, axes = plain_canvas(6.4, 3.2)
        axes.set_xscale("log")
        ends = []
        for (seed, updates), colour, dashes in zip(curves().items(), SERIES, ("-", "--", ":"), strict=False):
            steps, values = zip(*points(updates), strict=True)
            low, middle, high = np.array([(100 * v.low, 100 * v.estimate, 100 * v.high) for v in values]).T
            axes.fill_between(steps, low, high, color=colour, alpha=0.18, linewidth=0)
            axes.plot(steps, middle, dashes, color=colour, linewidth=1.8, label=f"seed {seed}")
            ends.append(f"seed {seed}: {middle[0]:.1f} % at first, {middle[-1]:.1f} % in the end")
        axes.axhline(50, color=SOFT, linewidth=1)
        axes.set_ylim(25, 102)
        axes.set_xticks(
            [30_000, 100_000, 300_000, 1_000_000, 2_000_000], ["30,000", "100,000", "300,000", "1 M", "2 M"]
        )
        axes.set_xticks([], minor=True)
        axes.legend(frameon=False, loc="lower right", fontsize=9.5)
        figure.supxlabel("actions of the learner, logarithmic", fontsize=9.5, color=SOFT)
        figure.supylabel("score against random play, %", fontsize=9.5, color=SOFT)
        label = f"Learning curve, score against random play: {'; '.join(ends)}"
        return standalone(finished(figure, label, "learning").svg)


def standalone(svg: str) -> str:
    """A figure of a report as a file of its own: with both themes, and the page's colour under it."""
    light, dark = ((THEMES / f"{name}.css").read_text(encoding="utf-8").strip() for name in ("light", "dark"))
    rules = (
        f"svg {{\n--font: {FONT};\n{light}\n}}\n@media (prefers-color-scheme: dark) {{ svg {{\n{dark}\n}} }}\n"
        "#under { fill: var(--card); }"
    )
    head, _, body = svg.partition(">")
    lines = [line.rstrip() for line in body.splitlines()]
    under = '<rect id="under" width="100%" height="100%" rx="6"/>'
    return f"{head}>\n<style>\n{rules}\n</style>\n{under}" + "\n".join(lines) + "\n"


def table() -> list[str]:
    """The final games of each seed, as rows of Markdown."""
    rows = ["| seed | steps | time | against `random` | against `greedy-action` |", "|---|---|---|---|---|"]
    for result in json.loads(RESULTS.read_text(encoding="utf-8")):
        scores = [in_words(result["against"][opponent]) for opponent in ("random", "greedy-action")]
        time = f"{result['seconds']:,.0f} s"
        rows.append(f"| {result['seed']} | {result['steps']:,} | {time} | {scores[0]} | {scores[1]} |")
    return rows


def in_words(counts: dict[str, Any]) -> str:
    """A score with its interval."""
    tally = Tally(counts["won"], counts["drawn"], counts["lost"])
    score = wilson_interval(tally.points, tally.games)
    return f"{percent(score.estimate)} % ({percent(score.low)}-{percent(score.high)})"


def percent(share: float) -> str:
    """A share in percent, with one decimal unless it is whole."""
    return f"{100 * share:.1f}".replace("100.0", "100")


if __name__ == "__main__":
    if sys.argv[1:]:
        collect([Path(folder) for folder in sys.argv[1:]])
    PICTURE.write_text(picture(), encoding="utf-8")
    print("\n".join([*table(), f"{PICTURE.relative_to(DOCS.parent)} is drawn."]))
