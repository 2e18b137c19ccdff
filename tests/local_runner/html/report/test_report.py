"""The content of a report equals that of the file: counts, boards, times, thoughts and faults."""

import dataclasses
import re
from collections import defaultdict
from itertools import pairwise

import pytest

from local_runner.agents.own_files import fingerprint
from local_runner.html import report
from local_runner.html.report.contents import gather
from local_runner.html.report.markdown import summary
from local_runner.html.report.page import page
from local_runner.matches.games import create, read
from tests.local_runner.html.report.conftest import HEADER, PLANS
from tests.local_runner.html.report.html import Page
from tests.local_runner.matches.small import plan_of, play_all


def taken_apart(path):
    return Page(path.read_text("utf-8"))


def test_a_winning_line_is_marked(pages):
    data = taken_apart(pages["gobang"]).data
    lines = [(game, game["line"]) for game in data["games"].values()]
    assert all(len(line) == 5 and game["moves"][-1] in line for game, line in lines)
    assert all(len({b - a for a, b in pairwise(sorted(line))}) == 1 for _, line in lines)


def test_the_tables(files, pages):
    parsed = taken_apart(pages["tictactoe"])
    store = read(files["tictactoe"])
    contents = gather(store)
    head, *standings = parsed.tables["standings"]
    assert head[1:5] == ["agent", "Elo", "games", "score"]
    assert [row[1] for row in standings] == [rating.name for rating in contents.ratings]
    for row in standings:
        tally = contents.standings.tally(row[1])
        assert (row[3], row[4]) == (str(tally.games), f"{tally.score / tally.games:.1%}")
        assert [int(count) for count in row[5].split()] == [n for n in (tally.wins, tally.draws, tally.losses) if n]
        assert int(row[8]) == (12 if row[1] == "raiser" else 0)
    _, *cross = parsed.tables["crosstable"]
    for place, row in enumerate(cross):
        opponents = row[2:]
        assert opponents[place] == "" and all(opponents[:place] + opponents[place + 1 :])
        for other, cell in zip(contents.ranked, opponents, strict=True):
            if cell:
                pairs = " ".join(map(str, contents.standings.against(row[1], other)[1].counts))
                assert cell.endswith(f"of 4 {pairs}")
    _, *faults = parsed.tables["faults"]
    assert len(faults) == 12
    assert all(row[1] == "raiser" and row[3] == "crash" for row in faults)
    assert f"tengen replay tictactoe.jsonl --game {faults[0][0]}" in faults[0][4]
    assert "this was printed before the end" in faults[0][4] and "no idea" in faults[0][4]
    assert len(parsed.tables["games"]) == 24 + 1 and "Elo" in parsed.text


def test_the_head(pages):
    text = taken_apart(pages["gobang"]).text
    for said in (
        "gobang_1v1: round-robin, greedy against tengen:depth=1",
        "2 of 2 games",
        "20 s a call, 120 MB",
        "a book of 1",
        "A Chip",
        "commit abc1234",
        "2026-01-02 03:04:05 UTC",
    ):
        assert said in text, said


def test_the_agents_files(files, pages):
    rows = {row[0]: row for row in taken_apart(pages["gobang"]).tables[""][1:]}
    assert list(rows) == list(PLANS["gobang"].names)
    for agent in PLANS["gobang"].agents:
        assert rows[agent.name][1:2] + rows[agent.name][3:] == ["/".join(agent.path.parts[-2:]), fingerprint(agent)]
    assert "depth=1" in rows["tengen:depth=1"][2]


@pytest.mark.slow
def test_columns_that_say_nothing_are_left_out(files):
    store = read(files["tictactoe"])
    contents = gather(store)
    for measured, lenient in ((True, False), (False, True)):
        if not measured:
            for clock in contents.clocks.values():
                clock.peak_mb = 0.0
        terms = dataclasses.replace(contents.plan.terms, strict=not lenient)
        contents.plan = dataclasses.replace(contents.plan, terms=terms)
        tables, short = Page(page(contents)).tables, summary(contents)
        assert ("memory, MB" in tables["times"][0], "peak MB" in short) == (measured, measured)
        assert ("moves replaced" in tables["standings"][0], "replaced" in short) == (lenient, lenient)
        for name in ("times", "standings"):
            assert len({len(row) for row in tables[name] if row[0] != "all games"}) == 1


