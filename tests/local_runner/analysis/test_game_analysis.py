"""Whole games: known mistakes are found, good moves get no bad verdict, figures follow their formulas; the command."""

import io
import json
import re
from math import exp
from pathlib import Path

import pytest
from rich.console import Console

from local_runner.analysis.game import accuracy, analyse, verdict
from local_runner.analysis.shown import GameAnalysis, MoveAnalysis, MoveVerdict, graph, move_name, opinion, show_game
from local_runner.formats import SavedGame, read
from local_runner.game.codec import as_json
from local_runner.game.setup import GameSetup
from local_runner.language.languages import speaking
from local_runner.processes.engine.engine_info import BestLine, EngineInfo, ProvedResult
from local_runner.processes.engine.engine_process import EngineProcess, Question
from tests.local_runner.formats.making import WITH_PASS

NODES = 3000


def moves_game(text):
    return read("moves", text.encode()).game(0)


def told(analysis):
    """Ply, from 1 -> its verdict, without the verdict NONE."""
    return {move.ply + 1: move.verdict.value for move in analysis.moves if move.verdict is not MoveVerdict.NONE}


# After 13 plies Black threatens to win by fours and open threes; only h7 stops it.
DANGER = "j8h8g9g10h6f9i7k9e8h10g7f10i10"


@pytest.mark.slow
def test_a_planted_fault_is_found_with_what_should_have_been_played(engine):
    """White was already worse by a mistake before. The verdicts are near thresholds: so a new engine, more nodes."""
    with EngineProcess() as new:
        analysis = analyse(new, moves_game(DANGER + "a1"), nodes=4 * NODES, progress=lambda found, done, all_: done > 3)
    verdicts = told(analysis)
    assert verdicts[12] in ("mistake", "blunder") and verdicts[14] in ("mistake", "inaccuracy")
    assert verdicts.get(13) in (None, "only move")
    fault = analysis.moves[-1]
    assert fault.after == 1.0 and fault.lost == pytest.approx(fault.after - fault.before)
    assert move_name(fault.best, 15) == "h7"
    held = analyse(engine, moves_game(DANGER + "h7"), nodes=NODES, progress=lambda found, done, all_: done > 2)
    assert told(held).get(13) in (None, "only move")


def test_a_missed_win_is_found(engine):
    """After the blunder Black plays elsewhere, and White stops the win."""
    analysis = analyse(engine, moves_game(DANGER + "a1o15h7"), nodes=NODES, progress=lambda found, done, all_: done > 2)
    assert told(analysis)[15] == "missed win"
    missed = analysis.moves[-2]
    assert missed.before == 1.0 and missed.after < 0.9 and missed.lines[0].exact == "win"


def test_an_only_move_is_praised(engine):
    """In tic-tac-toe, only the middle holds the draw against a corner."""
    assert told(analyse(engine, moves_game("a1b2"), nodes=5000)) == {2: "only move"}


def test_the_last_ply_alone_is_judged_as_in_the_whole_game(engine):
    whole, last = (analyse(engine, moves_game("a1b1b2c3a2"), nodes=5000, since=since) for since in (0, 4))
    assert last.finished and last.moves == whole.moves[4:]
    assert last.moves[0].reply.exact is ProvedResult.LOSS  # for White, who cannot stop both a3 and c2


def test_a_finished_game_ends_with_its_result(engine):
    """The game has the written rules. By the platform's rules, the last mover wins on a full board."""
    setup = GameSetup("tictactoe_1v1", rules="stated")
    for moves, chance in (("a1b1a2b2a3", 1.0), ("a1b1a2b2c3b3", 0.0), ("a1b2c3b1b3a3c1c2a2", 0.5)):
        game = SavedGame(setup, moves_game(moves).cells)
        assert analyse(engine, game, nodes=2000).chances[-1] == chance


def test_tic_tac_toe_is_exact(engine):
    """The empty board is a draw; b1 after a1 loses by force, and Black's b2 keeps the win."""
    analysis = analyse(engine, moves_game("a1b1b2c3"), nodes=5000)
    assert analysis.chances[:3] == (0.5, 0.5, 1.0)
    assert told(analysis) == {2: "blunder"} and analysis.counts == ({}, {"blunder": 1})


