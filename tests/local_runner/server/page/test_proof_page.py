"""The proof on the page: its answers are the upload's, and every line ends in Black's five by the naive referee."""

import importlib
import random

import pytest
from playwright.sync_api import expect

from local_runner.formats import proof_page
from local_runner.formats.proof_page import GAME, proof_data, proof_lines
from local_runner.game.coordinates import name
from local_runner.game.session import GameSession
from local_runner.processes.agent_side.engine_worker import EngineWorker
from submission.boards import BLACK, WHITE
from submission.k_in_a_row import book
from submission.k_in_a_row.book import CELLS, canonical, images, proof_book, stones_on, with_stone
from submission.k_in_a_row.position import KInARowPosition
from tests.browser.app import PLACE
from tests.local_runner.server.page.games import DRAWN
from workshop.gobang.five import FiveThreats
from workshop.gobang.positions import IMAGES, MIDDLE, second_moves
from workshop.proof.paths import White


def board_after(cells):
    board = bytes(CELLS)
    for ply, cell in enumerate(cells):
        board = with_stone(board, cell, ply % 2)
    return board


def game(second, seed, resists):
    """A game of the upload as Black, as cells. White plays at random or, if it `resists`, delays the loss."""
    rng, black = random.Random(seed), book.ProvedWin(KInARowPosition(book.SIZE, book.SIZE, book.IN_A_ROW))
    white = White(proof_book(), resists, rng)
    cells = [MIDDLE, rng.choice(IMAGES)[second]]
    while not FiveThreats(board_after(cells)).five_of(BLACK):
        cells.append(black.reply(board_after(cells)) if len(cells) % 2 == 0 else white.reply(board_after(cells)))
    return cells


def won_by_black(cells):
    """Whether the last of the cells, and none before it, ends the game with Black's five, by the referee."""
    session = GameSession(GAME, cells=[divmod(cell, 15) for cell in cells[:-1]])
    assert session.result is None
    session.play(divmod(cells[-1], 15))
    return session.result is not None and session.result.winner == 1


def test_there_is_a_line_of_each_second_move():
    lines = proof_data()["lines"]
    assert {canonical(((MIDDLE,), (line["cells"][1],)), IMAGES)[0] for line in lines} == set(second_moves())
    entries = [line["entries"] for line in lines]
    assert entries == sorted(entries, reverse=True)


@pytest.mark.parametrize("numbers", [slice(1, 2), pytest.param(slice(None), marks=pytest.mark.slow)])
def test_a_line_ends_in_blacks_five(numbers):
    for line, shown in list(zip(proof_lines(), proof_data()["lines"], strict=True))[numbers]:
        cells = shown["cells"]
        assert cells[0] == MIDDLE and line.second == name(divmod(cells[1], 15))
        assert len(shown["five"]) >= 5 and won_by_black(cells)
        prepared = [proof_book().look_up(canonical(stones_on(board_after(cells[:ply])), images(15))[0]) is not None
                    for ply in range(2, len(cells), 2)]  # fmt: skip
        assert prepared == sorted(prepared, reverse=True) and prepared[0]  # the book, then wins by threats


def test_the_command(tengen, tmp_path):
    code, out, _err = tengen("proof")
    assert code == 0 and sum(row.strip().startswith(("a", "h")) for row in out.splitlines()) > 3
    code, out, _err = tengen("proof", "--html", tmp_path / "proof.html")
    assert code == 0 and (tmp_path / "proof.html").stat().st_size > 100_000


@pytest.fixture
def worker():
    """The engine's side of EngineProcess.proof."""
    return EngineWorker(lambda name: importlib.import_module(f"submission.{name}"))


@pytest.mark.parametrize("seconds", [slice(3, 4), pytest.param(slice(None), marks=pytest.mark.slow)])
def test_each_answer_is_the_uploads(seconds, worker):
    """White's moves are random, or those that delay the loss."""
    for second in second_moves()[seconds]:
        for resists in (False, True):
            cells = game(second[1][0], f"{second} {resists}", resists)
            assert won_by_black(cells)
            for ply in range(len(cells)):
                found = worker.proof(cells[:ply])
                assert found["inside"] and found["cell"] == (None if ply % 2 else cells[ply])


def test_whites_replies_and_the_rest_of_the_win(worker):
    cells = proof_data()["lines"][0]["cells"]
    for ply in range(1, len(cells), 2):
        found, board = worker.proof(cells[:ply]), board_after(cells[:ply])
        assert set(found["replies"]) == {
            cell for cell in range(CELLS) if not board[cell]
            and proof_book().look_up(canonical(stones_on(with_stone(board, cell, WHITE)), IMAGES)[0]) is not None
        }  # fmt: skip
        assert not found["line"] or won_by_black([*cells[:ply], *found["line"]])
        if ply % 12 == 7:  # the threats of five are those that the naive checker sees
            for side, threats in enumerate(found["threats"]):
                assert set(threats.get("fives", [])) == {
                    cell for cell in range(CELLS)
                    if not board[cell] and FiveThreats(with_stone(board, cell, side)).five_of(side)
                }  # fmt: skip
    assert len(found["line"]) == 2 and not worker.proof([*cells[:3], 0, 1])["inside"]


@pytest.mark.slow
def test_a_walk_along_a_line_and_off_it(open_page, tmp_path):
    """White clicks along the mirror image of a line, to Black's five; then on a cell of no line."""
    path = tmp_path / "proof.html"
    path.write_text(proof_page.proof_page(), "utf-8")
    page = open_page(path.as_uri())
    expect(page.locator(".proof-tile")).to_have_count(35)
    cells = [15 * (cell % 15) + cell // 15 for cell in proof_data()["lines"][-1]["cells"]]

    def click(cell):
        column, row = "abcdefghijklmno"[cell % 15], str(cell // 15 + 1)
        page.mouse.click(*page.locator(".viewer .board").evaluate(PLACE, [column, row]))

    for ply in range(1, len(cells), 2):
        assert page.locator(".proof-about .proved").count() == 1
        click(cells[ply])
        expect(page.locator(".viewer [data-cell]")).to_have_count(ply + 2)
    shown = dict(page.evaluate(DRAWN.replace("'[data-cell]'", "'.viewer [data-cell]'")))
    assert shown == {cell: 1 + at % 2 for at, cell in enumerate(cells)}
    assert page.locator(".viewer .won").count() >= 5
    page.locator(".proof-tile").first.click()
    expect(page.locator(".viewer .board [data-cell]")).to_have_count(3)
    click(0)
    expect(page.locator(".proof-about .result:not(.proved)")).to_be_visible()
