"""Uploaded submissions in the page: good, faulty and hostile ones are checked and played, only in a sandbox."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from local_runner.processes import sandbox
from local_runner.processes.sandbox import Kind
from tests.browser.app import App
from tests.browser.fixtures import OpenPage
from tests.local_runner.processes.naughty import AGENTS
from workshop.page.serving import Serving

pytestmark = pytest.mark.skipif(sandbox.best() is Kind.NONE, reason="hostile agents never run without a sandbox")
GOOD = (AGENTS / "first_free.py").read_text("utf-8")
ANSWER = GOOD.replace("def my_controller", "def answer")
RAISER = (AGENTS / "raiser.py").read_text("utf-8")
IMPORT = "from .first_free import my_controller as answer"  # an upload is one file
SCRIBBLER = (AGENTS / "scribbler.py").read_text("utf-8").replace(IMPORT, ANSWER)
# Writes beside the games of the server and asks the server itself; plays on if it may do neither.
SNOOPER = (
    ANSWER
    + """

def my_controller(observation, action_space, is_act_continuous=False):
    import socket
    done = []
    try:
        open({path!r}, "w").write("here I was")
        done.append("wrote")
    except OSError:
        pass
    try:
        socket.create_connection(("127.0.0.1", {port}), timeout=0.2)
        done.append("connected")
    except OSError:
        pass
    if done:
        raise RuntimeError(" and ".join(done))
    return answer(observation, action_space)
"""
)


@pytest.fixture
def app(open_page: OpenPage, serving: Serving) -> App:
    return App(open_page(serving.address))


def upload(text: str) -> dict[str, object]:
    return {"name": "submission.py", "mimeType": "text/x-python", "buffer": text.encode()}


def play_against(app: App, text: str) -> None:
    """Begin a game of tic-tac-toe as Black against an upload."""
    app.choose("tictactoe_1v1", "human", "human")
    app.page.set_input_files("#seat-white-upload", upload(text))  # type: ignore[arg-type]
    app.until(lambda: app.page.locator("#seat-white").input_value().startswith("upload-"))
    app.begin()
    app.until(lambda: app.may_move() or app.is_over())


def test_a_good_upload_plays_a_game(app: App) -> None:
    play_against(app, GOOD)
    for cell, plies in (("b2", 2), ("c1", 4), ("a3", 5)):
        app.click(cell)
        app.my_turn(plies)
    assert app.is_over() and app.winner == 1
    assert app.moves() == [4, 0, 2, 1, 6]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param(RAISER, "ValueError: no idea", id="raises"),
        pytest.param(SCRIBBLER, "pipe", id="scribbles", marks=pytest.mark.slow),
    ],
)
def test_a_faulty_upload_loses_with_its_reason(text: str, said: str, app: App) -> None:
    play_against(app, text)
    if not app.is_over():
        app.click("b2")
    app.until(app.is_over)
    assert app.winner == 1
    assert said in app.page.locator("#main").inner_text() or said in (app.page.locator("#fault").text_content() or "")


@pytest.mark.slow
def test_an_upload_that_is_no_python_plays_no_game(app: App) -> None:
    play_against(app, "this(")
    expect(app.page.locator("#main")).to_contain_text("is no Python: line 1")
    assert app.is_over() and app.winner == 0 and app.moves() == []


def test_a_hostile_upload_reaches_nothing(app: App, serving: Serving) -> None:
    path = Path(serving.folder, "mark.txt")
    play_against(app, SNOOPER.replace("{path!r}", repr(str(path))).replace("{port}", str(serving.port)))
    app.click("b2")
    assert app.my_turn(2)
    assert app.moves() == [4, 0]
    assert not path.exists()


def test_a_good_upload_is_ready(app: App) -> None:
    app.go("check")
    app.page.set_input_files("#file", upload(GOOD))  # type: ignore[arg-type]
    expect(app.page.locator("#verdict")).to_be_visible(timeout=90_000)
    app.page.click("#play-it")
    app.expect_view("play")
    assert app.page.locator("#seat-white").input_value().startswith("upload-")


@pytest.mark.slow
def test_a_faulty_upload_is_not_ready_and_it_is_said_what_to_mend(app: App) -> None:
    app.go("check")
    app.page.set_input_files("#file", upload(RAISER))  # type: ignore[arg-type]
    expect(app.page.locator("#verdict")).to_be_visible(timeout=90_000)
    expect(app.page.locator("#verdict")).to_have_attribute("data-ready", "false")
    expect(app.page.locator("#findings")).to_contain_text("ValueError")
