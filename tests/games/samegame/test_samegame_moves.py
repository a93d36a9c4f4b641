"""What searches ask about SameGame moves: codes, scores, nearest and varied moves, policies, biases, evaluations."""

import json
from collections import Counter

import numpy as np
import pytest

import turnwise
from doubles.effort import effort
from doubles.recorded_play import selection
from turnwise.core import calls
from turnwise.core.budget import Budget
from turnwise.core.chance import generator
from turnwise.core.table import call_metrics
from turnwise.jit.kernel import kernel
from turnwise.jit.memory import address_of, copy_words
from turnwise.jit.record import Ints, array_address
from turnwise.search.forward_model import apply, move_codes, policy_action, start_policy, to_move
from turnwise.search.problem import Problem, action_buffer
from twins.samegame_twin import Twin

DATA = selection("samegame")
STATISTICS = json.loads((DATA / "samegame_playout_stats.json").read_text())
PLAYOUTS = 3000
HYBRIDS = ["rhea-mcts", "mcts-rhea", "ea-alt-actions"]
GENERATIONS = pytest.mark.compiled_only("evolution needs whole generations of SameGame")
THOUSANDS_OF_PLAYOUTS = pytest.mark.compiled_only("statistics of thousands of playouts")


def some_states(boards=(1, 9), seeds=(0, 1)):
    """States from starts to ends of random games."""
    for board in boards:
        game = turnwise.make("samegame", board=board)
        for seed in seeds:
            rng = np.random.default_rng(seed)
            state = game.start()
            while not state.is_over:
                yield state
                state = state.play(int(rng.choice(state.legal_codes())))


def ask(state, name, *arguments):
    return calls.call(state.game, name, state.row, *arguments)


def lists(actions, out):
    """Arguments of ``move_codes`` for a list of actions."""
    return Ints.of(actions), len(actions), Ints.of(out)


def test_a_move_code_names_colour_and_cells_and_nothing_else():
    meanings = {}
    for state in some_states():
        twin = Twin(state.to_dict()["board"])
        for action, region in zip(state.legal_actions(), twin.regions(), strict=True):
            meaning = (twin.colour(*region[0]), tuple(region))
            code = ask(state, "move_code", state.code(action))
            assert meanings.setdefault(code, meaning) == meaning
            other = f"{region[-1][0]} {region[-1][1]}"  # named by another of its cells it is the same move
            assert ask(state, "move_code", state.code(other)) == code
    assert len(set(meanings.values())) == len(meanings) > 400


def test_the_codes_of_a_list_are_those_of_its_moves():
    """Lists shorter and longer than a vector, regions large and wide, moves named by any of their cells."""
    lengths, rng = set(), np.random.default_rng(1)
    for state in some_states():
        actions = state.legal_codes()
        if rng.random() < 0.3:
            cells = [f"{x} {y}" for region in Twin(state.to_dict()["board"]).regions() for x, y in region]
            actions = np.array([state.code(cell) for cell in rng.permutation(cells)])
        found = np.full(len(actions) + 1, -7)
        move_codes(Problem(state, Budget(iterations=1), 1).record, array_address(state.row), *lists(actions, found))
        assert found.tolist() == [*(ask(state, "move_code", int(action)) for action in actions), -7]
        lengths.add(len(actions))
    assert min(lengths) < 8 < 16 < max(lengths)


def test_order_takes_the_most_points_and_the_most_frequent_colour_last():
    for state in some_states():
        data = state.to_dict()
        tabu = data["counts"].index(max(data["counts"]))
        twin = Twin(data["board"])
        for code, region in zip(state.legal_codes(), twin.regions(), strict=True):
            points = (len(region) - 2) ** 2
            expected = points - 1e6 * (twin.colour(*region[0]) == tabu)
            assert ask(state, "action_score", int(code)) == expected


def test_nearest_is_the_closest_region_and_on_ties_the_first():
    for number, state in enumerate(some_states()):
        regions = Twin(state.to_dict()["board"]).regions()
        for cell in range(number % 7, 225, 7):
            x, y = divmod(cell, 15)
            distances = [min(abs(x - a) + abs(y - b) for a, b in region) for region in regions]
            first = regions[distances.index(min(distances))][0]
            assert ask(state, "nearest", cell) == 15 * first[0] + first[1], (state.to_dict(), cell)


