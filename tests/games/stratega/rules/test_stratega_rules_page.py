"""What the page of rules says, fact by fact, on small modes."""

import copy
import math
import time

import pytest

import turnwise

BASE = {
    "GameConfig": {"RoundLimit": 5, "FogOfWar": False},
    "Tiles": {
        "Hole": {"Symbol": "H"},
        "Plain": {"Symbol": "."},
        "Thorns": {"Symbol": "T"},
        "Wall": {"Symbol": "M", "IsWalkable": False},
    },
    "Board": {"Layout": "....... .M.H.T. ......."},
    "Units": {
        "Ace": {
            "Health": 10,
            "LineOfSightRange": 2,
            "ActionRange": 2,
            "ActionsPerTurn": 3,
            "Actions": ["Push", "Heal", "Attack", "Move"],
            "MovementRange": 2,
            "AttackDamage": 4,
            "HealAmount": 7,
        },
        "Lone": {"Health": 9, "LineOfSightRange": 1, "ActionRange": 1},
    },
    "ForwardModel": {
        "Effects": {
            "Fall": {"Type": "Death", "Trigger": "EnterTile", "Condition": "StandingOnTile", "TargetTile": "Hole"},
            "Prick": {"Type": "Damage", "Trigger": "EnterTile", "Condition": "StandingOnTile", "TargetTile": "Thorns"},
        }
    },
}
BASE["ForwardModel"]["Effects"]["Prick"]["Amount"] = 3


def make(changes=None, **options):
    """The base mode with some fields changed: ``{"GameConfig/RoundLimit": 3}``."""
    mode = copy.deepcopy(BASE)
    for path, value in (changes or {}).items():
        place = mode
        *steps, last = path.split("/")
        for step in steps:
            place = place.setdefault(step, {})
        place[last] = value
    return turnwise.make("stratega", mode=mode, **options)


def unit(number, kind, owner, x, y, health=10, done=0, letters=""):
    return [number, kind, owner, x, y, health, done, letters]


def state_of(game, *units, **more):
    data = {"turn": 0, "player": 0, "over": False, "winner": -1, "can_play": [1] * game.players, "units": list(units)}
    return game.from_dict(data | more)


def units_of(state):
    return {entry[0]: entry for entry in state.to_dict()["units"]}


LONE, ACE, FOE = unit(0, "Lone", 0, 0, 0, 9), unit(1, "Ace", 0, 2, 1), unit(3, "Ace", 1, 6, 2)


class TestStart:
    def test_units_are_numbered_by_player_and_by_types_in_reverse_order(self):
        units = make().start(1).to_dict()["units"]
        assert [entry[:3] for entry in units] == [[0, "Lone", 0], [1, "Ace", 0], [2, "Lone", 1], [3, "Ace", 1]]

    def test_random_places_can_be_walls_unless_forbidden_and_are_never_deadly(self):
        def tiles(changes):
            game = make({"Board/Layout": "MMH MM.", **changes})
            places = [units_of(game.start(seed)).values() for seed in range(12)]
            return {game.options.rows[entry[4]][entry[3]] for units in places for entry in units}

        assert tiles({}) == {"M", "."}
        assert tiles({"Board/Layout": "MMH ... ...", "Start/OnWalls": False}) == {"."}

    def test_fixed_places_come_first_and_can_be_more_than_count(self):
        fixed = [{"Unit": "Ace", "Player": 0, "At": [x, 0]} for x in (4, 5)]
        units = units_of(make({"Start/Units": fixed, "Units/Ace/Count": 1}).start(1))
        assert [units[number][:5] for number in (1, 2)] == [[1, "Ace", 0, 4, 0], [2, "Ace", 0, 5, 0]]
        assert units[3][1:3] == ["Lone", 1]

    def test_a_fixed_place_can_be_deadly(self):
        units = units_of(make({"Start/Units": [{"Unit": "Ace", "Player": 1, "At": [3, 1]}]}).start(1))
        assert units[3][3:6] == [3, 1, 10]


