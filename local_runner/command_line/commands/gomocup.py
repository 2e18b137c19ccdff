"""The command `tengen gomocup`: our engine as a brain of the Gomocup."""

from local_runner.command_line.options import TurnSeconds

PLACE = "play", 115  # group of commands, and the place in lists
EXAMPLES = ("tengen gomocup", "tengen gomocup --seconds 2")


def gomocup(seconds: TurnSeconds = 5.0) -> None:
    """Be a brain of the Gomocup: answer the Piskvork protocol on standard input and output. Freestyle only."""
    from local_runner.play.engine_side import run_here
    from local_runner.play.gomocup import Brain

    run_here(Brain(turn_seconds=seconds))
