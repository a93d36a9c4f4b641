"""``games`` and ``planners``: what exists, and what can be set."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Annotated, Any

import typer

from turnwise.cli.ui.options import JsonOption, add
from turnwise.cli.ui.output import console, plain, print_json, show, table
from turnwise.core.errors import TurnwiseError, counted
from turnwise.core.evaluation import ROLLOUTS

if TYPE_CHECKING:
    from pydantic import BaseModel

    from turnwise.registry import Registry


def register(app: typer.Typer) -> None:
    """Add the commands."""
    add(app, games, "turnwise games", "turnwise games hero-academy:map=a-small", "turnwise games --json")
    add(
        app,
        planners,
        "turnwise planners",
        "turnwise planners online-evolution",
        "turnwise planners mcts:preset=as-published",
        "turnwise planners mcts --json",
    )


def games(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME", help="Show one game with its options; NAME:OPTION=VALUE,... shows the given values, too."
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """List the games, or show one with options and evaluations."""
    from turnwise.registry import GAMES

    if name is not None:
        facts = _game_facts(name)
        if as_json:
            print_json(facts)
        else:
            _show_game(facts)
        return
    rows = [_guarded(GAMES, each, _game_facts) for each in GAMES.names()]
    if as_json:
        print_json(rows)
        return
    listing = table("name", "game", "rules", "players", "options")
    for row in rows:
        options = ", ".join(option["name"] for option in row.get("options", ()))
        title = row.get("error") or row["title"]
        listing.add_row(row["name"], title, row.get("rules_version", ""), str(row.get("players", "")), options)
    show(listing)


def planners(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME",
            help="Show one planner with its parameters; NAME:PARAMETER=VALUE,... shows the given values, too.",
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """List the planners, or show one: parameters, presets, source."""
    from turnwise.registry import PLANNERS

    if name is not None:
        facts = _planner_facts(name)
        if as_json:
            print_json(facts)
        else:
            _show_planner(facts)
        return
    rows = [_guarded(PLANNERS, each, _planner_facts) for each in PLANNERS.names()]
    if as_json:
        print_json(rows)
        return
    listing = table("name", "what it does", "one iteration is", "presets")
    for row in rows:
        presets = ", ".join(row.get("presets", ()))
        summary = row.get("error") or row["summary"] or row["title"]
        listing.add_row(row["name"], summary, row.get("iteration", ""), presets)
    show(listing)


def _guarded(registry: Registry[Any], name: str, facts: Any) -> dict[str, Any]:
    """Facts of one entry, or its error: an entry that cannot be loaded must not hide the others."""
    try:
        found: dict[str, Any] = facts(name)
        return found
    except TurnwiseError as error:
        return {"name": name, "error": str(error)}


def _summary(item: type[Any]) -> str:
    """First paragraph of a class's own docstring, on one line."""
    text = inspect.cleandoc(item.__doc__ or "")
    return " ".join(text.split("\n\n")[0].replace("``", "").split())


def _game_facts(name: str) -> dict[str, Any]:
    from turnwise.arena.recommended import recommended_planner, recommended_player
    from turnwise.cli.commands.solve import DEFAULT_SECONDS
    from turnwise.cli.ui.fields import describe
    from turnwise.registry import make
    from turnwise.search.problem_form import BUILT_IN_POLICIES
    from turnwise.search.scripts import BUILT_IN

    game = make(name)
    return {
        "name": game.name,
        "title": game.title,
        "summary": _summary(type(game)),
        "rules_version": game.rules_version,
        "players": game.players,
        "scenario": game.spec,
        "stochastic": game.is_stochastic,
        "hides_information": game.hides_information,
        "reveals_in_turn": game.reveals_in_turn,
        "shares_goal": game.shares_goal,
        "plan_capacity": game.max_turn,
        "options": _with_values(describe(game.Options), game.options),
        "evaluations": {
            key: {"summary": game.evaluation(key)[1].summary, "default": key == game.default_evaluation}
            for key in dict.fromkeys([*game.evaluation_names, ROLLOUTS])
        },
        "policies": [*game.policies, *BUILT_IN_POLICIES],
        "scripts": {name: game.script(name).summary for name in game.script_names}
        | {name: text for name, text in BUILT_IN.items() if name not in game.script_names},
        "metrics": list(game.metrics),
        "recommended": {"playing": recommended_player(game)}
        | ({"solving": recommended_planner(game, seconds=DEFAULT_SECONDS)} if game.players == 1 else {}),
    }


def _with_values(rows: list[dict[str, Any]], settings: BaseModel) -> list[dict[str, Any]]:
    """Rows of fields, each with its value in some settings."""
    from turnwise.core.scenario_file import AS_LABELS

    values = {
        name.replace("_", "-"): value for name, value in settings.model_dump(mode="json", context=AS_LABELS).items()
    }
    return [{**row, "value": values[row["name"]]} for row in rows]


