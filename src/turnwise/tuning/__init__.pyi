# What `turnwise.tuning` exports; see the same file of `turnwise.arena`.

from .campaign import TuningProgress as TuningProgress
from .campaign import run_tuning as run_tuning
from .estimates import TrialResult as TrialResult
from .landscapes import LANDSCAPES as LANDSCAPES
from .landscapes import CoinFlips as CoinFlips
from .landscapes import Landscape as Landscape
from .landscapes import drawn_landscape as drawn_landscape
from .landscapes import landscape_space as landscape_space
from .ntbea import NtbeaSettings as NtbeaSettings
from .page import render_tuning as render_tuning
from .preset import preset_text as preset_text
from .run import Tuning as Tuning
from .run import tune as tune
from .space import Parameter as Parameter
from .space import Space as Space
from .space import Subset as Subset
from .specification import TuningSpec as TuningSpec
from .specification import make_tuning as make_tuning
from .specification import read_tuning as read_tuning