def test_reversi_with_a_lost_turn(engine):
    """Black loses its turn at ply 3."""
    setup = moves_game("f5d6c3").setup
    game = SavedGame(setup, ((4, 5), (5, 3), None, (5, 5)), seconds=(0.1, 0.2, None, 0.4))
    analysis = analyse(engine, game, nodes=1500)
    assert [move.cell for move in analysis.moves] == [37, 43, -1, 45]
    assert [move.player for move in analysis.moves] == [0, 1, 0, 1]
    assert analysis.moves[2].counts  # a turn that is lost is not a pass
    assert [move.seconds for move in analysis.moves] == [0.1, 0.2, None, 0.4]


DOUBLE_PASS = WITH_PASS.format("--")  # neither side can move after c1, and White has won by 13


@pytest.mark.parametrize(("moves", "chances"), [
    (DOUBLE_PASS, [0.0] * 4), (DOUBLE_PASS + "----", [0.0] * 4), ("d3c3f5f4f3d2d1e3b3", [1.0]),
])  # fmt: skip
def test_the_rules_are_asked_before_the_engine(engine, moves, chances):
    """If only passes are left, the chance is the result's, and no move loses. In the last game d3 takes all discs."""
    analysis = analyse(engine, moves_game(moves), nodes=200, progress=lambda found, done, all_: done >= len(chances))
    assert analysis.chances[-len(chances) :] == tuple(chances)
    assert not any(move.lost for move in analysis.moves)


def test_a_position_in_which_nobody_can_move_has_an_exact_opinion(engine):
    game = moves_game(DOUBLE_PASS)
    found = engine.ask(Question(game.setup, game.cells[:-2], nodes=10))  # without the two passes at the end
    assert found.lines[0].moves == (-1, -1) and found.lines[0].discs == -13
    assert opinion(found, 0, 8) == "White wins by 13 discs, expects a pass"


def test_the_best_move_loses_nothing_and_chances_are_consistent(engine):
    analysis = analyse(engine, moves_game("h8i9h9i8h10i10h11"), nodes=NODES)
    for move in analysis.moves:
        assert (move.before, move.after) == analysis.chances[move.ply : move.ply + 2]
        mover = (move.after - move.before) * (1 if move.player == 0 else -1)
        assert move.lost == pytest.approx(max(0.0, -mover))
        assert 0 <= move.before <= 1


def test_progress_comes_after_every_position_and_may_end_the_analysis(engine):
    seen = []
    analyse(engine, moves_game("h8i9h9"), nodes=200, progress=lambda found, done, all_: seen.append((done, all_)))
    assert seen == [(1, 4), (2, 4), (3, 4), (4, 4)]
    partial = analyse(engine, moves_game("h8i9h9"), nodes=200, progress=lambda found, done, all_: done == 2)
    assert not partial.finished and partial.chances[:2] == (None, None) and len(partial.moves) == 1
    assert partial.moves[0].ply == 2


def test_the_opening_is_not_judged(engine):
    game = moves_game("h8a1h9a15h10o1h11")
    opened = SavedGame(GameSetup("gobang_1v1", opening=game.cells[:6]), game.cells)
    analysis = analyse(engine, opened, nodes=NODES)
    assert not any(move.counts or move.verdict is not MoveVerdict.NONE for move in analysis.moves[:6])
    assert analysis.accuracy[1] is None


@pytest.mark.parametrize(("lost", "was_won", "is_won", "second", "expected"), [
    (0.0, False, False, None, MoveVerdict.NONE), (0.069, False, False, None, MoveVerdict.NONE),
    (0.07, False, False, None, MoveVerdict.INACCURACY), (0.15, False, False, None, MoveVerdict.MISTAKE),
    (0.30, False, False, 0.5, MoveVerdict.BLUNDER), (0.30, True, False, None, MoveVerdict.MISSED_WIN),
    (0.05, True, False, None, MoveVerdict.NONE), (0.0, True, True, None, MoveVerdict.NONE),
    (0.0, False, False, 0.14, MoveVerdict.NONE), (0.0, False, False, 0.15, MoveVerdict.ONLY_MOVE),
])  # fmt: skip
def test_verdicts_by_their_thresholds(lost, was_won, is_won, second, expected):
    assert verdict(lost, was_won=was_won, is_won=is_won, second=second) is expected


def test_a_verdict_in_json_is_a_word_that_no_language_changes():
    assert {type(as_json(verdict)) for verdict in MoveVerdict} == {str}


def test_accuracy_is_the_mean_of_exp_minus_4_times_the_loss():
    assert accuracy([]) is None
    assert accuracy([0.0]) == 100
    assert accuracy([0.1, 0.3]) == pytest.approx(50 * (exp(-0.4) + exp(-1.2)))


