"""The agents of the study by reading: planners with their settings.

``sound`` has the numbers of the report and of the framework's experiments (populations, probabilities, 20 actions of
look-ahead, no rollouts) in planners that do what the texts say.
"""

from __future__ import annotations

from collections.abc import Mapping

Agents = Mapping[str, str]
"""Name -> text of the planner."""

RIVALS = ("simple", "rhea", "osla", "mcts")
"""The framework's agents in Figures 5 to 8."""

_SIMPLE = "script:script=tribes-rules"
_OEP = "online-evolution:population=50,survivors=0.5,mutation_probability=0.1"
_RHEA = (
    'rhea:population=20,offspring=19,elites=1,length=20,horizon="actions=20",reply="script(tribes-rules)",'
    "tournament=3,mutation_operator=uniform,mutation_probability=0.1,repair=random"
)
_MCTS = "mcts:rollout_turns=0,scale=range,max_depth=20"

AGENTS: Mapping[str, Agents] = {
    "sound": {
        "random": "random",
        "simple": _SIMPLE,
        "osla": "osla",
        "mc": 'flat-mc:horizon="actions=20"',
        "mcts": _MCTS,
        "rhea": _RHEA,
        "oep": _OEP,
        "emcts": "emcts:repair=random,mutations=exchange+insert+delete+swap",
    },
}
"""Reading -> its agents."""

COPIES: Mapping[str, str] = {"sound": "sound", "as-published": "sound", "as-coded": "as-coded"}
"""Reading -> what searches play in; the text does not describe the copies of the framework."""


def agents(reading: str, *names: str) -> dict[str, str]:
    """Some agents of a reading, in this order; without names, all of them."""
    known = AGENTS[reading]
    return {name: known[name] for name in names or known}
