"""Train a policy by PPO with action masks (PyTorch), in one file: against random play, in both seats.

Needs ``pip install 'turnwise[rl]' torch``; the build of PyTorch for CPUs suffices. Run it with
``python examples/train_ppo.py --seed 1 --steps 2000000 --output runs/1``. The folder receives ``curve.csv`` (one row
for every update), ``policy.npz`` (the weights) and ``result.json`` (games against ``random`` and ``greedy-action``).
``--policy runs/1/policy.npz`` begins with saved weights; with ``--steps 0`` they only play.

A step is one action of the learner; if it ends the turn, the opponent's turn is part of the step. The reward is the
game's return at its end, plus shaping: ``discount * potential(after) - potential(before)``. The potential is the
game's default evaluation as a share of its largest value, times ``--shaping``, and 0 where the game is over, so shaping
changes no preference between policies (Ng, Harada & Russell 1999). ``--shaping 0`` leaves it out.

Sources: Schulman et al., "Proximal Policy Optimization Algorithms", 2017; Huang & Ontanon, "A Closer Look at Invalid
Action Masking in Policy Gradient Algorithms", 2022; the layout follows CleanRL.
"""

from __future__ import annotations

import argparse
import csv
import json
import math
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import turnwise
from turnwise.interop.gymnasium import GameEnv
from turnwise.interop.vector import GameVectorEnv
from turnwise.statistics.intervals import Tally, wilson_interval

try:
    import torch
    from torch import Tensor, nn
except ImportError:
    raise SystemExit(
        "examples/train_ppo.py needs PyTorch, which turnwise itself does not: pip install torch (the build for CPUs "
        "suffices)."
    ) from None

Floats32 = NDArray[np.float32]
Bools = NDArray[np.bool_]
HIDDEN, NEVER = 128, -1e9  # width of the layers; logit of an action that is not legal
OPPONENTS = ("random", "greedy-action")


@dataclass(frozen=True)
class Settings:
    """What the command line sets; ``HELP`` explains it."""

    game: str = "hero-academy:map=a-tiny,deck=tiny"
    seed: int = 1
    steps: int = 2_000_000
    games: int = 256
    length: int = 64
    output: Path = Path("runs/ppo")
    policy: str = ""
    shaping: float = 4.0
    discount: float = 0.997
    trace: float = 0.95
    rate: float = 7e-4
    entropy: float = 0.01
    clip: float = 0.2
    epochs: int = 3
    minibatches: int = 8
    threads: int = 1
    evaluation_games: int = 400
    budget: str = "forward=10000"
    actions: str = "drawn"


HELP = {
    "game": "a scenario with places and features",
    "seed": "seed of the weights, the games and the actions",
    "steps": "actions of the learner in all games together",
    "games": "games at once, the same number in each seat",
    "length": "steps of each game between updates",
    "output": "folder of the results",
    "policy": "weights to begin with (a policy.npz); empty: random ones",
    "shaping": "weight of the shaped reward",
    "discount": "discount of each step",
    "trace": "lambda of generalised advantage estimation",
    "rate": "learning rate, which falls to 0",
    "entropy": "weight of the entropy bonus",
    "clip": "how far a probability may move in an update, as a share of the old one",
    "epochs": "passes over the steps of an update",
    "minibatches": "parts of a pass",
    "threads": "threads of the updates; one leaves the other cores to other seeds",
    "evaluation_games": "games against each opponent at the end, half in each seat",
    "budget": "budget of the opponents' turns at the end; greedy-action needs less than the default",
    "actions": "'drawn' from the policy, or the 'best' (most probable) ones, at the end",
}


def settings_of(arguments: list[str] | None) -> Settings:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description="Train a policy by PPO with action masks.", formatter_class=argparse.ArgumentDefaultsHelpFormatter
    )
    for field in fields(Settings):
        parser.add_argument(_flag(field.name), type=type(field.default), default=field.default, help=HELP[field.name])
    settings = Settings(**vars(parser.parse_args(arguments)))
    for name, least in (("steps", 0), ("length", 1), ("epochs", 1), ("minibatches", 1), ("threads", 1)):
        if getattr(settings, name) < least:
            parser.error(f"{_flag(name)} must be at least {least}; got {getattr(settings, name)}")
    if settings.actions not in ("drawn", "best"):
        parser.error(f"--actions must be 'drawn' or 'best'; got {settings.actions!r}")
    return settings


def _flag(name: str) -> str:
    return "--" + name.replace("_", "-")


# ------------------------------------------------------------------------------------------------------------- games


class View(NamedTuple):
    """What the learner knows before an action, in all games."""

    features: Floats32  # [games, features]
    masks: Bools  # [games, places]
    is_over: Bools  # [games]: the action is ignored, the next step begins a game


