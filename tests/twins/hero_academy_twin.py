"""A slow and obvious twin of the Hero Academy rules: squares in a dictionary, written from the rule text.

States are canonical dictionaries; every function is as literal as possible and shares nothing with the kernels.
"""

import copy

CARDS = ["KN", "AR", "CL", "WI", "NI", "IN", "RP", "RM", "SC", "DS", "SH"]
UNITS = CARDS[:5]
HP = {"KN": 1000, "AR": 800, "CL": 800, "WI": 800, "NI": 800, "CR": 4500}
SPEED = {"KN": 2, "AR": 2, "CL": 2, "WI": 2, "NI": 3}
POWER = {"KN": 200, "AR": 300, "CL": 200, "WI": 200, "NI": 200}
RANGE = {"KN": 1, "AR": 3, "CL": 2, "WI": 2, "NI": 2}
LETTER = {"DS": "D", "RM": "R", "SH": "H", "SC": "S"}
SQUARE = {
    "AR": {"A": 40, "S": 80, "P": 120, "d": -75, "D": -75},
    "CL": {"A": 10, "S": 20, "P": 40, "d": -75, "D": -75},
    "KN": {"A": 120, "S": 30, "P": 30, "d": -75, "D": -75},
    "NI": {"A": 50, "S": 60, "P": 70, "d": -75, "D": -75},
    "WI": {"A": 40, "S": 70, "P": 100, "d": -75, "D": -75},
}
EQUIPMENT = {
    "AR": {"D": 60, "R": 60, "H": 40, "S": 80},
    "CL": {"D": 30, "R": 20, "H": 20, "S": 30},
    "KN": {"D": 60, "R": -30, "H": 20, "S": -10},
    "NI": {"D": 30, "R": 20, "H": 30, "S": 70},
    "WI": {"D": 50, "R": 60, "H": 40, "S": 80},
}


def sign(value):
    return (value > 0) - (value < 0)


