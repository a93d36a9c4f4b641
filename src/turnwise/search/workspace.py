"""What one player's decisions use again: problems and the memory of searches."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack

from turnwise.core.budget import Budget
from turnwise.core.pickling import Pinned
from turnwise.core.state import State
from turnwise.search.memory_pool import MemoryPool
from turnwise.search.problem import Problem


class Workspace(Pinned):
    """The problems of one player's searches, and the memory that these searches share.

    A decision searches what the mover knows, action by action or as a whole, and perhaps some worlds. The problem of
    what is known and the problem of each world are made once; later searches, also those of later decisions, begin
    again with them, since to make a problem and its memory takes longer than a small search.
    """

    def __init__(self, make: Callable[[State, Budget, int], Problem]) -> None:
        """An empty workspace.

        Args:
            make: Makes a problem from a state, a budget and a seed.
        """
        self._make = make
        self._known: Problem | None = None
        # What a player remembers can be memory of the known problem's searches, so worlds have memory of their own.
        self._pool, self._world_pool = MemoryPool(), MemoryPool()
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
        known.wants_alternatives, known.room = alternatives, room
        self._free = self._worlds[::-1]
        return known

    def world(self, state: State, budget: Budget, seed: int) -> Problem:
        """The problem of one more world; its search uses the memory of the world before, whose search has ended.

        Args:
            state: Where the search starts.
            budget: Its limits.
            seed: Its seed.
        """
        if self._free:
            world = self._free.pop()
            world.begin_again(state, budget, seed)
        else:
            world = self._made(state, budget, seed, self._world_pool)
            self._worlds.append(world)
        world.room = None if self._known is None else self._known.room
        return world

    def end(self) -> None:
        """End the decision: the game forgets its problems, and large arrays are released."""
        with ExitStack() as ending:
            ending.callback(self._pool.release_large)
            ending.callback(self._world_pool.release_large)
            for problem in [] if self._known is None else [self._known, *self._worlds]:
                ending.callback(problem.game.after_plan, problem)

    def _made(self, state: State, budget: Budget, seed: int, pool: MemoryPool) -> Problem:
        problem = self._make(state, budget, seed)
        problem.expect_more(pool)
        return problem
