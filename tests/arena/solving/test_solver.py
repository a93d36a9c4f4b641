"""Solving single-player games: both kinds of planners, budgets, interrupts, the record of a solution."""

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

import turnwise
from doubles.toy_game import Toy
from turnwise.arena import Ending, Solver, solve
from turnwise.arena.solving.solution import objective_of
from turnwise.core.budget import CLOCKS
from turnwise.core.errors import OptionError, UnknownNameError
from turnwise.plain_python.completion import quick_action
from turnwise.search.plan import Plan, SearchReport
from turnwise.search.planner import Planner

ALONE = "toy:players=1"


@pytest.fixture(autouse=True)
def toy():
    turnwise.GAMES.add("toy", Toy)


class WholeGames(Planner):
    """Plans the whole game by taking the candidate at a fixed place at every step."""

    name, title, plans_games = "whole-games", "Whole games", True

    def __init__(self, place=0, reach=1000, stopped_by="budget"):
        super().__init__()
        self.place, self.reach, self.stopped_by = place, reach, stopped_by
        self.asked = []

    def plan(self, state, budget, seed=0):
        self.asked.append((state, budget, seed))
        codes, turn, further, now = [], state.turn, [], state
        while not now.is_over and len(codes) + len(further) < self.reach:
            candidates = now.candidate_codes()
            code = int(candidates[self.place % len(candidates)])
            (codes if now.turn == turn else further).append(code)
            now = now.play(code)
        report = SearchReport(seconds=0.01, iterations=3, stopped_by=self.stopped_by)
        return Plan.of(state, codes, 1.5, report=report, continuation=tuple(further))


class HandClock:
    """A clock that only planners move, so that a busy machine changes nothing."""

    def __init__(self):
        self.now = 0  # ns

    def run_for(self, seconds):
        self.now += round(seconds * 1e9)


@pytest.fixture
def clock(monkeypatch):
    clock = HandClock()
    monkeypatch.setitem(CLOCKS, "wall", lambda: clock.now)
    return clock


class Slow(Planner):
    """Takes a little more than its time and plays the best-scored action; remembers its budgets."""

    name, title = "slow", "Slow"

    def __init__(self, clock):
        super().__init__()
        self.clock, self.given = clock, []

    def plan(self, state, budget, seed=0):
        self.given.append(budget)
        self.clock.run_for((budget.seconds or 0.0) + 0.002)
        codes, now = [], state
        while now.turn == state.turn and not now.is_over:
            codes.append(quick_action(now))
            now = now.play(codes[-1])
        return Plan.of(state, codes)


def codes_of(state, actions):
    codes = []
    for action in actions:
        codes.append(state.code(action))
        state = state.play(codes[-1])
    return codes


def replayed(solution):
    """The last state of the solution's replay."""
    return list(solution.replay.states())[-1]


def test_a_planner_of_whole_games_is_asked_once_with_the_whole_budget():
    mind = WholeGames()
    solution = Solver(ALONE, mind, "iterations=7", seconds=2.5, seed=4).run()
    assert [(budget.iterations, budget.seconds, seed) for _, budget, seed in mind.asked] == [(7, 2.5, 4)]
    assert solution.line.end.is_over
    assert solution.stopped_by == "budget"
    assert (solution.value, solution.report.iterations, solution.games) == (1.5, 3, 1)
    assert replayed(solution) == solution.line.end
    assert solution.replay.steps[0].note.iterations == 3
    assert all(step.note is None for step in solution.replay.steps[1:])


def test_a_line_that_ends_early_is_finished_by_best_scored_actions():
    whole = Solver(ALONE, WholeGames(place=1), "iterations=1").run()
    short = Solver(ALONE, WholeGames(place=1, reach=3), "iterations=1").run()
    assert short.line.end.is_over
    assert short.actions[:3] == whole.actions[:3]
    assert short.actions != whole.actions
    state = whole.start
    for action in short.actions[:3]:
        state = state.play(action)
    for action in short.actions[3:]:
        assert action == state.text(quick_action(state))
        state = state.play(action)


