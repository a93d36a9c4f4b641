"""A small compiled game with the whole contract: 2 to 4 players, units known by their squares, fog, and rare chance.

The board has 7 rows of 8 squares. Scouts (2 health, 3 action points, 1 damage) and fighters (4, 2, 2) step, strike
and turn around. Striking a fighter costs the striker 1 health, so a unit can die by its own action. The first unit on
a ruin gains 1 health. A turn ends only by the action "end", and a player without units drops out. With ``unbounded``,
steps and turning around are free, so a turn can have any length; otherwise every action costs a point. Every
``chance_every``-th action of a unit draws: a strike its damage, any other action whether the unit gets tired. With
``fog`` a player sees what is within 2 squares of its own units; a view counts the units that it hides, and ruins are
unknown until seen.
"""

from doubles.skirmish.game import Skirmish, SkirmishOptions
from doubles.skirmish.state import END, SkirmishSetup, SkirmishState

__all__ = ["END", "Skirmish", "SkirmishOptions", "SkirmishSetup", "SkirmishState"]
