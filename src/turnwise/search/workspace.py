"""What one player's decisions use again: problems and the memory of searches."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from typing import TYPE_CHECKING

from turnwise.core.budget import Budget
from turnwise.core.pickling import Pinned
from turnwise.core.state import State
from turnwise.search.memory_pool import MemoryPool
from turnwise.search.problem import Problem
from turnwise.search.watching import watching

if TYPE_CHECKING:
    from turnwise.search.inspection.findings import Findings


class Workspace(Pinned):
    """The problems of one player's searches, and the memory of these searches.

    A decision searches what the mover knows, action by action or as a whole, and perhaps some worlds. The problem of
    what is known and the problem of each world are made once; later searches, also those of later decisions, begin
    again with them, since to make a problem and its memory takes longer than a small search.

    Attributes:
        findings: Where all searches copy their trees and populations for people; None: nobody wants to see them.
    """

    def __init__(self, make: Callable[[State, Budget, int], Problem], *, keeps_memory: bool = False) -> None:
        """An empty workspace.

        Args:
            make: Makes a problem from a state, a budget and a seed.
            keeps_memory: Whether what the player remembers of a search is the search's memory itself. Then every world
                has memory of its own, which for the first one is that of what is known; else all worlds share one.
        """
        self.findings: Findings | None = None
        self._make = make
        self._keeps_memory = keeps_memory
        self._known: Problem | None = None
        self._pool, self._world_pools = MemoryPool(), [] if keeps_memory else [MemoryPool()]
        self._worlds: list[Problem] = []
        self._free: list[Problem] = []  # of these, the ones that are not searched now, last world first

    def problem(
        self, state: State, budget: Budget, seed: int, *, alternatives: bool, room: int | None = None
    ) -> Problem:
        """The problem of what the mover knows, for the next search; problems of worlds are free again.

        Args:
            state: Where the search starts.
            budget: Its limits.
            seed: Its seed.
            alternatives: Whether anyone reads other turns than the best one.
            room: See :attr:`.Problem.room`.
        """
        known = self._known
        if known is None:
            known = self._made(state, budget, seed, self._pool)
            self._known = known
        else:
            known.begin_again(state, budget, seed)
        known.wants_alternatives, known.room, known.findings = alternatives, room, self.findings
        known.watch = watching.get()
        self._free = self._worlds[::-1]
        return known

    def world(self, state: State, budget: Budget, seed: int) -> Problem:
        """The problem of one more world; the search of the world before has ended, and its memory may be used again.

        Args:
            state: Where the search starts.
            budget: Its limits.
            seed: Its seed.
        """
        if self._free:
            world = self._free.pop()
            world.begin_again(state, budget, seed)
        else:
            world = self._made(state, budget, seed, self._pool_of_next_world())
            self._worlds.append(world)
        world.room = None if self._known is None else self._known.room
        world.findings = self.findings
        world.watch = None if self._known is None else self._known.watch  # worlds are searched in another thread
        return world

    def end(self) -> None:
        """End the decision: the game forgets its problems, and large arrays are released."""
        for pool in (self._pool, *self._world_pools):
            pool.release_large()
        if self._worlds:
            with ExitStack() as ending:  # so that all end, also if one fails
                for problem in self._worlds:
                    ending.callback(problem.game.after_plan, problem)
                self._end_known()
        else:
            self._end_known()

    def _end_known(self) -> None:
        if self._known is not None:
            self._known.game.after_plan(self._known)

    def _pool_of_next_world(self) -> MemoryPool:
        if not self._keeps_memory:
            return self._world_pools[0]
        if not self._worlds:
            return self._pool
        self._world_pools.append(MemoryPool())
        return self._world_pools[-1]

    def _made(self, state: State, budget: Budget, seed: int, pool: MemoryPool) -> Problem:
        problem = self._make(state, budget, seed)
        problem.expect_more(pool)
        return problem
