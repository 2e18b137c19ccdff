"""Finds out which options stand on the command line, and refuses those that would have no effect."""

from collections.abc import Collection

import typer

from local_runner.errors import RunnerError
from local_runner.language.languages import _, listed


def given(context: typer.Context) -> dict[str, str]:
    """The parameters on the command line: the parameter's name -> its name for the user, such as "--env"."""
    options = {}
    for each in context.command.params:
        source = context.get_parameter_source(str(each.name))
        if source is not None and source.name == "COMMANDLINE":
            options[str(each.name)] = each.opts[0] if each.param_type_name == "option" else _("the agents")
    return options


def refuse(context: typer.Context, names: Collection[str], sentence: str) -> None:
    """Raise RunnerError if one of these parameters is given. `sentence`: the message, with a field {options}."""
    if useless := [option for name, option in given(context).items() if name in names]:
        raise RunnerError(sentence.format(options=listed(useless)))
