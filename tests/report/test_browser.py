"""The report in a real browser: from a file, without a network."""

from dataclasses import replace

import pytest

from doubles.chromium import CHROMIUM, open_page
from turnwise.games.hero_academy import HeroAcademy
from turnwise.registry import GAMES
from turnwise.report.builder import from_results
from turnwise.report.html import write_report
from turnwise.report.model import Comparison, PublishedCell, Series
from turnwise.statistics.intervals import Interval

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not CHROMIUM.exists(), reason=f"{CHROMIUM} is missing: install Debian's chromium"),
]


class HostileDrawing(HeroAcademy):
    """A game whose pictures try to run scripts, load resources and restyle the page."""

    name = "hostile-drawing"

    def svg(self, row, last_action=None):
        return (
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" onload="window.hit = 1"><style>*{display:none}'
            "</style><script>window.hit = 2</script><image href='x' onerror='window.hit = 3'/></svg>"
            "<img src=x onerror='window.hit = 4'>"
        )


@pytest.fixture(scope="module")
def report(games, tmp_path_factory):
    published = {("online-evolution", "mcts"): PublishedCell(0.98, 100)}
    data = from_results("Round robin", games, command="make run", published=published, max_replays=6)
    return write_report(data, tmp_path_factory.mktemp("report") / "report.html")


@pytest.fixture
def page(browser, report):
    context = browser.new_context(offline=True, viewport={"width": 1300, "height": 900})
    page = open_page(context, report)
    page.locator("#player").wait_for(state="visible")
    yield page
    assert page.troubles == []
    context.close()


def board(page):
    return page.evaluate("document.getElementById('board').shadowRoot.innerHTML")


def wait_until(page, condition, tries=100):
    """Poll from the test: the page's policy forbids the script evaluation that the browser's own wait needs."""
    for _ in range(tries):
        if condition():
            return
        page.wait_for_timeout(50)
    raise AssertionError("it did not happen within five seconds")


def position(page):
    return int(page.locator("#scrub").input_value())


def test_the_page_loads_nothing_but_itself(page, report):
    assert [request.url for request in page.asked] == [report.as_uri()]
    assert page.title() == "Round robin"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_heat_map_describes_its_cells(page):
    cells = page.locator("table.wins td[data-words]")
    assert cells.count() == 12
    colours = {cells.nth(i).evaluate("cell => getComputedStyle(cell).backgroundImage") for i in range(cells.count())}
    assert len(colours) > 3
    cell = page.locator('td[data-words^="online-evolution against mcts"]')
    cell.hover()
    words = page.locator(".cell-words").inner_text()
    assert "online-evolution against mcts" in words
    assert "of 6 games" in words
    assert "Paper: 98.0 %" in words
    page.locator('td[data-words^="mcts against greedy-turn"]').focus()
    assert "mcts against greedy-turn" in page.locator(".cell-words").inner_text()


def test_stepping_changes_board_list_and_thoughts(page):
    first, thought = board(page), page.locator("#thought").inner_text()
    assert "<svg" in first
    page.click("[data-do=step]")
    assert position(page) == 1
    assert board(page) != first
    current = page.locator('#list [aria-current="true"]')
    assert current.inner_text() == page.locator("#where code").inner_text()
    page.click("[data-do=turn-step]")
    assert page.locator("#thought").inner_text() != thought
    assert page.locator("#thought .plan li").count() == 5
    assert page.locator("#thought .cost").inner_text().count("ms") == 1
    page.click("[data-do=start]")
    assert (position(page), board(page)) == (0, first)


def test_keys_scrubbing_list_and_curve_move_too(page):
    page.locator("#board").click()
    for key in ("ArrowRight", "ArrowRight", "ArrowLeft"):
        page.keyboard.press(key)
    assert position(page) == 1
    page.keyboard.press("End")
    last = position(page)
    assert last > 20
    page.locator("#scrub").fill("7")
    assert position(page) == 7
    assert page.locator('#list [aria-current="true"]').get_attribute("data-at") == "7"
    page.locator('#list [data-at="3"]').click()
    assert position(page) == 3
    box = page.locator("#curves").bounding_box()
    page.locator("#curves").click(position={"x": box["width"] * 0.8, "y": box["height"] / 2})
    assert position(page) > last / 2


