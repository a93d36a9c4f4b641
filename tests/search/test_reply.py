"""How other seats play in lines: texts, kernels, counters, and planners that look beyond their turn."""

import pytest

import turnwise
from doubles.skirmish import Skirmish
from doubles.toy_game import END, Toy
from turnwise.core.budget import Budget
from turnwise.core.errors import OptionError, UnknownNameError
from turnwise.core.table import ALL, NOTHING
from turnwise.jit.record import Ints, array_address
from turnwise.search.actors import heir
from turnwise.search.forward_model import scripted, to_move
from turnwise.search.horizon import TURNS, Horizon, Reach, advance, begin_line, keep_progress, resume_line
from turnwise.search.problem import Problem
from turnwise.search.reply import (
    ASSIGNMENT,
    GENES,
    NONE,
    PASS,
    POLICY,
    SCRIPT,
    HorizonMemory,
    ReplyForm,
    let_others_move,
    parse_reply,
    was_stopped,
)

MANY = Budget(forward_calls=10**6)
BEYOND = ["rhea:population=8,offspring=8,elites=2", "nrpa", "nmcs:level=1", "flat-mc", "beam-search:width=4"]


def test_texts_are_read():
    assert parse_reply("none") == [ReplyForm(NONE)]
    assert parse_reply("policy(uniform)") == [ReplyForm(POLICY, "uniform")]
    assert parse_reply("pass/genes/policy(a b)") == [ReplyForm(PASS), ReplyForm(GENES), ReplyForm(POLICY, "a b")]
    assert parse_reply("script(first( a,b ))") == [ReplyForm(SCRIPT, "first(a,b)")]
    assigned = ReplyForm(ASSIGNMENT, assigned=((3, "random"), (7, "mix(0.5:a,b)")))
    assert parse_reply("assignment(9223372036854775807:end)")[0].assigned[0][0] == 2**63 - 1
    assert parse_reply("assignment(3:random;7:mix(0.5:a,b))") == [assigned]


@pytest.mark.parametrize("text", ["", "policy", "policy()", "policy(x", "uniform", "none/", "none,pass", "script()"])
def test_other_texts_are_refused(text):
    with pytest.raises(ValueError, match=r"expected none, pass, policy\(NAME\)"):
        parse_reply(text)


def test_what_a_game_or_planner_does_not_have_is_refused():
    state = Toy(players=3).start()
    with pytest.raises(UnknownNameError, match="rollout policy"):
        turnwise.planner("rhea:horizon=turns=2,reply=policy(nobody)").plan(state, Budget(iterations=1))
    with pytest.raises(OptionError, match=r"reply has 3 parts; .* has 2 other seats"):
        turnwise.planner("rhea:horizon=turns=2,reply=none/none/none").plan(state, Budget(iterations=1))
    with pytest.raises(OptionError, match="no genes for other seats"):
        turnwise.planner("nmcs:reply=genes")


class Walk:
    """A line in which the own seat always ends its turn at once."""

    def __init__(self, game, reply, turns, count_own=False):
        self.state = game.start(seed=3)
        self.problem = Problem(self.state, MANY, 7)
        self.p, self.line = self.problem.record, Horizon()
        self.p.count_own = count_own
        self.lines = HorizonMemory(self.line, self.problem, Reach(TURNS, turns, 0), reply)
        self.row = self.state.row.copy()
        begin_line(self.p, self.line, self.here)

    @property
    def here(self):
        return array_address(self.row)

    @property
    def mover(self):
        return to_move(self.p, self.here)

    def others_move(self):
        return let_others_move(self.p, self.line, self.here)

    def end_turn(self):
        advance(self.p, self.line, self.here, self.state.game.end_action, self.p.mover)


GAMES = [Toy(players=3, end="free"), Skirmish(players=3, units=2)]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.spec)
@pytest.mark.parametrize(
    ("reply", "goes_on", "turns"),
    [("none", False, 1), ("pass", True, 3), ("policy(uniform)", True, 3), ("genes", True, 1), ("pass/none", False, 2)],
)
def test_others_move_until_the_line_chooses_again(game, reply, goes_on, turns):
    walk = Walk(game, reply, 9)
    assert walk.others_move()
    assert walk.p.forward_calls == 0
    walk.end_turn()
    assert walk.others_move() == goes_on
    assert walk.line.turns == turns
    assert not was_stopped(walk.p)
    seat = walk.state.to_move
    assert (walk.mover == seat) == (goes_on and reply != "genes")
    assert walk.p.forward_calls == 1 + walk.p.other_calls
    if "policy" not in reply:
        assert walk.p.other_calls == turns - 1
    before = walk.row.copy()
    assert walk.others_move() == goes_on  # asking again changes nothing
    assert (walk.row == before).all()


