"""Names that follow from the names of classes."""

import pytest

from turnwise.core.class_names import registry_name, title_of


@pytest.mark.parametrize(
    ("name", "registered", "title"),
    [
        ("BestOfMany", "best-of-many", "Best Of Many"),
        ("HTTPServer", "http-server", "HTTP Server"),
        ("MyMCTS", "my-mcts", "My MCTS"),
        ("Best2Of", "best2-of", "Best2 Of"),
        ("my_game", "my-game", "my game"),
        ("ÜberGame", "über-game", "Über Game"),
        ("GroßeWelt", "große-welt", "Große Welt"),
        ("ÉcoleDeGuerre", "école-de-guerre", "École De Guerre"),
        ("ЛучшийХод", "лучший-ход", "Лучший Ход"),
        ("数独Game", "数独-game", "数独 Game"),
    ],
)
def test_words_begin_with_capitals_of_any_language(name, registered, title):
    kind = type(name, (), {})
    assert registry_name(kind) == registered
    assert title_of(kind) == title
