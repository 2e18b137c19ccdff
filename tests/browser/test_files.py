"""Files that are chosen or dropped (logs, broken files, moves, tournaments, submissions), and saved files."""

from __future__ import annotations

import base64
import json
import re
import time
from pathlib import Path

import psutil
import pytest
from playwright.sync_api import FilePayload, expect

from local_runner.formats.reading import read
from local_runner.game.session import GameSession
from local_runner.game.setup import GameSetup
from local_runner.matches.standings import remove_live, write_live
from local_runner.processes import sandbox
from local_runner.terminal.progress import Playing
from tests.browser.app import App, stones_of
from tests.browser.fixtures import DESK, PHONE, OpenPage
from tests.local_runner.formats.making import played, site_log, with_a_pass
from tests.local_runner.processes.naughty import AGENTS
from tests.serving import Serving

DROP = """([name, content]) => {
  const data = new DataTransfer();
  data.items.add(new File([Uint8Array.from(atob(content), (one) => one.charCodeAt(0))], name));
  for (const type of ["dragenter", "dragover", "drop"]) {
    document.body.dispatchEvent(new DragEvent(type, {dataTransfer: data, bubbles: true, cancelable: true}));
  }
}"""
GOOD = (AGENTS / "first_free.py").read_text("utf-8")
RAISER = (AGENTS / "raiser.py").read_text("utf-8")
confined = pytest.mark.skipif(not sandbox.best().confined, reason="hostile agents never run without a sandbox")


def log_with_a_pass() -> tuple[bytes, list[int | None]]:
    """A site's log of Reversi, and its moves as cell numbers, None for a pass."""
    session = with_a_pass()
    cells = [None if cell is None else cell[0] * 8 + cell[1] for cell in session.cells]
    return json.dumps(site_log(session)).encode(), cells


@pytest.mark.slow
def test_a_dropped_log_of_the_site_with_a_pass_is_played_through(app: App) -> None:
    content, cells = log_with_a_pass()
    name = "202601010000_reversi_8x8_1v1.json"
    app.page.evaluate(DROP, [name, base64.b64encode(content).decode()])
    app.expect_view("replay")
    app.until(lambda: len(app.stones()) == 64)
    app.page.click("#go-first")
    session = GameSession(GameSetup("reversi_8x8_1v1"))
    app.expect_stones(stones_of(session))
    for ply, cell in enumerate(cells, 1):
        session.play(None if cell is None else divmod(cell, 8))
        app.page.keyboard.press("ArrowRight")
        if None in cells[ply - 2 : ply + 1] or ply == len(cells):
            app.expect_stones(stones_of(session))


def test_a_file_that_cannot_be_read_is_refused_with_a_sentence(app: App) -> None:
    app.go("replay")
    app.choose_file("notes.txt", b"This is a letter to my grandmother.")
    expect(app.page.locator("#toasts")).to_contain_text("notes.txt")
    app.until(lambda: app.page.locator("#file").count() == 1)
    told = app.page.evaluate("""async () => {
      const {post} = await import(document.querySelector("[type=module]").src);
      const told = (name, file) => post("/open", name, file).catch((error) => error.message);
      return [await told("pool.jsonl", {arrayBuffer: () => Promise.reject(new Error())}),
        await told("submission.py", {size: 101_000_000})];
    }""")
    assert told == ["pool.jsonl has changed since it was chosen, or cannot be read. Choose it again.",
                    "submission.py has more than 100 MB; choose a smaller file."]  # fmt: skip


def test_the_reading_of_a_file_shows_its_progress_and_ends_when_it_is_stopped(app: App, serving: Serving) -> None:
    server, games = psutil.Process(serving.pid), b'{"moves": "h8 i9 h9 h10 i8 g8 j8 k8 f6 f7 g5 e4"}\n' * 40_000
    app.go("replay")
    app.choose_file("games.jsonl", games)
    app.expect_text("#main h1", "Reading games.jsonl")
    expect(app.page.locator("#read")).to_contain_text(re.compile(r"· [1-9]\d? %"))
    app.page.click("#stop-reading")
    expect(app.page.locator("#file")).to_have_count(1)

    def busy() -> float:
        before = server.cpu_times().user
        time.sleep(0.5)
        return server.cpu_times().user - before

    assert min(busy() for _ in range(10)) < 0.1  # the whole file takes a minute


