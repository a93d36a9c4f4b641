"""Memory limits in bytes: the arrays of a search fit into them, whatever the game, the streams and the worlds."""

import gc
import re
import weakref

import numpy as np
import pytest

import turnwise
from doubles.counting_game import Counting
from doubles.toy_game import Toy, solo
from turnwise.core.budget import Budget
from turnwise.core.errors import CapacityError, OptionError
from turnwise.jit.record import Pointer, Record
from turnwise.planners.greedy_turn.memory import Enumeration
from turnwise.planners.mcts.memory import SearchTree
from turnwise.planners.nrpa.memory import Nesting
from turnwise.planners.online_evolution.memory import TurnPopulationMemory
from turnwise.planners.rhea.memory import Population
from turnwise.planners.single_player_mcts.memory import SinglePlayerTree
from turnwise.search import memory_limit
from turnwise.search.beam.memory import Beam
from turnwise.search.memory_limit import largest, physical_memory
from turnwise.search.reply import HorizonMemory

FAMILIES = (Beam, Enumeration, SearchTree, Nesting, TurnPopulationMemory, Population, SinglePlayerTree)
GAMES = {
    "hero-academy": lambda: turnwise.make("hero-academy", map="a-tiny", deck="tiny"),
    "samegame": lambda: turnwise.make("samegame"),
    "toy": lambda: Toy(players=3, chance=True),
    "counting": Counting,
}
SMALL = "population=6,offspring=6,elites=1,length=4"
PLANNERS = [
    "mcts",
    "mcts:streams=3",
    "sp-mcts",
    "sp-mcts:streams=2",
    f"rhea:tree-depth=3,{SMALL}",
    f"rhea:mutation-operator=bandit,streams=2,{SMALL}",
    f"ea-roll:{SMALL}",
    f"rhea-mcts:{SMALL}",
    f"mcts-rhea:tree-depth=2,{SMALL}",
    f"ea-alt-actions:alignment=subsequence,{SMALL}",
    "online-evolution",
    "online-evolution:streams=2",
    "online-evolution:alignment=subsequence,population=2000",
    "online-evolution:representation=descriptors",
    "greedy-turn",
    "nrpa:horizon=100",
    "nrpa:streams=2,levels=2,horizon=50",
    "beam-search:width=10000000",
]
WITH_ENTRIES = {
    "mcts": ("max_nodes", "max_edges"),
    "sp-mcts": ("max_nodes", "max_edges", "saved"),
    "rhea": ("max_tree_nodes",),
    "mcts-rhea": ("max_nodes", "max_edges", "saved", "max_tree_nodes"),
    "online-evolution": ("table",),
    "greedy-turn": ("table",),
    "nrpa": ("moves", "positions"),
}
SOON = Budget(seconds=0.01)  # without any limit of steps, by which searches would need less


def arrays(value, found):
    """All arrays that an object of a family keeps alive, by the identity of their memory."""
    if id(value) in found:
        return
    if isinstance(value, np.ndarray):
        while isinstance(value.base, np.ndarray):
            value = value.base
        found[id(value)] = value.nbytes
    elif isinstance(value, Record):
        found[id(value)] = 0
        for kept in value._kept.values():
            arrays(kept, found)
    elif isinstance(value, Pointer):
        arrays(value._owner, found)
    elif isinstance(value, dict):
        for each in value.values():
            arrays(each, found)
    elif isinstance(value, list | tuple):
        for each in value:
            arrays(each, found)
    elif isinstance(value, (*FAMILIES, HorizonMemory)):
        arrays(vars(value), found)


class Peak:
    """The largest size that all living memories of searches had together, and their greatest number."""

    def __init__(self):
        self.living = weakref.WeakSet()
        self.bytes = self.number = 0

    def note(self, memory):
        self.living.add(memory)
        found = {}
        for each in list(self.living):
            arrays(each, found)
        self.bytes, self.number = max(self.bytes, sum(found.values())), max(self.number, len(self.living))


@pytest.fixture
def peak(monkeypatch):
    """Measures every memory when it has been allocated; the garbage collector must not be needed to release one."""
    found = Peak()

    def measured(family):
        allocate = family.__init__

        def init(self, *args, **more):
            allocate(self, *args, **more)
            found.note(self)

        return init

    for family in FAMILIES:
        monkeypatch.setattr(family, "__init__", measured(family))
    gc.disable()
    yield found
    gc.enable()


def planner(text, memory):
    return turnwise.planner(text, memory=memory)


def load(text, state, peak):
    """Compile or load what a search needs; a compilation may leave garbage that keeps a memory alive."""
    turnwise.planner(text).plan(state, SOON)
    gc.collect()
    peak.bytes = peak.number = 0


