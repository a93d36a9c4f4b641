"""Environment steps per second of turnwise, pgx and OpenSpiel: ``python benchmarks/environment_speed.py``.

pgx is JAX on the CPU. A step is one random legal action in one game. After it, every way but "rules" has the
observation of the player to move and the mask of the legal actions, and a game that is over has begun again. The ways:

* turnwise "vector env": ``GameVectorEnv`` in self-play; NumPy draws the actions from the masks.
* turnwise "no copies": the same with ``copy=False``.
* turnwise "batch": ``Batch``, which draws the actions itself; features and masks are asked for after every step.
* turnwise "rules": the batch without features and masks.
* pgx "loop": ``jit(vmap(auto_reset(step)))``; NumPy draws the actions from the masks.
* pgx "in jit": the same with pgx's ``act_randomly``, 64 steps in one compiled ``lax.scan``.
* pgx "one draw": the same with one random number for each game, where ``act_randomly`` draws one for each place.
* OpenSpiel "loop": a Python loop over C++ states, which writes observations and masks into arrays.
* OpenSpiel "vector_env": its ``SyncVectorEnv``; the time steps are put into arrays.
* OpenSpiel "rules": whole games of random bots in C++ (``evaluate_bots``), one after the other.

Each way runs in a process of its own that may use one core or two. On two cores, turnwise has two threads and XLA's
threads share a step; what has no threads, and many steps in jit, run in two processes that begin each round together.
One core: steps per second of CPU time, which other programs disturb less. Two cores: wall time. Shown are the median of
all rounds, their quartiles and the best one. Libraries that are not installed are left out, with a message.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import json
import os
import subprocess
import sys
import time
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from typing_extensions import override

SIZES = (64, 1024)
ROUNDS, SECONDS, SCAN = 5, 0.2, 64  # rounds of a visit, seconds of a round, steps in one call of "in jit"
WARM_UP = 1.0  # seconds at most; the games begin alike, later they are in all stages
GAMES = {
    "turnwise": ("hero-academy:map=a-tiny,deck=tiny", "hero-academy", "samegame", "stratega", "tribes"),
    "pgx": ("animal_shogi", "gardner_chess", "hex", "go_9x9"),
    "OpenSpiel": ("amazons", "breakthrough", "hex(board_size=11)", "go(board_size=9)"),
}
MODULES = {"turnwise": "gymnasium", "pgx": "pgx", "OpenSpiel": "pyspiel"}

Masks = NDArray[np.bool_]


class Shape(NamedTuple):
    """How large the games are."""

    features: int  # numbers in an observation
    bytes: int  # of one number
    places: int  # of a mask
    legal: float  # legal actions in the present states, on average; 0: not known


class Way(ABC):
    """A way to play many games."""

    @abstractmethod
    def __init__(self, game: str, games: int, threads: int) -> None:
        """Begin the games."""

    @abstractmethod
    def play(self, steps: int) -> int:
        """Play about so many steps in every game; returns the number of actions played."""

    @abstractmethod
    def shape(self) -> Shape:
        """How large the games are."""


def drawn(masks: Masks, random: np.random.Generator) -> NDArray[np.int64]:
    """A legal place of each game, drawn uniformly; 0 where there is none."""
    games, places = masks.shape
    legal = np.flatnonzero(masks)
    first = np.searchsorted(legal, np.arange(games + 1) * places)
    counts = np.diff(first)
    chosen = first[:-1] + (random.random(games) * counts).astype(np.int64)
    return np.where(counts > 0, np.append(legal, 0)[chosen] % places, 0)


# ---------------------------------------------------------------------------------------------------------- turnwise


class TurnwiseVectorEnv(Way):
    """Many games as a Gymnasium vector environment."""

    copies = True

    def __init__(self, game: str, games: int, threads: int) -> None:
        from turnwise.interop.vector import GameVectorEnv

        self.env = GameVectorEnv(game, games, threads=threads, copy=self.copies)
        self.random = np.random.default_rng(1)
        self.seen, self.info = self.env.reset(seed=1)

    @override
    def play(self, steps: int) -> int:
        played = 0
        for _ in range(steps):
            masks = self.info["action_mask"]
            played += int((self.info["player"] >= 0).sum())  # where a game is over, the step only begins the next one
            self.seen, _, _, _, self.info = self.env.step(drawn(masks, self.random))
        return played

    @override
    def shape(self) -> Shape:
        legal = self.info["action_mask"].sum(axis=1)
        return Shape(
            self.seen[0].size, self.seen.itemsize, self.env.game.indices, float(legal.sum() / (legal > 0).sum())
        )


class TurnwiseNoCopies(TurnwiseVectorEnv):
    """The same with arrays that the next step overwrites."""

    copies = False


class TurnwiseBatch(Way):
    """Many games in a batch that chooses random actions itself."""

    seen = True

    def __init__(self, game: str, games: int, threads: int) -> None:
        import turnwise

        self.batch = turnwise.Batch(turnwise.make(game), games, seed=1, threads=threads)

    @override
    def play(self, steps: int) -> int:
        batch = self.batch
        for _ in range(steps):
            batch.step(batch.sample())
            if self.seen:
                batch.features()
                batch.masks()
        return steps * batch.games

    @override
    def shape(self) -> Shape:
        seen = self.batch.features()
        return Shape(seen[0].size, seen.itemsize, self.batch.game.indices, float(self.batch.counts.mean()))


class TurnwiseRules(TurnwiseBatch):
    """The same without features and masks."""

    seen = False


# --------------------------------------------------------------------------------------------------------------- pgx


class PgxLoop(Way):
    """A compiled step of many games, called from Python."""

    def __init__(self, game: str, games: int, threads: int) -> None:
        os.environ["JAX_PLATFORMS"] = "cpu"
        self.jax, pgx = importlib.import_module("jax"), importlib.import_module("pgx")
        auto_reset = importlib.import_module("pgx.experimental").auto_reset
        env = pgx.make(game)
        self.env, self.games, self.random = env, games, np.random.default_rng(1)
        self.stepped = self.jax.vmap(auto_reset(env.step, env.init))
        self.key = self.jax.random.PRNGKey(1)
        self.state = self.jax.jit(self.jax.vmap(env.init))(self._keys(games))
        self.step = self.jax.jit(self._step)

    def _keys(self, count: int) -> Any:
        self.key, used = self.jax.random.split(self.key)
        return self.jax.random.split(used, count)

    def _step(self, state: Any, actions: Any, key: Any) -> tuple[Any, Any]:
        key, used = self.jax.random.split(key)
        return self.stepped(state, actions, self.jax.random.split(used, self.games)), key

    @override
    def play(self, steps: int) -> int:
        for _ in range(steps):
            actions = drawn(np.asarray(self.state.legal_action_mask), self.random).astype(np.int32)
            self.state, self.key = self.step(self.state, actions, self.key)
        self.jax.block_until_ready(self.state)
        return steps * self.games

    @override
    def shape(self) -> Shape:
        seen, masks = self.state.observation, np.asarray(self.state.legal_action_mask)
        return Shape(seen[0].size, seen.dtype.itemsize, masks.shape[1], float(masks.sum(axis=1).mean()))


class PgxInJit(PgxLoop):
    """The same with random actions chosen in the compiled code, many steps in one call."""

    def __init__(self, game: str, games: int, threads: int) -> None:
        super().__init__(game, games, threads)
        self.act = importlib.import_module("pgx.experimental.utils").act_randomly
        self.scan = self.jax.jit(self._scan)

    def _scan(self, state: Any, key: Any) -> tuple[Any, Any]:
        def one(carried: tuple[Any, Any], _: None) -> tuple[tuple[Any, Any], None]:
            state, key = carried
            key, used = self.jax.random.split(key)
            return self._step(state, self.act(used, state.legal_action_mask), key), None

        return self.jax.lax.scan(one, (state, key), None, SCAN)[0]  # type: ignore[no-any-return]

    @override
    def play(self, steps: int) -> int:
        calls = -(-steps // SCAN)
        for _ in range(calls):
            self.state, self.key = self.scan(self.state, self.key)
        self.jax.block_until_ready(self.state)
        return calls * SCAN * self.games


class PgxOneDraw(PgxInJit):
    """The same with one random number for each game, instead of one for each place."""

    def __init__(self, game: str, games: int, threads: int) -> None:
        super().__init__(game, games, threads)
        self.act = self._act

    def _act(self, key: Any, masks: Any) -> Any:
        random, numpy = self.jax.random, self.jax.numpy
        until = numpy.cumsum(masks, axis=1)
        chosen = (random.uniform(key, (self.games,)) * until[:, -1]).astype(until.dtype)
        return numpy.argmax(until > chosen[:, None], axis=1)


# --------------------------------------------------------------------------------------------------------- OpenSpiel


class OpenSpielLoop(Way):
    """States in C++, stepped one after the other."""

    def __init__(self, game: str, games: int, threads: int) -> None:
        pyspiel = importlib.import_module("pyspiel")
        self.game, self.random = pyspiel.load_game(game), np.random.default_rng(1)
        self.observer = importlib.import_module("open_spiel.python.observation").make_observation(self.game)
        self.states = [self.game.new_initial_state() for _ in range(games)]
        self.legal = [state.legal_actions() for state in self.states]
        self.seen = np.zeros((games, self.observer.tensor.size), np.float32)
        self.masks = np.zeros((games, self.game.num_distinct_actions()), np.bool_)

    @override
    def play(self, steps: int) -> int:
        states, legal, seen, masks, observer = self.states, self.legal, self.seen, self.masks, self.observer
        for _ in range(steps):
            masks[:] = False
            for i, at in enumerate(self.random.random(len(states)).tolist()):
                state, listed = states[i], legal[i]
                state.apply_action(listed[int(at * len(listed))])
                if state.is_terminal():
                    state = states[i] = self.game.new_initial_state()
                observer.set_from(state, state.current_player())
                seen[i] = observer.tensor
                listed = legal[i] = state.legal_actions()
                masks[i, listed] = True
        return steps * len(states)

    @override
    def shape(self) -> Shape:
        legal = float(np.mean([len(listed) for listed in self.legal]))
        return Shape(self.seen.shape[1], self.seen.itemsize, self.masks.shape[1], legal)


class OpenSpielVectorEnv(Way):
    """OpenSpiel's own vector environment."""

    def __init__(self, game: str, games: int, threads: int) -> None:
        self.rl = importlib.import_module("open_spiel.python.rl_environment")
        vector = importlib.import_module("open_spiel.python.vector_env")
        kind = self.rl.ObservationType.OBSERVATION
        self.env = vector.SyncVectorEnv([self.rl.Environment(game, observation_type=kind) for _ in range(games)])
        spec = self.env.observation_spec()
        self.seen = np.zeros((games, *spec["info_state"]), np.float32)
        self.masks = np.zeros((games, self.env.envs[0].action_spec()["num_actions"]), np.bool_)
        self.random = np.random.default_rng(1)
        self._see(self.env.reset())

    def _see(self, found: list[Any]) -> None:
        self.legal = []
        self.masks[:] = False
        for i, one in enumerate(found):
            player = one.observations["current_player"]
            self.seen[i] = one.observations["info_state"][player]
            self.legal.append(one.observations["legal_actions"][player])
            self.masks[i, self.legal[i]] = True

    @override
    def play(self, steps: int) -> int:
        output = importlib.import_module("open_spiel.python.rl_agent").StepOutput
        for _ in range(steps):
            draws = self.random.random(len(self.legal)).tolist()
            chosen = [output(listed[int(at * len(listed))], None) for at, listed in zip(draws, self.legal, strict=True)]
            self._see(self.env.step(chosen, reset_if_done=True)[0])
        return steps * len(self.legal)

    @override
    def shape(self) -> Shape:
        legal = float(np.mean([len(listed) for listed in self.legal]))
        return Shape(self.seen[0].size, self.seen.itemsize, self.masks.shape[1], legal)


