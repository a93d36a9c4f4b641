"""The agents of hybrids-2022, and the number of simulator steps per millisecond of the thesis for each of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

SPLITS = (0.1, 0.2, 0.5, 0.8, 0.9)  # RHEA's share of a turn in figures 4.8 and 4.9
VERSIONS = (1, 2, 3, 4)
ORDERS = ("rhea-mcts", "mcts-rhea")
RACE_TIMES = (100, 200)
"""Milliseconds per turn of RHEA and MCTS alone in figures 4.11 and 4.12."""


@dataclass(frozen=True)
class Pace:
    """Simulator steps per millisecond of the thesis.

    Attributes:
        evolution: Steps of evolution.
        tree: Steps of tree search alone (in SameGame with rollouts to the end, in races without rollouts).
        rollouts: Steps of tree search in version 4 of the hybrids, which has rollouts in both games.
    """

    evolution: int
    tree: int
    rollouts: int


# A good engine plays 0.5 to 2 million SameGame actions a second on the thesis' machine; this is the low end. In
# SameGame a step is the same work for both searches.
SAMEGAME = Pace(500, 500, 500)
# In a race a step of evolution is one step of the simulator, a step of a tree without rollouts is a new node with its
# state. The best public engine makes 15 million steps a second on such a machine. Our planners make, in CPU time on the
# machine of benchmarks/results and with 100 to 200 ms a turn, 27 to 32 million in evolution, 1.4 to 1.5 in the tree, 8
# to 11 in the tree with rollouts of ten moves (the figures rhea-steps, sp-mcts-steps and sp-mcts-rollouts-steps of
# ``turnwise bench search-race``): twenty to one to six.
EQUAL_TIME = Pace(15_000, 750, 4_500)
EQUAL_STEPS = Pace(4_000, 4_000, 4_000)


@dataclass(frozen=True)
class Agent:
    """An agent of a figure.

    Attributes:
        name: Name in tables ("RHEA-MCTS v4 500").
        text: Text of the planner.
        steps: Simulator steps per turn that correspond to the thesis' time.
    """

    name: str
    text: str
    steps: int


def hybrid_name(order: str, version: int, milliseconds: int, rhea_share: float = 0.5) -> str:
    """Name of a hybrid in tables, with the split of the turn if it is uneven, in the order of the planners' names."""
    shares = (rhea_share, 1 - rhea_share) if order == "rhea-mcts" else (1 - rhea_share, rhea_share)
    split = "" if rhea_share == 0.5 else f" {100 * shares[0]:.0f}:{100 * shares[1]:.0f}"
    return f"{order.upper()} v{version}{split} {milliseconds}"


def hybrid(order: str, version: int, milliseconds: int, rhea_share: float, settings: str, pace: Pace) -> Agent:
    """Make a hybrid of the thesis.

    Args:
        order: "rhea-mcts" or "mcts-rhea".
        version: 1 to 4.
        milliseconds: Time per turn.
        rhea_share: RHEA's part of that time.
        settings: Further parameters.
        pace: Steps per millisecond, from which RHEA's share of the steps follows.
    """
    evolution = rhea_share * pace.evolution
    steps = evolution + (1 - rhea_share) * (pace.rollouts if version == 4 else pace.tree)
    text = f"{order}:version={version},rhea-share={evolution / steps:g},{settings}"
    return Agent(hybrid_name(order, version, milliseconds, rhea_share), text, round(milliseconds * steps))


def alone(game: str, times: tuple[int, ...], pace: Pace) -> tuple[Agent, ...]:
    """MCTS and RHEA alone.

    Args:
        game: The game, which names the presets.
        times: Milliseconds per turn.
        pace: Steps per millisecond.
    """
    planners = (("MCTS", "sp-mcts", pace.tree), ("RHEA", "rhea", pace.evolution))
    return tuple(
        Agent(f"{name} {time}", f"{planner}:preset={game}", time * steps)
        for name, planner, steps in planners
        for time in times
    )