class TestActions:
    def test_the_list_has_the_kinds_in_reverse_order_and_end_last(self):
        neighbour = unit(3, "Ace", 1, 2, 2, 5)
        actions = state_of(make(), LONE, ACE, neighbour).legal_actions()
        kinds = [action.split()[0] for action in actions]
        assert sorted(set(kinds), key=kinds.index) == ["move", "attack", "heal", "push", "end"]
        moves = [tuple(map(int, action.split()[2].split(","))) for action in actions if action.startswith("move")]
        assert moves == sorted(moves)
        assert (3, 1) in moves  # a hole, of its own accord
        assert (1, 1) not in moves  # a wall
        assert (4, 1) in moves  # beyond the hole, within 2
        assert (4, 2) not in moves  # sqrt(5)
        assert "attack 1 1" not in actions
        assert "heal 1 1" not in actions  # it is healthy

    def test_every_kind_once_unless_repeatable(self):
        for repeats, again in ((False, False), (True, True)):
            state = state_of(make({"Units/Ace/RepeatableActions": repeats}), LONE, ACE, FOE).play("move 1 2,0")
            assert any(action.startswith("move 1") for action in state.legal_actions()) == again
            assert units_of(state)[1][6:] == [1, "M"]

    def test_healing_has_no_limit_and_is_for_anyone_who_lacks_health(self):
        state = state_of(make(), LONE, unit(1, "Ace", 0, 2, 1, 9), unit(3, "Ace", 1, 3, 2, 9))
        assert units_of(state.play("heal 1 1"))[1][5] == 16
        assert units_of(state.play("heal 1 3"))[3][5] == 16

    def test_attacks_reach_friends_and_through_walls(self):
        state = state_of(make(), unit(0, "Lone", 0, 0, 1, 9), ACE, FOE)
        assert units_of(state.play("attack 1 0"))[0][5] == 5

    @pytest.mark.parametrize(
        ("pusher", "pushed", "goes_to"),
        [
            ((4, 2), (3, 2), (2, 2)),
            ((2, 1), (2, 2), (2, 2)),  # at the end of the board
            ((4, 2), (5, 2), (5, 2)),  # another unit is there
            ((3, 0), (2, 0), (1, 0)),
            ((1, 0), (0, 0), (0, 0)),
        ],
    )
    def test_a_push_moves_one_tile_or_nothing_and_is_spent(self, pusher, pushed, goes_to):
        state = state_of(make(), unit(0, "Lone", 0, *pushed, 9), unit(1, "Ace", 0, *pusher), FOE)
        after = units_of(state.play("push 1 0"))
        assert tuple(after[0][3:5]) == goes_to
        assert after[1][6:] == [1, "P"]
        assert not state.is_legal("push 1 3")  # not next to it

    def test_walls_stop_pushes(self):
        game = make({"Board/Layout": "... .M. ... ..."})
        state = state_of(game, LONE, unit(1, "Ace", 0, 1, 3), unit(3, "Ace", 1, 1, 2)).play("push 1 3")
        assert units_of(state)[3][3:5] == [1, 2]

    def test_effects_of_entering_by_moves_and_pushes(self):
        thorns = state_of(make(), LONE, unit(1, "Ace", 0, 5, 0), FOE).play("move 1 5,1")
        assert units_of(thorns)[1][5] == 7
        hole = state_of(make(), LONE, ACE, unit(3, "Ace", 1, 6, 2)).play("move 1 3,1")
        assert 1 not in units_of(hole)
        game = make({"Board/Layout": "..H ..T ..."})
        drowned = state_of(game, unit(1, "Ace", 0, 0, 0), unit(2, "Lone", 1, 1, 0, 9)).play("push 1 2")
        assert 2 not in units_of(drowned)
        assert drowned.to_dict()["winner"] == 0
        pricked = state_of(game, unit(1, "Ace", 0, 0, 1), unit(2, "Lone", 1, 1, 1, 9)).play("push 1 2")
        assert units_of(pricked)[2][3:6] == [2, 1, 6]

    def test_strict_actions(self):
        spent = unit(1, "Ace", 0, 2, 1, 10, 3, "AHM")
        units = (LONE, spent, unit(3, "Ace", 1, 3, 2))
        for strict in (True, False):
            state = state_of(make(strict_actions=strict), *units)
            assert state.legal_actions() == ["end"]
            for action in ("attack 1 3", "move 3 4,2"):  # no actions left; another player's unit
                assert state.is_legal(action) == (not strict)
            assert not state.is_legal("attack 1 0")  # out of range

    def test_the_number_of_actions_of_a_unit_stays_at_63(self):
        state = state_of(make(strict_actions=False), LONE, unit(1, "Ace", 0, 2, 1, 10, 60, "AHM"), FOE)
        done = []
        for step in range(6):
            state = state.play(f"move 1 2,{step % 2}")
            done.append(units_of(state)[1][5:7])
        assert done == [[10, 61], [10, 62], [10, 63], [10, 63], [10, 63], [10, 63]]
        assert state.game.from_dict(state.to_dict()) == state
        assert units_of(state.play("end"))[1][5:7] == [10, 0]


