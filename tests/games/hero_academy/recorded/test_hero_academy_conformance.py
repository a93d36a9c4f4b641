"""Recorded play of the reference engine: all of it passes, and a wrong field of any kind is caught."""

import copy
import gzip
import json

import pytest

import turnwise
from doubles.recorded_play import collections, selection
from turnwise.core.errors import counted
from turnwise.replay import Replay, ReplayStep
from turnwise.testing.recorded.verification import verify_file, verify_files

SELECTION = selection("hero_academy")
TRACE = SELECTION / "traces" / "play_0067.jsonl.gz"  # a-tiny; agents that give up turns
INFERNOS = SELECTION / "traces" / "play_0014.jsonl.gz"
RANDOM = SELECTION / "traces" / "play_0077.jsonl.gz"


def load(path):
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt") as file:
        return [json.loads(line) for line in file]


def save(path, lines):
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


@pytest.mark.parametrize("folder", collections("hero_academy"))
def test_everything_recorded_agrees(folder):
    report = verify_files([folder])
    assert report.damaged == []
    assert report.mismatches == 0, "\n".join(report.summary_lines())
    assert report.exit_code == 0
    traces = sorted(folder.glob("traces/*.gz"))
    recorded = sum(len(load(path)) - 1 for path in traces)
    assert report.compared["action"] == recorded
    assert report.files == len([path for path in folder.rglob("*") if path.suffix in (".gz", ".json", ".jsonl")])
    assert report.summary_lines()[-1] == f"{report.files} files, {report.steps} steps, 0 mismatches"
    assert any("nothing to verify" in note for note in report.notes)  # coverage.json


def test_every_trace_field_is_compared_as_often_as_it_is_recorded():
    lines = load(TRACE)[1:]
    compared = verify_file(TRACE).tally.compared
    for name in ("n", "player", "legal_count", "state", "terminal", "winner"):
        assert compared[name] == len(lines)
    for name in ("legal", "legal_native", "score_native", "pruned", "pruned_count", "pruned_inferno_targets", "hash"):
        assert compared[name] == sum(name in line for line in lines) > 0
    assert compared["heuristic"] == len(lines)
    assert compared["heuristic_win"] == sum("heuristic_win" in line["eval"] for line in lines)
    assert compared["mean"] == compared["balance"] == 2 * compared["heuristic_win"]
    assert compared["draws"] == sum(line["action"] == "end" for line in lines)


# ---------------------------------------------------------------------------------------- one wrong field of each kind


def with_field(lines, name, where=lambda line: True):
    return next(line for line in lines[1:] if name in line and where(line))


def change(name, value, where=lambda line: True):
    """Set a field in the first line that has it; ``value`` may be a function of the old value."""

    def mutate(lines):
        line = with_field(lines, name, where)
        line[name] = value(line[name]) if callable(value) else value

    return mutate


def change_in(name, inner, value):
    def mutate(lines):
        line = next(line for line in lines[1:] if inner in line[name])
        line[name][inner] = value(line[name][inner])

    return mutate


def header(mutate):
    return lambda lines: mutate(lines[0])


def swap_first_two(listed):
    return [listed[1], listed[0], *listed[2:]]


def hurt_first_unit(state):
    state = copy.deepcopy(state)
    state["units"][0][4] -= 1
    return state


def some_action(listed):
    return [*listed[:-1], "move 0,0>0,1"]


def mark_unlisted(lines):
    next(line for line in lines[1:] if "unlisted" not in line)["unlisted"] = True


def drop_unlisted(lines):
    del with_field(lines, "unlisted")["unlisted"]


def other_draw(chance):
    player, card = chance["draws"][0]
    return {"draws": [[player, "KN" if card != "KN" else "AR"], *chance["draws"][1:]]}


def one_draw_less(chance):
    return {"draws": chance["draws"][1:]}


def forget_draws(lines):
    del with_field(lines, "chance")["chance"]


def other_seeds(head):
    head["config"]["deck_seeds"][0] = (head["config"]["deck_seeds"][0] + 1) % 1000


