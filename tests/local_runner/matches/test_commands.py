"""The commands of tournaments, the sums over games, and games that are ended by scores or by their length."""

import json
import re
from pathlib import Path

import pytest
import tengen as package
from rich.text import Text

from local_runner.errors import RunnerError
from local_runner.game.faults import Fault, FaultKind, Reason
from local_runner.game.records import AgentReport, Loaded, Reply, Result, Verdict
from local_runner.game.session import play_game
from local_runner.game.setup import GameSetup
from local_runner.matches import display, screens
from local_runner.matches import games as store
from local_runner.matches.executor import Adjudicator
from local_runner.matches.games import PlayedGame
from local_runner.matches.plan import Adjudication
from local_runner.matches.schedule import Schedule
from local_runner.matches.standings import Standings
from local_runner.matches.statistics.elo import Pentanomial, Tally
from local_runner.terminal.progress import Playing
from tests.local_runner.matches.small import full_board, plan_of, play_instantly
from tests.local_runner.processes.naughty import FIRST_FREE, path_of

GAME = ("--env", "tictactoe_1v1")


def interrupt(*_, **__):
    raise KeyboardInterrupt


@pytest.mark.slow
def test_a_tournament(tengen, tmp_path):
    code, out, _ = tengen("tournament", "greedy", "random", "seed003", *GAME, "--seed", 0, "--out", "t.jsonl")
    assert code == 0
    assert "tictactoe_1v1, platform rules, seed 0: 6 of 6 games" in out
    rows = re.findall(r"^ ?(\d) +(\w+) +([+-]\d+ ± \d+) +(\d+) ", out, re.MULTILINE)
    assert [row[0] for row in rows] == ["1", "2", "3"] and rows[2][1] == "random"
    assert {row[3] for row in rows} == {"4"}
    points = [sum(map(float, re.findall(r"([\d.]+) of 2", line))) for line in out.splitlines() if " of 2" in line]
    assert len(points) == 3 and sum(points) == 6 and points == sorted(points, reverse=True)
    assert out.endswith("every game is in t.jsonl\n")
    code, again, _ = tengen("tournament", "--resume", "t.jsonl")
    assert code == 0 and again.count("6 of 6 games") == 1
    assert again.endswith("t.jsonl was finished before, and every game is in it\n"
                          "play more: tengen tournament --resume t.jsonl --rounds 2\n")  # fmt: skip


def test_the_sandbox_and_pondering_are_of_the_run_that_goes_on(tengen, monkeypatch, tmp_path):
    limits = []
    with store.create(tmp_path / "t.jsonl", plan_of("greedy", "random"), {}) as games:
        play_instantly(games)

    def noted(screen):
        limits.append((screen.plan.terms.limits.sandbox.value, screen.plan.terms.limits.ponder))

    monkeypatch.setattr(screens.TournamentScreen, "show", noted)
    for options in ((), ("--sandbox", "off", "--ponder"), ("--rounds", 3, "--ponder"), ()):
        assert tengen("tournament", "--resume", "t.jsonl", *options)[0] == 0
    assert limits == [("auto", False), ("off", True), ("auto", True), ("auto", False)]


def test_a_match_that_is_interrupted_at_once_shows_no_zeros(tengen, monkeypatch):
    monkeypatch.setattr(screens, "play_match", interrupt)
    code, out, err = tengen("match", "greedy", "random", *GAME)
    assert (code, out, err) == (130, "", "tengen: the match was interrupted after 0 of 2 games\n")


@pytest.mark.slow
def test_a_match_in_chinese_and_its_json_in_english(tengen, tmp_path):
    agents = (path_of("with_siblings"), path_of("raiser"))
    code, out, err = tengen("--lang", "zh", "match", *agents, *GAME, "--json", "m.json")
    assert code == 1 and "黑方胜，共 0 手：崩溃：白方抛出异常 ValueError: no idea" in out and "胜 / 和 / 负" in out
    assert "注意：with_siblings 导入了同一文件夹中的模块" in out and "执白输掉第 1 局，原因是崩溃" in err
    content = (tmp_path / "m.json").read_text()
    content = content.replace(json.dumps(str(Path(agents[0]).parents[3]))[1:-1], "")  # the checkout may have any name
    assert r"\u" not in content and "imports siblings" in content and "White raised ValueError: no idea" in content


