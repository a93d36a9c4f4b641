import os
import signal
import subprocess
import sys
import time

import pytest

from doubles.arena_doubles import Plain
from doubles.small_tournaments import PLAYERS, spec
from turnwise.arena import Ending, export_csv, open_results, run_tournament
from turnwise.arena.tournament import workers
from turnwise.arena.tournament.run import read_answer
from turnwise.arena.tournament.schedule import make_schedule
from turnwise.arena.tournament.workers import DaskPool, Finished
from turnwise.core.errors import OptionError, TurnwiseError


def exported(path):
    """Bytes of both tables without wall times."""
    with open_results(path) as results:
        return [file.read_bytes() for file in export_csv(results, f"{path}.tables", timing=False)]


def test_only_what_is_missing_is_played(tmp_path):
    path, seen = tmp_path / "r.db", []
    summary = run_tournament(spec(), path, progress=seen.append)
    assert (summary.total, summary.played, summary.abandoned, summary.lost) == (6, 6, 0, 0)
    assert [p.done for p in seen] == [1, 2, 3, 4, 5, 6]
    assert all(p.record.key and p.total == 6 for p in seen)
    again = run_tournament(spec(), path)
    assert (again.total, again.played) == (6, 0)
    more = run_tournament(spec(games_per_pair=6, name="more"), path)
    assert (more.total, more.played) == (18, 12)
    fewer = run_tournament(spec(games_per_pair=2), path)
    assert (fewer.total, fewer.played) == (6, 0)
    run_tournament(spec(games_per_pair=6), tmp_path / "whole.db")
    assert exported(path) == exported(tmp_path / "whole.db")


def test_a_stopped_tournament_goes_on_to_the_same_end(tmp_path):
    def stop(progress):
        if progress.played == 5:
            raise KeyboardInterrupt

    path = tmp_path / "r.db"
    with pytest.raises(KeyboardInterrupt):
        run_tournament(spec(games_per_pair=6), path, progress=stop)
    with open_results(path) as results:
        assert len(results) == 5
    assert run_tournament(spec(games_per_pair=6), path).played == 13
    run_tournament(spec(games_per_pair=6), tmp_path / "whole.db")
    assert exported(path) == exported(tmp_path / "whole.db")


def test_a_faulty_player_does_not_stop_the_tournament(tmp_path):
    players = PLAYERS | {"raises": "faulty", "cheats": "faulty:kind=illegal", "exits": "faulty:kind=exit"}
    run_tournament(spec(players=players), tmp_path / "r.db")
    with open_results(tmp_path / "r.db") as results:
        endings = results.endings()
        assert sum(endings.values()) == 30
        faulty = [seat for record in results for seat in record.seats if seat.player in ("raises", "cheats")]
        assert len(faulty) == 20
    assert endings["exception"] + endings["illegal action"] == 24


@pytest.mark.parametrize(
    ("player", "words"),
    [
        ("mcts:memory=1KB", "memory=1.0kB is too little"),
        ("mcts:policy=nothing-such", "Game toy has no rollout policy 'nothing-such'"),
        ("mcts:evaluation=nothing-such", "Game toy has no evaluation 'nothing-such'"),
    ],
)
def test_a_player_that_can_never_move_is_refused_before_the_first_game(tmp_path, player, words):
    path = tmp_path / "r.db"
    with pytest.raises(OptionError, match=r"Player 'never' \(mcts.*cannot play toy") as caught:
        run_tournament(spec(players=PLAYERS | {"never": player}), path)
    assert words in str(caught.value)
    assert not path.exists()


def test_replays_are_dropped_if_not_wanted(tmp_path):
    run_tournament(spec(games_per_pair=4, replays=1), tmp_path / "some.db")
    run_tournament(spec(games_per_pair=4), tmp_path / "all.db")
    with open_results(tmp_path / "some.db") as some, open_results(tmp_path / "all.db") as every:
        kept = [bool(record.replay.steps) for record in some]
        assert sum(kept) == 3
        assert all(record.replay.steps for record in every)
        for one, other in zip(some, every, strict=True):
            assert one.replay.start == other.replay.start
            assert [len(seat.costs) for seat in one.seats] == [len(seat.costs) for seat in other.seats]
    assert exported(tmp_path / "some.db") == exported(tmp_path / "all.db")


def test_a_broken_game_stops_the_tournament_with_a_message(tmp_path):
    with pytest.raises(
        TurnwiseError,
        match=r"Game 0 \(a - b, fog:.*the fog is broken\. Finished games are kept; run the same command again",
    ):
        run_tournament(spec(games=["fog:broken=true"]), tmp_path / "r.db")


def test_impossible_numbers(tmp_path):
    for wrong in ({"workers": 0}, {"attempts": 0}):
        with pytest.raises(OptionError, match="a whole number from 1"):
            run_tournament(spec(), tmp_path / "r.db", **wrong)


def test_planners_are_warmed_before_the_clock_runs(tmp_path, monkeypatch):
    from turnwise.arena.tournament.job import warm

    asked = []
    plan = Plain.plan

    def watched(self, state, budget, seed=0):
        asked.append(budget.is_timed)
        return plan(self, state, budget, seed)

    monkeypatch.setattr(Plain, "plan", watched)
    warm.cache_clear()
    run_tournament(spec(budget="time=50ms"), tmp_path / "r.db")
    assert asked[:3] == [False, False, False]
    assert len(asked) > 3
    assert all(asked[3:])