class TestTurns:
    def test_damage_at_the_end_of_every_turn_hits_all(self):
        effect = {"Type": "Damage", "Trigger": "EndOfTurn", "Amount": 2}
        state = state_of(make({"ForwardModel/Effects/Rot": effect}), LONE, ACE, FOE).play("end")
        assert [entry[5] for entry in units_of(state).values()] == [7, 8, 8]
        assert (state.to_move, state.turn) == (1, 0)
        assert state.play("end").turn == 1

    def test_both_sides_dead_is_a_draw(self):
        effect = {"Type": "Damage", "Trigger": "EndOfTurn", "Amount": 50}
        state = state_of(make({"ForwardModel/Effects/Rot": effect}), LONE, ACE, FOE).play("end")
        assert state.is_over
        assert list(state.returns) == [0, 0]

    def test_the_round_limit_is_a_draw_even_if_a_side_dies(self):
        effect = {"Type": "Damage", "Trigger": "EndOfTurn", "Amount": 9}
        strong = unit(1, "Ace", 0, 2, 1, 100)
        game = make({"ForwardModel/Effects/Rot": effect})
        won = state_of(game, strong, unit(3, "Ace", 1, 6, 2, 9), turn=3, player=1).play("end")
        drawn = state_of(game, strong, unit(3, "Ace", 1, 6, 2, 9), turn=4, player=1).play("end")
        assert won.to_dict()["winner"] == 0
        assert drawn.is_over
        assert drawn.to_dict()["winner"] == -1

    def test_unit_alive(self):
        win = {"Type": "UnitAlive", "Unit": "Lone"}
        state = state_of(make({"ForwardModel/WinCondition": win}), LONE, ACE, FOE, unit(2, "Lone", 1, 3, 2, 3))
        after = state.play("attack 1 2")
        assert after.is_over
        assert after.to_dict()["winner"] == 0
        assert 3 in units_of(after)

    def test_a_player_who_has_just_died_can_be_to_move(self):
        effect = {"Type": "Damage", "Trigger": "EndOfTurn", "Amount": 4}
        game = make({"ForwardModel/Effects/Rot": effect, "GameConfig/PlayerCount": 3})
        units = (unit(1, "Ace", 0, 2, 1), unit(3, "Ace", 1, 6, 2, 4), unit(5, "Ace", 2, 0, 2))
        state = state_of(game, *units).play("end")
        assert (state.to_move, state.to_dict()["can_play"]) == (1, [1, 0, 1])
        assert state.legal_actions() == ["end"]
        assert state.play("end").to_move == 2


class TestFog:
    units = (LONE, ACE, FOE, unit(2, "Lone", 1, 3, 2, 9))

    def test_a_view_hides_places_and_health(self):
        view = state_of(make(fog=True), *self.units).view(0).to_dict()
        assert [entry[0] for entry in view["units"]] == [0, 1, 2]
        assert view["hidden"] == [[3, "Ace", 1]]
        assert view["unknown"] == ["....???", ".....??", "?...???"]
        assert "unknown" not in state_of(make(), *self.units).to_dict()

    def test_unknown_tiles_are_walkable_and_harmless(self):
        far = unit(1, "Ace", 0, 5, 0)
        game = make({"Units/Ace/LineOfSightRange": 0}, fog=True)
        view = state_of(game, unit(0, "Lone", 0, 0, 2, 9), far, FOE).view(0)
        assert units_of(view.play("move 1 5,1"))[1][5] == 10  # thorns
        wall = state_of(game, unit(0, "Lone", 0, 0, 2, 9), unit(1, "Ace", 0, 2, 0), FOE)
        assert not wall.is_legal("move 1 1,1")
        assert wall.view(0).is_legal("move 1 1,1")

    @pytest.mark.parametrize("forgets", [False, True])
    def test_an_empty_view_is_a_victory_only_where_units_are_forgotten(self, forgets):
        view = state_of(make(fog=True, forgets_units=forgets), LONE, ACE, FOE).view(0)
        assert ("hidden" in view.to_dict() and bool(view.to_dict()["hidden"])) != forgets
        for action in (view.legal_actions()[0], "end"):
            after = view.play(action)
            assert after.is_over == forgets
            assert after.to_dict()["winner"] == (0 if forgets else -1)


