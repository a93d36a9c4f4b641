"""Solving a single-player game: the best game that a planner finds within a budget.

There are two ways. A planner that plans whole games (``Planner.plans_games``) searches once, from the start, with the
full budget. Any other planner plays turn by turn: the time for the whole game is divided by the number of turns still
expected, and the game is played again while a good part of the time is left. With both a time and a budget per turn,
games with that budget are played while there is time for one more. The best of all games is kept.

If time is the limit, the game in progress is now and then finished quickly, without search: the result may be the best
yet, and its length shows how many turns to expect. An interrupt loses nothing that was found.

Some games can improve a finished game as a whole (:meth:`turnwise.core.game.Game.improver`). If nobody names a planner,
the last part of a long search does that with the best game.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from turnwise.arena.live_games import LiveGame
from turnwise.arena.player import Player, note_of
from turnwise.arena.recommended import recommended_planner
from turnwise.arena.records import TurnCost
from turnwise.arena.solving.solution import PlayedLine, Solution, objective_of
from turnwise.core import arguments
from turnwise.core.budget import CLOCKS, Budget, Clock, as_budget, as_clock
from turnwise.core.chance import derive_seed
from turnwise.core.errors import OptionError
from turnwise.core.game import Game, Improver
from turnwise.core.state import State
from turnwise.plain_python.completion import quick_action
from turnwise.registry import make, planner
from turnwise.replay import Note, ReplayStep
from turnwise.search.plan import Plan, SearchReport
from turnwise.search.plans_turns import PlansTurns, as_planner
from turnwise.search.problem import Problem
from turnwise.search.search_planner import watch_searches

_PLAY_AGAIN = 0.25  # share of the time that must be left to start another game
_PROBING = 0.05  # largest share of the time spent on finishing games quickly
_FEWEST_TURNS = 4  # smallest number of turns to expect, so that a long game does not run out of time
_LONGEST_GAME = 100_000
_POLISHING = 0.4  # share of the time for improving the best game
_POLISHED_FROM = 20.0  # seconds; in less time planners need all of it


@dataclass(frozen=True, slots=True)
class SolvingProgress:
    """Progress of a solver.

    Attributes:
        seconds: Search time so far.
        share: Share of the time or of the iterations used, in [0, 1]; None if neither is limited.
        value: Best value that the running search has reported; None: none yet.
        objective: The best result so far in the game's own measure; None: not known yet.
        iterations: Iterations of the running search.
        doing: The current activity in words.
    """

    seconds: float
    share: float | None
    value: float | None
    objective: float | None
    iterations: int
    doing: str


class Solver:
    """Solves one game; another thread may read :attr:`progress` in the meantime.

    Attributes:
        start: The state to solve from.
        planner: The planner.
        name: The planner's text.
        objective: Name of the reported measure ("score", "time", "result").
    """

    def __init__(
        self,
        game: State | Game | str,
        mind: PlansTurns | str = "",
        budget: Budget | str | None = None,
        *,
        seconds: float | None = None,
        clock: Clock = "wall",
        seed: int = 0,
        live: Path | None = None,
        polish: bool | None = None,
    ) -> None:
        """Check the arguments.

        Args:
            game: The state to solve from, or a scenario or its text, which is solved from its start.
            mind: A planner or its text; default: the planner recommended for the game.
            budget: Limits of the single search of a planner that plans whole games; for other planners, of each turn.
            seconds: Time for the whole search, without loading and compiling; required if there is no budget.
            clock: Whether these seconds are wall time, or CPU time of the process ("cpu"), which stands still while
                other programs use the core.
            seed: Seed of the start and of the planner's choices.
            live: Folder in which others follow games that are played turn by turn
                (:mod:`turnwise.arena.live_games`); None: nobody can.
            polish: Whether the last 40 % of the seconds, or unlimited time if there are none, go into improving the
                best game by what the game itself knows (:meth:`~turnwise.core.game.Game.improver`); None: if it can, no
                planner is given, and there are 20 seconds.

        Raises:
            OptionError: The game is not a single-player game or is already over, there is no limit at all, an argument
                has the wrong type, the budget limits time by the other clock, or the game cannot improve games.
        """
        seed = arguments.seed(seed)
        seconds = None if seconds is None else arguments.number(seconds, "seconds", 0.0)
        game = make(game) if isinstance(game, str) else game
        if not isinstance(game, State | Game):
            raise OptionError(f"Expected a state, a game or the text of a game to solve; got {type(game).__name__}.")
        check_solvable(game.game if isinstance(game, State) else game)
        self.start = game.start(seed) if isinstance(game, Game) else game
        scenario = self.start.game
        if self.start.is_over:
            raise OptionError("The game is over in this state; there is nothing to solve.")
        if budget is None and seconds is None:
            raise OptionError("The search has no limit; give seconds or a budget, for example seconds=60.")
        is_named = not isinstance(mind, str) or bool(mind)
        self._improver = _improver(scenario, polish, may=not is_named and (seconds or 0.0) >= _POLISHED_FROM)
        self._until = seconds  # the time for playing ends
        if seconds is not None and self._improver is not None:
            self._until = (1.0 - _POLISHING) * seconds
        if isinstance(mind, str):
            mind = planner(mind or recommended_planner(scenario, seconds=self._until))
        self.planner: PlansTurns = as_planner(mind)
        self.name = str(getattr(mind, "spec", type(mind).__name__))
        self.objective = objective_of(self.start)[0]
        self._budget = None if budget is None else as_budget(budget)
        self._clock = _common_clock(self._budget, seconds, as_clock(clock, "The clock of a search"))
        self._seconds = seconds
        self._played: float | None = None
        self._seed = seed
        self._live = live
        self._began = self._now
        self._problem: Problem | None = None
        self._best: PlayedLine | None = None
        self._report = SearchReport.nothing()
        self._value: float | None = None
        self._length: int | None = None  # turns of a game that was played to its end
        self._games = 0
        self._turns = 0  # turns of the game in progress
        self._polishes = False  # at the moment
        self._probing = 0.0  # seconds

    @property
    def plans_games(self) -> bool:
        """Whether a single search from the start gives the whole game."""
        scenario = self.start.game
        is_certain = not (scenario.is_stochastic or scenario.reveals_in_turn)
        per_action = self._budget is not None and self._budget.scope == "action"
        return bool(getattr(self.planner, "plans_games", False)) and is_certain and not per_action

    def warm_up(self) -> None:
        """Load or compile what the planner needs, so that this does not count as search time.

        Raises:
            KeyboardInterrupt: Ctrl-C during the loading.
        """
        plan = self.planner.plan(self.start, Budget(iterations=1, seconds=0.05, clock=self._clock), self._seed)
        if isinstance(plan, Plan) and plan.report.stopped_by == "interrupt":
            raise KeyboardInterrupt

    def run(self) -> Solution:
        """Solve the game; Ctrl-C ends the search and returns the best game so far, with ``stopped_by`` "interrupt".

        Raises:
            TurnwiseError: What the planner or the game raises.
        """
        self._began = self._now
        with watch_searches(self._watch):
            try:
                stopped_by = self._search_game() if self.plans_games else self._play_games()
                if self._improver is not None and stopped_by != "interrupt":
                    stopped_by = self._polish(self._improver)
            except KeyboardInterrupt:
                stopped_by = "interrupt"
            seconds = self._spent
            if self._best is None:
                self._offer((), self.start)
        assert self._best is not None
        return Solution(
            self.start,
            self._best,
            self.name,
            self._seed,
            seconds,
            self._report,
            stopped_by,
            max(1, self._games),
            self._value,
            self._played,
        )

    # ------------------------------------------------------------------------------------------------- one search

    def _search_game(self) -> str:
        """Run one search over the whole game."""
        limits = self._limited(self._budget, self._until)
        answer = self.planner.plan(self.start, limits, self._seed)
        plan = answer if isinstance(answer, Plan) else Plan.of(self.start, answer)
        self._report, self._value = self._report + plan.report, plan.value
        self._offer(*self._replayed((*plan.codes, *plan.continuation), note_of(plan, plan.report, "plans")))
        return plan.report.stopped_by

    # ----------------------------------------------------------------------------------------------- turn by turn

    def _play_games(self) -> str:
        """Play one game turn by turn; under a time limit, further games until too little time is left for another."""
        if self._seconds is not None:
            self._probe((), self.start)
        while True:
            began = self._spent
            finished = self._play_game(derive_seed(self._seed, "game", self._games))
            if self._seconds is None:
                return "budget"
            # With a budget a game takes about as long as the previous one; without, it uses all the time it gets.
            needed = _PLAY_AGAIN * (self._until or 0.0) if self._budget is None else self._spent - began
            if not finished or self._left < needed:
                return "time"

    def _play_game(self, seed: int) -> bool:
        """Play one game; returns whether there was time to play it to its end."""
        self._games += 1
        self._turns = 0
        state, steps, turn = self.start, list[ReplayStep](), -1
        player = Player(self.planner, self.name, state.game, 0, Budget(iterations=0), seed, notes="plans")
        live = None if self._live is None else LiveGame(self._live, self._games, self.start, (self.name,))
        try:
            while not state.is_over:
                if self._seconds is not None and self._left <= 0:
                    return False
                if state.turn != turn:
                    turn = state.turn
                    player.budget = self._share()
                    self._turns += 1
                action, note = player.decide(state)
                after = state.play(action)
                steps.append(ReplayStep(action=state.text(action), player=0, outcomes=after.outcomes, note=note))
                state = after
                if live is not None:
                    live(state, steps[-1])
                if self._seconds is not None and self._probing < _PROBING * self._spent:
                    self._probe(tuple(steps), state)
            self._length = self._turns
            return True
        finally:  # after an interrupt, too: the game so far is finished quickly and may be the best
            if live is not None:
                live.end("the game is over" if state.is_over else "the time of the search is over")
            self._count(player.costs)
            self._offer(tuple(steps), state, tuple(player.costs))

    def _share(self) -> Budget:
        """Limits of the next turn: its share of the remaining time."""
        if self._seconds is None or self._budget is not None:
            return self._limited(self._budget, None if self._seconds is None else self._left)
        expected = max(_FEWEST_TURNS, (self._length or 0) - self._turns)
        return Budget(seconds=max(0.0, self._left / expected), clock=self._clock)

    def _probe(self, steps: tuple[ReplayStep, ...], state: State) -> None:
        """Finish a game quickly: it may be the best yet, and it shows how long games are."""
        began = self._now
        line = self._offer(steps, state)
        if self._games <= 1 and state.game.max_turn == 1:
            self._length = len(line.steps)
        elif self._length is None:
            self._length = line.end.turn - self.start.turn + 1
        self._probing += self._now - began

    def _count(self, costs: list[TurnCost]) -> None:
        for cost in costs:
            self._report = self._report + SearchReport(
                cost.seconds,
                cost.forward_calls,
                cost.evaluations,
                cost.iterations,
                cost.stopped_by,
                cost.details,
                forward_calls_for_others=cost.forward_calls_for_others,
            )

    # -------------------------------------------------------------------------------------------------- all of them

    def _polish(self, improver: Improver) -> str:
        """Improve the best game as a whole; returns why that ended."""
        assert self._best is not None
        played = self._best
        self._until, self._polishes = self._seconds, True
        codes, state = list[int](), self.start
        for step in played.steps:
            codes.append(state.code(step.action))
            state = state.play(codes[-1])
        try:
            for better in improver(self.start, codes, lambda: self._seconds is not None and self._left <= 0):
                self._offer(*self._replayed(better))
        finally:
            if self._best is not played:
                self._played, self._value = objective_of(played.end)[1], None
        return "done" if self._seconds is None or self._left > 0 else "time"

    def _replayed(self, codes: Sequence[int], note: Note | None = None) -> tuple[tuple[ReplayStep, ...], State]:
        """The steps of a game from the start, the first one with a note, and its last state."""
        steps, state = list[ReplayStep](), self.start
        for code in codes:
            after = state.play(code)
            steps.append(ReplayStep(action=state.text(code), player=0, outcomes=after.outcomes, note=note))
            state, note = after, None
        return tuple(steps), state

    def _offer(self, steps: tuple[ReplayStep, ...], state: State, costs: tuple[TurnCost, ...] = ()) -> PlayedLine:
        """Keep a game if it is the best so far; an unfinished one is finished without search."""
        further = list(steps)
        while not state.is_over and len(further) < _LONGEST_GAME:
            code = quick_action(state)
            after = state.play(code)
            further.append(ReplayStep(action=state.text(code), player=0, outcomes=after.outcomes))
            state = after
        line = PlayedLine(tuple(further), state, costs)
        best = self._best
        if best is None or line.rank > best.rank or (line.rank == best.rank and len(costs) > len(best.costs)):
            self._best = line
        return line

    def _limited(self, budget: Budget | None, seconds: float | None) -> Budget:
        if budget is None:
            return Budget(seconds=seconds, clock=self._clock)
        if seconds is None:
            return budget
        least = seconds if budget.seconds is None else min(seconds, budget.seconds)
        return replace(budget, seconds=least, clock=self._clock)

    @property
    def _now(self) -> float:
        return CLOCKS[self._clock]() / 1e9

    @property
    def _spent(self) -> float:
        return self._now - self._began

    @property
    def _left(self) -> float:
        return (self._until or 0.0) - self._spent

    def _watch(self, problem: Problem) -> None:
        self._problem = problem

    @property
    def progress(self) -> SolvingProgress:
        """Progress of the search."""
        problem, best = self._problem, self._best
        value = objective = None
        iterations = 0
        if problem is not None:
            iterations = int(problem.record.iterations)
            reported = float(problem.record.best)
            value = reported if reported > float("-inf") else None
        if best is not None:
            objective = objective_of(best.end)[1]
        elif value is not None and problem is not None:
            objective = self.start.game.objective_of(value, problem.evaluation_name)
        doing = "searching" if self.plans_games else f"game {max(1, self._games)}, turn {self._turns}"
        doing = "improving the best game" if self._polishes else doing
        return SolvingProgress(self._spent, self._progress_share(iterations), value, objective, iterations, doing)

    def _progress_share(self, iterations: int) -> float | None:
        seconds = self._seconds
        if seconds is None and self.plans_games and self._budget is not None:
            if self._budget.seconds is None and self._budget.iterations:
                return min(1.0, iterations / self._budget.iterations)
            seconds = self._budget.seconds
        return None if not seconds else min(1.0, self._spent / seconds)


def _improver(game: Game, polish: bool | None, *, may: bool) -> Improver | None:
    """What improves finished games, if that is wanted.

    Args:
        game: The game.
        polish: Whether it is wanted; None: if the game can, and ``may`` is true.
        may: Whether it may be done unasked.

    Raises:
        OptionError: The game cannot.
    """
    if not (may if polish is None else arguments.flag(polish, "polish")):
        return None
    found = game.improver()
    if found is None and polish:
        raise OptionError(
            f"{game.spec} has no way to improve finished games (Game.improver); leave polish out. Of some games only "
            f"certain scenarios have one: `turnwise games {game.name}` lists the options."
        )
    return found


def check_solvable(game: Game) -> None:
    """Refuse games that are not single-player games, before anything is compiled for them.

    Raises:
        OptionError: The game has several players.
    """
    if game.players != 1:
        raise OptionError(
            f"{game.spec} is a game for {game.players} players; only single-player games can be solved. "
            "'turnwise plan' plans one turn of it."
        )


def _common_clock(budget: Budget | None, seconds: float | None, clock: Clock) -> Clock:
    """The clock of a whole search: that of its seconds, or of its budget.

    Raises:
        OptionError: They go by different clocks.
    """
    if budget is None or budget.seconds is None or budget.clock == clock:
        return clock
    if seconds is None:
        return budget.clock
    raise OptionError(
        f"The budget {str(budget)!r} and the seconds of the search go by different clocks; give the budget as "
        f"{str(replace(budget, clock=clock))!r}, or the search the clock {budget.clock!r}."
    )


def solve(
    game: State | Game | str,
    mind: PlansTurns | str = "",
    budget: Budget | str | None = None,
    *,
    seconds: float | None = None,
    clock: Clock = "wall",
    seed: int = 0,
    polish: bool | None = None,
) -> Solution:
    """Search for the best playthrough of a single-player game; see :class:`Solver` for the arguments.

    Raises:
        OptionError: See :class:`Solver`.
    """
    solver = Solver(game, mind, budget, seconds=seconds, clock=clock, seed=seed, polish=polish)
    solver.warm_up()
    return solver.run()
