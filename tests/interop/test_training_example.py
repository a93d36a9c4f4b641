"""The example that trains a policy: its arithmetic, and a run of a few hundred steps. Needs PyTorch."""

import csv
import json

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="the example needs PyTorch")

import train_ppo  # noqa: E402  of the folder examples

SHORT = ["--steps=300", "--games=4", "--length=50", "--evaluation-games=4", "--budget=forward=500"]


@pytest.fixture(autouse=True)
def one_thread():
    before = torch.get_num_threads()
    yield
    torch.set_num_threads(before)


def run(folder, *more):
    train_ppo.main([*SHORT, f"--output={folder}", *more])
    return json.loads((folder / "result.json").read_text())


def rows(folder):
    with (folder / "curve.csv").open() as file:
        return list(csv.DictReader(file))


def test_a_short_run_writes_its_files(tmp_path, capsys):
    result = run(tmp_path / "new" / "run")
    assert result["steps"] >= 300
    for opponent in ("random", "greedy-action"):
        found = result["against"][opponent]
        assert found["won"] + found["drawn"] + found["lost"] == 4
        assert found["low"] <= found["score"] <= found["high"]
    curve = rows(tmp_path / "new" / "run")
    assert len(curve) == 2
    assert int(curve[-1]["steps"]) == result["steps"]
    assert all(np.isfinite(float(row["value_loss"])) for row in curve)
    assert "steps/s" in capsys.readouterr().out


def test_a_seed_determines_a_run_and_saved_weights_play_alike(tmp_path):
    first, second = run(tmp_path / "1", "--seed=3"), run(tmp_path / "2", "--seed=3")
    assert first["against"] == second["against"]
    losses = [[row["value_loss"] for row in rows(tmp_path / folder)] for folder in "12"]
    assert losses[0] == losses[1]
    saved = [np.load(tmp_path / folder / "policy.npz", allow_pickle=False) for folder in "12"]
    assert all(np.array_equal(saved[0][name], saved[1][name]) for name in saved[0].files)
    weights = f"--policy={tmp_path / '1' / 'policy.npz'}"
    first, again = (run(tmp_path / "3", "--steps=0", weights, f"--seed={seed}", "--actions=best") for seed in (1, 9))
    assert again["steps"] == 0
    assert again["against"] == first["against"]


def test_advantages_are_discounted_sums_within_each_game():
    rewards, ends = np.array([[1.0], [2.0], [4.0], [8.0]]), np.array([[False], [True], [False], [False]])
    values = np.array([[0.5], [0.25], [0.125], [1.0]], np.float32)
    found = train_ppo.advantages(rewards, values, ends, np.array([16.0], np.float32), discount=0.5, trace=1.0)
    assert found[:, 0].tolist() == [1 + 0.5 * 2 - 0.5, 2 - 0.25, 4 + 0.5 * 8 + 0.25 * 16 - 0.125, 8 + 0.5 * 16 - 1]
    one_step = train_ppo.advantages(rewards, values, ends, np.array([16.0], np.float32), discount=0.5, trace=0.0)
    assert one_step[:, 0].tolist() == [1 + 0.5 * 0.25 - 0.5, 2 - 0.25, 4 + 0.5 * 1 - 0.125, 8 + 0.5 * 16 - 1]


def test_shaping_adds_up_to_the_return_and_the_potential_of_the_start():
    games = train_ppo.Games(train_ppo.Settings(games=2, discount=1.0, shaping=4.0))
    view, begin = games.reset(seed=1), games.potentials
    sums, final, is_running = np.zeros(2), np.zeros(2), np.ones(2, np.bool_)
    random = np.random.default_rng(1)
    while is_running.any():
        view, rewards, returns = games.step((random.random(view.masks.shape) * view.masks).argmax(axis=1))
        sums += rewards * is_running
        final += returns * is_running
        is_running &= ~view.is_over
    assert np.abs(final).max() == 1
    assert sums == pytest.approx(final - begin)


def test_only_legal_actions_are_drawn():
    settings = train_ppo.Settings(games=2)
    games = train_ppo.Games(settings)
    network = train_ppo.Network(int(np.prod(games.game.feature_shape)), games.game.indices)
    view = games.reset(seed=1)
    view.masks[0] = False
    view.masks[0, 7] = True
    for _ in range(50):
        places, log_probabilities, _ = network.choose(view)
        assert places[0] == 7
        assert log_probabilities[0] == 0
        assert view.masks[1, places[1]]
    best = [network.choose(view, drawn=False)[0].tolist() for _ in range(3)]
    assert best[0] == best[1] == best[2]
    assert view.masks[1, best[0][1]]


@pytest.mark.parametrize(
    "wrong", ["--games=3", "--evaluation-games=0", "--length=0", "--actions=worst", "--game=samegame"]
)
def test_wrong_numbers_are_refused(wrong, tmp_path, capsys):
    with pytest.raises(SystemExit) as error:
        run(tmp_path, wrong)
    assert wrong.partition("=")[0] in str(error.value) + capsys.readouterr().err


def test_without_pytorch_the_example_says_what_to_install(monkeypatch):
    import runpy
    import sys

    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(SystemExit, match="pip install torch"):
        runpy.run_path(train_ppo.__file__, run_name="__main__")
