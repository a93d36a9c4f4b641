"""A server of the viewer for each test."""

import pytest

from doubles.viewer_server import serving


@pytest.fixture
def server(tmp_path):
    """A server with an empty folder of games."""
    (tmp_path / "games").mkdir()
    with serving(tmp_path / "games") as client:
        yield client