class Piece:
    def __init__(self, owner, kind, hp, items=""):
        self.owner, self.kind, self.hp, self.items = owner, kind, hp, items

    @property
    def is_crystal(self):
        return self.kind == "CR"

    @property
    def is_down(self):
        return self.hp == 0 and not self.is_crystal

    @property
    def max_hp(self):
        base = HP[self.kind]
        return base + sum(base // 10 for letter in "DH" if letter in self.items)


class Twin:
    def __init__(self, rows, state, action_points=5, turn_limit=100):
        self.rows, self.action_points, self.turn_limit = rows, action_points, turn_limit
        self.width, self.height = len(rows[0]), len(rows)
        state = copy.deepcopy(state)
        self.turn, self.player, self.ap, self.terminal = (state[k] for k in ("turn", "player", "ap", "terminal"))
        self.hands, self.decks, self.seeds = state["hands"], state["decks"], state["seeds"]
        self.board = {(x, y): Piece(*rest) for x, y, *rest in state["units"]}

    def to_dict(self):
        units = [[x, y, p.owner, p.kind, p.hp, p.items] for (x, y), p in sorted(self.board.items())]
        return {
            "turn": self.turn,
            "player": self.player,
            "ap": self.ap,
            "terminal": self.terminal,
            "hands": self.hands,
            "decks": self.decks,
            "seeds": self.seeds,
            "units": units,
        }

    # ------------------------------------------------------------------------------------------------ the board

    def squares(self):
        return [(x, y) for x in range(self.width) for y in range(self.height)]

    def kind_of(self, place):
        return self.rows[place[1]][place[0]]

    def on_board(self, place):
        return 0 <= place[0] < self.width and 0 <= place[1] < self.height

    def hostile_deploy(self, place, player):
        return self.kind_of(place) == ("D" if player == 1 else "d")

    def living_enemy(self, place, player):
        piece = self.board.get(place)
        return piece is not None and piece.owner != player and not piece.is_down

    def in_sight(self, a, b, player):
        dx, dy = b[0] - a[0], b[1] - a[1]
        if abs(dx) + abs(dy) == 1 or (abs(dx) == 1 and abs(dy) == 1):
            return True
        if dx == 0 or dy == 0:
            between = [(sign(dx) * k, sign(dy) * k) for k in range(1, abs(dx) + abs(dy))]
        elif abs(dx) == 2:
            between = [(sign(dx), 0), (sign(dx), sign(dy))]
        else:
            between = [(0, sign(dy)), (sign(dx), sign(dy))]
        return not any(self.living_enemy((a[0] + i, a[1] + j), player) for i, j in between)

    # --------------------------------------------------------------------------------------------- legal actions

    def legal(self):
        if self.ap == 0:
            return ["end"]
        found = []
        for place in self.squares():
            piece = self.board.get(place)
            if piece and piece.owner == self.player and not piece.is_down and not piece.is_crystal:
                found += self.unit_actions(place, piece)
        return found + self.card_actions()

    def unit_actions(self, place, piece):
        found = []
        for target in self.squares():
            if target == place:
                continue
            distance = abs(target[0] - place[0]) + abs(target[1] - place[1])
            verb = self.unit_action(place, piece, target, distance)
            if verb:
                found.append(f"{verb} {place[0]},{place[1]}>{target[0]},{target[1]}")
        return found

    def unit_action(self, place, piece, target, distance):
        other = self.board.get(target)
        if other is None or other.is_down:
            if self.hostile_deploy(target, self.player):
                return None
            if other is not None and piece.kind == "CL" and distance <= 2:
                return "heal"
            return "move" if distance <= SPEED[piece.kind] else None
        if other.owner != self.player:
            in_range = distance <= RANGE[piece.kind]
            return "attack" if in_range and self.in_sight(place, target, self.player) else None
        if other.is_crystal:
            return None
        if piece.kind == "CL" and distance <= 2 and other.hp != other.max_hp:
            return "heal"
        return "swap" if piece.kind == "NI" else None

    def card_actions(self):
        found = []
        for index, card in enumerate(CARDS):
            if self.hands[self.player - 1][index] == 0:
                continue
            found += [f"drop {card}>{x},{y}" for x, y in self.squares() if self.can_drop(card, (x, y))]
            if sum(self.decks[self.player - 1]):
                found.append(f"discard {card}")
        return found

    def can_drop(self, card, place):
        piece = self.board.get(place)
        if card == "IN":
            return True
        if card in UNITS:
            own = self.kind_of(place) == ("d" if self.player == 1 else "D")
            return own and (piece is None or piece.is_down)
        if piece is None or piece.owner != self.player or piece.is_crystal:
            return False
        if card == "RP":
            return piece.hp != piece.max_hp
        return piece.hp > 0 and LETTER[card] not in piece.items

    # --------------------------------------------------------------------------------------------------- effects

    def play(self, action):
        verb, _, rest = action.partition(" ")
        if verb == "end":
            self.end_turn()
            return
        hand = self.hands[self.player - 1]
        if verb == "discard":
            hand[CARDS.index(rest)] -= 1
            self.decks[self.player - 1][CARDS.index(rest)] += 1
        elif verb == "drop":
            card, _, place = rest.partition(">")
            self.drop(card, tuple(map(int, place.split(","))))
            hand[CARDS.index(card)] -= 1
        else:
            place, target = (tuple(map(int, part.split(","))) for part in rest.split(">"))
            self.act(verb, place, target)
        self.ap -= 1

    def act(self, verb, place, target):
        piece, other = self.board[place], self.board.get(target)
        if verb == "heal" and other.is_down and other.owner != self.player:
            verb = "move"
        if verb == "move":
            self.board[target] = self.board.pop(place)
        elif verb == "swap":
            self.board[place], self.board[target] = other, piece
        elif verb == "heal":
            other.hp = min(other.hp + self.power(piece, place) * (3 if other.hp else 2), other.max_hp)
            piece.items = piece.items.replace("S", "")
        else:
            self.attack(piece, place, target)

    def power(self, piece, place):
        power = POWER[piece.kind]
        if "R" in piece.items:
            power += power // 2
        if self.kind_of(place) == "P":
            power += 100
        return power * 3 if "S" in piece.items else power

    def damage(self, piece, place, target):
        other = self.board[target]
        damage = float(self.power(piece, place))
        if abs(place[0] - target[0]) + abs(place[1] - target[1]) == 1:
            damage *= {"AR": 0.5, "NI": 2.0}.get(piece.kind, 1.0)
        if piece.kind in ("CL", "WI"):
            resistance = (10 if other.kind == "WI" else 0) + (20 if "H" in other.items else 0)
        else:
            resistance = (20 if other.kind == "KN" else 0) + (20 if "D" in other.items else 0)
            resistance += 20 if self.kind_of(target) == "S" else 0
        return int(damage * ((100.0 - resistance) / 100.0))

    def assault(self):
        return 300 * sum(
            self.kind_of(place) == "A" and piece.owner == self.player and piece.hp > 0 and not piece.is_crystal
            for place, piece in self.board.items()
        )

    def lose(self, place, hp):
        piece = self.board[place]
        piece.hp = hp
        if hp <= 0:
            piece.hp = 0
            if piece.is_crystal:
                del self.board[place]
                if not self.has_crystals(3 - self.player):
                    self.terminal = True

    def attack(self, piece, place, target):
        other = self.board[target]
        damage = self.damage(piece, place, target) + (self.assault() if other.is_crystal else 0)
        self.lose(target, other.hp - damage)
        way = (sign(target[0] - place[0]), sign(target[1] - place[1]))
        if piece.kind == "KN" and not other.is_crystal:
            self.push(target, way, other)
        if piece.kind == "WI":
            self.chain(piece, place, target, way)
        piece.items = piece.items.replace("S", "")

    def push(self, target, way, other):
        behind = (target[0] + way[0], target[1] + way[1])
        if not self.on_board(behind) or self.hostile_deploy(behind, other.owner):
            return
        there = self.board.get(behind)
        if there is None or there.is_down:
            self.board[behind] = self.board.pop(target)

    def chain(self, piece, place, here, way):
        for factor in (0.75, 0.56):
            best, value = None, 0
            for i in (-1, 0, 1):
                for j in (-1, 0, 1):
                    if (i, j) in ((0, 0), (-way[0], -way[1])):
                        continue
                    if not self.living_enemy((here[0] + i, here[1] + j), self.player):
                        continue
                    worth = 10 if (i, j) == way else 1 + 4 * (i * j == 0) + 2 * (j == -1) + (i == 1)
                    if worth > value:
                        best, value = (i, j), worth
            if best is None:
                return
            here, way = (here[0] + best[0], here[1] + best[1]), best
            damage = int(self.damage(piece, place, here) * factor)
            damage += self.assault() if self.board[here].is_crystal else 0
            self.lose(here, self.board[here].hp - damage)

    def drop(self, card, place):
        piece = self.board.get(place)
        if card in UNITS:
            self.board[place] = Piece(self.player, card, HP[card])
        elif card == "IN":
            self.inferno(place)
        elif card == "RP":
            piece.hp = min(100 if piece.hp == 0 else piece.hp + 1000, piece.max_hp)
        else:
            piece.items = "".join(letter for letter in "DRHS" if letter in piece.items + LETTER[card])
            if card in ("DS", "SH"):
                piece.hp = int(piece.hp + piece.hp / 10.0)
            piece.hp = min(piece.hp, piece.max_hp)

    def inferno(self, centre):
        for i in (-1, 0, 1):
            for j in (-1, 0, 1):
                place = (centre[0] + i, centre[1] + j)
                piece = self.board.get(place)
                if piece is None or piece.owner == self.player:
                    continue
                if piece.is_down:
                    del self.board[place]
                    continue
                damage = 350.0 + (self.assault() if piece.is_crystal else 0)
                resistance = (10 if piece.kind == "WI" else 0) + (20 if "H" in piece.items else 0)
                self.lose(place, int(piece.hp - damage * ((100.0 - resistance) / 100.0)))

    # --------------------------------------------------------------------------------------------- end of the turn

    def has_crystals(self, player):
        return any(piece.is_crystal and piece.owner == player for piece in self.board.values())

    def has_units(self, player):
        cards = sum(self.hands[player - 1][:5]) + sum(self.decks[player - 1][:5])
        return cards > 0 or any(p.owner == player and not p.is_crystal for p in self.board.values())

    def end_turn(self):
        self.board = {
            place: piece for place, piece in self.board.items() if not (piece.is_down and piece.owner == self.player)
        }
        over = not self.has_units(1) or not self.has_units(2) or not self.has_crystals(3 - self.player)
        if over or self.turn >= self.turn_limit:
            self.terminal = True
        if self.terminal:
            return
        self.draw(self.player)
        self.draw(3 - self.player)
        self.player, self.ap, self.turn = 3 - self.player, self.action_points, self.turn + 1

    def draw(self, player):
        hand, deck = self.hands[player - 1], self.decks[player - 1]
        while sum(hand) < 6 and sum(deck):
            seed = self.seeds[player - 1]
            seed = int(seed * 0.1) if seed > 100000 else int(seed * 1.3 + 7)
            self.seeds[player - 1] = seed
            laid_out = [card for card in range(11) for _ in range(deck[card])]
            card = laid_out[seed % len(laid_out)]
            deck[card] -= 1
            hand[card] += 1

    def winner(self):
        if self.turn >= self.turn_limit:
            return 0
        alive = [self.has_units(player) and self.has_crystals(player) for player in (1, 2)]
        return 0 if alive[0] == alive[1] else (1 if alive[0] else 2)

    # ------------------------------------------------------------------------------------------------- evaluation

    def heuristic(self, player, coded=False):
        if self.terminal:
            won = self.winner()
            return 0 if won == 0 else (60000 if won == player else -60000)
        infernos = [750 * (self.hands[s][5] + self.decks[s][5]) for s in (0, 1)]
        worth = [self.side(1), self.side(2)]
        first, second = worth[0] + infernos[0], worth[1] + infernos[1]
        if player == 1:
            return first - second
        return worth[1] + infernos[0] - worth[0] - infernos[1] if coded else second - first

    def side(self, player):
        total = 0.0
        for place, piece in self.board.items():
            if piece.owner != player:
                continue
            up = piece.hp > 0
            total += piece.hp + HP[piece.kind] * (2 if up else 1)
            if not piece.is_crystal:
                total += SQUARE[piece.kind].get(self.kind_of(place), 0) if up else 0
                total += sum(EQUIPMENT[piece.kind][item] for item in piece.items) * (2 if up else 1)
        cards = [a + b for a, b in zip(self.hands[player - 1], self.decks[player - 1], strict=True)]
        return total + sum(HP[unit] * 1.75 * count for unit, count in zip(UNITS, cards, strict=False))