def test_playing_runs_and_pauses(page):
    page.select_option("#speed", "60")
    page.click("[data-do=play]")
    wait_until(page, lambda: position(page) >= 3)
    page.click("[data-do=play]")
    stopped = position(page)
    page.wait_for_timeout(250)
    assert position(page) == stopped


def test_games_are_chosen_by_pair(page):
    assert page.locator("#pick-game option").count() == 6
    actions = page.locator("#list").inner_text()
    page.select_option("#pick-pair select", "greedy-action – mcts")  # noqa: RUF001 - as on the page
    assert page.locator("#pick-game option").count() == 1
    wait_until(page, lambda: page.locator("#list").inner_text() != actions)
    headings = page.locator("#list h4").all_inner_texts()
    assert [words.split(" · ")[0] for words in headings[:2]] == ["Turn 1", "Turn 2"]
    assert {words.split(" · ")[1].split(" (")[0] for words in headings} == {"greedy-action", "mcts"}
    assert position(page) == 0


def test_the_theme_can_be_changed(page):
    colour = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(colour)
    page.click("#theme")
    assert page.evaluate(colour) != light
    page.click("#theme")
    assert page.evaluate(colour) == light


def test_a_narrow_screen_needs_no_sideways_scrolling(browser, report):
    context = browser.new_context(offline=True, viewport={"width": 360, "height": 740}, color_scheme="dark")
    page = open_page(context, report)
    page.locator("#player").wait_for(state="visible")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.troubles == []
    context.close()


def test_a_picture_that_is_made_smaller_can_be_shown_in_full(browser, report):
    """On a narrow screen its labels would be too small to be read."""
    context = browser.new_context(offline=True, viewport={"width": 390, "height": 740})
    page = open_page(context, report)
    page.locator("#player").wait_for(state="visible")
    picture = "document.getElementById('board').shadowRoot.querySelector('svg')"
    own = page.evaluate(f"Number({picture}.getAttribute('width'))")
    shown = f"{picture}.getBoundingClientRect().width"
    small = page.evaluate(shown)
    assert small < 390 < own
    page.click("#size")
    assert page.evaluate(shown) == own
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")  # only the board scrolls
    assert page.evaluate("(b => { b.scrollLeft = 99; return b.scrollLeft })(document.getElementById('board'))") == 99
    page.click("[data-do=step]")
    assert page.evaluate("document.getElementById('board').scrollLeft") == 99
    page.click("#size")
    assert page.evaluate(shown) == small
    page.set_viewport_size({"width": 2000, "height": 900})
    wait_until(page, lambda: page.locator("#size").is_hidden())
    assert page.troubles == []
    context.close()


def test_a_browser_without_decompression_gets_a_message(browser, report):
    context = browser.new_context(offline=True)
    context.add_init_script("delete window.DecompressionStream")
    page = open_page(context, report)
    page.locator("#fault").wait_for(state="visible")
    assert "DecompressionStream" in page.locator("#fault").inner_text()
    context.close()


def test_pictures_cannot_run_scripts_or_restyle_the_page(browser, make_game, tmp_path):
    GAMES.add(HostileDrawing.name, HostileDrawing)
    record = make_game(("a", "b"), 1, most_steps=3, name=HostileDrawing.name)
    report = write_report(from_results("Hostile", [record]), tmp_path / "report.html")
    context = browser.new_context(offline=True)
    page = open_page(context, report)
    page.locator("#player").wait_for(state="visible")
    page.click("[data-do=step]")
    page.wait_for_timeout(150)
    assert page.evaluate("window.hit") is None
    assert {request.failure for request in page.asked[1:]} == {"csp"}  # stopped before they left
    assert page.locator("h1").is_visible()
    context.close()


def test_a_click_on_a_cell_lists_and_opens_its_games(page):
    page.locator('td[data-words^="mcts against greedy-turn"]').click()
    wait_until(page, lambda: "greedy-turn" in page.locator("#where").inner_text())
    links = page.locator(".cell-games a")
    assert links.count() == 1
    assert {name in links.inner_text() for name in ("mcts", "greedy-turn")} == {True}
    assert page.evaluate("location.hash") == links.get_attribute("href")
    page.locator('td[data-words^="greedy-action against mcts"]').press("Enter")
    wait_until(page, lambda: "greedy-action" in page.locator("#where").inner_text())
    assert page.evaluate("scrollY") > 0


