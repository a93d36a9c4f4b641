"""What a person meets who uses the viewer for the first time: clicks, errors, waiting and keys."""

import pytest

import turnwise
from doubles.chromium import CHROMIUM
from doubles.viewer_pages import opened, status, until, until_over
from doubles.viewer_server import serving
from turnwise.viewer.room import GameRoom

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
    until(page, lambda: "It is your turn" in status(page))
    steps = page.locator("#moves li").count()
    page.fill("#text", action)
    page.click("#play")
    until(page, lambda: page.locator("#moves li").count() > steps)


def begun(server, game, *players, **more):
    """The address of a page of a new game, with the key of the first person."""
    room, secrets = server.begin(game, *players, **more)
    return f"{server.address}/room?room={room.rsplit('/', 1)[1]}" + (f"#seat={secrets[0]}" if secrets else "")


def test_a_click_on_a_card_does_not_discard_it(browser, server):
    with opened(browser, begun(server, f"hero-academy:{SMALL}", "person", "random", seed=1)) as page:
        play(page, "drop AR>0,0")
        until(page, lambda: "drop AR>0,0. It is your turn" in status(page))
        page.locator('.areas rect[data-area="card CL"]').first.click(force=True)
        until(page, lambda: "Choose a button below the board" in status(page))
        assert page.locator("#chips button").all_inner_texts() == ["discard CL"]
        page.wait_for_timeout(200)
        assert page.locator("#moves li").count() == 1
        page.locator("#chips button").click()
        until(page, lambda: page.locator("#moves li").count() == 2)


def test_errors_are_in_view_on_a_scrolled_page(browser, server):
    with opened(browser, begun(server, "samegame:board=3", "person")) as page:
        page.set_viewport_size({"width": 390, "height": 600})
        until(page, lambda: "It is your turn" in status(page))
        page.fill("#planner", "nobody")
        page.get_by_role("button", name="Analyse this position").click()
        trouble = page.locator("#analysis .error")
        until(page, lambda: "nobody" in trouble.inner_text())
        assert page.inner_text("#error") == ""
        page.fill("#text", "fly")
        page.evaluate("scrollTo(0, document.body.scrollHeight)")
        page.locator("#text").press("Enter")
        until(page, lambda: "fly" in page.inner_text("#error"))
        page.evaluate("scrollTo(0, document.body.scrollHeight)")
        box = page.locator("#error").bounding_box()
        assert 0 <= box["y"] < 600
        page.get_by_role("button", name="Close the message").click()
        assert page.inner_text("#error") == ""


def test_a_restart_of_the_server_loses_no_text_and_freezes_no_analysis(browser, tmp_path):
    (tmp_path / "games").mkdir()
    with serving(tmp_path / "games") as server:
        port = server.port
        context = browser.new_context()
        page = context.new_page()
        page.goto(begun(server, "samegame:board=3", "person"))
        until(page, lambda: "It is your turn" in status(page))
        page.fill("#budget", "time=200s")
        page.fill("#planner", "mcts")
        page.get_by_role("button", name="Analyse this position").click()
        until(page, lambda: page.locator("#analysis .lines").count() == 1, tries=2400)
        action = page.locator(".areas rect").first.get_attribute("data-area")
    until(page, lambda: "does not answer" in page.inner_text("#analysis .error"))
    page.fill("#text", action)
    page.click("#play")
    until(page, lambda: "does not answer" in page.inner_text("#error"))
    assert page.input_value("#text") == action
    with serving(tmp_path / "games", port=port):
        until(page, lambda: "started again" in page.inner_text("#analysis .error"))
        assert page.locator("#analysis button").all_inner_texts() == ["Ask again"]
        until(page, lambda: page.inner_text("#link") == "")
        play(page, action)
        assert page.input_value("#text") == ""
        page.get_by_role("button", name="Ask again").click()
        until(page, lambda: page.locator("#analysis .lines").count() == 1, tries=2400)
        assert page.inner_text("#analysis .error") == ""
        page.get_by_role("button", name="Stop").click()
        until(page, lambda: page.locator("#analysis .answer").count() == 1)
    context.close()


