"""Commands run here as in the tests of the runner."""

from tests.local_runner.conftest import play, probed_once, tengen

__all__ = ["play", "probed_once", "tengen"]
