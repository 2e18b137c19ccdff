"""Tries to break the finished product, and counts what breaks: `make torture`."""
