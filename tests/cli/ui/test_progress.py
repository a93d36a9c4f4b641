"""Notices of what is compiled."""

from turnwise.cli.ui.progress import Notices


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
