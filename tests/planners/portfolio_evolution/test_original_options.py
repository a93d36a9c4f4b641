"""The options of the original program: what they change in lines, in breeding, and from decision to decision."""

import numpy as np
import pytest

import turnwise
from turnwise.core.budget import Budget, parse_budget
from turnwise.core.table import NOTHING
from turnwise.planners.portfolio_evolution.memory import UNDRAWN, Kept, ScriptPopulationMemory
from turnwise.planners.portfolio_evolution.search import evolve
from turnwise.search.planner_parameters import READINGS

SCRIPTS = ["attack-closest", "run-away", "use-special-ability"]
TEXT = ",".join(SCRIPTS)
FAMILY = ["prhea", "mo-prhea", "s-prhea", "poe"]


def position(mode, seed, **options):
    """A state in which the mover sees everything, after some actions."""
    state = turnwise.make("stratega", mode=mode, fog=False, **options).start(seed)
    for step in range(10):
        legal = state.legal_actions()
        state = state.play(legal[(5 * step + seed) % len(legal)])
        if state.is_over:
            return position(mode, seed + 1, **options)
    return state


def evolved(state, mind, budget=3000, **limits):
    """A population after a search, and its problem."""
    problem = mind.prepared(state, Budget(**limits or {"forward_calls": budget}), 5)
    population = ScriptPopulationMemory(problem, mind.parameters)
    population.begin(problem)
    evolve(problem.record, population.record)
    return population, problem


def settings(name, **more):
    return turnwise.planner(name, **more).parameters


def asked(state, script, actor=None):
    """The action of a script that is asked for an actor, or for all; the end of the turn if there is none."""
    return state.code(state.script(SCRIPTS[script], actor) or "end")


def reply(state, me, goes_on=lambda state: True):
    while not state.is_over and state.to_move != me and goes_on(state):
        state = state.play(asked(state, 0))
    return state


def twin_of_sequence(state, settings, genes):
    """The end of a sequence's line, and the actions that its genes have stored."""
    me, stored = state.to_move, [NOTHING] * settings.length
    for place in range(settings.length):
        if state.is_over:
            break
        actor = None
        if settings.acts == "able":
            actor = state.actor(state.legal_actions()[0])
        is_end = settings.acts == "able" and actor is None
        stored[place] = state.code("end") if is_end else asked(state, genes[place], actor)
        state = reply(state.play(stored[place]), me) if place + 1 < settings.length else state.play(stored[place])
    return reply(state, me) if settings.final_reply else state, stored


def twin_by_number(state, settings, genes, actors):
    """The end of a line whose turns are counted by their number: the first actor that can act follows its script."""
    me, first = state.to_move, state.turn

    def is_within(state):
        return state.turn - first < settings.turns

    assigned = dict(zip(actors, genes, strict=False))
    row = 0
    while not state.is_over and is_within(state):
        if state.to_move != me:
            state = state.play(asked(state, 0))
            continue
        if state.turn - first != row:
            row = state.turn - first
            if settings.encoding == "plan":
                assigned = dict(zip(actors, genes[row * len(actors) :], strict=False))
            else:
                for tick, place, script in zip(*[iter(genes[len(actors) :])] * 3, strict=True):
                    if tick == row:
                        assigned[actors[place]] = script
        actor = state.actor(state.legal_actions()[0])
        state = state.play("end" if actor is None else asked(state, assigned[actor], actor))
    return state


@pytest.mark.parametrize("mode", ["kings", "healers"])
@pytest.mark.parametrize(("acts", "final_reply"), [("together", True), ("together", False), ("able", True)])
def test_sequences_are_played_as_by_the_slow_twin(mode, acts, final_reply):
    state = position(mode, 3)
    mind = turnwise.planner(
        "prhea", portfolio=TEXT, population=8, length=6, acts=acts, final_reply=final_reply, stored_actions=True
    )
    population, _ = evolved(state, mind)
    assert population.record.generations > 0
    for index, row in zip(population.order[:8].tolist(), population.individuals().tolist(), strict=True):
        after, stored = twin_of_sequence(state, mind.parameters, row[:6])
        assert population.fitness[index] == after.evaluate(state.to_move)
        count = stored.index(NOTHING) if NOTHING in stored else 6
        assert row[6 : 7 + count] == stored[: count + 1]


