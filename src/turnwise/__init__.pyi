# What `turnwise` exports. lazy_loader reads it: each name is imported when it is first used. Type checkers read it too.

from .core.batch import Batch as Batch
from .core.budget import Budget as Budget
from .core.budget import parse_budget as parse_budget
from .core.errors import TurnwiseError as TurnwiseError
from .core.game import Evaluation as Evaluation
from .core.game import Game as Game
from .core.game import GameOptions as GameOptions
from .core.picture import Picture as Picture
from .core.script import Script as Script
from .core.state import State as State
from .plain_python.chance import Chance as Chance
from .plain_python.game import PythonGame as PythonGame
from .plain_python.game import PythonGameOptions as PythonGameOptions
from .plain_python.meter import Meter as Meter
from .plain_python.planner import PythonPlanner as PythonPlanner
from .registry import GAMES as GAMES
from .registry import PLANNERS as PLANNERS
from .registry import load_presets as load_presets
from .registry import make as make
from .registry import planner as planner
from .search.plan import Plan as Plan
from .search.plan import SearchReport as SearchReport
from .search.planner import Planner as Planner
from .search.planner_parameters import PlannerParameters as PlannerParameters
from .search.session import Session as Session

__version__: str
