"""Ending a pair's games by a sequential test: the set of games must depend on nothing but the schedule."""

from types import SimpleNamespace

import pytest

import turnwise.arena.tournament.run as run
from doubles.arena_doubles import Plain  # noqa: F401 - registers games and players
from turnwise.arena import export_csv, make_spec, open_results, run_tournament
from turnwise.arena.tournament.job import play_job
from turnwise.arena.tournament.schedule import make_schedule
from turnwise.arena.tournament.sequential_verdict import SequentialVerdict
from turnwise.arena.tournament.stopping import Stopping, scores_of, verdicts_on
from turnwise.arena.tournament.workers import Finished, WorkPool
from turnwise.core.errors import OptionError
from turnwise.statistics.sprt import Sprt, SprtState, pentanomial_counts

PLAYERS = {"a": "plain", "b": "plain:salt=1", "loses": "faulty"}
GAMES = 60


def spec(**changed):
    fields = {"games": ["toy:turns=4,chance=true"], "players": PLAYERS, "budget": "iterations=3"}
    return make_spec(**(fields | {"games_per_pair": GAMES, "sprt": {"elo0": 0, "elo1": 100}} | changed))


def exported(path):
    with open_results(path) as results:
        return [file.read_bytes() for file in export_csv(results, f"{path}.tables", timing=False)]


class Backwards(WorkPool):
    """Plays several games at once, of which the last one started finishes first; counts the games played."""

    capacity = 6

    def __init__(self):
        self.hand = []
        self.played = 0

    def submit(self, key, job):
        self.hand.append((key, job))

    def collect(self):
        key, job = self.hand.pop()
        self.played += 1
        return [Finished(key, play_job(job))]


@pytest.fixture(scope="module")
def straight(tmp_path_factory):
    """The tournament played by one worker without interruption."""
    path = tmp_path_factory.mktemp("straight") / "r.db"
    return run_tournament(spec(), path), path


def test_a_pair_ends_at_the_first_decision(straight):
    summary, path = straight
    with open_results(path) as results:
        games = [record for record in results if {seat.player for seat in record.seats} == {"a", "loses"}]
        even = [record for record in results if {seat.player for seat in record.seats} == {"a", "b"}]
        assert summary.total == summary.played == len(results)
    scores = [seat.score for record in games for seat in record.seats if seat.player == "a"]
    pairs = list(zip(scores[::2], scores[1::2], strict=True))
    test = Sprt(0, 100)
    assert test.judge(pentanomial_counts(pairs)).state is SprtState.ACCEPT_H1
    assert test.judge(pentanomial_counts(pairs[:-1])).state is SprtState.CONTINUE
    assert 0 < len(games) < len(even) <= GAMES
    failed = sum(record.is_failed for record in games)
    assert failed > 0  # errors end games and the test, but say nothing of strength
    assert (
        f"a against loses in toy:turns=4,chance=True: no verdict after {len(games)} games, of which {failed} ended by "
        "an error."
    ) in summary.decisions


class Record:
    """What the test reads of a finished game that the first player of its meeting won."""

    is_counted = True

    def __init__(self, job, is_failed):
        self.key, self.is_failed = job.key, is_failed
        self.seats = [SimpleNamespace(player=name, score=float(name == "a")) for name in job.names]


@pytest.mark.parametrize("failing", ["none", "judged", "later"])
def test_only_errors_in_judged_games_take_the_verdict_away(failing):
    jobs = list(make_schedule(spec(players={"a": "plain", "b": "plain:salt=1"})).jobs())
    least = 20
    failed = {"none": set(), "judged": {jobs[3].key}, "later": {jobs[-1].key}}[failing]
    fresh = Stopping(Sprt(0, 100), jobs, {}, least)
    records = [Record(job, job.key in failed) for job in jobs]
    kept = [one for record in records for one in fresh.take(record)]
    (words,) = fresh.decisions()
    assert ("no verdict" in words) is (failing == "judged")
    assert ("of which 1 ended by an error" in words) is (failing == "judged")
    assert ("100 Elo points for a rather than 0" in words) is (failing != "judged")
    assert len(kept) < len(jobs)
    stored = {record.key: {seat.player: seat.score for seat in record.seats} for record in records}
    assert Stopping(Sprt(0, 100), jobs, stored, least, failed).decisions() == [words]


def test_a_results_file_shows_the_verdicts_of_the_run(straight):
    summary, path = straight
    with open_results(path) as results:
        records, test = list(results), results.spec.sprt
    verdicts = verdicts_on(test, records[::-1])
    assert tuple(verdict.words() for verdict in verdicts if verdict.is_decided) == summary.decisions
    scores = {record.key: scores_of(record) for record in records}
    failed = [record.key for record in records if record.is_failed]
    jobs = list(make_schedule(spec()).jobs())
    assert list(verdicts) == Stopping(test.test(), jobs, scores, test.least, failed).verdicts()


