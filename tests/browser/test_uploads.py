"""Uploaded submissions in the page: checks of good, faulty and endless ones, only in a sandbox."""

from __future__ import annotations

import pytest
from playwright.sync_api import FilePayload, expect

from local_runner.processes import sandbox
from tests.browser.app import App
from tests.local_runner.processes.naughty import AGENTS

pytestmark = pytest.mark.skipif(not sandbox.best().confined, reason="hostile agents never run without a sandbox")
GOOD = (AGENTS / "first_free.py").read_text("utf-8")
RAISER = (AGENTS / "raiser.py").read_text("utf-8")


def upload(text: str) -> FilePayload:
    return {"name": "submission.py", "mimeType": "text/x-python", "buffer": text.encode()}


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
def test_a_good_upload_is_ready_and_a_faulty_one_is_told_what_to_mend(app: App) -> None:
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
    for seat in ("white", "black"):
        app.until(lambda seat=seat: app.page.locator(f"#seat-{seat}").input_value().startswith("upload-"))
        app.page.set_input_files("#seat-black-upload", upload(RAISER))
    app.go("check")
    app.page.set_input_files("#file", upload(RAISER))
    expect(app.page.locator("#findings")).to_contain_text("ValueError", timeout=90_000)
    expect(verdict).to_have_attribute("data-ready", "false")
    expect(app.page.locator("#findings [data-severity=failed]")).to_have_count(1)  # all games fail alike
    app.expect_text("#check-name", "submission.py")
    app.expect_text("#next", "choose it again")
