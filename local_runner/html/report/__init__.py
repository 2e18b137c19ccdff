"""The report of a tournament file: an HTML page and a summary in Markdown.

    contents  reads the file game by game and collects the content as plain values
    replays   makes the data of a game for the page's script
    figures   draws plots as SVG in the colours of the page
    page      makes the HTML page from page.html, style.css and the modules of local_runner/html/page
    markdown  makes the summary
    words     makes the texts that page and summary share

The same file always gives the same bytes: a report does not depend on when or where it is made.
"""

import webbrowser
from pathlib import Path

from local_runner.errors import RunnerError
from local_runner.html.report.contents import gather
from local_runner.html.report.markdown import summary
from local_runner.html.report.page import page
from local_runner.language.languages import _, listed
from local_runner.language.text import in_line
from local_runner.matches.games import read
from local_runner.system.extras import missing
from local_runner.system.files import check_writable, write_whole


def write(file: Path, out: Path, markdown: Path | None = None) -> str:
    """Write the page of a tournament and, if wanted, its summary. Returns a sentence with the files and their sizes.

    Raises RunnerError if the file cannot be read or a path cannot be written; then nothing is written.
    """
    wanted = {out: _("give --out another file")}
    if markdown is not None and markdown.absolute() == out.absolute():
        sentence = _("the page and the summary cannot both be {path}; give --markdown another file")
        raise RunnerError(sentence.format(path=out))
    if markdown is not None:
        wanted[markdown] = _("give --markdown another file")
    games = read(file)
    for path, advice in wanted.items():
        check_writable(path, advice, file)
    contents = gather(games)
    texts = {out: page(contents), **({markdown: summary(contents)} if markdown else {})}
    for path, text in texts.items():
        write_whole(path, text, wanted[path])
    size = _("{path} ({size:,.0f} kB)")
    sizes = listed(size.format(path=in_line(str(path)), size=len(text.encode()) / 1000) for path, text in texts.items())
    sentence = _("{files}; games: {played:,}, with a replay: {shown:,}")
    said = sentence.format(files=sizes, played=contents.standings.played, shown=len(contents.games))
    left_out = _("the page has no plots: {why}").format(why=why) if (why := missing("plots")) else ""
    return "\n".join(filter(None, (said, left_out)))


def open_in_browser(path: Path) -> str:
    """Open a page in the user's browser. Returns "", or a sentence with the page's path if there is no browser."""
    whole = path.resolve()
    if webbrowser.open(whole.as_uri()):
        return ""
    return _("no browser was found here; the page is {path}").format(path=in_line(str(whole)))
