"""What a report says is what the file says: counts, boards, faults; and no text gets out of its place."""

import base64
import hashlib
import os
import re
import sqlite3
import subprocess
import sys
import zlib
from itertools import pairwise
from pathlib import Path

import pytest

from env_adapter import answer
from local_runner import report
from local_runner.errors import RunnerError
from local_runner.report.contents import gather
from local_runner.report.page import heat, page
from local_runner.tournament.plan import fingerprint
from local_runner.tournament.store import create, read
from tests.local_runner.report.conftest import CHINESE, HEADER, PLANS
from tests.local_runner.report.html import Page, final_boards
from tests.local_runner.tournament.small import plan_of, play_all

ROOT = Path(__file__).parents[3]
GAMES = ["tictactoe", "gobang", "gomoku", "reversi"]


def taken_apart(path):
    return Page(path.read_text("utf-8"))


def boards_of(setup, moves):
    """After every move, by the referee."""
    env = setup.make()
    for text in moves.split():
        cell = (0, 0) if text == "-" else tuple(map(int, text.split(",")))
        env.step([answer(cell, env.board_height, env.board_width)] * 2)
        yield env.stones()


@pytest.mark.parametrize("name", GAMES)
def test_the_last_boards_are_the_referees(name, files, pages):
    shown = final_boards(taken_apart(pages[name]).data)
    with read(files[name]) as store:
        games = store.games()
    assert set(shown) == {game.number for game in games}
    for game in games:
        setup = PLANS[name].terms.setup
        boards = [setup.make().stones(), *boards_of(setup, game.moves)]
        assert shown[game.number] == boards[-1]


def test_every_board_between_is_the_referees_too(files, pages):
    data = taken_apart(pages["reversi"]).data
    with read(files["reversi"]) as store:
        games = store.games()
    assert any("-" in game.moves.split() for game in games), "no pass was played, so none was tested"
    for game in games:
        told = data["games"][str(game.number)]
        for ply, expected in enumerate(boards_of(PLANS["reversi"].terms.setup, game.moves), 1):
            part = {**data, "games": {"1": {**told, "moves": told["moves"][:ply]}}}
            assert final_boards(part)[1] == expected


def test_a_winning_line_is_marked(pages):
    data = taken_apart(pages["gobang"]).data
    lines = [(game, game["line"]) for game in data["games"].values()]
    assert all(len(line) == 5 and game["moves"][-1] in line for game, line in lines)
    assert all(len({b - a for a, b in pairwise(sorted(line))}) == 1 for _, line in lines)


def test_the_tables(files, pages):
    found = taken_apart(pages["tictactoe"])
    with read(files["tictactoe"]) as store:
        contents = gather(store)
    head, *standings = found.tables["standings"]
    assert head[1:5] == ["agent", "Elo", "games", "score"]
    assert [row[1] for row in standings] == [rating.name for rating in contents.ratings]
    for row in standings:
        tally = contents.standings.tally(row[1])
        assert (row[3], row[4]) == (str(tally.games), f"{tally.score / tally.games:.1%}")
        assert [int(count) for count in row[5].split()] == [n for n in (tally.wins, tally.draws, tally.losses) if n]
        assert int(row[8]) == (12 if row[1] == "raiser" else 0)
    _, *cross = found.tables["crosstable"]
    for place, row in enumerate(cross):
        opponents = row[2:]
        assert opponents[place] == "" and all(opponents[:place] + opponents[place + 1 :])
        for other, cell in zip(contents.ranked, opponents, strict=True):
            if cell:
                pairs = " ".join(map(str, contents.standings.against(row[1], other).counts))
                assert cell.endswith(f"of 4 {pairs}")
    _, *faults = found.tables["faults"]
    assert len(faults) == 12
    assert all(row[1] == "raiser" and row[3] == "crash" for row in faults)
    assert f"tengen rerun tictactoe.db {faults[0][0]}" in faults[0][4]
    assert "this was printed before the end" in faults[0][4] and "no idea" in faults[0][4]
    assert len(found.tables["games"]) == 24 + 2 and "Elo" in found.text


