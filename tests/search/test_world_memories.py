"""What is remembered from decision to decision where each decision searches several worlds."""

import copy
from dataclasses import dataclass, replace

import pytest

import turnwise
from turnwise import Budget, PythonGame
from turnwise.core.budget import parse_budget
from turnwise.core.errors import TurnwiseError
from turnwise.search.search_planner import watch_searches
from turnwise.search.world_memories import BEFORE, OTHERS, copied, memories_of_worlds

FOG = "stratega:mode=kings,fog=true"
FEW = "population=8,offspring=8,elites=2"


def decisions(text, game_text=FOG, budget="forward=1500/action", plans=8, seed=1):
    """The session of seat 0 and its plans; the other seat ends its turns."""
    game = turnwise.make(game_text)
    state, session, found = game.start(seed=seed), turnwise.planner(text).session(game, 0, 5), []
    while len(found) < plans and not state.is_over:
        if state.to_move != 0:
            state = state.play("end" if state.is_legal("end") else state.legal_actions()[0])
            continue
        code, plan = session.next_action(state.view(0).with_chance(9), parse_budget(budget))
        if plan is not None:
            found.append((state, plan))
        state = state.play(code)
    return session, found


@pytest.mark.parametrize("name", ["prhea", "prhea:carry=best", "mo-prhea", "s-prhea", "poe"])
def test_evolutions_of_scripts_go_on_in_fog(name):
    _, found = decisions(name)
    assert all(plan.report.details["worlds"] > 1 for _, plan in found)
    assert [plan.report.details["shifted"] for _, plan in found] == [0.0, *[1.0] * (len(found) - 1)]


@pytest.mark.parametrize("name", [f"rhea:{FEW}", f"rhea:{FEW},streams=2", f"ea-roll:{FEW}", f"rhea:{FEW},tree-depth=2"])
def test_populations_of_actions_go_on_within_a_turn_in_fog(name):
    _, found = decisions(name)
    assert all(plan.report.details["worlds"] > 1 for _, plan in found)
    shifted = [plan.report.details["shifted"] for _, plan in found]
    turns = [state.turn for state, _ in found]
    assert shifted == [float(turn == before) for turn, before in zip(turns, [-1, *turns], strict=False)]
    assert 1.0 in shifted


def test_populations_that_go_beyond_the_turn_go_on_in_the_next_one_in_fog():
    _, found = decisions(f"rhea:{FEW},horizon=turns=3,reply=genes", budget="forward=4000/action")
    shifted = [plan.report.details["shifted"] for _, plan in found]
    firsts = [i for i in range(1, len(found)) if found[i][0].turn != found[i - 1][0].turn]
    assert firsts
    assert any(shifted[i] == 1.0 for i in firsts)


def test_groups_adapt_in_fog():
    _, found = decisions("sss:groups=adaptive", budget="forward=8000/action", plans=4)
    assert all(plan.report.details["worlds"] > 1 for _, plan in found)
    grouping = [plan.report.details["grouping"] for _, plan in found]
    assert grouping[0] == 2.0
    assert len(set(grouping)) > 1
    _, found = decisions("sss:groups=adaptive", budget="forward=160/action", plans=4)
    assert [plan.report.details["grouping"] for _, plan in found][-1] == 3.0


def test_each_world_has_a_population_of_its_own():
    session, found = decisions(f"rhea:{FEW}", plans=2)
    memories = [session.memory, *session.memory[OTHERS]]
    populations = [memory["population"] for memory in memories]
    assert len(populations) == found[-1][1].report.details["worlds"]
    assert len({population.genes.ctypes.data for population in populations}) == len(populations)
    assert len({population.state.row.tobytes() for population in populations}) == len(populations)


def test_planners_that_remember_nothing_of_worlds_share_their_memory():
    session, _ = decisions("mcts", plans=2)
    assert session.memory == {}


def test_populations_move_on_by_the_actions_that_were_really_played():
    session, ((state, plan), *_) = decisions(f"rhea:{FEW}", plans=1)
    memories = [session.memory, *session.memory[OTHERS]]
    before = [[codes for _, codes in memory["population"].individuals()] for memory in memories]
    planned = [memory["planned"][0] for memory in memories]
    assert len(set(planned)) > 1, "not a case in which the worlds differ"
    now = state.play(plan.codes[0])
    session.next_action(now.view(0).with_chance(9), Budget(iterations=1, scope="action"))  # rates the populations
    for memory, old in zip([session.memory, *session.memory[OTHERS]], before, strict=False):
        after = {tuple(codes[:1]) for _, codes in memory["population"].individuals()}
        legal = [codes[1] for codes in old if len(codes) > 1 and memory["population"].state.is_legal(codes[1])]
        assert any((code,) in after for code in legal)


# ---------------------------------------------------------------------------------------- known again, and hidden


@dataclass(frozen=True)
class Cards:
    """A number is hidden in some turns, and two actions make a turn."""

    hidden: bool
    number: int
    turn: int = 0
    left: int = 2


