"""Doubles and toy game can be imported by name, here and in the processes that tests start."""

import os
import sys
from pathlib import Path

HERE = Path(__file__).parent
FOLDERS = [str(HERE), str(HERE.parent)]
sys.path[:0] = [folder for folder in FOLDERS if folder not in sys.path]
os.environ["PYTHONPATH"] = os.pathsep.join([*FOLDERS, *filter(None, [os.environ.get("PYTHONPATH")])])