def test_the_head(pages):
    text = taken_apart(pages["gobang"]).text
    for said in ("gobang_1v1: round-robin, 3 agents", "6 of 6 games", "0.5 s a call, 120 MB", "a book of 1", "A Chip",
                 "commit abc1234", "2026-01-02 03:04:05 UTC"):
        assert said in text, said


def test_the_agents_files(files, pages):
    rows = {row[0]: row for row in taken_apart(pages["gobang"]).tables[""][1:]}
    assert list(rows) == list(PLANS["gobang"].names)
    for agent in PLANS["gobang"].agents:
        assert rows[agent.name][1:2] + rows[agent.name][3:] == ["/".join(agent.path.parts[-2:]), fingerprint(agent)]
    assert "depth=1" in rows["tengen:depth=1"][2]


def test_what_agents_thought_is_in_the_replay(pages):
    found = taken_apart(pages["gobang"]).data
    tengen, greedy = (found["names"].index(name) for name in ("tengen:depth=1", "greedy"))
    for game in found["games"].values():
        assert game["opening"] == 2 and len(game["ms"]) == len(game["moves"]) - 2
        for agent, begins in zip(game["players"], (0, 1), strict=True):
            depths = set(game["depth"][begins::2])
            assert {tengen: depths <= {0, 1}, greedy: depths == {None}}.get(agent, True)


def test_a_test_has_its_box(files, pages):
    found = taken_apart(pages["sprt"])
    rows = dict(found.tables["test"])
    assert rows["decision"].startswith("H1 is accepted: a difference of 100 Elo")
    assert rows["H0, H1"] == "0 against 100 Elo, logistic"
    with read(files["sprt"]) as store:
        assert rows["pairs LL, LD, DD or WL, WD, WW"] == " ".join(map(str, gather(store).pairs.counts))
    assert "This is not the end" not in found.text
    assert "## Test" in files["sprt"].with_suffix(".md").read_text("utf-8")


@pytest.mark.parametrize("name", PLANS)
def test_a_page_needs_nothing_else(name, pages):
    text = pages[name].read_text("utf-8")
    found = Page(text)
    assert not {tag for tag, _ in found.tags} & {"link", "img", "iframe", "object", "embed", "base"}
    assert not found.attributes("src") and not re.findall(r"url\((?!#)|@import", text)
    assert all(target.startswith("#") for target in found.attributes("href"))
    ids = found.attributes("id")
    assert len(ids) == len(set(ids))
    referred = re.findall(r'(?:url\(|href=")#((?!game-)[\w.-]+)', text)
    assert set(referred) <= set(ids)
    [policy] = [content for content in found.attributes("content") if "default-src" in content]
    digest = base64.b64encode(hashlib.sha256(found.scripts[1].encode()).digest()).decode()
    assert policy == f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"


def test_an_enemys_text_stays_text(evil_file):
    out, short = evil_file.with_suffix(".html"), evil_file.with_suffix(".md")
    report.write(evil_file, out, short)
    text = out.read_text("utf-8")
    found = Page(text)
    assert len(found.scripts) == 2 and "alert(1)" not in found.scripts[1]
    assert not {"b", "script"} & {tag for tag, _ in found.tags[: [t for t, _ in found.tags].index("main")]} - {"b"}
    assert text.count("<script") == 2 and text.count("</script>") == 2
    assert "\x1b" not in text and "\u202e" not in text and r"\udcff\x1b[2J" in found.text
    assert "$x_1$" in text and CHINESE in found.text
    assert found.data["names"][0].startswith("</script><script>alert(1)") and found.data["names"][1] == CHINESE
    assert "depth" not in found.data["games"]["1"]  # none of its thoughts is a number
    assert r"\</script\>\<script\>alert(1)" in short.read_text("utf-8")