class Games:
    """Games against random play, with as many in each seat, and the shaped reward."""

    def __init__(self, settings: Settings) -> None:
        self.game = turnwise.make(settings.game)
        if self.game.players < 2:
            raise SystemExit(f"--game must be a game with an opponent; {self.game.spec} has one player.")
        for name in ("games", "evaluation_games"):
            count = getattr(settings, name)
            if count < 1 or count % self.game.players:
                raise SystemExit(
                    f"{_flag(name)} must be a multiple of {self.game.players}, the number of seats; got {count}."
                )
        self.count, self.each = settings.games, settings.games // self.game.players
        self.discount, self.shaping = settings.discount, settings.shaping
        self.envs = [
            GameVectorEnv(self.game, self.each, opponent="random", seat=seat) for seat in range(self.game.players)
        ]
        self.potentials = np.zeros(self.count)

    def reset(self, seed: int) -> View:
        """Begin all games."""
        parts = [env.reset(seed=seed * len(self.envs) + seat) for seat, env in enumerate(self.envs)]
        self.potentials = self._potentials()
        return self._view([part[0] for part in parts])

    def step(self, places: NDArray[np.int64]) -> tuple[View, NDArray[np.float64], NDArray[np.float64]]:
        """Play one action in every game; also returns the shaped rewards, and the returns of the games that end."""
        parts = [env.step(one) for env, one in zip(self.envs, places.reshape(-1, self.each), strict=True)]
        returns = np.concatenate([part[1] for part in parts])
        before, self.potentials = self.potentials, self._potentials()
        return self._view([part[0] for part in parts]), returns + self.discount * self.potentials - before, returns

    def _view(self, features: list[Floats32]) -> View:
        masks = np.concatenate([env.action_masks() for env in self.envs])
        is_over: Bools = ~np.any(masks, axis=1)
        masks[is_over, 0] = True  # a distribution needs an action, also where it is ignored
        return View(np.concatenate(features).reshape(self.count, -1), masks, is_over)

    def _potentials(self) -> NDArray[np.float64]:
        if not self.shaping:
            return np.zeros(self.count)
        largest = self.game.evaluation("")[1].high
        values = [np.where(env.batch.movers < 0, 0, env.batch.evaluate(seat)) for seat, env in enumerate(self.envs)]
        return np.concatenate(values) * (self.shaping / largest)


# ----------------------------------------------------------------------------------------------------------- network


class Network:
    """Features -> 128 -> 128 -> logits of all places, masked, and the value of the state."""

    def __init__(self, features: int, places: int) -> None:
        self.body = nn.Sequential(nn.Linear(features, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, HIDDEN), nn.ReLU())
        self.policy, self.value = nn.Linear(HIDDEN, places), nn.Linear(HIDDEN, 1)
        for layer, gain in ((self.body[0], 2**0.5), (self.body[2], 2**0.5), (self.policy, 0.01), (self.value, 1.0)):
            nn.init.orthogonal_(layer.weight, gain)
            nn.init.zeros_(layer.bias)
        self.layers = nn.ModuleDict({"body": self.body, "policy": self.policy, "value": self.value})

    def __call__(self, features: Tensor, masks: Tensor) -> tuple[Tensor, Tensor]:
        """Logarithms of the probabilities of all places, and values."""
        hidden = self.body(features)
        logits = torch.where(masks, self.policy(hidden), NEVER)
        return torch.log_softmax(logits, dim=-1), self.value(hidden).squeeze(-1)

    def choose(self, view: View, *, drawn: bool = True) -> tuple[Tensor, Tensor, Tensor]:
        """Actions drawn from the policy, or its most probable ones; logarithms of their probabilities; values."""
        with torch.no_grad():
            # Copies: products of matrices can round differently where memory begins at another address.
            log_all, values = self(torch.tensor(view.features), torch.tensor(view.masks))
            noise = -(-torch.rand_like(log_all).clamp_(min=1e-12).log_()).log_()  # Gumbel's: the largest sum is a draw
            places = (log_all + noise if drawn else log_all).argmax(-1)
            return places, log_all.gather(-1, places[:, None]).squeeze(-1), values

    def save(self, path: Path) -> None:
        """Write the weights as arrays, which NumPy reads without PyTorch."""
        np.savez(path, **{name: weights.numpy() for name, weights in self.layers.state_dict().items()})

    def load(self, path: Path) -> None:
        """Read the weights."""
        with np.load(path, allow_pickle=False) as stored:
            self.layers.load_state_dict({name: torch.from_numpy(stored[name]) for name in stored.files})


# ---------------------------------------------------------------------------------------------------------- learning