def test_nothing_can_begin_before_the_games_are_there(browser, server):
    context = browser.new_context()
    page = context.new_page()
    held = []
    page.route("**/api/catalogue", lambda route: held.append(route))
    page.goto(server.address)
    until(page, lambda: held)
    assert page.get_by_role("button", name="Begin").is_disabled()
    assert "Loading the games" in page.inner_text("#about")
    held[0].continue_()
    until(page, lambda: page.get_by_role("button", name="Begin").is_enabled())
    until(page, lambda: "Loading" not in page.inner_text("main"))
    held.clear()
    page.goto(f"{server.address}/results")
    until(page, lambda: held)
    assert "Loading the results" in page.inner_text("main")
    held[0].continue_()
    until(page, lambda: "Loading" not in page.inner_text("main"))
    page.route("**/api/rooms/**", lambda route: held.append(route))
    page.goto(begun(server, "samegame:board=3", "person"))
    assert "Loading the game" in status(page)
    context.close()


def test_a_player_that_failed_does_not_think(browser, server, monkeypatch):
    def fail(*_):
        raise ValueError("out of order")

    monkeypatch.setattr(GameRoom, "_player", fail)
    with opened(browser, begun(server, f"hero-academy:{SMALL}", "random", "person")) as page:
        until(page, lambda: "out of order" in page.inner_text("#trouble"))
        until(page, lambda: "The game stands still" in status(page))
        assert "thinking" not in status(page)


def test_the_curve_has_a_start_labels_and_no_end_that_flattens_it(browser, server):
    with opened(browser, begun(server, f"hero-academy:{SMALL}", "person", "random", seed=1)) as page:
        until(page, lambda: "It is your turn" in status(page))
        assert not page.locator("#plot").is_visible()
        play(page, "drop AR>0,0")
        until(page, lambda: page.locator("#plot").is_visible())
        assert len(page.get_attribute("#curve polyline", "points").split()) == 2
    room, _ = server.begin(f"hero-academy:{SMALL}", "random", "random", seed=3)
    until_over(server, room)
    facts, steps = server.get(room), server.get(f"{room}/course/0")
    seen = [facts["start_value"], *(step["value"] for step in steps[:-1])]
    assert abs(steps[-1]["value"]) > 10 * max(map(abs, seen))
    with opened(browser, f"{server.address}/room?room={room.rsplit('/', 1)[1]}") as page:
        until(page, lambda: "The game is over" in status(page))
        points = [point.split(",") for point in page.get_attribute("#curve polyline", "points").split()]
        assert len(points) == len(seen)
        heights = [float(height) for _, height in points]
        assert max(heights) - min(heights) > 15  # of 36
        labels = {page.inner_text("#high"), page.inner_text("#low")}
        assert {f"{float(f'{value:.4g}'):,g}" for value in (max(seen), min(seen)) if value} & labels
        assert "won" in page.inner_text("#value")


def focus_of(page):
    """The area, the text or the id of what has the focus."""
    return page.evaluate(
        "(({ dataset, id, innerText }) => dataset.area ?? (id || innerText || 'body'))(document.activeElement)"
    )


