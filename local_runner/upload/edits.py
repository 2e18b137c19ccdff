"""What a user edited in a bundle: kept when the bundle is made again, and told by `tengen check`."""

import re
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from local_runner.language.languages import Message, Series, _
from local_runner.system.files import size
from local_runner.upload.bundle import JIDI, MO, RULER, Bundle, BundleError, build, embedded_sources, parse, seal
from local_runner.upload.settings import differences

AS_MADE = re.compile(r"# As made: (\w{12}) above the first ruler, (\w{12}) below it\.\n")
BRAND = "# tengen "  # how every bundle begins
HEADER_LINES = 4


class Parts(NamedTuple):
    """The parts of a bundle's text.

    made: the seals of `settings` and `below` as the bundle was made; None in bundles of older versions
    settings: the text between the header and the first ruler
    below: the rest, with the ruler
    """

    made: re.Match[str] | None
    settings: str
    below: str

    @property
    def settings_edited(self) -> bool:
        """Whether the settings differ from those that the bundle was made with; True if that is unknown."""
        return not (self.made and seal(self.settings) == self.made[1])

    @property
    def below_edited(self) -> bool:
        """Whether anything below the settings is known to be edited."""
        return self.made is not None and seal(self.below) != self.made[2]


def parts_of(text: str) -> Parts | None:
    """The parts of a bundle; None if the text is no bundle."""
    if not text.startswith(BRAND) or RULER not in text:
        return None
    made = AS_MADE.search(text[: text.index(RULER)])
    lines = text.splitlines(keepends=True)[HEADER_LINES if made else HEADER_LINES - 1 :]
    settings, ruler, below = "".join(lines).partition(RULER)
    return Parts(made, settings, ruler + below)


def keeping_settings(bundle: Bundle, output: Path) -> Bundle:
    """The bundle, with the settings of the file to be replaced if these settings were edited.

    Raises BundleError if the file is no bundle, if anything but its settings was edited, or if the edited settings
    belong to another version.
    """
    if not size(output):
        return bundle
    try:
        old = parts_of(output.read_text("utf-8-sig"))
    except (OSError, UnicodeDecodeError):
        old = None
    advice = _("move it away or delete it, or give --out another file")
    if old is None:
        sentence = _("{file} is no bundle and is not replaced; {advice}")
        raise BundleError(sentence.format(file=output, advice=advice))
    if old.below_edited:
        sentence = _("{file} was edited by hand below its settings, which a new bundle would lose; {advice}")
        raise BundleError(sentence.format(file=output, advice=advice))
    if old.settings == bundle.settings or not old.settings_edited:
        return bundle
    if old.made and old.made[1] != seal(bundle.settings):
        sentence = _("the settings of {file} were edited by hand, and the new version has other settings; {advice}")
        raise BundleError(sentence.format(file=output, advice=advice))
    return with_settings(bundle, old.settings)


def with_settings(bundle: Bundle, settings: str) -> Bundle:
    """The bundle with other settings, which count as edited: the next bundle keeps them.

    Raises BundleError if the settings are no Python 3.7.
    """
    at = bundle.text.index(RULER)
    text = bundle.text[: at - len(bundle.settings)] + settings + bundle.text[at:]
    parse(Path("submission.py"), text)
    return replace(bundle, text=text, settings=settings)


def edits(text: str) -> Message | None:
    """How a bundle differs from the bundle as it was made; None if it does not, or if the text is no bundle.

    The values that it was made with are known if the present sources have the same settings.
    """
    parts = parts_of(text)
    if parts is None or parts.made is None or not (parts.settings_edited or parts.below_edited):
        return None
    found: list[Message] = []
    ours = build(platform=MO if f"for the {MO.capitalize()} " in text[: text.index("\n")] else JIDI)
    if parts.settings_edited:
        known = seal(ours.settings) == parts.made[1]
        found += differences(ours.settings, parts.settings) if known else [Message("the settings")]
    if parts.below_edited:
        before, now = embedded_sources(ours.text) if ours.package in text else {}, embedded_sources(text)
        names = [name for name in now if before.get(name, now[name]) != now[name]]
        found.append(Message("modules: {names}", names=", ".join(names)) if names else Message("below the settings"))
    return Message("differs from ours: {changes}", changes=Series(found))
