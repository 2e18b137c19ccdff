"""Files that are chosen or dropped: logs of the site, broken ones, long lists, moves as text; and what is saved."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest
from playwright.sync_api import expect

from local_runner.formats.reading import read
from local_runner.game.session import GameSession
from local_runner.game.setup import GameSetup
from tests.browser import samples
from tests.browser.app import HUMAN_SEAT, App, stones_of
from tests.browser.fixtures import DESK, PHONE, OpenPage
from workshop.page.serving import Serving

DROP = """([name, content]) => {
  const data = new DataTransfer();
  data.items.add(new File([Uint8Array.from(atob(content), (one) => one.charCodeAt(0))], name));
  for (const type of ["dragenter", "dragover", "drop"]) {
    document.body.dispatchEvent(new DragEvent(type, {dataTransfer: data, bubbles: true, cancelable: true}));
  }
}"""


@pytest.fixture
def app(open_page: OpenPage, serving: Serving) -> App:
    return App(open_page(serving.address))


def chosen(app: App, name: str, content: bytes) -> None:
    """Choose a file in the part Replay."""
    app.go("replay")
    app.page.set_input_files("#file", {"name": name, "mimeType": "application/octet-stream", "buffer": content})


def test_a_log_of_the_site_with_a_pass_is_played_through(app: App) -> None:
    content, cells = samples.log_with_a_pass()
    chosen(app, "202601010000_reversi_8x8_1v1.json", content)
    app.until(lambda: len(app.stones()) == 64)
    app.page.click("#viewer [data-do=first]")
    session = GameSession(GameSetup("reversi_8x8_1v1"))
    app.expect_stones(stones_of(session))
    for ply, cell in enumerate(cells, 1):
        session.play(None if cell is None else divmod(cell, 8))
        app.page.keyboard.press("ArrowRight")
        if ply % 8 == 0 or None in cells[ply - 2 : ply + 1] or ply == len(cells):
            app.expect_stones(stones_of(session))


def test_of_a_broken_log_is_shown_what_can_be_read_and_what_is_wrong(app: App) -> None:
    content, plies = samples.broken_log()
    chosen(app, "broken.json", content)
    expect(app.page.locator("#damage")).to_contain_text("JSON breaks off")
    app.until(lambda: len(app.stones()) == plies)


@pytest.mark.slow
def test_the_whole_board_is_seen_whatever_buttons_are_above_it(app: App) -> None:
    content, _ = samples.log_with_a_pass()
    chosen(app, "two.json", content * 2)
    app.page.locator("#games tbody tr a").first.click()
    app.until(lambda: len(app.stones()) == 64)
    box = app.board.bounding_box()
    assert box is not None and box["y"] + box["height"] <= DESK[1]


def test_a_file_that_is_no_game_is_refused_with_a_sentence(app: App) -> None:
    chosen(app, "notes.txt", b"This is a letter to my grandmother.")
    expect(app.page.locator("#toasts")).to_contain_text("notes.txt")
    app.until(lambda: app.page.locator("#file").count() == 1)


def test_a_file_that_changes_while_it_is_read_is_refused_with_a_sentence(app: App) -> None:
    said = app.page.evaluate("""async () => {
      const {post} = await import("/page/connection.js");
      return post("/open", "pool.db", {arrayBuffer: () => Promise.reject(new Error())}).catch((error) => error.message);
    }""")
    assert said == "pool.db has changed since it was chosen, or cannot be read. Choose it again."


@pytest.mark.slow
def test_the_page_is_left_before_its_answers_come(app: App) -> None:
    app.page.evaluate("""() => {
      for (const view of ["play", "watch", "play", "check", "play", "analyse", "replay"]) location.hash = view;
    }""")
    for view in ["play", "replay"] * 8:
        app.go(view)


def test_a_file_is_dropped_anywhere(app: App) -> None:
    content, _ = samples.log_with_a_pass()
    app.page.evaluate(DROP, ["dropped.json", base64.b64encode(content).decode()])
    app.expect_view("replay")
    expect(app.page.locator("#viewer .board")).to_be_visible()


@pytest.mark.slow
def test_a_thousand_games_are_listed_and_filtered(app: App, tmp_path: Path) -> None:
    path = tmp_path / "many.json"
    path.write_bytes(samples.thousand_games())
    app.go("replay")
    app.page.set_input_files("#file", path)
    expect(app.page.locator("#games tbody tr")).to_have_count(1000)
    app.page.locator("#games tbody tr").nth(998).locator("a").click()
    expect(app.page.locator("#viewer .board")).to_be_visible()
    app.page.click("#game-next")
    expect(app.page.locator("#game-next")).to_be_disabled()
    app.page.click("#to-list")
    expect(app.page.locator("#games tbody tr")).to_have_count(1000)
    app.page.fill("#filter", "black won")
    expect(app.page.locator("#games tbody tr")).not_to_have_count(1000)
    assert all("Black won" in row for row in app.page.locator("#games tbody tr").all_inner_texts())


def paste(app: App, moves: str) -> None:
    """Replay a string of moves of gobang."""
    app.go("replay")
    app.page.select_option("#paste-game", "gobang_1v1")
    app.page.fill("#paste", moves)
    app.page.click("#paste-go")


def test_pasted_moves_are_replayed_and_played_on(app: App) -> None:
    paste(app, "h8h9i9")
    app.until(lambda: len(app.stones()) == 3)
    app.page.click("#act-continue")
    app.expect_view("play")
    app.page.select_option("#seat-black", "human")
    app.page.select_option("#seat-white", "human")
    app.until(lambda: len(app.stones()) == 3)
    app.begin()
    app.click("a1")
    app.until(lambda: len(app.stones()) == 4)


@pytest.mark.slow
def test_of_pasted_moves_is_shown_what_can_be_played(app: App) -> None:
    paste(app, "h8h9h8i9")
    app.until(lambda: len(app.stones()) == 2)
    expect(app.page.locator("#damage")).to_contain_text("move 3, h8, cannot be played")


@pytest.mark.slow
@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_a_replayed_game_is_saved_by_a_menu_that_lies_within_the_window(
    size: tuple[int, int], open_page: OpenPage, serving: Serving,
) -> None:  # fmt: skip
    app = App(open_page(serving.address, size=size))
    paste(app, "h8h9i9")
    app.until(lambda: len(app.stones()) == 3)
    app.page.click("#act-export > summary")
    box = app.page.locator("#act-export .menu-list").bounding_box()
    assert box is not None
    assert box["x"] >= 0 and box["y"] >= 0
    assert box["x"] + box["width"] <= size[0] and box["y"] + box["height"] <= size[1]
    with app.page.expect_download() as download:
        app.page.click("#act-export [data-format=sgf]")
    assert list(read("game.sgf", download.value.path().read_bytes()).game(0).cells) == [(7, 7), (8, 7), (8, 8)]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["svg", "png"])
def test_a_picture_is_of_the_board_as_it_is_shown(kind: str, app: App, tmp_path: Path) -> None:
    """In Replay after two plies of three; the stones of an SVG are counted, a PNG differs from that of the end."""
    chosen(app, "moves.txt", b"h8h9i9")
    found = []
    for key in ("End", "ArrowLeft"):
        app.page.keyboard.press(key)
        app.page.click("#act-export > summary")
        with app.page.expect_download() as download:
            app.page.click(f"#act-export [data-format={kind}]")
        found.append(download.value.path().read_bytes())
    if kind == "svg":
        assert [content.count(b"data-stone=") for content in found] == [3, 2]
    else:
        assert all(content.startswith(b"\x89PNG") for content in found) and found[0] != found[1]


@pytest.mark.parametrize("kind", ["sgf", *(pytest.param(kind, marks=pytest.mark.slow)
                                           for kind in ("txt", "png", "gif", "html"))])  # fmt: skip
def test_a_game_is_saved(kind: str, app: App, tmp_path: Path) -> None:
    moves = [4, 0, 2, 6, 3, 5, 8]
    app.start({"env": "tictactoe_1v1", "moves": moves}, HUMAN_SEAT, HUMAN_SEAT)
    app.until(lambda: len(app.moves()) == len(moves))
    app.page.click("#act-export > summary")
    with app.page.expect_download() as download:
        app.page.click(f"#act-export [data-format={kind}]")
    path = tmp_path / f"saved.{kind}"
    download.value.save_as(path)
    content = path.read_bytes()
    heads = {"svg": b"<svg", "png": b"\x89PNG", "gif": b"GIF8", "html": b"<!doctype html>"}
    if kind in heads:
        assert content.lstrip().lower().startswith(heads[kind].lower()) or b"<svg" in content[:200]
    else:
        setup = GameSetup("tictactoe_1v1") if kind == "txt" else None
        assert list(read(path.name, content, setup).game(0).cells) == [divmod(cell, 3) for cell in moves]
