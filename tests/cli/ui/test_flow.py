"""Text that flows into the width of the terminal."""

import pytest

from turnwise.cli.ui.flow import flowing

TEXT = """\
One paragraph that somebody
has wrapped by hand.

Another one.
  go 1,2     the first of two columns is kept, the second one flows
  end        short
After it."""


def test_paragraphs_flow_and_forms_keep_their_columns():
    assert flowing(TEXT, 40).splitlines() == [
        "One paragraph that somebody has wrapped",
        "by hand.",
        "",
        "Another one.",
        "  go 1,2     the first of two columns is",
        "             kept, the second one flows",
        "  end        short",
        "After it.",
    ]


@pytest.mark.parametrize("width", [1, 5, 13, 1000])
def test_no_word_is_lost_at_any_width(width):
    assert "".join(flowing(TEXT, width).split()) == "".join(TEXT.split())


def test_text_that_flows_already_stays():
    assert flowing(flowing(TEXT, 40), 40) == flowing(TEXT, 40)
    assert flowing("", 40) == ""
