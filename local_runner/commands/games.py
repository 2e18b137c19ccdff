"""The command `tengen games`: lists the games and the agents that play them."""

ORDER = 70  # place in the list of commands


def games() -> None:
    """List the games: board, rules, whether the site has it, and the agents that play it."""
    from rich.console import Console

    from local_runner.agents.declared_games import show_games

    show_games(Console())