class OpenSpielRules(Way):
    """Whole games of uniformly random bots, in C++ (``evaluate_bots``), one after the other."""

    def __init__(self, game: str, games: int, threads: int) -> None:
        self.spiel = importlib.import_module("pyspiel")
        self.game, self.games = self.spiel.load_game(game), games
        self.bots = [self.spiel.make_uniform_random_bot(seat, seat + 1) for seat in range(self.game.num_players())]

    @override
    def play(self, steps: int) -> int:
        played = 0
        while played < steps * self.games:
            state = self.game.new_initial_state()
            self.spiel.evaluate_bots(state, self.bots, 1)
            played += state.move_number()
        return played

    @override
    def shape(self) -> Shape:
        return Shape(0, 0, 0, 0.0)


# --------------------------------------------------------------------------------------------------------- measuring

WAYS: dict[tuple[str, str], tuple[type[Way], tuple[str, ...]]] = {  # with what they use on two cores
    ("turnwise", "vector env"): (TurnwiseVectorEnv, ("threads",)),
    ("turnwise", "no copies"): (TurnwiseNoCopies, ("threads",)),
    ("turnwise", "batch"): (TurnwiseBatch, ("threads",)),
    ("turnwise", "rules"): (TurnwiseRules, ("threads",)),
    ("pgx", "loop"): (PgxLoop, ("threads",)),
    ("pgx", "in jit"): (PgxInJit, ("processes",)),
    ("pgx", "one draw"): (PgxOneDraw, ("processes",)),
    ("OpenSpiel", "loop"): (OpenSpielLoop, ("processes",)),
    ("OpenSpiel", "vector_env"): (OpenSpielVectorEnv, ("processes",)),
    ("OpenSpiel", "rules"): (OpenSpielRules, ("processes",)),
}


