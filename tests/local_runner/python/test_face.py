"""`import tengen`: moves, games, files, errors; slow tests of matches, analyses, a typed script and the notebooks."""

from __future__ import annotations

import copy
import json
import math
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import tengen
from tengen import Engine, Game
from tengen.game import cells_of

from tests.conftest import ROOT, SOURCES

ENVIRONMENT = {**os.environ, "PYTHONPATH": SOURCES, "MYPYPATH": SOURCES}
WON = "h8a1h9a2h10a3h11a4h12"


def test_every_public_name_has_a_docstring() -> None:
    silent = [name for name in tengen.__all__ if name != "__version__" and not getattr(tengen, name).__doc__]
    assert not silent and dir(tengen) == tengen.__all__
    with pytest.raises(AttributeError, match="no attribute 'checkers'"):
        tengen.checkers  # type: ignore[attr-defined]  # noqa: B018


@pytest.mark.parametrize(("moves", "cells"), [
    ("", ()), ("h8", ((7, 7),)), ("1. h8 2. h9", ((7, 7), (8, 7))), ("pass", (None,)), (None, (None,)),
    ((7, 7), ((7, 7),)), ([7, 7], ((7, 7),)), ([(7, 7), (8, 7)], ((7, 7), (8, 7))),
    (["h8", None, (8, 7), "i9j9"], ((7, 7), None, (8, 7), (8, 8), (8, 9))),
])  # fmt: skip
def test_moves_may_be_names_and_pairs(moves: Any, cells: tuple[Any, ...]) -> None:
    assert cells_of(moves) == cells


def test_a_game_is_played_and_taken_back() -> None:
    game = Game("gobang_1v1", WON)
    assert game.result.colour == "black" and str(game.result) == "Black wins: 5 in a row from h8 to h12"
    assert (game.result.points, game.result.reason) == ((1.0, 0.0), "by the rules") and not game.legal_moves
    assert game.undo().result is None and game.turn == "black" and len(game.legal_moves) == 225 - 8
    assert game.copy().play("o15").moves[-1] == "o15" and game.moves[-1] == "a4"
    assert game.resign().result.reason == "resignation" and str(game.result) == "White wins: Black resigns"


def test_a_game_can_be_pickled_and_copied() -> None:
    game = Game("gobang_1v1", "h8i9").resign()
    for other in (pickle.loads(pickle.dumps(game)), copy.deepcopy(game)):
        assert (other.moves, other.result) == (game.moves, game.result)
        assert other.undo().play("h9").moves == ("h8", "h9") and game.moves == ("h8", "i9")


def test_a_long_file_is_printed_in_part() -> None:
    games = tengen.read("\n".join(["h8i9"] * 120))
    assert len(games) == 120 and str(games).endswith("and 20 more games") and games[-1].moves == ("h8", "i9")


def test_a_drawn_game_has_no_winner() -> None:
    result = Game("tictactoe_1v1", "b2a1c3c1b1b3c2a2a3", rules="stated").result
    assert (result.colour, result.points) == (None, (0.5, 0.5)) and str(result).startswith("a draw")


def test_a_forced_pass_may_be_given_or_left_out() -> None:
    game = Game("reversi_8x8_1v1")
    while game.legal_moves != ("pass",):  # the first legal moves lead to a pass
        game.play(game.legal_moves[0])
    assert game.copy().play("pass").moves[-1] == "pass"
    after = game.copy().play(None).legal_moves[0]
    assert game.play(after).moves[-2:] == ("pass", after)


def test_an_illegal_move_changes_nothing() -> None:
    game = Game("gobang_1v1", "h8")
    with pytest.raises(tengen.Unplayable, match="holds a stone"):
        game.play("i9i9")
    assert game.moves == ("h8",)


