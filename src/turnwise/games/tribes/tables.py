"""The constants of the rules: tribes, technologies, units, buildings, resources (rules 2 and 4)."""

from __future__ import annotations

import numpy as np

MOST_SIDE, LEAST_SIDE = 18, 8
MOST_CELLS = MOST_SIDE * MOST_SIDE
MOST_TRIBES = 4
MOST_UNITS = 255  # a tile names the slot of its unit in a byte
MOST_CITIES = 126  # a tile names the slot of its city in a signed byte
MOST_ID = 32_767  # ids have two bytes
LAST_UNIT_ID = MOST_ID - MOST_CITIES  # from here on new units have old ids, so that every city can have a new one
GHOSTS_OF_RUINS = 3  # units on no tile that ruins in water can cause (rules/ghosts.py)
GHOSTS = 16  # for which there is room in any case

# Terrain, in the order of TERRAINS.
PLAIN, SHALLOW, DEEP, MOUNTAIN, VILLAGE, CITY, FOREST, FOG = range(8)
TERRAINS = ".sdmvcf "

# Resources; 0 is none.
FISH, FRUIT, ANIMAL, WHALES, ORE, CROPS, RUINS = range(1, 8)
RESOURCES = "-hfawocr"
RESOURCE_NAMES = ("", "FISH", "FRUIT", "ANIMAL", "WHALES", "ORE", "CROPS", "RUINS")

# Tribes.
XIN_XI, IMPERIUS, BARDUR, OUMAJI = range(4)
TRIBES = ("XIN_XI", "IMPERIUS", "BARDUR", "OUMAJI")

# Technologies.
(
    CLIMBING, FISHING, HUNTING, ORGANIZATION, RIDING, ARCHERY, FARMING, FORESTRY, FREE_SPIRIT, MEDITATION, MINING,
    ROADS, SAILING, SHIELDS, WHALING, AQUATISM, CHIVALRY, CONSTRUCTION, MATHEMATICS, NAVIGATION, SMITHERY,
    SPIRITUALISM, TRADE, PHILOSOPHY,
) = range(24)  # fmt: skip
TECHNOLOGIES = (
    "CLIMBING", "FISHING", "HUNTING", "ORGANIZATION", "RIDING", "ARCHERY", "FARMING", "FORESTRY", "FREE_SPIRIT",
    "MEDITATION", "MINING", "ROADS", "SAILING", "SHIELDS", "WHALING", "AQUATISM", "CHIVALRY", "CONSTRUCTION",
    "MATHEMATICS", "NAVIGATION", "SMITHERY", "SPIRITUALISM", "TRADE", "PHILOSOPHY",
)  # fmt: skip
TECH_TIER = np.array([1] * 5 + [2] * 10 + [3] * 9, np.int64)
TECH_PARENT = np.array(
    [
        *[-1] * 5, HUNTING, ORGANIZATION, HUNTING, RIDING, CLIMBING, CLIMBING, RIDING, FISHING, ORGANIZATION, FISHING,
        WHALING, FREE_SPIRIT, FARMING, FORESTRY, SAILING, MINING, ARCHERY, ROADS, MEDITATION,
    ],
    np.int64,
)  # fmt: skip
FIRST_TECHNOLOGY = np.array([CLIMBING, ORGANIZATION, HUNTING, RIDING], np.int64)  # by tribe

# Units.
(
    WARRIOR, RIDER, DEFENDER, SWORDMAN, ARCHER, CATAPULT, KNIGHT, MIND_BENDER, BOAT, SHIP, BATTLESHIP, SUPERUNIT,
) = range(12)  # fmt: skip
UNITS = (
    "WARRIOR", "RIDER", "DEFENDER", "SWORDMAN", "ARCHER", "CATAPULT", "KNIGHT", "MIND_BENDER", "BOAT", "SHIP",
    "BATTLESHIP", "SUPERUNIT",
)  # fmt: skip
FIRST_UNIT = np.array([WARRIOR, WARRIOR, WARRIOR, RIDER], np.int64)  # by tribe
UNIT_ATTACK = np.array([2, 2, 1, 3, 2, 4, 4, 0, 1, 2, 4, 5], np.int64)
UNIT_DEFENCE = np.array([2, 1, 3, 3, 1, 0, 1, 1, 1, 2, 3, 4], np.int64)
UNIT_MOVEMENT = np.array([1, 2, 1, 1, 1, 1, 3, 1, 2, 3, 3, 1], np.int64)
UNIT_HP = np.array([10, 10, 15, 15, 10, 10, 15, 10, -1, -1, -1, 40], np.int64)
UNIT_RANGE = np.array([1, 1, 1, 1, 2, 3, 1, 1, 2, 2, 2, 1], np.int64)
UNIT_COST = np.array([2, 3, 3, 5, 3, 8, 8, 5, 0, 5, 15, 10], np.int64)
UNIT_POINTS = np.array([10, 15, 15, 25, 15, 40, 40, 25, 0, 0, 0, 50], np.int64)
UNIT_TECH = np.array(
    [-1, RIDING, SHIELDS, SMITHERY, ARCHERY, MATHEMATICS, CHIVALRY, PHILOSOPHY, -1, -1, -1, -1], np.int64
)
SPAWNED_UNITS = 8  # the first eight kinds can be spawned
FORTIFIERS = 1 << WARRIOR | 1 << RIDER | 1 << ARCHER | 1 << DEFENDER | 1 << SWORDMAN | 1 << KNIGHT
FOLLOWERS = 1 << DEFENDER | 1 << SWORDMAN | 1 << RIDER | 1 << WARRIOR | 1 << KNIGHT | 1 << SUPERUNIT
"""Kinds that move onto the tile of a unit that they kill."""
MIND_BENDER_HEALS = 4