class Worker:
    """A process that plays one game in one way, on some cores."""

    def __init__(self, *what: object) -> None:
        self.process = subprocess.Popen(
            [sys.executable, __file__, "--worker", json.dumps(what)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def send(self, *order: float) -> None:
        """Begin with an order."""
        assert self.process.stdin is not None
        print(json.dumps(order), file=self.process.stdin, flush=True)

    def answer(self) -> list[Any]:
        """Wait for its answer."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            sys.exit("A measuring process ended early; its message is above.")
        return json.loads(line)  # type: ignore[no-any-return]

    def end(self) -> None:
        """End the process."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


def work(what: str) -> None:
    """What a measuring process does: orders are [games, 0] to prepare and [steps, 1] to play a round."""
    library, way, game, cores, threads, priority = json.loads(what)
    os.sched_setaffinity(0, cores)  # before JAX counts the cores
    env: Way | None = None
    for line in sys.stdin:
        number, is_round = json.loads(line)
        if not is_round:
            env = WAYS[library, way][0](game, number, threads)
            print(json.dumps([steps_of(env), *env.shape()]), flush=True)
            continue
        assert env is not None
        set_priority(priority)
        began, began_cpu = time.perf_counter(), time.process_time()
        played = env.play(number)
        spent, spent_cpu = time.perf_counter() - began, time.process_time() - began_cpu
        set_priority(0)
        print(json.dumps([played, spent, spent_cpu]), flush=True)


def set_priority(priority: int) -> None:
    """Give all threads of this process a real-time priority, which needs root; 0: that of other programs."""
    for thread in os.listdir("/proc/self/task"):
        kind = os.SCHED_FIFO if priority else os.SCHED_OTHER
        os.sched_setscheduler(int(thread), kind, os.sched_param(priority))


def steps_of(env: Way) -> int:
    """Steps of a round that takes about ``SECONDS``, after a warm-up."""
    began, steps = time.process_time(), 0
    while steps == 0 or (steps < SCAN and time.process_time() < began + WARM_UP):
        env.play(1)
        steps += 1
    steps = 1
    while True:
        began = time.process_time()
        env.play(steps)
        used = time.process_time() - began
        if used >= SECONDS / 4:
            return max(1, round(steps * SECONDS / used))
        steps *= 2


@dataclass(frozen=True)
class Case:
    """A way to play a game with so many games, on one core or two; "threads" or "processes" say how it uses two."""

    library: str
    way: str
    game: str
    games: int
    cores: int
    how: str


def visit(
    case: tuple[str, str, str], sizes: list[int], how: str, priority: int
) -> dict[Case, tuple[Shape, list[float]]]:
    """Steps per second of some rounds, in new processes; ``how`` is empty for one core."""
    cores = [[0], [1]] if how == "processes" else [[0, 1]] if how else [[0]]
    threads = 2 if how == "threads" else 1
    workers = [Worker(*case, mine, threads, priority if how else 0) for mine in cores]
    found = {}
    for size in sizes:
        for worker in workers:
            worker.send(size // len(workers), 0)  # as many games in all
        prepared = [worker.answer() for worker in workers]
        rates = []
        for _ in range(ROUNDS):
            for worker, (steps, *_) in zip(workers, prepared, strict=True):
                worker.send(steps, 1)
            rounds = [worker.answer() for worker in workers]
            rates.append(sum(played / (wall if how else cpu) for played, wall, cpu in rounds))
        found[Case(*case, size, 2 if how else 1, how)] = (Shape(*prepared[0][1:]), rates)
    for worker in workers:
        worker.end()
    return found


def table(found: dict[Case, tuple[Shape, list[float]]]) -> None:
    """Print all cases."""
    print(
        f"{'library':<10}{'way':<11}{'game':<34}{'features':>14}{'places':>7}{'legal':>6}{'games':>6} {'cores':<13}",
        end="",
    )
    print(f"{'median':>10}  {'quartiles':<22}{'best':>10}{'times one core':>16}")
    for case, (shape, rates) in found.items():
        low, middle, high = np.percentile(rates, (25, 50, 75))
        size = f"{shape.features:,} x {shape.bytes} B" if shape.features else "-"
        cores = f"{case.cores}{', ' + case.how if case.how else ''}"
        alone = found.get(Case(case.library, case.way, case.game, case.games, 1, ""))
        gain = f"{middle / np.median(alone[1]):.2f}" if alone and case.how else ""
        print(
            f"{case.library:<10}{case.way:<11}{case.game:<34}{size:>14}{shape.places:>7}{shape.legal:>6.1f}"
            f"{case.games:>6} {cores:<13}{middle:>10,.0f}  {f'{low:,.0f}-{high:,.0f}':<22}{max(rates):>10,.0f}"
            f"{gain:>16}".rstrip()
        )


def main() -> None:
    """Measure everything that is installed, and print it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--worker", help=argparse.SUPPRESS)
    parser.add_argument("--only", default="", help="cases whose library, way and game contain this text")
    parser.add_argument("--sizes", type=int, nargs="*", default=SIZES, help="games at once")
    parser.add_argument("--cores", type=int, nargs="*", default=[1, 2], choices=[1, 2])
    parser.add_argument("--repeats", type=int, default=3, help="visits of each case, each with new processes")
    parser.add_argument("--priority", type=int, default=0, help="real-time priority of the rounds on two cores")
    options = parser.parse_args()
    if options.worker:
        work(options.worker)
        return
    found: dict[Case, tuple[Shape, list[float]]] = {}
    missing = [library for library, module in MODULES.items() if importlib.util.find_spec(module) is None]
    for library in missing:
        print(f"{library} is left out: {MODULES[library]} is not installed")
    print(f"load of the machine: {os.getloadavg()[0]:.1f} before", end=", ", flush=True)
    for repeat in range(options.repeats):
        for (library, way), (_, ways) in WAYS.items():
            for game in GAMES[library]:
                if library in missing or options.only not in f"{library} {way} {game}":
                    continue
                for how in [""] * (1 in options.cores) + [*ways] * (2 in options.cores):
                    for case, (shape, rates) in visit(
                        (library, way, game), options.sizes, how, options.priority
                    ).items():
                        found[case] = (shape, [*found.get(case, (shape, []))[1], *rates])
                    print(f"visit {repeat + 1} of {options.repeats}: {library} {way} {game} {how}", file=sys.stderr)
    print(f"{os.getloadavg()[0]:.1f} after")
    table(found)


if __name__ == "__main__":
    main()