def _planner_facts(text: str) -> dict[str, Any]:
    from turnwise.cli.ui.fields import describe
    from turnwise.registry import PLANNERS, split_text
    from turnwise.registry import planner as make_planner
    from turnwise.search.presets import games_of

    name, settings = split_text(text)
    planner = PLANNERS.get(name)
    presets = {
        key: {parameter.replace("_", "-"): value for parameter, value in changes.items()}
        for key, changes in (planner.all_presets() if hasattr(planner, "all_presets") else {}).items()
    }
    parameters = describe(planner.Parameters) if hasattr(planner, "Parameters") else []
    if settings or parameters:
        parameters = _with_values(parameters, make_planner(text).parameters)
    return {
        "name": name,
        "title": getattr(planner, "title", name),
        "summary": _summary(planner),
        "source": getattr(planner, "source", ""),
        "iteration": getattr(planner, "iteration", ""),
        "parameters": parameters,
        "presets": presets,
        "preset_games": {preset: games_of(name, preset) for preset in presets},
    }


def _show_game(facts: dict[str, Any]) -> None:
    _heading(f"{facts['title']} ({facts['name']})", facts["summary"])
    chance = "chance takes part after the start" if facts["stochastic"] else "no chance after the start"
    hidden = "players do not know the whole state" if facts["hides_information"] else "nothing is hidden"
    revealed = ", something is revealed within turns" if facts["reveals_in_turn"] else ""
    players = counted(facts["players"], "player")
    if any(option["name"] == "players" for option in facts["options"]):
        players += " (see the option 'players')"
    players += " who share a goal" if facts["shares_goal"] else ""
    plain(f"Rules version {facts['rules_version']}, {players}, {chance}, {hidden}{revealed}.")
    capacity = counted(facts["plan_capacity"], "action")
    plain(f"A plan holds at most {capacity}; a longer turn would be planned in parts.")
    _show_fields("Options", facts["options"], f"{facts['name']}:OPTION=VALUE,...")
    listing = table("name", "what it rates", title="Evaluations")
    for name, evaluation in facts["evaluations"].items():
        listing.add_row(name + (" (default)" if evaluation["default"] else ""), evaluation["summary"])
    show(listing)
    plain(f"Rollout policies: {', '.join(facts['policies'])}, and every expression of scripts.")
    listing = table("name", "what it does", title="Scripts (combine them as in first(A,mix(0.3:B,C)))")
    for name, summary in facts["scripts"].items():
        listing.add_row(name, summary)
    show(listing)
    if facts["metrics"]:
        plain(f"Numbers in tables: {', '.join(facts['metrics'])}.")
    recommended = facts["recommended"]
    plain(f"Planner of 'turnwise plan', 'play' and 'engine' by default: {recommended['playing']}")
    if "solving" in recommended:
        plain(f"Planner of 'turnwise solve' without options: {recommended['solving']}")


def _show_planner(facts: dict[str, Any]) -> None:
    _heading(f"{facts['title']} ({facts['name']})", facts["summary"])
    if facts["source"]:
        plain(f"Source: {facts['source']}.")
    if facts["iteration"]:
        plain(f"One iteration is {facts['iteration']}.")
    _show_fields("Parameters", facts["parameters"], f"{facts['name']}:PARAMETER=VALUE,...")
    if facts["presets"]:
        listing = table("preset", "made for", "sets", title=f"Presets (as in {facts['name']}:preset=NAME)")
        for preset, changes in facts["presets"].items():
            settings = ", ".join(f"{key}={value}" for key, value in changes.items())
            games = ", ".join(facts["preset_games"][preset]) or "every game"
            listing.add_row(preset, games, settings or "nothing: the defaults")
        show(listing)


def _heading(title: str, summary: str) -> None:
    from rich.text import Text

    console().print(Text(title, style="bold"))
    plain(summary)


def _show_fields(title: str, rows: list[dict[str, Any]], usage: str) -> None:
    from turnwise.cli.ui.fields import row_cells, shown_value

    if not rows:
        plain(f"{title}: none.")
        return
    set_here = any(row["value"] != row["default"] for row in rows)
    columns = ("name", *(("set to",) if set_here else ()), "values", "default", "what it is")
    listing = table(*columns, title=f"{title} (as in {usage})")
    for row in rows:
        name, *others = row_cells(row)
        value = shown_value(row["value"]) + (" *" if row["value"] != row["default"] else "")
        listing.add_row(name, *((value,) if set_here else ()), *others)
    show(listing)
    if set_here:
        plain("* differs from the default")
