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
    """

    title: str
    unit: str = ""
    yes_no: bool = False
    scale: float = 1.0


KNOWN = {
    "bytes": FigureName("Memory of the tree", "bytes"),
    "edges": FigureName("Edges of the tree"),
    "exhaustive": FigureName("Turns searched to the end", "%", yes_no=True, scale=100),
    "generations": FigureName("Generations"),
    "leaf_depth": FigureName("Mean depth of the leaves", "actions"),
    "max_depth": FigureName("Depth of the deepest leaf", "actions"),
    "new_share": FigureName("New outcomes among the offspring", "%", scale=100),
    "nodes": FigureName("Nodes of the tree"),
    "outcomes": FigureName("Distinct outcomes"),
    "plan_length": FigureName("Length of the best line", "actions"),
    "states": FigureName("Distinct states visited"),
    "table_bytes": FigureName("Memory of the table of states", "bytes"),
    "table_full": FigureName("Searches whose table of outcomes was full", "%", yes_no=True, scale=100),
    "table_load": FigureName("Filling of the table of states", "%", scale=100),
    "tree_full": FigureName("Searches whose tree was full", "%", yes_no=True, scale=100),
}
"""The figures of the planners that come with turnwise."""


def figure_name(key: str, values: set[float]) -> FigureName:
    """How a figure is shown, by its key and the values that occur."""
    if key in KNOWN:
        return KNOWN[key]
    if values == {0.0, 1.0}:
        return FigureName(readable(key), "%", yes_no=True, scale=100)
    return FigureName(readable(key))


def readable(key: str) -> str:
    """Turn a record's key into words: "unique_outcomes" -> "Unique outcomes"."""
    words = key.replace("_", " ").replace("-", " ").strip()
    return words[:1].upper() + words[1:]