@pytest.mark.slow
def test_sprt(tengen, monkeypatch):
    playing = {3: Playing("greedy", "random", 0.0)}
    monkeypatch.setattr(screens, "games_now", lambda games: [Text(f"now: {playing}")])
    bounds = ("--elo0", 0, "--elo1", 200, "--alpha", 0.25, "--beta", 0.25, "--rounds", 50, "--seed", 0)
    code, out, _ = tengen("sprt", "greedy", "random", *GAME, *bounds, "--out", "s.jsonl")
    assert code == 0
    assert "now:" not in out and "left" not in out and " of at most 100 games" in out  # no game runs any more
    assert re.search(r"LLR +\d+\.\d\d between -1.10 and 1.10", out)
    assert "H1 is accepted: a difference of 200 Elo fits the games better than one of 0" in out
    code, again, _ = tengen("tournament", "--resume", "s.jsonl")
    assert code == 0 and "H1 is accepted" in again and "0 an hour" not in again
    assert json.loads(tengen("tournament", "--resume", "s.jsonl", "--json")[1])["complete"] is True
    code, out, _ = tengen("sprt", "greedy", "random", *GAME, *bounds, "--out", "u.jsonl", "--json")
    result = json.loads(out)
    assert (code, result["complete"], result["sprt"]["decision"]) == (0, True, "H1") and result["games"] < 100


@pytest.mark.slow
def test_an_interrupted_tournament_has_its_options_and_says_how_to_go_on(tengen, tmp_path, monkeypatch):
    monkeypatch.setattr(screens, "run", interrupt)
    options = ("--each", "seconds=0.01", "--time", 0.7, "--schedule", "swiss")
    code, out, err = tengen("tournament", "tengen:nodes=50", "scorer", *GAME, "--out", "t.jsonl", *options)
    assert (code, out) == (130, "")
    assert err == ("tengen: the tournament was interrupted: 0 of at most 2 games are in t.jsonl\n"
                   "go on: tengen tournament --resume t.jsonl\n")  # fmt: skip
    kept = store.read(tmp_path / "t.jsonl")
    assert [dict(agent.options) for agent in kept.plan.agents] == [
        {"seconds": 0.01, "nodes": 50}, {"seconds": 0.01, "engine": "scorer"},
    ]  # fmt: skip
    assert (kept.plan.terms.limits.seconds, kept.plan.schedule) == (0.7, Schedule.SWISS)


@pytest.mark.slow
def test_a_crash_tells_how_to_look_at_it(tengen, tmp_path):
    arguments = ("tournament", "greedy", path_of("raiser"), *GAME, "--jobs", 1)
    code, _, err = tengen(*arguments, "--out", "t.jsonl", "--quiet", "--no-recover")
    assert code == 1
    assert err.startswith("tengen: game 1 was lost by a crash: White raised ValueError: no idea\n")
    assert "look at it: tengen replay t.jsonl --game 1" in err
    assert "go on: tengen tournament --resume t.jsonl" in err
    assert "; with --recover, a crash is a lost game" in tengen("tournament", "--resume", "t.jsonl", "--quiet")[2]
    assert tengen("tournament", "--resume", "t.jsonl", "--recover")[0] == 0
    kept = store.read(tmp_path / "t.jsonl")
    assert kept.plan.recover and [each.result.reason for each in kept] == [Reason.CRASH] * 2  # from now on
    assert kept.details(1).printed == {"Black": "", "White": "this was printed before the end\n"}
    assert tengen(*arguments, "--out", "u.jsonl", "--recover")[0] == 0
    code, out, err = tengen(*arguments, "--out", "v.jsonl")
    assert (code, "2 of 2 games" in out, err.count("tengen: ")) == (1, True, 0)  # the match went on after the fault


