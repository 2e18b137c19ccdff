"""The command `tengen gtp`: our engine for Reversi as a GTP engine."""

from local_runner.command_line.options import TurnSeconds

PLACE = "play", 116  # group of commands, and the place in lists
EXAMPLES = ("tengen gtp", "tengen gtp --seconds 2")


def gtp(seconds: TurnSeconds = 5.0) -> None:
    """Be a GTP engine for Reversi: answer the Go Text Protocol on standard input and output."""
    from local_runner.play.engine_side import run_here
    from local_runner.play.gtp import Engine

    run_here(Engine(turn_seconds=seconds))