class Rollout:
    """What happened in some steps of all games, as arrays [steps, games, ...]."""

    def __init__(self, length: int, games: int, features: int, places: int) -> None:
        shape = (length, games)
        self.features, self.masks = np.zeros((*shape, features), np.float32), np.zeros((*shape, places), np.bool_)
        self.places = np.zeros(shape, np.int64)
        self.log_probabilities, self.values = np.zeros((2, *shape), np.float32)
        self.rewards = np.zeros(shape)
        self.is_played, self.ends = np.zeros((2, *shape), np.bool_)
        self.last_values = np.zeros(games, np.float32)
        self.finished: list[float] = []

    def collect(self, games: Games, network: Network, view: View) -> View:
        """Play, and note everything."""
        self.finished = []
        for t in range(len(self.places)):
            places, log_probabilities, values = network.choose(view)
            self.features[t], self.masks[t], self.is_played[t] = view.features, view.masks, ~view.is_over
            self.places[t], self.log_probabilities[t] = places.numpy(), log_probabilities.numpy()
            self.values[t] = values.numpy()
            view, self.rewards[t], returns = games.step(self.places[t])
            self.ends[t] = view.is_over
            self.finished += returns[view.is_over].tolist()
        self.last_values = network.choose(view)[2].numpy()
        return view


def advantages(
    rewards: NDArray[np.float64],
    values: Floats32,
    ends: Bools,
    last_values: Floats32,
    discount: float,
    trace: float,
) -> NDArray[np.float64]:
    """Generalised advantage estimation.

    Args:
        rewards: [steps, games].
        values: Of the states before the steps.
        ends: Whether the game is over after a step; nothing flows back over an end.
        last_values: [games], of the states after the last step.
        discount: Of each step.
        trace: Lambda.
    """
    found = np.zeros_like(rewards)
    later, after = np.zeros(rewards.shape[1]), last_values
    for t in reversed(range(len(rewards))):
        goes_on = ~ends[t]
        later = rewards[t] + goes_on * discount * (after + trace * later) - values[t]
        found[t], after = later, values[t]
    return found


class Losses(NamedTuple):
    """Means over the minibatches of an update."""

    value: float
    entropy: float
    moved: float  # estimated Kullback-Leibler divergence of the new policy from the old one


class Learner:
    """Improves the network by what happened."""

    def __init__(self, network: Network, settings: Settings) -> None:
        self.network, self.settings = network, settings
        self.optimiser = torch.optim.Adam(network.layers.parameters(), lr=settings.rate, eps=1e-5)

    def update(self, rollout: Rollout, share_left: float) -> Losses:
        """Some passes over the steps of a rollout; the learning rate falls with the share of the steps left."""
        s = self.settings
        gains = advantages(rollout.rewards, rollout.values, rollout.ends, rollout.last_values, s.discount, s.trace)
        played = torch.from_numpy(np.flatnonzero(rollout.is_played))  # not the steps that only began a game
        steps = [_flat(array) for array in (rollout.features, rollout.masks, rollout.places)]
        old = [_flat(array) for array in (rollout.log_probabilities, gains, gains + rollout.values)]
        for group in self.optimiser.param_groups:
            group["lr"] = s.rate * share_left
        parts = [
            self._improve([array[chosen] for array in steps], [array[chosen].float() for array in old])
            for _ in range(s.epochs)
            for chosen in played[torch.randperm(len(played))].chunk(s.minibatches)
        ]
        return Losses(*np.mean(parts, axis=0).tolist())

    def _improve(self, steps: list[Tensor], old: list[Tensor]) -> Losses:
        """One step of the optimiser."""
        s = self.settings
        (features, masks, places), (old_log, gains, targets) = steps, old
        log_all, values = self.network(features, masks)
        change = log_all.gather(-1, places[:, None]).squeeze(-1) - old_log
        ratio = change.exp()
        gains = (gains - gains.mean()) / (gains.std(correction=0) + 1e-8)
        policy = -torch.minimum(gains * ratio, gains * ratio.clamp(1 - s.clip, 1 + s.clip)).mean()
        value = 0.5 * (values - targets).square().mean()
        entropy = -(log_all.exp() * log_all).sum(-1).mean()
        self.optimiser.zero_grad()
        (policy + 0.5 * value - s.entropy * entropy).backward()
        nn.utils.clip_grad_norm_(self.network.layers.parameters(), 0.5)
        self.optimiser.step()
        with torch.no_grad():
            moved = (ratio - 1 - change).mean()
        return Losses(value.item(), entropy.item(), moved.item())


def _flat(array: NDArray[Any]) -> Tensor:
    """[steps, games, ...] as a tensor [steps * games, ...]."""
    return torch.from_numpy(array.reshape(-1, *array.shape[2:]))


