"""*Combining Evolutionary Algorithms with Monte Carlo Tree Search for Game AI* (Kowalczyk, Stefaniak 2022), run again.

Every agent of the thesis' figures plays every board and track; effort is counted in simulator steps, so that results do
not depend on the machine. Beside the thesis' agents, the strongest published single-player searches play the same
boards with the same steps.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from turnwise.arena.tournament.specification import TournamentSpec, make_spec
from turnwise.core.errors import OptionError, unknown_name
from turnwise.games.search_race.scenario import selection
from turnwise.studies.hybrids_2022.agents import (
    EQUAL_STEPS,
    EQUAL_TIME,
    Agent,
    race_agents,
    race_extras,
    race_gene_agents,
    samegame_agents,
    samegame_beam,
    samegame_peers,
)
from turnwise.studies.parts import PartRun, Say, StudyResult, Tell, play_parts, report_path

SEED = 2022
EFFORTS = {"thesis": 1.0, "tenth": 0.1, "quick": 0.001}
SEEDS = {"thesis": 3, "tenth": 5, "quick": 2}

BOARDS = tuple(str(number) for number in range(1, 21))


def _headline(agents: Sequence[Agent], milliseconds: int) -> tuple[Agent, ...]:
    wanted = {f"MCTS {milliseconds}", f"RHEA {milliseconds}"}
    wanted |= {f"{order} v4 {milliseconds}" for order in ("RHEA-MCTS", "MCTS-RHEA")}
    return tuple(agent for agent in agents if agent.name in wanted)


@dataclass(frozen=True)
class Part:
    """A part of the study: agents that play all cases of one game.

    Attributes:
        reading: What is judged together: SameGame, or Search Race in one of its readings.
        scenarios: Scenario texts by case.
        agents: Who plays.
    """

    reading: str
    scenarios: Mapping[str, str]
    agents: tuple[Agent, ...]


SAMEGAME_READING = "SameGame"
TIME_READING = "Search Race, equal time, 0.15 per individual"
GENES_READING = "Search Race, equal time, 0.15 per gene"
STEPS_READING = "Search Race, equal steps, 0.15 per individual"


def parts() -> dict[str, Part]:
    """All parts by name."""
    boards = {f"board {name}": f"samegame:board={name}" for name in BOARDS}
    tracks = {name: f"search-race:track={name}" for name in selection()}
    samegame, races = samegame_agents(), race_agents(EQUAL_TIME)
    same_steps = (*race_agents(EQUAL_STEPS), *race_extras(EQUAL_STEPS))
    return {
        "samegame": Part(SAMEGAME_READING, boards, samegame),
        "peers": Part(SAMEGAME_READING, boards, samegame_peers()),
        "peers-beam": Part(SAMEGAME_READING, boards, samegame_beam()),
        "search-race": Part(TIME_READING, tracks, races),
        "search-race-splits": Part(TIME_READING, tracks, race_extras(EQUAL_TIME)),
        "search-race-genes": Part(GENES_READING, tracks, race_gene_agents(EQUAL_TIME)),
        "search-race-steps": Part(STEPS_READING, tracks, same_steps),
        "headline-samegame": Part(SAMEGAME_READING, boards, _headline(samegame, 1000)),
        "headline-search-race": Part(TIME_READING, tracks, _headline(races, 200)),
    }


def specification(name: str, part: Part, effort: str, seeds: int) -> TournamentSpec:
    """A part as a tournament of single-player games: every agent plays every case once per seed."""
    share = EFFORTS[effort]
    budgets = {agent.name: f"forward={max(1, round(agent.steps * share))}" for agent in part.agents}
    return make_spec(
        name=f"hybrids-2022 {name}, {effort}",
        games=tuple(part.scenarios.values()),
        players={agent.name: agent.text for agent in part.agents},
        budget="forward=1",
        budgets=budgets,
        games_per_pair=seeds,
        seed=SEED,
        replays=1,
        notes="none",
    )


def run_study(
    effort: str = "quick",
    time_ms: float | None = None,
    games: int | None = None,
    workers: int = 1,
    out: Path | None = None,
    reading: str = "both",
    progress: Tell = lambda done, total, told: None,
    only: Sequence[str] = (),
    say: Say = lambda text: None,
    retry_damaged: bool = False,
) -> StudyResult:
    """Play what is missing, judge the claims, write the report.

    Args:
        effort: "thesis" (the steps that its time limits are worth), "tenth" or "quick" (a thousandth).
        time_ms: Refused: this study counts steps.
        games: Seeds per board and track (default: 3, 5 or 2).
        workers: Games at once.
        out: Folder of results and report (default: runs/hybrids-2022-EFFORT); a second run goes on from it.
        reading: Ignored: the thesis has no engine to be read beside its text.
        progress: Called as ``progress(done, total, text)``.
        only: Names of parts to play (default: all but the headline parts): see :func:`parts`.
        say: Told what the user should know.
        retry_damaged: Play games again that are damaged in the results files.

    Raises:
        OptionError: An unknown effort, or a time.
        UnknownNameError: An unknown part.
        ResultsMismatchError: The folder holds results of other settings or rules.
        DamagedGamesError: Games in the folder are damaged, and ``retry_damaged`` is not set.
    """
    from turnwise.report.html import write_report
    from turnwise.studies.hybrids_2022.report import build_report

    if time_ms is not None:
        raise OptionError("hybrids-2022 counts simulator steps, not time: use --effort thesis, tenth or quick.")
    if effort not in EFFORTS:
        raise OptionError(f"hybrids-2022: an effort is one of {', '.join(EFFORTS)}; got {effort!r}.")
    known = parts()
    for name in only:
        if name not in known:
            raise unknown_name("part of this study", name, known)
    doubled = [name for name in only if f"headline-{name}" in only]
    if doubled:
        raise OptionError(f"hybrids-2022: headline-{doubled[0]} is a part of {doubled[0]}; ask for one of them.")
    chosen = only or tuple(name for name in known if not name.startswith("headline"))
    seeds = games if games is not None else SEEDS[effort]
    folder = out if out is not None else Path("runs") / f"hybrids-2022-{effort}"
    folder.mkdir(parents=True, exist_ok=True)
    page = report_path(folder)
    runs = {
        name: PartRun(name, folder / f"{name}.sqlite", specification(name, known[name], effort, seeds))
        for name in chosen
    }
    play_parts(runs.values(), workers, progress, retry_damaged)
    records = {name: run.asked() for name, run in runs.items()}
    command = _command(effort, seeds, only, out)
    data = build_report({name: known[name] for name in chosen}, records, effort, seeds, command)
    return StudyResult(data, write_report(data, page))


def _command(effort: str, seeds: int, only: Sequence[str], out: Path | None) -> str:
    narrowed = "".join(f" --only {name}" for name in only)
    folder = "" if out is None else f" --out {out}"
    return f"turnwise study hybrids-2022 --effort {effort} --games {seeds}{narrowed}{folder}"