class Guess(PythonGame[Cards, str]):
    """Turns 0, 1, 4, 5, ... hide a number; two players."""

    max_turn, bounds = 2, (0.0, 10.0)

    def first_state(self, random: turnwise.Chance) -> Cards:
        return Cards(True, random.draw(6))

    def to_move(self, state: Cards) -> int:
        return -1 if state.turn == 12 else state.turn % 2

    def turn(self, state: Cards) -> int:
        return state.turn

    def legal_actions(self, state: Cards) -> list[str]:
        return [f"{name}{state.left}" for name in "abc"]

    def play(self, state: Cards, action: str, random: turnwise.Chance) -> Cards:
        turn = state.turn + (state.left == 1)
        return Cards(turn // 2 % 2 == 0, state.number, turn, 3 - state.left)

    def returns(self, state: Cards) -> list[float]:
        return [0.0, 0.0]

    def evaluate(self, state: Cards, player: int) -> float:
        return float(state.number)

    def view(self, state: Cards, player: int) -> Cards:
        return replace(state, number=-1) if state.hidden else state

    def determinise(self, state: Cards, player: int, random: turnwise.Chance) -> Cards:
        return replace(state, number=random.draw(6)) if state.number < 0 else state


@pytest.mark.parametrize("budget", ["forward=400", "forward=400/action"])
@pytest.mark.parametrize("name", ["prhea", "poe", f"rhea:{FEW},horizon=turns=4,reply=genes"])
def test_what_is_remembered_is_always_of_the_last_decision(name, budget):
    game = Guess()
    state, session = game.start(seed=1), turnwise.planner(name).session(game, 0, 3)
    searched = []
    while not state.is_over:
        if state.to_move != 0:
            state = state.play(state.legal_actions()[0])
            continue
        now = state.view(0)
        code, plan = session.next_action(now, parse_budget(budget))
        if plan is not None:
            is_hidden = "worlds" in plan.report.details
            searched.append(is_hidden)
            assert is_hidden == state.to_dict()["hidden"] == (OTHERS in session.memory)
            for memory in (session.memory, *session.memory.get(OTHERS, ())):
                kept = memory["population"].state
                assert kept.turn == now.turn
                assert kept.to_dict()["number"] >= 0
            if len(searched) > 1:
                shifted = plan.report.details["shifted"]
                assert (
                    shifted > 0.0 if name.startswith("rhea") else shifted == 1.0
                )  # one world has the known population
        state = state.play(code)
    assert searched == [True, False, True, False, True, False]


def test_under_a_budget_per_action_the_last_search_counts_as_the_last_decision():
    game = Guess()
    session = turnwise.planner("prhea").session(game, 0, 3)
    state = game.start(seed=1)
    shown = []

    def watch(problem):
        shown.append((problem.state.to_dict()["left"], problem.played))

    with watch_searches(watch):
        for _ in range(2):
            code, _ = session.next_action(state.view(0), Budget(forward_calls=400, scope="action"))
            state = state.play(code)
    assert session.memory[BEFORE] == 1
    hidden = [one for one in shown if one[1] is not None]
    assert hidden
    assert all(len(played) == 1 and left == 1 for left, played in hidden)
    later = replace_turn(game, state)
    shown.clear()
    with watch_searches(watch):
        session.next_action(later.view(0), Budget(forward_calls=400, scope="action"))
    assert next(len(played) for _, played in shown if played is not None) == 1  # what came before was searched, too
    assert BEFORE not in session.memory or session.memory[BEFORE] == 1


def replace_turn(game, state):
    """The state after the turn of the other player, in which the number is hidden again."""
    return game.from_dict({**state.to_dict(), "turn": 4, "left": 2, "hidden": True})


# ------------------------------------------------------------------------------------------------ what was played


def test_a_session_knows_what_it_has_handed_out_and_not_what_a_caller_plays():
    game = turnwise.make(FOG)
    state, session, shown = (
        game.start(seed=1),
        turnwise.planner("prhea:portfolio=attack-closest").session(game, 0, 5),
        [],
    )
    with watch_searches(lambda problem: shown.append(problem.played)):
        code, _ = session.next_action(state.view(0), parse_budget("forward=800/action"))
        assert set(map(str, shown)) == {"None"}
        shown.clear()
        session.next_action(state.play(code).view(0), parse_budget("forward=800/action"))
        assert {tuple(played) for played in shown} == {(code,)}
        shown.clear()
        session.plan(state.play(code).view(0), parse_budget("forward=800/action"))
        session.plan(state.play(code).view(0), parse_budget("forward=800/action"))
        assert shown[-1] is None


def test_a_copied_session_goes_on_as_the_first_one_does():
    session, found = decisions("prhea", plans=2)
    state, plan = found[-1]
    now = state.play(plan.codes[0]).view(0)
    if now.to_move != 0:
        now = state.view(0)
    other = copy.copy(session)
    assert other.memory[OTHERS] is not session.memory[OTHERS]
    plans = [one.next_action(now, parse_budget("forward=900/action"))[1] for one in (session, other)]
    assert plans[0].codes == plans[1].codes
    assert plans[0].value == plans[1].value
    assert copy.deepcopy(session).memory[OTHERS]


def test_a_session_whose_worlds_hold_searches_is_not_copied():
    session, _ = decisions(f"rhea:{FEW}", plans=1)
    with pytest.raises(TurnwiseError):
        copy.copy(session)
    with pytest.raises(TurnwiseError):
        copied({OTHERS: [{}, dict(session.memory[OTHERS][0])]})


def test_worlds_without_a_memory_begin_with_that_of_the_first():
    memory = {"grouping": 1}
    first, second, third = memories_of_worlds(memory, 3)
    assert first is memory
    assert second == third == {"grouping": 1}
    assert second is not third
    memory[OTHERS] = [{"grouping": 2}, {"grouping": 3}]
    assert memories_of_worlds(memory, 2) == [{"grouping": 1}, {"grouping": 2}]
    assert OTHERS not in memory
