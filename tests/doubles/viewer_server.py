"""A server of the viewer on a free port of this machine."""

import contextlib
import json
import threading
import time
from http.client import HTTPConnection
from types import SimpleNamespace

from turnwise.viewer.app import make_app
from turnwise.viewer.server import listening_socket, server_of


@contextlib.contextmanager
def serving(keep, results=None, port=0, engines=()):
    """Serve in a thread of this process."""
    ready, app = threading.Event(), make_app(keep, results=results, engines=engines)
    server = server_of(app, ready.set)
    with listening_socket("127.0.0.1", port) as listener:
        thread = threading.Thread(target=lambda: server.run(sockets=[listener]))
        thread.start()
        assert ready.wait(30)
        try:
            yield Client(listener.getsockname()[1], app.state.viewer)
        finally:
            server.should_exit = True
            thread.join(30)
            app.state.viewer.close()
    assert not thread.is_alive()


def until(condition, seconds=60):
    """Wait until a server's threads, or another process, have done something."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.02)


class Client:
    """Requests as the pages send them."""

    def __init__(self, port, viewer):
        self.port, self.viewer = port, viewer
        self.address = f"http://127.0.0.1:{port}"

    def send(self, method, path, body=None, headers=()):
        """Status and content of an answer."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=60)
        content = None if body is None else body if isinstance(body, str) else json.dumps(body)
        own = {} if body is None else {"Content-Type": "application/json"}
        connection.request(method, path, content, {**own, **dict(headers)})
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        return SimpleNamespace(status=answer.status, text=text, headers=answer.headers)

    def get(self, path):
        """An answer that must succeed."""
        answer = self.send("GET", path)
        assert answer.status == 200, answer.text
        return json.loads(answer.text)

    def post(self, path, **body):
        """An answer that must succeed."""
        answer = self.send("POST", path, body)
        assert answer.status == 200, answer.text
        return json.loads(answer.text)

    def refused(self, path, **body):
        """The error of a request that must not succeed."""
        answer = self.send("POST", path, body)
        assert 400 <= answer.status < 500, answer.text
        return json.loads(answer.text)["error"]

    def problems(self, game, *seats):
        """What is wrong with seats, once they have been checked."""
        answers = []

        def are_checked():
            answers[:] = [self.post("/api/seats", game=game, seats=seats)]
            return answers[0]["is_checked"]

        until(are_checked)
        return answers[0]["problems"]

    def begin(self, game, *players, **more):
        """A new game: its path in the interface, and the secrets of its people."""
        seats = [{"player": p} if p == "person" else {"player": p, "budget": "iterations=20"} for p in players]
        made = self.post("/api/rooms", game=game, seats=seats, **more)
        return f"/api/rooms/{made['room']}", [secret for secret in made["secrets"] if secret]
