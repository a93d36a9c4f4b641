"""What a search sees while it runs: its best lines so far and what they have cost, for people.

    live = LiveSearch()

    def think():                                # in a thread of its own
        with live:
            plan = session.plan(state, budget)

    snapshot = live.snapshot()                  # in any other thread, as often as you like

A snapshot reads the memory of the search while kernels write to it. It takes no lock, so that no search waits for it,
and kernels know nothing of it. A line that was half written ends where its next action is illegal.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextvars import Token
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple, Self

from turnwise.core import arguments
from turnwise.core.budget import Budget
from turnwise.core.errors import TurnwiseError
from turnwise.core.finite import finite
from turnwise.core.pickling import Pinned
from turnwise.core.state import State
from turnwise.search.inspection.findings import after_forced_end
from turnwise.search.problem import Line
from turnwise.search.watching import Lines, Progress, SearchWatch, Watched, watching

LONGEST_SHOWN = 60
"""Actions of a line that are shown."""
_MOST_LINES = 1000
_ATTEMPTS = 3  # to read one search before it ends

Found = list[tuple[list[int], float | None]]


@dataclass(frozen=True, slots=True)
class LiveLine:
    """One of the best lines so far.

    Attributes:
        actions: From the searched state on, as text: up to the end of the turn, or beyond it where one player plays
            alone; at most 60.
        value: Its value for the mover, on the planner's own scale; None: unknown.
    """

    actions: tuple[str, ...]
    value: float | None


@dataclass(frozen=True, slots=True)
class LiveSnapshot:
    """What a search has found and spent up to a moment.

    Attributes:
        number: Number of the decision since the :class:`LiveSearch` was made, from 1. Under a budget per action every
            action is one.
        lines: The best lines so far, best first; empty where the planner shows none.
        value: The value of the first of them; without lines, the best value so far; None: there is none yet.
        seconds: How long the search has taken.
        forward_calls: Forward calls.
        evaluations: Evaluations.
        iterations: Iterations of the planner's own kind.
        share: The share of the budget that is used, from 0 to 1, by the limit that is closest; None: there is no limit.
        world: The world that is searched, from 1.
        worlds: How many worlds the decision searches, one after the other. Lines belong to the present one, all other
            figures to the decision.
        has_ended: Whether the search has ended; then the first line is what it has found.
    """

    number: int
    lines: tuple[LiveLine, ...]
    value: float | None
    seconds: float
    forward_calls: int
    evaluations: int
    iterations: int
    share: float | None
    world: int
    worlds: int
    has_ended: bool

    @property
    def iterations_per_second(self) -> float:
        """Mean number of iterations a second."""
        return self.iterations / self.seconds if self.seconds > 0.0 else 0.0


class _View(NamedTuple):
    """Where the lines of the present search are; replaced as a whole.

    Attributes:
        state: Where they begin.
        problems: All problems that the decision has searched, the present one last.
        lines: Copies them; None: ``copied`` has them.
        copied: The lines of a search that has ended.
    """

    state: State
    problems: tuple[Watched, ...]
    lines: Lines | None = None
    copied: Found = []  # noqa: RUF012


class _Moment(NamedTuple):
    """A snapshot before its actions are texts."""

    number: int
    state: State
    lines: Found
    spent: Progress
    share: float | None
    world: int
    worlds: int
    has_ended: bool


class _Decision:
    """A decision that is watched: one search, or one in each of several worlds."""

    def __init__(self, number: int, problem: Watched, limits: Budget, worlds: int) -> None:
        """Begin.

        Args:
            number: Number of the decision.
            problem: What is searched, or what the mover knows.
            limits: Limits of the decision.
            worlds: In how many worlds searches follow; 0: the problem itself is searched.
        """
        self.number, self.limits, self.worlds, self.is_in_worlds = number, limits, max(1, worlds), worlds > 0
        self.view = _View(problem.state, () if self.is_in_worlds else (problem,))
        self.known: Watched | None = problem
        self.last: _Moment | None = None  # set at the end

    def begin_world(self, problem: Watched) -> None:
        """Go on with the next world."""
        self.view = _View(problem.state, (*self.view.problems, problem))

    def observe(self, lines: Lines) -> None:
        """See :meth:`LiveSearch.observe`."""
        self.view = self.view._replace(lines=lines)

    def end_search(self, found: Line | None, most: int) -> None:
        """Copy the lines while their memory is valid, the search's own answer first."""
        self.view = self.view._replace(lines=None, copied=_with_answer(found, self._copied(self.view, most)))

    def end(self, state: State, lines: Found) -> None:
        """Keep what was found and spent, and nothing of the search."""
        assert self.known is not None
        ended = self.view._replace(state=state, copied=lines)
        self.last = self._moment(ended, lines, self.known, has_ended=True)
        self.known, self.view = None, ended._replace(problems=())

    def moment(self, most: int) -> _Moment | None:
        """What has been found and spent so far; None: the search that was read ended meanwhile, read again."""
        view, known = self.view, self.known
        if self.last is not None or known is None:
            return self.last
        found = self._copied(view, most)
        moment = self._moment(view, found, known, has_ended=False)
        return moment if view is self.view else None

    @staticmethod
    def _copied(view: _View, most: int) -> Found:
        if view.lines is None:
            return view.copied
        return [(list(codes), value) for codes, value in view.lines(most) if len(codes) > 0]

    def _moment(self, view: _View, lines: Found, known: Watched, *, has_ended: bool) -> _Moment:
        """What has been found and spent.

        Args:
            view: The present search.
            lines: Its lines.
            known: The problem of what the mover knows; at the end it has the counters of all worlds.
            has_ended: Whether the decision has ended.
        """
        each = [problem.progress for problem in ((known,) if has_ended else view.problems or (known,))]
        calls, evaluations, iterations = (sum(counter) for counter in zip(*(one[1:4] for one in each), strict=True))
        spent = Progress(known.progress.seconds, calls, evaluations, iterations, each[-1].best)
        share, world = _share_of(spent, self.limits), max(1, len(view.problems))
        return _Moment(self.number, view.state, lines, spent, share, world, self.worlds, has_ended)


