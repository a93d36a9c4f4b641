"""The N-tuple model without tables: every estimate is counted again from the list of all evaluations."""

from itertools import combinations
from math import log, sqrt

INACTIVE = -1


class SlowModel:
    """The same interface as ``TupleModel``."""

    def __init__(self, dimensions, lengths, epsilon):
        sizes = {dimensions if length == "all" else length for length in lengths}
        self.tuples = [t for size in sizes for t in combinations(range(dimensions), size)]
        self.epsilon = epsilon
        self.seen = []

    def add(self, point, fitness):
        self.seen.append((point, fitness))

    def applies(self, places, point):
        return len(places) == len(point) or all(point[place] != INACTIVE for place in places)

    def same(self, places, point):
        return [y for other, y in self.seen if all(other[place] == point[place] for place in places)]

    def mean(self, point):
        means = []
        for places in self.tuples:
            found = self.same(places, point) if self.applies(places, point) else []
            if found:
                means.append(sum(found) / len(found))
        if means:
            return sum(means) / len(means)
        return sum(y for _, y in self.seen) / len(self.seen) if self.seen else 0.0

    def exploration(self, point):
        terms = []
        for places in self.tuples:
            if self.applies(places, point):
                total = sum(self.applies(places, other) for other, _ in self.seen)
                terms.append(sqrt(log(1 + total) / (len(self.same(places, point)) + self.epsilon)))
        return sum(terms) / len(terms)
