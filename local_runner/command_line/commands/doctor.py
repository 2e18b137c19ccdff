"""The command `tengen doctor`: tests the sandbox for agents on this machine."""

from contextlib import nullcontext

import typer

from local_runner.command_line.options import JsonTo
from local_runner.language import languages
from local_runner.terminal.output import ExitCode

PLACE = "lists", 80  # group of commands, and the place in lists
EXAMPLES = ("tengen doctor", "tengen doctor --json doctor.json")


def doctor(json_to: JsonTo = None) -> None:
    """Show which sandbox this machine has for agents, and test that it holds."""
    from rich.console import Console

    from local_runner.command_line import listings
    from local_runner.processes import doctor
    from local_runner.terminal import output

    output.check(json_to)
    # findings are worded when they are found, and JSON is English
    with languages.speaking(languages.ENGLISH) if json_to else nullcontext():
        checks = list(doctor.examine())
    listing = listings.Doctor(all(each.good for each in checks if each.decides), checks)
    output.tell(json_to, lambda: listing, lambda: doctor.show(checks, Console()))
    raise typer.Exit(ExitCode.CLEAN if listing.good else ExitCode.FAULT)
