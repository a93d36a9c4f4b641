"""Hidden information: searches in several determinised worlds, and one search of information sets."""

import os
import signal
import threading
import time
from dataclasses import dataclass, replace

import numpy as np
import pytest

import turnwise
from doubles.skirmish import END, Skirmish
from turnwise import Budget, PythonGame
from turnwise.core.errors import OptionError
from turnwise.plain_python.chance import Chance
from turnwise.search.forward_model import OUT_OF_MEMORY
from turnwise.search.problem import Line, Problem
from turnwise.search.search_planner import watch_searches
from turnwise.search.turn_rating import TurnRater, TurnRating
from turnwise.search.worlds import SearchOfWorlds, draw_worlds

SEARCHERS = (
    "mcts",
    "online-evolution:population=30",
    "greedy-turn",
    "beam-search",
    "flat-mc",
    "nmcs",
    "rhea",
    "sp-mcts",
)


@dataclass(frozen=True)
class Hall:
    """Three doors: the prize is behind one of them, and nobody can see which (``prize`` is -1 in a view)."""

    prize: int
    gains: tuple[int, int] = (0, 0)
    opened: bool = False
    over: bool = False


class Doors(PythonGame[Hall, str]):
    """The right door gains 9 and a wrong one loses 9; leaving gains 1 for sure."""

    max_turn = 2
    bounds = (-9.0, 9.0)

    def first_state(self, random: Chance) -> Hall:
        return Hall(random.draw(3))

    def legal_actions(self, state: Hall) -> list[str]:
        return ["end"] if state.opened else ["door 0", "door 1", "door 2", "leave"]

    def play(self, state: Hall, action: str, random: Chance) -> Hall:
        if action == "end":
            return replace(state, over=True)
        gain = 1 if action == "leave" else 9 if action == f"door {state.prize}" else -9
        return replace(state, gains=(gain, 0), opened=True)

    def to_move(self, state: Hall) -> int:
        return -1 if state.over else 0

    def turn(self, state: Hall) -> int:
        return 0

    def returns(self, state: Hall) -> list[float]:
        return [float(gain) for gain in state.gains]

    def evaluate(self, state: Hall, player: int) -> float:
        return float(state.gains[player])

    def view(self, state: Hall, player: int) -> Hall:
        return replace(state, prize=-1)

    def determinise(self, state: Hall, player: int, random: Chance) -> Hall:
        return replace(state, prize=random.draw(3)) if state.prize < 0 else state


class Open(Doors):
    """Nothing is hidden."""

    def view(self, state: Hall, player: int) -> Hall:
        return state


def known(game, seed=5):
    return game.start(seed).view(0)


@pytest.mark.parametrize("text", SEARCHERS)
def test_the_turn_that_is_best_on_average_is_played(text):
    """In each single world a door is best; only over several worlds does leaving pay."""
    game = Doors()
    planner = turnwise.planner(f"{text}{',' if ':' in text else ':'}worlds=30")
    plan = planner.plan(known(game), Budget(forward_calls=1200), seed=3)
    if "alternatives" in type(planner).Parameters.model_fields:
        assert plan.actions == ("leave", "end")
        assert plan.value == 1.0
    assert plan.report.details["worlds"] == 3.0
    assert plan.report.details["rated"] >= 2
    assert plan.report.searches == 1


@pytest.mark.parametrize("text", ["mcts", "online-evolution:population=30"])
def test_one_world_is_the_state_as_the_mover_knows_it(text):
    planner = turnwise.planner(f"{text}{',' if ':' in text else ':'}worlds=1")
    plan = planner.plan(known(Doors()), Budget(iterations=30))
    assert "worlds" not in plan.report.details


def test_information_sets_are_searched_in_one_tree():
    plan = turnwise.planner("mcts:information-set=true").plan(known(Doors()), Budget(iterations=400))
    assert plan.actions == ("leave", "end")
    assert "worlds" not in plan.report.details
    with pytest.raises(OptionError, match="information-set"):
        turnwise.planner("mcts:information-set=true,worlds=2")


