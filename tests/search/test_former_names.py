"""A former name of a parameter or value is answered with the current one."""

import pytest

import turnwise
from turnwise.core.errors import OptionError
from turnwise.search.former_names import FORMER_NAMES, FORMER_VALUES

NAMES = [(planner, *pair) for planner, names in FORMER_NAMES.items() for pair in names.items()]
VALUES = [
    (planner, name, *pair)
    for planner, values in FORMER_VALUES.items()
    for name, renamed in values.items()
    for pair in renamed.items()
]


def refusal(planner, **parameters):
    with pytest.raises(OptionError) as raised:
        turnwise.planner(planner, **parameters)
    return str(raised.value)


@pytest.mark.parametrize(("planner", "current", "former"), NAMES)
def test_a_former_name_is_answered_with_the_current_one(planner, current, former):
    shown = [name.replace("_", "-") for name in (former, current)]
    message = refusal(planner, **{former: 1})
    assert f"the parameter '{shown[0]}' is now called '{shown[1]}'" in message
    assert "did you mean" not in message


@pytest.mark.parametrize(("planner", "current", "former"), NAMES)
def test_no_former_name_is_in_use(planner, current, former):
    fields = type(turnwise.planner(planner)).Parameters.model_fields
    assert current in fields
    assert former not in fields


@pytest.mark.parametrize(("planner", "name", "current", "former"), VALUES)
def test_a_former_value_is_answered_with_the_current_one(planner, name, current, former):
    turnwise.planner(planner, **{name: current})
    assert f"; '{former}' is now called '{current}'" in refusal(planner, **{name: former})


def test_a_size_for_nmcs_is_no_former_name():
    for size in ("64MB", 64_000_000, "2GiB"):
        message = refusal("nmcs", memory=size)
        assert f"memory = {size!r}: nmcs has no limit of memory" in message
        assert "memorise' " not in message.partition("Parameters:")[0]
    assert "is now called 'memorise'" in refusal("nmcs", memory="false")
    with pytest.raises(OptionError, match="nmcs has no limit of memory"):
        turnwise.planner("nmcs:memory=64MB,level=2")


@pytest.mark.parametrize("former", [{"q": 0.3}, {"completion": "order"}])
def test_the_constant_of_exploration_is_converted(former):
    message = refusal("mcts", exploration=0.5**0.5, **former)
    assert message.endswith("multiply the former value by 2.82843; 0.7071067811865476 becomes 2.")
    assert turnwise.planner("mcts").parameters.exploration == 2
    assert refusal("mcts", exploration="some", **former).endswith("multiply the former value by 2.82843.")


@pytest.mark.parametrize(
    ("planner", "parameters"),
    [("mcts", {"q": 0.3}), ("mcts", {"exploration": 0.7, "wrong": 1}), ("sp-mcts", {"exploration": 0.7, "q": 0.3})],
)
def test_other_constants_are_left_alone(planner, parameters):
    assert "multiply" not in refusal(planner, **parameters)


def test_a_planner_of_a_user_has_no_former_names():
    class Own(turnwise.PLANNERS.get("mcts")):
        name = "own"

    with pytest.raises(OptionError, match="there is no parameter 'q'"):
        Own(q=0.3)
