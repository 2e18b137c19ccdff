"""Parse a page: check that tags are closed correctly, and collect the scripts and the data of the page."""

import json
from html.parser import HTMLParser

VOID = {"meta", "input", "br", "link", "img", "hr"}


class Page(HTMLParser):
    """`tags`: (name, attributes) of all tags; `scripts`: the text of each."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.tags, self.scripts, self._open = [], [], []
        self.feed(text)
        self.close()
        assert not self._open, f"left open: {self._open}"

    @property
    def data(self):
        """The data of the page's script."""
        return json.loads(self.scripts[0])

    def attributes(self, name):
        """All values of an attribute."""
        return [attributes[name] for _, attributes in self.tags if name in attributes]

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self._open and self._open[-1] == tag, f"</{tag}> closes {self._open[-3:]}"
        self._open.pop()

    def handle_data(self, data):
        if self._open and self._open[-1] == "script":
            self.scripts.append(data)
