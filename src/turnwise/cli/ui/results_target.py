"""The results file of a command that runs what a TOML file specifies, and the command that repeats the run."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from pathlib import Path

from turnwise.core.errors import TurnwiseError
from turnwise.core.output_files import check_writable, refuse_inputs

_MOST_NAMED = 8  # files in a command that is shown


def results_target(file: Path, out: Path | None) -> Path:
    """The results file, checked before anything is computed.

    Args:
        file: The specification.
        out: What was given with ``--out``; None: next to the specification.

    Raises:
        TurnwiseError: The results cannot be written there.
        OptionError: It is the specification.
    """
    from turnwise.arena.results_file import results_files

    path = out or file.with_suffix(".sqlite")
    folder = path.absolute().parent
    if not folder.is_dir() or path.is_dir():
        what = "this is a folder" if path.is_dir() else f"there is no folder {folder}"
        raise TurnwiseError(f"{path}: {what}; --out must name a results file in an existing folder.")
    check_writable(path, folder, "--out")
    refuse_inputs(results_files(path), [file])
    return path


def repeating_command(name: str, file: Path, results: Path, imports: Sequence[str]) -> str:
    """The command that repeats a run, for reports; file names without folders.

    Args:
        name: Name of the command.
        file: The specification.
        results: The results file.
        imports: Modules that ``--import`` named.
    """
    from turnwise.search.presets import added

    words = [*command_words(imports, [Path(path).name for path in added()]), name, file.name]
    if results != file.with_suffix(".sqlite"):
        words += ["--out", results.name]
    return shlex.join(words)


def merge_command(file: Path, results: Path, part: int, parts: int) -> str:
    """The command that joins the results of a tournament's parts.

    The files of other parts have the same name with their number, if it has the number of this part once; else, and of
    many parts, the command has a word in capitals in their place.

    Args:
        file: The specification.
        results: The results file of one part.
        part: Its number.
        parts: Number of parts.
    """
    number = re.compile(rf"(?<!\d){part}(?!\d)")
    if parts > _MOST_NAMED:
        names = [str(results), "OTHERS..."]
    elif len(number.findall(results.stem)) == 1:
        stems = [number.sub(str(other), results.stem) for other in range(1, parts + 1)]
        names = [str(results.with_name(f"{stem}{results.suffix}")) for stem in stems]
    else:
        names = [str(results) if other == part else f"PART-{other}.sqlite" for other in range(1, parts + 1)]
    whole = file.with_suffix(".sqlite")
    whole = whole if str(whole) not in names else file.with_name(f"{file.stem}-all.sqlite")
    return shlex.join(["turnwise", "merge", *names, "--out", str(whole)])


def command_words(imports: Sequence[str], presets: Sequence[str]) -> list[str]:
    """How a command of this process begins: the program, and the options before the name of the command."""
    given = [("--import", module) for module in imports] + [("--presets", preset) for preset in presets]
    return ["turnwise", *(word for pair in given for word in pair)]
