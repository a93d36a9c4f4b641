"""Many positions planned at once: equal plans with any number of processes, clear errors."""

import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import pytest

import turnwise
from turnwise.arena import plan_states
from turnwise.core.errors import OptionError, TurnwiseError, UnknownNameError


@pytest.fixture(scope="module")
def states():
    batch = turnwise.Batch(turnwise.make("hero-academy", map="a-tiny", deck="tiny"), 12, seed=3)
    for _ in range(4):
        batch.step(batch.sample())
    return [batch.state(number) for number in range(12)]


def test_plans_are_the_same_in_one_process_and_in_two(states):
    counts, kept = [], {}
    alone = plan_states("online-evolution:population=10", states, "iterations=5", seed=4)
    both = plan_states(
        turnwise.planner("online-evolution", population=10),
        iter(states),
        turnwise.Budget(iterations=5),
        seed=4,
        workers=2,
        progress=lambda done, total: counts.append((done, total)),
        keep=kept.__setitem__,
    )
    assert [plan.codes for plan in alone] == [plan.codes for plan in both]
    assert [plan.value for plan in alone] == [plan.value for plan in both]
    assert len({plan.codes for plan in alone}) > 1
    assert all(state.is_legal(plan.codes[0]) for state, plan in zip(states, alone, strict=True))
    assert counts[0] == (0, 12)
    assert counts[-1] == (12, 12)
    assert counts == sorted(counts)
    assert [kept[number].codes for number in range(12)] == [plan.codes for plan in alone]


def test_positions_have_seeds_of_their_own(states):
    plans = plan_states("random", [states[0]] * 20, "iterations=1")
    assert len({plan.codes for plan in plans}) > 1
    assert [plan.codes for plan in plans] == [p.codes for p in plan_states("random", [states[0]] * 20, "iterations=1")]


def test_nothing_to_plan():
    assert plan_states("random", [], "iterations=1", workers=4) == []


def test_any_object_with_plan_will_do(states):
    class First:
        def plan(self, state, budget, seed=0):
            return [state.legal_actions()[0]]

    assert plan_states(First(), states[:2], "iterations=1")[0].actions == (states[0].legal_actions()[0],)


def test_errors_of_a_process_reach_the_caller(states):
    over = states[0]
    while not over.is_over:
        over = over.play(over.legal_codes()[-1])
    with pytest.raises(TurnwiseError, match="over"):
        plan_states("random", [*states[:3], over], "iterations=1", workers=2)


@pytest.mark.parametrize(
    ("changed", "error", "words"),
    [
        ({"planner": "chess"}, UnknownNameError, "chess"),
        ({"planner": 3}, OptionError, "A planner must be"),
        ({"states": [1]}, OptionError, "a list of states"),
        ({"budget": "fast"}, OptionError, "fast"),
        ({"workers": 0}, OptionError, "The number of processes"),
        ({"workers": True}, OptionError, "The number of processes"),
        ({"seed": "x"}, OptionError, "seed"),
    ],
)
def test_wrong_arguments_are_refused(states, changed, error, words):
    given = {"planner": "random", "states": states, "budget": "iterations=1"} | changed
    more = {name: given.pop(name) for name in ("workers", "seed") if name in given}
    with pytest.raises(error, match=words):
        plan_states(given["planner"], given["states"], given["budget"], **more)


@pytest.mark.parametrize("guarded", [True, False])
def test_a_script_with_and_without_the_guard(tmp_path, guarded):
    body = """
        import turnwise
        from turnwise.arena import plan_states

        def work():
            game = turnwise.make("samegame", board=3)
            print(len(plan_states("random", [game.start(seed) for seed in range(4)], "iterations=1", workers=2)))

        GUARD
    """
    guard = 'if __name__ == "__main__":\n    work()' if guarded else "work()"
    script = tmp_path / "script.py"
    script.write_text(textwrap.dedent(body).replace("GUARD", guard))
    ended = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, env=os.environ, timeout=300)
    if guarded:
        assert ended.stdout == "4\n", ended.stderr
    else:
        assert "turnwise.core.errors.TurnwiseError: A process that planned has ended." in ended.stderr
        assert '__name__ == "__main__"' in ended.stderr


