"""Pages of the viewer in a real browser."""

import contextlib
import time


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


def until_over(server, room):
    """Wait for a game of planners."""
    while not server.get(room)["is_over"]:
        time.sleep(0.02)