def test_replies_end_with_the_horizon():
    walk = Walk(Toy(players=3, end="free"), "pass", 2)
    walk.end_turn()
    assert not walk.others_move()
    assert walk.line.turns == 2
    assert walk.mover == 2


def test_replies_stop_with_the_budget():
    walk = Walk(Toy(players=3, end="free"), "policy(uniform)", 9)
    walk.end_turn()
    walk.p.forward_limit = 2
    assert not walk.others_move()
    assert was_stopped(walk.p)
    assert walk.p.forward_calls == 2


def test_a_reply_that_never_ends_its_turn_ends_the_line():
    game = Skirmish(players=2, units=2, max_turn=1)
    walk = Walk(game, "policy(uniform)", 9)
    walk.end_turn()
    walk.others_move()
    assert walk.p.other_calls <= 2


def test_calls_for_others_count_unless_told_otherwise():
    both = [Walk(GAMES[0], "policy(uniform)", 9, own) for own in (False, True)]
    for walk in both:
        walk.end_turn()
        walk.others_move()
    assert both[0].p.other_calls == both[1].p.other_calls > 0
    assert both[0].p.forward_calls == 1 + both[0].p.other_calls
    assert both[1].p.forward_calls == 1


@pytest.mark.parametrize(
    "text",
    [
        *("script(first(random)", "script(mix())", "policy(first(random,)"),
        *("assignment(random)", "assignment(1:)", "assignment(1:random;2:end;01:end)"),
        *("assignment(9223372036854775808:random)", f"assignment({'9' * 5000}:random)"),
    ],
)
def test_faults_in_expressions_are_named(text):
    with pytest.raises(ValueError, match="expected"):
        parse_reply(text)


def test_a_script_plays_for_another_seat():
    """The reply is what the expression plays, action by action, until it has none; then the turn ends."""
    game = Skirmish(players=2, units=2, unbounded=False)
    expression = "attack-closest"
    walk = Walk(game, f"script({expression})", 3)
    walk.end_turn()
    now = walk.state.play(game.end_action)
    assert walk.others_move()
    while now.to_move != walk.state.to_move:
        now = now.play(script_of(now, expression))
    assert walk.row.tobytes() == now.row.tobytes()
    assert walk.p.other_calls > 1


def script_of(state, expression, actor=ALL):
    """The action of an expression in a state, or the end of the turn."""
    problem = Problem(state, MANY, 1)
    action = scripted(problem.record, problem.expression(expression), state.address, actor)
    return state.game.end_action if action == NOTHING else action


