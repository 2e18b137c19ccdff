"""The command `tengen gomocup`: our engine as a brain of the Gomocup."""

from local_runner.commands.shared import panels

ORDER = 115  # place in the list of commands
PANEL = panels.PLAY
EXAMPLES = (
    "tengen gomocup",
    "tengen match 'gomocup:tengen gomocup' seed004 --env gobang_1v1",
)


def gomocup() -> None:
    """Be a brain of the Gomocup: answer the Piskvork protocol on standard input and output. Freestyle only."""
    from local_runner.protocols import console
    from local_runner.protocols.gomocup import Brain

    console.run_here(Brain())
