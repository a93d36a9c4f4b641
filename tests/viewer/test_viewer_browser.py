"""The viewer in a real browser: games played by clicks, two people, a tournament, a server that is started again."""

import contextlib
import json
import re

import pytest

import turnwise
from doubles.chromium import CHROMIUM
from doubles.cli_samples import TINY
from doubles.viewer_pages import begin, opened, status, until, until_over
from doubles.viewer_server import serving
from turnwise.arena import make_spec, play_game, run_tournament
from turnwise.arena.live_games import LiveGame, folder_of

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not CHROMIUM.exists(), reason=f"{CHROMIUM} is missing: install Debian's chromium"),
]
YOUR_TURN = ("It is your turn", "Choose a ")


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


def test_typed_actions_and_undo(browser, server):
    with opened(browser, server.address) as page:
        begin(page, "hero-academy", "map=a-tiny,deck=tiny")
        page.get_by_text("All legal actions").click()
        first = page.locator("#list button").first.inner_text()
        page.fill("#text", "fly 1,1")
        page.click("#play")
        until(page, lambda: "'fly 1,1' is not a Hero Academy action" in page.inner_text("#error"))
        page.fill("#text", first)
        page.click("#play")
        until(page, lambda: page.locator("#moves li").count() == 1)
        page.click("#undo")
        until(page, lambda: page.locator("#moves li").count() == 0)
        assert page.inner_text("#error") == ""


def test_a_page_that_misses_a_turn_taken_back_shows_what_was_played_instead(browser, server):
    room, (secret,) = server.begin("samegame:board=3", "person")
    legal = [one["action"] for one in server.get(f"{room}?secret={secret}")["legal"]]
    server.post(f"{room}/play", action=legal[0], at=0, secret=secret)
    game = server.viewer.rooms.get(room.rsplit("/", 1)[1])
    with opened(browser, f"{server.address}/room?room={game.name}#seat={secret}") as page:
        until(page, lambda: legal[0] in page.inner_text("#moves"))
        before = page.locator("#board").inner_html()
        with game._lock:  # no summary is sent in between
            game.take_back(secret)
            game.play(legal[-1], secret, 0)
        until(page, lambda: legal[-1] in page.inner_text("#moves"))
        assert page.locator("#moves li").count() == 1
        until(page, lambda: page.locator("#board").inner_html() != before)
        until(page, lambda: legal[-1] in status(page))
        assert page.troubles == [], page.troubles


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
                seen.add(page.inner_text("#analysis .small.soft"))
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


def test_a_game_is_followed_while_it_is_played(browser, tmp_path):
    path, keep = tmp_path / "league.sqlite", tmp_path / "games"
    keep.mkdir()
    spec = {"games": [TINY], "players": {"a": "greedy-turn", "b": "random"}, "budget": "iterations=2"}
    run_tournament(make_spec(**spec, games_per_pair=2), path)
    start = turnwise.make(TINY).start(5)
    steps = play_game(TINY, ["random", "random"], "iterations=1", start=start).replay.steps
    live = LiveGame(folder_of(path), 7, start, ("a", "b"))
    live._clock -= 3600
    live(start, steps[0])
    with serving(keep, path) as server, opened(browser, server.address + "/results") as page:
        page.get_by_role("button", name="Follow game 7").click()
        until(page, lambda: page.locator("#moves li").count() == 1)
        until(page, lambda: "is thinking" in status(page))
        assert not page.locator("#typed").is_visible()
        for number, step in enumerate(steps[1:4], 2):
            live(start, step)
            until(page, lambda number=number: page.locator("#moves li").count() == number)
        for step in steps[4:]:
            live(start, step)
        live.end("won")
        until(page, lambda: "The game is over" in status(page))
        page.get_by_role("link", name="Tournament").click()
        page.locator("#scores table").wait_for()
        assert not page.locator("#playing").is_visible()
        assert page.troubles == [], page.troubles


def test_the_course_is_one_stop_of_the_tab_key(browser, server):
    room, _ = server.begin(TINY, "random", "random")
    until_over(server, room)
    with opened(browser, f"{server.address}/room?room={room.rsplit('/', 1)[1]}") as page:
        until(page, lambda: "The game is over" in status(page))
        steps = page.locator("#moves li").count()
        for _ in range(40):
            if page.locator("#moves:focus").count():
                break
            page.keyboard.press("Tab")
        moves = page.get_by_role("listbox", name="Actions so far")
        assert page.locator("#moves:focus").count() == 1
        assert moves.get_attribute("aria-activedescendant") == f"move{steps}"
        page.keyboard.press("ArrowUp")
        until(page, lambda: f"Position after {steps - 1} of" in status(page))
        chosen = page.get_by_role("option", selected=True)
        assert chosen.get_attribute("aria-label").startswith(f"{steps - 1}. player ")
        page.keyboard.press("Home")
        until(page, lambda: "Position after 0 of" in status(page))
        assert moves.get_attribute("aria-activedescendant") is None
        page.keyboard.press("ArrowDown")
        until(page, lambda: "Position after 1 of" in status(page))
        page.keyboard.press("Tab")
        assert page.locator("#moves:focus").count() == 0