def test_vary_stays_close_and_reaches_more_than_one_move():
    state = turnwise.make("samegame", board=3).start()
    regions = {region[0]: region for region in Twin(state.to_dict()["board"]).regions()}
    rng = generator(4)
    found = Counter(ask(state, "neighbour_action", 15 * 7 + 7, rng.ctypes.data) for _ in range(400))
    assert len(found) > 4
    for code in found:
        region = regions[divmod(code, 15)]
        assert min(abs(x - 7) + abs(y - 7) for x, y in region) <= 4 + 2


# ------------------------------------------------------------------------------------------------------- policies


def tabu_moves(state, colour):
    twin = Twin(state.to_dict()["board"])
    pairs = zip(state.legal_codes().tolist(), twin.regions(), strict=True)
    return {code: len(region) for code, region in pairs if twin.colour(*region[0]) == colour}


def allowed_by(policy, state, start_counts, moves):
    """The moves that a policy may choose, written from section 9 of the rules."""
    counts = state.to_dict()["counts"]
    given = policy.removeprefix("tabu-")
    fixed = int(given) if given.isdigit() else start_counts.index(max(start_counts))
    colour = counts.index(max(counts)) if policy == "tabu-colour-recomputed" else fixed
    tabu = tabu_moves(state, colour)
    excepted = {
        "tabu-colour-last": [code for code, size in tabu.items() if size == counts[colour]],
        "tabu-colour-pairs": [code for code, size in tabu.items() if size == 2],
        "tabu-colour-late-pairs": [code for code, size in tabu.items() if size == 2 and moves >= 10],
    }.get(policy, [])
    everything = state.legal_codes().tolist()
    return {code for code in everything if code not in tabu or code in excepted} or set(everything)


STRICT = [policy for policy in turnwise.GAMES.get("samegame").policies if policy != "tabu-colour-noisy"]


@pytest.mark.parametrize("policy", STRICT)
@pytest.mark.parametrize("board", [2, 9, "codingame-large-tiles"])
def test_policies_choose_what_they_allow_and_biases_agree(policy, board):
    state = turnwise.make("samegame", board=board).start()
    index = state.game.policies.index(policy)
    rng, scratch, none = generator(3), np.zeros(2, np.uint64), np.zeros(2)
    counts, moves = state.to_dict()["counts"], 0
    while not state.is_over:
        expected = allowed_by(policy, state, counts, moves)
        arguments = (index, none.ctypes.data, rng.ctypes.data, scratch.ctypes.data)
        chosen = [ask(state, "policy", *arguments) for _ in range(12)]
        assert set(chosen) <= expected
        for code in state.legal_codes().tolist():
            bias = ask(state, "prior_logit", code, index, none.ctypes.data, scratch.ctypes.data)
            assert bias == (0.0 if code in expected else -1000.0)
        state, moves = state.play(chosen[0]), moves + 1


def test_a_policy_can_be_noisy():
    state = turnwise.make("samegame", board=9).start()
    counts = state.to_dict()["counts"]
    tabu = tabu_moves(state, counts.index(max(counts)))
    index = state.game.policies.index("tabu-colour-noisy")
    rng, scratch, none = generator(3), np.zeros(2, np.uint64), np.zeros(2)
    arguments = (index, none.ctypes.data, rng.ctypes.data, scratch.ctypes.data)
    chosen = [ask(state, "policy", *arguments) for _ in range(40_000)]
    share = sum(code in tabu for code in chosen) / len(chosen)
    expected = 0.003 * len(tabu) / len(state.legal_codes())
    assert share == pytest.approx(expected, abs=4 * (expected / len(chosen)) ** 0.5)


@pytest.mark.parametrize("name", ["sp-mcts", *(pytest.param(name, marks=GENERATIONS) for name in HYBRIDS)])
def test_parameters_for_other_policies_do_not_change_the_tabu_policy(name):
    """``greedy_probability`` belongs to the built-in policies; a planner passes it to any policy that it uses."""
    state = turnwise.make("samegame", board=9).start()
    plans = [
        turnwise.planner(f"{name}:greedy-probability={q}").plan(state, Budget(iterations=effort(60, 8)), 1)
        for q in (0, 0.5, 1)
    ]
    assert plans[0].value == plans[1].value == plans[2].value


