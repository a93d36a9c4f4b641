"""Completion scripts for shells, written from the commands themselves.

A script contains all names, so pressing Tab starts no Python. It belongs to the version that wrote it. Only for modules
that the line names by ``--import``, the shell asks turnwise for a new script, once for each set of modules.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from turnwise.cli.ui.options import GLOBAL_OPTIONS

_GLOBAL = (*GLOBAL_OPTIONS, "--version", "--help")


@dataclass(frozen=True)
class KnownOption:
    """An option of a command.

    Attributes:
        forms: How it is written: "--planner", "-p".
        takes_value: Whether a value follows.
        values: Known values; empty: any, or names of files.
        summary: Its help text, on one line.
    """

    forms: tuple[str, ...]
    takes_value: bool
    values: tuple[str, ...]
    summary: str


@dataclass(frozen=True)
class KnownCommand:
    """A command: its name, summary, options, and the known values of its arguments."""

    name: str
    summary: str
    options: tuple[KnownOption, ...]
    values: tuple[str, ...]


def entries(commands: dict[str, Any]) -> list[KnownCommand]:
    """The commands of the parser."""
    names = _names()
    found = []
    for name, command in commands.items():
        options: list[KnownOption] = []
        values: list[str] = []
        for parameter in command.params:
            kind = "STUDY" if name == "study" and parameter.name == "name" else str(parameter.metavar)
            known = tuple(kind.split("|")) if kind.islower() else names.get(kind, ())  # placeholders are in capitals
            if parameter.opts[0].startswith("-"):
                forms = (*parameter.opts, *parameter.secondary_opts)
                options.append(KnownOption(forms, not parameter.is_flag, known, _first_line(parameter.help)))
            else:
                values += known
        found.append(KnownCommand(name, _first_line(command.help), tuple(options), tuple(dict.fromkeys(values))))
    return found


def _names() -> dict[str, tuple[str, ...]]:
    """What the placeholders of help texts stand for, where turnwise knows all values."""
    from turnwise.registry import games, planners
    from turnwise.studies import all_studies
    from turnwise.testing.checks.game import GAME_CHECKS

    minds, scenarios = tuple(planners()), tuple(games())
    studies = tuple(study.name for study in all_studies())
    known = {"GAME": scenarios, "GAME|PLANNER": (*scenarios, *minds), "STUDY": studies, "CHECK": tuple(GAME_CHECKS)}
    return known | dict.fromkeys(("PLANNER", "PLANNER...", "A", "B"), minds)


def _first_line(text: str | None) -> str:
    """The first sentence, without markup."""
    line = (text or "").partition("\n\n")[0].partition(". ")[0].rstrip(".")
    for mark in ("[bold]", "[/bold]", "[cyan]", "[/cyan]"):
        line = line.replace(mark, "")
    return " ".join(line.split())


_BEGIN, _END = "# Completion for turnwise", "# End of completion for turnwise"  # a module may print around them
_IMPORTED = (
    f"""\
{_BEGIN}
# First reads a script that also has the names of the modules that the line imports.
"""
    + """\