def test_an_assignment_follows_its_actors():
    """Units of the game are known by their squares, so that a unit has another number after each step."""
    game = Skirmish(players=2, units=2, unbounded=False)
    start = game.start(seed=3)
    after = start.play(game.end_action)
    squares = sorted({int(code) // 16 for code in after.legal_codes() if int(code) != game.end_action})
    other = squares[-1]
    walk = Walk(game, f"assignment({other}:attack-closest)", 3)
    walk.end_turn()
    assert walk.others_move()
    now, actor = after, other
    while now.to_move != start.to_move:
        has_actor = any(int(code) // 16 == actor for code in now.legal_codes() if int(code) != game.end_action)
        action = script_of(now, "attack-closest", actor) if has_actor else game.end_action
        if action != game.end_action:
            problem = Problem(now, MANY, 1)
            actor = heir(problem.record, now.address, actor, action)
        now = now.play(action)
    assert actor != other
    assert walk.row.tobytes() == now.row.tobytes()
    assert walk.line.replies[1].actors[0] == actor
    begin_line(walk.p, walk.line, walk.here)
    assert walk.line.replies[1].actors[0] == other


def test_every_seat_has_its_own_reply():
    walk = Walk(Toy(players=3, end="free"), "pass/policy(epsilon-greedy)", 9)
    replies = walk.line.replies
    assert (replies[1].kind, replies[2].kind) == (PASS, POLICY)


@pytest.mark.parametrize("text", BEYOND)
@pytest.mark.parametrize("game", [Toy(players=3, end="free"), Skirmish(players=3, units=2)], ids=lambda game: game.name)
def test_a_line_beyond_the_turn_has_the_value_at_its_end(text, game):
    """With replies that pass, the line can be played again: own actions from plan and continuation."""
    state = game.start(seed=1)
    plan = turnwise.planner(f"{text}{',' if ':' in text else ':'}horizon=turns=4,reply=pass").plan(
        state, Budget(forward_calls=600), seed=2
    )
    now, turns = state, 0
    line = [*plan.codes, *plan.continuation]
    while turns < 4 and not now.is_over:
        if now.to_move == state.to_move and not line:
            break
        code = line.pop(0) if now.to_move == state.to_move else game.end_action
        later = now.play(code)
        turns += (later.to_move, later.turn) != (now.to_move, now.turn)
        now = later
    assert not line
    assert now.evaluate(state.to_move, root=state) == plan.value
    assert 0 < plan.report.forward_calls_for_others < plan.report.forward_calls


@pytest.mark.parametrize("text", BEYOND)
def test_calls_for_others_can_be_left_out_of_the_budget(text):
    state = Toy(players=3, end="free").start(seed=1)
    base = f"{text}{',' if ':' in text else ':'}horizon=turns=3,reply=policy(uniform)"
    every, own = (
        turnwise.planner(f"{base},count={count}").plan(state, Budget(forward_calls=300), seed=2).report
        for count in ("all", "own")
    )
    most = 300 + state.game.max_turn  # and the completion
    assert every.forward_calls <= most
    assert own.forward_calls <= most
    assert every.forward_calls_for_others < every.forward_calls
    if own.stopped_by == "budget":
        assert own.forward_calls > every.forward_calls - every.forward_calls_for_others


def test_genes_go_on_in_the_next_own_turn():
    state = Toy(players=2, end="free").start(seed=1)
    planner = turnwise.planner(
        "rhea:population=8,offspring=8,elites=2,horizon=turns=3,reply=pass,mutation-operator=uniform"
    )
    session = planner.session(state.game, 0, 5)
    plan = session.plan(state, Budget(iterations=4))
    now = state
    for code in plan.codes:
        now = now.play(code)
    now = now.play(END)
    assert now.to_move == 0
    again = session.plan(now, Budget(iterations=0))
    assert again.report.details["shifted"] == 1.0
    expected = list(plan.continuation)[: len(again.codes)]
    assert list(again.codes)[: len(expected)] == expected


def test_an_earlier_state_is_resumed_with_the_numbers_of_its_actors():
    game = Skirmish(players=2, units=1, unbounded=False)
    walk = Walk(game, "assignment(55:attack-closest)", 9)
    progress = walk.lines.room_for_progress(2)
    kept, earlier = [Ints.of(row) for row in progress], []
    for place in range(2):
        walk.end_turn()
        assert walk.others_move()
        keep_progress(walk.line, kept[place])
        earlier.append((walk.row.copy(), walk.line.replies[1].actors[0]))
    assert earlier[0][1] != earlier[1][1]
    for place in (0, 1, 0):
        row, actor = earlier[place]
        resume_line(walk.p, walk.line, array_address(row), 0, kept[place])
        assert (walk.line.replies[1].actors[0], walk.line.turns) == (actor, 2 * place + 2)


@pytest.mark.parametrize(("units", "script"), [(2, "attack-closest"), (1, "run-away")])
@pytest.mark.parametrize(
    "text", [*BEYOND, "flat-mc:rollouts=1", "beam-search:rollouts=1", "nmcs:level=2,memorise=false"]
)
def test_a_search_that_returns_to_earlier_states_knows_their_actors(text, units, script):
    """Every line of a search has the value of a game in which the assignment follows the units from the start on."""
    game = Skirmish(players=2, units=units, unbounded=False)
    start = game.start(seed=3)
    squares = {int(code) // 16 for code in start.play(game.end_action).legal_codes() if code != game.end_action}
    assignment = dict.fromkeys(sorted(squares), script)
    reply = "assignment(" + ";".join(f"{square}:{script}" for square in assignment) + ")"
    options = f"horizon=turns=6,evaluation=distance,reply={reply}"
    planner = turnwise.planner(f"{text}{',' if ':' in text else ':'}{options}")
    for seed in range(3):
        plan = planner.plan(start, Budget(forward_calls=1500), seed)
        assert value_of_line(start, [*plan.codes, *plan.continuation], assignment) == plan.value


def value_of_line(start, line, actors):
    """The value after six turns in which a seat plays a line, and the other one's actors follow scripts."""
    now, turns = start, 0
    while turns < 6 and not now.is_over and (line or now.to_move != start.to_move):
        action = line.pop(0) if now.to_move == start.to_move else reply_of(now, actors)
        problem = Problem(now, MANY, 1)
        actors = {heir(problem.record, now.address, actor, action): script for actor, script in actors.items()}
        later = now.play(action)
        turns += later.turn != now.turn
        now = later
    assert not line
    assert turns >= 5
    return now.evaluate(start.to_move, "distance", start)


def reply_of(state, assignment):
    """What the first actor that has an action plays, or the end of the turn."""
    own = {int(code) // 16 for code in state.legal_codes() if code != state.game.end_action}
    for actor, script in assignment.items():
        if actor in own and (action := script_of(state, script, actor)) != state.game.end_action:
            return action
    return state.game.end_action


@pytest.mark.parametrize("worlds", [1, 3])
def test_scripts_for_own_actors_are_refused_where_something_is_hidden(worlds):
    start = Skirmish(players=2, units=2, fog=True, unbounded=False).start(seed=3).view(0)
    mine, few = start.actors(0)[0], turnwise.Budget(forward_calls=20)
    planner = turnwise.planner("flat-mc", horizon="turns=2", reply=f"assignment({mine}:random)", worlds=worlds)
    with pytest.raises(OptionError, match=rf"assignment for player 2 .* actor {mine} of player 1, who plans; expected"):
        planner.plan(start, few)
    first = start.turn
    while start.turn == first or start.to_move != 0:
        start = start.play("end")
    planner.plan(start.view(0), few)  # by now a unit of the other seat may have stood there
    free = next(square for square in range(25) if square not in start.actors(0) + start.actors(1))
    turnwise.planner("flat-mc", horizon="turns=2", reply=f"assignment({free}:random)").plan(start, few)


def test_scripts_for_actors_that_never_were_are_refused():
    game = Skirmish(players=2, units=2, unbounded=False)
    start = game.start(seed=3)
    theirs = start.actors(1)
    planner = turnwise.planner("flat-mc", horizon="turns=2", reply=f"assignment({theirs[0]}:random;999:random)")
    with pytest.raises(OptionError, match=r"actor 999, but .* has only .*script\(EXPRESSION\)"):
        planner.plan(start, turnwise.Budget(forward_calls=20))
    planner = turnwise.planner("flat-mc", horizon="turns=2", reply=f"assignment({theirs[0]}:random)")
    now = start
    for _ in range(4):  # the unit moves to another square, or dies: the assignment stays valid
        plan = planner.plan(now, turnwise.Budget(forward_calls=20))
        for action in plan.actions:
            now = now.play(action)
        if now.is_over:
            break
    cards = turnwise.make("hero-academy:map=a-tiny,deck=tiny").start(seed=1)
    assert 3 not in cards.actors(1)  # what is hidden may become a unit there
    turnwise.planner("flat-mc", horizon="turns=2", reply="assignment(3:random)").plan(
        cards, turnwise.Budget(forward_calls=5)
    )
    card = cards.actors(0)[0]
    assert card not in cards.view(0).actors(1)  # both seats have cards of this number
    turnwise.planner("flat-mc", horizon="turns=2", reply=f"assignment({card}:random)").plan(
        cards.view(0), turnwise.Budget(forward_calls=5)
    )
    with pytest.raises(OptionError, match=r"actor 3, but .* has only 0"):
        Walk(Toy(players=2, end="free"), "assignment(0:random;3:random)", 3)


def test_the_message_about_a_wrong_form_lists_all_forms_once():
    forms = (
        r"none, pass, policy\(NAME\), script\(EXPRESSION\), assignment\(ACTOR:EXPRESSION;\.\.\.\) or genes, one for all"
    )
    with pytest.raises(OptionError, match=forms):
        turnwise.planner("rhea:horizon=turns=2,reply=scrpt(drink)")


@pytest.mark.parametrize("text", [*BEYOND, "rhea:horizon=4"])
@pytest.mark.parametrize("reply", ["policy(nobody)", "script(nobody)", "assignment(0:first(random,nobody))"])
def test_a_misspelt_name_is_refused_where_the_horizon_leaves_it_unused(text, reply):
    planner = turnwise.planner(text, reply=reply)
    for game in (Toy(), Toy(players=1)):
        with pytest.raises(UnknownNameError, match="nobody"):
            planner.plan(game.start(), Budget(iterations=1))
    with pytest.raises(OptionError, match=r"reply has 3 parts; .* has 1 other seat"):
        turnwise.planner(text, reply="none/none/none").plan(Toy().start(), Budget(iterations=1))