@pytest.mark.parametrize("mode", ["kings", "healers"])
@pytest.mark.parametrize("name", ["poe", "s-prhea"])
@pytest.mark.parametrize("seed", [3, 4])
def test_lines_by_number_are_played_as_by_the_slow_twin(mode, name, seed):
    state = position(mode, seed)
    state = state if seed == 3 else reply(state.play("end"), -1, lambda s: s.to_move == state.to_move)
    mind = turnwise.planner(
        name, portfolio=TEXT, population=8, turns=3, changes=3, acts="able", counted_by="number", ticks="turns"
    )
    population, _ = evolved(state, mind, 6000)
    actors = population.actors()
    for index, row in zip(population.order[:8].tolist(), population.individuals().tolist(), strict=True):
        after = twin_by_number(state, mind.parameters, row, actors)
        assert population.fitness[index] == after.evaluate(state.to_move)


def test_a_script_without_an_action_leaves_the_choice_to_chance():
    state = position("pushers", 3)
    for idle, ends in (("end", True), ("random", False)):
        mind = turnwise.planner(
            "prhea", portfolio="nothing", population=30, length=1, acts="together", idle=idle, stored_actions=True
        )
        population, _ = evolved(state, mind, 500)
        assert (population.individuals()[:, 1] == state.code("end")).all() == ends


# ------------------------------------------------------------------------------------------------------------ breeding


def test_children_of_one_parent_without_replacement_are_copies_of_the_best():
    state = position("kings", 3)
    more = {"portfolio": TEXT, "population": 6, "length": 6, "mutation_probability": 0.0, "tournament": 6}
    for options, distinct in (({"replacement": False, "parents": "same"}, 1), ({}, 2)):
        population, _ = evolved(state, turnwise.planner("prhea", **more, **options), iterations=1)
        assert (len({tuple(row) for row in population.individuals().tolist()}) > 1) == (distinct > 1)


def test_tournaments_without_replacement_draw_distinct_rivals():
    state = position("kings", 3)
    mind = turnwise.planner("prhea", portfolio=TEXT, population=6, length=2, tournament=5, replacement=False)
    from turnwise.planners.portfolio_evolution.as_coded import best_of_distinct

    population, problem = evolved(state, mind, 50)
    bests = [best_of_distinct(problem.record, population.record) for _ in range(600)]
    assert set(bests) == {0, 1}  # of six places at most one is missing among five
    assert 60 < bests.count(1) < 140


def test_mutants_of_one_individual_can_be_new_in_all_genes():
    state = position("kings", 3)
    for redraws in ("some", "all"):
        mind = turnwise.planner(
            "prhea", portfolio=TEXT, population=2, length=40, mutation_probability=0.0, mutant_genes=redraws
        )
        problem = mind.prepared(state, Budget(forward_calls=0), 5)
        population = ScriptPopulationMemory(problem, mind.parameters)
        population.begin(problem)
        population.spread(problem, 1)
        parent, mutant = population.individuals()
        assert bool((parent != mutant).any()) == (redraws == "all")


def test_changes_are_kept_from_mutation_and_crossed_as_a_whole():
    state = position("kings", 3)
    seats = len(state.actors(state.to_move))
    for options, kept in (({"mutate_changes": False, "change_crossover": "whole"}, True), ({}, False)):
        mind = turnwise.planner(
            "s-prhea", portfolio=TEXT, population=4, length=50, changes=4, mutation_probability=0.5, **options
        )
        problem = mind.prepared(state, Budget(forward_calls=4000), 5)
        population = ScriptPopulationMemory(problem, mind.parameters)
        population.begin(problem)
        first = population.individuals()[:, seats:].reshape(4, 4, 3)
        evolve(problem.record, population.record)
        after = population.individuals()[:, seats:].reshape(4, 4, 3)
        known = [{tuple(row) for row in first[:, place].tolist()} for place in range(4)]
        old = all(tuple(change) in known[place] for row in after.tolist() for place, change in enumerate(row))
        assert old == kept


