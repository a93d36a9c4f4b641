"""The viewer in a real browser: games played by clicks, two people, a tournament, a server that is started again."""

import contextlib
import json

import pytest

import turnwise
from doubles.chromium import CHROMIUM
from doubles.cli_samples import TINY
from doubles.viewer_server import serving
from turnwise.arena import make_spec, run_tournament

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not CHROMIUM.exists(), reason=f"{CHROMIUM} is missing: install Debian's chromium"),
]
YOUR_TURN = ("It is your turn", "Choose a target")


@contextlib.contextmanager
def opened(browser, address, **settings):
    """A page on which nothing goes wrong and that asks nobody but the server."""
    context = browser.new_context(viewport={"width": 1300, "height": 1000}, **settings)
    page = context.new_page()
    page.troubles, page.asked = [], []
    page.on("console", lambda message: page.troubles.append(message.text))
    page.on("pageerror", lambda error: page.troubles.append(str(error)))
    page.on("request", lambda request: page.asked.append(request.url))
    page.on(
        "response", lambda answer: page.troubles.append((answer.url, answer.text())) if answer.status >= 400 else None
    )
    page.goto(address)
    yield page
    assert all(url.startswith((address.split("/room")[0].split("/results")[0], "blob:")) for url in page.asked)
    context.close()


def begin(page, game, options="", rival="random", budget="iterations=5", state=""):
    """Fill in the form of the first page."""
    page.locator("#seats .wanted").first.wait_for()
    page.select_option("#game", game)
    page.fill("#options", options)
    if page.locator("#player1").count():
        page.fill("#player1", rival)
        if rival != "person":
            page.fill("#budget1", budget)
    if state:
        page.get_by_text("From a saved game or position").click()
        page.fill("#text", state)
    page.get_by_role("button", name="Begin").click()
    page.locator("#board svg").first.wait_for()


def until(page, condition, tries=600):
    """Poll: the page's policy forbids the script evaluation that the browser's own wait needs."""
    for _ in range(tries):
        if condition():
            return
        page.wait_for_timeout(25)
    raise AssertionError(f"it did not happen; the page says {page.inner_text('#status')!r}")


def status(page):
    return page.inner_text("#status")


def click(locator, number=0):
    """Click one of several where the page may be drawing a new position at this moment."""
    from playwright.sync_api import Error

    with contextlib.suppress(Error):
        locator.nth(number % max(1, locator.count())).click(force=True, timeout=500)


def click_through(page, most=3000):
    """Play by clicks alone until the game is over: what glows first, or a button."""
    for number in range(most):
        said = status(page)
        if "The game is over" in said:
            return number
        if "Position after" in said:  # a click meant for something that moved away has hit the buttons below
            click(page.locator("#last"))
        if not any(words in said for words in YOUR_TURN):
            page.wait_for_timeout(20)
            continue
        target, chips = page.locator(".areas rect.target"), page.locator("#chips button")
        first = page.locator(".areas rect.can:not(.other)")
        if target.count():
            click(target, number)
        elif chips.count() and (not first.count() or number % 3 == 2):
            click(chips, number)
        elif first.count():
            click(first, number)
        else:
            if not page.locator("#list").is_visible():
                page.get_by_text("All legal actions").click()
            click(page.locator("#list button"))
        page.wait_for_timeout(20 if page.locator(".areas rect.on").count() else 80)
    raise AssertionError(f"the game did not end; the page says {status(page)!r}")


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("hero-academy", "map=a-tiny,deck=tiny,turn-limit=6"),
        ("samegame", "board=3"),
        ("stratega", "mode=pushers"),
        ("tribes", "side=8,mode=score,limit=2"),
        ("search-race", ""),
    ],
)
def test_a_whole_game_by_clicks(browser, server, game, options):
    with opened(browser, server.address) as page:
        late = {"timer": 592} if game == "search-race" else {}  # of 600 turns
        state = json.dumps(turnwise.make(game).start(1).to_dict() | late) if late else ""
        begin(page, game, options, state=state)
        assert click_through(page) > 0
        steps = int(page.locator("#place").get_attribute("max"))
        until(page, lambda: page.locator("#moves li").count() == steps)
        assert page.inner_text("#error") == ""
        assert page.troubles == [], page.troubles


