"""Parse a saved page: check that its tags are closed and that it loads nothing; collect its scripts and its data."""

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
        assert not {tag for tag, _ in self.tags} & {"link", "img", "iframe", "object", "embed", "base"}
        assert not {"src", "href"} & {name for _, attributes in self.tags for name in attributes}
        assert len(self.scripts) == 2, "a stranger's text became a script"

    @property
    def data(self):
        """The data of the page's script."""
        return json.loads(self.scripts[0])

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