def test_the_last_generation_may_exceed_the_budget():
    state = position("kings", 3)
    for overshoot in (False, True):
        mind = turnwise.planner("prhea", portfolio=TEXT, population=20, overshoot=overshoot)
        population, problem = evolved(state, mind, 30)
        assert (problem.record.forward_calls > 30) == overshoot
        assert np.isfinite(population.ratings()[:, 0]).all() == overshoot
        assert problem.record.stop != 0
        plan = mind.plan(state, Budget(forward_calls=0))
        assert plan.value is None  # nothing is searched with nothing


# ------------------------------------------------------------------------------------------- from decision to decision


def test_the_action_that_was_played_stays_in_the_last_gene():
    state = position("kings", 3)
    row = np.array([[2, 1, 0, 70, 71, 72]])
    kept = Kept(state, [7], [0, 1], row)
    common = {"length": 3, "stored_actions": True, "follows": "anything"}
    played = settings("prhea", last_gene="played", **common)
    assert kept.moved_on(state, [0], played).tolist() == [[1, 0, UNDRAWN, 71, 72, 70]]
    new = settings("prhea", last_gene="new", **common)
    assert kept.moved_on(state, [0], new).tolist() == [[1, 0, UNDRAWN, 71, 72, NOTHING]]


def test_only_the_best_goes_on_with_mutants_and_random_individuals():
    state = position("kings", 3)
    mine = settings("prhea", carry="best", stored_actions=False)
    kept = Kept(state, [7], [0], np.array([[2, 1], [0, 0]]))
    assert kept.moved_on(
        state, [0], settings("prhea", carry="best", follows="anything", stored_actions=False)
    ).tolist() == [[1, UNDRAWN]]
    assert mine.mutants == 9
    mind = turnwise.planner(
        "prhea",
        portfolio=TEXT,
        population=8,
        length=30,
        carry="best",
        mutants=3,
        mutant_genes="some",
        stored_actions=False,
    )
    problem = mind.prepared(state, Budget(forward_calls=0), 5)
    population = ScriptPopulationMemory(problem, mind.parameters)
    population.begin(problem)
    population.take_over(problem, np.full((1, 30), 1))
    population.spread(problem, 3)
    same = (population.individuals() == 1).mean(axis=1)
    assert same[0] == 1
    assert (same[1:4] > 0.5).all()  # a third of 30 % of the genes is drawn as it was
    assert (same[4:] < 0.7).all()


def test_plans_can_move_on_at_every_action_and_populations_end_with_the_turn():
    state = position("kings", 3)
    code = int(state.legal_codes()[0])
    later, next_turn = state.play(code), reply(state.play("end"), state.to_move)
    kept = Kept(state, [code], [4, 5], np.array([[0, 1, 2, 1]]))
    moved = [[2, 1, UNDRAWN, UNDRAWN]]
    assert kept.moved_on(later, [4, 5], settings("poe", rotate="action")).tolist() == moved
    assert kept.moved_on(later, [4, 5], settings("poe")).tolist() == [[0, 1, 2, 1]]
    assert kept.moved_on(next_turn, [4, 5], settings("poe", lasts="turn")) is None
    assert kept.moved_on(next_turn, [4, 5], settings("poe")).tolist() == moved


def test_ticks_of_turns_count_down_with_the_turn_and_0_never_fires():
    state = position("kings", 3)
    mine = settings("s-prhea", changes=3, ticks="turns", within_turn="stay")
    code = int(state.legal_codes()[0])
    kept = Kept(state, [code], [4, 5], np.array([[0, 0, 1, 1, 2, 0, 0, 1, 2, 0, 1]]), np.array([[7.0]]))
    assert kept.stays(state.play(code), mine)
    assert kept.moved_on(state.play(code), [4, 5], mine).tolist() == kept.rows.tolist()
    next_turn = reply(state.play("end"), state.to_move)
    assert not kept.stays(next_turn, mine)
    assert kept.moved_on(next_turn, [4, 5], mine).tolist() == [[0, 2, UNDRAWN, UNDRAWN, UNDRAWN, 0, 0, 1, 1, 0, 1]]


