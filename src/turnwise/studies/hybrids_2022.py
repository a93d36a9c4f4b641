"""*Combining Evolutionary Algorithms with Monte Carlo Tree Search for Game AI* (Kowalczyk, Stefaniak 2022), run again.

Every agent of the thesis' figures plays every board and track; effort is counted in simulator steps, so that results do
not depend on the machine. Beside the thesis' agents, the strongest published single-player searches play the same
boards with the same steps.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from turnwise.arena.tournament import TournamentSpec, make_spec
from turnwise.core.errors import OptionError, unknown_name
from turnwise.games.search_race.scenario import selection
from turnwise.studies.parts import PartRun, Say, StudyResult, Tell, play_parts

SEED = 2022
# What a millisecond of the thesis is worth in simulator steps. A good engine plays 0.5 to 2 million SameGame actions a
# second on its machine, of which this is the low end. In a race evolution makes some 20 million steps a second, a tree
# search without rollouts 1 to 2 million; equal steps for all lie between, and the tree of 200 ms fits a million nodes.
SAMEGAME_STEPS = 500
RACE_STEPS = 4_000
EFFORTS = {"thesis": 1.0, "tenth": 0.1, "quick": 0.001}
SEEDS = {"thesis": 3, "tenth": 5, "quick": 2}

BOARDS = tuple(str(number) for number in range(1, 21))
SPLITS = (0.1, 0.2, 0.5, 0.8, 0.9)  # RHEA's share of a turn in figures 4.8 and 4.9
VERSIONS = (1, 2, 3, 4)


@dataclass(frozen=True)
class Agent:
    """An agent of a figure.

    Attributes:
        name: Its name in tables ("RHEA-MCTS v4 500").
        text: The planner.
        milliseconds: The thesis' time per turn.
    """

    name: str
    text: str
    milliseconds: int


def hybrid(order: str, version: int, milliseconds: int, rhea_share: float, settings: str) -> Agent:
    """A hybrid of the thesis.

    Args:
        order: "rhea-mcts" or "mcts-rhea".
        version: 1 to 4.
        milliseconds: Per turn.
        rhea_share: RHEA's part of the turn.
        settings: Further parameters.
    """
    split = "" if rhea_share == 0.5 else f" {_parts(order, rhea_share)}"
    name = f"{order.upper()} v{version}{split} {milliseconds}"
    return Agent(name, f"{order}:version={version},rhea-share={rhea_share:g},{settings}", milliseconds)


def _parts(order: str, rhea_share: float) -> str:
    shares = (rhea_share, 1 - rhea_share) if order == "rhea-mcts" else (1 - rhea_share, rhea_share)
    return ":".join(f"{100 * share:.0f}" for share in shares)


def samegame_agents() -> tuple[Agent, ...]:
    """Everybody of figures 4.1 to 4.10, and the baselines of Horn et al."""
    own = [
        Agent(f"{name} {time}", text, time)
        for name, text in (("MCTS", "sp-mcts:preset=samegame"), ("RHEA", "rhea:preset=samegame"))
        for time in (500, 1000)
    ]
    orders = ("rhea-mcts", "mcts-rhea")
    versions = [hybrid(order, v, 500, 0.5, "preset=samegame") for order in orders for v in VERSIONS]
    splits = [hybrid(order, 4, 1000, share, "preset=samegame") for order in orders for share in SPLITS]
    horn = [Agent("EA-ROLL 1000", "ea-roll:preset=samegame", 1000)]
    horn.append(Agent("EA-ALT-ACTIONS 1000", "ea-alt-actions:preset=samegame", 1000))
    return (*own, *versions, *splits, *horn)


def samegame_peers() -> tuple[Agent, ...]:
    """The strongest published single-player searches, with the steps of the agents at 1000 ms."""
    return (
        Agent("NRPA 1000", "nrpa", 1000),
        Agent("NRPA TabuColor 1000", "nrpa:policy=tabu-colour", 1000),
        Agent("NMCS TabuColor 1000", "nmcs:policy=tabu-colour", 1000),
        Agent("SP-MCTS restarts 1000", "sp-mcts:preset=schadd,restarts=4,play=remembered", 1000),
        Agent("BEAM 1000", "beam-search", 1000),
    )


def race_agents() -> tuple[Agent, ...]:
    """Everybody of figures 4.11 to 4.15, and the baselines of Horn et al."""
    own = [
        Agent(f"{name} {time}", text, time)
        for name, text in (("MCTS", "sp-mcts:preset=search-race"), ("RHEA", "rhea:preset=search-race"))
        for time in (100, 200)
    ]
    rollouts = {version: "rollout-depth=10" if version == 4 else "rollout-depth=0" for version in VERSIONS}
    versions = [
        hybrid(order, v, 200, 0.5, f"preset=search-race,{rollouts[v]}")
        for order in ("rhea-mcts", "mcts-rhea")
        for v in VERSIONS
    ]
    splits = [
        hybrid(order, 4, 200, share, f"preset=search-race,{rollouts[4]}")
        for order in ("rhea-mcts", "mcts-rhea")
        for share in SPLITS
        if share != 0.5
    ]
    horn = [Agent("EA-ROLL 200", "ea-roll:preset=search-race", 200)]
    horn.append(Agent("EA-ALT-ACTIONS 200", "ea-alt-actions:preset=search-race", 200))
    return (*own, *versions, *splits, *horn)


def _headline(agents: Sequence[Agent], milliseconds: int) -> tuple[Agent, ...]:
    wanted = {f"MCTS {milliseconds}", f"RHEA {milliseconds}"}
    wanted |= {f"{order} v4 {milliseconds}" for order in ("RHEA-MCTS", "MCTS-RHEA")}
    return tuple(agent for agent in agents if agent.name in wanted)


@dataclass(frozen=True)
class Part:
    """A part of the study: agents that play all cases of one game.

    Attributes:
        game: "samegame" or "search-race".
        scenarios: Scenario texts by case.
        agents: Who plays.
        steps: Simulator steps that stand for a millisecond.
    """

    game: str
    scenarios: Mapping[str, str]
    agents: tuple[Agent, ...]
    steps: int


def parts() -> dict[str, Part]:
    """All parts by name."""
    boards = {f"board {name}": f"samegame:board={name}" for name in BOARDS}
    tracks = {name: f"search-race:track={name}" for name in selection()}
    samegame, races = samegame_agents(), race_agents()
    return {
        "samegame": Part("samegame", boards, samegame, SAMEGAME_STEPS),
        "peers": Part("samegame", boards, samegame_peers(), SAMEGAME_STEPS),
        "search-race": Part("search-race", tracks, races, RACE_STEPS),
        "headline-samegame": Part("samegame", boards, _headline(samegame, 1000), SAMEGAME_STEPS),
        "headline-search-race": Part("search-race", tracks, _headline(races, 200), RACE_STEPS),
    }


def specification(name: str, part: Part, effort: str, seeds: int) -> TournamentSpec:
    """A part as a tournament of single-player games: every agent plays every case once per seed."""
    share = EFFORTS[effort]
    budgets = {agent.name: f"forward={max(1, round(agent.milliseconds * part.steps * share))}" for agent in part.agents}
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

    Raises:
        OptionError: An unknown effort, or a time.
        UnknownNameError: An unknown part.
        ResultsMismatchError: The folder holds results of other settings or rules.
    """
    from turnwise.report.html import write_report
    from turnwise.studies.hybrids_2022_report import build_report

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
    runs = {
        name: PartRun(name, folder / f"{name}.sqlite", specification(name, known[name], effort, seeds))
        for name in chosen
    }
    play_parts(runs.values(), workers, progress)
    records = {name: run.asked() for name, run in runs.items()}
    command = _command(effort, seeds, only, out)
    data = build_report({name: known[name] for name in chosen}, records, effort, seeds, command)
    return StudyResult(data, write_report(data, folder / "report.html"))


def _command(effort: str, seeds: int, only: Sequence[str], out: Path | None) -> str:
    narrowed = "".join(f" --only {name}" for name in only)
    folder = "" if out is None else f" --out {out}"
    return f"turnwise study hybrids-2022 --effort {effort} --games {seeds}{narrowed}{folder}"