@kernel
def scores_of(p, state, actions, out):
    """Final scores and lengths of playouts by the chosen policy from the root."""
    here = address_of(state)
    facts = np.empty(3)
    for i in range(len(out)):
        copy_words(here, p.root, p.state_words)
        start_policy(p)
        while to_move(p, here) >= 0:
            apply(p, here, policy_action(p, here, 0.0, actions))
        call_metrics(p.metrics, (p.setup, here, 0, address_of(facts)))
        out[i, 0], out[i, 1] = facts[0], facts[2]


def played(board, policy, count=PLAYOUTS):
    game = turnwise.make("samegame", board=board)
    problem = Problem(game.start(), Budget(iterations=1), seed=board, policy=policy)
    out = np.zeros((count, 2))
    scores_of(problem.record, np.zeros(game.state_words, np.uint64), Ints.of(action_buffer(problem)), out)
    return out


@THOUSANDS_OF_PLAYOUTS
@pytest.mark.parametrize(("policy", "recorded"), [("uniform", "uniform"), ("tabu-colour", "tabu_fixed")])
def test_playout_statistics_agree_with_the_recorded_ones(policy, recorded):
    """Means within four standard errors on each board, and on all boards together (rules 8)."""
    total = []
    for row in STATISTICS[recorded]:
        out = played(row["board"], policy)
        error = row["sd"] * (1 / PLAYOUTS + 1 / 20_000) ** 0.5
        assert abs(out[:, 0].mean() - row["mean"]) < 4 * error, row
        assert abs(out[:, 1].mean() - row["mean_len"]) < 4 * out[:, 1].std() * (1 / PLAYOUTS + 1 / 20_000) ** 0.5, row
        total.append((out[:, 0].mean() - row["mean"]) / error)
    assert abs(np.mean(total)) < 4 / len(total) ** 0.5


@THOUSANDS_OF_PLAYOUTS
def test_recomputed_tabu_plays_as_well_as_fixed():
    means = [played(9, policy)[:, 0].mean() for policy in ("tabu-colour", "tabu-colour-recomputed", "uniform")]
    assert abs(means[0] - means[1]) < 0.1 * means[0]
    assert means[2] < 0.5 * means[0]


# ---------------------------------------------------------------------------------------------------- evaluations


def test_evaluations_keep_their_bounds_and_meet_the_score_at_the_end():
    for board in (1, 16, "codingame-large-tiles", "codingame-vertical-lines"):
        game = turnwise.make("samegame", board=board)
        rng = np.random.default_rng(1)
        state = game.start()
        while True:
            for name in game.evaluation_names:
                value, bounds = state.evaluate(0, name), game.evaluation(name)[1]
                assert bounds.low <= value <= bounds.high, (name, value)
                if state.is_over:
                    price = 200 * state.metrics(0)["cells left"] ** 0.5 if name == "tidy" else 0
                    assert value == pytest.approx((state.returns[0] - price) / 5000, abs=1e-15)
            if state.is_over:
                break
            # Regions of the largest size: the highest scores that random play can reach.
            codes = state.legal_codes()
            sizes = [ask(state, "action_score", int(code)) % 1e6 for code in codes]
            state = state.play(int(codes[int(np.argmax(sizes))] if rng.random() < 0.8 else rng.choice(codes)))


@pytest.mark.parametrize("price", [-50, 0, 1000])
def test_tidy_keeps_its_bounds_for_any_price(price):
    game = turnwise.make("samegame:rows=0120/1201/2012/1122,end_penalty=total")
    rng, state, name = np.random.default_rng(1), game.start(), f"tidy(price={price})"
    bounds = game.evaluation(name)[1]
    while True:
        value, left = state.evaluate(0, name), state.metrics(0)["cells left"]
        assert bounds.low <= value <= bounds.high
        points = state.returns[0] if state.is_over else state.metrics(0)["score"]
        assert value == pytest.approx((points - price * left**0.5) / 5000, abs=1e-12)
        if state.is_over:
            break
        state = state.play(int(rng.choice(state.legal_codes())))


def test_every_cell_of_a_region_has_the_listed_one_as_canonical_form():
    for state in some_states(seeds=(3,)):
        for action, region in zip(state.legal_codes(), Twin(state.to_dict()["board"]).regions(), strict=True):
            assert {ask(state, "canonical", 15 * x + y) for x, y in region} == {int(action)}
