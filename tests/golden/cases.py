"""The cases of the golden plans: planner, game, state, budget, seed, and one plan or a session.

Only public names are used, so the cases outlive any change of modules. A case's text is its key in the recorded files.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

ROOT = Path(__file__).parents[2]
for folder in (ROOT / "tests", ROOT / "examples"):
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))

from my_planner import HillClimbing  # noqa: E402
from orchard import OrchardGame  # noqa: E402

import turnwise  # noqa: E402
from doubles.toy_game import Toy  # noqa: E402

HERO, HERO_TINY = "hero-academy", "hero-academy:map=a-tiny,deck=tiny"
HERO_CHANCE = "hero-academy:map=a-small,deck=small,draws=random"
SAME, SAME_SMALL = "samegame", "samegame:rows=0120/1201/2012/1122,end_penalty=total"
RACE, RACE_GRID = "search-race", "search-race:moves=grid,laps=1"
HEALERS, THREE_SIDES = "stratega:mode=healers", "stratega:mode=mixed3"
TRIBES = "tribes"
ORCHARD = "orchard"
TOY, TOY_THREE, TOY_ALONE = "toy", "toy:players=3,chance=true,end=free", "toy:players=1"
TOY_LONG, TOY_IDLE = "toy:points=6,end=free,survives=false", "toy:points=2,wait_is_free=true"

OWN_GAMES: dict[str, Callable[[], turnwise.Game]] = {
    ORCHARD: OrchardGame,
    TOY: Toy,
    TOY_THREE: lambda: Toy(players=3, chance=True, end="free"),
    TOY_ALONE: lambda: Toy(players=1),
    TOY_LONG: lambda: Toy(points=6, end="free", survives=False),
    TOY_IDLE: lambda: Toy(points=2, wait_is_free=True),
}
MID_GAME = {  # after how many random actions
    HERO: 24,
    HERO_TINY: 15,
    HERO_CHANCE: 22,
    SAME: 20,
    SAME_SMALL: 2,
    RACE: 12,
    RACE_GRID: 12,
    ORCHARD: 26,
    TOY: 10,
    TOY_THREE: 9,
    TOY_ALONE: 6,
    TOY_LONG: 9,
    TOY_IDLE: 4,
    HEALERS: 4,
    THREE_SIDES: 7,
    TRIBES: 40,
}
GAMES = tuple(game for game in MID_GAME if game not in (TOY_LONG, TOY_IDLE, HEALERS, THREE_SIDES, TRIBES))
HERO_GAMES, SAME_GAMES, RACES = (HERO, HERO_TINY, HERO_CHANCE), (SAME, SAME_SMALL), (RACE, RACE_GRID)


@dataclass(frozen=True)
class Case:
    """One decision, or a session of several turns.

    Attributes:
        planner: Name and parameters.
        game: Name and options.
        where: "start" or "mid".
        budget: As on the command line.
        turns: Turns of a session; 0: one plan without a session.
        seed: Seed of the planner.
    """

    planner: str
    game: str
    where: str
    budget: str
    turns: int = 0
    seed: int = 3

    @property
    def is_cheap(self) -> bool:
        """Whether it takes at most a second even if nothing is compiled."""
        return self.game == TOY and self.budget in ("evaluations=25/action", "forward=0")

    @property
    def key(self) -> str:
        """The case as text."""
        session = [f"session of {self.turns} turns"] if self.turns else []
        return " | ".join([self.planner, self.game, self.where, self.budget, f"seed {self.seed}", *session])


@cache
def game_of(text: str) -> turnwise.Game:
    """The game of a case, made once per process."""
    return OWN_GAMES[text]() if text in OWN_GAMES else turnwise.make(text)


@cache
def state_of(text: str, where: str) -> turnwise.State:
    """The start, or the state after a fixed number of random legal actions."""
    state, random = game_of(text).start(seed=1), Random(5)
    for _ in range(MID_GAME[text] if where == "mid" else 0):
        state = state.play(any_action(state, random))
    assert not state.is_over, text
    return state


def any_action(state: turnwise.State, random: Random) -> int:
    """Code of a random legal action."""
    codes = state.legal_codes()
    return int(codes[int(random.random() * len(codes))])


def planner_of(text: str) -> Any:
    """The planner of a case."""
    return HillClimbing() if text == HillClimbing.name else turnwise.planner(text)


# --------------------------------------------------------------------------------------------------- which cases

_FEW = "population=10,offspring=12,length=6,elites=2"  # few individuals, so that small budgets breed many generations
_HYBRIDS = ("rhea-mcts", "mcts-rhea", "ea-alt-actions")
_SMALL = {  # parameters under which small budgets reach every part of a planner
    **dict.fromkeys(("rhea", "ea-roll", *_HYBRIDS), _FEW),
    **dict.fromkeys(("online-evolution", "oep"), "population=10,mutation-probability=0.3"),
    "nrpa": "levels=3,iterations=4",
    "nmcs": "level=2",
}
_ITERATIONS = {  # enough for every operator to act; searches that count single playouts need more of them
    **dict.fromkeys(("nrpa", "nmcs", "flat-mc", "beam-search"), 120),
    **dict.fromkeys(("mcts", "mcts-non-exploring", "mcts-bridge-burning", "mcts-unit-ordered", "naive-mcts"), 90),
    "portfolio-mcts": 90,
    "lsi": 60,
    **dict.fromkeys(("emcts", "fh-emcts"), 60),
    "tbets": 90,
    "turn-maximin": 90,
    **dict.fromkeys(_HYBRIDS, 16),
    "sp-mcts": 200,
    "greedy-turn": 60,
    **dict.fromkeys(("online-evolution", "oep"), 12),
    "rhea": 6,
    "ea-roll": 5,
}
_LONG_LINES = (
    "nrpa",
    "nmcs",
    "flat-mc",
    "beam-search",
    "turn-maximin",
    "sp-mcts",
    *_HYBRIDS,
)  # to the end of the game

Variants = tuple[tuple[str, ...], str, tuple[str, ...]]  # games, budget of a single plan ("": the usual one), variants
_TREE: tuple[Variants, ...] = (  # of the trees for several players
    ((HERO, TOY_THREE), "", ("rollout-turns=0", "rollout-turns=3", "completion=end", "completion=action-score")),
    (
        (HERO, TOY_THREE),
        "",
        ("policy=uniform", "greedy-probability=0", "information-set=true", "reserve=0.5", "alternatives=12"),
    ),
    ((HERO_TINY, TOY), "", ("transpositions=false", "max-nodes=40", "max-edges=90", "exploration=0.282842712474619")),
    ((HERO_TINY, TOY), "iterations=2500", ("backup=negate", "max-depth=3")),
    (HERO_GAMES, "", ("evaluation=balance",)),
)
_EVOLUTION: tuple[Variants, ...] = (  # of rolling horizon evolution
    (
        (SAME, RACE, TOY_THREE),
        "",
        ("crossover=one-point", "crossover=none", "mutation-operator=uniform", "mutation-operator=local"),
    ),
    ((SAME, RACE, HERO), "", ("mutation-operator=bandit", "mutation-scope=gene", "tournament=1", "shift=false")),
    ((SAME, HERO), "", ("mutation-operator=uniform,mutation-scope=individual",)),
    ((RACE, TOY_ALONE), "", ("reevaluate=always", "fresh=policy", "discount=0.5,mutation-operator=bandit")),
    ((RACE, TOY_ALONE), "", ("mutation-probability=0.9",)),
    ((SAME, RACE, TOY), "", ("rollouts=2,rollout-weight=0.5,rollout-length=4", "tree-depth=3")),
    ((RACE_GRID,), "", ("tree-depth=4,max-tree-nodes=12", "policy=towards-target,fresh=policy", "evaluation=route")),
    ((SAME,), "", ("policy=tabu-colour,fresh=policy", "evaluation=potential")),
    ((SAME,), "iterations=2", ("alternatives=9,population=40",)),
)
_SINGLE_TREE: tuple[Variants, ...] = (  # of the trees for one player
    ((SAME_SMALL, RACE, TOY_THREE), "", ("exploration=2", "rollout-depth=0", "rollout-depth=4", "third-term=true")),
    (
        (SAME, TOY_ALONE),
        "",
        ("top-weight=0.3", "expand-after=3", "horizon=12", "max-nodes=30", "max-edges=60", "saved=2"),
    ),
    ((SAME,), "", ("policy=uniform", "evaluation=potential,rollout-depth=2")),
    ((RACE_GRID,), "", ("policy=towards-target", "evaluation=route")),
    ((TOY_THREE,), "", ("scale=raw",)),
    ((TOY_ALONE,), "", ("scale=bounds",)),
)
_HYBRID: tuple[Variants, ...] = (
    ((SAME, RACE, TOY_ALONE), "evaluations=900", ("version=1", "version=2", "version=3", "version=4,saved-depth=3")),
    ((TOY_THREE,), "evaluations=400", ("version=1", "version=2", "version=3")),
    ((SAME, RACE), "evaluations=900", ("switches=3", "cut-depth=0", "cut-depth=4", "version=2,make-missing=false")),
    ((RACE, TOY_ALONE), "evaluations=900", ("temperature=20", "rhea-share=0.2", "insert-visits=3")),
    ((RACE_GRID,), "evaluations=400", ("rhea-share=0", "rhea-share=1", "insert-visits=9,cut-depth=1")),
    ((SAME, TOY_ALONE), "evaluations=900", ("saved=2", "max-nodes=40", "rollout-depth=3")),
    ((TOY_ALONE,), "evaluations=900", ("mutation-operator=bandit,bandit-exploration=0.3",)),
)
_VARIANTS: dict[str, tuple[Variants, ...]] = {
    "random": (((HERO, SAME, ORCHARD, TOY), "", ("candidates=pruned",)), ((HERO,), "", ("candidates=tree",))),
    "random-heuristic": (
        ((HERO, SAME, RACE, ORCHARD), "", ("greedy-probability=0", "greedy-probability=1", "policy=epsilon-greedy")),
    ),
    "greedy-action": (
        ((HERO, SAME, RACE, ORCHARD, TOY), "", ("evaluate-at=mid-turn", "ties=first")),
        (HERO_GAMES, "", ("evaluation=mean",)),
    ),
    "greedy-turn": (
        ((*HERO_GAMES, TOY, TOY_THREE), "", ("sort=root", "sort=none", "evaluate-at=before-end", "roots=free")),
        ((*HERO_GAMES, TOY, TOY_THREE), "", ("ties=last",)),
        ((HERO,), "forward=20000", ("table=1024",)),
        ((HERO, TOY_THREE), "", ("alternatives=12",)),
    ),
    "mcts": (*_TREE, ((TOY_IDLE,), "iterations=900", ("",)), ((ORCHARD,), "", ("exploration=0.565685424949238",))),
    "mcts-non-exploring": _TREE,
    "mcts-bridge-burning": (*_TREE, ((HERO, TOY_THREE), "", ("reserve=0.25",))),
    "online-evolution": (
        ((HERO, HERO_CHANCE, TOY_THREE), "", ("pairing=each", "repair=tail", "fitness=rollout", "survivors=0.2")),
        ((HERO, TOY, ORCHARD), "", ("streams=2,migration=2", "mutate-end=true", "reevaluate=true")),
        ((HERO, TOY), "", ("streams=3,migration=1,threads=2,emigrant=second-last",)),
        ((TOY_THREE, ORCHARD), "", ("material=false", "combine=worst")),
        ((HERO_TINY, TOY_THREE), "", ("fitness=rollout,rollouts=3,rollout-turns=2", "fitness=rollout,combine=mean")),
        ((HERO, TOY), "", ("fitness=rollout,history=false", "fitness=rollout,policy=uniform,greedy-probability=0")),
        ((HERO, HERO_TINY), "", ("determinise=true,fitness=rollout,rollout-turns=2", "evaluation=balance")),
        ((HERO,), "forward=20000", ("population=400,table=1024",)),
        ((HERO, TOY), "iterations=2", ("alternatives=12,population=40",)),
        ((TOY_LONG,), "", ("", "repair=tail")),
        (
            (HERO_TINY, TOY_THREE, TOY_IDLE),
            "",
            ("representation=permutation", "representation=keys", "representation=descriptors"),
        ),
        ((HERO, TOY), "", ("alignment=subsequence,mutation-probability=0.5",)),
    ),
    "oep": (
        ((HERO_TINY, TOY_THREE), "", ("diversity=crowding", "diversity=clearing", "diversity=tabu,tenure=5")),
        ((TOY_IDLE, HERO), "", ("repair=tail-greedy,mutants=0.3", "cap=3,ends=last,newcomers=0.3")),
    ),
    "rhea": (*_EVOLUTION, ((TOY_LONG,), "", ("",))),
    "ea-roll": (
        *_EVOLUTION[:3],
        ((SAME, RACE, TOY), "", ("rollouts=0", "rollouts=3,rollout-length=0", "tree-depth=3", "reevaluate=always")),
    ),
    "sp-mcts": (
        *_SINGLE_TREE,
        ((SAME, SAME_SMALL, RACE, TOY_ALONE), "", ("keep=false", "play=remembered", "restarts=3")),
        ((SAME_SMALL, TOY_ALONE), "iterations=3000", ("exploration=0.1",)),
    ),
    "rhea-mcts": _HYBRID,
    "mcts-rhea": (
        *_HYBRID,
        ((RACE, TOY_ALONE), "evaluations=900", ("shift=false",)),
        ((SAME, RACE, TOY_ALONE), "evaluations=900", ("tree-depth=3",)),
    ),
    "ea-alt-actions": (
        ((SAME, RACE, TOY), "evaluations=900", ("rollouts=2,rollout-weight=0.5,rollout-length=4", "tree-depth=3")),
        ((SAME_SMALL, RACE, TOY_THREE), "evaluations=900", ("exploration=2", "rollout-depth=4", "third-term=true")),
        ((RACE, TOY_ALONE), "evaluations=900", ("rhea-share=0.2", "shift=false")),
    ),
    "nrpa": (
        ((SAME, SAME_SMALL, RACE, TOY_THREE), "", ("levels=1", "levels=2,repeats=1", "playouts=3", "alpha=0.3")),
        ((SAME, TOY_ALONE), "", ("temperature=3", "horizon=6", "moves=1024,positions=64")),
        (SAME_GAMES, "", ("policy=tabu-colour", "policy=tabu-colour,prior-weight=0.5")),
        (SAME_GAMES, "iterations=200", ("policy=tabu-0+tabu-1+tabu-2,trial-iterations=3,trial=0.5",)),
    ),
    "nmcs": (
        ((SAME, SAME_SMALL, RACE, TOY_THREE), "iterations=700", ("level=1", "level=3", "memorise=false")),
        (
            (HERO, SAME_SMALL),
            "",
            ("candidates=pruned", "policy=uniform", "policy=epsilon-greedy,greedy-probability=0.8", "horizon=3"),
        ),
    ),
    "flat-mc": (
        ((SAME, SAME_SMALL, RACE, HERO, TOY_THREE), "", ("rollouts=1", "decide=mean", "choice=ucb,exploration=5")),
        (
            (HERO, SAME_SMALL),
            "",
            ("candidates=pruned,rollouts=2", "policy=epsilon-greedy,greedy-probability=0.8", "horizon=3"),
        ),
        ((SAME_SMALL, TOY_ALONE), "", ("rollouts=2,decide=mean,choice=ucb",)),
    ),
    "beam-search": (
        ((SAME, RACE, HERO, TOY_THREE), "", ("width=1", "width=4", "width=3,noise=2", "width=4,horizon=3")),
        ((HERO, TOY), "", ("candidates=pruned", "width=3,rollouts=2")),
        ((HERO, SAME_SMALL), "", ("width=3,rollouts=1,policy=epsilon-greedy,greedy-probability=0",)),
        ((SAME,), "", ("evaluation=potential,width=3",)),
        ((RACE_GRID,), "", ("evaluation=route,width=3",)),
    ),
}
_ENGINE = (HEALERS, THREE_SIDES)
for _name in ("mcts", "online-evolution", "rhea"):
    _VARIANTS[_name] = (*_VARIANTS.get(_name, ()), (_ENGINE, "forward=1500", ("worlds=1", "worlds=3")))
_VARIANTS["osla"] = ((_ENGINE, "forward=1500", ("", "ties=random", "evaluate-at=after-end")),)
for _name in ("pgs", "ngs", "sss"):
    _VARIANTS[_name] = (
        (_ENGINE, "forward=3000", ("worlds=1", "worlds=3", "worlds=1,follow=first-turn,horizon=turns=4")),
        (_ENGINE, "forward=3000", ("worlds=1,responses=2,iterations=2", "worlds=1,start=random,groups=adaptive")),
    )
_VARIANTS["pgs"] = (*_VARIANTS["pgs"], (_ENGINE, "forward=3000", ("preset=as-coded", "preset=as-published")))
_VARIANTS["sss"] = (*_VARIANTS["sss"], ((HERO, THREE_SIDES), "forward=3000", ("strata=3", "groups=adaptive")))
for _name in ("prhea", "mo-prhea", "s-prhea", "poe"):
    _VARIANTS[_name] = (
        (_ENGINE, "forward=3000", ("worlds=1", "worlds=3", "worlds=1,population=1,length=3,turns=1")),
        (_ENGINE, "forward=3000", ("worlds=1,shift=false,elitism=false", "worlds=1,reply=policy(uniform),changes=1")),
        (_ENGINE, "forward=1500", ("preset=as-coded", "preset=as-published", "worlds=1,acts=able,idle=random")),
        ((HEALERS,), "forward=1500", ("worlds=1,parents=same,replacement=false", "worlds=1,carry=best,overshoot=true")),
    )
_VARIANTS["naive-mcts"] = (
    ((HERO_TINY, TOY), "", ("depth=1", "rollout-turns=0", "order=listed", "backup=best-reply", "final=value")),
    ((HERO_TINY, TOY_THREE), "", ("choices=actions", "global-epsilon=0.5", "explore=0.2,local-epsilon=0.9")),
    ((HERO_TINY,), "", ("guidance=1", "choices=scripts,unrestricted=2,unrestricted-by=random")),
    ((HERO_TINY, TOY_IDLE), "iterations=900", ("max-arms=20", "max-choices=64")),
    (_ENGINE, "forward=1500", ("worlds=1", "worlds=3", "worlds=1,preset=a1n", "worlds=1,preset=gns")),
    ((*_ENGINE, HERO_TINY), "forward=1500", ("worlds=1,preset=a2n", "worlds=1,preset=a3n")),
    (_ENGINE, "forward=1500", ("worlds=1,preset=typed,strata=2", "worlds=1,preset=greedy,explore=1,depth=1")),
    (_ENGINE, "forward=3000", ("worlds=1,preset=nested,explore=1,depth=2", "worlds=3,preset=nested,groups=kind")),
    ((*_ENGINE, TOY_THREE), "", ("worlds=1,preset=evolution,tournament=0", "first=each-script,depth=2")),
)
_VARIANTS["lsi"] = (
    ((HERO_TINY, TOY_THREE), "", ("turns=3", "generation=0", "order=random", "order=listed", "sharpness=4")),
    (_ENGINE, "forward=1500", ("worlds=1", "worlds=3")),
)
_VARIANTS["emcts"] = (
    (
        (HERO_TINY, TOY),
        "",
        ("width=3,phases=5,burn=always", "distinct=false", "repair=random,root=random", "scale=range"),
    ),
    ((TOY_IDLE,), "", ("mutations=exchange+insert+delete+swap+end,repair=random", "material=false,repair=tail")),
    ((HERO_TINY,), "iterations=400", ("max-nodes=64,repair=random",)),
    ((HERO_TINY, TOY), "", ("tabu=20",)),
)
_VARIANTS["fh-emcts"] = (((HERO_TINY, TOY_THREE), "", ("horizon=turns=3", "model-actions=2")),)
_VARIANTS["tbets"] = (
    ((HERO_TINY, TOY), "", ("commit=turn,scale=bounds", "look-ahead=1,model-actions=2", "first=random,bias=0")),
    ((HERO_TINY, TOY_THREE), "", ("opponents=paranoid", "opponents=opps,free-width=3,other-width=2", "final=trials")),
    ((HERO_TINY, TOY_IDLE), "iterations=900", ("max-nodes=64",)),
    (_ENGINE, "forward=1500", ("worlds=1", "worlds=3,opponents=brs+")),
)
_VARIANTS["turn-maximin"] = (
    ((HERO_TINY, TOY_THREE), "", ("reply=none", "samples=1,worlds=1", "share=0.6,first-width=3,growth=2")),
    ((HERO_TINY, TOY), "", ("outcomes=5,widest=8", "first-reply-width=8,reply-searches=1")),
    ((HERO_TINY, TOY_THREE), "", ("rollout-turns=1", "rollout-turns=2,policy=uniform")),
    ((TRIBES,), "forward=1500", ("rollout-turns=3,policy=tribes-rules",)),
    ((TOY_IDLE, TOY_LONG), "", ("",)),
    (_ENGINE, "forward=1500", ("worlds=1", "worlds=3")),
)
_VARIANTS["mcts-unit-ordered"] = (
    ((HERO_TINY, TOY_THREE), "", ("transpositions=false", "rollout-turns=0", "information-set=true")),
    (_ENGINE, "forward=1500", ("worlds=1", "worlds=3")),
)
_PRUNED = "prune-visits=8,prune-kept=3,expansion=random"
_VARIANTS["mcts"] = (
    *_VARIANTS["mcts"],
    ((HERO, TOY_THREE), "", (f"pruning=hard,{_PRUNED}", f"pruning=progressive,unprune-visits=6,{_PRUNED}")),
    ((TOY,), "iterations=900", (f"pruning=hard,prune-apart=step/wait,{_PRUNED}", "root-groups=step/wait+strike")),
    ((HERO_TINY, TOY_THREE), "", ("final=visits,opponent-exploration=subtract", "force-end=3")),
    ((TRIBES,), "forward=1500", ("candidates=without(end,destroy),worlds=1", "pruning=hard,expansion=random")),
)
_VARIANTS["mcts-bridge-burning"] = (
    *_VARIANTS["mcts-bridge-burning"],
    ((HERO, TOY_THREE), "", ("phases=geometric",)),
)
_VARIANTS["portfolio-mcts"] = (
    ((HERO_TINY, TRIBES), "forward=1500", ("rollout-turns=0", "unprune=random", "pruning=none", "script-weight=2")),
    (_ENGINE, "forward=1500", ("worlds=1", "worlds=3")),
)
_VARIANTS["flat-mc"] = (
    *_VARIANTS["flat-mc"],
    ((TOY, TOY_THREE), "", ("choice=random,decide=mean", "root-groups=step/wait+strike", "root-groups=kinds")),
)
_VARIANTS["rhea"] = (
    *_VARIANTS["rhea"],
    ((RACE, TOY), "", ("survivors=best", "survivors=best,elites=0,population=1,offspring=1")),
    ((TRIBES,), "forward=1500", ("horizon=turns=2,reply=genes", "horizon=turns=2,reply=script(tribes-rules)")),
)
_VARIANTS["do-nothing"] = (((TRIBES,), "forward=10", ("",)),)
_PRESET_GAMES = {  # presets that need what only some games have
    "random:preset=as-coded": HERO_GAMES,
    **{
        f"{name}:preset=tribes-{year}-as-coded": (TRIBES,)
        for name in ("flat-mc", "mcts", "rhea")
        for year in ("2020", "2021")
    },
    **{f"{name}:preset=tribes-as-coded": (TRIBES,) for name in ("osla", "oep", "emcts")},
    "mcts:preset=tribes-hard-and-move": (TRIBES,),
    "mcts:preset=tribes-progressive-and-move": (TRIBES,),
    "mcts-non-exploring:preset=tribes": (TRIBES,),
    "mcts-bridge-burning:preset=tribes": (TRIBES,),
    "turn-maximin:preset=tribes": (TRIBES,),
    **{f"turn-maximin:preset={mode}": (HEALERS,) for mode in ("kings", "healers", "pushers")},
    "nrpa:preset=recommended-samegame": SAME_GAMES,
    "beam-search:preset=recommended-search-race": RACES,
    "rhea:preset=recommended-search-race": RACES,
    "rhea:preset=recommended-search-race-wide": RACES,
    **{
        f"pgs:preset={mode}-as-{reading}": _ENGINE
        for mode in ("stratega", "kings", "pushers", "healers")
        for reading in ("coded", "published")
    },
    **{
        f"{planner}:preset={mode}-{reading}": (HEALERS,)
        for planner in ("prhea", "mo-prhea", "s-prhea", "poe")
        for mode in ("kings", "pushers", "healers")
        for reading in ("tuned", "as-coded", "as-published")
    },
}


def planners() -> list[str]:
    """Names of all planners that have cases."""
    return sorted({*turnwise.PLANNERS.names(), HillClimbing.name})


def cases_of(planner: str) -> list[Case]:
    """All cases of a planner."""
    found = [*_every_game(planner), *_presets(planner), *_variants(planner)]
    assert len({case.key for case in found}) == len(found)
    return found


def _with(planner: str, *parameters: str) -> str:
    """A planner's text; later parameters replace earlier ones."""
    parts = (part for text in parameters if text for part in re.split(r",(?![^()]*\))", text))  # not in parentheses
    settings = dict(part.split("=", 1) for part in parts)
    return f"{planner}:{','.join('='.join(pair) for pair in settings.items())}" if settings else planner


