"""The report of a tournament: what its file says, as one page for a browser and as a summary in Markdown.

    contents  what is to be said, as plain values, read from the file game by game
    boards    the boards of a game, step by step, by the referee's rules
    figures   plots, as SVG that takes its colours from the page
    page      the page: page.html, style.css and replay.js made into one file
    markdown  the summary

The same file gives the same bytes: nothing here asks for the time, the machine or a random number.
"""

from pathlib import Path

from local_runner.errors import RunnerError
from local_runner.files import check_writable, write_whole
from local_runner.report.contents import gather
from local_runner.report.markdown import summary
from local_runner.report.page import page
from local_runner.tournament import store


def write(file: Path, out: Path, markdown: Path | None = None) -> str:
    """Write the page of a tournament and, where one is wanted, its summary; returns what to say about that.

    Raises RunnerError, nothing written, for a file that cannot be read and for places that cannot be written.
    """
    wanted = {out: "give --out another file", **({markdown: "give --markdown another file"} if markdown else {})}
    for path, advice in wanted.items():
        if path.exists() and file.exists() and path.samefile(file):
            raise RunnerError(f"{path} is the tournament itself; {advice}")
    if markdown is not None and markdown.absolute() == out.absolute():
        raise RunnerError(f"the page and the summary cannot both be {out}; {wanted[markdown]}")
    with store.read(file) as kept:
        for path, advice in wanted.items():
            check_writable(path, advice)
        contents = gather(kept)
    texts = {out: page(contents), **({markdown: summary(contents)} if markdown else {})}
    for path, text in texts.items():
        write_whole(path, text, wanted[path])
    sizes = ", ".join(f"{path} ({len(text.encode()) / 1000:,.0f} kB)" for path, text in texts.items())
    return f"{sizes}: {contents.standings.played:,} games, {len(contents.games):,} of them to replay"