@pytest.mark.slow
def test_the_page_is_left_before_its_answers_come(app: App) -> None:
    app.page.evaluate("""() => {
      for (const view of ["play", "watch", "play", "check", "play", "analyse", "replay"]) location.hash = view;
    }""")
    for view in ["play", "replay"] * 8:
        app.go(view)


@pytest.mark.slow
def test_a_thousand_games_are_listed_and_filtered(app: App, tmp_path: Path) -> None:
    path = tmp_path / "many.json"
    logs = [json.dumps(site_log(played(GameSetup("gobang_1v1"), seed=seed))) for seed in range(10)]
    path.write_text("".join(logs * 100), "utf-8")
    app.go("replay")
    app.page.set_input_files("#file", path)
    rows = app.page.locator("#games tbody tr")
    expect(rows).to_have_count(1000)
    rows.nth(998).locator("a").click()
    expect(app.page.locator("#viewer .board")).to_be_visible()
    box = app.board.bounding_box()
    assert box is not None and box["y"] + box["height"] <= DESK[1]  # below the buttons there is room for all of it
    app.page.click("#game-next")
    expect(app.page.locator("#game-next")).to_be_disabled()
    app.page.click("#to-list")
    expect(rows).to_have_count(1000)
    app.page.fill("#filter", "black won")
    expect(rows).not_to_have_count(1000)
    assert all("Black won" in row for row in rows.all_inner_texts())


@pytest.mark.slow
def test_pasted_moves_are_replayed_and_played_on(app: App) -> None:
    app.paste("replay", "h8h9h8")
    app.until(lambda: len(app.stones()) == 2)
    expect(app.page.locator(".toast")).to_contain_text("3, h8, cannot be played")
    app.paste("replay", "h8h9i9")
    app.until(lambda: len(app.stones()) == 3)
    app.page.click("#act-continue")
    app.expect_view("play")
    app.page.select_option("#seat-black", "human")
    app.page.select_option("#seat-white", "human")
    app.until(lambda: len(app.stones()) == 3)
    app.begin()
    app.click("a1")
    app.until(lambda: len(app.stones()) == 4)


@pytest.mark.parametrize("size", [PHONE, pytest.param(DESK, marks=pytest.mark.slow)], ids=["phone", "desk"])
def test_a_game_is_saved_by_a_menu_that_lies_within_the_window(
    size: tuple[int, int], open_page: OpenPage, serving: Serving,
) -> None:  # fmt: skip
    app = App(open_page(serving.address, size=size))
    moves = [4, 0, 2, 6, 3, 5, 8]
    app.start({"env": "tictactoe_1v1", "moves": moves})
    app.expect_moves(len(moves))
    app.page.click("#act-export > button")
    box = app.page.locator("#act-export .menu-list").bounding_box()
    assert box is not None
    assert box["x"] >= 0 and box["y"] >= 0
    assert box["x"] + box["width"] <= size[0] and box["y"] + box["height"] <= size[1]
    formats = app.page.locator("#act-export li button")
    assert formats.evaluate_all("(all) => all.slice(0, 2).map((one) => one.dataset.format)") == ["sgf", "png"]
    with app.page.expect_download() as download:
        app.page.click("#act-export [data-format=sgf]")
    content = download.value.path().read_bytes()
    assert list(read("game.sgf", content).game(0).cells) == [divmod(cell, 3) for cell in moves]


# ---- files of tournaments