# Status of a unit.
FRESH, MOVED, ATTACKED, MOVED_AND_ATTACKED, PUSHED, FINISHED = range(6)
STATUSES = ("FRESH", "MOVED", "ATTACKED", "MOVED_AND_ATTACKED", "PUSHED", "FINISHED")

# Buildings, from 1; 0 is none.
(
    PORT, MINE, FORGE, FARM, WINDMILL, CUSTOMS_HOUSE, LUMBER_HUT, SAWMILL, TEMPLE, WATER_TEMPLE, FOREST_TEMPLE,
    MOUNTAIN_TEMPLE, ALTAR_OF_PEACE, EMPERORS_TOMB, EYE_OF_GOD, GATE_OF_POWER, GRAND_BAZAR, PARK_OF_FORTUNE,
    TOWER_OF_WISDOM,
) = range(1, 20)  # fmt: skip
BUILDINGS = (
    "", "PORT", "MINE", "FORGE", "FARM", "WINDMILL", "CUSTOMS_HOUSE", "LUMBER_HUT", "SAWMILL", "TEMPLE", "WATER_TEMPLE",
    "FOREST_TEMPLE", "MOUNTAIN_TEMPLE", "ALTAR_OF_PEACE", "EMPERORS_TOMB", "EYE_OF_GOD", "GATE_OF_POWER", "GRAND_BAZAR",
    "PARK_OF_FORTUNE", "TOWER_OF_WISDOM",
)  # fmt: skip
BUILDING_LETTERS = "-ABCDEFGHIJKLMNOPQRS"
BUILDING_COST = np.array([0, 10, 5, 5, 5, 5, 5, 2, 5, 20, 20, 15, 20, *[0] * 7], np.int64)
BUILDING_BONUS = np.array([0, 2, 2, 2, 2, 1, 2, 1, 1, 1, 1, 1, 1, *[3] * 7], np.int64)
BUILDING_TECH = np.array(
    [
        -1, SAILING, MINING, SMITHERY, FARMING, CONSTRUCTION, TRADE, FORESTRY, MATHEMATICS, FREE_SPIRIT, AQUATISM,
        SPIRITUALISM, MEDITATION, MEDITATION, TRADE, NAVIGATION, -1, ROADS, -1, PHILOSOPHY,
    ],
    np.int64,
)  # fmt: skip
_P, _S, _D, _M, _F = 1 << PLAIN, 1 << SHALLOW, 1 << DEEP, 1 << MOUNTAIN, 1 << FOREST
BUILDING_TERRAINS = np.array(
    [0, _S, _M, _P, _P, _P, _P, _F, _P, _P, _S | _D, _F, _M, *[_S | _P] * 7], np.int64
)  # one bit for each terrain
BUILDING_RESOURCE = np.array([0, 0, ORE, 0, CROPS, *[0] * 15], np.int64)  # that must be on the tile; 0: none
PARTNER = np.array(
    [0, CUSTOMS_HOUSE, FORGE, MINE, WINDMILL, FARM, PORT, SAWMILL, LUMBER_HUT, *[0] * 11], np.int64
)  # of a building, whose bonus depends on it
FIRST_TEMPLE, LAST_TEMPLE, FIRST_MONUMENT = TEMPLE, MOUNTAIN_TEMPLE, ALTAR_OF_PEACE
MONUMENTS = 7
TEMPLE_POINTS = np.array([0, 100, 50, 50, 50, 150], np.int64)  # by level
MOST_TEMPLE_LEVEL, TEMPLE_TURNS = 5, 3

# Borders grow once, when a city reaches WIDE_LEVEL; all its tiles are within MOST_BOUND of its centre.
MOST_BOUND, WIDE_LEVEL = 2, 4

# Status of a monument.
UNAVAILABLE, AVAILABLE, BUILT = range(3)

# Result of a tribe.
INCOMPLETE, WIN, LOSS = range(3)
RESULTS = ("INCOMPLETE", "WIN", "LOSS")

# Choices of a city that grows to the next level, two for each level.
WORKSHOP, EXPLORER, CITY_WALL, RESOURCES_BONUS, POP_GROWTH, BORDER_GROWTH, PARK, SUPERUNIT_BONUS = range(8)
CHOICES = ("WORKSHOP", "EXPLORER", "CITY_WALL", "RESOURCES", "POP_GROWTH", "BORDER_GROWTH", "PARK", "SUPERUNIT")

# Offsets to the tile onto which a unit is pushed, in the order in which they are tried.
PUSH_ROWS = np.array([0, -1, 0, 1, -1, -1, 1, 1], np.int64)
PUSH_COLUMNS = np.array([1, 0, -1, 0, 1, -1, -1, 1], np.int64)