PROGRAM = """
import sys
import turnwise.arena.tournament.run as run
from doubles.small_tournaments import PLAYERS, spec
from turnwise.arena import run_tournament

def main():
    run.available_cores = lambda: 1
    messages = []
    kind, path = sys.argv[1:]
    if kind == "dies":
        players = {"a": "plain", "b": "plain:salt=1", "dies": "faulty:kind=die"}
        collect = lambda p: p.message and messages.append(p.message)
        tables = {"pairing": "tables", "tables": [["a", "dies"], ["a", "b"]]}
        summary = run_tournament(spec(players=players, **tables), path, workers=2, imports=["doubles.arena_doubles"],
                                 attempts=2, progress=collect)
        print(summary.total, summary.played, summary.abandoned, summary.lost, len(messages))
    else:
        run.DaskPool = None  # would be called
        run_tournament(spec(budget="time=2ms"), path, workers=2, progress=lambda p: p.message and print(p.message))

if __name__ == "__main__":
    main()
"""


def run_program(tmp_path, kind):
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    command = [sys.executable, str(program), kind, str(tmp_path / "r.db")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=200, env=os.environ)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_game_that_kills_its_workers_is_given_up_and_costs_no_other_game(tmp_path):
    total, played, abandoned, lost, messages = map(int, run_program(tmp_path, "dies").split())
    assert (total, played, abandoned) == (4, 4, 2)
    assert lost == 4  # two games, two tries each: no other game waits for them on the same worker
    assert messages == 2  # every loss followed by another attempt is reported
    with open_results(tmp_path / "r.db") as results:
        assert results.endings()[Ending.ABANDONED.value] == 2
        for record in results:
            lost = "dies" in {seat.player for seat in record.seats}
            assert (record.ending is Ending.ABANDONED) == lost
            if lost:
                assert [(seat.score, seat.rank) for seat in record.seats] == [(0.0, 0), (0.0, 0)]
                assert record.replay.make_game().spec == "toy:turns=4,chance=True"


def test_no_more_games_are_handed_out_than_workers_are_alive():
    """A worker's death is charged to all jobs that it has, so no job may wait for another on the same worker."""
    with DaskPool(2) as pool:
        assert pool.capacity == 2
        victim = next(iter(pool._cluster.workers.values()))
        victim.auto_restart = False
        os.kill(victim.pid, signal.SIGKILL)
        deadline = time.monotonic() + 60
        while pool.capacity == 2:
            assert time.monotonic() < deadline, "the death is not detected"
            time.sleep(0.05)
        assert pool.capacity == 1
        assert (
            pool.collect() == []
        )  # nothing finished: the pool checks its workers, and the caller can ask for the capacity again
        while pool.capacity == 1:
            assert time.monotonic() < deadline, "no worker replaces the dead one"
            pool.collect()
        assert pool.capacity == 2


def test_games_are_played_on_the_workers_of_a_running_scheduler(tmp_path):
    import distributed

    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=False, protocol="tcp", host="127.0.0.1", dashboard_address=None
    ) as cluster:
        assert cluster.scheduler_address.startswith("tcp://127.0.0.1:")
        summary = run_tournament(spec(games_per_pair=4), tmp_path / "r.db", scheduler=cluster.scheduler_address)
        assert len(cluster.scheduler_info["workers"]) == 2  # still alive: they belong to the scheduler's owner
    assert (summary.total, summary.played, summary.lost) == (12, 12, 0)
    run_tournament(spec(games_per_pair=4), tmp_path / "whole.db")
    assert exported(tmp_path / "r.db") == exported(tmp_path / "whole.db")


@pytest.mark.parametrize("address", ["foo", "nonsense://x", "tcp://host", "tcp://:8786", "tcp://host:port", " "])
def test_what_is_no_address_is_refused_before_a_file_is_made(tmp_path, address):
    with pytest.raises(OptionError, match="is not the address of a Dask scheduler"):
        run_tournament(spec(), tmp_path / "r.db", scheduler=address)
    assert list(tmp_path.iterdir()) == []


def test_an_address_without_a_scheduler_is_reported(tmp_path, monkeypatch):
    monkeypatch.setattr(workers, "_CONNECTING", 1)
    with pytest.raises(TurnwiseError, match=r"No Dask scheduler with workers answers at 'tcp://127.0.0.1:1'"):
        run_tournament(spec(), tmp_path / "r.db", scheduler="tcp://127.0.0.1:1")


def test_timed_games_never_outnumber_the_cores(tmp_path):
    assert "no more than 1 game at a time, one per core, instead of" in run_program(tmp_path, "timed")


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ('{"record": {}}', r"the worker's answer is not a game: 'key' is missing\. Finished games"),
        ('{"record": 3}', "is not a game: expected an object with the fields key, "),
        ('{"record"', r"the worker's answer cannot be read \(JSONDecodeError: "),
        (None, "cannot be read"),
    ],
)
def test_a_workers_invalid_answer_is_reported_in_plain_words(answer, words):
    job = next(iter(make_schedule(spec()).jobs()))
    with pytest.raises(TurnwiseError, match=words):
        read_answer(Finished(job.key, answer), job)
