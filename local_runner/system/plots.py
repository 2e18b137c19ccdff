"""The formats of all plots, and Matplotlib settings with which strangers' text is drawn literally.

By default, Matplotlib reads text between dollar signs as a formula. Matplotlib also runs TeX if the user's settings ask
for TeX, and warns of every character that the font lacks.
"""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from local_runner.errors import RunnerError
from local_runner.language.languages import Message, _, shown
from local_runner.system.extras import need
from local_runner.system.files import check_writable

FORMATS = (".svg", ".png", ".pdf")
ADVICE = Message("give --plot another file")


def check_plot(path: Path) -> None:
    """Raise RunnerError if Matplotlib is missing, the format is unknown, or `path` could not be written later."""
    need("plots")
    if path.suffix.lower() not in FORMATS:
        sentence = _("a plot cannot be written as {file}; give --plot an .svg, .png or .pdf")
        raise RunnerError(sentence.format(file=path.name))
    check_writable(path, shown(ADVICE))


@contextmanager
def plain_plots(**settings: Any) -> Iterator[None]:
    """A context for drawing and saving figures with Matplotlib's default settings, changed by `settings`."""
    need("plots")
    import matplotlib  # here, because the import is slow

    with matplotlib.rc_context(), warnings.catch_warnings():
        matplotlib.rcdefaults()
        chosen: Any = {"text.parse_math": False, **settings}
        matplotlib.rcParams.update(chosen)
        warnings.filterwarnings("ignore", "Glyph .* missing from")
        yield