def game(number, black, white, winner, kind=None):
    result = full_board(winner) if kind is None else Result(winner, fault=Fault(kind))
    return PlayedGame(number, black, white, result, "", 0, "", "", 0.0)


def test_sums():
    played = [game(1, 0, 1, 1), game(2, 1, 0, 3), game(3, 1, 0, 2, FaultKind.ENDED), game(4, 0, 1, 1), game(5, 2, 0, 1)]
    found = Standings(("a", "b", "c"), played)
    assert (found.as_black["a"], found.as_white["a"]) == (Tally(wins=2), Tally(1, 1, 1))
    assert found.games == {("a", "b"): Tally(3, 1, 0), ("a", "c"): Tally(0, 0, 1)}
    assert found.pairs == {("a", "b"): Pentanomial((0, 0, 0, 1, 1))}  # the fifth game's pair is incomplete
    assert found.against("b", "a") == (Tally(0, 1, 3), Pentanomial((1, 1, 0, 0, 0)))
    assert found.against("b", "c") == (Tally(), Pentanomial())
    assert found.faults == {"b": 1}


@pytest.mark.parametrize("kind", [FaultKind.UNMEASURED, FaultKind.UNSTOPPED, FaultKind.UNSTARTED])
def test_a_game_that_was_not_measured_counts_in_no_score(kind):
    found = Standings(("a", "b"), [game(1, 0, 1, 1), game(2, 1, 0, 0, kind)])
    assert (found.played, found.unmeasured, found.tally("a").games, found.faults) == (2, 1, 1, {})
    assert found.games == {("a", "b"): Tally(wins=1)} and not found.pairs
    assert "do not count: 1." in str(next(display.notes(found)))


# ---- games that the runner ends

NONE = object()  # in place of a score: the contestant's thought has none


class Telling:
    """A contestant that plays the first free cell and reports these scores with its moves, then always the last one."""

    name, is_ours = "telling", False

    def __init__(self, *scores):
        self.scores = list(scores)

    def start(self):
        return Loaded()

    def act(self, observation, n_row, n_col):
        board = [stone for row in observation["state_map"] for (stone,) in row]
        if observation["chess_player_idx"] != 1 + board.count(1) - board.count(2):
            return Reply(cell=(0, 0), thought={"value": 0, "depth": 1})  # off turn: does not count
        score = self.scores.pop(0) if len(self.scores) > 1 else self.scores[0]
        thought = score if isinstance(score, dict) else {} if score is NONE else {"value": score, "depth": 3}
        return Reply(cell=divmod(board.index(0), n_col), thought=thought)

    def report(self):
        return AgentReport(self.name)


@pytest.mark.parametrize(("rules", "black", "white", "end"), [
    (Adjudication(draw_after=7), [0], [0], (3, Verdict.DRAW_AFTER, 7)),
    (Adjudication(draw=(3, 10)), [10], [-10], (3, Verdict.DRAW, 6)),
    (Adjudication(draw=(3, 10)), [0, 11, 0], [0], (3, Verdict.DRAW, 9)),  # ply 3 begins the count again
    (Adjudication(draw=(3, 10)), [0, NONE, 0], [0], (3, Verdict.DRAW, 9)),
    (Adjudication(draw=(2, 10)), [{"value": 0, "depth": 0}, 0], [0], (3, Verdict.DRAW, 5)),  # 0 without a search
    (Adjudication(draw=(2, 10)), [True, 0], [0], (3, Verdict.DRAW, 5)),
    (Adjudication(resign=(2, 500)), [900], [-500], (1, Verdict.RESIGN, 4)),
    (Adjudication(resign=(2, 500)), [-500, -499, -500], [900], (2, Verdict.RESIGN, 7)),
    (Adjudication(resign=(2, 500)), [-501, NONE, -501], [NONE], (2, Verdict.RESIGN, 7)),
    (Adjudication(8, (2, 10), (2, 500)), [90], [90], (3, Verdict.DRAW_AFTER, 8)),
    (Adjudication(), [0], [-9999], (1, None, 61)),
    (Adjudication(draw_after=61), [0], [0], (1, None, 61)),  # a line of five at this ply counts first
])  # fmt: skip
def test_when_a_game_is_ended(rules, black, white, end):
    record = play_game(GameSetup("gobang_1v1"), (Telling(*black), Telling(*white)), watchers=[Adjudicator(rules)])
    assert (record.result.winner, record.result.verdict, len(record.cells)) == end