def test_keys_choose_and_go_through_the_game(browser, server):
    with opened(browser, server.address) as page:
        begin(page, "samegame", "board=3")
        page.locator(".areas rect.can").first.focus()
        page.keyboard.press("Enter")
        until(page, lambda: page.locator("#place").get_attribute("max") == "1")
        page.locator("body").press("ArrowLeft")
        until(page, lambda: "Position after 0 of 1" in status(page))
        page.locator("body").press("End")
        until(page, lambda: "It is your turn" in status(page))
        labels = [one.get_attribute("aria-label") for one in page.locator(".areas rect").all()[:3]]
        assert all(label.startswith("region of") for label in labels)


def test_typed_actions_and_undo(browser, server):
    with opened(browser, server.address) as page:
        begin(page, "hero-academy", "map=a-tiny,deck=tiny")
        page.get_by_text("All legal actions").click()
        first = page.locator("#list button").first.inner_text()
        page.fill("#text", "fly 1,1")
        page.click("#play")
        assert "fly 1,1 is no legal action here" in page.inner_text("#error")
        page.fill("#text", first)
        page.click("#play")
        until(page, lambda: page.locator("#moves li").count() == 1)
        page.click("#undo")
        until(page, lambda: page.locator("#moves li").count() == 0)
        assert page.inner_text("#error") == ""


def test_many_pages_of_one_browser_leave_each_other_connections(browser, server):
    room, (secret,) = server.begin("samegame:board=3", "person")
    over, _ = server.begin(TINY, "random", "random")
    context = browser.new_context()
    pages = [context.new_page() for _ in range(9)]
    names = [over.rsplit("/", 1)[1]] * 8 + [f"{room.rsplit('/', 1)[1]}#seat={secret}"]
    for page, name in zip(pages, names, strict=True):
        page.goto(f"{server.address}/room?room={name}")
        page.locator("#board svg").first.wait_for()
    context.close()


def test_what_is_not_there_is_said(browser, server):
    room, _ = server.begin(TINY, "person", "person")
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{server.address}/room?room=nowhere")
    until(page, lambda: "There is no game 'nowhere'" in page.inner_text("#error"))
    page.goto(f"{server.address}/room?room={room.rsplit('/', 1)[1]}#seat=mistyped")
    until(page, lambda: "Open the link of your seat" in page.inner_text("#error"))
    context.close()


def test_options_change_the_seats_of_a_new_game(browser, server):
    with opened(browser, server.address) as page:
        page.locator("#seats .wanted").first.wait_for()
        page.select_option("#game", "tribes")
        page.fill("#options", "players=3")
        page.locator("#options").blur()
        until(page, lambda: page.locator("#seats .wanted").count() == 3)
        page.fill("#options", "level=/etc/passwd")
        page.locator("#options").blur()
        until(page, lambda: "cannot name a file" in page.inner_text("#error"))


def test_two_people_at_two_pages(browser, server):
    with opened(browser, server.address) as page:
        begin(page, "hero-academy", "map=a-tiny,deck=tiny", rival="person")
        until(page, lambda: page.locator("#invite a").count() == 2)
        links = [link.get_attribute("href") for link in page.locator("#invite a").all()]
        assert len(links) == 2
        with opened(browser, server.address + links[0]) as one, opened(browser, server.address + links[1]) as two:
            one.locator("#board svg").first.wait_for()
            two.locator("#board svg").first.wait_for()
            until(one, lambda: "It is your turn" in status(one))
            assert "person #1) is to move" in status(two)
            assert two.locator(".areas rect.can").count() == 0
            one.locator('.areas rect[data-area^="card"]').first.click(force=True)
            one.locator("#chips button").first.click()
            until(two, lambda: two.locator("#moves li").count() == 1)
            shown = "document.querySelector('#board .sheet div').shadowRoot.textContent"
            hidden = f"{shown}.includes('Hand of player 1: hidden')"
            assert two.evaluate(hidden)
            assert not one.evaluate(hidden)