class LiveSearch(Pinned, SearchWatch):
    """Shows the searches that begin within its ``with`` statement, while they run.

    Only the searches of the thread, or of the task of asyncio, that runs the ``with`` statement are shown, wherever
    they run themselves. Use one for each of several threads that search at the same time.
    """

    def __init__(self, lines: int = 5) -> None:
        """Show nothing yet.

        Args:
            lines: The most lines that a snapshot has.

        Raises:
            OptionError: The number is out of range.
        """
        self._most = arguments.whole_number(lines, "lines", 1, _MOST_LINES)
        self._decision: _Decision | None = None
        self._made: LiveSnapshot | None = None
        self._named: tuple[State | None, dict[tuple[int, ...], tuple[str, ...]]] = None, {}
        self._token: Token[SearchWatch | None] | None = None
        self._ends_next = False

    def __enter__(self) -> Self:
        if self._token is not None:
            raise TurnwiseError(
                "This LiveSearch already shows the searches of another `with` statement. Make one LiveSearch for each "
                "thread that searches."
            )
        self._token = watching.set(self)
        return self

    def __exit__(self, *error: object) -> None:
        if self._token is not None:
            watching.reset(self._token)
            self._token = None

    def interrupt(self, *, or_next: bool = False) -> None:
        """Ask the search that runs now to end soon, as Ctrl-C does; the plan says that it was interrupted.

        Call it from any thread. A decision that searches several worlds ends with the present one.

        Args:
            or_next: If no search runs, for example since its planner is still being compiled, the next one ends as
                soon as it begins.
        """
        self._ends_next = or_next  # before looking: a search that begins meanwhile sees it
        decision = self._decision
        if decision is None or decision.last is not None:
            return
        self._ends_next = False
        for problem in (decision.known, *decision.view.problems):
            if problem is not None:
                problem.interrupt()

    def snapshot(self) -> LiveSnapshot | None:
        """What the search has found and spent so far; None before the first search.

        After the end of a search it stays as it was then until the next one begins. Call it from any thread.
        """
        for _ in range(_ATTEMPTS):
            decision = self._decision
            if decision is None:
                return None
            moment = decision.moment(self._most)
            if moment is not None and decision is self._decision:
                self._made = self._as_snapshot(moment)
                break
        return self._made

    def search(self, problem: Watched, limits: Budget, run: Callable[[], Line]) -> Line:
        """See :meth:`.SearchWatch.search`."""
        decision, found = self._decision, None
        is_world = decision is not None and decision.last is None and decision.is_in_worlds
        if decision is None or not is_world:
            self._decision = decision = self._next(problem, limits, 0)
        else:
            decision.begin_world(problem)
        if self._ends_next:
            self._ends_next = False
            problem.interrupt()
        try:
            found = run()
        finally:
            decision.end_search(found, self._most)
            if not is_world:
                decision.end(decision.view.state, decision.view.copied)
        return found

    def worlds(self, known: Watched, limits: Budget, count: int, run: Callable[[], Line]) -> Line:
        """See :meth:`.SearchWatch.worlds`."""
        found = None
        state = known.state
        self._decision = decision = self._next(known, limits, count)
        if self._ends_next:  # the first world's search will see it, too
            known.interrupt()
        try:
            found = run()
        finally:
            decision.end(state, _with_answer(found, []))
        return found

    def observe(self, lines: Lines) -> None:
        """See :meth:`.SearchWatch.observe`."""
        if self._decision is not None:
            self._decision.observe(lines)

    def _next(self, problem: Watched, limits: Budget, worlds: int) -> _Decision:
        number = 1 if self._decision is None else self._decision.number + 1
        return _Decision(number, problem, limits, worlds)

    def _as_snapshot(self, moment: _Moment) -> LiveSnapshot:
        spent = moment.spent
        lines = self._lines(moment.state, moment.lines)
        value = lines[0].value if lines else None
        return LiveSnapshot(
            moment.number,
            lines,
            finite(spent.best) if value is None else value,
            spent.seconds,
            spent.forward_calls,
            spent.evaluations,
            spent.iterations,
            moment.share,
            moment.world,
            moment.worlds,
            moment.has_ended,
        )

    def _lines(self, state: State, found: Found) -> tuple[LiveLine, ...]:
        """The lines as text, without equal ones and those that have no legal action; texts that are known stay."""
        before, old = self._named
        known = old if before is state else {}
        texts = {tuple(codes): known.get(tuple(codes)) or _played(state, codes) for codes, _ in found}
        self._named = state, texts
        best: dict[tuple[str, ...], float | None] = {}  # of equal lines the first one
        for codes, value in found:
            if texts[tuple(codes)]:
                best.setdefault(texts[tuple(codes)], None if value is None else finite(value))
        return tuple(LiveLine(*line) for line in islice(best.items(), self._most))


