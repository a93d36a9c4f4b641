"""Slow, obvious twins of the planners' kernels, written on immutable states."""

import math

from turnwise.core import calls


def in_turn(root, state):
    return state.to_move == root.to_move and state.turn == root.turn


def played(state, actions):
    for action in actions:
        state = state.play(action)
    return state


def ordered_candidates(state):
    """Pruned legal actions, best-scored first, equal ones in native order."""
    codes = [int(code) for code in state.candidate_codes()]
    return sorted(codes, key=lambda code: -calls.call(state.game, "action_score", state.row, code))


def all_outcomes(root):
    """Every distinct state at the end of the turn (by its row) with its value for the mover; visits each state once."""
    outcomes, seen, waiting = {}, {bytes(root.row)}, [root]
    while waiting:
        state = waiting.pop()
        for code in state.candidate_codes():
            child = state.play(int(code))
            if bytes(child.row) in seen:
                continue
            seen.add(bytes(child.row))
            if in_turn(root, child):
                waiting.append(child)
            else:
                outcomes[bytes(child.row)] = child.evaluate(root.to_move, root=root)
    return outcomes


def best_of_game(root):
    """The best value at the end of a single-player game, by visiting every state once."""
    best, seen, waiting = -math.inf, set(), [root]
    while waiting:
        state = waiting.pop()
        if state.is_over:
            best = max(best, state.evaluate(0, root=root))
            continue
        for code in state.legal_codes():
            child = state.play(int(code))
            if bytes(child.row) not in seen:
                seen.add(bytes(child.row))
                waiting.append(child)
    return best


class Node:
    def __init__(self, state):
        self.state, self.visits, self.untried, self.edges = state, 0, None, []


class Edge:
    def __init__(self, action, child, mover):
        self.action, self.child, self.mover, self.visits, self.mean = action, child, mover, 0, 0.0

    def add(self, value):
        """A running mean, as in the kernel: equal rounding, so that ties are broken in the same way."""
        self.visits += 1
        self.mean += (value - self.mean) / self.visits


class PlainMCTS:
    """UCT without rollouts, as the planner's documentation describes it; for one or two players."""

    def __init__(self, root, low, high, exploration, negate=False, limit=100):
        self.root, self.low, self.high, self.negate, self.limit = root, low, high, negate, limit
        # C, rounded as the planner rounds it, by way of the paper's C'.
        self.factor = 2 * (exploration * 0.5**1.5) * math.sqrt(2)
        self.nodes = {}
        self.tree = self.node(root)

    def node(self, state):
        return self.nodes.setdefault(bytes(state.row), Node(state))

    def play(self, state, action):
        """The state after an action and a forced end of the turn after it."""
        after = state.play(action)
        if in_turn(state, after) and len(after.legal_codes()) == 1:
            closed = after.play(int(after.legal_codes()[0]))
            return after if in_turn(state, closed) else closed
        return after

    def bound(self, node, edge):
        """w/n + C sqrt(ln N / n); the paper's 1/sqrt 2, in w/n + 2 C' sqrt(2 ln N / n), is C = 2."""
        return edge.mean + self.factor * math.sqrt(math.log(max(1, node.visits))) * (1 / math.sqrt(edge.visits))

    def descend(self):
        node, path = self.tree, []
        while not node.state.is_over and len(path) < self.limit:
            if node.untried is None:
                node.untried = ordered_candidates(node.state)
            if node.untried:
                action = node.untried[0]
                after = self.play(node.state, action)
                node.untried.pop(0)
                if bytes(after.row) == bytes(node.state.row):
                    return node.state, path
                edge = Edge(action, self.node(after), node.state.to_move)
                node.edges.append(edge)
                return after, [*path, edge]
            if not node.edges:
                break
            best = max(node.edges, key=lambda edge: self.bound(node, edge))
            path.append(best)
            node = best.child
        return node.state, path

    def iterate(self):
        leaf, path = self.descend()
        mover = self.root.to_move
        value = (leaf.evaluate(mover, root=self.root) - self.low) / (self.high - self.low)
        self.tree.visits += 1
        for edge in path:
            edge.child.visits += 1
            edge.add(value if edge.mover == mover else (-value if self.negate else 1 - value))


class PlainGenerator:
    """splitmix64 with unbiased bounded draws, the twin of turnwise.core.chance."""

    mask = 2**64 - 1

    def __init__(self, seed):
        self.word = seed & self.mask

    def next(self):
        self.word = (self.word + 0x9E3779B97F4A7C15) & self.mask
        x = self.word
        x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & self.mask
        x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & self.mask
        return x ^ (x >> 31)

    def draw(self, n):
        while True:
            product = (self.next() >> 32) * n
            if product % 2**32 >= 2**32 % n:
                return product >> 32


def plain_crossover(root, mother, father, chance):
    """A child's actions: the paper's uniform crossover with repair, on pruned legal lists."""
    state, child = root, []
    while in_turn(root, state):
        i, listed = len(child), [int(code) for code in state.candidate_codes()]
        a, b = (mother, father)
        heads = chance.draw(2) == 0
        wanted = [a[i : i + 1], b[i : i + 1]] if heads else [b[i : i + 1], a[i : i + 1]]
        wanted += [a[i + 1 : i + 2], b[i + 1 : i + 2]]
        fitting = [gene[0] for gene in wanted if gene and gene[0] in listed]
        action = fitting[0] if fitting else listed[chance.draw(len(listed))]
        child.append(action)
        state = state.play(action)
    return child


def plain_mutation(root, genes, chance, tail, forced):
    """Actions after one mutation: a place, another action there, repair after it."""
    place = chance.draw(len(genes))
    if not forced and place == len(genes) - 1:
        last = root
        for action in genes[:-1]:
            last = last.play(action)
        if len(last.legal_codes()) == 1:
            place = chance.draw(len(genes) - 1)
    state, new, fresh = root, [], False
    while in_turn(root, state):
        i, listed = len(new), [int(code) for code in state.candidate_codes()]
        action = genes[i] if i < len(genes) else None
        if i == place:
            others = [code for code in listed if code != action]
            action = others[chance.draw(len(others))] if others else action
        elif i > place and (fresh or action is None or action not in state.legal_codes()):
            action, fresh = listed[chance.draw(len(listed))], tail
        new.append(action)
        state = state.play(action)
    return new
