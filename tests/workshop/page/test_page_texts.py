"""The texts of the page: which are collected, and that its scripts mark no others."""

import json
import re

import pytest
from babel.messages.extract import extract_from_dir

from local_runner.language.languages import page_catalogue
from workshop.page import messages

SCRIPTS = sorted(messages.PAGE.rglob("*.js"))
TRANSLATES = {"app.js", "language.js"}  # scripts that may call `t` with a variable


@pytest.mark.parametrize(("script", "found"), [
    ('t("a")', ["a"]),
    ('_("a"); x.t("b"); cat("c"); set_("d")', ["a"]),
    ('t("a \\"b\\" \\u00e9")', ['a "b" é']),
    ('t("a {n} " +\n  "b", {n: t("c")})', ["a {n} b", "c"]),
    ('`<b>${t("a")} ${`${t("b")}`}</b>`', ["a", "b"]),
    ('// t("a")\n  /* t("b")\n */ t("c")', ["c"]),
    ('const link = "http://a"; t("b")', ["b"]),
    ("function t(text) {}\nt(text)", []),
])  # fmt: skip
def test_what_is_collected_of_a_script(script, found):
    assert list(messages.of_script(script)) == found


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_a_script_marks_literals_only(path):
    source = messages.without_comments(path.read_text("utf-8"))
    marks = [source[mark.start() :].partition("\n")[0] for mark in re.finditer(messages.MARK, source)]
    literals = list(messages.of_script(source))
    if path.name not in TRANSLATES:
        assert len(marks) == len(literals), [mark for mark in marks if not messages.CALL.match(mark)]


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_the_fields_of_a_text_are_filled(path):
    source = messages.without_comments(path.read_text("utf-8"))
    for call in messages.CALL.finditer(source):
        fields = set(re.findall(r"{(\w+)}", call[1]))
        given = source[call.end() - 1 : call.end() + 300]
        assert not fields or given[0] == ",", call[1]
        assert all(re.search(rf"\b{name}\b", given) for name in fields), (call[1], given)


def test_babel_finds_no_text_that_is_not_collected():
    """Babel's lexer parses more of the language, but finds no texts in calls and template strings."""
    plain = {"**.js": {"jsx": False}}
    found = extract_from_dir(messages.PAGE, [("**.js", "javascript")], plain, {"t": None, "_": None})
    texts = {text if isinstance(text, str) else text[0] for _, _, text, _, _ in found}
    assert texts <= set(messages.texts(messages.PAGE))


def test_the_file_for_browsers_is_what_make_messages_would_write():
    written = messages.PAGE_FILE.read_text("utf-8")
    assert written == messages.for_page(messages.catalogue())
    assert json.loads(written) == page_catalogue("zh")
    assert page_catalogue("en") == {}
