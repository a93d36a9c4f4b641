"""*Online Evolution for Multi-Action Adversarial Games* (Justesen, Mahlmann, Togelius 2016), run again.

Three experiments per reading of the paper: Table 2 (the five players against one another), the same with fewer games
against random play, and the comparisons of variants that the text makes. Effort "paper" gives every planner, per turn,
the work that the paper reports for its 6 s, so that results do not depend on the machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from turnwise.arena.records import GameRecord
from turnwise.arena.tournament.specification import TournamentSpec, make_spec
from turnwise.core.errors import OptionError, unknown_name
from turnwise.studies import PARTS as PARTS_OF
from turnwise.studies.parts import PartRun, Say, StudyResult, Tell, play_parts, report_path

SOURCE = "Justesen, Mahlmann & Togelius 2016, Table 2"
PLAYERS = ("random", "greedy-action", "greedy-turn", "mcts", "online-evolution")
PUBLISHED_GAMES = 100
# Score of the row against the column (Table 2).
TABLE_2 = {
    ("greedy-action", "random"): 1.0,
    ("greedy-action", "greedy-turn"): 0.36,
    ("greedy-action", "mcts"): 0.515,
    ("greedy-action", "online-evolution"): 0.10,
    ("greedy-turn", "random"): 1.0,
    ("greedy-turn", "greedy-action"): 0.64,
    ("greedy-turn", "mcts"): 0.88,
    ("greedy-turn", "online-evolution"): 0.195,
    ("mcts", "random"): 1.0,
    ("mcts", "greedy-action"): 0.485,
    ("mcts", "greedy-turn"): 0.22,
    ("mcts", "online-evolution"): 0.02,
    ("online-evolution", "random"): 1.0,
    ("online-evolution", "greedy-action"): 0.90,
    ("online-evolution", "greedy-turn"): 0.805,
    ("online-evolution", "mcts"): 0.98,
}
# Work per turn that section 3.4 reports for 6 s.
PAPER_WORK = {"greedy-turn": 579_912, "mcts": 258_488, "online-evolution": 3_693}
QUICK_SHARE = 0.02
VARIANT_SHARE = 0.1  # of the effort, for the comparisons of variants
READINGS = ("sound", "as-published", "as-coded")
# The paper's experiment had no hidden information; the published engine hides the opponent's hand.
SCENARIOS = {"sound": "hero-academy:hands=open", "as-published": "hero-academy:hands=open", "as-coded": "hero-academy"}
_RANDOM_GAMES = 20
_LONGEST_GAMES = 20
SEED = 2016
PARTS = PARTS_OF["oe-2016"]


@dataclass(frozen=True)
class Effort:
    """How much each planner may search per turn: wall time, or a share of the paper's work."""

    name: str
    share: float = 1.0
    milliseconds: float | None = None

    def budget(self, planner: str, share: float = 1.0, per_action: float | None = None) -> str:
        """Budget of a planner.

        Args:
            planner: Its registry name.
            share: Part of the effort.
            per_action: If given: this part of the turn's budget for every action.
        """
        scope = "" if per_action is None else "/action"
        share *= 1.0 if per_action is None else per_action
        if self.milliseconds is not None:
            return f"time={self.milliseconds * share:.12g}ms{scope}"
        work = PAPER_WORK.get(planner)
        return f"iterations={max(1, int(work * self.share * share)) if work else 1000}{scope}"


@dataclass(frozen=True)
class Tournaments:
    """The tournaments of one reading: Table 2, the same against random, variants, and the longest rollouts."""

    table: TournamentSpec
    against_random: TournamentSpec
    variants: TournamentSpec
    longest: TournamentSpec

    def named(self) -> tuple[tuple[str, TournamentSpec], ...]:
        """(Name of the results file, specification)."""
        return tuple((name.replace("_", "-"), getattr(self, name)) for name in self.__dataclass_fields__)


VARIANT_TABLES = (
    ("mcts", "mcts with rollouts of 5 turns"),
    ("mcts", "mcts with random rollouts"),
    ("mcts", "mcts in five searches"),
    ("online-evolution", "online-evolution with rollouts"),
    ("online-evolution", "online-evolution at full effort"),
)
LONGEST_TABLES = (("greedy-action", "mcts with rollouts to the end"),)


def _text(planner: str, reading: str, *settings: str) -> str:
    preset = [] if reading == "sound" else [f"preset={reading}"]
    every = [*preset, *settings]
    return f"{planner}:{','.join(every)}" if every else planner


