"""The page as a user has it: chooses a game, clicks on cells by their names, reads what the board shows.

Cells are named as on the board, such as h8. Their places are read from the letters and numbers at its edge. Each
action waits for the elements it uses, so a slow machine only takes longer.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, Page, expect

from local_runner.game.coordinates import cell as cell_of
from local_runner.game.session import GameSession
from local_runner.game.setup import GameSetup
from tests.browser.fixtures import PATIENCE

BOARD = "#main .board"
STONES = "(board) => Object.fromEntries([...board.querySelectorAll('.stones [data-cell]')].map((one) => " \
         "[+one.dataset.cell, +one.dataset.stone]))"  # fmt: skip
PLACE = """(board, [column, row]) => {
  const box = (text) => [...board.querySelectorAll(".coordinates text")].find((one) => one.textContent === text)
    .getBoundingClientRect();
  const [above, beside] = [box(column), box(row)];
  return [above.x + above.width / 2, beside.y + beside.height / 2];
}"""
MOVES = """() => [[...document.querySelectorAll("#moves [data-ply]")].map((one) => one.lastChild.textContent),
  Math.max(...[...document.querySelectorAll("#main .board .coordinates text")].map((one) => +one.textContent || 0))]"""
LEAVE = "(view) => { if (location.hash !== '#' + view) document.documentElement.dataset.ready = 'leaving'; }"
NEW_GAME = """async (message) => {
  const {connection} = await import(document.querySelector("[type=module]").src);
  const {room} = await connection.ask(message);
  document.documentElement.dataset.ready = "leaving";
  location.hash = `#room/${room}`;
}"""
LOSE = """async () => {
  const {connection} = await import(document.querySelector("[type=module]").src);
  const open = WebSocket;
  globalThis.WebSocket = class extends EventTarget { constructor() { super(); globalThis.again = () => {
    globalThis.WebSocket = open;
    this.dispatchEvent(new Event("close"));
  }; } };
  const lost = new Promise((resolve) => connection.on("lost", resolve));
  connection.tell({type: "nothing", text: "x".repeat(2_000_000)});
  await lost;
  while (!globalThis.again) await new Promise((resolve) => setTimeout(resolve, 20));
}"""
# Black has an open four (h8 to h11) and plays o15, move 9, instead of h12. White, with a1 to d1, makes five.
BLUNDER = "h8a1h9b1h10c1h11d1o15e1"
Seat = dict[str, Any]
HUMAN = "human"
HUMAN_SEAT: Seat = {"kind": "human"}


def stones_of(session: GameSession) -> dict[int, int]:
    """The stones of a session: cell number -> side, as the page counts cells."""
    flat = [stone for row in session.env.stones() for stone in row]
    return {cell: stone for cell, stone in enumerate(flat) if stone}


expect.set_options(timeout=PATIENCE)


class App:
    """The page in one window."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.expect_view(".+")

    def expect_view(self, view: str) -> None:
        """Wait until a view is there, with the game on its board if it has one."""
        expect(self.page.locator("html")).to_have_attribute("data-ready", re.compile(view))
        expect(self.page.locator("#main .stage > .board:not([aria-label])")).to_have_count(0)

    @property
    def board(self) -> Locator:
        return self.page.locator(BOARD).first

    def go(self, view: str) -> None:
        """Go to a view by its link, and wait for it; a view that was open under this link before does not count."""
        self.page.evaluate(LEAVE, view)
        self.page.click(f"#nav a[data-view={view}]")
        self.expect_view(f"^{view}$")

    # ---- a new game

    def choose(self, env: str, black: str = HUMAN, white: str = "agent-random") -> None:
        """Fill in the form of a new game, and open its options."""
        self.go("play")
        self.page.check(f"#game-{env}")
        rows = GameSetup(env).make().board_height
        self.until(lambda: self.board.locator(".coordinates text").count() == 2 * rows)
        self.page.select_option("#seat-black", black)
        self.page.select_option("#seat-white", white)
        if self.page.locator("#more").get_attribute("open") is None:
            self.page.click("#more > summary")

    def choose_file(self, name: str, content: bytes) -> None:
        """Choose a file in the open view."""
        self.page.set_input_files("#file", {"name": name, "mimeType": "application/octet-stream", "buffer": content})

    def paste(self, part: str, moves: str) -> None:
        """Hand a string of moves of gobang to Analyse or Replay."""
        self.go(part)
        self.page.select_option("#paste-game", "gobang_1v1")
        self.page.fill("#paste", moves)
        self.page.click("#paste-go")

    def analyse(self, moves: str) -> None:
        """Open the analysis board of a string of moves of gobang."""
        self.paste("analyse", moves)
        expect(self.page.locator(f"{BOARD}[aria-label]")).to_be_attached()

    def begin(self) -> str:
        """Begin the game; the room's name."""
        expect(self.page.locator("#begin")).to_be_enabled()
        self.page.click("#begin")
        self.expect_view("room")
        return self.room

    @property
    def room(self) -> str:
        return self.page.url.partition("#room/")[2]

    def start(self, position: dict[str, Any], black: Seat = HUMAN_SEAT, white: Seat = HUMAN_SEAT, **more: Any) -> str:
        """Begin a game without the form, and go to it; the room's name."""
        message = {"type": "new_game", "position": position, "seats": [black, white], **more}
        self.page.evaluate(NEW_GAME, message)
        self.expect_view("room")
        return self.room

    # ---- the game

    def moves(self) -> list[int]:
        """The moves that the page lists, as cell numbers, -1 for a pass."""
        names, cols = self.page.evaluate(MOVES)
        cells = [cell_of(name) for name in names]
        return [-1 if cell is None else cell[0] * cols + cell[1] for cell in cells]

    def my_turn(self, plies: int) -> bool:
        """Wait until `plies` plies are played and a human is to move, or until the game ends. Returns whether it has
        not ended.
        """
        self.until(lambda: len(self.moves()) >= plies and (self.is_over() or self.may_move()))
        return not self.is_over()

    def may_move(self) -> bool:
        return self.page.locator(f"{BOARD}.playable, #pass:visible").count() > 0

    def is_over(self) -> bool:
        return self.page.locator("#result").is_visible()

    @property
    def winner(self) -> int:
        """1 Black, 2 White, 3 a draw."""
        return int(self.page.locator("#result").get_attribute("data-winner") or 0)

    def lose_connection(self) -> None:
        """Let the server close the connection; the page's next try waits for `connect_again`."""
        self.page.evaluate(LOSE)

    def connect_again(self) -> None:
        self.page.evaluate("again()")
        expect(self.page.locator("#offline")).to_be_hidden()

    # ---- the board

    def stones(self) -> dict[int, int]:
        """The stones that the board shows, by cell number: 1 Black, 2 White."""
        stones = self.board.evaluate(STONES)
        return {int(cell): side for cell, side in stones.items()}

    def place(self, name: str) -> tuple[float, float]:
        """The middle of a cell in the window."""
        cell = cell_of(name)
        assert cell is not None
        self.board.scroll_into_view_if_needed()
        x, y = self.board.evaluate(PLACE, [name[0], name[1:]])
        return x, y

    def click(self, *names: str) -> None:
        """Click on cells one after another. Each click waits for the stone of the click before."""
        for name in names:
            before = self.board.locator(".stones [data-cell]").count()
            self.page.mouse.click(*self.place(name))
            if name != names[-1]:
                self.until(lambda before=before: self.board.locator(".stones [data-cell]").count() > before)  # type: ignore[misc]

    def expect_moves(self, count: int) -> None:
        expect(self.page.locator("#moves [data-ply]")).to_have_count(count)

    def tap(self, name: str) -> None:
        self.page.touchscreen.tap(*self.place(name))

    def until(self, true: Callable[[], bool]) -> None:
        """Wait until something is true."""
        deadline = time.monotonic() + PATIENCE / 1000
        while not true():
            assert time.monotonic() < deadline, f"{self.stones()}, {self.page.locator('#main').inner_text()[:500]}"
            self.page.wait_for_timeout(40)

    def expect_stones(self, expected: dict[int, int]) -> None:
        self.until(lambda: self.stones() == expected)

    def expect_text(self, selector: str, text: str) -> None:
        expect(self.page.locator(selector)).to_contain_text(text)
