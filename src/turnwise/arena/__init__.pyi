# What `turnwise.arena` exports. lazy_loader reads it: each name is imported when it is first used. Type checkers read
# it too. It can name modules of this package only; names of `turnwise.statistics` come through `.statistics`.

from .contest.loop import play_contest as play_contest
from .match import MatchRules as MatchRules
from .match import play_game as play_game
from .records import Ending as Ending
from .records import GameRecord as GameRecord
from .records import SeatRecord as SeatRecord
from .records import TurnCost as TurnCost
from .results.damage import DamagedGamesError as DamagedGamesError
from .results.export import export_csv as export_csv
from .results.export import export_parquet as export_parquet
from .results.reading import Results as Results
from .results.reading import open_results as open_results
from .results.writing import ResultsBusyError as ResultsBusyError
from .results.writing import ResultsMismatchError as ResultsMismatchError
from .solving.solution import Solution as Solution
from .solving.solver import Solver as Solver
from .solving.solver import solve as solve
from .statistics import Interval as Interval
from .statistics import Sprt as Sprt
from .statistics import Tally as Tally
from .statistics import bradley_terry as bradley_terry
from .statistics import score_interval as score_interval
from .statistics import wilson_interval as wilson_interval
from .tournament.run import RunSummary as RunSummary
from .tournament.run import TournamentProgress as TournamentProgress
from .tournament.run import run_tournament as run_tournament
from .tournament.schedule import Schedule as Schedule
from .tournament.schedule import make_schedule as make_schedule
from .tournament.specification import TournamentSpec as TournamentSpec
from .tournament.specification import make_spec as make_spec
from .tournament.specification import read_spec as read_spec
from .tournament.standings import PairResult as PairResult
from .tournament.standings import PlayerSummary as PlayerSummary
from .tournament.standings import Standings as Standings
from .tournament.standings import standings_of as standings_of