class Progress(NamedTuple):
    """A row of the learning curve; results are those of the games that ended since the row before."""

    steps: int
    seconds: float
    games: int
    won: float  # share of the games; nan without games
    drawn: float
    value_loss: float
    entropy: float
    moved: float

    @classmethod
    def of(cls, steps: int, seconds: float, finished: list[float], losses: Losses) -> Progress:
        """Summarise an update."""
        count, results = len(finished), np.array(finished)
        won, drawn = (float((results > 0).mean()), float((results == 0).mean())) if count else (math.nan, math.nan)
        return cls(steps, round(seconds, 1), count, won, drawn, *losses)

    def __str__(self) -> str:
        """The progress line."""
        won = f"won {self.won:6.1%} of {self.games:4}" if self.games else "no game ended   "
        return (
            f"{self.steps:>10,} steps  {self.seconds:7.0f} s  {self.steps / max(self.seconds, 0.1):7,.0f} steps/s  "
            f"{won}  entropy {self.entropy:.2f}"
        )


def learn(settings: Settings, games: Games, network: Network) -> Iterator[Progress]:
    """Play and improve in turn; yields a row of the learning curve after every update."""
    learner, begin, done = Learner(network, settings), time.perf_counter(), 0
    view = games.reset(settings.seed)
    rollout = Rollout(settings.length, settings.games, view.features.shape[1], view.masks.shape[1])
    while done < settings.steps:
        view = rollout.collect(games, network, view)
        torch.set_num_threads(settings.threads)
        losses = learner.update(rollout, 1 - done / settings.steps)
        torch.set_num_threads(1)
        done += int(rollout.is_played.sum())
        yield Progress.of(done, time.perf_counter() - begin, rollout.finished, losses)


# -------------------------------------------------------------------------------------------------------- evaluation


def play(network: Network, env: GameEnv, seed: int, *, drawn: bool) -> float:
    """Play a game; returns the learner's points: 1, 0.5 or 0."""
    features, info = env.reset(seed=seed)
    is_over = False
    while not is_over:
        view = View(features.reshape(1, -1), info["action_mask"].astype(np.bool_)[None], np.array([False]))
        places, _, _ = network.choose(view, drawn=drawn)
        features, _, is_over, _, info = env.step(int(places[0]))
    returns = list(info["returns"])
    mine = returns.pop(env.seat)
    return 0.5 if mine == max(returns) else float(mine > max(returns))


def evaluate(network: Network, settings: Settings, opponent: str) -> dict[str, Any]:
    """Play against an opponent, in all seats alike; returns what ``result.json`` says about it."""
    game, points = turnwise.make(settings.game), list[float]()
    each = settings.evaluation_games // game.players
    for seat in range(game.players):
        env = GameEnv(game, opponent=opponent, budget=settings.budget, seat=seat)
        seeds = range(seat * each, (seat + 1) * each)  # no start is played twice
        points += [play(network, env, seed, drawn=settings.actions == "drawn") for seed in seeds]
    tally = Tally.of(points)
    interval = wilson_interval(tally.points, tally.games)
    print(
        f"against {opponent}: won {tally.wins}, drawn {tally.draws}, lost {tally.losses}; "
        f"score {interval.estimate:.1%}, 95 % Wilson interval {interval.low:.1%} to {interval.high:.1%}"
    )
    counts = {"won": tally.wins, "drawn": tally.draws, "lost": tally.losses}
    return {**counts, "score": interval.estimate, "low": interval.low, "high": interval.high}


# -------------------------------------------------------------------------------------------------------------- main


def train(settings: Settings, games: Games, network: Network) -> dict[str, Any]:
    """Learn, and write the learning curve; returns what ``result.json`` says about it."""
    steps, seconds = 0, 0.0
    with (settings.output / "curve.csv").open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(Progress._fields)
        for number, row in enumerate(learn(settings, games, network)):
            rows.writerow(row)
            file.flush()
            steps, seconds = row.steps, row.seconds
            if number % 10 == 0 or steps >= settings.steps:
                print(row, flush=True)
    return {"steps": steps, "seconds": seconds}


def main(arguments: list[str] | None = None) -> None:
    """Train, save and evaluate."""
    settings = settings_of(arguments)
    settings.output.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(1)  # small matrices; and a number that does not depend on the machine rounds alike
    torch.manual_seed(settings.seed)
    games = Games(settings)
    network = Network(math.prod(games.game.feature_shape), games.game.indices)
    if settings.policy:
        network.load(Path(settings.policy))
    result: dict[str, Any] = {"settings": asdict(settings)}
    result |= train(settings, games, network)
    network.save(settings.output / "policy.npz")
    result["against"] = {opponent: evaluate(network, settings, opponent) for opponent in OPPONENTS}
    (settings.output / "result.json").write_text(json.dumps(result, indent=2, default=str) + "\n")
    print(f"curve.csv, policy.npz and result.json are in {settings.output}")


if __name__ == "__main__":
    main()
