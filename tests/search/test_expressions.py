"""Expressions of scripts as text: what is accepted, the normal form, messages about what is not."""

import pytest

import turnwise
from turnwise.core.errors import OptionError
from turnwise.registry import split_text
from turnwise.search.expressions import DEEPEST, LONGEST_TEXT, MOST_SCRIPTS, First, Mix, Named, names_of, parse
from turnwise.search.portfolio import Portfolio, parse_candidates

NORMAL = {
    "attack-weakest": "attack-weakest",
    " first( a , b ) ": "first(a,b)",
    "first(a,first(b,c))": "first(a,first(b,c))",
    "mix(0.3:a,b)": "mix(0.3:a,b)",
    "mix( .25 : a , 0.25:b, 0.5:c)": "mix(0.25:a,0.25:b,c)",
    "mix(1:a)": "mix(a)",
    "mix(a)": "mix(a)",
    "mix(1e-3:a,b)": "mix(0.001:a,b)",
    "rush(share=0.30, depth = 2)": "rush(share=0.3,depth=2)",
    "first(mix(0.5:a(x=-1.5),b),c)": "first(mix(0.5:a(x=-1.5),b),c)",
}
# Text -> the character from 1 and what the message says.
WRONG = {
    "": (1, "the name of a script"),
    "first": (6, "'(' after 'first'"),
    "first()": (7, "the name of a script"),
    "first(a": (8, "',' or ')'"),
    "first(a,)": (9, "the name of a script"),
    "a b": (3, "',' or the end"),
    "a)": (2, "the end of the text"),
    "frist(a,b)": (8, "did you mean first(...)?"),
    "mix(0.3:a,b,c)": (13, "only the last part"),
    "mix(0.6:a,0.6:b)": (5, "these add up to 1.2"),
    "mix(0.5:a,0.5:b,c)": (5, "add up to less than 1"),
    "mix(0:a,b)": (5, "a weight above 0"),
    "mix(0.3 a,b)": (9, "':' after a weight"),
    "a(x=)": (5, "a number for 'x'"),
    "a(x=1,x=2)": (7, "each parameter of 'a' once"),
    "a(x=1e999)": (5, "a number for 'x'"),
    "9": (1, "the name of a script"),
}


@pytest.mark.parametrize(("text", "normal"), NORMAL.items())
def test_the_normal_form_reads_back_as_the_same_expression(text, normal):
    found = parse(text)
    assert str(found) == normal
    assert str(parse(normal)) == normal


def test_structure():
    found = parse("first(a,mix(0.25:b(x=1),c))")
    assert isinstance(found, First)
    mix = found.parts[1]
    assert isinstance(mix, Mix)
    assert mix.weights == (0.25, 0.75)
    assert mix.parts[0] == Named("b", (("x", 1.0),), at=17)
    assert [named.name for named in names_of(found)] == ["a", "b", "c"]


@pytest.mark.parametrize(("text", "fault"), WRONG.items())
def test_messages_name_the_place(text, fault):
    place, words = fault
    with pytest.raises(OptionError, match="expected") as caught:
        parse(text)
    assert f"character {place}:" in str(caught.value)
    assert words in str(caught.value)


def test_a_list_is_no_expression():
    with pytest.raises(OptionError, match=r"Combine them, as in first\(a,b\)"):
        parse("a,b")


def test_sizes_are_limited():
    parse(f"first({','.join(['a'] * MOST_SCRIPTS)})")
    with pytest.raises(OptionError, match=f"at most {MOST_SCRIPTS} scripts"):
        parse(f"first({','.join(['a'] * (MOST_SCRIPTS + 1))})")
    parse("first(" * DEEPEST + "a" + ")" * DEEPEST)
    with pytest.raises(OptionError, match=f"at most {DEEPEST} parentheses"):
        parse("first(" * (DEEPEST + 1) + "a" + ")" * (DEEPEST + 1))
    with pytest.raises(OptionError, match=f"may have at most {LONGEST_TEXT} characters; got {LONGEST_TEXT + 1}"):
        parse("a" * (LONGEST_TEXT + 1))
    with pytest.raises(OptionError, match="must be a string"):
        parse(3)


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("pruned", "pruned"),
        (" all ", "all"),
        ("portfolio( a, first(b,c) )", "portfolio(a,first(b,c))"),
        ("per-actor(a)", "per-actor(a)"),
        ("mixed(2; a,b)", "mixed(2;a,b)"),
    ],
)
def test_candidates_have_a_normal_form(text, normal):
    assert str(parse_candidates(text)) == normal
    assert str(parse_candidates(normal)) == normal


