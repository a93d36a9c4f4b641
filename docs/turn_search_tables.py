"""Tables of the recorded study turn-search: ``python docs/turn_search_tables.py FOLDER`` prints them as Markdown.

FOLDER holds what ``turnwise export --format parquet --no-timing`` wrote of every tournament, as
FOLDER/PART-CASE-READING/seats.parquet, and the files FOLDER/regret-*.jsonl of the part "regret". The page's tables are
this output.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any

from pair_tables import counts, print_pairs, print_verdicts, read_all, read_seats, score_words
from rating_tables import print_ratings

from turnwise.arena.regret import Regret
from turnwise.report.model import Claim
from turnwise.report.words import DASH
from turnwise.statistics.verdict import Verdict
from turnwise.studies.played import Played
from turnwise.studies.turn_search.cells import CELLS, RIVALS
from turnwise.studies.turn_search.effort import TurnEffort
from turnwise.studies.turn_search.experiment import (
    DEFAULT_EVALUATION,
    EVERY_READING,
    PART_OF_CELLS,
    PARTS,
    Key,
    keys,
    name_of,
)
from turnwise.studies.turn_search.factors import CellGame, Meeting, Met, factor_claims, met_in
from turnwise.studies.turn_search.players import MAXIMIN
from turnwise.studies.turn_search.printed import OE
from turnwise.studies.turn_search.report import PART_TITLES, budgets_text, judge_all, title_of
from turnwise.studies.turn_search.turns import PART, mean_losses, measurements, regret_claims, stored_measurements

GAMES = 100  # per pair of Table II, with the effort "paper"
_EFFORT = TurnEffort("paper", GAMES)
_ONE_AGAINST_ALL = ("turn-maximin", "runners-up", "ablations", "time-sweep", "more-time")


def print_rivals(title: str, played: Played, own: Sequence[str] = (MAXIMIN,)) -> None:
    """Turn-maximin, or several forms of it, against each of the others."""
    views = " and of ".join(f"`{name}`" for name in own)
    print(f"#### {title}\n\n{played.games} games, from the point of view of {views}.\n")
    for name in own:
        heading = "against" if len(own) == 1 else f"{name} against"
        print(f"| {heading} | won-drawn-lost | score % (95 % interval) |\n|---|---|---|")
        for (one, other), tally in played.tallies.items():
            if one == name:
                print(f"| {other} | {counts(tally)} | {score_words(tally)} |")
        print()


def cell_games(seats: Sequence[Mapping[str, Any]]) -> list[CellGame]:
    """The games of the part "factors"."""
    games: dict[int, CellGame] = {}
    for seat in seats:
        game = games.setdefault(seat["number"], CellGame(seat["scenario"], seat["group"], {}))
        games[seat["number"]] = game._replace(scores={**game.scores, seat["player"]: seat["score"]})
    return list(games.values())


def print_cells(way: str, met: Mapping[Meeting, Met]) -> None:
    """Turn-maximin in every cell of Hero Academy."""
    print(f"#### sound: {PART_TITLES[PART_OF_CELLS]}, {way}\n")
    print(f"{sum(each.tally.games for each in met.values())} games, from the point of view of `{MAXIMIN}`;", end=" ")
    print("won-drawn-lost, score % (95 % interval). A sequential test ended the games, so scores are biased", end=" ")
    print("away from 50 %.\n")
    print(f"| | {' | '.join(f'against {rival}' for rival in RIVALS)} |\n|---|{'---|' * len(RIVALS)}")
    for cell in CELLS:
        shown = []
        for rival in RIVALS:
            tally = met[cell, rival].tally
            shown.append(f"{counts(tally)}, {score_words(tally)}")
        print(f"| {cell.text} | {' | '.join(shown)} |")
    print()


def print_regret(way: str, regret: Regret) -> None:
    """What the turns of all planners cost after a strong reply."""
    print(f"#### sound: what a turn costs after a strong reply, {way}\n")
    print(
        f"{regret.positions} positions. Points of the evaluation that a long search's turn gains over this one, and in "
        "how many positions it gains nothing.\n"
    )
    print("| | mean loss (95 % interval) | median | no loss |\n|---|---|---|---|")
    for name, mean in mean_losses(regret).items():
        losses = regret.losses(name)
        as_good = sum(loss <= 0 for loss in losses)
        words = f"{mean.estimate:,.0f} ({mean.low:,.0f} to {mean.high:,.0f})"
        print(f"| {name} | {words} | {median(losses):,.0f} | {as_good} |")
    print()


def print_recorded(cases: Mapping[str, Mapping[str, bool]], claims: Mapping[str, Sequence[Claim]]) -> None:
    """Which cases of every part are recorded, and how many claims hold.

    Args:
        cases: Part -> case -> whether it is recorded.
        claims: Part -> its claims on what is recorded.
    """
    verdicts = (Verdict.REPRODUCED, Verdict.UNDECIDED, Verdict.NOT_REPRODUCED)
    print("### What is recorded\n\nThe last three columns count the claims on what is recorded, by verdict.\n")
    print(f"| part | recorded | not yet | {' | '.join(verdicts)} |\n|---|---|---|{'---|' * len(verdicts)}")
    for part, there in cases.items():
        recorded = [case for case, is_there in there.items() if is_there]
        missing = [case for case, is_there in there.items() if not is_there]
        numbers = [sum(claim.verdict == verdict for claim in claims[part]) for verdict in verdicts]
        counted = " | ".join(map(str, numbers)) if recorded else f"{DASH} | {DASH} | {DASH}"
        print(f"| `{part}` | {_listed(recorded, missing)} | {_listed(missing, recorded)} | {counted} |")
    print()


def _listed(these: Sequence[str], others: Sequence[str]) -> str:
    return DASH if not these else ", ".join(these) if others else "all"


def _case(key: Key) -> str:
    """Name of a tournament within its part; without a reading it is the sound one."""
    reading, part, case = key
    named = part in EVERY_READING and (reading != "sound" or not case)
    return " ".join(filter(None, (reading if named else "", case)))


def print_part(key: Key, played: Played) -> None:
    """The table of a tournament; the part "factors" has one for all its cells."""
    if key[1] in _ONE_AGAINST_ALL:
        print_rivals(title_of(key), played)
    elif key[1] == "evaluations":
        print_rivals(title_of(key), played, (MAXIMIN, DEFAULT_EVALUATION))
    elif key[1] == "field":
        print_ratings(f"#### {title_of(key)}", f"`{budgets_text(key, _EFFORT)}` a turn", played.once(), OE)
    elif key[1] != PART_OF_CELLS:
        print_pairs(title_of(key), played, ())


def main(folder: Path) -> None:
    """Print what is recorded, all tables, and the verdicts."""
    names: dict[Key, str] = {key: name_of(key) for key in keys(_EFFORT)}
    found = read_all(folder, names, "PART-CASE-READING")
    in_cells = {key: cell_games(read_seats(folder / names[key])) for key in found if key[1] == PART_OF_CELLS}
    met = met_in(in_cells, _EFFORT)
    measured = stored_measurements(folder, _EFFORT)

    by_part = {part: {key: played for key, played in found.items() if key[1] == part} for part in PARTS}
    claims = {part: judge_all(of_part, _EFFORT) for part, of_part in by_part.items()}
    claims |= {PART_OF_CELLS: factor_claims(met, _EFFORT), PART: regret_claims(measured, _EFFORT)}
    cases = {part: {_case(key): key in found for key in names if key[1] == part} for part in PARTS}
    print_recorded(cases | {PART: {way: way in measured for way in measurements(_EFFORT)}}, claims)

    print("### Tables\n")
    for way, cells in met.items():
        print_cells(way, cells)
    for key, played in found.items():
        print_part(key, played)
    for way, regret in measured.items():
        print_regret(way, regret)
    print("### Verdicts\n")
    print_verdicts([claim for of_part in claims.values() for claim in of_part])


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(Path(sys.argv[1]))