def test_the_address_says_which_game_and_action_is_shown(browser, page, report):
    page.select_option("#pick-game select", index=3)
    wait_until(page, lambda: page.evaluate("location.hash") == "#game=4&action=0")
    page.click("[data-do=step]")
    page.click("[data-do=step]")
    address, shown = page.evaluate("location.href"), board(page)
    assert address.endswith("#game=4&action=2")
    other = browser.new_context(offline=True)
    again = other.new_page()
    again.goto(address)
    again.locator("#player").wait_for(state="visible")
    assert position(again) == 2
    assert board(again) == shown
    assert again.locator("#pick-game select").input_value() == "3"
    again.evaluate("location.hash = 'game=1&action=5'")
    wait_until(again, lambda: position(again) == 5)
    assert again.locator("#pick-game select").input_value() == "0"
    other.close()


def test_an_address_of_another_page_shows_the_first_game(browser, report):
    context = browser.new_context(offline=True)
    page = context.new_page()
    page.goto(report.as_uri() + "#game=99&action=1")
    page.locator("#player").wait_for(state="visible")
    assert page.locator("#pick-game select").input_value() == "0"
    context.close()


def test_games_are_filtered_by_winner_and_ending(page):
    every = page.locator("#pick-game option").all_inner_texts()
    winners = page.locator("#pick-winner option").all_inner_texts()
    assert winners[0] == "any"
    won = [text for text in every if "online-evolution won" in text]
    page.select_option("#pick-winner select", "online-evolution")
    assert page.locator("#pick-game option").all_inner_texts() == won
    page.select_option("#pick-winner select", "")
    page.select_option("#pick-ending select", "drawn by limit")
    drawn = page.locator("#pick-game option").all_inner_texts()
    assert drawn == [text for text in every if "drawn by limit" in text]
    assert drawn


def test_one_evaluation_curve_and_a_metric_of_both_players(page):
    names = page.locator("#curves .name")
    assert names.first.text_content().startswith("“heuristic” for ")
    assert names.nth(1).text_content() == "crystal hit points"
    assert page.locator("#curves path.line").count() == 1 + 2
    drawn = page.locator("#curves path.line").nth(1).get_attribute("d")
    page.select_option("#pick-metric select", "cards")
    assert names.nth(1).text_content() == "cards"
    assert page.locator("#curves path.line").nth(1).get_attribute("d") != drawn
    page.locator("#legend summary").click()
    rules = page.locator("#legend pre").inner_text()
    assert "KN Knight" in rules
    assert "\n  swap 1,1>4,3: a ninja changes places with any friend.\n" in rules


def test_tables_can_be_downloaded(page, games):
    with page.expect_download() as started:
        page.get_by_role("link", name="all games").click()
    assert started.value.suggested_filename == "games.csv"
    lines = started.value.path().read_text().splitlines()
    assert len(lines) == 1 + 2 * len(games)


@pytest.fixture(scope="module")
def long_names(make_game, tmp_path_factory):
    names = (
        "a-planner-with-a-very-long-name:population=100,mutation=0.25",
        "b-another_name_without_any_place_to_break",
    )
    data = from_results("Long", [make_game(names, 1, most_steps=3)])
    return write_report(data, tmp_path_factory.mktemp("long") / "report.html")


def test_column_heads_do_not_overlap(browser, long_names):
    for width in (390, 1280):
        context = browser.new_context(offline=True, viewport={"width": width, "height": 800})
        page = open_page(context, long_names)
        boxes = [head.bounding_box() for head in page.locator("table.wins thead th").all()]
        contents = page.evaluate(
            "[...document.querySelectorAll('table.wins thead th')].every(h => h.scrollWidth <= h.clientWidth + 1)"
        )
        assert boxes[0]["x"] + boxes[0]["width"] <= boxes[1]["x"]
        assert contents
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        context.close()


def test_tables_on_a_narrow_screen_keep_words_whole_and_scroll_by_keys(browser, long_names):
    context = browser.new_context(offline=True, viewport={"width": 390, "height": 800})
    page = open_page(context, long_names)
    page.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true })")
    heads = page.locator("table.data tbody th").all()
    assert len(heads) > 3
    assert min(head.bounding_box()["width"] for head in heads) >= 6.5 * 16
    frame = page.get_by_role("region", name="Pair by pair")
    frame.focus()
    page.keyboard.press("ArrowRight")
    wait_until(page, lambda: frame.evaluate("f => f.scrollLeft") > 0)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    context.close()