def _iterations(planner: str, game: str) -> str:
    usual = _ITERATIONS.get(planner, 3)
    return f"iterations={min(12, usual) if game == ORCHARD else usual}"


def _forward(planner: str, game: str, share: float = 1.0) -> str:
    calls = 250 if game == ORCHARD else 1200
    if planner in _LONG_LINES and game in (*SAME_GAMES, *RACES):
        calls *= 8
    return f"forward={int(share * calls)}"


def _session_turns(game: str) -> int:
    return 3 if game_of(game).max_turn == 1 else 2


def _every_game(planner: str) -> Iterator[Case]:
    """Defaults and small parameters: all kinds of counted budgets, both scopes, both states, and sessions."""
    small = _with(planner, _SMALL.get(planner, ""))
    for game in GAMES:
        usual, iterations, turns = (
            small if game == ORCHARD else planner,
            _iterations(planner, game),
            _session_turns(game),
        )
        yield Case(usual, game, "start", iterations)
        yield Case(small, game, "mid", _forward(planner, game))
        yield Case(small, game, "mid", "evaluations=25/action", seed=4)
        yield Case(planner, game, "mid", "forward=0")
        yield Case(small, game, "start", f"{_forward(planner, game)}+{iterations}", turns)
        yield Case(small, game, "mid", f"{_forward(planner, game, 0.25)}/action", turns, seed=5)


