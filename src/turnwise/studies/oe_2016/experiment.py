"""Reproduction of *Online Evolution for Multi-Action Adversarial Games* (Justesen, Mahlmann, Togelius 2016).

Experiments per reading of the paper: Table 2 (the players against one another), the same with fewer games against
random play, and the text's comparisons of variants, the close ones again until a sequential test decides; one is ours,
turn-maximin against the paper's players. Effort "paper" gives every planner, per turn, the work that the paper reports
for its 6 s, so that results do not depend on the machine.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from turnwise.arena.tournament.specification import SprtSpec, TournamentSpec, make_spec
from turnwise.studies.base import Request
from turnwise.studies.oe_2016 import STUDY
from turnwise.studies.parts import PartRun

PLAYERS = ("random", "greedy-action", "greedy-turn", "mcts", "online-evolution")
MAXIMIN = "turn-maximin"
"""A player that the paper lacks."""
PUBLISHED_GAMES = 100
# Work per turn that section 3.4 reports for 6 s.
PAPER_WORK = {"greedy-turn": 579_912, "mcts": 258_488, "online-evolution": 3_693}
MAXIMIN_CALLS = PAPER_WORK["online-evolution"] * 50 * 5
"""Forward-model calls of turn-maximin: those of evolution, whose generations are 50 offspring of five actions each."""
QUICK_SHARE = 0.02
VARIANT_SHARE = 0.1  # share of the effort for the comparisons of variants
READINGS = STUDY.readings["all"]
PARTS = STUDY.parts
# The paper's experiment had no hidden information; the published engine hides the opponent's hand.
SCENARIOS = {"sound": "hero-academy:hands=open", "as-published": "hero-academy:hands=open", "as-coded": "hero-academy"}
_RANDOM_GAMES = 20
_LONGEST_GAMES = 20
_MOST_TIMES = 8  # games of a pair before its sequential test ends without a decision, in games per pair elsewhere
SEED = 2016


@dataclass(frozen=True)
class Effort:
    """Search effort of each planner per turn: wall time, or a share of the paper's work."""

    name: str
    share: float = 1.0
    milliseconds: float | None = None

    def budget(self, planner: str, share: float = 1.0, per_action: float | None = None) -> str:
        """Budget of a planner.

        Args:
            planner: Registry name of the planner.
            share: Share of the effort.
            per_action: If given, the share of the turn's budget for every action.
        """
        scope = "" if per_action is None else "/action"
        share *= 1.0 if per_action is None else per_action
        if self.milliseconds is not None:
            return f"time={self.milliseconds * share:.12g}ms{scope}"
        if planner == MAXIMIN:
            return f"forward={max(1, int(MAXIMIN_CALLS * self.share * share))}{scope}"
        work = PAPER_WORK.get(planner)
        return f"iterations={max(1, int(work * self.share * share)) if work else 1000}{scope}"


@dataclass(frozen=True)
class Tournaments:
    """The tournaments of one reading.

    Attributes:
        table: Table 2.
        against_random: The same against random play.
        turn_maximin: Turn-maximin against the paper's players.
        variants: The text's comparisons of variants.
        longest: The longest rollouts.
        rollouts: The variants of rollouts again, until a sequential test decides.
        tenth_of_effort: Evolution with a tenth of its effort, in the same way.
    """

    table: TournamentSpec
    against_random: TournamentSpec
    turn_maximin: TournamentSpec
    variants: TournamentSpec
    longest: TournamentSpec
    rollouts: TournamentSpec
    tenth_of_effort: TournamentSpec

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


@dataclass(frozen=True)
class Sequential:
    """A part whose games end when a sequential test decides, so that they suffice whatever the difference is.

    Attributes:
        tables: (First, second) player.
        sprt: The hypotheses about the first one; H1 is the paper's claim.
    """

    tables: tuple[tuple[str, str], ...]
    sprt: SprtSpec