def test_values_stay_within_a_turn():
    state = position("kings", 3)
    mind = turnwise.planner("s-prhea", portfolio=TEXT, population=4, within_turn="stay", follows="anything")
    problem = mind.prepared(state, Budget(forward_calls=0), 5)
    population = ScriptPopulationMemory(problem, mind.parameters)
    population.begin(problem)
    ratings = np.array([[5.0, 0.0], [4.0, 0.0], [3.0, 0.0], [2.0, 0.0]])
    kept = Kept(state, [1], population.actors(), population.individuals(), ratings)
    assert mind._go_on(problem, population, population.actors(), kept)
    assert population.ratings()[:, 0].tolist() == [5.0, 4.0, 3.0, 2.0]


@pytest.mark.parametrize("name", FAMILY)
def test_a_forced_action_is_played_without_a_search(name):
    state = position("pushers", 3)
    while state.legal_actions() != ["end"]:
        state = state.play(state.legal_actions()[0])
    session = turnwise.planner(name, portfolio=TEXT, skip_forced=True).session(state.game, state.to_move, 1)
    session.memory["population"] = "any"
    plan = session.plan(state, Budget(forward_calls=800))
    assert (plan.actions, plan.report.evaluations) == (("end",), 0)
    assert "population" not in session.memory


def test_the_program_plays_actions_again_that_are_not_in_the_legal_list():
    shares = []
    for strict in (False, True):
        game = turnwise.make("stratega", mode="kings", strict_actions=strict, forgets_units=True)
        state, foe = game.start(seed=2), turnwise.planner("script:script=combat-as-coded")
        minds = [turnwise.planner("prhea:preset=kings-as-coded"), foe]
        sessions = [mind.session(game, seat, seat) for seat, mind in enumerate(minds)]
        unlisted = asked_for = 0
        while not state.is_over and asked_for < 150:
            me = state.to_move
            code, _ = sessions[me].next_action(
                state.view(me).with_chance(asked_for), parse_budget("forward=300/action")
            )
            if me == 0:
                asked_for += 1
                unlisted += code not in state.legal_codes()
            state = state.play(code)
        shares.append(unlisted / asked_for)
    assert shares[0] > 0.3
    assert shares[1] == 0


# ------------------------------------------------------------------------------------------------------------- readings


def test_readings_choose_what_the_game_assigns_to_them():
    stratega, hero = turnwise.make("stratega"), turnwise.make("hero-academy:map=a-tiny,deck=tiny")
    mind = turnwise.planner("mo-prhea:preset=as-coded")
    assert mind.objectives(stratega) == ["linear-sum", "closeness-as-coded(nan=1)"]
    assert len(mind.objectives(hero)) == 2
    from turnwise.search.named_portfolios import portfolio_of

    assert portfolio_of(stratega, "as-coded")[0] == "attack-closest-as-coded"
    assert portfolio_of(hero, "as-coded") == portfolio_of(hero, "")


@pytest.mark.parametrize("reading", sorted(READINGS))
@pytest.mark.parametrize("name", FAMILY)
def test_modes_have_the_parameters_of_their_reading(name, reading):
    presets = turnwise.PLANNERS.get(name).all_presets()
    for mode in ("kings", "pushers", "healers"):
        changed = {key: value for key, value in presets[reading].items() if key != "portfolio"}
        assert changed.items() <= presets[f"{mode}-{reading}"].items()
        assert turnwise.planner(name, preset=f"{mode}-{reading}").parameters.population in (1, 10, 100)


def test_scripts_of_all_actors_are_for_sequences():
    with pytest.raises(turnwise.TurnwiseError, match="acts=together is for encoding=sequence"):
        turnwise.planner("poe", acts="together")
