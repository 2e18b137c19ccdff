"""The page of `tengen report --html`: the figures of the file, replays of its games, and strangers' texts."""

import json
from dataclasses import replace

import pytest
from playwright.sync_api import expect

from local_runner.agents.spec import AgentSpec
from local_runner.formats import tournament_page
from local_runner.formats.saved_game import SavedGame
from local_runner.formats.tournament_page import write_page
from local_runner.game.faults import Fault, FaultKind
from local_runner.game.records import AgentReport, Call, GameDetails, Loaded, Result
from local_runner.matches.games import PlayedGame, create, read
from local_runner.matches.standings import Standings
from local_runner.matches.statistics.ratings import ratings
from tests.browser.fixtures import DESK, PHONE, findings, too_wide
from tests.local_runner.matches.small import plan_of
from tests.local_runner.processes.naughty import AGENTS
from tests.local_runner.server.page.conftest import PLANS
from tests.local_runner.server.page.games import boards, data_of, stones, told

EVIL = "</script><script>alert(1)</script><b>& $x_1$ \u202e"


@pytest.fixture(scope="session")
def pages(files):
    """The pages of the tournaments by name."""
    paths = {name: file.with_suffix(".html") for name, file in files.items()}
    for name, file in files.items():
        write_page(file, paths[name], language="en")
    return paths


@pytest.mark.parametrize("name", PLANS)
def test_the_figures_are_those_of_the_games(name, files, pages):
    played = read(files[name])
    standings, sprt = Standings(played.plan.names, played), played.plan.sprt
    seen = data_of(pages[name].read_text("utf-8"))["tournament"]["en"]
    rated = {rating.name: rating for rating in ratings(standings.games)}
    assert [row["name"] for row in seen["standings"]] == list(rated)
    for row in seen["standings"]:
        tally, rating = standings.tally(row["name"]), rated[row["name"]]
        assert (row["elo"], row["error"]) == (round(rating.elo, 1), round(rating.error, 1))
        assert (row["won"], row["drawn"], row["lost"]) == (tally.wins, tally.draws, tally.losses)
        assert row["faults"] == standings.faults[row["name"]]
    for row, name_of in zip(seen["against"], rated, strict=True):
        met = [standings.against(name_of, other)[0] for other in rated]
        assert [tuple(cell) for cell in row] == [(tally.wins, tally.draws, tally.losses) for tally in met]
    assert (seen["test"] is None) == (sprt is None)
    if sprt is not None:
        assert seen["test"]["llr"] == round(sprt.llr(standings.first_pairs), 3) == seen["test"]["curve"][-1][1]


@pytest.mark.parametrize("name", ["gobang", pytest.param("reversi", marks=pytest.mark.slow)])
def test_every_board_is_the_referees(name, open_page, files, pages):
    game = max(read(files[name]), key=lambda game: (None in game.cells, len(game.cells)))
    expected = boards(SavedGame(PLANS[name].terms.setup, game.cells))
    page = open_page(f"{pages[name].as_uri()}#game-{game.number}")
    assert told(page).startswith(f"Move {len(game.cells)} of {len(game.cells)}: ")
    for board in reversed(expected):
        assert stones(page, len(board)) == board
        page.keyboard.press("ArrowLeft")
    titles = page.evaluate("[...document.querySelectorAll('.moves .move')].map((move) => move.title)")
    assert any("depth" in title for title in titles) == (name == "gobang")  # figures that no agent reports are left out


def test_the_list_is_filtered_and_a_fault_has_its_output(open_page, pages):
    page = open_page(pages["tictactoe"].as_uri(), size=DESK, dark=True)
    rows = page.locator("#games tbody tr")
    assert rows.count() == 12 and page.locator("#standings tbody tr").count() == 3
    page.locator("#cross tbody tr").first.locator("button").first.click()
    assert 0 < rows.count() < 12
    page.fill("#filter", "raiser")
    assert rows.count() == page.locator("#games tbody tr.bad").count() == 8
    rows.last.locator("td").last.click()
    expect(page.locator("#replay h2")).to_contain_text("raiser")
    page.click("#replay .fault summary")
    for said in ("no idea", "this was printed before the end"):
        expect(page.locator("#replay pre")).to_contain_text(said)
    assert findings(page) == []


def test_an_enemy_runs_nothing(open_page, tmp_path):
    """Hostile texts in the name, the thoughts, the error and the output of an agent run no script."""
    path, out = tmp_path / "evil.jsonl", tmp_path / "evil.html"
    agents = tuple(AgentSpec(name, AGENTS / "raiser.py", {}) for name in (EVIL, "棋圣"))
    plan = replace(plan_of(str(AGENTS / "raiser.py"), "random", rounds=2, recover=True), agents=agents)
    thought = {"depth": EVIL, "value": 1e300, "nodes": True, "more": [EVIL]}
    calls = (Call(1, 0, 1, 1, 0.02, 0.01, True, thought=thought), Call(1, 1, 1, 1, 0.02, 0.01, True))
    agent = AgentReport(EVIL, Loaded(0.1), 10.0)
    details = GameDetails(calls, (agent, agent), printed={"Black": EVIL, "White": EVIL})
    result = Result(2, fault=Fault(FaultKind.RAISED, {"error": EVIL}, EVIL))
    game = PlayedGame(1, 0, 1, result, "1,1 0,0", 1, "here", "2026-01-02T03:04:05Z", 1.0, details)
    with create(path, plan, {"cpu": EVIL}) as store:
        store.add(game)
    write_page(path, out)
    data = data_of(out.read_text("utf-8"))
    assert "\u202e" not in json.dumps(data, ensure_ascii=False)
    assert "depth" not in data["games"]["0"]  # none of its thoughts' values is a number
    page = open_page(out.as_uri(), size=PHONE)
    assert too_wide(page) <= 0 and page.evaluate("document.scripts.length") == 2
    assert "</script><script>alert(1)" in page.locator("#replay h2").text_content()


def test_of_many_games_the_newest_are_kept(files, monkeypatch):
    monkeypatch.setattr(tournament_page, "MOST_GAMES", 5)
    data = data_of(tournament_page.tournament_page(files["tictactoe"]))
    assert list(data["games"]) == ["11", "10", "9", "8", "7"] and data["tournament"]["en"]["played"] == 12
    monkeypatch.setattr(tournament_page, "MOST_MOVES", 10)
    data = data_of(tournament_page.tournament_page(files["reversi"]))
    assert not data["games"] and data["tournament"]["en"]["played"] == 6


def test_what_a_game_costs(pages):
    """A move takes at most 25 bytes, so a page of 1,000 games of 60 moves has about 2 MB; see MOST_GAMES."""
    games = data_of(pages["reversi"].read_text("utf-8"))["games"].values()
    assert len(json.dumps(list(games), separators=(",", ":"))) / sum(len(game["moves"]) for game in games) < 25


def test_the_command(files, tmp_path, tengen):
    (tmp_path / "t.jsonl").write_bytes(files["sprt"].read_bytes())
    code, out, err = tengen("report", "t.jsonl")
    assert (code, err) == (0, "") and "LLR" in out and not (tmp_path / "t.html").exists()
    code, out, err = tengen("report", "t.jsonl", "--html", "t.html")
    assert (code, err, out.splitlines()[-1]) == (0, "", "written: t.html") and (tmp_path / "t.html").exists()
    code, _out, err = tengen("report", "t.jsonl", "--html", "t.jsonl")
    assert code == 2 and "is the file that is read; give --html another file" in err