def test_nothing_is_drawn_where_nothing_is_hidden():
    planner = turnwise.planner("mcts")
    assert planner.number_of_worlds(Doors()) == 4
    assert planner.number_of_worlds(turnwise.make("samegame")) == 1
    for state in (Open().start(2), Doors().start(2)):  # in the second game, a state with everything in it
        plan = planner.plan(state, Budget(iterations=30), seed=4)
        alone = turnwise.planner("mcts:worlds=1").plan(state, Budget(iterations=30), seed=4)
        assert (plan.codes, plan.value, plan.report.details) == (alone.codes, alone.value, alone.report.details)


def test_equal_worlds_are_searched_once_and_count_as_often_as_drawn():
    state = known(Doors())
    worlds = draw_worlds(state, 30, Budget(iterations=1000), 1, TurnRating())
    assert len(worlds) == 3
    assert sum(world.weight for world in worlds) == 30
    assert [world.state.to_dict() for world in worlds] == [
        world.state.to_dict() for world in draw_worlds(state, 30, Budget(iterations=1000), 1, TurnRating())
    ]


def test_ratings_count_a_world_as_often_as_it_was_drawn():
    state, budget = known(Doors()), Budget(forward_calls=1000)
    drawn = draw_worlds(state, 30, budget, 1, TurnRating())
    one, other = (next(w for w in drawn if w.state.to_dict()["prize"] == prize) for prize in (0, 1))
    worlds = [replace(one, weight=3), replace(other, weight=1)]
    problem = Problem(state, budget, 0)
    searches = SearchOfWorlds(problem, worlds, budget, TurnRating(), 3)
    line = searches.run(lambda s, b, seed: Problem(s, b, seed), lambda p, b: Line([state.code("door 0")], 0.0))
    for searched in (problem, *searches.problems):
        state.game.after_plan(searched)
    assert line.value == (3 * 9 - 9) / 4


@pytest.mark.parametrize(
    ("budget", "most"),
    [
        (Budget(forward_calls=1), 1),
        (Budget(forward_calls=40), 2),
        (Budget(evaluations=17), 2),
        (Budget(iterations=3), 3),
        (Budget(seconds=1.0), 30),
    ],
)
def test_a_small_budget_gets_fewer_worlds(budget, most):
    worlds = draw_worlds(known(Doors()), 30, budget, 1, TurnRating())
    assert 1 <= sum(world.weight for world in worlds) <= most


@pytest.mark.parametrize("budget", [Budget(forward_calls=0), Budget(iterations=0), Budget(seconds=0)])
def test_without_a_budget_no_world_is_drawn(budget):
    assert draw_worlds(known(Doors()), 30, budget, 1, TurnRating()) == []


class Corridor(Doors):
    """Without an evaluation; every game ends with 4 points, seven turns after the door."""

    max_turn = 1

    def legal_actions(self, state: Hall) -> list[str]:
        return ["left", "right"]

    def play(self, state: Hall, action: str, random: Chance) -> Hall:
        steps = state.gains[1] + 1
        return replace(state, gains=(4, steps), over=steps == 8)

    def turn(self, state: Hall) -> int:
        return state.gains[1]

    def returns(self, state: Hall) -> list[float]:
        return [4.0, 4.0]


@pytest.mark.parametrize("text", [*SEARCHERS, "nrpa", "ea-roll"])
@pytest.mark.parametrize("worlds", [1, 4])
def test_a_turn_whose_rollout_was_cut_off_has_no_value(text, worlds):
    """Such a rollout counts as the lowest result; nobody may see that as a value."""
    planner = turnwise.planner(f"{text}{',' if ':' in text else ':'}worlds={worlds},evaluation=rollouts")
    values = set()
    for calls in (*range(1, 12), 40, 100, 180):
        plan = planner.plan(known(Corridor()), Budget(forward_calls=calls), seed=1)
        assert plan.codes
        values |= {plan.value, *(other.value for other in plan.alternatives)}
    assert values == {None, 4.0}


