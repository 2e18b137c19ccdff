"""board.js in a real browser: drawing, pointer, touch, keys, screen readers, and the cost of a redraw."""

from urllib.parse import urlsplit

import pytest

from local_runner.formats.self_contained import PAGE
from local_runner.game.board_data import board_of, moves_of
from tests.local_runner.server.page.games import SETUPS, played

PLACE = "http://127.0.0.1/"  # no server: Playwright answers with the page's files
EMPTY = """<!DOCTYPE html><html lang="en"><head><title>test</title><link rel="icon" href="data:,">
<meta http-equiv="Content-Security-Policy" content="default-src 'self'; img-src 'self' data:">
<meta name="color-scheme" content="light dark"><meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="/board/board.css"></head><body><main><div id="holder"></div></main></body></html>"""
BEGIN = """async ([game, showLegal]) => {
    const { Board } = await import("/board/board.js"), { stonesAfter } = await import("/board/geometry.js");
    window.board = new Board(document.getElementById("holder"), { onplay: () => {} });
    const plies = game.moves.moves.length, { stones, numbers } = stonesAfter(game.board, game.moves, plies);
    window.numbers = numbers;
    board.draw({ board: game.board, stones, last: game.moves.moves[plies - 1] ?? -1, line: game.moves.line,
        legal: game.moves.legal, toMove: game.moves.to_move, showLegal });
}"""
GHOSTS = """async ([cells, first]) => {
    const { ghostsOf } = await import("/board/geometry.js");
    const { board: data, stones } = board.state, seen = stones.slice();
    for (const { cell, side } of ghostsOf(data, stones, cells, first)) seen[cell] = side;
    return seen;
}"""


def answered(route):
    file = PAGE / urlsplit(route.request.url).path[1:]
    route.fulfill(path=file) if file.is_file() else route.fulfill(body=EMPTY, content_type="text/html")


@pytest.fixture
def begun(open_page, tab):
    """A page with the board of a random game after `plies` plies, and the environment; in a new window if wanted."""

    def begin(name, plies=1000, seed=3, legal=False, **window):
        *_, (env, cells) = played(SETUPS[name], seed, plies)
        page = open_page("about:blank", **window) if window else tab
        page.route(f"{PLACE}**", answered)
        page.goto(PLACE)
        data = {"board": board_of(SETUPS[name]), "moves": moves_of(SETUPS[name], cells)}
        page.evaluate(BEGIN, [data, legal])
        return page, env, cells

    return begin


def place(page, cell):
    """The middle of a cell in the window."""
    return page.evaluate("""(cell) => {
        const at = new DOMPoint(board.geometry.x(cell), board.geometry.y(cell));
        const {x, y} = at.matrixTransform(board.svg.getScreenCTM());
        return [x, y];
    }""", cell)  # fmt: skip


def classes(page, selector):
    return page.evaluate("(wanted) => [...document.querySelectorAll(wanted)].map((one) => one.getAttribute('class'))",
                         selector)  # fmt: skip


@pytest.mark.parametrize("name", ["reversi", "gobang"])
def test_a_line_of_play_turns_the_discs_that_the_referee_turns(name, begun):
    """6 plies of a game with the next 6 plies as ghosts show the same stones as 12 plies."""
    page, _env, _cells = begun(name, 6)
    *_, (later, cells) = played(SETUPS[name], 3, 12)
    seen = page.evaluate(GHOSTS, [moves_of(SETUPS[name], cells)["moves"][6:], 1])
    cols = later.board_width
    assert len(cells) == 12
    assert [seen[row * cols : (row + 1) * cols] for row in range(cols)] == later.stones()


def test_star_points_and_the_winning_line(begun):
    page, _, _ = begun("gobang", 0)
    assert page.locator(".lines circle").count() == 5
    page.evaluate("board.draw({ line: [0, 1, 2, 3, 4] })")
    assert page.locator(".notes .won").count() == 5
    page, _, _ = begun("tictactoe", 0)
    page.evaluate("board.draw({ line: [0, 4, 8] })")
    assert page.locator(".notes .won").count() == 1 and page.locator(".lines circle").count() == 0


def test_numbers_take_the_place_of_the_last_move(begun):
    page, _, cells = begun("gobang", 12)
    page.evaluate("board.draw({ numbers })")
    assert sorted(map(int, page.locator(".numbers text").all_text_contents())) == list(range(1, 13))
    assert page.locator(".numbers .newest").text_content() == str(len(cells)) and page.locator(".last").count() == 0


