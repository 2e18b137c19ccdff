"""A benchmark at its smallest."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from local_runner.terminal.progress import Meter


@pytest.fixture(scope="module")
def measured() -> Callable[[ModuleType, int], list[Any]]:
    """A function that runs a benchmark on every Nth position, and checks that its progress ends at its total."""

    def measure(module: ModuleType, every: int) -> list[Any]:
        meters: list[Meter] = []
        with pytest.MonkeyPatch.context() as patch:
            for name, value in {"QUICK_SECONDS": 0.02, "QUICK_EVERY": every, "QUICK_DEPTH": 2}.items():
                patch.setattr(module, name, value)
            patch.setattr(module, "Meter", lambda *given: meters.append(Meter(*given)) or meters[0])
            found: list[Any] = module.bench(quick=True)
        assert meters[0].pace.done == meters[0].pace.total
        return found

    return measure