TRACE_MUTATIONS = [
    ("rows", TRACE, header(lambda head: head["config"]["rows"].__setitem__(0, "d.S..")), "rows"),
    ("initial_state", TRACE, header(lambda h: h.update(initial_state=hurt_first_unit(h["initial_state"]))), None),
    ("impossible initial_state", TRACE, header(lambda h: h["initial_state"]["units"][0].__setitem__(0, 99)), None),
    ("deck_seeds", TRACE, header(other_seeds), "initial_state"),
    ("starting_ap", TRACE, header(lambda h: h["config"].update(starting_ap=4)), "initial_state"),
    ("action_points", TRACE, header(lambda h: h["config"].update(action_points=6)), "state"),
    ("deck", TRACE, header(lambda h: h["config"].update(deck="small")), "initial_state"),
    ("random initial_state", RANDOM, header(lambda h: h["initial_state"]["hands"][0].reverse()), "initial_state"),
    ("random deck_seeds", RANDOM, header(other_seeds), "initial_state"),
    ("n", TRACE, change("n", 7), None),
    ("player", TRACE, change("player", 2), None),
    ("legal, one missing", TRACE, change("legal", lambda listed: listed[1:]), "legal"),
    ("legal, one other", TRACE, change("legal", some_action), "legal"),
    ("legal_native", TRACE, change("legal_native", swap_first_two), None),
    ("score_native", TRACE, change("score_native", lambda scores: [scores[0] + 1, *scores[1:]]), None),
    ("pruned_count", TRACE, change("pruned_count", lambda count: count + 1), None),
    ("pruned", TRACE, change("pruned", lambda listed: listed[1:], lambda line: line["pruned"]), None),
    (
        "pruned_inferno_targets",
        INFERNOS,
        change("pruned_inferno_targets", ["0,0"], lambda line: line["pruned_inferno_targets"]),
        None,
    ),
    ("legal_count", TRACE, change("legal_count", lambda count: count - 1), None),
    ("unlisted", TRACE, mark_unlisted, None),
    ("unlisted left out", TRACE, drop_unlisted, "unlisted"),
    ("action, unknown", TRACE, change("action", "jump 1,1"), "action"),
    ("action, not listed", TRACE, change("action", "move 4,2>0,0"), "action"),
    ("action, ends the turn", TRACE, change("action", "end"), "unlisted"),
    ("draws", TRACE, change("chance", other_draw), None),
    ("draws left out", TRACE, forget_draws, "draws"),
    ("random draws, other card", RANDOM, change("chance", other_draw), "state"),
    ("random draws, one less", RANDOM, change("chance", one_draw_less), "draws"),
    ("random draws left out", RANDOM, forget_draws, "draws"),
    ("state, hit points", TRACE, change("state", hurt_first_unit), "state"),
    ("state, impossible", TRACE, change("state", lambda state: {**state, "player": 3}), "state"),
    ("state, seed", TRACE, change("state", lambda state: {**state, "seeds": [1, 2]}), "state"),
    ("state, terminal", TRACE, change("state", lambda state: {**state, "terminal": True}), "state"),
    ("terminal", TRACE, change("terminal", True), None),
    ("winner", TRACE, change("winner", 0), None),
    ("winner of a finished game", TRACE, change("winner", 2, lambda line: line["terminal"]), "winner"),
    ("heuristic", TRACE, change_in("eval", "heuristic", lambda both: [both[0], both[1] + 1]), None),
    ("heuristic_win", TRACE, change_in("eval", "heuristic_win", lambda both: [both[0] + 1e-9, both[1]]), None),
    ("balance", TRACE, change_in("eval", "balance", lambda both: [both[0], both[1] + 1e-6]), None),
    ("mean", TRACE, change_in("eval", "mean", lambda both: [both[0] + 1e-6, both[1]]), None),
    ("hash", TRACE, change("hash", lambda text: str(int(text) ^ 1)), None),
]


@pytest.mark.parametrize(("name", "path", "mutate", "kind"), TRACE_MUTATIONS, ids=[m[0] for m in TRACE_MUTATIONS])
def test_a_wrong_field_of_a_trace_is_caught(tmp_path, name, path, mutate, kind):
    lines = load(path)
    mutate(lines)
    check_caught(save(tmp_path / "copy.jsonl", lines), kind or name.removeprefix("impossible "))


def check_caught(path, kind):
    report = verify_files([path])
    assert report.damaged == []
    assert report.wrong[kind] >= 1, dict(report.wrong)
    assert report.exit_code == 1
    lines = report.summary_lines()
    assert lines[-1] == f"1 file, {counted(report.steps, 'step')}, {counted(report.mismatches, 'mismatch')}"
    assert any(line.endswith("WRONG") and line.startswith(f"{kind}: ") for line in lines)
    assert any(line.startswith("First mismatch: ") for line in lines)


def test_every_kind_in_a_trace_has_a_mutation():
    compared = {kind for path in (TRACE, INFERNOS, RANDOM) for kind in verify_file(path).tally.compared}
    assert compared <= {kind or name.removeprefix("impossible ") for name, _, _, kind in TRACE_MUTATIONS}


def test_a_single_wrong_field_counts_once(tmp_path):
    lines = load(TRACE)
    with_field(lines, "hash")["hash"] = "1"
    report = verify_files([save(tmp_path / "copy.jsonl", lines)])
    assert report.mismatches == 1
    assert report.first.kind == "hash"
    assert report.first.expected == "1"