def test_the_stone_under_the_pointer_is_shown_where_it_may_be_played(begun):
    page, env, _ = begun("reversi", 6, legal=True)
    legal = [row * 8 + col for row, col in env.legal_moves()]
    assert page.locator(".legal .may").count() == len(legal)
    page.mouse.move(*place(page, legal[0]))
    assert classes(page, ".cursor *") == [f"stone {['black', 'white'][env.chess_player - 1]}"]
    for at in (place(page, next(cell for cell in range(64) if cell not in legal)), (2, 2)):
        page.mouse.move(*at)
        assert classes(page, ".cursor *") == []


def test_of_several_threats_at_a_cell_the_strongest_of_each_side_is_drawn(begun):
    page, _, _ = begun("gobang", 0)
    page.evaluate("""board.draw({ marks: [{ cell: 5, kind: "four", side: 1 },
        { cell: 5, kind: "five", side: 1, title: "<b>" }, { cell: 5, kind: "open_three", side: 2 },
        { cell: 9, kind: "open_four", side: 2 }] })""")
    seen = [f"mark threat {kind}" for kind in ("five side-1", "open_four side-2", "open_three side-2")]
    assert sorted(classes(page, ".threat")) == seen
    assert page.locator(".five title").text_content() == "<b>"


def test_a_threat_leaves_the_number_of_a_best_move_free_whichever_came_first(begun):
    page, _, _ = begun("gobang", 0)
    threat, line = '{ cell: 112, kind: "four", side: 1 }', '{ cell: 112, kind: "line", value: 1, text: "100" }'
    page.evaluate(f"board.draw({{ marks: [{threat}] }})")
    page.evaluate(f"board.draw({{ marks: [{threat}, {line}] }})")
    boxes = {name: page.locator(f".board {name}").bounding_box() for name in (".of-line", ".threat")}
    words, figure = boxes[".of-line"], boxes[".threat"]
    assert figure["y"] + figure["height"] < words["y"] + words["height"] / 2
    assert figure["x"] > words["x"] + words["width"] / 2
    marks = page.locator(".board .disc, .board .of-line, .board .threat")
    order = marks.evaluate_all("all => all.map(one => one.tagName)")
    assert order == ["circle", "text", "polygon"]


MARKS = (
    {"kind": "heat", "value": 0.5}, {"kind": "line", "value": 1, "text": "56"}, {"kind": "hint"}, {"kind": "stable"},
    {"kind": "best", "text": "!"}, {"kind": "blunder", "text": "??"}, {"kind": "missed"}, {"kind": "something"},
)  # fmt: skip


def test_every_mark_is_drawn_with_its_explanation(begun):
    page, _, _ = begun("reversi", 6)
    for mark in MARKS:
        page.evaluate("(mark) => board.draw({ marks: [{ ...mark, cell: 3, title: 'why' }] })", mark)
        assert page.locator(f".mark.{mark['kind']} title").first.text_content() == "why"
        texts = page.locator(".layer.marks text").evaluate_all("(all) => all.map((one) => one.firstChild.data)")
        assert texts == ([mark["text"]] if "text" in mark else [])
        page.evaluate("board.draw({ marks: [] })")
        assert page.locator(".mark").count() == 0


def test_only_what_changed_is_drawn(begun):
    page, _, _ = begun("gobang", 100, seed=8)
    changes = page.evaluate("""async () => {
        const seen = [], observer = new MutationObserver((all) => seen.push(...all));
        observer.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
        const tell = () => observer.takeRecords().length, { stones } = board.state, counts = [];
        board.draw({ stones: stones.slice(), marks: [], legal: board.state.legal.slice() });
        counts.push(tell());
        const more = stones.slice();
        more[more.indexOf(0)] = 1;
        board.draw({ stones: more });
        counts.push(tell());
        board.draw({ marks: [{ cell: 3, kind: "heat", value: 0.5 }, { cell: 4, kind: "heat", value: 0.2 }] });
        counts.push(tell());
        board.draw({ marks: [{ cell: 3, kind: "heat", value: 0.6 }, { cell: 4, kind: "heat", value: 0.2 }] });
        counts.push(tell());
        return counts;
    }""")
    assert changes == [0, 3, 2, 2]  # a stone, its shadow and the label; two marks; one mark in place of another


def test_nothing_moves_for_long_or_for_those_who_do_not_want_it(begun):
    page, _, _ = begun("reversi", 4, dark=True)  # a window of tests asks for reduced motion
    style = "getComputedStyle(document.querySelector('.stones .stone'))"
    assert page.evaluate(f"{style}.animationName") == "none"
    page.emulate_media(reduced_motion="no-preference")
    assert page.evaluate(f"{style}.animationName") == "board-put"
    assert page.evaluate(f"parseFloat({style}.animationDuration)") <= 0.15
