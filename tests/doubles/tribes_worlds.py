"""Small boards of Tribes, to which a test adds cities, buildings and units before it plays."""

import copy

import turnwise

SIDE = 8
PLAINS = [".:," * 7 + ".:"] * SIDE
LETTERS = {"FARM": "D", "WINDMILL": "E", "TEMPLE": "I", "FOREST_TEMPLE": "K", "PARK_OF_FORTUNE": "R", "PORT": "A"}


def level(*tiles, rows=PLAINS):
    """A board with the capitals of Xin-Xi at 1,1 and of Imperius at 6,6, and other tiles."""
    board = [row.split(",") for row in rows]
    for row, column, tile in ((1, 1, "c:0"), (6, 6, "c:1"), *tiles):
        board[row][column] = tile
    return "\n".join(",".join(row) for row in board) + "\n"


class World:
    """A game and the JSON form of its first state, to which cities, buildings and units are added."""

    def __init__(self, *tiles, rows=PLAINS, **options):
        self.game = turnwise.make("tribes", level=level(*tiles, rows=rows), **options)
        self.data = copy.deepcopy(self.game.start(1).to_dict())
        for tribe in self.data["tribes"]:
            tribe["tech"], tribe["all_tech"], tribe["stars"] = "1" * 24, True, 50

    def write(self, field, row, column, letter):
        line = self.data[field][row]
        self.data[field][row] = line[:column] + letter + line[column + 1 :]

    def next_id(self):
        self.data["next_id"] += 1
        return self.data["next_id"]

    def city_of(self, number):
        return next(city for city in self.data["cities"] if city["id"] == number)

    def add_city(self, tribe, row, column, **more):
        number = self.next_id()
        city = {**self.data["cities"][0], "id": number, "tribe": tribe, "pos": [row, column], "units": [], **more}
        city = {**city, "capital": False, "worth": 0, "buildings": [], "production": 1}
        self.data["cities"].append(city)
        self.data["tribes"][tribe]["cities"].append(number)
        self.write("terrain", row, column, "c")
        self.write("network", row, column, "1")
        for x in range(max(0, row - 1), min(SIDE, row + 2)):
            for y in range(max(0, column - 1), min(SIDE, column + 2)):
                if self.data["owner"][x][y] == -1:
                    self.data["owner"][x][y] = number
        return number

    def add_building(self, city, row, column, kind, *temple):
        self.city_of(city)["buildings"].append([row, column, kind, *temple])
        self.write("building", row, column, LETTERS[kind])
        if kind == "PORT":
            self.write("network", row, column, "1")

    def add_unit(self, tribe, row, column, kind="WARRIOR", **more):
        number = self.next_id()
        self.data["units"].append(
            {
                **self.data["units"][0],
                "id": number,
                "type": kind,
                "tribe": tribe,
                "pos": [row, column],
                "city": -1,
                **more,
            }
        )
        self.data["tribes"][tribe]["extra_units"].append(number)
        self.data["unit_at"][row][column] = number
        self.show(tribe, row, column)
        return number

    def show(self, tribe, row, column):
        """Let a tribe see a tile, under fog."""
        rows = self.data["tribes"][tribe].get("visible")
        if rows is not None:
            rows[row] = rows[row][:column] + "1" + rows[row][column + 1 :]

    def put_unit(self, number, row, column):
        unit = next(unit for unit in self.data["units"] if unit["id"] == number)
        self.data["unit_at"][unit["pos"][0]][unit["pos"][1]] = 0
        unit["pos"] = [row, column]
        self.data["unit_at"][row][column] = number

    def level_of(self, city, number, population=0):
        city = self.city_of(city)
        city.update(level=number, need=number + 1, pop=population, production=number + city["capital"])

    def after(self, *actions, outcomes=None):
        state = self.game.from_dict(self.data)
        for action in actions:
            state = state.play(action, outcomes)
        return state

    def allows(self, action, *before):
        return action in self.after(*before).legal_actions()

    def play(self, *actions, outcomes=None):
        return Seen(self.after(*actions, outcomes=outcomes).to_dict())


class Seen:
    """Parts of a state by their numbers."""

    def __init__(self, data):
        self.data = data
        self.tribes = data["tribes"]
        self.cities = {city["id"]: city for city in data["cities"]}
        self.units = {unit["id"]: unit for unit in data["units"]}

    def population(self, number):
        return self.cities[number]["pop"]
