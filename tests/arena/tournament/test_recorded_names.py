"""Renamed parameters: recorded tournaments keep their identity, other people's planners are left alone."""

import json
from pathlib import Path

import pytest

import turnwise
from turnwise.arena.tournament.difference import differences
from turnwise.arena.tournament.recorded_names import current_setting, recorded_settings
from turnwise.arena.tournament.schedule import make_schedule
from turnwise.arena.tournament.specification import make_spec
from turnwise.core.errors import OptionError
from turnwise.search.exploration import exploration_of_published, published_exploration
from turnwise.search.former_names import LATER_PARAMETERS

# Planner -> preset ("": the defaults) -> settings as they were recorded before any parameter was renamed. nrpa's preset
# has had a guide since then, rhea's for races another evaluation, so tournaments with them are others.
RECORDED = json.loads((Path(__file__).parents[2] / "data" / "recorded_settings.json").read_text())


def recorded(text):
    planner = turnwise.planner(text)
    return recorded_settings(planner.name, planner.parameters.model_dump(mode="json"))


@pytest.mark.parametrize("planner", RECORDED)
def test_settings_are_hashed_as_they_were_recorded(planner):
    for preset, settings in RECORDED[planner].items():
        preset = preset.replace("champion-", "recommended-")
        assert recorded(f"{planner}:preset={preset}" if preset else planner) == settings


def test_every_constant_of_exploration_can_be_named():
    """Recorded constants of few digits have a constant of today that is hashed as they were."""
    for hundredths in range(1, 301):
        published = hundredths / 100
        assert recorded(f"mcts:exploration={published * 2 * 2**0.5}")["exploration"] == published
        assert published_exploration(exploration_of_published(published)) == published


def test_values_have_their_recorded_names():
    assert recorded("mcts:completion=action-score")["completion"] == "order"
    assert recorded("greedy-turn")["evaluate_at"] == "hand-over"
    assert recorded("greedy-turn:evaluate-at=before-end")["evaluate_at"] == "before-end"


def test_withdrawn_parameters_stay_in_the_record():
    assert recorded("emcts")["alignment"] == recorded("fh-emcts")["alignment"] == "index"
    with pytest.raises(OptionError, match="alignment"):
        turnwise.planner("emcts:alignment=index")


def test_settings_of_other_planners_stay_as_they_are():
    settings = {"greedy_probability": 0.3, "q": 0.9, "completion": "action-score", "exploration": 1.0}
    assert recorded_settings("my-planner", settings) == settings


def test_no_two_settings_become_one():
    for planner in RECORDED:
        settings = turnwise.planner(planner).parameters.model_dump()
        assert len(recorded(planner)) == len(settings) - len(LATER_PARAMETERS.get(planner, {}))


def test_later_parameters_count_once_they_change_something():
    for planner, later in LATER_PARAMETERS.items():
        settings = turnwise.planner(planner).parameters.model_dump()
        for name, value in later.items():
            assert settings[name] == value
            assert name not in recorded_settings(planner, settings)
            assert recorded_settings(planner, {**settings, name: "other"})[name] == "other"


def test_parameters_added_later_count_only_when_they_are_used():
    plain = recorded("rhea")
    assert "reply" not in plain
    assert "horizon" not in plain
    assert recorded("rhea:reply=pass") == {**plain, "reply": "pass"}
    assert recorded("rhea:horizon=turns=2") == {**plain, "horizon": "turns=2"}
    assert recorded("nrpa")["horizon"] == 1000
    assert recorded("online-evolution")["repair"] == "illegal"


def test_a_limit_of_memory_counts_where_it_is_given():
    for planner in ("mcts", "sp-mcts", "rhea", "mcts-rhea", "online-evolution", "greedy-turn", "nrpa"):
        assert recorded(f"{planner}:memory=64MB") == recorded(planner) | {"memory": 64_000_000}
    assert recorded("nmcs:memorise=false") == recorded("nmcs") | {"memory": False}


def test_a_limit_of_beam_search_is_hashed_in_mebibytes():
    assert recorded("beam-search")["memory"] == recorded("beam-search:memory=512MiB")["memory"] == 512
    assert recorded("beam-search:memory=2GiB")["memory"] == 2048
    assert recorded("beam-search:memory=600kB")["memory"] == "600000 bytes"
    assert current_setting("beam-search", "memory", 2048) == ("memory", 2 << 30)
    assert current_setting("beam-search", "memory", "600000 bytes") == ("memory", "600000 bytes")


def test_worlds_count_where_something_is_hidden():
    settings = turnwise.planner("mcts").parameters.model_dump(mode="json")
    old = recorded_settings("mcts", settings)
    assert recorded_settings("mcts", {**settings, "worlds": 1}, hides=True) == old
    assert recorded_settings("mcts", settings, hides=True) == {**old, "worlds": 0}
    assert recorded_settings("mcts", {**settings, "worlds": 3}) == {**old, "worlds": 3}
    assert recorded_settings("my-planner", {"worlds": 1}) == {"worlds": 1}


def test_later_parameters_count_where_they_change_how_a_planner_plays():
    assert recorded("mcts:streams=2") == recorded("mcts") | {"streams": 2}
    assert recorded("rhea:migration=3,streams=2") == recorded("rhea") | {"streams": 2, "migration": 3}
    assert recorded("online-evolution:streams=2")["islands"] == 2


@pytest.mark.parametrize("planner", ["mcts", "online-evolution", "sp-mcts", "rhea", "nrpa"])
@pytest.mark.parametrize(("budget", "counts"), [("iterations=5", False), ("time=5ms+forward=9", True)])
def test_threads_are_part_of_the_identity_only_where_time_is_limited(planner, budget, counts):
    one, two = (
        make_schedule(make_spec(games=["samegame"], players={"a": f"{planner}:streams=2,threads={n}"}, budget=budget))
        for n in (1, 2)
    )
    assert (one.identity_hash != two.identity_hash) == counts


def test_messages_have_current_names_and_values():
    assert current_setting("greedy-turn", "evaluate_at", "hand-over") == ("evaluate_at", "after-end")
    assert current_setting("nrpa", "bias", None) == ("prior_weight", None)
    was, now = (identity(0.5, 0.3), identity(0.25, 0.4))
    assert differences(was, now) == [
        "player a, exploration: 1.414213562373095 there, 0.7071067811865475 now",
        "player a, greedy-probability: 0.3 there, 0.4 now",
    ]


def identity(exploration, q):
    mind = ["mcts", {"exploration": exploration, "q": q}]
    return {"format": 1, "games": [], "players": [["a", mind, "iterations=1"]], "pairing": [None] * 4}
