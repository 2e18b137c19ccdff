"""The command `tengen opponents`: lists the agents that come with the project."""

import typer

from local_runner.language.languages import COLON, _, shown

ORDER = 60  # place in the list of commands


def opponents() -> None:
    """List the built-in agents, each with its options and their defaults, and the levels of our engine."""
    from local_runner.agents.catalogue import BUILT_INS, options_text
    from local_runner.analysis.levels import LEVELS

    for name, built_in in BUILT_INS.items():
        typer.echo(f"{name:12}{shown(built_in.about)}")
        if built_in.options:
            typer.echo(f"{'':12}{name}:{options_text(built_in.options)}")
    typer.echo("\n" + _("Levels of our engine, for tengen play and the page; every game:"))
    for each in LEVELS:
        typer.echo(f"{f'level{each.number}':12}{shown(each.name)}{shown(COLON)}{shown(each.about)}")
