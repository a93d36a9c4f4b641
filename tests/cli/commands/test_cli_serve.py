"""``serve``: a server in a process of its own, killed and started again; wrong input."""

import json
import re
import signal
import time
from http.client import HTTPConnection

import pytest

from doubles.cli_samples import TINY
from doubles.viewer_server import until
from turnwise.cli.commands import serve


def ask(port, method, path, body=None):
    """The content of an answer."""
    connection = HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request(method, path, None if body is None else json.dumps(body), {"Content-Type": "application/json"})
    answer = connection.getresponse()
    content = json.loads(answer.read())
    connection.close()
    assert answer.status == 200, content
    return content


def port_of(server):
    """The port in the line that the server prints when it is ready."""
    line = server.stdout.readline()
    return int(re.fullmatch(r"Open http://127\.0\.0\.1:(\d+)/ \(Ctrl-C ends the server\)\.\n", line)[1])


def test_a_killed_server_has_lost_nothing(process, tmp_path):
    server = process("serve", "--no-browser", "--port", "0", "--keep", "kept")
    port = port_of(server)
    made = ask(port, "POST", "/api/rooms", {"game": TINY, "seats": [{"player": "person"}, {"player": "random"}]})
    room, secret = f"/api/rooms/{made['room']}", made["secrets"][0]
    first = ask(port, "GET", f"{room}?secret={secret}")["legal"][0]["action"]
    ask(port, "POST", f"{room}/play", {"action": first, "at": 0, "secret": secret})
    server.kill()
    server.wait()
    again = process("serve", "--no-browser", "--port", str(port), "--keep", "kept")
    assert port_of(again) == port
    assert ask(port, "GET", f"{room}/frames/1?secret={secret}")["action"] == first
    again.send_signal(signal.SIGINT)
    assert again.wait(20) == 0
    assert "Traceback" not in again.stderr.read()


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        (("nowhere.sqlite",), "nowhere.sqlite"),
        (("--address", "0.0.0.0"), "--host NAME"),
        (("--address", "203.0.113.7"), "cannot listen on 203.0.113.7"),
        (("--port", "70000"), "--port"),
        (("--keep", "file"), "file"),
    ],
)
def test_wrong_input_is_refused_and_leaves_nothing(cli, tmp_path, typed, words):
    (tmp_path / "file").write_text("not a folder")
    cli("serve", *typed).refused(words)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize("more", [(), ("--no-browser",)])
def test_the_page_is_opened_unless_it_is_not_wanted(process, tmp_path, more):
    opened, browser = tmp_path / "opened", tmp_path / "browser"
    browser.write_text(f"#!/bin/sh\necho $1 > {opened}.part && mv {opened}.part {opened}\n")
    browser.chmod(0o755)
    port = port_of(process("serve", "--port", "0", "--keep", "kept", *more, BROWSER=str(browser)))
    if more:
        time.sleep(0.5)
        assert not opened.exists()
    else:
        until(opened.exists)
        assert opened.read_text() == f"http://127.0.0.1:{port}/\n"


@pytest.mark.parametrize(
    ("platform", "variables", "has_windows"),
    [("linux", {}, False), ("linux", {"DISPLAY": ":0"}, True), ("darwin", {}, True)],
)
def test_no_browser_in_text_mode_is_opened(monkeypatch, platform, variables, has_windows):
    monkeypatch.setattr(serve.sys, "platform", platform)
    monkeypatch.setattr(serve.os, "environ", variables)
    assert serve._has_windows() == has_windows


def test_a_port_in_use_is_named(cli, process):
    port = port_of(process("serve", "--no-browser", "--port", "0", "--keep", "kept"))
    cli("serve", "--port", str(port)).refused(f"port {port}", "--port 0")
