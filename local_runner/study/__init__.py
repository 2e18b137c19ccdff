"""Experiments, each made again by one command: a table, plots and a page, from results that are kept on the disk."""
