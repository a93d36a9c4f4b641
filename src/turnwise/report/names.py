"""Names and kinds of the planners' own figures.

The keys are those of ``TurnCost.details``. A key that is not listed here (of a user-defined planner) is shown under its
own name, and as a share if its values are 0 and 1.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FigureName:
    """How a figure is shown.

    Attributes:
        title: Name for people.
        unit: Unit of the values; empty for counts.
        yes_no: Whether every value is 0 or 1, so that only the share of ones is informative.
        scale: Factor from the recorded values to the unit.
        meaning: What the figure says, for readers of a report; empty: its title says it.
    """

    title: str
    unit: str = ""
    yes_no: bool = False
    scale: float = 1.0
    meaning: str = ""


KNOWN = {
    "bytes": FigureName("Memory of the tree", "bytes"),
    "edges": FigureName("Edges of the tree", meaning="actions in the search tree, tried or not"),
    "exhaustive": FigureName(
        "Turns searched to the end",
        "%",
        yes_no=True,
        scale=100,
        meaning="decisions in which every turn (of the pruned actions) was tried",
    ),
    "generations": FigureName("Generations", meaning="how often the population was renewed"),
    "leaf_depth": FigureName(
        "Mean depth of the leaves",
        "actions",
        meaning="how many actions below the root new nodes were added, on average",
    ),
    "max_depth": FigureName(
        "Depth of the deepest leaf", "actions", meaning="actions from the root to the deepest node"
    ),
    "new_share": FigureName(
        "New outcomes among the offspring",
        "%",
        scale=100,
        meaning="share of the new turns of a generation whose outcome no earlier turn had",
    ),
    "nodes": FigureName("Nodes of the tree", meaning="states in the search tree"),
    "outcomes": FigureName("Distinct outcomes", meaning="different states at the end of the turn that were reached"),
    "plan_length": FigureName(
        "Length of the best line",
        "actions",
        meaning="actions of the line that the search recommends, before the turn is completed",
    ),
    "rated": FigureName(
        "Turns rated in all worlds",
        meaning="turns whose value is the mean over all worlds of the decision; 0: the budget ended before, and the "
        "turn found in the first world was played",
    ),
    "states": FigureName("Distinct states visited", meaning="different states that were visited during the turn"),
    "table_bytes": FigureName("Memory of the table of states", "bytes"),
    "table_full": FigureName(
        "Searches whose table of outcomes was full",
        "%",
        yes_no=True,
        scale=100,
        meaning="share of searches that could remember no further outcome; memory or table sets the limit",
    ),
    "table_load": FigureName(
        "Filling of the table of states",
        "%",
        scale=100,
        meaning="share of the table's places in use when the search ended",
    ),
    "tree_full": FigureName(
        "Searches whose tree was full",
        "%",
        yes_no=True,
        scale=100,
        meaning="share of searches whose tree could not grow further; memory or max-nodes sets the limit",
    ),
    "worlds": FigureName(
        "Worlds searched", meaning="different guesses of what is hidden, each searched with its part of the budget"
    ),
}
"""The figures of the planners that come with turnwise."""


SCRIPT = "script_"
"""How the keys of figures on the use of scripts begin; the script's name follows."""

_SCRIPT_MEANING = "share of the decisions whose first action was chosen by this script of the portfolio"


def figure_name(key: str, values: set[float]) -> FigureName:
    """How a figure is shown, by its key and the values that occur."""
    if key in KNOWN:
        return KNOWN[key]
    if key.startswith(SCRIPT):
        return FigureName(f"First actions by {key.removeprefix(SCRIPT)}", "%", scale=100, meaning=_SCRIPT_MEANING)
    if values == {0.0, 1.0}:
        return FigureName(readable(key), "%", yes_no=True, scale=100)
    return FigureName(readable(key))


def readable(key: str) -> str:
    """Turn a record's key into words: "unique_outcomes" -> "Unique outcomes"."""
    words = key.replace("_", " ").replace("-", " ").strip()
    return words[:1].upper() + words[1:]
