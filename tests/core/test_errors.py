"""Words of messages."""

from turnwise.core.errors import counted, work_words


def test_numbers_of_things():
    assert [counted(number, "game") for number in (0, 1, 2)] == ["0 games", "1 game", "2 games"]
    assert [counted(number, "mismatch") for number in (1, 2)] == ["1 mismatch", "2 mismatches"]
    assert counted(12345, "game", ",") == "12,345 games"
    assert work_words(1, 0, 2000) == "1 iteration, 0 evaluations, 2,000 forward calls"