def tournaments(reading: str, effort: Effort, games: int) -> Tournaments:
    """What is played for one reading.

    Args:
        reading: One of READINGS.
        effort: Work per turn.
        games: Games per pair; even.
    """
    scenario = SCENARIOS[reading]
    players = {name: _text(name, reading) for name in PLAYERS}
    budgets = {name: effort.budget(name) for name in PLAYERS}
    strong = {name: text for name, text in players.items() if name != "random"}
    variants = {
        "mcts": _text("mcts", reading),
        "mcts with rollouts of 5 turns": _text("mcts", reading, "rollout-turns=5"),
        "mcts with random rollouts": _text("mcts", reading, "q=0"),
        "mcts in five searches": _text("mcts", reading),
        "online-evolution": _text("online-evolution", reading),
        "online-evolution with rollouts": _text("online-evolution", reading, "fitness=rollout"),
        "online-evolution at full effort": _text("online-evolution", reading),
    }
    variant_budgets = {name: effort.budget(text.split(":")[0], VARIANT_SHARE) for name, text in variants.items()}
    variant_budgets["mcts in five searches"] = effort.budget("mcts", VARIANT_SHARE, per_action=0.2)
    variant_budgets["online-evolution at full effort"] = effort.budget("online-evolution")
    long = {
        "greedy-action": players["greedy-action"],
        "mcts with rollouts to the end": _text("mcts", reading, "rollout-turns=1000"),
    }
    long_budgets = {
        "greedy-action": effort.budget("greedy-action"),
        "mcts with rollouts to the end": effort.budget("mcts", VARIANT_SHARE**2),
    }

    def spec(name: str, chosen: dict[str, str], limits: dict[str, str], count: int, **more: object) -> TournamentSpec:
        return make_spec(
            name=f"oe-2016 {name}, {reading}",
            games=(scenario,),
            players=chosen,
            budget="iterations=1000" if effort.milliseconds is None else effort.budget("random"),
            budgets={player: limits[player] for player in chosen},
            games_per_pair=count,
            seed=SEED,
            replays=4,
            **more,
        )

    return Tournaments(
        table=spec("table 2", strong, budgets, games),
        against_random=spec(
            "against random", players, budgets, min(games, _RANDOM_GAMES), pairing="gauntlet", challengers=("random",)
        ),
        variants=spec("variants", variants, variant_budgets, games, pairing="tables", tables=VARIANT_TABLES),
        longest=spec(
            "longest rollouts", long, long_budgets, min(games, _LONGEST_GAMES), pairing="tables", tables=LONGEST_TABLES
        ),
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
        effort: "paper" (the work per turn that the paper reports for 6 s) or "quick" (2 % of it).
        time_ms: Wall time per turn in milliseconds instead of an effort.
        games: Games per pair (default: 100 for "paper", else 10); rounded up to an even number. If the folder holds
            more from an earlier run, the report is on as many as are asked for here.
        workers: Games at once.
        out: Folder of results and report (default: runs/oe-2016-EFFORT); a second run goes on from it.
        reading: "sound", "as-published", "as-coded", "both" (the first two side by side), or "all" three.
        progress: Called as ``progress(done, total, text)``.
        only: Names of the experiments to play (default: all): table, against-random, variants, longest.
        say: Called with single lines that the user should know: a rounded number of games, games left out.
        retry_damaged: Play games again that are damaged in the results files.

    Raises:
        OptionError: An unknown effort or reading.
        UnknownNameError: An unknown part.
        ResultsMismatchError: The folder holds results of other settings or rules.
        DamagedGamesError: Games in the folder are damaged, and ``retry_damaged`` is not set.
    """
    from turnwise.report.html import write_report
    from turnwise.studies.oe_2016.report import build_report

    chosen = _effort(effort, time_ms)
    readings = {"both": READINGS[:2], "all": READINGS}.get(reading, (reading,))
    if any(name not in READINGS for name in readings):
        raise OptionError(f"A reading is one of {', '.join(READINGS)}, both or all; got {reading!r}.")
    for part in only:
        if part not in PARTS:
            raise unknown_name("part of this study", part, PARTS)
    count = games if games is not None else (PUBLISHED_GAMES if effort == "paper" and time_ms is None else 10)
    if count % 2:
        count += 1
        say(f"{count} games per pair instead of {count - 1}: every start is played from both seats.")
    folder = out if out is not None else Path("runs") / f"oe-2016-{chosen.name}"
    folder.mkdir(parents=True, exist_ok=True)
    page = report_path(folder)
    runs = {
        (now, name): PartRun(f"{name}, {now} reading", folder / f"{name}-{now}.sqlite", spec)
        for now in readings
        for name, spec in tournaments(now, chosen, count).named()
        if not only or name in only
    }
    play_parts(runs.values(), workers, progress, retry_damaged)
    records = {key: run.asked() for key, run in runs.items()}
    told = {**records, **_played_before(folder, chosen, set(records))}
    beyond = sum(run.stored_count() - len(records[key]) for key, run in runs.items())
    if beyond:
        say(f"{folder} holds {beyond} further games from a run with more games per pair; they are not counted here.")
    in_order = {(now, name): told[now, name] for now in READINGS for name in PARTS if (now, name) in told}
    data = build_report(in_order, chosen, _command(effort, time_ms, count, reading, only, out))
    return StudyResult(data, write_report(data, page))


def _played_before(
    folder: Path, effort: Effort, known: set[tuple[str, str]]
) -> dict[tuple[str, str], list[GameRecord]]:
    """All games of other parts and readings that lie in the folder and were played with this effort."""
    found = {}
    for reading in READINGS:
        for name, spec in tournaments(reading, effort, 2).named():
            run = PartRun(name, folder / f"{name}-{reading}.sqlite", spec)
            if (reading, name) not in known and run.is_stored():
                found[reading, name] = run.stored()
    return found


def _effort(effort: str, time_ms: float | None) -> Effort:
    if time_ms is not None:
        return Effort(f"{time_ms:g}ms", milliseconds=time_ms)
    if effort not in ("paper", "quick"):
        raise OptionError(f"An effort is 'paper' or 'quick'; got {effort!r}.")
    return Effort(effort, 1.0 if effort == "paper" else QUICK_SHARE)


def _command(
    effort: str, time_ms: float | None, games: int, reading: str, only: Sequence[str], out: Path | None
) -> str:
    work = f"--time {time_ms:g}" if time_ms is not None else f"--effort {effort}"
    parts = "".join(f" --only {name}" for name in only)
    folder = "" if out is None else f" --out {out}"
    return f"turnwise study oe-2016 {work} --games {games} --reading {reading}{parts}{folder}"
