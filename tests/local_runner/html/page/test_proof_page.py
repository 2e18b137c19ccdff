"""The proof on the page: its answers are the upload's, and every line ends in Black's five by the naive referee."""

import functools
import random

import pytest
from playwright.sync_api import expect

from local_runner.errors import RunnerError
from local_runner.formats import proof_page
from local_runner.formats.proof_page import GAME, proof_data, proof_lines
from local_runner.game.coordinates import name
from local_runner.game.session import GameSession
from submission.k_in_a_row.book import canonical, images, stones_on
from submission.k_in_a_row.proved import CELLS, ProvedWin, proof_book, with_stone
from submission.lines import BLACK, WHITE
from tests.browser.fixtures import PHONE
from tests.browser.sights import grave_findings, too_wide
from tests.local_runner.html.page.games import DRAWN
from tests.local_runner.html.report.html import Page
from workshop.gobang.five import Five
from workshop.proof.paths import White
from workshop.proof.positions import IMAGES, MIDDLE, second_moves

# The answers of page/proof/proof_book.js at all of Black's turns, and what Black has against White's first reply.
ANSWERS = """async ([data, games]) => {
  const {Proof, fiveOf} = await import("/proof/proof_book.js"), proof = new Proof(data);
  return games.map((game) => ({line: fiveOf(game), inside: game.every((_, at) => proof.inside(game.slice(0, at))),
    cells: game.map((cell, at) => (at % 2 ? cell : proof.answer(game.slice(0, at))?.cell))}));
}"""
REPLIES = """async ([data, moves]) => {
  const {Proof} = await import("/proof/proof_book.js");
  return new Proof(data).replies(moves);
}"""


def board_after(cells):
    board = bytes(CELLS)
    for ply, cell in enumerate(cells):
        board = with_stone(board, cell, ply % 2)
    return board


def game(second, seed, resists):
    """A game of the upload's Black against a White that plays at random, or resists; as cells."""
    rng, five, black = random.Random(seed), Five(), ProvedWin()
    white = White(proof_book(), resists, rng)
    cells = [MIDDLE, rng.choice(IMAGES)[second]]
    while not five.threats(board_after(cells)).five_of(BLACK):
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
    assert {canonical(((MIDDLE,), (cells[1],)), IMAGES)[0] for _entries, cells in lines} == set(second_moves())
    assert [entries for entries, _cells in lines] == sorted((entries for entries, _cells in lines), reverse=True)


@pytest.mark.parametrize("numbers", [slice(1, 2), pytest.param(slice(None), marks=pytest.mark.slow)])
def test_a_line_ends_in_blacks_five(numbers):
    for line, (_entries, cells) in list(zip(proof_lines(), proof_data()["lines"], strict=True))[numbers]:
        assert cells[0] == MIDDLE and line.second == name(divmod(cells[1], 15)) and won_by_black(cells)
        prepared = [proof_book().look_up(canonical(stones_on(board_after(cells[:ply])), images(15))[0]) is not None
                    for ply in range(2, len(cells), 2)]  # fmt: skip
        assert prepared == sorted(prepared, reverse=True) and prepared[0]  # first the book, then threats alone


def test_the_page_is_one_light_file_that_loads_nothing():
    text = proof_page.proof_page()
    parsed = Page(text)
    assert len(text.encode()) < 400_000 and len(parsed.scripts) == 2
    assert not parsed.attributes("src") and not parsed.attributes("href")


def test_the_command(tengen, tmp_path):
    code, out, _err = tengen("proof")
    assert code == 0 and sum(row.strip().startswith(("a", "h")) for row in out.splitlines()) > 3
    code, out, _err = tengen("proof", "--html", tmp_path / "proof.html")
    assert code == 0 and (tmp_path / "proof.html").stat().st_size > 100_000
    code, _out, err = tengen("proof", "--html", tmp_path)
    assert code == 2 and "folder" in err


def test_an_upload_without_the_proof_is_told(monkeypatch, tmp_path):
    monkeypatch.setattr(proof_page, "BOOK", tmp_path / "none.bin")
    with pytest.raises(RunnerError, match=r"the proof is not there: .*none\.bin"):
        functools.lru_cache(maxsize=1)(proof_data.__wrapped__)()


@pytest.fixture
def modules(tab, address):
    tab.goto(address)
    return tab


@pytest.mark.slow
def test_each_answer_is_the_uploads(modules):
    """Against a random White and a White that resists, after each second move; and in the lines of the gallery."""
    data = proof_data()
    games = [
        game(second[1][0], f"{number} {resists}", resists)
        for number, second in enumerate(second_moves())
        for resists in (False, True)
    ]
    games += [cells for _entries, cells in data["lines"]]
    for cells, found in zip(games, modules.evaluate(ANSWERS, [data, games]), strict=True):
        assert found["cells"] == cells and found["inside"] and len(found["line"]) >= 5
        assert won_by_black(cells)


@pytest.mark.slow
@pytest.mark.parametrize("plies", [3, 5, 7])
def test_the_replies_are_counted(plies, modules):
    cells = proof_data()["lines"][0][1][:plies]
    found = modules.evaluate(REPLIES, [proof_data(), cells])
    board, five = board_after(cells), Five()
    free = [cell for cell in range(CELLS) if not board[cell]]
    assert sorted(cell for replies in found.values() for cell in replies) == free
    for kind, replies in found.items():
        for cell in replies:
            after = with_stone(board, cell, WHITE)
            seen, prepared = (
                five.threats(after),
                proof_book().look_up(canonical(stones_on(after), IMAGES)[0]) is not None,
            )
            double = any(len(ends) > 1 for ends in seen.fours(BLACK).values()) and not seen.fives(WHITE)
            assert (kind == "five", kind == "prepared") == (bool(seen.fives(BLACK)), prepared)
            assert kind != "four" or double


@pytest.mark.slow
@pytest.mark.parametrize(("language", "size"), [("en", None), ("zh", PHONE)])
def test_a_walk_by_clicks(language, size, open_page, tmp_path):
    """White clicks anywhere; the board shows the upload's answers until Black has five."""
    path = tmp_path / "proof.html"
    path.write_text(proof_page.proof_page(language=language), "utf-8")
    page = open_page(path.as_uri(), **({"size": size} if size else {}))
    expect(page.locator(".proof-tile")).to_have_count(35)
    assert too_wide(page) <= 0 and grave_findings(page) == []
    cells = game(second_moves()[-1][1][0], f"clicks {language}", resists=True)
    for ply in range(1, len(cells), 2):
        assert page.locator(".proof-about .proved").count() == 1
        middle = page.locator(".viewer .board").evaluate(
            "(board, cell) => { const lines = [...board.querySelectorAll('.coordinates text')].map((text) => "
            "text.getBoundingClientRect()); const [x, y] = [lines[cell % 15], lines[15 + Math.floor(cell / 15)]]; "
            "return [x.x + x.width / 2, y.y + y.height / 2]; }", cells[ply])  # fmt: skip
        page.mouse.click(*middle)
        expect(page.locator(".viewer [data-cell]")).to_have_count(ply + 2)
        shown = dict(map(tuple, page.evaluate(DRAWN.replace("'[data-cell]'", "'.viewer [data-cell]'"))))
        expected = {cell: 1 + at % 2 for at, cell in enumerate(cells[: ply + 2])}
        assert {cell: shown[cell] for cell in expected} == expected
    assert page.locator(".viewer .won").count() >= 5
    page.locator(".proof-tile").first.click()
    expect(page.locator(".viewer .board [data-cell]")).to_have_count(3)
