"""Experiments. One command repeats each: it keeps its results on disk and writes a table, plots and a page."""
