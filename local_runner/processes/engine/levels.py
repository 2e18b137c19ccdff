"""The levels of our engine, as opponents of people and of agents: in matches, at the terminal, in a room of the server.

A level limits the search by nodes or seconds. A weak level finds several best lines. It also plays lines that are
nearly as good as the best and, in a slip, any of them. The choices depend only on a seed and the ply.
docs/en/reference/levels.md has the strength of each level, measured by matches.
"""

import os
import random
import re
import time
from dataclasses import dataclass
from typing import Any

from local_runner.agents.catalogue import BUILT_INS
from local_runner.agents.spec import AgentSpec, parse_agent
from local_runner.errors import AgentError
from local_runner.game.coordinates import numbered
from local_runner.game.records import AgentReport, Loaded, Reply
from local_runner.game.session import GameSession, Watcher
from local_runner.language.languages import Message, _
from local_runner.processes.engine.engine_info import EngineInfo, ProvedResult
from local_runner.processes.engine.engine_process import EngineProcess, Question
from local_runner.processes.sandbox import SandboxMode


@dataclass(frozen=True)
class EngineLevel:
    """One level, the same in all games."""

    number: int  # from 1, the weakest level
    name: Message
    about: Message  # what the level does, in words for users
    lines: int = 1  # number of best lines to choose from
    nodes: int | None = None  # limit of a search; then by the Python engine, whose parameters suit few nodes
    seconds: float | None = None  # limit of a search
    slips: float = 0.0  # probability of a slip: a random choice among all the lines
    margin: float = 0.0  # other choices lose at most this chance to win against the best line
    use_book: bool = False  # whether the level plays from the opening book

    @property
    def title(self) -> Message:
        """The level as the name of a player, such as "level 2 (Learner)"."""
        return Message("level {number} ({name})", number=self.number, name=self.name)


NAME = re.compile(r"level([0-9]+)")
LEVELS = (
    EngineLevel(1, Message("Beginner"), Message("looks at 20 positions, and mostly plays a random one of 16 moves"),
                lines=16, nodes=20, slips=0.7, margin=0.1),
    EngineLevel(2, Message("Learner"), Message("looks at 60 positions, and sometimes overlooks something"),
                lines=8, nodes=60, slips=0.2, margin=0.05),
    EngineLevel(3, Message("Club player"), Message("looks at 300 positions, and seldom overlooks something"),
                lines=4, nodes=300, slips=0.03, margin=0.02),
    EngineLevel(4, Message("Expert"), Message("looks at 800 positions"), nodes=800),
    EngineLevel(5, Message("Full strength"), Message("thinks for 0.8 seconds, with the opening book"),
                seconds=0.8, use_book=True),
)  # fmt: skip


def level(number: int) -> EngineLevel:
    """The level of a number from 1 to 5. Raises AgentError for any other."""
    if not 1 <= number <= len(LEVELS):
        sentence = _("there is no level {number}; the levels are 1 to {most}")
        raise AgentError(sentence.format(number=number, most=len(LEVELS)))
    return LEVELS[number - 1]


def parse_player(text: str) -> AgentSpec:
    """Parse an agent spec, or the name of a level, such as "level2". A file of that name comes first.

    Raises AgentError for a level that does not exist, and as `parse_agent` does.
    """
    match = NAME.fullmatch(text)
    if match is None or os.path.exists(text):
        return parse_agent(text, [f"level{each.number}" for each in LEVELS])
    return AgentSpec(text, BUILT_INS["tengen"].path, {}, level=level(int(match[1])).number)


def chosen(of: EngineLevel, look: EngineInfo, seed: int, ply: int) -> int:
    """The move of a level, as a cell's number, or -1 for a pass. The game must not be over.

    `look`: the final engine info; `seed`: the game's seed; `ply`: number of plies so far.
    """
    best, rng = look.lines[0], random.Random(f"{seed} {ply}")
    if rng.random() < of.slips:
        return rng.choice(look.lines).moves[0]
    if best.exact == ProvedResult.WIN:
        return best.moves[0]
    alike = (ProvedResult.NONE, best.exact)
    near = [line for line in look.lines if abs(line.chance - best.chance) <= of.margin and line.exact in alike]
    return rng.choice(near).moves[0]


class EngineContestant(Watcher):
    """The engine at a level, in a process of its own, without limits of time and memory.

    `session`: the game; its owner sets it, or lets the contestant watch it. `info`: the engine's result at the last
    move. `name`: the name shown to users, "" for level1 to level5; `seed`: for the random choices of weak levels.
    """

    session: GameSession
    info: EngineInfo

    def __init__(self, level: EngineLevel, mode: SandboxMode, seed: int, name: str = "") -> None:
        self.name, self.is_ours = name or f"level{level.number}", True
        self._level, self._seed = level, seed
        self._engine = EngineProcess(mode)

    def start(self) -> Loaded:
        """Start the process. Raises RunnerError if the process does not start."""
        self._engine.start()
        return Loaded(python=self._engine.version)

    def began(self, session: GameSession) -> None:
        """Store the session, whose game the engine plays."""
        self.session = session

    def act(self, observation: Any, n_row: int, n_col: int) -> Reply:
        """The move for the session's position; an empty reply off turn and on a pass.

        Raises RunnerError if the engine fails or its process ends.
        """
        session, of = self.session, self._level
        if session.seats[session.to_move] is not self or session.must_pass:
            return Reply()
        begun, cells = time.perf_counter(), tuple(session.cells)
        question = Question(session.setup, cells, of.lines, of.seconds, of.nodes, use_book=of.use_book,
                            compiled=of.nodes is None)  # fmt: skip
        self.info = info = self.think(question)
        move = chosen(of, info, self._seed, len(cells))
        thought = {"depth": info.depth, "nodes": info.nodes, "chance": round(info.chance, 3), "source": info.source,
                   "value": info.lines[0].value}  # fmt: skip
        return Reply(cell=numbered(move, n_col), seconds=time.perf_counter() - begun, thought=thought)

    def think(self, question: Question) -> EngineInfo:
        """The engine's final result for a question. Raises RunnerError if the engine fails."""
        return self._engine.ask(question)

    def report(self) -> AgentReport:
        """A report with only the name."""
        return AgentReport(self.name)

    def close(self) -> None:
        """End the process."""
        self._engine.close()
