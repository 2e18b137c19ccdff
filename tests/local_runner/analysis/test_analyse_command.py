"""`tengen analyse`: a game, a position, JSON, and refused arguments."""

import io
import json
import re
from pathlib import Path

import pytest
from rich.console import Console

from local_runner.analysis.game import GameAnalysis, MoveAnalysis, MoveVerdict
from local_runner.analysis.shown import graph, show_game
from local_runner.language.languages import speaking
from local_runner.processes.engine.engine_info import BestLine

PAGE = Path(__file__).parents[3] / "docs" / "en" / "reference" / "analysis.md"


def test_a_game_of_a_file_as_tables(tengen, tmp_path):
    (tmp_path / "game.txt").write_text("a1b1b2c3\n")
    code, out, err = tengen("analyse", "game.txt", "--seconds", "2")
    assert (code, err) == (0, "")
    assert "accuracy" in out and re.search(r"2\. White played b1 \(blunder\); better: b2", out)
    assert "100%" in out and "█" in out


def test_a_position_shows_lines_opinion_and_threats(tengen):
    code, out, _ = tengen("analyse", "h8a1h9a15h10o1", "--seconds", "0.5")
    assert code == 0
    assert "Black to move: Black wins in 2 moves" in out
    assert "open four: h7 h11" in out


def names(value):
    """The keys of all objects in a JSON value."""
    if isinstance(value, dict):
        return set(value).union(*map(names, value.values()))
    return set().union(*map(names, value)) if isinstance(value, list) else set()


@pytest.mark.parametrize("game", [["a1b1b2c3", "--whole"], ["h8i9"], ["f5d6"]])
def test_every_name_of_the_json_is_documented(game, tengen):
    _, out, _ = tengen("analyse", *game, "--seconds", "0.05", "--json")
    section = PAGE.read_text("utf-8").partition("## The JSON")[2]
    verdicts = {each.value for each in MoveVerdict}
    assert {name for name in names(json.loads(out)) - verdicts if f"`{name}`" not in section} == set()
    assert {name for name in verdicts if name and f"`{name}`" not in section} == set()


def test_a_ply_of_a_game_and_a_board_from_a_file(tengen, tmp_path):
    code, out, _ = tengen("analyse", "a1b1b2c3", "--ply", "2", "--seconds", "0.1")
    assert code == 0 and "Black to move: Black wins in 3 moves" in out
    assert "Black, threats: " in out and "four" not in out  # a word of five in a row
    (tmp_path / "board.txt").write_text("OX......\n" + "........\n" * 7)
    code, out, _ = tengen("analyse", "--env", "reversi_8x8_1v1", "--board", "board.txt", "--seconds", "0.1")
    assert code == 0 and "a pass" in out


@pytest.mark.parametrize(("arguments", "sentence"), [
    ((), "give a file of games"),
    (("nothing.sgf",), "nothing.sgf"),
    (("h8i9", "--game", "2"), "there is no game 2"),
    (("h8i9", "--ply", "3"), "has 2 plies"),
])  # fmt: skip
def test_refusals(tengen, arguments, sentence):
    code, out, err = tengen("analyse", *arguments)
    assert (code, out) == (2, "") and sentence in err


@pytest.mark.parametrize("more", [(), ("--whole",), ("--json",)])
def test_a_move_that_cannot_be_played_is_told_as_replay_tells_it(tengen, more):
    code, out, err = tengen("analyse", "h8h8", "--seconds", "0.05", *more)
    replayed, told, _ = tengen("replay", "h8h8")
    sentence = "damaged: line 1: ply 2, h8, cannot be played: h8 holds a stone of Black's\n"
    assert code == replayed == 2 and told.endswith(sentence)
    if more == ("--json",):
        assert json.loads(out) and err == sentence
    else:
        assert "h8" in out and out.endswith(sentence)


def test_a_ply_before_the_damage_is_whole(tengen):
    code, out, _ = tengen("analyse", "h8h9h8", "--ply", "1", "--seconds", "0.05")
    assert code == 0 and "damaged" not in out


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_seconds_stand_in_the_one_table_of_moves(language):
    """80 columns are wide enough for the seconds of a recorded game: the best lines are cut to make room."""
    lines = (BestLine(tuple(range(150, 162)), 0.5, 3, 9),)
    moves = tuple(
        MoveAnalysis(ply, ply % 2, ply, 1, 0.25, 0.75, MoveVerdict.BLUNDER, True, 150, lines, 9, 100, 10.25)
        for ply in range(120)
    )
    game = GameAnalysis("gobang_1v1", 15, ("a", "b"), (0.5,) * 121, moves, (9.0, 9.0), ({}, {}), finished=True)
    console = Console(file=io.StringIO(), width=80)
    with speaking(language):
        show_game(game, console)
    text = console.file.getvalue()
    rows = [line for line in text.splitlines() if "10.25" in line]
    assert len(rows) == 120 and all(row.split()[0].isdigit() and " …" in row for row in rows)
    assert len([line for line in text.splitlines() if set(line) == {"─"}]) == 1


def test_the_marks_of_neighbouring_moves_have_lines_of_their_own():
    verdicts = [MoveVerdict.BLUNDER, MoveVerdict.ONLY_MOVE, MoveVerdict.NONE, MoveVerdict.BLUNDER]
    moves = tuple(
        MoveAnalysis(ply, ply % 2, ply, 1, 0.5, 0.5, verdict, True, 150, (), 9, 100, None)
        for ply, verdict in enumerate(verdicts)
    )
    game = GameAnalysis("gobang_1v1", 15, ("a", "b"), (0.5,) * 5, moves, (9.0, 9.0), ({}, {}), finished=True)
    assert graph(game).splitlines()[-2:] == ["  ??  ^  ^", "   !   ^"]