def test_chance_or_a_budget_per_action_make_it_play_turn_by_turn():
    mind = WholeGames()
    Solver(ALONE + ",chance=true", mind, "iterations=1").run()
    assert len(mind.asked) >= 8
    mind = WholeGames()
    assert not Solver(ALONE, mind, "iterations=1/action").plans_games
    assert Solver(ALONE, mind, "iterations=1").plans_games


def test_the_time_is_divided_over_the_turns_and_kept(clock):
    mind = Slow(clock)
    solution = Solver(ALONE, mind, seconds=1.0).run()
    assert 0.8 < solution.seconds < 1.02
    assert solution.stopped_by == "time"
    first = [budget.seconds for budget in mind.given[:8]]
    assert len(first) == 8  # as many turns as the game has
    assert 1 / 16 < first[0] < 1 / 4
    assert sum(first) <= 1.0
    assert solution.line.end.is_over


def test_the_last_part_of_the_time_goes_into_improving_the_best_game(clock, monkeypatch):
    better = Solver(ALONE, "nrpa", "iterations=500").run()
    poor, given = WholeGames(place=1), []

    class Wasteful(Slow):  # plays the second candidate
        def plan(self, state, budget, seed=0):
            super().plan(state, budget)
            return poor.plan(state, budget)

    def improver(start, codes, is_over):
        given.append((start, codes))
        yield codes_of(start, better.actions)
        clock.run_for(7.0)
        assert not is_over()
        clock.run_for(4.0)  # playing may have left some of its time
        assert is_over()

    mind = Wasteful(clock)
    monkeypatch.setattr(type(turnwise.make(ALONE)), "improver", lambda game: improver)
    solver = Solver(ALONE, mind, seconds=20.0, polish=True)
    solution = solver.run()
    assert 9.0 < sum(budget.seconds for budget in mind.given) <= 12.0
    ((start, codes),) = given
    assert start == solver.start
    for code in codes:
        start = start.play(code)
    assert start.is_over
    assert solution.played == objective_of(start)[1]
    assert solution.objective[1] > solution.played
    assert solution.actions == better.actions
    assert solution.stopped_by == "time"
    assert replayed(solution) == solution.line.end
    assert solver.progress.doing == "improving the best game"


def test_games_are_improved_if_they_can_be_no_planner_is_named_and_there_is_time():
    def improves(game, mind="", **options):
        return Solver(game, mind, **options)._improver is not None

    race = "search-race:moves=all"
    assert improves(race, seconds=20.0)
    assert not improves(race, seconds=19.0)
    assert improves(race, seconds=1.0, polish=True)
    assert not improves(race, seconds=20.0, polish=False)
    assert not improves(race, "rhea", seconds=20.0)
    assert not improves(race, turnwise.planner("rhea"), seconds=20.0)
    assert improves(race, "rhea", budget="iterations=1", polish=True)
    assert not improves("search-race", seconds=20.0)
    assert not improves("samegame", seconds=20.0)
    with pytest.raises(OptionError, match=r"samegame has no way to improve finished games .*; leave polish out"):
        Solver("samegame", seconds=20.0, polish=True)
    with pytest.raises(OptionError, match="polish"):
        Solver(race, seconds=20.0, polish="yes")


def test_a_race_is_improved_without_a_time_limit_until_nothing_more_is_found():
    race = "search-race:checkpoints=[[2000,2000],[7000,3500]],laps=1,moves=all"
    played = solve(race, "mcts", "iterations=5")
    improved = solve(race, "mcts", "iterations=5", polish=True)
    assert improved.objective[1] < played.objective[1] - 1.0
    assert improved.stopped_by == "done"
    assert improved.value is None
    assert (improved.played, played.played) == (played.objective[1], None)
    assert replayed(improved) == improved.line.end
    assert solve(race, "mcts", "iterations=5", polish=True).actions == improved.actions


def test_ctrl_c_while_a_game_is_improved_keeps_the_best(monkeypatch):
    better = Solver(ALONE, "nrpa", "iterations=500").run()

    def improver(start, codes, is_over):
        yield codes_of(start, better.actions)
        raise KeyboardInterrupt

    monkeypatch.setattr(type(turnwise.make(ALONE)), "improver", lambda game: improver)
    solution = Solver(ALONE, "mcts", "iterations=1", polish=True).run()
    assert solution.stopped_by == "interrupt"
    assert solution.actions == better.actions
    assert solution.played < solution.objective[1]