def test_the_first_mismatch_shows_both_states_side_by_side(tmp_path):
    lines = load(TRACE)
    lines[3]["state"] = hurt_first_unit(lines[3]["state"])
    report = verify_files([save(tmp_path / "copy.jsonl", lines)])
    text = "\n".join(report.summary_lines())
    assert "First mismatch: state at" in text
    assert "line 4" in text
    assert lines[3]["action"] in text
    wrong = json.dumps(lines[3]["state"]["units"][0])
    right = json.dumps(report.first.own_state["units"][0])
    assert any(row.startswith("*") and wrong in row and right in row for row in text.splitlines())


PROBE_MUTATIONS = {
    "state": lambda line: line["state"]["units"].append([99, 0, 1, "KN", 1000, ""]),
    "after": lambda line: line["after"].update(turn=line["after"]["turn"] + 1),
    "listed": lambda line: line.update(listed=not line["listed"]),
    "changed": lambda line: line.update(changed=not line["changed"]),
    "action": lambda line: line.update(action="drop XX>0,0"),
}


@pytest.mark.parametrize("kind", PROBE_MUTATIONS)
def test_a_wrong_field_of_a_probe_is_caught(tmp_path, kind):
    lines = load(SELECTION / "probes.jsonl.gz")[:20]
    PROBE_MUTATIONS[kind](lines[11])
    check_caught(save(tmp_path / "copy", lines), kind)


DEAL_MUTATIONS = {
    "tries": lambda deal: deal.update(tries=deal["tries"] + 1),
    "hand_order": lambda deal: deal["hand_order"].reverse(),
    "hand": lambda deal: deal["hand"].reverse(),
    "seed_after": lambda deal: deal.update(seed_after=deal["seed_after"] - 1),
    "rest_order": lambda deal: deal["rest_order"].pop(),
}


@pytest.mark.parametrize("kind", DEAL_MUTATIONS)
def test_a_wrong_field_of_a_deal_is_caught(tmp_path, kind):
    with gzip.open(SELECTION / "deals.json.gz", "rt") as file:
        decks = {deck: deals[:3] for deck, deals in json.load(file).items()}
    DEAL_MUTATIONS[kind](decks["small"][1])
    path = tmp_path / "copy.json"
    path.write_text(json.dumps(decks, indent=1))
    check_caught(path, kind)


PERFT_MUTATIONS = {
    "initial_state": lambda entry: entry["initial_state"].update(ap=2),
    "sequences": lambda entry: entry["perft"][2].update(sequences=1453),
    "distinct_states": lambda entry: entry["perft"][1].update(distinct_states=78),
}


@pytest.mark.parametrize("kind", PERFT_MUTATIONS)
def test_a_wrong_field_of_perft_is_caught(tmp_path, kind):
    entries = json.loads((SELECTION / "perft.json").read_text())[:1]
    del entries[0]["perft"][4:]
    PERFT_MUTATIONS[kind](entries[0])
    path = tmp_path / "copy.txt"
    path.write_text(json.dumps(entries))
    check_caught(path, kind)


@pytest.mark.parametrize("kind", ["pruned_count", "best_one_action", "leaves", "best_turn", "state"])
def test_a_wrong_field_of_a_turn_search_is_caught(tmp_path, kind):
    lines = load(SELECTION / "turn_search.jsonl.gz")
    lines = [lines[0], *sorted(lines[1:], key=lambda line: line["leaves"])[:3]]
    if kind == "state":
        lines[2]["state"]["turn"] = -1
    else:
        lines[2][kind] += 1
    check_caught(save(tmp_path / "copy", lines), kind)


def test_an_impossible_state_is_caught(tmp_path):
    states = load(SELECTION / "midgame_states.jsonl")
    states[4]["hands"][0][0] = 16
    check_caught(save(tmp_path / "states", states), "state")


# ------------------------------------------------------------------------------------------- turnwise's own recordings


@pytest.fixture
def replay():
    game = turnwise.make("hero-academy", map="a-tiny", draws="random")
    state = game.start(3)
    steps, begin = [], state.to_dict()
    for index in range(12):
        listed = state.legal_actions()
        action = listed[(7 * index) % len(listed)]
        mover = state.to_move
        state = state.play(action)
        steps.append(ReplayStep(action=action, player=mover, outcomes=state.outcomes))
    return Replay(
        game=game.name,
        rules=game.rules_version,
        options=game.options.model_dump(mode="json", exclude_defaults=True),
        start=begin,
        steps=tuple(steps),
        returns=(0.0, 0.0),
    ).model_dump(mode="json")


def test_a_replay_of_turnwise_agrees(tmp_path, replay):
    result = verify_file(save(tmp_path / "replay.json", [replay]))
    assert (result.kind, result.damage, result.tally.steps) == ("replay", "", 12)
    assert result.tally.first is None