class Locked:
    """A planner that no other process can have."""

    def __init__(self):
        self.lock = threading.Lock()

    def plan(self, state, budget, seed=0):
        return [state.legal_actions()[0]]


def test_a_planner_that_cannot_be_sent_is_refused_before_processes_start(states, capfd):
    with pytest.raises(OptionError, match=r"Locked object .* cannot be sent to other processes: .*with workers=1"):
        plan_states(Locked(), states[:2], "iterations=1", workers=2)
    assert len(plan_states(Locked(), states[:2], "iterations=1")) == 2
    assert capfd.readouterr().err == ""


def test_a_class_below_the_guard_is_named(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        textwrap.dedent("""
            import turnwise
            from turnwise.arena import plan_states

            if __name__ == "__main__":

                class First:
                    def plan(self, state, budget, seed=0):
                        return [state.legal_actions()[0]]

                game = turnwise.make("samegame", board=3)
                plan_states(First(), [game.start(seed) for seed in range(4)], "iterations=1", workers=2)
        """)
    )
    ended = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, env=os.environ, timeout=300)
    assert "has no attribute 'First'" in ended.stderr or "Can't get attribute 'First'" in ended.stderr
    assert "or at the top level of the script, not in a function or below" in ended.stderr


class FailsAtTheThird:
    """A planner with a bug that shows in one position."""

    def __init__(self, row):
        self.row = row

    def plan(self, state, budget, seed=0):
        if state.row.tobytes() == self.row:
            raise ZeroDivisionError("no visits")
        return [state.legal_actions()[0]]


@pytest.mark.parametrize("workers", [1, 2])
def test_an_error_names_its_position_and_ends_the_others(states, workers):
    kept = {}
    planner = FailsAtTheThird(states[2].row.tobytes())
    with pytest.raises(ZeroDivisionError) as caught:
        plan_states(planner, states[:3], "iterations=1", workers=workers, keep=kept.__setitem__)
    assert caught.value.__notes__[0] == "This happened in position 2 of plan_states, counted from 0."
    assert not multiprocessing.active_children()  # although the error, with its traceback, still exists
    assert all(plan.codes == (states[number].legal_codes()[0],) for number, plan in kept.items())
    if workers == 1:
        assert kept.keys() == {0, 1}
    else:
        assert "raise ZeroDivisionError" in caught.value.__notes__[1]


def test_plans_of_processes_are_kept_as_they_come(states):
    """The caller gives up after the first plan that it is given."""
    kept = {}

    def keep(number, plan):
        kept[number] = plan
        raise InterruptedError

    with pytest.raises(InterruptedError):
        plan_states("random", states[:4], "iterations=1", workers=2, keep=keep)
    assert len(kept) == 1
    assert not multiprocessing.active_children()


class StubbornError(Exception):
    """An error that cannot be made again from its arguments."""

    def __init__(self, one, other):
        super().__init__(f"{one} {other}")


class Stubborn:
    def plan(self, state, budget, seed=0):
        raise StubbornError("no", "way")


def test_an_error_that_cannot_be_sent_is_sent_as_text(states):
    with pytest.raises(TurnwiseError, match=r"The planner failed: .*StubbornError: no way") as caught:
        plan_states(Stubborn(), states[:2], "iterations=1", workers=2)
    assert "position" in caught.value.__notes__[0]


@pytest.mark.parametrize("workers", [1, 2])
def test_one_ctrl_c_ends_all_positions(states, workers):
    plan_states("online-evolution", states[:1], "iterations=1")  # compiled
    threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT)).start()
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        plan_states("online-evolution", states[:4], "time=20s", workers=workers)
    assert time.monotonic() - began < 10
