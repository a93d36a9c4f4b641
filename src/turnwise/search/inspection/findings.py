"""Collecting what searches leave: numbers while their memory is valid, texts when the decision has been made.

A planner copies its tree or population when its search has ended and someone wants to see it (``Problem.findings``).
Only the most visited nodes are copied, so that this takes milliseconds also in a large tree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import count, islice

from turnwise.core.errors import NotationError
from turnwise.core.state import State
from turnwise.search.inspection.views import Individual, SearchNode, SearchPopulation, SearchTree, SearchView

MOST_NODES = 500
MOST_MEMBERS = 100
_DEEPEST = 60  # levels; trees with transpositions may lead back to a state


@dataclass(frozen=True, slots=True)
class Branch:
    """An edge of a tree.

    Attributes:
        codes: Its actions.
        node: The node that it leads to; below 0: there is none yet.
        visits: How often the search took it.
        value: What it is worth; None: unknown.
    """

    codes: Sequence[int]
    node: int
    visits: int
    value: float | None


@dataclass(slots=True)
class _Copied:
    """A copied edge, with the edges below it."""

    branch: Branch
    below: list[_Copied] = field(default_factory=list)
    left_out: int = 0  # edges below it that are not copied


class Findings:
    """What the searches of one decision have left so far."""

    def __init__(self) -> None:
        self._made: list[Callable[[], SearchTree | SearchPopulation]] = []

    def add_tree(
        self,
        title: str,
        state: State,
        root: Branch,
        branches: Callable[[int], Iterable[Branch]],
        *,
        size: int,
        value: str,
        continues: bool = True,
    ) -> None:
        """Copy the most visited nodes of a tree.

        Args:
            title: What it is.
            state: The state of its root.
            root: An edge that leads to the root.
            branches: The edges of a node.
            size: Number of nodes of the whole tree.
            value: What the values are, as text for headings.
            continues: Whether the actions of an edge follow those of the edge above it; else they begin at ``state``.
        """
        copied = _most_visited(root, branches)
        self._made.append(lambda: SearchTree(title, value, size, _named(copied, state, continues)))

    def add_population(
        self, title: str, state: State, members: Iterable[tuple[float, Sequence[int]]], *, size: int, value: str
    ) -> None:
        """Copy the best members of a population of lines.

        Args:
            title: What it is.
            state: Where their actions begin.
            members: Fitness (-inf: not assessed) and actions of each, best first.
            size: Number of members of the whole population.
            value: What the fitness is, as text for headings.
        """
        copied = [(fitness, list(codes)) for fitness, codes in islice(members, MOST_MEMBERS)]

        def made() -> SearchPopulation:
            named = (Individual(_texts(state, codes)[0], _known(fitness)) for fitness, codes in copied)
            return SearchPopulation(title, value, size, tuple(named))

        self._made.append(made)

    def add_genomes(self, title: str, members: Iterable[tuple[float, Sequence[str]]], *, size: int, value: str) -> None:
        """Copy the best members of a population whose genes are no actions.

        Args:
            title: What it is.
            members: Fitness (-inf: not assessed) and texts of the genes of each, best first.
            size: Number of members of the whole population.
            value: What the fitness is, as text for headings.
        """
        copied = tuple(Individual(tuple(genes), _known(fitness)) for fitness, genes in islice(members, MOST_MEMBERS))
        self._made.append(lambda: SearchPopulation(title, value, size, copied))

    def view(self) -> SearchView | None:
        """Everything as text; None: no search has left anything that can be shown.

        To be called after the decision: a game in plain Python then has room again for the states on the way.
        """
        return SearchView(tuple(make() for make in self._made)) if self._made else None


def _known(value: float) -> float | None:
    return None if value == -float("inf") else value


def _most_visited(root: Branch, branches: Callable[[int], Iterable[Branch]]) -> _Copied:
    """Copy the most visited nodes of a tree with the nodes above them."""
    top = _Copied(root)
    order = count()
    waiting: list[tuple[int, int, int, _Copied, _Copied | None]] = [(0, next(order), 0, top, None)]
    copied = 0
    while waiting and copied < MOST_NODES:
        _, _, level, one, parent = heappop(waiting)
        if parent is not None:
            parent.below.append(one)
        copied += 1
        if one.branch.node >= 0 and level < _DEEPEST:
            for branch in branches(one.branch.node):
                heappush(waiting, (-branch.visits, next(order), level + 1, _Copied(branch), one))
    for _, _, _, _, parent in waiting:
        if parent is not None:
            parent.left_out += 1
    return top


def _named(copied: _Copied, state: State, continues: bool) -> SearchNode:
    """A copied node with its actions as text.

    Args:
        copied: The node.
        state: Where its actions begin.
        continues: Whether those of its children follow them.
    """
    texts, after = _texts(state, copied.branch.codes)
    below = after if continues else state
    children = tuple(_named(child, below, continues) for child in copied.below)
    return SearchNode(texts, copied.branch.visits, copied.branch.value, children, copied.left_out)


def _texts(state: State, codes: Sequence[int]) -> tuple[tuple[str, ...], State]:
    """Texts of actions, and the state after them.

    Chance may have made an action illegal here that was legal in the search; it is named, and changes nothing. Some
    trees do not mention an end of the turn that is the only legal action; it is played where the next action needs it.
    """
    texts: list[str] = []
    for code in codes:
        state = after_forced_end(state, code)
        try:
            texts.append(state.text(code))
        except NotationError:  # a game whose texts depend on the state
            texts.append(f"action {code}")
            continue
        if not state.is_over:
            state = state.after(code) or state
    return tuple(texts), state


def after_forced_end(state: State, code: int) -> State:
    """The state after the only legal action, where that makes an action legal; else the state itself."""
    if state.is_over or state.is_legal(code):
        return state
    forced = state.legal_codes()
    after = state.play(int(forced[0])) if len(forced) == 1 else state
    return after if after.is_legal(code) else state
