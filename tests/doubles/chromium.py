"""A real browser for pages of the report."""

from pathlib import Path

CHROMIUM = Path("/usr/bin/chromium")


def open_page(context, report):
    page = context.new_page()
    page.troubles, page.asked = [], []
    page.on("console", lambda message: page.troubles.append(message.text))
    page.on("pageerror", lambda error: page.troubles.append(str(error)))
    page.on("request", lambda request: page.asked.append(request))
    page.goto(report.as_uri())
    return page
