"""Games that the runner ends by the scores that agents tell, or by their length."""

import json

import pytest
import tengen as package

from local_runner.errors import RunnerError
from local_runner.game.records import AgentReport, Loaded, Reply, Verdict
from local_runner.game.session import play_game
from local_runner.game.setup import GameSetup
from local_runner.matches.adjudication import Adjudication, Adjudicator
from local_runner.matches.games import read

NONE = object()  # told in place of a score: a thought without one


class Telling:
    """A contestant that plays the first free cell, and tells these scores at its moves; at last always the last one."""

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


AGENT = """
def my_controller(observation, action_space, is_act_continuous=False):
    board = [stone for row in observation["state_map"] for (stone,) in row]
    row, col = divmod(board.index(0), 15)
    return [[int(at == row) for at in range(15)], [int(at == col) for at in range(15)]]

def last_thought():
    return {"value": VALUE, "depth": 2}
"""


def test_a_tournament_is_adjudicated_to_its_end(tmp_path, tengen):
    """The plan keeps the options, and each game how it ended, also after --resume and in files of games."""
    for name, value in (("high", "700"), ("low", "-700")):
        (tmp_path / f"{name}.py").write_text(AGENT.replace("VALUE", value))
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
    games = read(tmp_path / "pool.jsonl")
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
