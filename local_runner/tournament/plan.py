"""What determines a tournament, as plain values that a file can keep and that another run can go on from."""

import hashlib
import os
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from local_runner.agents import AgentSpec
from local_runner.fixture import Fixture, Terms, fixture
from local_runner.openings.books import Opening
from local_runner.openings.deal import dealt
from local_runner.play import GameSetup
from local_runner.processes.child import AgentLimits
from local_runner.processes.load import Load
from local_runner.records import as_json
from local_runner.statistics.sprt import EloModel, Sprt
from local_runner.tournament.schedule import Pairing


@dataclass(frozen=True)
class TournamentPlan:
    """Who plays what and how often.

    `rounds`: how often the schedule is gone through; a pairing is two games from one opening, colours swapped.
    `book`: the openings, which the rounds take in turn; without any they are random. `recover`: an agent that crashed
    has lost a game; else it ends the tournament. `sprt`: stop early by a test, with two agents. `load`: what else keeps
    the machine busy.
    """

    agents: tuple[AgentSpec, ...]
    terms: Terms
    schedule: str
    rounds: int
    book: tuple[Opening, ...] = ()
    recover: bool = False
    sprt: Sprt | None = None
    load: Load = Load.ALONE

    def opening(self, number: int) -> Opening:
        """The opening of a round, from 1. Raises RunnerError where no random one turns up."""
        return dealt(self.book, self.terms.setup, number)

    @property
    def names(self) -> tuple[str, ...]:
        """What the agents are called, told apart where one of them plays itself."""
        seen: Counter[str] = Counter()
        found = []
        for agent in self.agents:
            seen[agent.name] += 1
            found.append(f"{agent.name} ({seen[agent.name]})" if seen[agent.name] > 1 else agent.name)
        return tuple(found)


@dataclass(frozen=True)
class Pair:
    """Two games of one opening. `number` counts the pairs of a tournament from 1, its games are 2n - 1 and 2n."""

    number: int
    round: int
    pairing: Pairing
    opening: Opening

    def fixtures(self, plan: TournamentPlan) -> tuple[Fixture, Fixture]:
        """Both games, the first with Black for the first agent."""
        a, b = (plan.agents[agent] for agent in self.pairing)
        first = fixture(plan.terms, 2 * self.number - 1, (a, b), self.opening)
        return first, fixture(plan.terms, 2 * self.number, (b, a), self.opening)


def to_json(plan: TournamentPlan) -> dict[str, Any]:
    """The plan as plain values."""
    found: dict[str, Any] = as_json(plan)
    return found


def from_json(value: Mapping[str, Any]) -> TournamentPlan:
    """The plan again."""
    terms = value["terms"]
    setup = GameSetup(**{**terms["setup"], "opening": ()})
    return TournamentPlan(
        **{
            **value,
            "agents": tuple(AgentSpec(a["name"], Path(a["path"]), a["options"]) for a in value["agents"]),
            "terms": Terms(**{**terms, "setup": setup, "limits": AgentLimits(**terms["limits"])}),
            "book": tuple(tuple((row, col) for row, col in opening) for opening in value["book"]),
            "load": Load(value["load"]),
            "sprt": Sprt(**{**value["sprt"], "model": EloModel(value["sprt"]["model"])}) if value["sprt"] else None,
        }
    )


def own_files(agent: AgentSpec) -> list[Path]:
    """An agent's code: its file and those beside it, or all of a package."""
    folder = agent.path.parent
    files = folder.rglob("*.py") if (folder / "__init__.py").is_file() else folder.glob("*.py")
    return sorted({agent.path, *files})


def fingerprint(agent: AgentSpec) -> str:
    """A hash of an agent's code."""
    folder = agent.path.parent
    digest = hashlib.sha256()
    for file in own_files(agent):
        digest.update(os.fsencode(file.relative_to(folder)) + b"\0" + hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()[:16]
