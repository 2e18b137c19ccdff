"""The version, the names of games and agents, the check of a submission, the language, and the errors."""

import os
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

from env_adapter import names
from local_runner.agents.catalogue import BUILT_INS
from local_runner.agents.declared_games import players
from local_runner.errors import AgentError, RunnerError, TengenError, Unplayable
from local_runner.language import languages
from local_runner.language.languages import _
from local_runner.language.suggestions import unknown
from local_runner.upload import check as upload
from local_runner.upload.check.report import CheckReport, CheckRow, Verdict
from tengen.arguments import Sandbox, check_counts, sandbox_of, setup_of

__all__ = ["AgentError", "CheckReport", "CheckRow", "TengenError", "Unplayable", "Verdict", "__version__", "agents",
           "check", "games", "use_language"]  # fmt: skip
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


def check(
    path: str | os.PathLike[str], games: str | Sequence[str] | None = None, *, quick: bool = False,
    jobs: int | None = None, sandbox: Sandbox = "auto",
) -> CheckReport:  # fmt: skip
    """Check a submission as the site will run it, before the upload.

    Args:
        path: A submission.py, or the folder with it and its data.
        games: A game or games that it must play; `"all"` for every game. By default the games that it declares,
            else all games of the site.
        quick: Take under 30 s: a slow agent plays only a few moves of each game. Otherwise two minutes.
        jobs: The number of games at once; by default the number of physical cores.
        sandbox: `"auto"`, `"on"` or `"off"`, as the option `--sandbox`.

    Returns:
        The report. `good` is True, False, or None if this machine cannot judge; `verdict` is one sentence; `rows` has
        a finding and the advice for each question. `print` shows the output of `tengen check`.

    Raises:
        TengenError: The file is missing or cannot be read, or a game is unknown.

    Examples:
        >>> from pathlib import Path
        >>> _ = Path("my_agent.py").write_text("def my_controller(observation, action_space, is_act_continuous=False):")
        >>> report = check("my_agent.py", quick=True)
        >>> report.good, report.verdict
        (False, 'Do not upload: mend syntax.')
    """
    check_counts(jobs=jobs)
    envs = [games] if isinstance(games, str) else None if games is None else list(games)
    return upload.check(Path(path), envs, quick=quick, jobs=jobs, mode=sandbox_of(sandbox))


def use_language(language: str) -> None:
    """Show texts and errors in a language. Without this call, they are in the language of the locale.

    Args:
        language: `"en"` or `"zh"`.

    Raises:
        TengenError: The language is another one.
    """
    if language not in languages.LANGUAGES:
        raise RunnerError(unknown(_("language"), str(language), languages.LANGUAGES))
    languages.use(language)
