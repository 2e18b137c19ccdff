"""Uploaded submissions in the page: good, faulty and hostile ones are checked and played, only in a sandbox."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import FilePayload, expect

from local_runner.processes import sandbox
from tests.browser.app import App
from tests.local_runner.processes.naughty import AGENTS
from tests.serving import Serving

pytestmark = pytest.mark.skipif(not sandbox.best().confined, reason="hostile agents never run without a sandbox")
GOOD = (AGENTS / "first_free.py").read_text("utf-8")
RAISER = (AGENTS / "raiser.py").read_text("utf-8")
# Writes beside the games of the server and asks the server itself; plays on if it may do neither.
SNOOPER = (
    GOOD.replace("def my_controller", "def answer")
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


def upload(text: str) -> FilePayload:
    return {"name": "submission.py", "mimeType": "text/x-python", "buffer": text.encode()}


def play_against(app: App, text: str) -> None:
    """Begin a game of tic-tac-toe as Black against an upload."""
    app.choose("tictactoe_1v1", "human", "human")
    app.page.set_input_files("#seat-white-upload", upload(text))
    app.until(lambda: app.page.locator("#seat-white").input_value().startswith("upload-"))
    app.begin()
    app.until(lambda: app.may_move() or app.is_over())


@pytest.mark.slow
def test_a_hostile_upload_plays_on_but_reaches_nothing(app: App, serving: Serving) -> None:
    path = Path(serving.folder, "mark.txt")
    play_against(app, SNOOPER.replace("{path!r}", repr(str(path))).replace("{port}", str(serving.port)))
    for cell, plies in (("b2", 2), ("c1", 4), ("a3", 5)):
        app.click(cell)
        app.my_turn(plies)
    assert app.is_over() and app.winner == 1
    assert app.moves() == [4, 0, 2, 1, 6]
    assert not path.exists()


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


@pytest.mark.slow
def test_a_good_upload_is_ready(app: App) -> None:
    app.go("check")
    app.page.set_input_files("#file", upload(GOOD))
    verdict, again = app.page.locator("#verdict"), app.page.locator("#again")
    expect(verdict.or_(again).filter(visible=True).first).to_be_visible(timeout=90_000)
    for _ in range(60):
        if verdict.is_visible():
            break
        app.page.wait_for_timeout(1000)  # the stopped checks of other tests end with their agents' calls
        if again.is_visible():
            again.click()
    expect(verdict).to_be_visible(timeout=90_000)
    app.page.click("#play-it")
    app.expect_view("play")
    assert app.page.locator("#seat-white").input_value().startswith("upload-")


@pytest.mark.slow
def test_a_faulty_upload_is_not_ready_and_it_is_said_what_to_mend(app: App) -> None:
    app.go("check")
    app.page.set_input_files("#file", upload(RAISER))
    expect(app.page.locator("#verdict")).to_be_visible(timeout=90_000)
    expect(app.page.locator("#verdict")).to_have_attribute("data-ready", "false")
    expect(app.page.locator("#findings [data-severity=failed]")).to_have_count(1)  # all games fail alike
    app.expect_text("#findings", "ValueError")
    app.expect_text("#check-name", "submission.py")
    app.expect_text("#next", "choose it again")
