"""The setup of a game: its name, rules, seed, opening and board, as plain values that JSON can hold."""

import functools
import hashlib
import random
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from env_adapter import Cell, EnvError, Game, GameKind, kind_of, make, names
from local_runner.language.languages import Message, shown

STRETCH = 50_000  # rounds of the hash that makes the key; they take 20 ms, so that an agent cannot try many seeds
RULES = {"platform": Message("platform rules"), "stated": Message("stated rules")}


def called(env: str) -> Message:
    """A game's name in sentences: its id in English, its usual name in Chinese. The catalogue translates the ids."""
    if not is_mnk(env):
        return Message(env)
    kind = kind_of(env)
    rows, cols = kind.board
    return Message("{k} in a row, {rows} × {cols}", k=kind.setup.in_a_row, rows=rows, cols=cols)


def title(env: str) -> str:
    """The title of a game in the current language; the given name if there is no such game."""
    return shown(Message(kind_of(env).title)) if env in names() else shown(called(env)) if is_mnk(env) else env


def is_mnk(env: str) -> bool:
    """Whether a name is that of an m,n,k-game, which has no entry in the table of games."""
    with suppress(EnvError):
        return kind_of(env).name not in names()
    return False


@functools.cache
def _secret(seed: int) -> bytes:
    """The key from which a seed's random numbers are derived. No agent is given the seed."""
    return hashlib.pbkdf2_hmac("sha256", str(seed).encode(), b"tengen", STRETCH)


@dataclass(frozen=True)
class GameSetup:
    """The setup of one game.

    `env`: the game's name. `opening`: moves of both sides, in turn, that are played before the first call of an agent.
    `board`: a start position as rows of ".", "X" and "O", for games with `takes_board`; None for the usual one.
    """

    env: str
    rules: str = "platform"
    seed: int = 0
    opening: tuple[Cell, ...] = ()
    board_size: int | None = None
    board: tuple[str, ...] | None = None

    @property
    def kind(self) -> GameKind:
        """The type of the game. Raises EnvError for a game that does not exist."""
        return kind_of(self.env)

    def make(self) -> Game:
        """Make an environment without the opening. Raises EnvError for an unknown game or rules, or a bad board."""
        given = {"board_size": self.board_size, "board": self.board}
        changed = {key: value for key, value in given.items() if value is not None}
        return make(self.env, rules=self.rules, seed=self.seed, **changed)

    def chance(self, purpose: str) -> random.Random:
        """Random numbers that depend on the seed and the purpose, such as "game 3".

        An agent that knows some of these numbers, such as its own seed, cannot compute those of another purpose.
        """
        return random.Random(hashlib.blake2b(purpose.encode(), key=_secret(self.seed)).digest())

    @property
    def rules_in_words(self) -> str:
        """The name of the rules in the current language."""
        return shown(RULES.get(self.rules, self.rules))

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> "GameSetup":
        """The setup that `codec.as_json` has written."""
        opening = tuple((row, col) for row, col in value["opening"])
        board = tuple(value["board"]) if value.get("board") else None
        return cls(**{**value, "opening": opening, "board": board})
