"""Starts Debian's Firefox for Playwright, as a program: `python tests/browser/relay.py PATH`.

Playwright controls an unchanged Firefox by WebDriver BiDi. Its first command for a window sets media features, which
Firefox ESR does not know yet. This program stands between both: it answers that one command, and passes on all others.
Dark colours and fewer animations are therefore preferences of the whole browser here.
"""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from websockets.asyncio.client import connect
from websockets.asyncio.server import ServerConnection, serve

UNKNOWN = "emulation.setMediaFeaturesOverride"
LISTENING = re.compile(r"WebDriver BiDi listening on (ws://\S+)")
PREFERENCES = {"ui.prefersReducedMotion": 1, "ui.systemUsesDarkTheme": 0, "browser.shell.checkDefaultBrowser": False,
               "datareporting.policy.dataSubmissionEnabled": False, "app.update.enabled": False}  # fmt: skip
NO_LIMIT = None  # of the size of a message: a picture of the page is long


async def _serve(firefox: str) -> None:
    with tempfile.TemporaryDirectory(prefix="tengen-firefox-") as profile:
        lines = (f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in PREFERENCES.items())
        Path(profile, "user.js").write_text("\n".join(lines), "utf-8")
        process = await asyncio.create_subprocess_exec(
            firefox, "--headless", "--remote-debugging-port=0", "--profile", profile,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        )  # fmt: skip
        assert process.stderr is not None
        async for line in process.stderr:
            if match := LISTENING.search(line.decode("utf-8", "replace")):
                break
        else:
            raise RuntimeError(f"{firefox} does not listen")

        async def between(page: ServerConnection) -> None:
            async with connect(f"{match[1]}/session", max_size=NO_LIMIT) as browser:

                async def answers() -> None:
                    async for message in browser:
                        await page.send(message)

                answering = asyncio.create_task(answers())
                async for message in page:
                    asked = json.loads(message)
                    if asked["method"] == UNKNOWN:
                        await page.send(json.dumps({"type": "success", "id": asked["id"], "result": {}}))
                    else:
                        await browser.send(message)
                answering.cancel()

        async with serve(between, "127.0.0.1", 0, max_size=NO_LIMIT) as server:
            port = next(iter(server.sockets)).getsockname()[1]
            print(f"WebDriver BiDi listening on ws://127.0.0.1:{port}", file=sys.stderr, flush=True)
            async for _line in process.stderr:
                pass
            await process.wait()


if __name__ == "__main__":
    asyncio.run(_serve(sys.argv[1]))
