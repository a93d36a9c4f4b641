"""What a person meets who uses the viewer for the first time: clicks, errors, waiting and keys."""

import pytest

from doubles.chromium import CHROMIUM
from doubles.viewer_pages import opened, status, until

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not CHROMIUM.exists(), reason=f"{CHROMIUM} is missing: install Debian's chromium"),
]
SMALL = "map=a-tiny,deck=tiny"


def room_of(page):
    """The path of a page's game in the interface."""
    return "/api/rooms/" + page.url.split("room=")[1].split("#")[0]


def play(page, action):
    """Type an action, and wait until it has been played."""
    steps = page.locator("#moves li").count()
    page.fill("#text", action)
    page.click("#play")
    until(page, lambda: page.locator("#moves li").count() == steps + 1)


def begun(server, game, *players, **more):
    """The address of a page of a new game, with the key of the first person."""
    room, secrets = server.begin(game, *players, **more)
    return f"{server.address}/room?room={room.rsplit('/', 1)[1]}" + (f"#seat={secrets[0]}" if secrets else "")


def test_a_click_on_a_card_does_not_discard_it(browser, server):
    with opened(browser, begun(server, f"hero-academy:{SMALL}", "person", "random", seed=1)) as page:
        play(page, "drop AR>0,0")
        until(page, lambda: "It is your turn" in status(page))
        page.locator('.areas rect[data-area="card CL"]').first.click(force=True)
        until(page, lambda: "Choose a button below the board" in status(page))
        assert page.locator("#chips button").all_inner_texts() == ["discard CL"]
        page.wait_for_timeout(200)
        assert page.locator("#moves li").count() == 1
        page.locator("#chips button").click()
        until(page, lambda: page.locator("#moves li").count() == 2)
