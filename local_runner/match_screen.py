"""What `tengen match` shows and writes while a match is played, and the exit code that comes of it."""

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.live import Live

from local_runner.display import MatchView, ending_table, fault_report, game_line, match_table
from local_runner.files import check_folder, check_writable, write_whole
from local_runner.header import header
from local_runner.match import MatchGame, MatchPlan, ending, play_match, summarise
from local_runner.records import as_json

PLAYED_CLEANLY, LOST_BY_FAULT, INTERRUPTED = 0, 1, 130
STDOUT = "-"  # as the name of the JSON file
ADVICE = "give --json another file"
LOG_ADVICE = "choose another --log-dir"
FRAMES_PER_SECOND = 10


def run(plan: MatchPlan, *, json_to: str | None = None, quiet: bool = False, details: bool = False) -> int:
    """Play a match on the screen; the exit code: 0, or 1 if an agent lost by a fault, or 130 after Ctrl-C.

    `details`: show how every game ended, quiet or not. `json_to`: a file for the whole result, "-" for stdout, whose
    place stderr then takes. Raises RunnerError if it or a log cannot be written, before the first game where that can
    be known, and as `play_match` does. However a match ends, its finished games are summed up and written.
    """
    if plan.log_dir is not None:
        check_folder(plan.log_dir, LOG_ADVICE)
    if json_to is not None and json_to != STDOUT:
        check_writable(Path(json_to), ADVICE)
    out = Console(stderr=json_to == STDOUT, highlight=False, soft_wrap=True)
    errors = Console(stderr=True, highlight=False, soft_wrap=True)
    view, interrupted = MatchView(plan), False
    try:
        with _board(out, view, quiet), closing(play_match(plan, view)) as games:
            for game in games:
                view.games.append(game)
                if not quiet:
                    out.print(game_line(plan, game))
                if details:
                    out.print(ending_table(ending(plan, game)))
                if game.loser is not None:
                    errors.print(fault_report(game))
    except KeyboardInterrupt:
        interrupted = True
        errors.print(f"stopped after {len(view.games)} of {plan.games} games")
    finally:
        if view.games or interrupted:
            out.print(match_table(plan, view.games))
            if json_to is not None:
                # In ASCII: stdout may know no more, and nothing can encode undecodable file names' lone surrogates.
                _write(json_to, json.dumps(match_json(plan, view.games), allow_nan=False) + "\n")
    if interrupted:
        return INTERRUPTED
    return LOST_BY_FAULT if any(game.loser is not None for game in view.games) else PLAYED_CLEANLY


@contextmanager
def _board(out: Console, view: MatchView, quiet: bool) -> Iterator[None]:
    """The live board, where there is a terminal for it."""
    if quiet or not out.is_terminal:
        yield
    else:
        with Live(view, console=out, refresh_per_second=FRAMES_PER_SECOND):
            yield


def match_json(plan: MatchPlan, games: Sequence[MatchGame]) -> dict[str, Any]:
    """The whole result; the platform's logs are left out, as they stand in files of their own."""
    return {
        "header": header(),
        "plan": as_json(plan),
        "agents": as_json(summarise(plan, games)),
        "games": [_game_json(plan, game) for game in games],
    }


def _game_json(plan: MatchPlan, game: MatchGame) -> dict[str, Any]:
    record, end = as_json(game.record), as_json(ending(plan, game))
    return {**record, "number": game.number, "black": "AB"[game.black], "log": as_json(game.log), "ending": end}


def _write(path: str, text: str) -> None:
    if path == STDOUT:
        sys.stdout.write(text)
    else:
        write_whole(Path(path), text, ADVICE)