def least_of(text, state):
    with pytest.raises(OptionError) as raised:
        planner(text, 1).plan(state, SOON)
    message = str(raised.value)
    found = re.search(r"needs at least ([\d,]+) bytes(?: for its [\w ]+ together)?\. Give memory=(\d+)kB", message)
    assert message.startswith("memory=1 byte is")
    least = int(found[1].replace(",", ""))
    assert least <= 1000 * int(found[2]) < least + 1000
    return least


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("text", PLANNERS)
def test_arrays_fit_into_the_memory(text, name, peak):
    state = GAMES[name]().start(1)
    load(text, state, peak)
    least = least_of(text, state)
    for memory in (least, 2 * least + 123, 48 << 20):
        peak.bytes = 0
        assert planner(text, memory).plan(state, SOON).codes
        assert 0 < peak.bytes <= memory
    with pytest.raises(OptionError, match="too little"):
        planner(text, least - 1).plan(state, SOON)


@pytest.mark.parametrize("text", ["mcts", "mcts:streams=3", "sp-mcts", "rhea:tree-depth=3", "rhea-mcts", "nrpa"])
def test_most_of_the_memory_is_used(text, peak):
    memory, state = 100 << 20, turnwise.make("samegame").start()
    load(text, state, peak)
    planner(text, memory).plan(state, SOON)
    assert peak.bytes > memory / 3  # hash tables have a power of two of slots


@pytest.mark.parametrize(
    "text",
    ["sp-mcts", f"rhea:tree-depth=3,streams=2,{SMALL}", f"mcts-rhea:tree-depth=2,{SMALL}", f"ea-alt-actions:{SMALL}"],
)
def test_what_is_kept_from_turn_to_turn_is_within_the_limit(text, peak):
    state = turnwise.make("samegame").start()
    load(text, state, peak)
    session = planner(text, 30 << 20).session(state.game, 0, 1)
    for turn in range(4):
        if turn == 2:
            state = state.play(state.legal_codes()[0])  # not what was planned
        action, _ = session.next_action(state, Budget(iterations=6))
        state = state.play(action)
    assert 0 < peak.bytes <= 30 << 20


@pytest.mark.parametrize("text", ["mcts", "mcts:streams=2", "online-evolution", "greedy-turn", "sp-mcts"])
def test_worlds_are_searched_one_after_another_in_the_same_memory(text, peak):
    state = turnwise.make("hero-academy", map="a-tiny", deck="tiny", hands="hidden").start(1).view(0)
    load(text, state, peak)
    plan = turnwise.planner(text, memory="4MB", worlds=4).plan(state, Budget(forward_calls=8000))
    assert plan.report.details["worlds"] > 1
    assert peak.number == (2 if "streams" in text else 1)
    assert 0 < peak.bytes <= 4_000_000


@pytest.mark.parametrize("text", ["rhea:tree-depth=3", f"rhea:tree-depth=3,streams=2,{SMALL}", f"ea-roll:{SMALL}"])
def test_worlds_whose_populations_go_on_are_within_the_limit_together(text, peak):
    game = turnwise.make("hero-academy", map="a-tiny", deck="tiny", hands="hidden")
    state = game.start(1)
    load(text, state.view(0), peak)
    session = turnwise.planner(text, memory="12MB", worlds=4).session(game, 0, 1)
    worlds = []
    for _ in range(3):
        plan = session.plan(state.view(0), Budget(forward_calls=8000))
        worlds.append(plan.report.details["worlds"])
        for code in plan.codes:
            state = state.play(code)
        while state.to_move == 1:
            state = state.play(state.legal_codes()[0])
    assert max(worlds) > 2
    assert peak.number == max(worlds) * (2 if "streams" in text else 1)
    assert 0 < peak.bytes <= 12_000_000
    if "tree" in text:
        assert peak.bytes > 4_000_000
    with pytest.raises(OptionError, match=r"for its 4 worlds.* together"):
        turnwise.planner(text, memory="20kB", worlds=4).plan(state.view(0), SOON)


def test_a_growing_table_and_the_one_before_it_fit_together(monkeypatch):
    monkeypatch.setattr("turnwise.planners.greedy_turn.memory._FIRST_SLOTS", 1 << 10)
    state = turnwise.make("hero-academy").start(1)
    for seed in range(4):  # to a state with more turns than the first table holds
        for code in turnwise.planner("random").plan(state, SOON, seed).codes:
            state = state.play(code)
    plan = turnwise.planner("greedy-turn:memory=1MB").plan(state, Budget(forward_calls=8000, seconds=1000))
    assert plan.report.details["table_bytes"] / 8 >= 2 << 10
    assert 1.5 * plan.report.details["table_bytes"] < 1_000_000


