"""The page on a results file."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from turnwise.cli.ui.output import message, plain
from turnwise.cli.ui.pages import write_page
from turnwise.cli.ui.results_target import command_words
from turnwise.core.errors import OptionError, counted

if TYPE_CHECKING:
    from turnwise.arena.records import GameRecord
    from turnwise.arena.results.reading import Results

PAGE_REPLAYS = 20


def results_page(
    file: Path,
    out: Path,
    *,
    title: str = "",
    replays: int = PAGE_REPLAYS,
    skip: Sequence[int] = (),
    skip_damaged: bool = False,
    maker: str = "",
    is_quiet: bool = False,
) -> None:
    """Write the page on the games of a results file, and say so.

    Args:
        file: The results file.
        out: The page.
        title: Headline; default: the tournament's name.
        replays: Largest number of games in the page.
        skip: Numbers of games to leave out.
        skip_damaged: Whether damaged games are left out.
        maker: Command and results file, from :func:`turnwise.cli.ui.pages.page_maker`; empty: any other page.
        is_quiet: Whether nothing is printed on standard output.

    Raises:
        OptionError: There are no games.
    """
    from turnwise.arena.results.reading import open_results
    from turnwise.report.builder import from_results
    from turnwise.report.facts import tournament_facts
    from turnwise.report.words import remarks_on

    with open_results(file, skip, skip_damaged=skip_damaged) as results:
        spec, command = results.spec, results.meta.get("command", "")
        records = list(results)
        remarks = remarks_on(results)
        scenarios = scenario_texts(results)
    if not records:
        what = "no game is left" if skip or skip_damaged else "no game has finished yet"
        raise OptionError(f"{file}: {what}; there is nothing to report.")
    data = from_results(
        title or spec.name,
        records,
        command=command,
        facts=tournament_facts(spec, scenarios),
        players=list(spec.players),
        summary=" ".join(remarks),
        max_replays=replays,
        seed=spec.seed,
        test=spec.sprt,
    )
    page = write_page(replace(data, maker=maker), out)
    _warn_of_unknown_games(file, records, command)
    if is_quiet:
        return
    for remark in remarks:
        plain(remark)
    plain(f"Report on {counted(len(records), 'game')}: {page}")


def report_command(file: Path, imports: Sequence[str]) -> str:
    """The command that makes a page on a results file.

    Args:
        file: The results file.
        imports: Modules that ``--import`` named.
    """
    return shlex.join([*command_words(imports, []), "report", str(file)])


def scenario_texts(results: Results) -> list[str]:
    """The scenarios of a tournament as its file names them; one with the content of a file is named by its label."""
    return [label if "{" in text else text for text, label in zip(results.spec.games, results.rules, strict=True)]


def _warn_of_unknown_games(store: Path, records: Sequence[GameRecord], command: str) -> None:
    """Warn of games that are not registered here: the page has their tables, but cannot show how they were played."""
    from turnwise.registry import GAMES

    counts = Counter(record.replay.game for record in records)
    unknown = sorted(counts.keys() - set(GAMES.names()))
    if not unknown:
        return
    given = _imports_of(command)
    module = "" if given else ", where MODULE is the Python module that registers it"
    advised = shlex.join(["turnwise", *(given or ["--import", "MODULE"]), "report", str(store), "--force"])
    for name in unknown:
        message(
            "Warning",
            f"There is no game {name!r} here, so the page has tables of its {counted(counts[name], 'game')}, but no "
            f"game to watch. To show them, run: {advised}{module}. An installed "
            f"package that names the game as an entry point in {GAMES.group!r} needs no --import.",
            style="bold yellow",
        )


def _imports_of(command: str) -> list[str]:
    """The words ``--import MODULE`` of a recorded command; none if it is not in the syntax of a shell.

    A results file records any text as its command if a tournament is started from Python.
    """
    try:
        words = shlex.split(command)
    except ValueError:
        return []
    return [each for word, value in pairwise(words) if word == "--import" for each in (word, value)]
