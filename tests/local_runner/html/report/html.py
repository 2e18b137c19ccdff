"""Parse a page: check that tags are closed correctly, and collect tables, texts and the script's data."""

import json
from html.parser import HTMLParser

VOID = {"meta", "input", "br", "link", "img", "hr"}
CLOSES_ITSELF = {"option"}


class Page(HTMLParser):
    """`tags`: (name, attributes) of all tags; `tables`: rows of cells' text, by the id of the section."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.tags, self.tables, self.scripts, self.texts = [], {}, [], []
        self._open, self._section, self._rows = [], "", []
        self.feed(text)
        self.close()
        assert not self._open, f"left open: {self._open}"

    @property
    def text(self):
        """All text of the page."""
        return " ".join(" ".join(self.texts).split())

    @property
    def data(self):
        """The data of the page's script."""
        return json.loads(self.scripts[0])

    def attributes(self, name):
        """All values of an attribute."""
        return [attributes[name] for _, attributes in self.tags if name in attributes]

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        self.tags.append((tag, attributes))
        if tag in VOID:
            return
        self._open.append(tag)
        if tag == "section":
            self._section = attributes["id"]
        elif tag == "table":
            self._rows = self.tables.setdefault(self._section, [])
        elif tag == "tr":
            self._rows.append([])
        elif tag in ("td", "th"):
            self._rows[-1].append("")

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self._open and self._open[-1] == tag, f"</{tag}> closes {self._open[-3:]}"
        self._open.pop()

    def handle_data(self, data):
        if self._open and self._open[-1] == "script":
            self.scripts.append(data)
        elif self._open and self._open[-1] != "style":
            self.texts.append(data)
            if "table" in self._open and self._rows and self._rows[-1]:
                self._rows[-1][-1] = " ".join((self._rows[-1][-1] + " " + data).split())
