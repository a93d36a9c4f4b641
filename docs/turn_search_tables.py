"""Tables of the recorded study turn-search: ``python docs/turn_search_tables.py FOLDER`` prints them as Markdown.

FOLDER holds what ``turnwise export --format parquet --no-timing`` wrote of every tournament, as
FOLDER/PART-CASE-READING/seats.parquet. The page's results are this output. The part "regret" is judged from another
file and is not printed.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pair_tables import counts, print_pairs, print_verdicts, read_all, read_seats, score_words
from rating_tables import print_ratings

from turnwise.studies.played import Played
from turnwise.studies.turn_search.cells import CELLS, RIVALS
from turnwise.studies.turn_search.effort import TurnEffort
from turnwise.studies.turn_search.experiment import DEFAULT_EVALUATION, PART_OF_CELLS, Key, keys, name_of
from turnwise.studies.turn_search.factors import CellGame, Meeting, Met, factor_claims, met_in
from turnwise.studies.turn_search.players import MAXIMIN
from turnwise.studies.turn_search.printed import OE
from turnwise.studies.turn_search.report import PART_TITLES, budgets_text, judge_all, title_of

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


def main(folder: Path) -> None:
    """Print all tables, then the verdicts."""
    names: dict[Key, str] = {key: name_of(key) for key in keys(_EFFORT)}
    found = read_all(folder, names, "PART-CASE-READING")
    in_cells = {key: cell_games(read_seats(folder / names[key])) for key in found if key[1] == PART_OF_CELLS}
    met = met_in(in_cells, _EFFORT)
    for way, cells in met.items():
        print_cells(way, cells)
    for key, played in found.items():
        if key[1] == PART_OF_CELLS:
            continue
        if key[1] in _ONE_AGAINST_ALL:
            print_rivals(title_of(key), played)
        elif key[1] == "evaluations":
            print_rivals(title_of(key), played, (MAXIMIN, DEFAULT_EVALUATION))
        elif key[1] == "field":
            print_ratings(f"#### {title_of(key)}", f"`{budgets_text(key, _EFFORT)}` a turn", played.once(), OE)
        else:
            print_pairs(title_of(key), played, ())
    print("### Verdicts\n")
    print_verdicts([*judge_all(found, _EFFORT), *factor_claims(met, _EFFORT)])


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(Path(sys.argv[1]))