@pytest.mark.parametrize("text", SEARCHERS)
@pytest.mark.parametrize("scope", ["turn", "action"])
def test_limits_hold_for_all_worlds_together(text, scope):
    planner = turnwise.planner(text)
    for budget in (Budget(forward_calls=200, scope=scope), Budget(evaluations=50, scope=scope)):
        plan = planner.plan(known(Doors()), budget, seed=1)
        searches = len(plan.codes) if scope == "action" else 1
        assert plan.report.searches == searches
        limit = budget.forward_calls or budget.evaluations
        spent = plan.report.forward_calls if budget.forward_calls else plan.report.evaluations
        assert spent <= searches * limit + 2 * searches
        again = planner.plan(known(Doors()), budget, seed=1)
        assert (plan.codes, plan.value) == (again.codes, again.value)
    assert planner.plan(known(Doors()), Budget(seconds=0.0), seed=1).is_complete


def test_most_of_the_budget_is_spent():
    plan = turnwise.planner("mcts").plan(known(Doors()), Budget(forward_calls=4000), seed=1)
    assert plan.report.forward_calls >= 3500
    plan = turnwise.planner("mcts").plan(known(Doors()), Budget(iterations=400), seed=1)
    assert plan.report.iterations == 400


def test_readings_of_publications_search_what_the_mover_knows():
    for name in ("mcts", "online-evolution", "greedy-turn"):
        for reading in ("as-published", "as-coded"):
            assert turnwise.planner(name, preset=reading).parameters.worlds == 1


@pytest.mark.parametrize("text", ["mcts", "online-evolution:population=8,fitness=rollout", "greedy-turn"])
def test_hero_academy_with_hidden_hands_is_searched_in_several_worlds(text):
    game = turnwise.make("hero-academy:map=a-tiny,deck=standard")
    state = game.start(1).view(0)
    assert draw_worlds(state, 4, Budget(iterations=9), 1, TurnRating())
    plan = turnwise.planner(text).plan(state, Budget(forward_calls=600), seed=1)
    assert plan.is_complete
    assert plan.report.details["worlds"] > 1
    assert plan.report.details["rated"] >= 1
    open_game = turnwise.make("hero-academy:map=a-tiny,deck=standard,hands=open")
    assert not open_game.hides_information
    plan = turnwise.planner(text).plan(open_game.start(1).view(0), Budget(forward_calls=100), seed=1)
    assert "worlds" not in plan.report.details


def test_a_session_remembers_no_tree_of_a_drawn_world():
    """The states and values of a tree belong to the world that was searched."""
    game = Doors()
    session = turnwise.planner("sp-mcts").session(game, 0, 1)
    session.plan(known(game), Budget(iterations=40))
    assert session.memory == {}


@pytest.mark.parametrize("name", ["pgs", "sss", "prhea", "poe"])
def test_figures_of_the_turn_are_those_of_the_world_whose_turn_is_played(name):
    state = turnwise.make("stratega:mode=kings,fog=true").start(1)
    for seed in range(6):
        mind, lines = turnwise.planner(name), []
        search = mind.search
        mind.search = lambda *given, search=search, lines=lines: lines.append(search(*given)) or lines[-1]
        plan = mind.plan(state.view(state.to_move), Budget(forward_calls=4000), seed=seed)
        lines = lines[-int(plan.report.details["worlds"]) :]
        chosen = next(line for line in lines if tuple(line.codes) == plan.codes)
        shares = {key: value for key, value in plan.report.details.items() if key.startswith("script_")}
        assert shares == chosen.of_turn
        assert sum(shares.values()) in (0.0, 1.0)
        others = {key for line in lines for key in line.details}
        for key in others:
            assert plan.report.details[key] == pytest.approx(sum(line.details[key] for line in lines) / len(lines))


def test_rows_of_worlds_are_states_of_the_game():
    for world in draw_worlds(known(Doors()), 8, Budget(iterations=99), 7, TurnRating()):
        assert world.state.view(0) == known(Doors()) or np.array_equal(world.state.view(0).row, world.state.row)


def test_ctrl_c_ends_all_worlds_and_keeps_a_turn():
    state = turnwise.make("hero-academy").start(1)
    state = state.view(state.to_move)
    planner = turnwise.planner("mcts:worlds=3")
    planner.plan(state, turnwise.Budget(iterations=9))
    begun = []

    def interrupt(problem):
        begun.append(problem)
        if len(begun) == 1:
            threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()

    with watch_searches(interrupt):
        plan = planner.plan(state, turnwise.Budget(seconds=60.0))
    assert plan.report.stopped_by == "interrupt"
    assert plan.report.seconds < 30
    assert plan.codes
    assert len(begun) == 1


