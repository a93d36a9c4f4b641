"""Notices of what is compiled, and progress without a terminal."""

from turnwise.cli.ui.progress import Notices, ProgressMeter


def test_compiled_code_is_called_cached_only_if_it_is(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("TURNWISE_CACHE", str(tmp_path / "cache"))
    notices = Notices()
    notices("one")
    notices("two")
    notices.finish()
    assert capsys.readouterr().err.count("cached for later") == 1
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("TURNWISE_CACHE", str(tmp_path / "file" / "cache"))
    notices = Notices()
    notices("one")
    notices("two")
    notices.finish()
    output = capsys.readouterr().err
    assert "cached for later" not in output
    assert output.count("cannot be cached") == 1


def lines(capsys):
    return [line.removeprefix("Played: ") for line in capsys.readouterr().err.splitlines()]


def test_every_activity_is_counted_from_the_beginning(capsys):
    with ProgressMeter("study") as meter:
        for activity, total in (("first", 20), ("second", 20), ("third", 4)):
            for done in range(total + 1):
                meter.show(done, total, activity)
    told = lines(capsys)
    assert len(told) == 10 + 10 + 4
    assert told[0] == "2 of 20 games (first)"
    assert told[10] == "2 of 20 games (second)"
    assert told[-1] == "4 of 4 games (third)"


def test_stored_activities_are_told_once_each(capsys):
    with ProgressMeter("study") as meter:
        for activity in ("first", "second"):
            meter.show(20, 20, activity)
            meter.show(20, 20, activity)
    assert lines(capsys) == ["20 of 20 games (first)", "20 of 20 games (second)"]


def test_what_an_earlier_command_did_is_not_told_again(capsys):
    with ProgressMeter("tuning") as meter:
        for done in range(41):
            meter.show(done, 80, note="best", is_old=True)
        for done in range(41, 81):
            meter.show(done, 80, note="best")
    told = lines(capsys)
    assert told[0] == "48 of 80 games; best"
    assert len(told) == 5