def test_equal_games_are_told_apart(browser, server):
    rooms = [server.begin("samegame:board=3", "person")[0].rsplit("/", 1)[1] for _ in range(2)]
    with opened(browser, server.address) as page:
        page.locator("#rooms tbody tr").first.wait_for()
        rows = page.locator("#rooms tbody tr").all_inner_texts()
        assert {row.split("\t")[1] for row in rows} == {room[:5] for room in rooms}
        assert all(re.fullmatch(r"\d\d:\d\d:\d\d", row.split("\t")[4].strip()) for row in rows)
        assert all("0 actions played" in row for row in rows)
        secret = server.viewer.rooms.get(rooms[0]).seats[0].secret
        legal = server.get(f"/api/rooms/{rooms[0]}?secret={secret}")["legal"]
        server.post(f"/api/rooms/{rooms[0]}/play", action=legal[0]["action"], at=0, secret=secret)
        page.reload()
        page.locator("#rooms tbody tr").first.wait_for()
        assert "1 action played" in page.locator("#rooms tbody tr").first.inner_text()
        page.locator("#rooms tbody tr a").first.click()
        until(page, lambda: page.inner_text("#id") == rooms[0][:5])


def test_what_is_wrong_with_a_seat_is_shown_next_to_it(browser, server):
    with opened(browser, server.address) as page:
        page.locator("#seats .wanted").first.wait_for()
        page.select_option("#game", "hero-academy")
        page.fill("#options", "map=a-tiny,deck=tiny")
        page.fill("#player1", "mcts:evaluation=nonsense")
        page.locator("#player1").blur()
        until(page, lambda: "nonsense" in page.inner_text("#problem1"))
        assert page.get_attribute("#player1", "aria-invalid") == "true"
        assert page.inner_text("#problem0") == ""
        page.fill("#player1", "random")
        page.fill("#budget1", "iterations=0")
        page.locator("#budget1").blur()
        until(page, lambda: "cannot search at all" in page.inner_text("#problem1"))
        page.fill("#budget1", "iterations=5")
        page.locator("#budget1").blur()
        until(page, lambda: page.inner_text("#problem1") == "")


def test_without_results_their_page_says_what_to_start(browser, server):
    with opened(browser, server.address + "/results") as page:
        page.get_by_text("turnwise serve RESULTS.sqlite").wait_for()
        assert page.locator("section:visible").count() == 1
        assert page.troubles == [], page.troubles


def test_a_search_is_followed_before_its_result_is_there(browser, tmp_path):
    keep = tmp_path / "games"
    keep.mkdir()
    start = turnwise.make("samegame:board=3").start(1)
    step = play_game("samegame:board=3", ["random"], "iterations=1", start=start).replay.steps[0]
    live = LiveGame(folder_of(tmp_path / "found.json"), 1, start, ("random",))
    live._clock -= 3600
    live(start, step)
    with serving(keep, tmp_path / "found.json") as server, opened(browser, server.address + "/results") as page:
        until(page, lambda: "plays games turn by turn" in page.inner_text("#progress"))
        page.get_by_role("button", name="Follow game 1").click()
        until(page, lambda: page.locator("#moves li").count() == 1)
        assert page.troubles == [], page.troubles
    live.end("the game is over")


@pytest.mark.parametrize("game", ["tribes:side=11", "stratega:mode=kings"])
def test_texts_of_large_boards_can_be_read_on_narrow_screens(browser, server, game):
    room, (secret,) = server.begin(game, "person", "random")
    context = browser.new_context(viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.goto(f"{server.address}/room?room={room.rsplit('/', 1)[1]}#seat={secret}")
    page.locator("#board svg").first.wait_for()
    until(page, lambda: "It is your turn" in status(page))
    assert page.get_attribute("#zoom", "aria-pressed") == "true"
    picture = "document.querySelector('#board .sheet div').shadowRoot.querySelector('svg')"
    sizes = page.evaluate(
        f"[...{picture}.querySelectorAll('text')].map((text) => parseFloat(getComputedStyle(text).fontSize)"
        f" * {picture}.getBoundingClientRect().width / {picture}.viewBox.baseVal.width).sort((a, b) => a - b)"
    )
    assert sizes[len(sizes) // 4] >= 10.9

    def is_one_in_view():
        frame, areas = page.locator("#board").bounding_box(), page.locator(".areas rect.can").all()
        return any(
            frame["x"] <= box["x"] + box["width"] / 2 <= frame["x"] + frame["width"]
            and frame["y"] <= box["y"] + box["height"] / 2 <= frame["y"] + frame["height"]
            for box in (area.bounding_box() for area in areas)
        )

    until(page, is_one_in_view)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.click("#zoom")
    assert page.evaluate(f"{picture}.getBoundingClientRect().width <= innerWidth")
    context.close()


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