REPLAY_MUTATIONS = {
    "player": lambda data: data["steps"][0].update(player=1),
    "action": lambda data: data["steps"][1].update(action="move 0,0>4,2"),
    "outcomes": lambda data: next(s for s in data["steps"] if s["outcomes"])["outcomes"].append(0),
    "start": lambda data: data["start"]["units"].reverse(),
}


@pytest.mark.parametrize("name", REPLAY_MUTATIONS)
def test_a_wrong_field_of_a_replay_is_caught(tmp_path, replay, name):
    REPLAY_MUTATIONS[name](replay)
    check_caught(save(tmp_path / "replay.json", [replay]), "action" if name == "outcomes" else name)


def test_a_wrong_result_of_a_replay_is_caught(tmp_path):
    lines = load(SELECTION / "traces" / "play_0086.jsonl.gz")  # one action wins
    game = turnwise.make("hero-academy", map="a-tiny")
    data = {
        "game": game.name,
        "rules": game.rules_version,
        "start": lines[0]["initial_state"],
        "steps": [{"action": line["action"], "player": line["player"] - 1} for line in lines[1:]],
        "options": {"map": "a-tiny"},
        "returns": [-1.0, 1.0],
    }
    assert verify_file(save(tmp_path / "right", [data])).tally.first is None
    data["returns"] = [1.0, -1.0]
    check_caught(save(tmp_path / "wrong", [data]), "returns")


def test_a_saved_state_is_verified(tmp_path):
    state = turnwise.make("hero-academy", map="a-small").start(1)
    path = tmp_path / "state"
    path.write_text(state.to_json())
    assert verify_file(path).tally.compared == {"state": 1}
    data = json.loads(state.to_json())
    data["state"]["units"].reverse()
    check_caught(save(path, [data]), "state")


# ------------------------------------------------------------------------------------------------------- damaged files


def lines_without(name):
    def content():
        lines = load(TRACE)
        del lines[5][name]
        return "".join(json.dumps(line) + "\n" for line in lines).encode()

    return content


def wrong_config(**changes):
    def content():
        lines = load(TRACE)
        lines[0]["config"].update(changes)
        return "".join(json.dumps(line) + "\n" for line in lines).encode()

    return content


DAMAGE = {
    "truncated gzip": (lambda: TRACE.read_bytes()[:-200], "truncated"),
    "flipped bytes in gzip": (lambda: TRACE.read_bytes()[:500] + b"\xff\xff\xff" + TRACE.read_bytes()[503:], "gzip"),
    "truncated text": (lambda: gzip.decompress(TRACE.read_bytes())[:-100], "line 45"),
    "truncated document": (lambda: (SELECTION / "perft.json").read_bytes()[:3000], "expected JSON"),
    "not JSON": (lambda: b"hello\nworld\n", "expected JSON"),
    "empty": (lambda: b"", "empty"),
    "binary": (lambda: bytes(range(256)), "not text"),
    "another JSON": (lambda: b'{"colour": "red"}', "colour"),
    "a number": (lambda: b"5", "the value"),
    "deeply nested": (lambda: b"[" * 100_000, "nested too deeply"),
    "a huge number": (lambda: b'{"turn": ' + b"9" * 6000 + b"}", "expected JSON"),
    "another game": (lambda: b'{"game": "chess", "config": {}}', "chess"),
    "field missing": (lines_without("state"), "'state'"),
    "eval missing": (lines_without("eval"), "'eval'"),
    "unknown map": (wrong_config(map="z", rows=["..."]), "map"),
    "unknown deck": (wrong_config(deck="huge"), "deck"),
    "unknown draws": (wrong_config(draw="sometimes"), "draws"),
    "wrong type": (wrong_config(turn_limit="many"), "turn_limit"),
}


@pytest.mark.parametrize("name", DAMAGE)
def test_a_damaged_file_gets_one_clear_message(tmp_path, name):
    content, hint = DAMAGE[name]
    path = tmp_path / "damaged"
    path.write_bytes(content())
    report = verify_files([path, TRACE])
    assert len(report.damaged) == 1
    assert str(path) in report.damaged[0]
    assert hint in report.damaged[0]
    assert report.exit_code == 2
    assert report.results[1].tally.steps == 44  # the next file was verified nevertheless
    assert report.summary_lines()[-1].startswith("2 files, ")


def test_the_report_as_json(tmp_path):
    lines = load(TRACE)
    with_field(lines, "hash")["hash"] = "1"
    report = verify_files([save(tmp_path / "copy.jsonl", lines)]).to_dict()
    again = json.loads(json.dumps(report))
    assert again["mismatches"] == 1
    assert again["first_mismatch"]["kind"] == "hash"
    assert again["compared"]["state"] == 44
