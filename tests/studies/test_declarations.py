"""Every study runs what it declares, and refuses invalid requests before anything is played."""

import importlib

import pytest

from turnwise.core.errors import OptionError, UnknownNameError
from turnwise.studies import STUDIES, all_studies, get_study
from turnwise.studies.hybrids_2022.experiment import EFFORTS, SEEDS, parts
from turnwise.studies.oe_2016.experiment import Effort, tournaments

EVERY = pytest.mark.parametrize("study", all_studies(), ids=lambda study: study.name)


@EVERY
def test_a_study_is_declared_in_full(study):
    assert get_study(study.name) is study
    assert list(STUDIES)[[known.name for known in all_studies()].index(study.name)] == study.name
    assert study.title
    assert study.source
    assert "quick" in study.efforts
    assert study.default_reading in study.readings or not study.readings
    assert bool(study.one_reading) != bool(study.readings)
    for room in ("experiment", "claims", "report", "run"):
        assert importlib.import_module(f"{study.package}.{room}").__doc__


def test_declared_parts_and_efforts_are_those_that_are_played():
    assert tuple(name for name, _ in tournaments("sound", Effort("paper"), 2).named()) == get_study("oe-2016").parts
    hybrids = get_study("hybrids-2022")
    assert tuple(parts()) == hybrids.parts
    assert list(EFFORTS) == list(SEEDS) == list(hybrids.efforts)


@EVERY
def test_what_a_study_does_not_know_is_refused(study, tmp_path):
    out = tmp_path / "out"
    with pytest.raises(OptionError, match=r"the effort must be one of .*quick; got 'huge'"):
        study.run(effort="huge", out=out)
    with pytest.raises(OptionError, match=r"the reading must be one of|only one reading"):
        study.run(reading="loose", out=out)
    with pytest.raises(UnknownNameError, match="This study has no part 'tabel'"):
        study.run(only=("tabel",), out=out)
    with pytest.raises(OptionError, match=r"got both, the effort 'quick' and 5 ms\. .* not both"):
        study.run(effort="quick", time_ms=5, out=out)
    if study.no_time:
        with pytest.raises(OptionError, match=r"not time; use --effort .* or quick\."):
            study.run(time_ms=5, out=out)
    assert not out.exists()


@EVERY
def test_parts_are_played_by_default_or_on_request(study, tmp_path, monkeypatch):
    requests = []
    monkeypatch.setattr(importlib.import_module(f"{study.package}.run"), "run", requests.append)
    study.run(out=tmp_path)
    assert requests[0].parts == tuple(part for part in study.parts if part not in study.on_request)
    for part in (*study.on_request, study.parts[0]):
        study.run(only=(part,), out=tmp_path)
        assert requests[-1].parts == (part,)
    assert set(study.sound_only) <= set(study.parts)
    for part in study.sound_only:
        with pytest.raises(OptionError, match=f"the part {part}, which is played in the reading sound only; got the"):
            study.run(only=(part,), reading="as-coded", out=tmp_path)


def test_a_headline_part_is_not_played_with_the_part_that_includes_it(tmp_path):
    with pytest.raises(OptionError, match="headline-samegame is included in samegame"):
        get_study("hybrids-2022").run(only=("samegame", "headline-samegame"), out=tmp_path / "out")
    assert not (tmp_path / "out").exists()
