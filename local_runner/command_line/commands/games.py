"""The command `tengen games`: lists the games and the agents that play them."""

from local_runner.command_line.options import JsonTo

PLACE = "lists", 70  # group of commands, and the place in lists
EXAMPLES = ("tengen games", "tengen games --json")


def games(json_to: JsonTo = None) -> None:
    """List the games: board, rules, whether the site has it, and the agents that play it."""
    from rich.console import Console

    from local_runner.agents.declared_games import show_games
    from local_runner.command_line import listings
    from local_runner.terminal import output

    output.check(json_to)
    output.tell(json_to, listings.games, lambda: show_games(Console()))