@pytest.mark.parametrize("left_out", [0, 1, 2, 3])
def test_a_game_without_the_other_one_of_its_start_counts_for_nothing(straight, left_out):
    with open_results(straight[1]) as results:
        records, test = list(results), results.spec.sprt
    (partner,) = (record for record in records if record.number == left_out ^ 1)
    pair = {left_out, left_out ^ 1}
    found = verdicts_on(test, [record for record in records if record.number != left_out])
    complete = verdicts_on(test, [record for record in records if record.number not in pair])
    assert {verdict.players: verdict for verdict in found} == {verdict.players: verdict for verdict in complete}
    assert [verdict.players for verdict in found] == [("a", "b"), ("a", "loses"), ("b", "loses")]
    (alone,) = verdicts_on(test, [partner])
    assert (alone.players, alone.games, alone.is_decided) == (found[left_out // 2].players, 0, False)


def test_a_verdict_in_words():
    def verdict(test, llr, **changed):
        return SequentialVerdict(
            **(
                {"players": ("a", "b"), "scenario": "toy", "games": 8, "test": test, "llr": llr, "is_decided": True}
                | changed
            )
        )

    assert verdict(Sprt(0, 50), -3).outcome() == "0 Elo points for a rather than 50"
    assert verdict(Sprt(-30, 30), 3).outcome() == "a is stronger: 30 Elo points rather than -30"
    assert verdict(Sprt(-30, 30), -3).words().startswith("a against b in toy: decided after 8 games, b is stronger: 30")
    assert verdict(Sprt(0, 50), 1, is_decided=False).outcome() == "open"
    failed = verdict(Sprt(0, 50), 3, errors=2)
    assert (failed.accepted, failed.outcome()) == (None, "none: 2 games ended by an error")


def test_the_least_number_of_games_is_played_in_any_case(straight, tmp_path):
    with open_results(straight[1]) as results:
        soon = sum({seat.player for seat in record.seats} == {"a", "loses"} for record in results)
    least = soon + 6
    run_tournament(spec(sprt={"elo0": 0, "elo1": 100, "least": least}), tmp_path / "r.db")
    with open_results(tmp_path / "r.db") as results:
        games = [record for record in results if {seat.player for seat in record.seats} == {"a", "loses"}]
    assert len(games) == least


def test_the_order_in_which_games_finish_changes_nothing(straight, tmp_path, monkeypatch):
    pool = Backwards()
    monkeypatch.setattr(run, "_pool", lambda *_: pool)
    seen = []
    summary = run_tournament(spec(), tmp_path / "r.db", progress=seen.append)
    assert pool.played > summary.played  # games that were begun too early are dropped
    assert (summary.total, summary.decisions) == (straight[0].total, straight[0].decisions)
    assert (seen[-1].done, seen[-1].total) == (summary.total, summary.total)
    assert exported(tmp_path / "r.db") == exported(straight[1])


def test_two_workers_of_a_cluster_play_the_same(straight, tmp_path):
    import distributed

    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=False, protocol="tcp", host="127.0.0.1", dashboard_address=None
    ) as cluster:
        run_tournament(spec(), tmp_path / "r.db", scheduler=cluster.scheduler_address)
    assert exported(tmp_path / "r.db") == exported(straight[1])


@pytest.mark.parametrize("after", [1, 6, 15])
def test_a_stopped_tournament_goes_on_to_the_same_end(straight, tmp_path, monkeypatch, after):
    def stop(progress):
        if progress.played == after:
            raise KeyboardInterrupt

    monkeypatch.setattr(run, "_pool", lambda *_: Backwards())
    with pytest.raises(KeyboardInterrupt):
        run_tournament(spec(), tmp_path / "r.db", progress=stop)
    run_tournament(spec(), tmp_path / "r.db")
    assert exported(tmp_path / "r.db") == exported(straight[1])
    assert run_tournament(spec(), tmp_path / "r.db").played == 0


def test_games_beyond_a_decision_stay_and_no_test_plays_them_all(straight, tmp_path):
    whole = run_tournament(spec(sprt=None), tmp_path / "r.db")
    assert (whole.total, whole.decisions) == (3 * GAMES, ())
    again = run_tournament(spec(), tmp_path / "r.db")
    assert (again.played, again.total, again.decisions) == (0, straight[0].total, straight[0].decisions)


@pytest.mark.parametrize(
    ("sprt", "words"),
    [
        ({"elo0": 50, "elo1": 0}, "elo0 < elo1"),
        ({"elo0": 0}, "'sprt, elo1' is missing"),
        ({"elo0": 0, "elo1": 5, "alpha": 0.7}, "error rates"),
        ({"elo0": 0, "elo1": 5, "gamma": 1}, "sprt: there is no field 'gamma', only elo0, elo1, "),
    ],
)
def test_an_impossible_test_is_refused(sprt, words):
    with pytest.raises(OptionError, match=words):
        spec(sprt=sprt)