def _test(elo0: float, elo1: float) -> SprtSpec:
    return SprtSpec(elo0=elo0, elo1=elo1, alpha=0.05, beta=0.05, least=0)


SEQUENTIAL = {
    # The paper claims a direction and no size: 55 % against 50 %, as near to even as some hundred games can tell.
    "rollouts": Sequential(VARIANT_TABLES[:2], _test(0.0, 35.0)),
    # "Almost as well" is at least 35 %, as for claims of equal strength: 40 % against 30 %, five points on each side.
    "tenth-of-effort": Sequential(VARIANT_TABLES[4:], _test(-147.2, -70.4)),
}
"""Part -> its pairs; all of them are among the variants."""


def _text(planner: str, reading: str, *settings: str) -> str:
    preset = [] if reading == "sound" else [f"preset={reading}"]
    every = [*preset, *settings]
    return f"{planner}:{','.join(every)}" if every else planner


def tournaments(reading: str, effort: Effort, games: int) -> Tournaments:
    """Make the tournaments of one reading.

    Args:
        reading: One of READINGS.
        effort: Work per turn.
        games: Games per pair; even.
    """
    scenario = SCENARIOS[reading]
    players = {name: _text(name, reading) for name in PLAYERS}
    budgets = {name: effort.budget(name) for name in PLAYERS}
    with_maximin = players | {MAXIMIN: MAXIMIN}
    maximin_budgets = budgets | {MAXIMIN: effort.budget(MAXIMIN)}
    strong = {name: text for name, text in players.items() if name != "random"}
    variants = {
        "mcts": _text("mcts", reading),
        "mcts with rollouts of 5 turns": _text("mcts", reading, "rollout-turns=5"),
        "mcts with random rollouts": _text("mcts", reading, "greedy-probability=0"),
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

    def sequential(part: str) -> TournamentSpec:
        pairs = SEQUENTIAL[part]
        chosen = {name: variants[name] for name in dict.fromkeys(name for pair in pairs.tables for name in pair)}
        most = _MOST_TIMES * games
        return spec(part, chosen, variant_budgets, most, pairing="tables", tables=pairs.tables, sprt=pairs.sprt)

    return Tournaments(
        table=spec("table 2", strong, budgets, games),
        against_random=spec(
            "against random", players, budgets, min(games, _RANDOM_GAMES), pairing="gauntlet", challengers=("random",)
        ),
        turn_maximin=spec(
            "turn-maximin", with_maximin, maximin_budgets, games, pairing="gauntlet", challengers=(MAXIMIN,)
        ),
        variants=spec("variants", variants, variant_budgets, games, pairing="tables", tables=VARIANT_TABLES),
        longest=spec(
            "longest rollouts", long, long_budgets, min(games, _LONGEST_GAMES), pairing="tables", tables=LONGEST_TABLES
        ),
        rollouts=sequential("rollouts"),
        tenth_of_effort=sequential("tenth-of-effort"),
    )


def effort_of(request: Request) -> Effort:
    """The requested effort."""
    if request.time_ms is not None:
        return Effort(f"{request.time_ms:g}ms", milliseconds=request.time_ms)
    return Effort(request.effort, 1.0 if request.effort == "paper" else QUICK_SHARE)


def games_per_pair(request: Request) -> int:
    """The number of games per pair, which is even: every start is played from both seats."""
    at_paper = request.effort == "paper" and request.time_ms is None
    count = request.games if request.games is not None else PUBLISHED_GAMES if at_paper else 10
    if count % 2:
        count += 1
        request.say(f"{count} games per pair instead of {count - 1}: every start is played from both seats.")
    return count


def part_runs(reading: str, effort: Effort, games: int, folder: Path) -> dict[tuple[str, str], PartRun]:
    """The parts of one reading by (reading, part), in the order of play."""
    return {
        (reading, name): PartRun(f"{name}, {reading} reading", folder / f"{name}-{reading}.sqlite", spec)
        for name, spec in tournaments(reading, effort, games).named()
        if reading == "sound" or name not in STUDY.sound_only
    }
