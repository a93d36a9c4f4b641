"""Small positions of Tribes: a plain with two capitals, and units where a test wants them."""

import turnwise

SIDE = 9
CAPITALS = {(2, 2): 0, (6, 6): 1}  # centre -> kind of tribe
ROWS = [",".join(f"c:{CAPITALS[x, y]}" if (x, y) in CAPITALS else ".:" for y in range(SIDE)) for x in range(SIDE)]


def plain(**options):
    """The scenario; Xin-Xi, in the upper left, is player 0 and Imperius player 1."""
    return turnwise.make("tribes", **{"level": "\n".join(ROWS), **options})


def position(*units, game=None, tiles=(), **tribe):
    """A state in which player 0 is to move.

    Args:
        *units: ``(kind, tribe, x, y, more fields)``; they belong to no city, and the first has the id 5.
        game: The scenario.
        tiles: ``(field, x, y, letter)``: letters of the rows ``terrain``, ``resource`` or ``network``.
        **tribe: Other fields of player 0's tribe.
    """
    game = game or plain()
    data = game.start(seed=1).to_dict()
    for field, x, y, letter in tiles:
        row = data[field][x]
        data[field][x] = row[:y] + letter + row[y + 1 :]
    data["tribes"][0].update(tribe)
    for number, (kind, owner, x, y, *more) in enumerate(units, 5):
        unit = {"id": number, "type": kind, "tribe": owner, "pos": [x, y], "hp": 10, "max_hp": 10, "kills": 0}
        unit |= {"veteran": False, "city": -1, "status": "FRESH"} | (more[0] if more else {})
        data["units"].append(unit)
        data["unit_at"][x][y] = number
        data["tribes"][owner]["extra_units"].append(number)
        data["next_id"] = number
        if "visible" in data["tribes"][owner]:
            row = data["tribes"][owner]["visible"][x]
            data["tribes"][owner]["visible"][x] = row[:y] + "1" + row[y + 1 :]
    return game.from_dict(data)


def played(game, seed, actions, script="tribes-rules"):
    """The states of a game between two players of a script, after every action."""
    state = game.start(seed=seed)
    states = [state]
    for number in range(actions):
        if state.is_over:
            break
        action = state.script(script, seed=seed + number) if number % 3 else None
        state = state.play(action or state.legal_actions()[(7 * number + seed) % len(state.legal_actions())])
        states.append(state)
    return states