BOARD = ["....", ".OX.", ".XO.", "...."]
MISTAKES: list[tuple[Callable[[], object], str]] = [
    (lambda: Game("chess"), "the game 'chess' is unknown"),
    (lambda: Game(rules="x"), "unknown rules 'x'"),  # type: ignore[arg-type]
    (lambda: Game(board_size=99), "a board with 99 cells"),
    (lambda: Game("gobang_1v1", "zz"), "cannot be read as moves from 'zz' on"),
    (lambda: Game("gobang_1v1", 5), "5 is no move"),  # type: ignore[arg-type]
    (lambda: Game("gobang_1v1", "pass"), "may not pass"),
    (lambda: Game("tictactoe_1v1", (5, 5)), "is off the 3x3 board"),
    (lambda: Game().undo(), "cannot take back"),
    (lambda: Game("tictactoe_1v1").move_of([[1, 1, 0], [1, 0, 0]]), "exactly one 1"),
    (lambda: tengen.cell("88"), "'88' is no cell"),
    (lambda: tengen.name((0, 26)), "has no name"),
    (lambda: tengen.read("nothing.sgf"), "cannot read nothing.sgf"),
    (lambda: tengen.read("h8", board_size=9), "board_size needs game: the name of the game"),
    (lambda: tengen.write(Game(), "game.doc"), "cannot be written as 'doc'"),
    (lambda: tengen.write([Game(), Game()], "a.psq"), "a .psq file holds one game, not 2; write each game into a file"),
    (lambda: tengen.write([], "a.sgf"), "there is no game to write"),
    (lambda: tengen.agents("chess"), "is unknown"),
    (lambda: tengen.use_language("fr"), "unknown language 'fr'"),
    (lambda: tengen.check("nothing.py"), "there is no file"),
    (lambda: tengen.play("nobody", "random"), "unknown agent 'nobody'"),
    (lambda: tengen.play("tengen", "random", games=0), "games must be a whole number from 1"),
    (lambda: tengen.play("tengen", "random", games=2.5), "not 2.5"),  # type: ignore[arg-type]
    (lambda: tengen.play("tengen", "random", seconds="1"), "seconds must be a number of at least 0.001, not '1'"),  # type: ignore[arg-type]
    (lambda: tengen.play("tengen", "random", sandbox="yes"), "unknown sandbox mode 'yes'"),  # type: ignore[arg-type]
    (lambda: tengen.play("tengen", "random", strict=False, rules="stated"), "needs --rules platform"),
    (lambda: tengen.play("tengen", "random", opening_plies=3), "so --opening-plies needs"),
    (lambda: tengen.play("tengen", "random", game="reversi_8x8_1v1", board=BOARD, out="x"), "leave out --out"),
    (lambda: tengen.tournament("random"), "two agents or more, not 1"),
    (lambda: tengen.tournament(["random", "greedy"], schedule="cup"), "schedule 'cup'"),  # type: ignore[arg-type]
    (lambda: Engine("chess"), "the game 'chess' is unknown"),
    (lambda: Engine("tictactoe_1v1").think("a1a1"), "holds a stone"),
    (lambda: Engine("tictactoe_1v1").think(lines=0), "lines must be a whole number from 1 to 9"),
]