@pytest.mark.parametrize("wrong", [{"draw": (0, 5)}, {"resign": (3, -1)}, {"resign": (3, float("nan"))}])
def test_numbers_that_make_no_sense_are_refused(wrong):
    with pytest.raises(RunnerError, match=f"--{next(iter(wrong))} needs a number of moves, at least 1, and a score"):
        Adjudication(**wrong)


def test_a_tournament_is_adjudicated_to_its_end(tmp_path, tengen):
    """The tournament's file has the options and how each game ended, also after --resume; PGN says how it ended."""
    for name, value in (("high", 700), ("low", -700)):
        thought = f"\ndef last_thought(): return {{'value': {value}, 'depth': 2}}\n"
        (tmp_path / f"{name}.py").write_text(FIRST_FREE + thought)
    code, out, _err = tengen("tournament", "high.py", "low.py", "--resign", "3", "500", "--draw-after", "200",
                             "--openings", "start", "--out", "pool.jsonl")  # fmt: skip
    assert code == 0 and "Adjudicated games: 2." in out
    lines = (tmp_path / "pool.jsonl").read_bytes().splitlines(keepends=True)
    (tmp_path / "pool.jsonl").write_bytes(b"".join(lines[:2]))
    assert tengen("tournament", "--resume", "pool.jsonl", "--draw", "3", "9")[0] == 2
    code, out, _err = tengen("tournament", "--resume", "pool.jsonl", "--quiet", "--json", "--pgn", "games.pgn")
    told = json.loads(out)
    assert (code, told["file"], told["complete"], told["games"], told["adjudicated"]) == (0, "pool.jsonl", True, 2, 2)
    assert told["header"]["tengen"] and [each["name"] for each in told["ratings"]] == ["high", "low"]
    assert (told["pairs"], told["agents"]["low"]["losses"]) == ({"high - low": [0, 0, 0, 0, 1]}, 2)
    games = store.read(tmp_path / "pool.jsonl")
    assert games.plan.terms.adjudication == Adjudication(200, resign=(3, 500.0))
    assert [(game.winner, game.result.verdict, game.plies) for game in games] == [
        (1, Verdict.RESIGN, 6), (2, Verdict.RESIGN, 5)]  # fmt: skip
    assert (tmp_path / "games.pgn").read_text().count('Termination "adjudicated: the loser\'s scores stayed low"') == 2
    for path in ("pool.jsonl", "games.pgn"):
        assert "adjudicated: the loser's scores stayed low" in tengen("replay", path, "--game", "2")[1]


def test_a_match_shows_its_adjudicated_games(tengen):
    code, out, err = tengen("match", "tengen:depth=1", "tengen:depth=1", "--draw", "1", "1e9", "--games", "1",
                            "--env", "reversi_8x8_1v1")  # fmt: skip
    assert (code, err) == (0, "") and "Adjudicated games: 1." in out
    assert "drawn after 2 moves: adjudicated: both sides' scores stayed near 0" in out
    assert "--draw needs two values: MOVES SCORE" in tengen("match", "greedy", "random", "--draw", "3")[2]


def test_python_takes_the_same_options():
    settings = {"game": "tictactoe_1v1", "games": 1, "openings": "start"}
    [game] = package.play("greedy", "random", draw_after=3, **settings).games
    assert (game.result.verdict, game.result.winner, len(game.moves)) == (Verdict.DRAW_AFTER, 3, 3)
    with pytest.raises(package.TengenError, match=r"must be \(moves, score\), such as \(5, 20\)"):
        package.play("greedy", "random", resign=5, **settings)
