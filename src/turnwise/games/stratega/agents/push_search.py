"""Breadth-first search of a unit for the cells from which enemies can be pushed (rules 10.2)."""

from __future__ import annotations

from turnwise.games.stratega.agents.push_lines import is_hole, is_inside, line_length, step_x, step_y
from turnwise.games.stratega.rules.board import is_free, is_in, manhattan
from turnwise.games.stratega.scenario import StrategaSetup
from turnwise.games.stratega.script_parts import is_foe, is_own
from turnwise.games.stratega.state import StrategaState, x_of, y_of
from turnwise.jit.kernel import inlined, integer, kernel
from turnwise.jit.record import Ints

# Scratch memory: for every cell the cell before it on its path (-1: not reached), the queue, and marks; then three
# words for every candidate: its cell, its victim, the length of its line.
FIELDS = 3
OWN, WANTED = 1, 2  # marks: an own unit is there; it is the cell of a candidate


def words_of_search(cells: int, units: int) -> int:
    """Size of the scratch memory."""
    return 3 * cells + 4 * FIELDS * units


@inlined
def first_candidate(g: StrategaSetup) -> int:
    """Index of the first candidate in the scratch memory."""
    return 3 * g.cells


@kernel
def list_candidates(g: StrategaSetup, s: StrategaState, scratch: Ints, coded: bool) -> int:
    """List the free cells from which an enemy can be pushed, by enemies and directions; returns their number."""
    n = 0
    for number in range(g.units):
        foe = s.data[number]
        if not is_foe(s, foe):
            continue
        x, y = x_of(foe), y_of(foe)
        for direction in range(3, -1, -1):
            to_x, to_y = x + step_x(direction), y + step_y(direction)
            if is_inside(g, to_x, to_y) and is_free(g, s, to_x * g.height + to_y):
                length = line_length(g, s, x, y, direction, coded)
                if length > 0:
                    place = first_candidate(g) + FIELDS * n
                    scratch[place], scratch[place + 1] = to_x * g.height + to_y, number
                    scratch[place + 2] = length
                    n += 1
    return n


@kernel
def mark_cells(g: StrategaSetup, s: StrategaState, scratch: Ints, candidates: int) -> int:
    """Mark the cells of own units, through which paths may lead, and of candidates; returns how many the latter are."""
    first = 2 * g.cells
    for cell in range(g.cells):
        scratch[first + cell] = 0
    for number in range(g.units):
        unit = s.data[number]
        if is_own(s, unit):
            scratch[first + x_of(unit) * g.height + y_of(unit)] = OWN
    different = 0
    for number in range(candidates):
        cell = integer(scratch[first_candidate(g) + FIELDS * number])
        different += integer(scratch[first + cell] == 0)
        scratch[first + cell] = WANTED
    return different


@kernel
def is_way(g: StrategaSetup, s: StrategaState, scratch: Ints, x: int, y: int, coded: bool) -> bool:
    """Whether a path may lead through a place."""
    if not is_inside(g, x, y) or is_hole(g, s, x, y, coded):
        return False
    cell = x * g.height + y
    if scratch[2 * g.cells + cell] == OWN:
        return True
    return is_free(g, s, cell) and (coded or not is_in(g.walls, cell))


@kernel
def search_from(g: StrategaSetup, s: StrategaState, unit: int, scratch: Ints, wanted: int, coded: bool) -> None:
    """Write the cell before each cell on a shortest path from a unit, until all marked candidates are reached."""
    for cell in range(g.cells):
        scratch[cell] = -1
    queue, past = g.cells, g.cells + 1
    start = x_of(unit) * g.height + y_of(unit)
    scratch[start], scratch[queue] = start, start
    while queue < past and wanted > 0:
        cell = integer(scratch[queue])
        queue += 1
        for direction in range(4):
            x, y = integer(g.x[cell]) + step_x(direction), integer(g.y[cell]) + step_y(direction)
            if is_way(g, s, scratch, x, y, coded) and scratch[x * g.height + y] < 0:
                scratch[x * g.height + y] = cell
                scratch[past] = x * g.height + y
                past += 1
                wanted -= integer(scratch[2 * g.cells + x * g.height + y] == WANTED)


@kernel
def path_length(scratch: Ints, start: int, cell: int) -> int:
    """Steps to a cell from the search's start, or from another cell on the path to it."""
    length = 0
    while cell != start:
        cell, length = integer(scratch[cell]), length + 1
    return length


@kernel
def first_step(scratch: Ints, start: int, cell: int) -> int:
    """The first cell on the path to a cell other than the start."""
    while scratch[cell] != start:
        cell = integer(scratch[cell])
    return cell


@kernel
def is_on_path(scratch: Ints, start: int, end: int, cell: int) -> bool:
    """Whether a cell is on the path to another one, the start excepted."""
    while end != start:
        if end == cell:
            return True
        end = integer(scratch[end])
    return False


@kernel
def is_exposed(g: StrategaSetup, s: StrategaState, cell: int, victim: int, coded: bool) -> bool:
    """Whether an enemy other than the victim could push who stands on a cell onto a deadly tile in its next turn."""
    x, y = integer(g.x[cell]), integer(g.y[cell])
    for direction in range(4):
        dx, dy = step_x(direction), step_y(direction)
        if is_hole(g, s, x - dx, y - dy, coded) and not is_hole(g, s, x + dx, y + dy, coded):
            for number in range(g.units):
                unit = s.data[number]
                is_near = manhattan(x_of(unit), y_of(unit), x + dx, y + dy) <= 1
                if number != victim and is_foe(s, unit) and is_near:
                    return True
    return False


@kernel
def best_candidate(
    g: StrategaSetup, s: StrategaState, unit: int, scratch: Ints, candidates: int, coded: bool
) -> tuple[int, int, int]:
    """The candidate with the fewest steps and pushes whose first step is not exposed.

    Of candidates on one cell only the first counts in the original engine.

    Returns:
        Its cell (-1: there is none), the length of the path to it, and of its line.
    """
    best, steps, pushes = -1, 0, 0
    start = x_of(unit) * g.height + y_of(unit)
    for number in range(candidates):
        place = first_candidate(g) + FIELDS * number
        cell, victim, line = integer(scratch[place]), integer(scratch[place + 1]), integer(scratch[place + 2])
        if scratch[cell] < 0 or (coded and is_repeated(g, scratch, number)):
            continue
        length = path_length(scratch, start, cell)
        if best >= 0 and length + line >= steps + pushes:
            continue
        if not is_exposed(g, s, first_step(scratch, start, cell), victim, coded):
            best, steps, pushes = cell, length, line
    return best, steps, pushes


@kernel
def is_repeated(g: StrategaSetup, scratch: Ints, number: int) -> bool:
    """Whether an earlier candidate has the same cell."""
    first = first_candidate(g)
    for earlier in range(number):  # noqa: SIM110 - a loop compiles, a generator does not
        if scratch[first + FIELDS * earlier] == scratch[first + FIELDS * number]:
            return True
    return False