def test_more_memory_makes_a_larger_tree_and_a_full_one_says_so():
    state = turnwise.make("hero-academy", map="a-tiny", deck="tiny").start(1)
    small, large = (
        turnwise.planner("mcts", memory=size).plan(state, Budget(iterations=300)).report.details
        for size in ("60kB", "10MB")
    )
    assert small["tree_full"] == 1
    assert large["tree_full"] == 0
    assert small["nodes"] < large["nodes"]


def test_sizes_in_messages_have_the_units_of_the_option():
    with pytest.raises(OptionError, match=r"memory=2\.0kB is too little.* Give memory=\d+kB or more"):
        planner("mcts", "2kB").plan(turnwise.make("samegame").start(), SOON)


def test_enough_memory_changes_no_plan():
    state = turnwise.make("hero-academy", map="a-tiny", deck="tiny").start(1)
    for name in ("mcts", "online-evolution", "greedy-turn", "nrpa", "beam-search"):
        plans = [turnwise.planner(name, memory=memory).plan(state, Budget(iterations=20)) for memory in (None, "64MB")]
        assert plans[0].codes == plans[1].codes
        assert plans[0].value == plans[1].value


@pytest.mark.parametrize(
    ("text", "size"),
    [("512MB", 512_000_000), ("2GiB", 2 << 30), ("64 mib", 64 << 20), ("5000000", 5_000_000), (7_000_000, 7_000_000)],
)
def test_sizes_are_read_with_their_units(text, size):
    made = planner("mcts", text)
    assert made.parameters.memory == size
    assert turnwise.planner(made.spec).parameters == made.parameters


@pytest.mark.parametrize(
    "value", ["much", "-5MB", 0, -1, 1.5, True, "9" * 5000, "9" * 5000 + "GB", 10**30, [1], object()]
)
def test_other_values_are_refused(value):
    with pytest.raises(OptionError, match="expected a number of bytes, or one with a unit, such as 512MB or 2GiB"):
        planner("mcts", value)


def test_an_empty_value_means_no_limit_in_bytes():
    assert turnwise.planner("mcts:memory=").parameters == turnwise.planner("mcts").parameters


@pytest.mark.parametrize(("name", "entry"), [(name, entry) for name, names in WITH_ENTRIES.items() for entry in names])
def test_bytes_and_numbers_of_entries_exclude_each_other(name, entry):
    shown = entry.replace("_", "-")
    with pytest.raises(OptionError, match=f"both memory and {shown} are given"):
        turnwise.planner(name, memory="64MB", **{entry: getattr(turnwise.planner(name).parameters, entry)})
    assert type(turnwise.planner(name)).Parameters.entries == WITH_ENTRIES[name]


def test_more_than_the_machine_has_is_refused(monkeypatch):
    state = solo().start()
    monkeypatch.setattr(memory_limit, "physical_memory", lambda: 10**9)
    with pytest.raises(OptionError, match=r"memory=2.0GB is more than this machine has: 1.0GB"):
        planner("mcts", "2GB").plan(state, SOON)
    assert planner("mcts", "1GB").plan(state, SOON).codes
    assert turnwise.planner("mcts:max-nodes=500000000").plan(state, SOON).codes
    monkeypatch.setattr(memory_limit, "physical_memory", lambda: 0)  # unknown
    assert planner("mcts", "2GB").plan(state, SOON).codes


def test_physical_memory_is_known_where_the_system_says():
    assert physical_memory() == 0 or physical_memory() > 1 << 26


@pytest.mark.parametrize("limit", [0, 1, 2, 63, 64, 99, 100])
def test_the_largest_number_is_found(limit):
    assert largest(lambda n: n <= limit, 1, 99) == min(max(1, limit), 99)


def test_a_search_for_which_there_is_no_memory_is_an_error(monkeypatch):
    def full(*size, **more):
        raise MemoryError("a table of 99 bytes")

    state = turnwise.make("hero-academy:map=a-tiny,deck=tiny").start(seed=1)
    mind = turnwise.planner("mcts")
    mind.plan(state, turnwise.Budget(iterations=1))
    monkeypatch.setattr("turnwise.jit.room.large_array", full)
    with pytest.raises(
        CapacityError, match=r"too little memory for a search by mcts in .*a table of 99 bytes.*memory=512MB"
    ):
        mind.plan(state, turnwise.Budget(iterations=100_000))


def test_sizes_of_a_game_that_no_memory_holds_are_named():
    class Huge(Counting):
        max_turn = 10**15

    with pytest.raises(
        CapacityError, match=r"The game declares max_turn = 1,000,000,000,000,000, .*: make that smaller"
    ):
        turnwise.planner("greedy-turn").plan(Huge().start(), turnwise.Budget(evaluations=3))
