"""``turnwise profile``."""

import json

import pytest

TINY = "hero-academy:map=a-tiny,deck=tiny"


@pytest.mark.compiled_only("a profile of uncompiled code is refused")
def test_profile_shows_functions_and_own_code(cli):
    shown = cli("profile", TINY, "-p", "greedy-turn", "-b", "forward=60")
    assert shown.code == 0
    assert "apply" in shown.out
    assert "play an action" in shown.out
    assert "own code" in shown.out
    assert "forward calls" in shown.out


@pytest.mark.compiled_only("a profile of uncompiled code is refused")
def test_profile_as_json(cli):
    facts = json.loads(cli("profile", TINY, "-p", "greedy-turn", "-b", "forward=60", "--json").out)
    assert facts["budget"] == "forward=60"
    assert {"function", "calls", "nanoseconds", "share"} == set(facts["functions"][0])


def test_profile_refuses_bad_input(cli, tmp_path):
    cli("profile", "nothing").refused("nothing")
    cli("profile", TINY, "-p", "nobody").refused("nobody")
    cli("profile", TINY, "-b", "much").refused("much")
    cli("profile", TINY, "--states", "none.jsonl").refused("none.jsonl")
