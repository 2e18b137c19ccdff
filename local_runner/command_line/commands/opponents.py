"""The command `tengen opponents`: lists the agents that come with the project."""

import typer

from local_runner.command_line.options import JsonTo
from local_runner.language.languages import COLON, _, shown

PLACE = "lists", 60  # group of commands, and the place in lists
EXAMPLES = ("tengen opponents", "tengen opponents --json opponents.json")


def opponents(json_to: JsonTo = None) -> None:
    """List the built-in agents, with the options that are used most, our levels, and others' protocols."""
    from local_runner.command_line import listings
    from local_runner.terminal import output

    output.check(json_to)
    output.tell(json_to, listings.opponents, _show)


def _show() -> None:
    from local_runner.agents.catalogue import BUILT_INS, PROTOCOLS, options_text
    from local_runner.processes.engine.levels import LEVELS

    for name, built_in in BUILT_INS.items():
        typer.echo(f"{name:15}{shown(built_in.about)}")
        if built_in.options:
            typer.echo(f"{'':15}{name}:{options_text(built_in.options)}")
    typer.echo("\n" + _("Levels of our engine, for play, match, tournament, sprt and the page; every game:"))
    for each in LEVELS:
        typer.echo(f"{f'level{each.number}':15}{shown(each.name)}{shown(COLON)}{shown(each.about)}")
    typer.echo("\n" + _("Programs of others, by the protocol that they speak; in every command:"))
    for name, protocol in PROTOCOLS.items():
        typer.echo(f"{name:15}{shown(protocol.about)}")
        typer.echo(f"{'':15}{name}:./engine:{options_text(protocol.options)}")
