"""What several test processes compile into an empty cache, each a part of it.

The processes of a whole run begin with files that need every planner. Each would compile all of them for itself, since
what another one is compiling is not in the cache yet. So they first compile game after game and planner after planner,
and each takes those that nobody has taken.
"""

import contextlib
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import turnwise
from doubles.toy_game import Toy
from turnwise.core.errors import TurnwiseError
from turnwise.jit.kernel import Entry
from turnwise.search.planner_parameters import READINGS

FIRST = ("tribes", "online-evolution", "mcts", "naive-mcts", "prhea", "rhea-mcts", "stratega")
"""What takes longest to compile comes first, so that the processes end at about the same time."""


def folder_of(run: str) -> Path:
    """Where the processes of a run write what they have taken."""
    return Path(tempfile.gettempdir()) / f"turnwise-tests-{run}"


def compile_share(run: str) -> None:
    """Compile what no other process of a run has begun to compile.

    Args:
        run: A name that the processes of the run have in common, and no other one.
    """
    taken = folder_of(run)
    taken.mkdir(exist_ok=True)
    for name, work in sorted(_parts(), key=lambda part: FIRST.index(part[0]) if part[0] in FIRST else len(FIRST)):
        try:
            (taken / name).touch(exist_ok=False)
        except FileExistsError:
            continue
        work()


def _parts() -> Iterator[tuple[str, Callable[[], None]]]:
    """Games, and families of planners by the name of one of them."""
    for name in turnwise.GAMES.names():
        yield name, lambda name=name: _compile_game(name)
    for names in families():
        first = next((name for name in names if name in FIRST), names[0])
        yield first, lambda names=names: _compile_planners(names)


def families() -> list[list[str]]:
    """All planners by family."""
    found: dict[str, list[str]] = {}
    for name in turnwise.PLANNERS.names():
        found.setdefault(_family(name), []).append(name)
    return list(found.values())


def _family(planner: str) -> str:
    """The package of a planner; hybrids are compiled with the planners that they combine."""
    package = turnwise.PLANNERS.get(planner).__module__.removeprefix("turnwise.planners.").split(".")[0]
    return "hybrids" if package in ("rhea", "single_player_mcts") else package


def _compile_game(name: str) -> None:
    """Compile rules, evaluations and scripts."""
    game = turnwise.make(name)
    game.start(1).legal_actions()
    for text in game.evaluation_names:
        function = game.evaluation(text)[1].function
        if isinstance(function, Entry):
            _ = function.address


def _compile_planners(names: list[str]) -> None:
    """Let planners and their readings plan a turn."""
    state, budget = Toy(end="free").start(1), turnwise.Budget(iterations=2)
    for name in names:
        for preset in ("", *sorted(READINGS & set(turnwise.PLANNERS.get(name).all_presets()))):
            with contextlib.suppress(TurnwiseError):  # presets of other games do not fit
                turnwise.planner(name, preset=preset).plan(state, budget)