def _played(state: State, codes: Sequence[int]) -> tuple[str, ...]:
    """Texts of a line's actions, up to the end of the turn unless one player plays alone, or to the first illegal one.

    In games of chance a line follows the state's own chance stream, as :meth:`State.play` does.
    """
    texts: list[str] = []
    is_alone, whose = state.game.players == 1, (state.to_move, state.turn)
    try:
        for code in codes[:LONGEST_SHOWN]:
            state = after_forced_end(state, code) if is_alone else state
            if state.is_over or not (is_alone or (state.to_move, state.turn) == whose):
                break
            after = state.after(code)
            if after is None:
                break
            texts.append(state.text(code))
            state = after
    except TurnwiseError:  # a game in plain Python has no room for further states, or failed
        pass
    return tuple(texts)


def _with_answer(found: Line | None, others: Found) -> Found:
    """The line that a search has found and its alternatives, then other lines; none that begins another one."""
    if found is None:
        return others
    answers: Found = [(found.codes, found.value), *found.alternatives]
    kept: Found = []
    for codes, value in [one for one in (*answers, *others) if one[0]]:
        if not any(codes[: len(better)] == better or better[: len(codes)] == codes for better, _ in kept):
            kept.append((list(codes), value))
    return kept


def _share_of(spent: Progress, limits: Budget) -> float | None:
    """The share of limits that has been spent, by the one that is closest; None: there is none."""
    pairs = (
        (spent.seconds, limits.seconds),
        (spent.forward_calls, limits.forward_calls),
        (spent.evaluations, limits.evaluations),
        (spent.iterations, limits.iterations),
    )
    shares = [min(1.0, used / limit) if limit > 0 else 1.0 for used, limit in pairs if limit is not None]
    return max(shares, default=None)
