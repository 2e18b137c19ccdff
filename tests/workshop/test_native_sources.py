"""The compiled libraries are those of the C++ sources; tests/workshop/native compares their answers with Python's."""

from __future__ import annotations

import hashlib
import lzma

from workshop.native.build import BUILT, TARGETS, checksums, digest

MOST_BYTES = 250_000  # largest size of a compressed library


def test_the_libraries_are_made_from_these_sources() -> None:
    """`make native` builds them again; CI compares a new build with them."""
    made = checksums()
    assert made["sources"] == digest() and made["libraries"].keys() == TARGETS.keys()
    for name, each in made["libraries"].items():
        packed = (BUILT / f"{name}.so.xz").read_bytes()
        assert hashlib.sha256(lzma.decompress(packed)).hexdigest() == each["sha256"] and len(packed) <= MOST_BYTES