def test_the_same_file_gives_the_same_bytes(files, pages, tmp_path):
    other = {**os.environ, "PYTHONHASHSEED": "7", "TZ": "Asia/Shanghai", "LC_ALL": "C", "MPLBACKEND": "agg"}
    for name in ("tictactoe", "reversi"):
        program = ("import sys; from pathlib import Path; from local_runner import report\n"
                   "report.write(*map(Path, sys.argv[1:]))")  # fmt: skip
        out = [str(tmp_path / "again.html"), str(tmp_path / "again.md")]
        subprocess.run([sys.executable, "-c", program, str(files[name]), *out], check=True, env=other, cwd=ROOT)
        assert Path(out[0]).read_bytes() == pages[name].read_bytes()
        assert Path(out[1]).read_bytes() == files[name].with_suffix(".md").read_bytes()


def test_a_file_that_is_being_played_and_an_empty_one(tmp_path):
    path, out = tmp_path / "t.db", tmp_path / "t.html"
    with create(path, plan_of("greedy", "random", rounds=9), HEADER) as store:
        said = report.write(path, out, tmp_path / "t.md")
        assert said.endswith("0 games, 0 of them to replay") and "No game has been played yet" in taken_apart(out).text
        play_all(store, observer=_Impatient())
        played = len(store.games())
        report.write(path, out, tmp_path / "t.md")
    note = f"This is not the end: {played} of 18 games are played."
    assert note in taken_apart(out).text and note in (tmp_path / "t.md").read_text("utf-8")
    assert "tengen tournament --resume t.db" in taken_apart(out).text


class _Impatient:
    def ended(self, game):
        pass

    def enough(self):
        return True


def test_of_many_games_the_faulty_and_the_newest_are_kept(files):
    with read(files["tictactoe"]) as store:
        faulty = [game.number for game in store.games() if game.reason != "by the rules"]
        clean = [game.number for game in store.games() if game.reason == "by the rules"]
        contents = gather(store, most_games=len(faulty) + 2)
        short = gather(store, most_moves=10)
    assert [game.played.number for game in contents.games] == sorted([*faulty, *clean[-2:]])
    found = Page(page(contents))
    assert f"{len(faulty) + 2} of 24 games can be replayed here" in found.text
    assert len(found.data["games"]) == len(faulty) + 2
    assert 0 < sum(len(game.replay.moves) for game in short.games) <= 10


def test_the_summary(files):
    text = files["tictactoe"].with_suffix(".md").read_text("utf-8")
    lines = text.splitlines()
    assert lines[0] == r"# tictactoe\_1v1: round-robin, 4 agents" and len(lines) < 70
    tables = re.findall(r"(?:^\|.*\|\n)+", text, re.MULTILINE)
    assert len(tables) == 4
    for table in tables:
        widths = {len(re.findall(r"(?<!\\)\|", row)) for row in table.splitlines()}
        assert len(widths) == 1
    assert "The newest 10 of 12." in text


def _spoil(statement, *values):
    def spoil(path):
        with sqlite3.connect(path) as database:
            database.execute(statement, values)
    return spoil


