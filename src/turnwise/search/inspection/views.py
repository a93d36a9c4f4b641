"""Trees and populations of searches as plain objects, with actions as text; they hold nothing of the search itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from turnwise.core import arguments
from turnwise.search.inspection.drawing import Bar, Box, drawn

_MOST_LEVELS = 100


@dataclass(frozen=True, slots=True)
class SearchNode:
    """A node of a tree.

    Attributes:
        actions: The actions that lead here from the parent; one in most trees, a whole turn in trees over turns. Empty
            at the root.
        visits: How often the search was here.
        value: What the search thinks of those actions; None: nothing.
        children: The most visited ones first.
        left_out: Number of children that were not copied, all of them with fewer visits.
    """

    actions: tuple[str, ...]
    visits: int
    value: float | None
    children: tuple[SearchNode, ...] = ()
    left_out: int = 0


@dataclass(frozen=True, slots=True)
class SearchTree:
    """The most visited nodes of a tree.

    Attributes:
        title: What it is.
        value: What the values of its nodes are.
        size: Number of nodes of the whole tree.
        root: Its root, with the nodes below it.
    """

    title: str
    value: str
    size: int
    root: SearchNode

    def text(self, depth: int = 4, width: int = 5) -> str:
        """The tree as lines, each with visits, value and actions.

        Args:
            depth: Levels below the root.
            width: Children that are shown of each node.

        Raises:
            OptionError: A number is out of range.
        """
        depth = arguments.whole_number(depth, "depth", 1, _MOST_LEVELS)
        width = arguments.whole_number(width, "width", 1, 10_000)
        heading = f"{self.title}, {self.size:,} nodes: visits, {self.value}, actions"
        root = [_line(self.root, 0)] if self.root.actions else []
        return "\n".join([heading, *root, *_lines(self.root, depth, width, 0)])

    def boxes(self) -> Box:
        """The root as a box for a drawing."""
        return _box(self.root, self.title)


@dataclass(frozen=True, slots=True)
class Individual:
    """A member of a population.

    Attributes:
        genes: What it is made of: actions, or scripts that choose them.
        fitness: What it is worth; None: it was not assessed.
    """

    genes: tuple[str, ...]
    fitness: float | None


@dataclass(frozen=True, slots=True)
class SearchPopulation:
    """The best members of a population.

    Attributes:
        title: What it is.
        value: What its fitness is.
        size: Number of members of the whole population.
        members: Best first.
    """

    title: str
    value: str
    size: int
    members: tuple[Individual, ...]

    def text(self, most: int = 20) -> str:
        """The population as lines, each with fitness, number of equal members in a row, and genes.

        Args:
            most: Lines that are shown.

        Raises:
            OptionError: The number is out of range.
        """
        most = arguments.whole_number(most, "most", 1, 100_000)
        groups = [(one, len([*equal])) for one, equal in groupby(self.members)][:most]
        lines = [f"{_number(one.fitness)} {count:5}x  {'; '.join(one.genes)}" for one, count in groups]
        heading = f"{self.title}, {self.size:,} members: {self.value}, number of equal members, genes"
        hidden = self.size - sum(count for _, count in groups)
        return "\n".join([heading, *lines, *([f"{'':19}and {hidden:,} more members"] if hidden > 0 else [])])

    def bars(self) -> list[Bar]:
        """The members as bars for a drawing."""
        return [Bar("; ".join(one.genes), one.fitness) for one in self.members]


@dataclass(frozen=True, slots=True, repr=False)
class SearchView:
    """What the searches of one decision have left.

    Attributes:
        parts: A tree or population of each search, in order. A decision has several searches under a budget per action
            (one for each action), where worlds are drawn, and with several streams; hybrids have both in each search.
    """

    parts: tuple[SearchTree | SearchPopulation, ...]

    @property
    def trees(self) -> tuple[SearchTree, ...]:
        """The trees among the parts."""
        return tuple(part for part in self.parts if isinstance(part, SearchTree))

    @property
    def populations(self) -> tuple[SearchPopulation, ...]:
        """The populations among the parts."""
        return tuple(part for part in self.parts if isinstance(part, SearchPopulation))

    def text(self, depth: int = 4, width: int = 5, most: int = 20) -> str:
        """All parts as text, one after the other.

        Args:
            depth: Levels of a tree below its root.
            width: Children that are shown of each node.
            most: Lines that are shown of a population.

        Raises:
            OptionError: A number is out of range.
        """
        texts = [part.text(depth, width) if isinstance(part, SearchTree) else part.text(most) for part in self.parts]
        return "\n\n".join(texts)

    def svg(self) -> str:
        """All parts as one self-contained SVG: trees from left to right, populations as bars.

        A box is as high as the node has visits, and darker for a higher value. Nodes with few visits are left out.
        """
        return drawn(
            [
                (f"{part.title}: {part.value}", part.boxes() if isinstance(part, SearchTree) else part.bars())
                for part in self.parts
            ]
        )

    def __repr__(self) -> str:
        sizes = ", ".join(f"{part.title} of {part.size:,}" for part in self.parts)
        return f"<SearchView: {sizes}>"

    def _repr_svg_(self) -> str:
        """Draw the view in notebooks."""
        return self.svg()


def _number(value: float | None) -> str:
    return f"{'-':>10}" if value is None else f"{value:10.4g}"


def _line(node: SearchNode, level: int) -> str:
    return f"{node.visits:8}{_number(node.value)}  {'  ' * level}{'; '.join(node.actions)}"


def _lines(node: SearchNode, depth: int, width: int, level: int) -> Iterator[str]:
    """Lines of the nodes below one."""
    if level == depth:
        return
    for child in node.children[:width]:
        yield _line(child, level)
        yield from _lines(child, depth, width, level + 1)
    more = node.left_out + max(0, len(node.children) - width)
    if more:
        yield f"{'':20}{'  ' * level}and {more:,} more"


def _box(node: SearchNode, otherwise: str = "") -> Box:
    text = "; ".join(node.actions) or otherwise
    return Box(text, node.visits, node.value, tuple(_box(child) for child in node.children))
