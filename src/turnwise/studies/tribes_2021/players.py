"""The agents of the study by reading: planners with their settings.

``sound`` has the numbers of the framework's experiments (20 actions of look-ahead, no rollouts) in planners that do
what the texts say; ``as-published`` has what the report's text says of its two agents, and of the others what the
papers on the framework say; ``as-coded`` works as the program does, in its copies of the game. Of OEP before its
improvements only the text is known: its numbers are those of the improved one.
"""

from __future__ import annotations

from collections.abc import Mapping

Agents = Mapping[str, str]
"""Name -> text of the planner."""

RIVALS = ("simple", "rhea", "osla", "mcts")
"""The framework's agents in Figures 5 to 8."""
REPLY = "script(tribes-rules)"
"""How the opponent plays in lines of sound agents that go on after the own turn."""

_SIMPLE = "script:script=tribes-rules"
_RHEA = (
    'rhea:population=20,offspring=19,elites=1,length=20,horizon="actions=20",tournament=3,'
    "mutation_operator=uniform,mutation_probability=0.1,repair=random"
)
_MCTS = "rollout_turns=0,scale=range,max_depth=20"
_BEFORE = "pairing=random,mutants=0,newcomers=0.5"
"""OEP before its improvements: any two survivors are paired, and random turns take the places of the mutants."""
_LISTS = "population=50,mutation_probability=0.1,material=false,cap=20,ends=last"
CAREFUL = "without(destroy,disband)"
"""Candidates: the actions that the program draws for OEP and EMCTS."""
_SOUND_OEP = "oep:population=50,survivors=0.5,mutation_probability=0.1"
MUTANTS = ",mutants=0.5"
"""The improved refill: mutants of the best turn."""

AGENTS: Mapping[str, Agents] = {
    "sound": {
        "do-nothing": "do-nothing",
        "random": "random",
        "simple": _SIMPLE,
        "osla": "osla",
        "mc": "flat-mc:choice=random,decide=mean,policy=keep-going,root_groups=tribe/city/unit+move,"
        'horizon="actions=20"',
        "mcts": f"mcts:{_MCTS}",
        "pruned-mcts": f"mcts:preset=tribes-hard-and-move,{_MCTS}",
        "portfolio-mcts": f"portfolio-mcts:{_MCTS},pruning=none",
        "unpruning-portfolio-mcts": f"portfolio-mcts:{_MCTS}",
        "rhea": f'{_RHEA},reply="{REPLY}"',
        "oep": f"{_SOUND_OEP}{MUTANTS}",
        "oep-before": f"{_SOUND_OEP},{_BEFORE}",
        "emcts": "emcts:repair=random,mutations=exchange+insert+delete+swap",
    },
    "as-published": {
        "simple": _SIMPLE,
        "osla": "osla",
        "mcts": f"mcts:{_MCTS}",
        "rhea": f"{_RHEA},reply=genes",
        "oep": "oep:preset=as-published",
        "oep-before": f"online-evolution:{_LISTS},{_BEFORE}",
        "emcts": "emcts:preset=as-published",
    },
    "as-coded": {
        "simple": _SIMPLE,
        "osla": "osla:preset=tribes-as-coded",
        "mcts": "mcts:preset=tribes-2021-as-coded",
        "rhea": "rhea:preset=tribes-2021-as-coded",
        "oep": "oep:preset=tribes-as-coded",
        "oep-before": f"online-evolution:{_LISTS},reevaluate=true,{_BEFORE},candidates={CAREFUL}",
        "emcts": "emcts:preset=tribes-as-coded",
    },
}
"""Reading -> its agents."""

COPIES: Mapping[str, str] = {"sound": "sound", "as-published": "sound", "as-coded": "as-coded"}
"""Reading -> what searches play in; the text does not describe the copies of the framework."""


def agents(reading: str, *names: str) -> dict[str, str]:
    """Some agents of a reading, in this order; without names, all but the one before its improvements."""
    known = AGENTS[reading]
    return {name: known[name] for name in names or known if names or name != "oep-before"}