@pytest.mark.parametrize(
    "text", ["", "some", "portfolio", "portfolio()", "mixed(a,b)", "mixed(-1;a)", "first(a,b)", None]
)
def test_other_candidates_are_refused(text):
    with pytest.raises(OptionError, match=r"expected|must be a string"):
        parse_candidates(text)


def test_expressions_need_no_quotes_in_specifications():
    text = "script:script=first(a,mix(0.3:b,c)),actors=all"
    assert split_text(text) == ("script", {"script": "first(a,mix(0.3:b,c))", "actors": "all"})
    with pytest.raises(OptionError, match=r"'\)' is missing in the value of 'script'"):
        split_text("script:script=first(a,b,actors=all")


def test_expressions_of_objects_are_those_of_the_text():
    rush = Named("rush", {"share": 0.3})
    for built in (
        First(["attack", Mix(["rush(share=0.3)", First(["a"])], [0.25, 0.75])]),
        First((Named("attack"), Mix((rush, First(("a",))), (0.25, 0.75)))),
    ):
        assert parse(str(built)) == built == parse("first(attack,mix(0.25:rush(share=0.3),first(a)))")
        assert parse(built) == built
    for wrong, message in (
        (lambda: First("attack"), "expected a list; got 'attack'"),
        (lambda: First([3]), "must be a string"),
        (lambda: First(["first("]), "expected"),
        (lambda: Mix(["a", "b"], [0.5, 0.2]), "as many weights, which add up to 1"),
        (lambda: Mix(["a", "b"], [1.0]), "as many weights, which add up to 1"),
    ):
        with pytest.raises(OptionError, match=message):
            wrong()


@pytest.mark.parametrize(
    ("name", "given", "text"),
    [
        ("script", {"script": First(["attack-best", "random"])}, {"script": "first(attack-best,random)"}),
        ("script", {"script": Named("random")}, {"script": "random"}),
        ("pgs", {"portfolio": ["attack-best", First(["a", "b"])]}, {"portfolio": "attack-best, first(a, b)"}),
        ("pgs", {"start": ["a", First(["b", "c"])]}, {"start": "a/first(b,c)"}),
        ("prhea", {"portfolio": (Named("a"), "b")}, {"portfolio": "a,b"}),
        ("poe", {"portfolio": Named("a"), "reply": Named("b")}, {"portfolio": "a", "reply": "script(b)"}),
        ("lsi", {"choices": "scripts", "kinds": {0: ["a", "b"]}}, {"choices": "scripts", "kinds": "0:a,b"}),
        ("mcts", {"policy": First(["a", "b"])}, {"policy": "first(a,b)"}),
        ("mcts", {"candidates": Portfolio("mixed", (Named("a"),), 2)}, {"candidates": "mixed(2;a)"}),
        ("rhea", {"reply": Named("a"), "horizon": "turns=2"}, {"reply": "script(a)", "horizon": "turns=2"}),
    ],
)
def test_planners_take_objects_and_lists_in_place_of_texts(name, given, text):
    assert turnwise.planner(name, **given).spec == turnwise.planner(name, **text).spec


@pytest.mark.parametrize(("name", "value"), [("portfolio", []), ("portfolio", [3]), ("portfolio", 3), ("reply", [3])])
def test_other_values_are_refused(name, value):
    with pytest.raises(OptionError, match="expected a string"):
        turnwise.planner("prhea", **{name: value})


def test_kinds_that_a_game_does_not_have_are_refused():
    state = turnwise.make("stratega").start(1)
    with pytest.raises(OptionError, match=r"has no kind 99; its kinds of actors are numbered from 0 to 3"):
        turnwise.planner("naive-mcts", choices="scripts", kinds="3:random;99:random").plan(
            state, turnwise.Budget(iterations=1)
        )
    known = turnwise.planner("naive-mcts", choices="scripts", kinds="3:random")
    assert known.plan(state, turnwise.Budget(iterations=1)).actions


def test_a_state_takes_an_expression_as_an_object():
    state = turnwise.make("stratega").start(1)
    rule = First(["attack-closest", "run-away"])
    assert state.script(rule, 0) == state.script(str(rule), 0)
    assert state.script(Named("random")) == state.script("random")