def _presets(planner: str) -> Iterator[Case]:
    """Every preset, with its own parameters, on every game that has what it needs."""
    if planner == HillClimbing.name:
        return
    for preset in turnwise.PLANNERS.get(planner).all_presets():
        text = _with(planner, f"preset={preset}")
        for game in _PRESET_GAMES.get(text, GAMES):
            yield Case(_for_python(text, game), game, "start", _forward(planner, game, 5))
            yield Case(_for_python(text, game), game, "mid", _iterations(planner, game), _session_turns(game))


def _for_python(text: str, game: str) -> str:
    """A planner's text with few individuals for games with slow steps."""
    planner, _, parameters = text.partition(":")
    few = _SMALL.get(planner, "") if game == ORCHARD and planner not in ("online-evolution", "oep") else ""
    return _with(planner, parameters, few)


def _variants(planner: str) -> Iterator[Case]:
    """Single parameters that differ from the defaults."""
    for games, budget, variants in _VARIANTS.get(planner, ()):
        for game in games:
            for variant in variants:
                yield from variant_cases(planner, variant, game, budget)


def variant_cases(planner: str, variant: str, game: str, budget: str = "") -> Iterator[Case]:
    """A plan and a session with some unusual parameters."""
    text = _with(planner, _SMALL.get(planner, ""), variant)
    remembers = planner in _HYBRIDS  # the difference shows only if there is something to remember
    yield Case(text, game, "mid", budget or _iterations(planner, game), _session_turns(game) if remembers else 0)
    yield Case(text, game, "start", _forward(planner, game, 0.5), _session_turns(game))
