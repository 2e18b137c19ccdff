"""A game from the record that a match or a tournament keeps of it (`records.GameRecord` as JSON)."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from local_runner.formats.source import cell_of, number_of, winner_of
from local_runner.formats.told import ToldGame, Turn
from local_runner.game.codec import result_from
from local_runner.game.setup import GameSetup
from local_runner.game.wording import result_text
from local_runner.language.languages import Message


def told(record: Mapping[str, Any], setup: GameSetup, names: tuple[str, str]) -> ToldGame:
    """What a record says. `setup`: that of the match; the opening and the seed are the record's own.

    A call on turn belongs to each ply after the opening; one more if the last call was a fault.
    """
    turns: list[Turn] = []
    damage: str = ""
    opening = record.get("opening")
    before = len(opening) if isinstance(opening, list) else 0
    calls = record.get("calls")
    calls = [call for call in calls if isinstance(call, dict) and call.get("turn")] if isinstance(calls, list) else []
    cells = record.get("cells")
    for ply, given in enumerate(cells if isinstance(cells, list) else []):
        call = calls[ply - before] if 0 <= ply - before < len(calls) else {}
        try:
            cell = cell_of(given)
        except ValueError as error:
            damage = Message("ply {ply} is no cell: {value}", ply=ply + 1, value=str(error))
            break
        thought = call.get("thought")
        thought = thought if isinstance(thought, dict) and thought else None
        turns.append(Turn(cell, seconds=number_of(call.get("seconds")), thought=thought))
    result = record.get("result")
    result = result if isinstance(result, dict) else {}
    ended = None
    with suppress(ValueError):
        ended = result_from(result)
    seed = record.get("seed")
    start = tuple(turn.cell for turn in turns[:before] if turn.cell is not None)
    setup = replace(setup, opening=start, seed=seed if type(seed) is int else setup.seed)
    words = "" if ended is None else result_text(ended)
    return ToldGame(setup, turns, names, winner_of(result.get("winner")), words, damage, result=ended)
