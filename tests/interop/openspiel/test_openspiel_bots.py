"""Planners as bots of OpenSpiel and bots as planners, in games of both sides; and the names for the command line."""

import pickle
import subprocess
import sys

import pyspiel
import pytest
from open_spiel.python.algorithms import mcts

from doubles.environment_games import TINY
from turnwise import make
from turnwise.arena.match import play_game
from turnwise.arena.records import Ending
from turnwise.core.errors import IllegalActionError, OptionError, TurnwiseError
from turnwise.interop.openspiel import BotPlanner, OpenSpielGame, OpenSpielMCTS, PlannerBot, as_openspiel

BREAKTHROUGH = "breakthrough(columns=5,rows=5)"


def their_search(game, player, seed, simulations=40):
    rollouts = pyspiel.RandomRolloutEvaluator(1, seed)
    return pyspiel.MCTSBot(game, rollouts, 2.0, simulations, 100, True, seed, False)


def uniform(game, player, seed):
    return pyspiel.make_uniform_random_bot(player, seed)


@pytest.mark.parametrize("text", [BREAKTHROUGH, "backgammon", "pig", "dots_and_boxes"])
def test_a_match_between_their_search_and_ours(text):
    game = pyspiel.load_game(text)
    bots = [PlannerBot(game, 0, "flat-mc", "iterations=5"), their_search(game, 1, 1, simulations=5)]
    returns = pyspiel.evaluate_bots(game.new_initial_state(), bots, 3)
    assert returns[0] == -returns[1]


def test_our_search_beats_random_play():
    game = pyspiel.load_game(BREAKTHROUGH)
    won = 0
    for seed in range(6):
        bots = [PlannerBot(game, 0, "mcts", "iterations=100", seed), uniform(game, 1, seed)]
        won += pyspiel.evaluate_bots(game.new_initial_state(), bots, seed)[0] > 0
    assert won == 6


def test_a_bot_does_not_see_the_others_card():
    game = pyspiel.load_game("kuhn_poker")
    for own in range(3):
        found = set()
        for other in {0, 1, 2} - {own}:
            state = game.new_initial_state()
            for card in (own, other):
                state.apply_action(card)
            found.add(PlannerBot(game, 0, "mcts:evaluation=rollouts", "iterations=30", seed=1).step(state))
        assert len(found) == 1


def test_planners_play_turnwise_games_there():
    game = as_openspiel(TINY)
    bots = [PlannerBot(game, 0, "greedy-action", "forward=500"), uniform(game, 1, 1)]
    assert pyspiel.evaluate_bots(game.new_initial_state(), bots, 3)[0] == 1


def test_a_bot_begins_again_when_it_is_restarted():
    game = pyspiel.load_game(BREAKTHROUGH)
    state = game.new_initial_state()
    first, second = (PlannerBot(game, 0, "random", "iterations=1", seed=4) for _ in range(2))
    mine, yours = [first.step(state)], [second.step(state)]
    for _ in range(8):
        first.restart()
        second.restart_at(state)
        mine.append(first.step(state))
        yours.append(second.step(state))
    assert mine == yours
    assert len(set(mine)) > 1


def test_a_bot_refuses_other_seats_and_games():
    state = pyspiel.load_game(BREAKTHROUGH).new_initial_state()
    with pytest.raises(OptionError, match="plays seat 1"):
        PlannerBot(BREAKTHROUGH, 1, "random").step(state)
    with pytest.raises(OptionError, match="Expected a state of hex"):
        PlannerBot("hex(board_size=3)", 0, "random").step(state)
    with pytest.raises(OptionError, match="players move at the same time"):
        PlannerBot("goofspiel", 0, "random")