class Told:
    """Replaces the engine: returns a given EngineInfo for a position, by its last move or its number of moves."""

    def __init__(self, infos, after=None):
        self.infos, self.after = infos, after or {}

    def ask(self, question):
        return self.after.get(question.cells[-1:]) or self.infos[len(question.cells)]


@pytest.mark.parametrize(("after_better", "verdict"), [(0.6, MoveVerdict.BLUNDER), (0.25, MoveVerdict.NONE)])
def test_a_move_that_the_next_search_refutes_is_not_called_the_best(after_better, verdict):
    """The first choice at ply 3 was a1; the next search finds that a1 loses; a search after another move compares."""

    def info(*lines):
        found = tuple(BestLine((cell,), chance, 0, 5) for cell, chance in lines)
        return EngineInfo(found, found[0].chance, 5, 100, 0.1)

    infos = [info((0, 0.5), (1, 0.5)), info((112, 0.5), (1, 0.5)), info((0, 0.7), (30, 0.6)), info((2, 0.2), (3, 0.1))]
    told = Told(infos, {((2, 0),): info((9, after_better))})
    move = analyse(told, moves_game("h8h9a1"), nodes=1).moves[2]
    assert (move.cell, move.best, move.before, move.after) == (0, 30, after_better, 0.2)
    assert [(line.moves[0], line.chance) for line in move.lines] == [(30, after_better), (0, 0.2)]
    assert move.verdict is verdict


@pytest.mark.parametrize(("best", "verdicts", "chances"), [
    (112, {}, (1.0, 1.0, 0.9)), (113, {1: "missed win", 2: "mistake"}, (1.0, 0.7, 0.9)),
])  # fmt: skip
def test_a_proved_winning_move_is_not_blamed_if_the_next_search_proves_nothing(best, verdicts, chances):
    """If Black's h8 is proved to win, White's g7 loses no chance, whatever the chances of later searches."""
    found = [(best, 1.0, ProvedResult.WIN), (97, 0.7, ProvedResult.NONE), (0, 0.9, ProvedResult.NONE)]
    infos = [EngineInfo((BestLine((at,), chance, 0, 5, exact),), chance, 5, 100, 0.1) for at, chance, exact in found]
    analysis = analyse(Told(infos), moves_game("h8g7"), nodes=1)
    assert (told(analysis), analysis.chances) == (verdicts, chances)


# ---- the command

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
    assert "Black, threats: " in out and "four" not in out  # "four" is used in five in a row only
    (tmp_path / "board.txt").write_text("OX......\n" + "........\n" * 7)
    code, out, _ = tengen("analyse", "--env", "reversi_8x8_1v1", "--board", "board.txt", "--seconds", "0.1")
    assert code == 0 and "a pass" in out


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


def game_with(verdicts, *lines):
    """A recorded game of gobang whose moves have these verdicts and all the same lines."""
    moves = tuple(MoveAnalysis(ply, ply % 2, ply, 1, 0.25, 0.75, verdict, True, 150, lines, 9, 100, 10.25)
                  for ply, verdict in enumerate(verdicts))  # fmt: skip
    chances = (0.5,) * (len(moves) + 1)
    return GameAnalysis("gobang_1v1", 15, ("a", "b"), chances, moves, (9.0, 9.0), ({}, {}), finished=True)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_seconds_stand_in_the_one_table_of_moves(language):
    """80 columns are wide enough for the seconds of a recorded game: the best lines are cut to make room."""
    game = game_with([MoveVerdict.BLUNDER] * 120, BestLine(tuple(range(150, 162)), 0.5, 3, 9))
    console = Console(file=io.StringIO(), width=80)
    with speaking(language):
        show_game(game, console)
    text = console.file.getvalue()
    rows = [line for line in text.splitlines() if "10.25" in line]
    assert len(rows) == 120 and all(row.split()[0].isdigit() and " …" in row for row in rows)
    assert len([line for line in text.splitlines() if set(line) == {"─"}]) == 1


def test_the_marks_of_neighbouring_moves_have_lines_of_their_own():
    verdicts = [MoveVerdict.BLUNDER, MoveVerdict.ONLY_MOVE, MoveVerdict.NONE, MoveVerdict.BLUNDER]
    assert graph(game_with(verdicts)).splitlines()[-2:] == ["  ??  ^  ^", "   !   ^"]