_turnwise() {
  local modules=() i
  for ((i = 1; i + 1 < COMP_CWORD; i++)); do
    if [[ "${COMP_WORDS[i]}" == --import ]]; then
      if [[ "${COMP_WORDS[i+1]}" == = ]]; then i=$((i + 1)); fi
      modules+=(--import "${COMP_WORDS[i+1]}")
    fi
  done
  if [[ "${modules[*]}" != "$_turnwise_modules" ]]; then
    _turnwise_modules="${modules[*]}"
    eval "$("${COMP_WORDS[0]}" "${modules[@]}" completion bash 2>/dev/null | sed -n '/^# Completion/,/^# End of/p')"
  fi
  _turnwise_known
}
"""
)


def bash(found: list[KnownCommand]) -> str:
    """A completion script for bash."""
    lines = [
        *_IMPORTED.splitlines(),
        "_turnwise_known() {",
        '  local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}"',
        '  local command="" options="" values="" i',
        "  for ((i = 1; i < COMP_CWORD; i++)); do",
        '    case "${COMP_WORDS[i]}" in',
        f"      {'|'.join(GLOBAL_OPTIONS)})",
        '        if [[ "${COMP_WORDS[i+1]}" == = ]]; then i=$((i + 2)); else i=$((i + 1)); fi ;;',
        "      -*) ;;",
        '      *) command="${COMP_WORDS[i]}"; break ;;',
        "    esac",
        "  done",
        '  case "$command $before" in',
    ]
    for entry in found:
        for option in entry.options:
            if option.takes_value:
                cases = "|".join(f'"{entry.name} {form}"' for form in option.forms)
                lines.append(f'    {cases}) COMPREPLY=($(compgen -W "{_list(option.values)}" -- "$word")); return ;;')
    lines += [
        "  esac",
        '  case "$command" in',
        f'    "") values="{_list(entry.name for entry in found)}"; options="{_list(_GLOBAL)}" ;;',
    ]
    for entry in found:
        forms = [form for option in entry.options for form in option.forms]
        lines.append(f'    {entry.name}) options="{_list([*forms, *_GLOBAL])}"; values="{_list(entry.values)}" ;;')
    lines += [
        "  esac",
        '  if [[ "$word" == -* ]]; then values="$options"; fi',
        '  COMPREPLY=($(compgen -W "$values" -- "$word"))',
        "}",
        "complete -o default -F _turnwise turnwise",
        _END,
    ]
    return "\n".join(lines) + "\n"


def zsh(found: list[KnownCommand]) -> str:
    """A completion script for zsh, which understands that of bash."""
    return f"autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n{bash(found)}"


_FISH_NAMES = """\
# The values that variables hold; with those of the modules that the line imports, asked once for each set of modules.
function __turnwise_names
  set -l words (commandline -opc)
  set -l modules
  for i in (seq 2 (count $words))
    if test "$words[$i]" = --import; and test $i -lt (count $words)
      set -a modules --import $words[(math $i + 1)]
    else if string match -q -- '--import=*' "$words[$i]"
      set -a modules $words[$i]
    end
  end
  if test "$modules" != "$__turnwise_modules"
    set -g __turnwise_modules "$modules"
    $words[1] $modules completion fish 2>/dev/null | string match -r '^set -g __turnwise_.*' | source
  end
  set -l variable __turnwise_$argv[1]
  string join \\n -- $$variable
end
"""


def fish(found: list[KnownCommand]) -> str:
    """A completion script for fish."""
    begin = "complete -c turnwise"
    commands = _list(entry.name for entry in found)
    lines = [
        *_FISH_NAMES.splitlines(),
        "function __turnwise_needs_command",
        f"  not __fish_seen_subcommand_from {commands}",
        "end",
    ]
    lines += [f"{begin} -l {form.removeprefix('--')}{' -r' if form in GLOBAL_OPTIONS else ''}" for form in _GLOBAL]
    for entry in found:
        lines.append(f"{begin} -f -n __turnwise_needs_command -a {entry.name} -d {_quoted(entry.summary)}")
        inside = f"{begin} -n '__fish_seen_subcommand_from {entry.name}'"
        if entry.values:
            lines.append(_fish_values(entry.name, entry.values))
            lines.append(f"{inside} -a '(__turnwise_names {entry.name})'")
        for option in entry.options:
            forms = " ".join(f"-l {form[2:]}" if form.startswith("--") else f"-s {form[1:]}" for form in option.forms)
            values = " -r" if option.takes_value else ""
            if option.values:
                place = f"{entry.name}{option.forms[0]}".replace("-", "_")
                lines.append(_fish_values(place, option.values))
                values = f" -x -a '(__turnwise_names {place})'"
            lines.append(f"{inside} {forms}{values} -d {_quoted(option.summary)}")
    return "\n".join(lines) + "\n"


def _fish_values(place: str, values: Iterable[str]) -> str:
    """The variable that holds the values at a place of the line."""
    return f"set -g __turnwise_{place} {_list(map(_quoted, values))}"


SHELLS = {"bash": bash, "zsh": zsh, "fish": fish}


def _list(words: Iterable[str]) -> str:
    return " ".join(words)


def _quoted(text: str) -> str:
    """Text in single quotes, as fish reads it."""
    plain = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{plain}'"