@pytest.mark.parametrize("game", [OpenSpielGame(BREAKTHROUGH), OpenSpielGame("leduc_poker"), make(TINY)], ids=str)
def test_bots_are_planners(game):
    record = play_game(game, [BotPlanner(uniform, "uniform"), OpenSpielMCTS()], "iterations=4", seed=1)
    assert record.ending is not Ending.EXCEPTION, record.detail
    assert sum(seat.score for seat in record.seats) == 1


def test_a_bot_plans_a_turn_of_several_actions():
    state = OpenSpielGame("amazons").start(1)
    for planner in (BotPlanner(their_search), OpenSpielMCTS()):
        plan = planner.plan(state, "iterations=30", seed=1)
        assert plan.is_complete
        assert len(plan.codes) == 3


def test_their_search_in_python_plays_our_games():
    def search(game, player, seed):
        return mcts.MCTSBot(game, 2.0, 3, mcts.RandomRolloutEvaluator(1))

    state = make(TINY).start(1)
    assert BotPlanner(search).plan(state.view(0), "iterations=1").codes
    with pytest.raises(OptionError, match="OpenSpielMCTS"):
        BotPlanner(their_search).plan(state, "iterations=1")


def test_budgets_reach_openspiels_search():
    state = OpenSpielGame(BREAKTHROUGH).start(1)
    assert OpenSpielMCTS().plan(state, "iterations=70").report.iterations == 70
    report = OpenSpielMCTS(rollouts=2).plan(state, "evaluations=60").report
    assert (report.iterations, report.evaluations, report.stopped_by) == (30, 60, "budget")
    amazons = OpenSpielGame("amazons").start(1)
    assert OpenSpielMCTS().plan(amazons, "iterations=90").report.iterations == 90
    assert OpenSpielMCTS().plan(amazons, "iterations=30/action").report.iterations == 90
    timed = OpenSpielMCTS().plan(state, "time=50ms").report
    assert timed.stopped_by == "time"
    assert 0.02 < timed.seconds < 0.5
    assert OpenSpielMCTS(rollouts=1000).plan(amazons, "time=0.01ms").is_complete
    with pytest.raises(OptionError, match="counts no forward calls"):
        OpenSpielMCTS().plan(state, "forward=100")


def test_equal_seeds_give_equal_plans_and_planners_can_be_pickled():
    state = OpenSpielGame(BREAKTHROUGH).start(1)
    planner = OpenSpielMCTS(uct_c=1.0)
    restored = pickle.loads(pickle.dumps(planner))
    assert restored.plan(state, "iterations=50", 7).codes == planner.plan(state, "iterations=50", 7).codes
    assert restored.spec == "openspiel-mcts:uct-c=1.0"


def test_wrong_bots_are_refused():
    state = OpenSpielGame(BREAKTHROUGH).start(1)
    with pytest.raises(OptionError, match="make_bot must be a function"):
        BotPlanner(3)
    with pytest.raises(OptionError, match="must return a bot"):
        BotPlanner(lambda *given: None).plan(state, "iterations=1")
    while not state.is_over:
        state = state.play(state.legal_codes()[0])
    for planner in (BotPlanner(uniform), OpenSpielMCTS()):
        with pytest.raises(TurnwiseError, match="game is over"):
            planner.plan(state, "iterations=1")


def test_an_illegal_action_of_a_bot_is_named():
    class Wrong(pyspiel.Bot):
        def step(self, state):
            return 10**6

    with pytest.raises(IllegalActionError, match="Action 1000000 is not legal here"):
        BotPlanner(lambda *given: Wrong()).plan(make("samegame:board=3").start(1), "iterations=1")


def test_the_command_line_plays_openspiels_games():
    command = ["--import", "turnwise.interop.openspiel.registered", "match", f"openspiel:game={BREAKTHROUGH}"]
    players = ["flat-mc", "openspiel-mcts:rollouts=2", "--budget", "iterations=4", "--games", "2"]
    done = subprocess.run(
        [sys.executable, "-m", "turnwise", *command, *players], capture_output=True, text=True, timeout=250, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "openspiel-mcts" in done.stdout
