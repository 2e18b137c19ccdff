"""Writes a beginner's first agent: a copy of an agent in data/starters/, with comments in the user's language.

The catalogue of messages has the translations of comments, docstrings, help texts, and texts that are printed. The
weights of the network stand beside the agents in weights.txt, as train.py packs them.
"""

import re
from collections.abc import Iterator, Sequence
from enum import Enum
from pathlib import Path

from env_adapter import kind_of
from local_runner.errors import RunnerError
from local_runner.game.setup import called
from local_runner.language.languages import Message, _, shown
from local_runner.system.files import check_folder, write_whole

STARTERS = Path(__file__).parent / "starters"
AFTER_THIS = "import deque\n\n"  # where the constants of each starter begin
MAIN = "submission.py"
TEXT = re.compile(r'"""(.+?)"""|# (?!fmt:)([^\n]+)|(?:help=|print\(f)"([^"\n]+)"', re.DOTALL)
NO_WEIGHTS, NETWORK_PLAYS = 'PACKED = ""', "reversi_1v1"


class Start(str, Enum):
    """An agent to begin with."""

    MINIMAL = "minimal"
    SEARCH = "search"
    NETWORK = "network"


def write_starter(folder: Path, start: Start, envs: Sequence[str]) -> list[Path]:
    """Write the agent as submission.py into a folder, which is made if it is missing; returns the paths written.

    With the minimal agent, an agent that searches is written, too; with the network, its training program. `envs`: the
    games that the agents declare in GAMES; empty for their own. Raises RunnerError if a file exists already, if the
    folder cannot be written, or if an agent cannot play one of the games.
    """
    for env in envs:
        kind = kind_of(env)
        if start is Start.NETWORK and env != NETWORK_PLAYS:
            sentence = _("this network plays Reversi 10x10, not {game}; leave --env out and change the files")
            raise RunnerError(sentence.format(game=shown(called(env))))
        if not kind.rules.turns_discs and kind.setup.in_a_row != 5:
            sentence = _("this agent plays gobang and Reversi, not {game}; leave --env out and change the file")
            raise RunnerError(sentence.format(game=shown(called(env))))
    beside = {Start.MINIMAL: {"with_search.py": "search"}, Start.NETWORK: {"train.py": "train"}}
    names = {MAIN: start.value, **beside.get(start, {})}
    written = {folder / name: starter(each, envs) for name, each in names.items()}
    for path in written:
        if path.exists() or path.is_symlink():
            raise RunnerError(_("{path} exists already; name another folder").format(path=path))
    advice = _("name another folder")
    check_folder(folder, advice)
    for path, text in written.items():
        write_whole(path, text, advice)
    return list(written)


def texts() -> Iterator[str]:
    """The texts in all starters that are translated."""
    for path in sorted(STARTERS.glob("*.py")):
        yield from (match[match.lastindex or 0] for match in TEXT.finditer(path.read_text(encoding="utf-8")))


def _translated(match: re.Match[str]) -> str:
    text = match[match.lastindex or 0]
    return match[0].replace(text, shown(Message(text)))


def starter(name: str, envs: Sequence[str] = ()) -> str:
    """The text of an agent or of train.py in the current language. `envs`: as in `write_starter`."""
    text = TEXT.sub(_translated, (STARTERS / f"{name}.py").read_text(encoding="utf-8"))
    if NO_WEIGHTS in text:
        weights = (STARTERS / "weights.txt").read_text(encoding="utf-8")
        return text.replace(NO_WEIGHTS, f"PACKED = (\n{weights})", 1)
    if not envs:
        return text
    games = ", ".join(f'"{env}"' for env in envs)
    return text.replace(AFTER_THIS, f"{AFTER_THIS}GAMES = ({games},)\n", 1)
