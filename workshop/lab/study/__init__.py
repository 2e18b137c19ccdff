"""Experiments. One command repeats each, and writes a table, plots and a page."""
