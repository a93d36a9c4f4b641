"""What a player learns of the actions of others: as much as its views show, and nothing else."""

import random
import re

import pytest

import turnwise

FOGGY = ["stratega:mode=kings", "tribes:side=8,fog=true", "tribes:side=8,fog=true,players=3"]


def played(game, seed, most):
    """Random steps of a game: the state before, the action's text, the state after."""
    draw = random.Random(seed)
    state = turnwise.make(game).start(seed)
    for _ in range(most):
        if state.is_over:
            return
        codes = [int(code) for code in state.legal_codes()]
        further = [code for code in codes if code != state.game.end_action]
        code = draw.choice(further) if further and draw.random() < 0.9 else draw.choice(codes)
        after = state.play(code)
        yield state, code, after
        state = after


@pytest.mark.parametrize("game", FOGGY)
def test_texts_name_what_is_in_sight_only(game):
    partly = whole = nothing = 0
    for before, code, after in played(game, 4, 1500):
        text = before.text(code)
        for player in range(before.game.players):
            if player == before.to_move or code == before.game.end_action:
                continue
            views = before.view(player), after.view(player)
            seen = before.game.seen_text(text, views[0].row, views[1].row)
            whole += seen == text
            nothing += seen == ""
            partly += "?" in seen
            if not seen:
                continue
            assert re.fullmatch(re.escape(seen).replace(r"\?", r"\S+"), text)
            known = "\n".join(str(view.to_dict()["units"]) for view in views)
            for unit in re.findall(r"u(\d+)", seen) if game.startswith("tribes") else seen.split(" ")[1:2]:
                if unit != "?" and not seen.startswith(("build", "gather")):
                    assert re.search(rf"\b{unit}\b", known), (seen, text)
            assert "research" not in seen
            before.game.svg_of([view.row for view in views], text if seen == text else None)
    assert whole > 0
    assert nothing > 0
    assert partly > 0 or game.startswith("tribes")


def test_a_king_that_walks_off_and_back_is_followed_as_far_as_it_is_seen():
    game = turnwise.make("stratega:mode=kings")
    texts = set()
    for before, code, after in played("stratega:mode=kings", 2, 600):
        other = 1 - before.to_move
        text = before.text(code)
        if not text.startswith("move"):
            continue
        unit = int(text.split(" ")[1])
        views = [state.view(other) for state in (before, after)]
        was, now = (any(each[0] == unit for each in view.to_dict()["units"]) for view in views)
        seen = game.seen_text(text, views[0].row, views[1].row)
        assert seen == (text if now else f"move {unit} ?" if was else "")
        texts.add((was, now))
    assert len(texts) == 4


def test_an_attack_from_the_dark_names_its_target_only():
    game = turnwise.make("stratega:mode=kings")
    layout_units = game.start(1).view(0).to_dict()["units"]
    state = game.start(1).view(0)
    data = state.to_dict()
    mine = next(unit for unit in layout_units if unit[2] == 0)
    hurt = [*mine]
    hurt[5] -= 1
    data["units"] = [hurt if unit[0] == mine[0] else unit for unit in data["units"]]
    after = game.from_dict(data)
    enemy = next(hidden[0] for hidden in data["hidden"])
    assert game.seen_text(f"attack {enemy} {mine[0]}", state.row, after.row) == f"attack ? {mine[0]}"
    assert game.seen_text(f"attack {enemy} {mine[0]}", state.row, state.row) == ""


def test_all_is_public_in_hero_academy_and_nothing_by_default():
    from turnwise.core.game import Game

    game = turnwise.make("hero-academy")
    row = game.start(1).row
    assert game.seen_text("discard KN", row, row) == "discard KN"
    assert Game.seen_text(game, "discard KN", row, row) == ""
