"""A slow and obvious twin of the SameGame rules: a list of columns, each a list of colours from the floor up."""


class Twin:
    def __init__(self, board):
        rows = list(reversed(board))  # the lowest row first
        stacks = [[int(row[x]) for row in rows if row[x] != "."] for x in range(len(rows[0]))]
        self.columns = [stack for stack in stacks if stack]
        self.score = self.moves = 0

    def colour(self, x, y):
        if 0 <= x < len(self.columns) and 0 <= y < len(self.columns[x]):
            return self.columns[x][y]
        return None

    def region(self, x, y):
        found, todo = set(), [(x, y)]
        while todo:
            cell = todo.pop()
            if cell not in found and self.colour(*cell) == self.colour(x, y) is not None:
                found.add(cell)
                todo += [(cell[0] + dx, cell[1] + dy) for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))]
        return found

    def regions(self):
        """All regions of two or more cells, each a sorted list, by their first cells."""
        cells = [(x, y) for x, column in enumerate(self.columns) for y in range(len(column))]
        found = {tuple(sorted(self.region(*cell))) for cell in cells}
        return [list(region) for region in sorted(found) if len(region) >= 2]

    def legal(self):
        return [f"{region[0][0]} {region[0][1]}" for region in self.regions()]

    def play(self, action):
        region = self.region(*map(int, action.split()))
        assert len(region) >= 2
        kept = [
            [colour for y, colour in enumerate(column) if (x, y) not in region] for x, column in enumerate(self.columns)
        ]
        self.columns = [column for column in kept if column]
        self.score += (len(region) - 2) ** 2
        self.moves += 1
        if not self.columns:
            self.score += 1000

    def to_dict(self):
        rows = [
            "".join("." if self.colour(x, y) is None else str(self.colour(x, y)) for x in range(15))
            for y in range(14, -1, -1)
        ]
        whole = "".join(rows)
        counts = [whole.count(str(colour)) for colour in range(5)]
        return {
            "board": rows,
            "counts": counts,
            "moves": self.moves,
            "score": self.score,
            "terminal": not self.regions(),
        }