def test_an_interrupt_before_the_last_world_ends_the_decision():
    state = turnwise.make("hero-academy").start(1)
    state = state.view(state.to_move)
    known = Problem(state, turnwise.Budget(iterations=30), 0)
    planner = turnwise.planner("mcts:worlds=3")
    worlds = draw_worlds(state, 3, turnwise.Budget(iterations=3000), 1, planner.rating(state.game))
    searches = SearchOfWorlds(known, worlds, turnwise.Budget(iterations=3000), planner.rating(state.game), 3)

    def search(problem, budget):
        searches.interrupt()
        return Line([int(state.legal_codes()[0])])

    line = searches.run(lambda s, b, seed: Problem(s, b, seed), search)
    assert line.codes
    assert len(searches.problems) == 1
    state.game.after_plan(known)


def test_an_interrupt_during_the_ratings_is_reported(monkeypatch):
    """Else Ctrl-C would be lost: whoever plans goes on with the next turn."""
    state, budget = known(Doors()), Budget(iterations=99)
    problem = Problem(state, budget, 0)
    searches = SearchOfWorlds(problem, draw_worlds(state, 8, budget, 7, TurnRating()), budget, TurnRating(), 3)

    def rate(*_):
        searches.interrupt()
        return []

    monkeypatch.setattr(TurnRater, "rate", rate)
    searches.run(lambda s, b, seed: Problem(s, b, seed), lambda p, b: Line([int(state.legal_codes()[0])], 0.0))
    assert len(searches.problems) > 1
    assert problem.report({}).stopped_by == "interrupt"


class Fog(Skirmish):
    """A small game that hides units."""

    def __init__(self, **options):
        super().__init__(**{"players": 2, "units": 2, "unbounded": False, "fog": True, **options})


@pytest.mark.parametrize(
    "text", ["rhea:population=6,offspring=6,elites=2", "nmcs", "nrpa", "flat-mc", "beam-search:width=3"]
)
def test_turns_are_rated_after_the_reply_of_the_search(text):
    """The value of a plan is the mean over the worlds of the value after the others' turn, as in the lines."""
    seen = Fog().start(3).view(0)
    options = "horizon=turns=2,reply=script(attack-closest),evaluation=distance,worlds=3"
    planner, budget = turnwise.planner(f"{text}{',' if ':' in text else ':'}{options}"), Budget(forward_calls=3000)
    plan = planner.plan(seen, budget, seed=4)
    worlds = draw_worlds(seen, 3, budget, 4, planner.rating(seen.game))
    assert len(worlds) > 1
    assert plan.report.details["rated"] >= 1
    total = sum(world.weight * after_reply(world.state, plan.codes) for world in worlds)
    assert plan.value == pytest.approx(total / sum(world.weight for world in worlds), rel=1e-12)


def after_reply(world, codes):
    """The value after a turn and the next seat's turn by a script."""
    now = world
    for code in codes:
        is_free = now.is_legal(code)  # else a unit of this world is in the way, and the end completes the turn
        now = now.play(code if is_free else END)
        if not is_free:
            break
    reply = turnwise.planner("script:script=attack-closest")
    seat = now.to_move
    while now.to_move == seat and not now.is_over:
        now = now.play(reply.plan(now, Budget(iterations=1), 1).codes[0])
    return now.evaluate(world.to_move, "distance", world)