def test_the_focus_stays_where_it_was(browser, server):
    with opened(browser, begun(server, f"hero-academy:{SMALL}", "person", "random", seed=1)) as page:
        until(page, lambda: "It is your turn" in status(page))
        page.locator('.areas rect[data-area="card AR"]').focus()
        page.keyboard.press("Enter")
        until(page, lambda: "Choose a target" in status(page))
        assert focus_of(page) == "card AR"
        page.locator('.areas rect[data-area="0,0"]').focus()
        page.keyboard.press("Enter")
        until(page, lambda: "drop AR>0,0. It is your turn" in status(page))
        assert focus_of(page) == "0,0"
        page.locator("#text").focus()
        page.keyboard.press("Escape")
        page.fill("#text", "end")
        page.keyboard.press("Enter")
        until(page, lambda: page.locator("#moves li").count() > 2 and "It is your turn" in status(page))
        assert focus_of(page) == "text"
    with opened(browser, begun(server, "search-race", "person")) as page:
        until(page, lambda: "It is your turn" in status(page))
        page.get_by_text("All legal actions").click()
        page.locator("#list button", has_text="EXPERT 0 200").click()
        until(page, lambda: page.locator("#moves li").count() == 1 and "It is your turn" in status(page))
        assert focus_of(page) == "EXPERT 0 200"


def test_a_region_of_samegame_is_one_stop_with_colour_and_size(browser, server):
    with opened(browser, begun(server, "samegame:board=3", "person")) as page:
        until(page, lambda: "It is your turn" in status(page))
        stops = page.locator(".areas [tabindex]")
        legal = page.locator("#list button").count()
        assert stops.count() == legal < page.locator(".areas rect").count()
        start = turnwise.make("samegame:board=3").start(1)
        for stop in stops.all():
            label, (x, y) = stop.get_attribute("aria-label"), stop.get_attribute("data-area").split()
            size = page.locator(f'.areas rect[data-area="{x} {y}"]').count()
            colour = int(start.to_dict()["board"][14 - int(y)][int(x)])
            name = ("blue", "orange", "green", "yellow", "pink")[colour]
            assert label == f"region of {size} {name} cells at column {x}, row {y}"
        last = page.locator('.areas rect[aria-hidden="true"]').first
        name = last.get_attribute("data-area")
        last.click(force=True)
        until(page, lambda: page.locator("#moves li").count() == 1)
        assert name in page.locator("#moves li").inner_text()
        until(page, lambda: "It is your turn" in status(page))
        assert focus_of(page) in ("board", name)


def test_the_text_box_names_forms_and_similar_actions(browser, server):
    with opened(browser, begun(server, f"hero-academy:{SMALL}", "person", "random", seed=1)) as page:
        until(page, lambda: "It is your turn" in status(page))
        page.fill("#text", "drop AR 0,0")
        page.keyboard.press("Enter")
        until(page, lambda: "expected end | discard CC | drop CC>x,y" in page.inner_text("#error"))
        assert "Similar legal actions: drop AR>0,0" in page.inner_text("#error")
        assert page.input_value("#text") == "drop AR 0,0"
        play(page, "end")  # the rules accept it, but do not list it yet
        assert page.inner_text("#error") == ""


def test_values_that_differ_look_different(browser, server):
    """Neighbouring lines show the digits that tell them apart; lines out of order, and those of one world, say why."""
    context = browser.new_context()
    page = context.new_page()
    line = {"actions": ["end"], "value": -0.0451201}
    live = {"iterations_per_second": 10, "iterations": 5, "seconds": 1, "forward_calls": 9, "value": -0.0451201}
    live |= {"world": 1, "worlds": 4, "has_ended": False, "share": 0.5}
    live["lines"] = [line, line | {"value": -0.0451202}, line | {"value": 3}]
    running = {"has_ended": False, "trouble": "", "live": live}
    ended = running | {"has_ended": True, "plan": ["end"], "value": 1, "live": live | {"has_ended": True}}
    answers = [running]
    page.route("**/api/analyses/**", lambda route: route.fulfill(json=answers[-1]))
    page.goto(begun(server, "samegame:board=3", "person"))
    until(page, lambda: "It is your turn" in status(page))
    page.get_by_role("button", name="Analyse this position").click()
    until(page, lambda: page.locator("#analysis .lines b").count() == 3)
    assert page.locator("#analysis .lines b").all_inner_texts() == ["-0.0451201", "-0.0451202", "3"]
    assert "mean over all worlds" in page.inner_text("#analysis")
    assert "has tested it less" in page.inner_text("#analysis")
    answers.append(ended)
    until(page, lambda: page.locator("#analysis .answer").count() == 1)
    assert "mean over all worlds" not in page.inner_text("#analysis")
    context.close()


