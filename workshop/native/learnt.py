"""Options of a setting that name files of learnt numbers: `weights`, and for k in a row `order` and `network`.

The files have the formats of submission/data/. A setting keeps a checksum of each file, so that a resumed match uses
the same numbers.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from local_runner.agents.catalogue import OptionValue
from local_runner.errors import RunnerError
from submission.k_in_a_row.weights import KINDS, Network, evaluation_weights, to_rows, to_weights
from submission.reversi.weights import ReversiWeights
from submission.variant import REVERSI, Variant

NAMES = ("weights", "order", "network")
CHECKSUM = "{}_sum"


def with_checksums(options: Mapping[str, OptionValue]) -> dict[str, OptionValue]:
    """The options of a setting, with a checksum for each file. Raises RunnerError if a file is not readable."""
    return {
        **options,
        **{CHECKSUM.format(name): zlib.crc32(_content(options[name])) for name in NAMES if name in options},
    }


def take_learnt(variant: Variant, options: dict[str, Any]) -> dict[str, Any]:
    """Remove the files from the options, and return their contents by name.

    Raises RunnerError if a file cannot be read, differs from its checksum, or has another format.
    """
    learnt: dict[str, Any] = {}
    for name in NAMES:
        if name in options:
            path, checksum = options.pop(name), options.pop(CHECKSUM.format(name))
            data = _content(path)
            if zlib.crc32(data) != checksum:
                raise RunnerError(f"{path} has changed since the match began; begin a new one")
            try:
                learnt[name] = _read(variant, name, data)
            except (zlib.error, ValueError, KeyError, IndexError) as error:
                raise RunnerError(
                    f"{path} is no file of {name} for this game: {error}; give one as in submission/data/"
                ) from error
    if network := learnt.pop("network", None):
        learnt["weights"] = learnt.get("weights", evaluation_weights())._replace(network=network)
    return learnt


def _read(variant: Variant, name: str, data: bytes) -> Any:
    if variant.family == REVERSI:
        if name != "weights":
            raise ValueError("Reversi has no such file")
        return ReversiWeights(variant.rows, data)
    if name == "network":
        network = Network(data.decode("ascii"))
        if not network.units or len(network.activations) != KINDS:
            raise ValueError("it has no units or no activations")
        return network
    rows = to_rows(data.decode("ascii"))
    return to_weights(rows) if name == "weights" else rows


def _content(path: OptionValue) -> bytes:
    try:
        return Path(str(path)).read_bytes()
    except OSError as error:
        raise RunnerError(f"cannot read {path}: {error.strerror}; give another file") from error
