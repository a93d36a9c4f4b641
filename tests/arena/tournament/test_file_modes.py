"""Tournaments in a mode that is a file: jobs, workers and results carry the content, people see the label."""

import pytest

from doubles.file_mode_game import FileToy, ModeFile
from turnwise import GAMES, make
from turnwise.arena import make_schedule, make_spec, open_results, run_tournament
from turnwise.arena.tournament.schedule import GameJob

KING = "name: King\nturns: 5\n"


@pytest.fixture(autouse=True)
def registered():
    GAMES._classes[FileToy.name] = FileToy


@pytest.fixture
def spec(tmp_path):
    path = tmp_path / "king.yaml"
    path.write_text(KING)
    players = {"a": "plain", "b": "plain:salt=1"}
    return make_spec(games=[f"file-toy:mode={path}"], players=players, budget="iterations=3", games_per_pair=2)


def content(results):
    return [
        (one.key, one.scenario, one.replay.options, [(seat.player, seat.result) for seat in one.seats])
        for one in results
    ]


def test_a_tournament_is_rebuilt_from_its_results_alone(spec, tmp_path):
    run_tournament(spec, tmp_path / "one.sqlite")
    label = ModeFile.read(tmp_path / "king.yaml").label
    (tmp_path / "king.yaml").unlink()
    with open_results(tmp_path / "one.sqlite") as results:
        played, found = content(results), results.spec
        assert list(results.rules) == [f"file-toy:mode={label}"]
    assert {scenario for _, scenario, _, _ in played} == {f"file-toy:mode={label}"}
    assert all(options["mode"]["turns"] == 5 for _, _, options, _ in played)
    assert "king.yaml" not in found.model_dump_json()
    run_tournament(found, tmp_path / "two.sqlite")
    with open_results(tmp_path / "two.sqlite") as results:
        assert content(results) == played
    assert run_tournament(found, tmp_path / "one.sqlite").played == 0


def test_the_same_content_in_another_file_is_the_same_tournament(spec, tmp_path):
    other = tmp_path / "other.yaml"
    other.write_text("# the same\nturns: 5\nname: 'King'\nseats: 2\n")
    same = spec.model_copy(update={"games": (f"file-toy:mode={other}",)})
    assert [job.key for job in make_schedule(same).jobs()] == [job.key for job in make_schedule(spec).jobs()]
    other.write_text("name: King\nturns: 6\n")
    changed = make_schedule(same)
    assert changed.identity_hash != make_schedule(spec).identity_hash


def test_a_job_carries_the_content(spec, tmp_path):
    job = next(make_schedule(spec).jobs())
    (tmp_path / "king.yaml").unlink()
    read = GameJob.model_validate_json(job.model_dump_json())
    assert make(read.scenario_to_make).spec == job.scenario
    toy = next(make_schedule(make_spec(games=["toy"], players=["plain", "plain:salt=1"], budget="iterations=1")).jobs())
    assert (toy.full_scenario, toy.scenario_to_make) == ("", "toy")


@pytest.mark.slow
def test_workers_of_other_processes_get_the_content(spec, tmp_path):
    imports = ["doubles.arena_doubles", "doubles.file_mode_worker"]
    run_tournament(spec, tmp_path / "one.sqlite", workers=2, imports=imports)
    run_tournament(spec, tmp_path / "two.sqlite")
    with open_results(tmp_path / "one.sqlite") as one, open_results(tmp_path / "two.sqlite") as two:
        assert content(one) == content(two)
