"""Measures how fast the server of the page answers: `make webspeed`, or `python -m workshop.page.web_speed`.

Starts `tengen serve` with an empty store, plays games over several WebSockets at once, and times the round trip of each
move. A round trip lasts from sending Play until the State with the move has arrived. In three games of four both sides
are human, so no engine runs. In every fourth game, White is the agent `random`, whose process is called too. Prints the
median, the 99th percentile and the longest round trip.

The pages move independently; the seed of a page's think times is its number. The default load is 100 moves a second,
ten times what 20 people make. `--moves 25 --pause 2` is the load of 20 people. measurements.md has figures of both.
"""

import asyncio
import json
import random
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import Annotated, Any

import typer
import websockets

from local_runner.matches.statistics.counts import percentile
from workshop.command import run
from workshop.page.serving import Serving

ENVS = ("gobang_1v1", "reversi_1v1", "gomoku_11x11_1v1", "reversi_8x8_1v1", "tictactoe_1v1")
LIMIT_MS = 30.0  # limit of the 99th percentile


async def play_games(base: str, cookie: str, number: int, moves: int, pause: float) -> list[float]:
    """Play as one page until `moves` moves are timed; returns the seconds of each. `pause`: mean seconds before one."""
    times: list[float] = []
    chance = random.Random(number)
    url = base.replace("http", "ws") + "/ws"
    async with websockets.connect(url, additional_headers={"Cookie": cookie, "Origin": base}) as page:

        async def ask(**message: Any) -> dict[str, Any]:
            await page.send(json.dumps(message))
            while True:
                answer: dict[str, Any] = json.loads(await page.recv())
                if answer["type"] == "refusal":
                    raise SystemExit(answer["sentence"])
                if answer["type"] == "welcome" or answer.get("tag") == message.get("tag"):
                    return answer

        await ask(type="hello", version=2, language="en")
        tag, other = 0, {"kind": "agent", "name": "random"} if number % 4 == 3 else {"kind": "human"}
        seats = [{"kind": "human"}, other]
        state = await ask(type="new_game", tag=tag, position={"env": ENVS[number % len(ENVS)]}, seats=seats)
        while len(times) < moves:
            if state["result"]:
                tag += 1
                plies = len(state["moves"]["moves"])
                state = await ask(type="command", tag=tag, room=state["room"], ply=plies, command="restart")
            await asyncio.sleep(0.5)  # so that the agent is loaded before the first timed move
            while not state["result"] and len(times) < moves:
                mover = state["moves"]["to_move"] - 1
                if seats[mover]["kind"] != "human" or state["thinking"] is not None:
                    state = json.loads(await page.recv())
                    continue
                await asyncio.sleep(chance.uniform(0, 2 * pause))
                tag += 1
                cell = -1 if state["moves"]["must_pass"] else chance.choice(state["moves"]["legal"])
                begun = time.perf_counter()
                state = await ask(type="play", tag=tag, room=state["room"], ply=len(state["moves"]["moves"]), cell=cell)
                times.append(time.perf_counter() - begun)
    return times


async def measure(base: str, cookie: str, games: int, moves: int, pause: float) -> list[float]:
    """The round-trip times (s) of the moves of all games, which are played at once."""
    pages = (play_games(base, cookie, number, moves, pause) for number in range(games))
    return [seconds for times in await asyncio.gather(*pages) for seconds in times]


def main(
    games: Annotated[int, typer.Option(min=1, help="Games and pages at once.")] = 20,
    moves: Annotated[int, typer.Option(min=1, help="Timed moves of each page.")] = 200,
    pause: Annotated[float, typer.Option(min=0, help="Mean seconds between two moves of a page.")] = 0.2,
) -> None:
    """Measure and print the result. The exit code is 1 if the 99th percentile is above `LIMIT_MS`."""
    with tempfile.TemporaryDirectory(prefix="tengen-speed-") as folder, Serving(Path(folder)) as serving:
        cookie = urllib.request.urlopen(serving.address).headers["Set-Cookie"].partition(";")[0]
        times = asyncio.run(measure(serving.root, cookie, games, moves, pause))
    middle, late, longest = (1000 * each for each in (percentile(times, 50), percentile(times, 99), max(times)))
    print(f"{games} games, {len(times)} moves: median {middle:.1f} ms, 99 % below {late:.1f} ms, "
          f"longest {longest:.1f} ms")  # fmt: skip
    raise SystemExit(late > LIMIT_MS)


if __name__ == "__main__":
    run(main)