def test_thoughts_are_shown_while_a_planner_thinks(browser, server):
    with opened(browser, server.address) as page:
        begin(page, "hero-academy", "map=a-tiny,deck=tiny,hands=open", rival="mcts", budget="time=3s")
        page.locator('.areas rect[data-area^="card"]').first.wait_for()
        page.fill("#planner", "mcts")
        page.fill("#budget", "time=2s")
        page.get_by_role("button", name="Analyse this position").click()
        seen = set()
        for _ in range(400):
            if page.locator("#analysis .answer").count():
                break
            if page.locator("#analysis .lines").count():
                seen.add(page.inner_text("#analysis .small"))
            page.wait_for_timeout(50)
        assert len(seen) >= 4  # at least two a second
        assert "mcts, after 0 actions" in page.inner_text("#analysis strong")
        assert page.locator("#analysis button").count() == 0  # nothing is left to stop
        assert page.locator("#analysis .lines li").count() > 0


def test_a_page_connects_again_when_the_server_is_back(browser, tmp_path):
    keep = tmp_path / "games"
    keep.mkdir()
    with serving(keep) as server:
        port = server.port
        context = browser.new_context()
        page = context.new_page()
        page.goto(server.address)
        begin(page, "samegame", "board=3")
        page.locator(".areas rect.can").first.click(force=True)
        until(page, lambda: page.locator("#moves li").count() == 1)
    until(page, lambda: "connection lost" in page.inner_text("#link"))
    with serving(keep, port=port):
        until(page, lambda: page.inner_text("#link") == "")
        page.locator(".areas rect.can").first.click(force=True)
        until(page, lambda: page.locator("#moves li").count() == 2)
    context.close()


def test_a_tournament_fills_its_table_and_opens_its_games(browser, tmp_path):
    path, keep = tmp_path / "league.sqlite", tmp_path / "games"
    keep.mkdir()
    spec = {"games": [TINY], "players": {"a": "greedy-turn", "b": "random"}, "budget": "iterations=2"}
    run_tournament(make_spec(**spec, games_per_pair=2), path)
    with serving(keep, path) as server, opened(browser, server.address + "/results") as page:
        page.locator("#scores table").wait_for()
        assert page.locator("#games tbody tr").count() == 2
        run_tournament(make_spec(**spec, games_per_pair=6), path)
        until(page, lambda: page.locator("#games tbody tr").count() == 6)
        assert page.locator("#scores td.cell", has_text=", 6").count() == 2
        page.get_by_role("button", name="Watch game").first.click()
        page.locator("#board svg").first.wait_for()
        until(page, lambda: "The game is over" in status(page))
        assert page.troubles == [], page.troubles


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", ["/", "/results", "room"])
def test_narrow_screens_need_no_scrolling_sideways(browser, tmp_path, scheme, path):
    keep, results = tmp_path / "games", tmp_path / "league.sqlite"
    keep.mkdir()
    spec = {"games": [TINY], "players": {"a": "greedy-turn", "b": "random"}, "budget": "iterations=2"}
    run_tournament(make_spec(**spec, games_per_pair=2), results)
    with serving(keep, results) as server:
        room, (secret,) = server.begin(TINY, "person", "random")
        address = f"/room?room={room.rsplit('/', 1)[1]}#seat={secret}" if path == "room" else path
        context = browser.new_context(viewport={"width": 390, "height": 800}, color_scheme=scheme)
        page = context.new_page()
        page.goto(server.address + address)
        page.locator({"/": "#seats .wanted", "/results": "#scores table", "room": "#board svg"}[path]).first.wait_for()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        dark = page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(15, 19, 24)"
        assert dark == (scheme == "dark")
        context.close()


def test_a_hostile_picture_runs_nothing(browser, server, monkeypatch):
    from turnwise.games.samegame import SameGame

    def svg(self, row, last_action=None):
        return (
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" onload="window.hit = 1"><style>*{display:none}'
            "</style><script>window.hit = 2</script><image href='x' onerror='window.hit = 3'/></svg>"
            "<img src=x onerror='window.hit = 4'>"
        )

    monkeypatch.setattr(SameGame, "svg", svg)
    room, (secret,) = server.begin("samegame:board=3", "person")
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{server.address}/room?room={room.rsplit('/', 1)[1]}#seat={secret}")
    until(page, lambda: "It is your turn" in status(page))
    page.wait_for_timeout(200)
    assert page.evaluate("window.hit === undefined")
    assert page.locator("#players").is_visible()
    context.close()