@pytest.mark.parametrize(("spoil", "sentence"), [
    (lambda path: path.unlink(), "there is no tournament file"),
    (lambda path: path.write_text("no database " * 100), "is no tournament file"),
    (lambda path: path.write_bytes(path.read_bytes()[:20000]), "damaged"),
    (_spoil("UPDATE games SET record = ? WHERE number = 5", b"noise"), "the record of game 5 cannot be read"),
    (_spoil("UPDATE games SET record = ? WHERE number = 5", zlib.compress(b"{}")), "game 5 makes no sense"),
    (_spoil("UPDATE games SET record = ? WHERE number = 5", zlib.compress(b"[[1]]")), "game 5 makes no sense"),
    (_spoil("UPDATE games SET moves = '9,9' WHERE number = 5"), "game 5 makes no sense"),
    (_spoil("UPDATE games SET moves = '1,1 1,1' WHERE number = 5"), "game 5 makes no sense"),
    (_spoil("UPDATE games SET moves = 'a' WHERE number = 5"), "game 5 makes no sense"),
])
def test_a_damaged_file_is_said_and_nothing_written(spoil, sentence, files, tmp_path):
    path = tmp_path / "t.db"
    path.write_bytes(files["tictactoe"].read_bytes())
    spoil(path)
    with pytest.raises(RunnerError, match=sentence):
        report.write(path, tmp_path / "t.html", tmp_path / "t.md")
    assert not list(tmp_path.glob("*.html")) and not list(tmp_path.glob("*.md"))


@pytest.mark.parametrize(("out", "short", "sentence"), [
    ("t.db", None, "is the tournament itself; give --out another file"),
    ("t.html", "./t.db", "is the tournament itself; give --markdown another file"),
    ("t.html", "t.html", "cannot both be"),
    (".", None, "it is a folder; give --out another file"),
    ("t.html", "t.db/x.md", "is no folder; give --markdown another file"),
])
def test_a_place_that_cannot_be_written(out, short, sentence, files, tmp_path):
    (tmp_path / "t.db").write_bytes(files["tictactoe"].read_bytes())
    with pytest.raises(RunnerError, match=sentence):
        report.write(tmp_path / "t.db", tmp_path / out, tmp_path / short if short else None)
    assert (tmp_path / "t.db").read_bytes() == files["tictactoe"].read_bytes()
    assert [path.name for path in tmp_path.iterdir()] == ["t.db"]


def test_the_command(files, tmp_path):
    (tmp_path / "t.db").write_bytes(files["reversi"].read_bytes())

    def tengen(*arguments):
        command = [sys.executable, "-m", "local_runner", "report", *arguments]
        return subprocess.run(command, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True,
                              text=True)  # fmt: skip

    done = tengen("t.db", "--markdown", "t.md")
    assert (done.returncode, done.stderr) == (0, "")
    assert re.fullmatch(r"t\.html \(\d+ kB\), t\.md \(\d kB\): 6 games, 6 of them to replay\n", done.stdout)
    failed = tengen("nothing.db")
    assert (failed.returncode, failed.stdout) == (2, "")
    assert failed.stderr == "tengen: there is no tournament file nothing.db\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["t.db", "t.html", "t.md"]


def test_what_a_game_costs(pages):
    """A page of 1,000 games of 60 moves is some 2 MB; see MOST_GAMES in contents."""
    data = taken_apart(pages["reversi"]).scripts[0]
    moves = sum(len(game["moves"]) for game in taken_apart(pages["reversi"]).data["games"].values())
    assert len(data) / moves < 25


def _contrast(one, other):
    """As WCAG 2.1 defines it; 4.5 is what text needs."""
    def luminance(colour):
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_all_text_can_be_read():
    style = (ROOT / "local_runner" / "report" / "style.css").read_text("utf-8")
    themes = [dict(re.findall(r"--([\w-]+): (#\w{6})", block)) for block in re.findall(r":root \{(.*?)\}", style, re.S)]
    assert len(themes) == 2
    light, dark = themes[0], {**themes[0], **themes[1]}
    for theme in (light, dark):
        for text in ("ink", "muted", "bad", "main"):
            assert _contrast(theme[text], theme["page"]) >= 4.5
            assert _contrast(theme[text], theme["soft"]) >= 4.5
        assert _contrast(theme["ink"], theme["note"]) >= 4.5
        for ground in ("won", "drawn", "lost"):
            assert _contrast(theme["on-colour"], theme[ground]) >= 4.5
    assert all(_contrast(light["on-colour"], heat(score / 20)) >= 4.5 for score in range(21))
