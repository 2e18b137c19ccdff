"""These tests run commands by the fixtures of the runner's tests."""

from tests.local_runner.conftest import play, probed_once, tengen

__all__ = ["play", "probed_once", "tengen"]
