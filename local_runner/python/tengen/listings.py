"""The version, and the names of games and agents."""

from importlib.metadata import version

from env_adapter import names
from local_runner.agents.catalogue import BUILT_INS
from local_runner.agents.declared_games import players
from tengen.given import setup_of

__version__ = version("tengen")


def games() -> tuple[str, ...]:
    """The names of the games.

    Examples:
        >>> games()[:2]
        ('gobang_1v1', 'reversi_1v1')
    """
    return tuple(names())


def agents(game: str | None = None) -> tuple[str, ...]:
    """The names of the agents that come with tengen, the strongest first.

    Args:
        game: Only the agents that play this game.

    Raises:
        TengenError: The game is unknown.

    Examples:
        >>> agents("tictactoe_1v1")[0], "random" in agents()
        ('tengen', True)
    """
    return tuple(BUILT_INS) if game is None else tuple(players(setup_of(game).make()))
