"""Measurements of the engine and of the runner."""
