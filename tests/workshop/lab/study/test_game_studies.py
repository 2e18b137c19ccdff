"""The studies of games at a small size: counts from the kept games, plots, and continuing after a kill."""

import re
import statistics
import subprocess
import sys
import time
from collections import Counter, defaultdict

import pytest

from local_runner.agents.spec import parse_agent
from local_runner.matches.statistics import elo
from local_runner.matches.statistics.counts import Pentanomial, of_pair, tally
from local_runner.matches.tournament import store
from workshop.lab.study.games import paced

TICTACTOE = ("--env", "tictactoe_1v1")
AGENTS = ("greedy", "random:seed=3", "montecarlo:playouts=3,seed=1")
GAMES = ("--rounds", 2, "--jobs", 1, "--seed", 4)


@pytest.mark.slow
def test_cross_table_counts_the_games_and_continues(study, rows_of, tmp_path):
    folder = tmp_path / "out"
    code, out, _ = study("cross-table", *AGENTS, *TICTACTOE, *GAMES, "--out", folder)
    assert code == 0 and "Elo" in out
    rows = rows_of(folder, "cross_table_tictactoe_1v1")
    with store.read(folder / "tictactoe_1v1.db") as kept:
        games = kept.games()
    assert len(games) == 12 and len(rows) == 3
    for row in rows:
        a, b = AGENTS.index(row["a"]), AGENTS.index(row["b"])
        met = [game for game in games if {game.black, game.white} == {a, b}]
        won = sum((game.winner, game.black) in ((1, a), (2, b)) for game in met)
        lost = sum((game.winner, game.black) in ((1, b), (2, a)) for game in met)
        assert (row["games"], row["won"], row["drawn"], row["lost"]) == (4, won, 4 - won - lost, lost)
        own = [tally([game.winner], 1 if game.black == a else 2) for game in met]
        assert [one.pair for one in met[::2]] == [two.pair for two in met[1::2]]
        scored = elo.score(sum((of_pair(*own[at : at + 2]) for at in (0, 2)), Pentanomial()))
        assert (row["score"], row["score low"], row["score high"]) == (scored.value, scored.low, scored.high)
    # With --more, the same folder is continued by additional games of the first agent.
    code, _, _ = study("cross-table", *AGENTS, *TICTACTOE, *GAMES, "--more", 1, "--out", folder)
    rows = rows_of(folder)
    assert code == 0
    assert {(row["a"], row["b"]): row["games"] for row in rows} == {
        (AGENTS[0], AGENTS[1]): 6, (AGENTS[0], AGENTS[2]): 6, (AGENTS[1], AGENTS[2]): 4,
    }  # fmt: skip
    with store.read(folder / "tictactoe_1v1.db") as kept, store.read(folder / "tictactoe_1v1_more.db") as further:
        won = [game.winner for each in (kept, further) for game in each.games() if game.winner != 3]
        assert sum(row["won"] + row["lost"] for row in rows) == len(won)
        assert len(further.games()) == 4 and further.plan.terms.setup.seed == kept.plan.terms.setup.seed + 1


def test_think_is_for_those_who_take_seconds():
    named = ("tengen", "scorer", "seed001:depth=2", "alphabeta:seconds=0.5", "random:seed=3", "montecarlo")
    agents = list(map(parse_agent, named))
    assert [paced(agent, None) for agent in agents] == agents
    found = [paced(agent, 0.1) for agent in agents]
    assert [agent.name for agent in found] == [*named]
    added = [
        dict(set(agent.options.items()) - set(old.options.items())) for agent, old in zip(found, agents, strict=True)
    ]
    quick = {"seconds": 0.1}
    assert added == [{**quick, "off_turn_seconds": 0}, {}, quick, {}, {}, quick]
    assert found[3].options["seconds"] == 0.5


@pytest.mark.slow
def test_per_move_time_counts_the_calls(study, rows_of, tmp_path):
    folder = tmp_path / "out"
    code, _, _ = study("per-move-time", *AGENTS, *TICTACTOE, "--rounds", 1, *GAMES[2:], "--out", folder)
    rows = rows_of(folder, "per_move_time_tictactoe_1v1")
    with store.read(folder / "tictactoe_1v1.db") as kept:
        games = [(game, kept.details(game.number)) for game in kept.games()]
    assert code == 0 and len(games) == 4  # only the first agent against the others
    calls = defaultdict(list)
    for game, details in games:
        told = Counter()
        for call in details.calls:
            if call.turn:
                agent = (game.black, game.white)[call.player]
                told[agent] += 1
                calls[AGENTS[max(game.black, game.white)], AGENTS[agent], told[agent]].append(call.seconds)
    found = {(row["opponent"], row["agent"], row["move"]): row for row in rows}
    assert set(found) == set(calls)
    for key, seconds in calls.items():
        assert (found[key]["calls"], found[key]["longest"]) == (len(seconds), max(seconds))
        assert found[key]["median"] == statistics.median_low(seconds)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("pruning", "--env", "chess"), "no positions for chess"),
        (("cross-table", "--env", "chess"), "chess"),
        (("cross-table", "greedy", *TICTACTOE), "two agents or more"),
        (("cross-table", "greedy", "nobody", *TICTACTOE), "unknown agent 'nobody'"),
        (("per-move-time", *TICTACTOE, "--think", "1"), "--think must be a number from 0.001 to 0.95"),
    ],
)
def test_a_mistake_is_one_sentence(arguments, sentence, study, tmp_path):
    code, out, err = study(*arguments, "--out", tmp_path / "out")
    assert (code, out, len(err.splitlines())) == (2, "", 1) and sentence in err
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
def test_a_killed_tournament_goes_on_with_the_same_options_only(study, without_plots, rows_of, tmp_path):
    folder, file = tmp_path / "out", tmp_path / "out" / "tictactoe_1v1.db"
    command = ["cross-table", *AGENTS[:2], *TICTACTOE, "--jobs", "1", "--out", str(folder), "--rounds"]
    with subprocess.Popen(
        [sys.executable, "-m", "workshop.lab.study", *command, "10"], stdout=subprocess.DEVNULL
    ) as run:
        while len(played(file)) < 3:
            assert run.poll() is None
            time.sleep(0.005)
        run.kill()
    before = played(file)
    code, _, err = study(*command, 9)
    assert code == 2 and re.search("holds games with other options; give --out another folder", err)
    code, _, _ = study(*command, 10)
    assert code == 0 and len(played(file)) == 20 > len(before) and played(file)[: len(before)] == before
    assert rows_of(folder)[0]["games"] == 20


def played(path):
    if not path.exists() or path.stat().st_size < 20_000:
        return []
    with store.read(path) as kept:
        return kept.games()