def test_a_game_that_cannot_be_improved_stays(monkeypatch):
    monkeypatch.setattr(
        type(turnwise.make(ALONE)), "improver", lambda game: lambda start, codes, is_over: iter([codes])
    )
    solution = Solver(ALONE, "mcts", "iterations=1", polish=True).run()
    assert solution.played is None
    assert solution.stopped_by == "done"


def test_no_time_at_all_still_gives_a_game():
    solution = Solver(ALONE, "mcts", seconds=1e-9).run()
    assert solution.line.end.is_over
    assert replayed(solution) == solution.line.end


def test_a_budget_is_that_of_each_turn():
    solution = solve(ALONE, "mcts", "iterations=20", seed=3)
    assert solution.report.iterations == 8 * 20
    assert solution.games == 1
    again = solve(ALONE, "mcts", "iterations=20", seed=3)
    assert [s.action for s in again.line.steps] == [s.action for s in solution.line.steps]
    quick = solve(ALONE, "mcts", "iterations=1000000", seconds=0.5)
    assert quick.stopped_by == "time"
    assert quick.seconds < 3.0


def test_seconds_with_a_budget_repeat_the_game_and_start_none_without_time(clock):
    class Steady(Slow):  # the same time for every turn
        def plan(self, state, budget, seed=0):
            assert budget.iterations == 7
            self.given.append(seed)
            clock.run_for(0.03)
            return WholeGames().plan(state, budget)

    mind = Steady(clock)
    solution = Solver(ALONE, mind, "iterations=7", seconds=1.5).run()  # a game of 8 turns takes 0.24 s
    assert solution.stopped_by == "time"
    assert solution.games == 6
    assert len(mind.given) == 8 * solution.games  # whole games only
    assert len(set(mind.given)) == len(mind.given)
    assert solution.seconds == pytest.approx(6 * 0.24)


def test_loading_is_not_part_of_the_seconds(clock):
    class Cold(WholeGames):
        def plan(self, state, budget, seed=0):
            if not self.asked:
                clock.run_for(0.4)  # loads machine code
            return super().plan(state, budget, seed)

    mind = Cold()
    solution = solve(ALONE, mind, seconds=0.3)
    assert solution.seconds == 0.0
    assert mind.asked[-1][1] == turnwise.Budget(seconds=0.3)


def test_waiting_costs_no_cpu_time():
    class Waits(WholeGames):
        def plan(self, state, budget, seed=0):
            time.sleep(0.4)
            return super().plan(state, budget, seed)

    mind = Waits()
    assert solve(ALONE, mind, seconds=2.5, clock="cpu").seconds < 0.3
    assert mind.asked[-1][1] == turnwise.Budget(seconds=2.5, clock="cpu")
    assert solve(ALONE, mind, "cpu=2500ms").seconds < 0.3
    assert solve(ALONE, mind, seconds=2.5).seconds >= 0.4


def test_the_clocks_of_budget_and_seconds_must_agree():
    with pytest.raises(OptionError, match="different clocks; give the budget as 'cpu=100ms'"):
        Solver(ALONE, "mcts", "time=100ms", seconds=1.0, clock="cpu")
    with pytest.raises(OptionError, match="The clock of a search must be one of 'wall', 'cpu'; got 'sun'"):
        Solver(ALONE, "mcts", seconds=1.0, clock="sun")
    assert Solver(ALONE, "mcts", "cpu=1ms+iterations=3", seconds=0.01, clock="cpu").run().line.end.is_over


