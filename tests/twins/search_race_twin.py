"""A slow and plain twin of the Search Race rules, in their order, with exact fractions for the cut."""

import math
from dataclasses import dataclass, field, replace
from fractions import Fraction

R = 600


@dataclass
class Car:
    x: int
    y: int
    vx: int = 0
    vy: int = 0
    angle: int = 0
    cp: int = 0
    timer: int = 0
    done: bool = False
    time: float | None = None
    hits: list[float] = field(default_factory=list)

    def fields(self):
        names = ("cp", "x", "y", "vx", "vy", "angle", "timer", "done")
        return {name: getattr(self, name) for name in names}


def first(points):
    (x, y), (nx, ny) = points[:2]
    angle = math.floor(math.degrees(math.atan2(ny - y, nx - x)) + 0.5)
    return Car(x, y, angle=angle + 360 if angle < 0 else angle)


def cut(value):
    exact = Fraction(value)
    nearest = math.floor(abs(exact) + Fraction(1, 2)) * (1 if exact > 0 else -1)
    return nearest if abs(nearest - exact) < Fraction(0.00001) else math.trunc(exact)


def heading(car, words):
    """Direction in radians, in degrees, and the thrust."""
    if words[0] == "EXPERT":
        degrees = car.angle + int(words[1])
        return degrees * (math.pi / 180), degrees, int(words[2])
    x, y, thrust = map(int, words)
    now = car.angle * (math.pi / 180)
    if (x, y) == (car.x, car.y):
        return now, car.angle, 0
    goal = math.atan2(y - car.y, x - car.x)
    q = math.fmod(goal - now, 2 * math.pi)
    off = math.fmod(2 * q, 2 * math.pi) - q
    theta = now + math.copysign(math.pi / 10, off) if abs(off) >= math.pi / 10 else goal
    return theta, theta * (180 / math.pi), thrust


def wait_for(dx, dy, vx, vy):
    """When a checkpoint is hit; None: never."""
    if math.sqrt(dx * dx + dy * dy) <= R:
        return 0.0
    a, b, k = vx * vx + vy * vy, 2 * (dx * vx + dy * vy), dx * dx + dy * dy - R * R
    if a <= 0 or b * b - 4 * a * k < 0:
        return None
    s = (-b - math.sqrt(b * b - 4 * a * k)) / (2 * a)
    return s if s > 0 else None


def play(car, points, laps, action):
    theta, degrees, thrust = heading(car, action.split(" "))
    vx, vy = car.vx + thrust * math.cos(theta), car.vy + thrust * math.sin(theta)
    x, y = float(car.x), float(car.y)
    new, tau, hits = replace(car), 0.0, []
    while new.cp < laps * len(points):
        cx, cy = points[(new.cp + 1) % len(points)]
        wait = wait_for(x - cx, y - cy, vx, vy)
        if wait is None or tau + wait > 1:
            break
        tau += wait
        x, y, new.cp = x + wait * vx, y + wait * vy, new.cp + 1
        hits.append(tau)
    x, y = x + (1 - tau) * vx, y + (1 - tau) * vy
    new.x, new.y, new.vx, new.vy = cut(x), cut(y), cut(0.85 * vx), cut(0.85 * vy)
    angle = math.floor(degrees + 0.5)
    while angle > 360:
        angle -= 360
    while angle < 0:
        angle += 360
    new.angle, new.hits = angle, hits
    if new.cp == laps * len(points):
        new.done, new.time = True, math.floor((new.timer + tau) * 100 + 0.5) / 100
    else:
        new.timer += 1
        if new.timer == 600:
            new.done, new.time = True, 1000.0
    return new