def test_a_win_table_of_four_shows_most_of_it_on_a_narrow_screen(browser, report):
    context = browser.new_context(offline=True, viewport={"width": 390, "height": 800})
    page = open_page(context, report)
    frame = page.locator(".scroll:has(table.wins)").first.bounding_box()
    cells = [cell.bounding_box() for cell in page.locator("table.wins tbody tr").first.locator("td").all()]
    whole = [cell for cell in cells if cell["x"] + cell["width"] <= frame["x"] + frame["width"] + 1]
    assert len(cells) == 4
    assert len(whole) >= 3
    fits = "c => [...c.querySelectorAll('span')].every(s => s.getBoundingClientRect().width <= c.clientWidth)"
    assert all(cell.evaluate(fits) for cell in page.locator("table.wins tbody td[tabindex]").all())
    context.close()


def test_the_words_of_a_curve_can_be_read_on_any_screen(browser, games, tmp_path):
    points = Interval(50.0, 40.0, 60.0, 0.95, "Wilson")
    curve = Comparison(
        title="Strength by budget",
        note="",
        unit="% of the points",
        cases=("iterations=1", "iterations=10", "iterations=100"),
        series=(Series("mcts", (points,) * 3),),
        places=(1.0, 10.0, 100.0),
        axis="iterations per turn",
    )
    data = replace(from_results("Curve", games[:2], max_replays=0), curve=curve)
    page_file = write_report(data, tmp_path / "curve.html")
    for width in (390, 1280):
        context = browser.new_context(offline=True, viewport={"width": width, "height": 800})
        page = open_page(context, page_file)
        words = page.locator("#curve figure text:visible").all()
        assert len(words) > 5
        heights = page.evaluate(
            "[...document.querySelectorAll('#curve figure svg')].filter(s => s.clientWidth).map(s =>"
            " parseFloat(getComputedStyle(s.querySelector('text')).fontSize) * s.clientWidth / s.viewBox.baseVal.width)"
        )
        assert len(heights) == 1
        assert heights[0] >= 9
        context.close()


def test_names_of_curves_are_clear_of_the_numbers_and_of_the_stroke_at_the_position(browser, long_names):
    context = browser.new_context(offline=True, viewport={"width": 390, "height": 800})
    page = open_page(context, long_names)
    page.locator("#player").wait_for(state="visible")
    box = "e => { const b = e.getBBox(); return [b.x, b.y, b.x + b.width, b.y + b.height] }"
    names = page.locator("#curves .name").all()
    numbers = page.locator("#curves text:not(.name)").all()
    left = max(number.evaluate(box)[2] for number in numbers)
    lanes = [lane.evaluate(box) for lane in page.locator("#curves .lane").all()]
    assert len(names) == len(lanes) == 2
    for name, lane in zip(names, lanes, strict=True):
        x, _, right, low = name.evaluate(box)
        assert left <= x
        assert right <= lane[2]
        assert low <= lane[1]
    long = names[0].evaluate("e => [e.firstChild.data, e.querySelector('title').textContent]")
    assert long[0].endswith("…")
    assert long[1].endswith("mutation=0.25 (seat 1)")
    assert page.locator("#curves .now").get_attribute("d").count("M") == 2
    context.close()


def test_a_filter_without_a_choice_says_what_all_games_have_in_common(page):
    assert page.locator("#pick-ending option").all_inner_texts()[0] == "any"
    page.select_option("#pick-ending select", "won")
    page.select_option("#pick-winner select", "online-evolution")
    assert page.locator("#pick-ending").is_visible()
    assert page.locator("#pick-ending option").all_inner_texts() == ["won (all games)"]


def test_words_on_a_cell_offer_a_click_only_where_it_lists_games(browser, games, tmp_path):
    path = write_report(from_results("One", games, max_replays=1), tmp_path / "report.html")
    context = browser.new_context(offline=True)
    page = open_page(context, path)
    offered = []
    for cell in page.locator("table.wins td[data-words]").all():
        cell.focus()
        offered.append("Click" in page.locator(".cell-words").inner_text())
    assert offered.count(True) == page.locator("table.wins td[data-row]").count() == 2
    context.close()