STOPPED = """
import time
from turnwise.arena import Solver
solver = Solver("samegame", "nrpa:levels=2", seconds=0.4, clock={clock!r})
solver.warm_up()
print("ready", flush=True)
wall, cpu = time.monotonic(), time.process_time()
solver.run()
print(time.monotonic() - wall, time.process_time() - cpu)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="processes cannot be stopped here")
@pytest.mark.parametrize("clock", ["wall", "cpu"])
def test_a_search_by_cpu_time_loses_nothing_while_its_process_stands(clock):
    search = subprocess.Popen([sys.executable, "-c", STOPPED.format(clock=clock)], stdout=subprocess.PIPE, text=True)
    with search:
        assert search.stdout.readline().strip() == "ready"
        time.sleep(0.1)
        search.send_signal(signal.SIGSTOP)
        time.sleep(0.8)
        search.send_signal(signal.SIGCONT)
        wall, cpu = map(float, search.stdout.readline().split())
    if clock == "wall":
        assert cpu < 0.3
    else:
        assert wall >= 0.8 + cpu - 0.2
        assert 0.38 <= cpu < 0.5


def test_a_game_object_is_solved_from_its_start():
    game = turnwise.make(ALONE)
    found = solve(game, "mcts", "iterations=5", seed=2)
    assert found.start == game.start(2)
    assert found.actions == solve(ALONE, "mcts", "iterations=5", seed=2).actions
    with pytest.raises(OptionError, match="got int"):
        solve(7, "mcts", "iterations=5")


def test_with_chance_the_replay_keeps_the_outcomes():
    solution = solve("toy:players=1,chance=true", "mcts", "iterations=20")
    assert replayed(solution) == solution.line.end


def test_search_beats_the_game_found_without_search():
    hasty = solve(ALONE, "mcts", seconds=1e-9)
    searched = solve(ALONE, "mcts", "iterations=400")
    assert searched.objective[1] >= hasty.objective[1]
    poor = Solver(ALONE, WholeGames(place=1), "iterations=1").run()
    assert searched.objective[1] > poor.objective[1]


def test_a_race_without_time_is_driven_to_its_end_by_the_driver():
    hasty = solve("search-race:track=test7", "mcts", seconds=1e-9)
    assert hasty.objective == ("time", pytest.approx(248.65, abs=0.01))


@pytest.mark.parametrize("mind", ["mcts", "whole"])
def test_ctrl_c_keeps_the_best(mind):
    class Waiting(WholeGames):
        def plan(self, state, budget, seed=0):
            time.sleep(30)

    solver = Solver(ALONE, Waiting() if mind == "whole" else mind, seconds=30.0)
    threading.Timer(0.8, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    solution = solver.run()
    assert solution.stopped_by == "interrupt"
    assert solution.seconds < 20
    assert solution.line.end.is_over
    assert replayed(solution) == solution.line.end


def test_an_interrupted_search_of_the_whole_game_says_so():
    solution = Solver(ALONE, WholeGames(stopped_by="interrupt"), "iterations=1").run()
    assert solution.stopped_by == "interrupt"
    assert solution.line.end.is_over


def test_progress_can_be_read_while_it_runs():
    solver = Solver(ALONE, "mcts", seconds=1.2)
    seen = []
    running = threading.Thread(target=lambda: seen.append(solver.run()))
    running.start()
    time.sleep(0.6)
    now = solver.progress
    running.join(30)
    assert 0.2 < now.seconds < 1.2
    assert now.share == pytest.approx(now.seconds / 1.2, abs=0.05)
    assert now.objective is not None
    assert "turn" in now.doing
    assert seen[0].objective[1] >= now.objective


def test_the_record_is_that_of_a_single_player_game():
    solution = solve(ALONE, "mcts", "iterations=5")
    record = solution.record
    assert record.ending is Ending.WON
    assert record.turns == 8
    assert [seat.player for seat in record.seats] == ["mcts"]
    assert record.seats[0].result == solution.line.end.returns[0]
    assert len(record.seats[0].costs) == 8


def test_what_cannot_be_solved_is_refused():
    with pytest.raises(OptionError, match="2 players; only single-player"):
        Solver("toy", "mcts", seconds=1)
    with pytest.raises(OptionError, match="has no limit"):
        Solver(ALONE, "mcts")
    with pytest.raises(UnknownNameError, match="mcts"):
        Solver(ALONE, "mtcs", seconds=1)
    over = solve(ALONE, "mcts", "iterations=1").line.end
    with pytest.raises(OptionError, match="over"):
        Solver(over, "mcts", seconds=1)