@pytest.mark.parametrize(("mistake", "words"), MISTAKES)
def test_every_mistake_is_one_sentence_of_our_errors(
    mistake: Callable[[], object], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(tengen.TengenError) as caught:
        mistake()
    assert words in str(caught.value) and "\n" not in str(caught.value) and not [*tmp_path.iterdir()]


REPRS: list[tuple[object, str]] = [
    (Game(), "Game('gobang_1v1')"),
    (Game("gobang_1v1", "h8i9", rules="stated"), "Game('gobang_1v1', 'h8i9', rules='stated')"),
    (Game("reversi_8x8_1v1", board=BOARD),
     "Game('reversi_8x8_1v1', board=('....', '.OX.', '.XO.', '....'))"),
    (Engine(Game("reversi_1v1", board_size=8)), "Engine(Game('reversi_1v1', board_size=8))"),
    (tengen.read("h8h9i9"), "<Games: 1 from moves>"),
]  # fmt: skip


@pytest.mark.parametrize(("value", "text"), REPRS)
def test_a_repr_says_what_it_is(value: object, text: str) -> None:
    assert repr(value) == text


def test_written_games_are_read_again(tmp_path: Path) -> None:
    """tests/local_runner/formats tests each format; here only `read` and `write`, with names and results."""
    given = [Game("gobang_1v1", moves, names=("ours", "theirs")) for moves in (WON, "h8i9")]
    tengen.write(given, path := tmp_path / "games.sgf")
    games = tengen.read(path)
    assert [(game.moves, game.names) for game in games] == [(game.moves, game.names) for game in given]
    assert games[0].result == given[0].result and not games.problem and "result" in str(games)


def test_a_damaged_game_says_so() -> None:
    game = tengen.read("(;GM[4]SZ[15];B[hh];W[hh])")[0]
    assert game.moves == ("h8",) and "cannot be played" in game.damage and not game.copy().play("i9").damage


def test_a_notebook_draws_a_game() -> None:
    assert Game("reversi_1v1", "f7")._repr_svg_().startswith("<svg ")
    assert tengen.read("h8h9")._repr_html_().startswith("<pre ")


def test_an_agent_sees_what_the_site_sends(tmp_path: Path) -> None:
    game = Game("gobang_1v1", "h8")
    observation = game.observation(0)
    assert observation["chess_player_idx"] == 1 and game.observation()["chess_player_idx"] == 2
    observation["state_map"][0][0][0] = 1  # the observation is a copy
    assert game.env.stones()[0][0] == 0 and [space.n for space in game.action_space] == [15, 15]


@pytest.mark.slow
def test_a_match_has_its_games_and_figures() -> None:
    ended: list[Game] = []
    result = tengen.play("greedy", "random", game="tictactoe_1v1", games=3, seed=4, on_game=ended.append)
    assert (result.total().score, result.total().draws, result.faults()) == (3, 0, 0)
    assert [game.moves for game in ended] == [game.moves for game in result.games]
    assert [game.names[0] for game in result.games] == ["greedy", "random", "greedy"]
    assert result.elo.value == math.inf and result.agents[1].total.losses == 3 and "won / drawn / lost" in str(result)


@pytest.mark.slow
def test_a_game_lost_by_a_fault_says_why(tmp_path: Path) -> None:
    agent = tmp_path / "raiser.py"
    agent.write_text("def my_controller(observation, action_space, is_act_continuous=False):\n    raise ValueError\n")
    result = tengen.play(agent, "random", game="tictactoe_1v1", games=1)
    assert (result.faults(), result.faults("random")) == (1, 0)
    assert result.games[0].result.reason == "crash" and "ValueError" in str(result.games[0].result)
    assert "raiser.py" in str(result) and "line 2" in str(result)


@pytest.mark.slow
def test_a_tournament_goes_on_in_its_file(tmp_path: Path) -> None:
    path, ended = tmp_path / "pool.jsonl", list[Game]()
    for games in (4, 4):  # the second call finds all games in the file
        pool = tengen.tournament(
            ["greedy", "random"], path, names=["new", ""], game="tictactoe_1v1", rounds=2, seed=4, on_game=ended.append
        )
        assert len(ended) == games == len(pool.games) and [each.name for each in pool.ratings] == ["new", "random"]
    assert [game.moves for game in tengen.read(path)] == [game.moves for game in pool.games]
    with pytest.raises(tengen.TengenError, match="other options"):
        tengen.tournament(["greedy", "random"], path, game="tictactoe_1v1", rounds=3)
    assert "new" in tengen.report(path).read_text() and tengen.report(path, tmp_path / "a.html").name == "a.html"


@pytest.mark.slow
def test_the_engine_thinks_and_analyses() -> None:
    thoughts: list[tengen.Thought] = []
    with Engine("gobang_1v1") as engine:
        thought = engine.think(Game("gobang_1v1", "h8a1h9a2h10a3"), depth=4, lines=2, on_thought=thoughts.append)
        assert (thought.move, thought.lines[0].exact.value, thought.finished) == ("h7", "win", True)
        assert thought.chance == 1.0 and len(thought.lines) == 2 and "Black wins" in str(thought)
        analysis = engine.analyse("h8a1h9a2h10a3h7", nodes=200)
        assert [move.ply for move in analysis.moves] == list(range(7)) and "accuracy" in str(analysis)
        assert repr(analysis).startswith("<GameAnalysis: 7 moves, accuracy ")
        over = engine.think(WON)
        assert over.move is over.value is None and not over.lines
    with pytest.raises(tengen.TengenError, match="was closed"):
        engine.think("h8")


@pytest.mark.slow
def test_a_check_is_printed_as_by_the_command() -> None:
    report = tengen.check(ROOT / "tests/local_runner/specimens/first_free.py", "tictactoe_1v1", quick=True)
    assert report.good and report.verdict in str(report) and "<pre" in report._repr_html_()
    assert repr(report).endswith("first_free.py: Ready for tictactoe_1v1.>")


@pytest.mark.slow
def test_the_import_loads_nothing() -> None:
    code = "import sys; before = {*sys.modules}; import tengen; print(*({*sys.modules} - before))"
    done = subprocess.run([sys.executable, "-c", code], env=ENVIRONMENT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["tengen"]


@pytest.mark.slow
def test_a_users_script_is_typed(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT, "utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), "script.py"]
    done = subprocess.run(command, cwd=tmp_path, env=ENVIRONMENT, capture_output=True, text=True)
    [error] = [line for line in done.stdout.splitlines() if "script.py" in line]
    assert error.startswith('script.py:18: error: Module has no attribute "Gmae"')


SCRIPT = """\
import tengen

game: tengen.Game = tengen.Game("gobang_1v1", ["h8", (8, 8)]).play("h9").undo()
moves: tuple[str, ...] = game.legal_moves
with tengen.Engine("gobang_1v1") as engine:
    thought: tengen.Thought = engine.think(game, seconds=0.1, lines=2)
    values: list[tuple[str, int, float]] = [(line.move, line.value, line.chance) for line in thought.lines]
result: tengen.MatchResult = tengen.play("tengen", "my/submission.py", game="gobang_1v1", games=4)
figures: tuple[float, float, float] = (result.total().score, result.elo.low, result.agents[0].on_turn.p99)
pool: tengen.MatchResult = tengen.tournament(["greedy", "random"], "pool.jsonl")
names: list[str] = [rating.name for rating in pool.ratings]
for one in tengen.read("games.sgf", game="gobang_1v1"):
    tengen.write(one, "one.sgf")
try:
    report: tengen.CheckReport = tengen.check("submission.py", quick=True)
except tengen.TengenError as error:
    print(error)
tengen.Gmae()
"""


# ---- the notebooks of docs/ run, and both languages have the same code

NOTEBOOKS = {language: ROOT / "docs" / language / "tutorial" / "python.ipynb" for language in ("en", "zh")}


def _cells(language: str) -> list[tuple[str, str]]:
    """The kind of each cell, and the code of a cell with code; the language that it chooses is left out."""
    cells = json.loads(NOTEBOOKS[language].read_text("utf-8"))["cells"]
    code = ("".join(cell["source"]) if cell["cell_type"] == "code" else "" for cell in cells)
    return [(cell["cell_type"], text.replace(f'"{language}"', "")) for cell, text in zip(cells, code, strict=True)]


def test_both_languages_have_the_same_code() -> None:
    assert _cells("en") == _cells("zh")


@pytest.mark.parametrize("language", NOTEBOOKS)
def test_the_stored_outputs_hold_no_error_and_no_path(language: str) -> None:
    text = NOTEBOOKS[language].read_text("utf-8")
    assert '"output_type": "error"' not in text and "/tmp/" not in text and "image/svg+xml" in text


@pytest.mark.slow
@pytest.mark.parametrize("language", NOTEBOOKS)
def test_the_notebook_runs(language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import nbformat  # here, because the import is slow
    from nbclient import NotebookClient

    monkeypatch.setenv("PYTHONPATH", SOURCES)
    notebook = nbformat.read(NOTEBOOKS[language], as_version=4)
    NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(tmp_path)}}).execute()
    assert (tmp_path / "lost.sgf").is_file()
