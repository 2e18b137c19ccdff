"""The command `tengen doctor`: tests the sandbox for agents on this machine."""

import typer

from local_runner.system.exit_codes import ExitCode

ORDER = 80  # place in the list of commands


def doctor() -> None:
    """Show which sandbox this machine has for agents, and test that it holds."""
    from rich.console import Console

    from local_runner.processes import doctor

    checks = doctor.examine()
    doctor.show(checks, Console())
    raise typer.Exit(ExitCode.CLEAN if all(each.good for each in checks if each.decides) else ExitCode.FAULT)