def test_what_cannot_be_done_is_disabled_and_says_why(browser, server):
    with opened(browser, begun(server, f"hero-academy:{SMALL}", "person", "random")) as page:
        until(page, lambda: "It is your turn" in status(page))
        for name in ("Branch off here", "Save the replay", "Save this position"):
            button = page.get_by_role("button", name=name)
            assert button.is_disabled()
            assert "when the game is over" in button.get_attribute("title")
            assert button.get_attribute("aria-describedby") == "hidden-why"
        assert "when the game is over" in page.inner_text("#hidden-why")
    with opened(browser, begun(server, "samegame:board=3", "person").split("#")[0] + "#seat=mistyped") as page:
        page.locator("#board svg").first.wait_for()
        until(page, lambda: page.locator("#text").is_disabled())
        assert "open the link of your seat" in page.get_attribute("#text", "placeholder")
        assert not page.locator("#hidden-why").is_visible()


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("/room?room=../../etc", "There is no game '../../etc'"),
        ("/room", "names no game"),
        ("/room?room=nowhere", "There is no game 'nowhere'"),
        ("", "Open the link of your seat"),
    ],
)
def test_a_page_without_a_game_says_why_and_offers_nothing(browser, server, address, words):
    context = browser.new_context()
    page = context.new_page()
    address = server.address + address if address else begun(server, f"hero-academy:{SMALL}", "person", "person")
    page.goto(address.split("#")[0] + "#seat=mistyped")
    until(page, lambda: words in page.inner_text("#error"))
    assert page.evaluate("document.querySelector('main').inert")
    assert status(page) == ""
    context.close()


def test_a_large_board_begins_where_the_own_units_are(browser, server, monkeypatch):
    monkeypatch.setattr(GameRoom, "advance", lambda room: None)  # the other player thinks for ever
    game = "stratega:mode=kings"
    start = turnwise.make(game).start(1)
    assert start.to_move == 0
    room, secrets = server.begin(game, "random", "person", seed=1)
    context = browser.new_context(viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.goto(f"{server.address}/room?room={room.rsplit('/', 1)[1]}#seat={secrets[0]}")
    page.locator("#board svg").first.wait_for()
    until(page, lambda: "is thinking" in status(page))
    assert page.get_attribute("#zoom", "aria-pressed") == "true"
    areas = server.get(f"{room}/frames/0?secret={secrets[0]}")["areas"]
    own = [place for places in areas.values() for place in places if place[5] == 1]
    assert own
    assert all("of player 2" in place[4] for place in own)
    in_sight = page.evaluate(
        """(own) => {
          const board = document.getElementById("board").getBoundingClientRect();
          const layer = document.querySelector("svg.areas"), sheet = layer.getBoundingClientRect();
          const scale = sheet.width / layer.viewBox.baseVal.width;
          return own.filter(([x, y, width, height]) => {
            const left = sheet.left + scale * (x - layer.viewBox.baseVal.x + width / 2);
            const top = sheet.top + scale * (y - layer.viewBox.baseVal.y + height / 2);
            return left > board.left && left < board.right && top > board.top && top < board.bottom;
          }).length;
        }""",
        own,
    )
    assert in_sight > 0
    context.close()


def test_rules_and_forms_of_actions_are_in_the_page(browser, server):
    with opened(browser, begun(server, f"hero-academy:{SMALL}", "person", "random")) as page:
        until(page, lambda: "It is your turn" in status(page))
        page.get_by_text("Rules, and the form of actions").click()
        until(page, lambda: page.locator("#rules .own").count() > 3)
        assert "drop" in page.inner_text("#rules")