def samegame_agents() -> tuple[Agent, ...]:
    """All agents of figures 4.1 to 4.10, and the baselines of Horn et al."""
    pace = SAMEGAME
    own = alone("samegame", (500, 1000), pace)
    versions = [hybrid(order, v, 500, 0.5, "preset=samegame", pace) for order in ORDERS for v in VERSIONS]
    splits = [hybrid(order, 4, 1000, share, "preset=samegame", pace) for order in ORDERS for share in SPLITS]
    horn = [Agent("EA-ROLL 1000", "ea-roll:preset=samegame", 1000 * pace.evolution)]
    horn.append(Agent("EA-ALT-ACTIONS 1000", "ea-alt-actions:preset=samegame", 1000 * pace.tree))
    return (*own, *versions, *splits, *horn)


def samegame_peers() -> tuple[Agent, ...]:
    """The strongest published single-player searches, with the steps of the agents at 1000 ms."""
    steps = 1000 * SAMEGAME.tree
    return (
        Agent("NRPA 1000", "nrpa", steps),
        Agent("NRPA TabuColor 1000", "nrpa:policy=tabu-colour", steps),
        Agent("NMCS TabuColor 1000", "nmcs:policy=tabu-colour", steps),
        Agent("SP-MCTS restarts 1000", "sp-mcts:preset=schadd,restarts=4,play=remembered", steps),
        Agent("BEAM 1000", "beam-search", steps),
    )


def samegame_nrpa() -> tuple[Agent, ...]:
    """NRPA whose number of iterations follows the budget; its standard one needs a million playouts on three levels."""
    steps = 1000 * SAMEGAME.tree
    return tuple(
        Agent(f"NRPA {title}fitting N, {levels} levels 1000", f"nrpa:iterations=0,levels={levels}{policy}", steps)
        for title, policy in (("", ""), ("TabuColor ", ",policy=tabu-colour"))
        for levels in (3, 2)
    )


def samegame_beam() -> tuple[Agent, ...]:
    """Beam search with the evaluation designed for it."""
    return (Agent("BEAM linked 1000", "beam-search:evaluation=linked", 1000 * SAMEGAME.tree),)


def race_agents(pace: Pace) -> tuple[Agent, ...]:
    """All agents of figures 4.11 to 4.15.

    Args:
        pace: Steps per millisecond.
    """
    return (*alone("search-race", RACE_TIMES, pace), *race_hybrids(pace))


def race_hybrids(pace: Pace) -> tuple[Agent, ...]:
    """The hybrids of figures 4.13 to 4.15.

    Args:
        pace: Steps per millisecond.
    """
    return tuple(
        hybrid(order, v, 200, 0.5, f"preset=search-race,rollout-depth={10 if v == 4 else 0}", pace)
        for order in ORDERS
        for v in VERSIONS
    )


def with_genes(agents: Sequence[Agent]) -> tuple[Agent, ...]:
    """Agents for races where evolution mutates each gene with the thesis' probability.

    The thesis does not say whether its 0.15 is for a gene or for an individual; the other parts take an individual.

    Args:
        agents: The same agents where it mutates individuals; tree search alone does not change.
    """
    return tuple(
        agent if agent.text.startswith("sp-mcts") else replace(agent, text=f"{agent.text},mutation-scope=gene")
        for agent in agents
    )


def race_extras(pace: Pace) -> tuple[Agent, ...]:
    """Agents for races that are not in the thesis: uneven splits of version 4, and the baselines of Horn et al.

    Args:
        pace: Steps per millisecond.
    """
    splits = [
        hybrid(order, 4, 200, share, "preset=search-race,rollout-depth=10", pace)
        for order in ORDERS
        for share in SPLITS
        if share != 0.5
    ]
    per_ms = (pace.evolution + pace.tree) / 2
    alternating = f"ea-alt-actions:preset=search-race,rhea-share={pace.evolution / (pace.evolution + pace.tree):g}"
    horn = [Agent("EA-ROLL 200", "ea-roll:preset=search-race", 200 * pace.evolution)]
    horn.append(Agent("EA-ALT-ACTIONS 200", alternating, round(200 * per_ms)))
    return (*splits, *horn)
