"""Helpers for the tests of studies: read the table as CSV and JSON, and check the plots."""

import csv
import json

from matplotlib import image


def rows_of(folder):
    with open(folder / "table.csv", newline="") as file:
        rows = [{key: value.removeprefix("'") for key, value in row.items()} for row in csv.DictReader(file)]
    told = json.loads((folder / "table.json").read_text())
    assert [{key: "" if value is None else str(value) for key, value in row.items()} for row in told["rows"]] == rows
    return told["rows"], told


def assert_plots(folder, *names):
    assert sorted(path.stem for path in folder.glob("*.svg")) == sorted(names)
    for name in names:
        pixels = image.imread(folder / f"{name}.png")
        colours = {tuple(colour) for colour in pixels[::3, ::3].reshape(-1, pixels.shape[2]).round(1)}
        assert len(colours) > 5, name  # more than axes: curves or cells in their colours
        assert (folder / f"{name}.svg").stat().st_size > 10_000
        assert f"({folder.name}/{name}.png)" in (folder.parent / f"{folder.name}.md").read_text()