@pytest.mark.slow
def test_the_standings_of_a_file_that_is_chosen_and_the_games_of_its_list(app: App, test_file: Path) -> None:
    app.go("watch")
    app.page.set_input_files("#file", test_file)
    standings = app.page.locator("#standings tbody tr")
    expect(standings).to_have_count(2)
    app.page.locator("#games tbody tr a").last.click()
    app.page.click("#game-next")
    app.page.wait_for_url("**/1")
    app.page.click("#game-back")
    app.page.click("#to-standings")
    expect(standings).to_have_count(2)
    app.go("replay")
    app.page.set_input_files("#file", test_file)
    app.page.click("#to-standings")
    expect(standings).to_have_count(2)
    expect(app.page.locator("#llr")).to_be_visible()


@pytest.mark.slow
def test_a_running_tournament(app: App, test_file: Path) -> None:
    app.go("watch")
    app.page.locator("#files a").first.click()
    expect(app.page.locator("#faults")).to_be_visible()
    cut = "(box) => box.scrollWidth > box.clientWidth"
    for size in (DESK, (1280, 720), PHONE):
        app.page.set_viewport_size({"width": size[0], "height": size[1]})
        for table in ("#games", "#standings"):  # all columns are visible without scrolling
            assert not app.page.locator(f".table-box:has({table})").evaluate(cut)
    app.page.set_viewport_size({"width": DESK[0], "height": DESK[1]})
    expect(app.page.locator(".table-box:has(#games) h2")).to_have_text("Games")
    stones = app.page.locator("#live-boards .stones [data-cell]")
    for count in (1, 2):
        write_live(test_file, {7: Playing("greedy", "random", 0.0, [(1, 1), (0, 0)][:count])})
        expect(stones).to_have_count(count)
    app.page.click("#act-bar")
    expect(app.page.locator("#live-7 > .chance")).to_have_attribute("aria-label", re.compile("win: [A-Z][a-z]+ [0-9]"))
    app.page.click("#act-bar")
    remove_live(test_file)
    expect(stones).to_have_count(0)


# ---- submissions


def upload(text: str) -> FilePayload:
    return {"name": "submission.py", "mimeType": "text/x-python", "buffer": text.encode()}


@confined
def test_a_check_goes_on_while_another_part_is_open_and_is_ended_by_a_reload_or_a_button(app: App) -> None:
    app.go("check")
    app.page.set_input_files("#file", upload(GOOD + "\nwhile True: pass\n"))
    expect(app.page.locator("#stop-check")).to_be_visible()
    app.go("play")
    app.go("check")
    app.expect_text("#check-state", "reading submission.py")
    app.page.reload()
    app.expect_text("#check-state", "The check of submission.py ended when the page was loaded again.")
    expect(app.page.locator("#stop-check")).to_be_hidden()
    app.page.click("#again")
    expect(app.page.locator("#check-state")).not_to_contain_text("ended when")
    app.page.click("#stop-check")
    app.expect_text("#check-state", "Stopped.")
    expect(app.page.locator("#stop-check")).to_be_hidden()
    expect(app.page.locator("#again")).to_be_visible()


@confined
@pytest.mark.slow
def test_a_good_upload_is_ready_and_a_faulty_one_is_told_what_to_mend(app: App) -> None:
    app.go("check")
    app.page.set_input_files("#file", upload(GOOD))
    verdict = app.page.locator("#verdict")
    expect(verdict).to_be_visible(timeout=90_000)
    app.page.click("#play-it")
    app.expect_view("play")
    for seat in ("white", "black"):
        app.until(lambda seat=seat: app.page.locator(f"#seat-{seat}").input_value().startswith("upload-"))
        app.page.set_input_files("#seat-black-upload", upload(RAISER))
    app.go("check")
    app.page.set_input_files("#file", upload(RAISER))
    expect(app.page.locator("#findings")).to_contain_text("ValueError", timeout=90_000)
    expect(verdict).to_have_attribute("data-ready", "false")
    expect(app.page.locator("#findings [data-severity=failed]")).to_have_count(1)  # all games fail for the same cause
    app.expect_text("#check-name", "submission.py")
    app.expect_text("#next", "choose it again")