class TestMetrics:
    def test_movement(self):
        def cells(metric):
            state = state_of(make({"GameConfig/MovementMetric": metric}), LONE, unit(1, "Ace", 0, 0, 1), FOE)
            moves = [action.split()[2] for action in state.legal_actions() if action.startswith("move")]
            return set(moves)

        disc = {"0,2", "1,0", "1,2", "2,1"}
        assert cells("Euclidean") == disc
        assert cells("Manhattan") == disc
        assert cells("Chebyshev") == disc | {"2,0", "2,2"}
        assert cells("Path") == {"0,2", "1,0", "1,2"}  # 2,1 is behind the wall

    def test_path_does_not_go_through_walls(self):
        state = state_of(make({"GameConfig/RangeMetric": "Path"}), unit(0, "Lone", 0, 0, 1, 9), ACE, FOE)
        assert not state.is_legal("attack 1 0")  # four steps around the wall

    @pytest.mark.parametrize("metric", ["Euclidean", "Manhattan", "Chebyshev", "Path"])
    @pytest.mark.parametrize("reach", [0, 1, 3, 6, 128])
    def test_movement_is_what_the_metric_says(self, metric, reach):
        """From every tile of a board with walls, in a mode whose other ranges are measured otherwise."""
        rows = (".M...", ".M.M.", "...M.", "M..M.")
        changes = {"GameConfig/MovementMetric": metric, "Board/Layout": " ".join(rows)}
        game = make(changes | {"Units/Ace/MovementRange": reach, "Units/Ace/ActionRange": 0})
        free = {(x, y) for y, row in enumerate(rows) for x, tile in enumerate(row) if tile == "."}
        for x, y in sorted(free - {(0, 0), (4, 3)}):
            state = state_of(game, LONE, unit(1, "Ace", 0, x, y), unit(3, "Ace", 1, 4, 3))
            moves = {action.split()[2] for action in state.legal_actions() if action.startswith("move")}
            wanted = {
                f"{tx},{ty}"
                for tx, ty in free - {(0, 0), (4, 3), (x, y)}
                if distance(metric, free, (x, y), (tx, ty)) <= reach
            }
            assert moves == wanted, (x, y)

    def test_the_largest_board_is_ready_soon(self):
        """Cells in range and paths are listed where a game is made; 4096 x 4096 of them are many."""
        began = time.process_time()
        game = make(
            {
                "GameConfig/MovementMetric": "Path",
                "Board/Layout": " ".join(["." * 64] * 64),
                "Units": {
                    f"Type{reach}": {
                        "Health": 1,
                        "LineOfSightRange": 1,
                        "ActionRange": 1,
                        "Actions": ["Move"],
                        "MovementRange": reach,
                    }
                    for reach in (2, 9)
                },
            }
        )
        assert time.process_time() - began < 10  # half a second; one pair after the other takes half a minute
        assert len(game.start(1).legal_actions()) > 1


def distance(metric, free, here, there):
    """The definition of a metric, on a board of which some tiles are free."""
    dx, dy = abs(here[0] - there[0]), abs(here[1] - there[1])
    if metric != "Path":
        return {"Euclidean": math.hypot(dx, dy), "Manhattan": dx + dy, "Chebyshev": max(dx, dy)}[metric]
    steps, front, seen = 0, {here}, {here}
    while front and there not in seen:
        steps += 1
        front = {(x + a, y + b) for x, y in front for a, b in ((1, 0), (-1, 0), (0, 1), (0, -1))} & free - seen
        seen |= front
    return steps if there in seen else math.inf