def test_two_orders_with_the_same_outcome_are_one_turn():
    seen = Fog().start(3).view(0)
    steps = [int(code) for code in seen.legal_codes() if code != END and code % 16 < 4]
    one, other = next((a, b) for a in steps for b in steps if a // 16 != b // 16 and are_free(seen, a, b))
    lines = [[one, other, END], [other, one, END], [one, END]]
    budget = Budget(forward_calls=10_000)
    worlds = draw_worlds(seen, 3, budget, 1, TurnRating())
    assert len(worlds) == 3
    known = Problem(seen, budget, 0)
    searches = SearchOfWorlds(known, worlds, budget, TurnRating(), 5)
    line = searches.run(
        lambda s, b, seed: Problem(s, b, seed), lambda p, b: Line(lines[len(searches.problems) - 1], 0.0)
    )
    assert line.details["rated"] == 2.0
    assert len(line.alternatives) == 1


def are_free(state, one, other):
    """Whether two actions can be played in both orders, with one outcome."""
    orders = [state.after(first) and state.after(first).after(second) for first, second in ((one, other), (other, one))]
    return orders[0] is not None and orders[0] == orders[1]


class SlowDoors(Doors):
    """Drawing a world takes time."""

    def determinise(self, state: Hall, player: int, random: Chance) -> Hall:
        time.sleep(0.02)
        return super().determinise(state, player, random)


@pytest.mark.parametrize("text", ["mcts", "greedy-turn"])
def test_drawing_worlds_belongs_to_the_time_of_a_decision(text):
    planner = turnwise.planner(f"{text}:worlds=300")
    planner.plan(known(Doors()), Budget(iterations=1))
    plan = planner.plan(known(SlowDoors()), Budget(seconds=0.1), seed=1)
    assert plan.is_complete
    assert plan.report.seconds < 2
    assert plan.report.details["worlds"] >= 1
    assert plan.report.stopped_by == "time"


def test_ctrl_c_ends_the_drawing_of_worlds():
    planner = turnwise.planner("greedy-turn:worlds=1000")
    planner.plan(known(SlowDoors()), Budget(iterations=1))
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    plan = planner.plan(known(SlowDoors()), Budget(seconds=60.0), seed=1)
    assert plan.report.stopped_by == "interrupt"
    assert plan.report.seconds < 10
    assert plan.is_complete


@pytest.mark.parametrize(
    "text",
    [
        *SEARCHERS,
        *("mcts:scale=range", "mcts:backup=negate", "mcts:streams=2", "mcts-non-exploring", "mcts-bridge-burning"),
        *("nrpa", "ea-roll", "rhea-mcts:population=20,elites=2", "mcts-rhea", "ea-alt-actions", "flat-mc:decide=mean"),
    ],
)
@pytest.mark.parametrize("worlds", [1, 4])
def test_values_are_in_the_unit_of_the_evaluation(text, worlds):
    """Whether or not something is hidden: 9 for the right door, 1 for leaving, where nobody knows the door."""
    planner = turnwise.planner(f"{text}{',' if ':' in text else ':'}worlds={worlds}")
    plan = planner.plan(Open().start(2), Budget(forward_calls=400), seed=3)
    assert plan.value == pytest.approx(9.0)
    low, high = Doors.bounds
    for other in plan.alternatives:
        assert low <= other.value <= high


class Cards(Doors):
    """After the choice of a hand, "low" or "high", the turn is completed by a random card of it; both hold a ten."""

    is_stochastic = False
    completion = "uniform"
    bounds = (0.0, 90.0)

    def legal_actions(self, state: Hall) -> list[str]:
        return [["low", "high"], ["10", "20"], ["10", "90"]][state.prize]

    def first_state(self, random: Chance) -> Hall:
        return Hall(0)

    def play(self, state: Hall, action: str, random: Chance) -> Hall:
        if action in ("low", "high"):
            return replace(state, prize=1 if action == "low" else 2)
        return replace(state, prize=0, gains=(int(action), 0), over=True)

    def evaluate(self, state: Hall, player: int) -> float:
        return float(state.gains[player])


@pytest.mark.parametrize("seed", range(6))
def test_turns_completed_by_chance_are_not_one_turn(seed):
    game = Cards()
    state, budget = game.start(), Budget(evaluations=1000)
    problem = Problem(state, budget, seed)
    found = [[state.code("low")], [state.code("high")], [state.code("low"), state.play("low").code("10")]]
    rated = TurnRater([problem], [1], TurnRating()).rate([*found, found[2]], 8, budget, 0)
    game.after_plan(problem)
    assert [codes for codes, _ in rated] == found  # the last one is the third again, without chance
    low, high, ten = (value for _, value in rated)
    assert ten == 10.0
    assert low % 10 != 0 or low in (10.0, 20.0)
    assert high > low


class Growth(Cards):
    """After the choice of a door (a turn of one action) the prize grows by 8 in each turn."""

    max_turn = 1

    def legal_actions(self, state: Hall) -> list[str]:
        return ["grow"] if state.opened else ["small", "large"]

    def play(self, state: Hall, action: str, random: Chance) -> Hall:
        gain = {"grow": state.gains[0] + 8, "small": 10, "large": 20}[action]
        return replace(state, prize=state.prize + 1, gains=(gain, 0), opened=True, over=state.prize == 5)

    def turn(self, state: Hall) -> int:
        return state.prize


@pytest.mark.parametrize(
    ("text", "value", "evaluations"),
    [
        ("rhea:horizon=own-turn", 10.0, 1),
        ("rhea:horizon=own-turn,rollouts=2,rollout-length=1", 18.0, 2),
        ("ea-roll:horizon=own-turn,rollout-length=2", 18.0, 2),
        ("ea-roll:horizon=own-turn,rollouts=3,rollout-length=0,rollout-weight=0.25", 20.0, 4),
        ("rhea-mcts:horizon=own-turn,rollouts=1,rollout-length=1", 18.0, 1),
        ("mcts:rollout-turns=3", 26.0, 1),
        ("emcts", 10.0, 1),
        ("fh-emcts", 18.0, 1),
        ("fh-emcts:horizon=turns=4", 34.0, 1),
    ],
)
def test_turns_are_rated_after_what_the_search_plays_beyond_them(text, value, evaluations):
    game = Growth()
    state, budget = game.start(), Budget(evaluations=1000)
    rating = turnwise.planner(text).rating(game)
    problem = Problem(state, budget, 1)
    rated = TurnRater([problem], [1], rating).rate([[state.code("small")], [state.code("large")]], 1, budget, 0)
    game.after_plan(problem)
    assert [found for _, found in rated] == [value, value + 10.0]
    assert problem.record.evaluations == 2 * evaluations == 2 * rating.evaluations


def test_turns_are_rated_after_searches_that_ran_out_of_memory():
    seen = Fog().start(3).view(0)
    budget = Budget(forward_calls=10_000)
    worlds, known = draw_worlds(seen, 3, budget, 1, TurnRating()), Problem(seen, budget, 0)
    searches = SearchOfWorlds(known, worlds, budget, TurnRating(), 3)

    def search(problem, part):
        problem.record.stop = OUT_OF_MEMORY
        return Line([END], 0.0)

    line = searches.run(lambda s, b, seed: Problem(s, b, seed), search)
    assert line.details["rated"] == 1
    assert known.report({}).stopped_by == "memory"


def test_an_interrupt_during_the_first_of_several_searches_rates_nothing():
    seen = Fog().start(3).view(0)
    budget = Budget(forward_calls=10_000)
    worlds, known = draw_worlds(seen, 3, budget, 1, TurnRating()), Problem(seen, budget, 0)
    searches = SearchOfWorlds(known, worlds, budget, TurnRating(), 3)

    def search(problem, part):
        if len(searches.problems) == 2:
            problem.interrupt()
        return Line([END], 0.0)

    line = searches.run(lambda s, b, seed: Problem(s, b, seed), search)
    assert line.details["rated"] == 0
    assert len(searches.problems) == 2
    assert known.report({}).stopped_by == "interrupt"


@pytest.mark.compiled_only("searches that end with the clock")
@pytest.mark.parametrize("text", ["mcts", "online-evolution", "flat-mc"])
def test_under_a_time_budget_turns_are_rated_too(text):
    state = turnwise.make("hero-academy").start(3).view(0)
    planner = turnwise.planner(text)
    planner.plan(state, Budget(seconds=0.01), 0)
    plans = [planner.plan(state, Budget(seconds=0.2), seed) for seed in range(5)]
    assert max(plan.report.details["rated"] for plan in plans) > 0
    assert min(plan.report.details["worlds"] for plan in plans) == 4