def test_what_agents_thought_is_in_the_replay(pages):
    parsed = taken_apart(pages["gobang"]).data
    tengen, greedy = (parsed["names"].index(name) for name in ("tengen:depth=1", "greedy"))
    by_agent = defaultdict(set)
    for game in parsed["games"].values():
        assert game["opening"] == 2 and len(game["ms"]) == len(game["moves"]) - 2
        for agent, begins in zip(game["players"], (0, 1), strict=True):
            by_agent[agent] |= set(game["depth"][begins::2])
    assert by_agent[tengen] == {0, 1} and by_agent[greedy] == {None}


def test_a_test_has_its_box(files, pages):
    parsed = taken_apart(pages["sprt"])
    rows = dict(parsed.tables["test"])
    assert rows["decision"].startswith("H1 is accepted: a difference of 100 Elo")
    assert rows["H0, H1"] == "0 against 100 Elo, logistic"
    store = read(files["sprt"])
    assert rows["pairs LL, LD, DD or WL, WD, WW"] == " ".join(map(str, gather(store).pairs.counts))
    assert "not finished" not in parsed.text
    assert "## Test" in pages["sprt"].with_suffix(".md").read_text("utf-8")


@pytest.mark.slow
def test_a_file_that_is_being_played_and_an_empty_one(tmp_path):
    path, out = tmp_path / "t.jsonl", tmp_path / "t.html"
    with create(path, plan_of("greedy", "random", rounds=9), HEADER) as store:
        said = report.write(path, out, tmp_path / "t.md")
        assert said.endswith("games: 0, with a replay: 0")
        assert "No game has been played yet" in taken_apart(out).text
        play_all(store, observer=_Impatient())
        played = len(list(store))
        report.write(path, out, tmp_path / "t.md")
    note = f"The tournament is not finished: {played} of 18 games are played."
    assert note in taken_apart(out).text and note in (tmp_path / "t.md").read_text("utf-8")
    assert "tengen tournament --resume t.jsonl" in taken_apart(out).text


class _Impatient:
    def ended(self, game):
        pass

    def enough(self):
        return True


@pytest.mark.slow
def test_of_many_games_the_faulty_and_the_newest_are_kept(files):
    store = read(files["tictactoe"])
    faulty = [game.number for game in list(store) if game.result.fault]
    clean = [game.number for game in list(store) if not game.result.fault]
    contents = gather(store, most_games=len(faulty) + 2)
    short = gather(store, most_moves=10)
    assert [game.played.number for game in contents.games] == sorted([*faulty, *clean[-2:]])
    parsed = Page(page(contents))
    assert f"{len(faulty) + 2} of 24 games have a replay" in parsed.text
    assert len(parsed.data["games"]) == len(faulty) + 2
    assert 0 < sum(game.played.plies for game in short.games) <= 10


def test_the_summary(pages):
    text = pages["tictactoe"].with_suffix(".md").read_text("utf-8")
    lines = text.splitlines()
    assert lines[0] == r"# tictactoe\_1v1: round-robin, 4 agents" and len(lines) < 70
    tables = re.findall(r"(?:^\|.*\|\n)+", text, re.MULTILINE)
    assert len(tables) == 4
    for table in tables:
        widths = {len(re.findall(r"(?<!\\)\|", row)) for row in table.splitlines()}
        assert len(widths) == 1
    assert "The newest 10 of 12 faults." in text


def test_what_a_game_costs(pages):
    """At most 25 bytes per move, so a page of 1,000 games of 60 moves has about 2 MB; see MOST_GAMES."""
    data = taken_apart(pages["reversi"]).scripts[0]
    moves = sum(len(game["moves"]) for game in taken_apart(pages["reversi"]).data["games"].values())
    assert len(data) / moves < 25
