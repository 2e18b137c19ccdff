"""Pages that are one file: the modules as one script, which alone may run; a page loads nothing and fits its window."""

import json
import re
import shutil
from collections import Counter

import pytest
from playwright.sync_api import expect

from local_runner.formats import proof_page, self_contained, tournament_page
from local_runner.formats.files import html
from tests.browser.fixtures import DESK, PHONE, findings, too_wide
from tests.local_runner.server.page.games import data_of, saved

ENTRIES = (html.ENTRY, proof_page.ENTRY, tournament_page.ENTRY)
MADE = {
    "replay": lambda files, language: html.replay_page([saved("gobang"), saved("small")], language=language),
    "tournament": lambda files, language: tournament_page.tournament_page(files["sprt"], language=language),
    "proof": lambda files, language: proof_page.proof_page(language=language),
}
CHINESE = re.compile(r"[\u4e00-\u9fff]")
DECLARED = re.compile(r"^(?:export )?(?:async function|function\*?|class|const|let) ([\w$]+)", re.MULTILINE)


@pytest.mark.parametrize("entry", [*ENTRIES, self_contained.APP])
def test_a_script_imports_nothing_and_no_two_modules_declare_a_name(entry):
    script = self_contained.script(entry=entry)
    assert not re.search(r"^import\b|\bimport\(|</script|<!--", script, re.MULTILINE | re.IGNORECASE)
    assert [name for name, times in Counter(DECLARED.findall(script)).items() if times > 1] == []


def test_the_server_maps_each_line_to_its_module_and_sees_a_changed_module(tmp_path, monkeypatch):
    page = shutil.copytree(self_contained.PAGE, tmp_path / "page")
    monkeypatch.setattr(self_contained, "PAGE", page)
    files = self_contained.app_files()
    (name,) = (name for name in files if name.endswith(".js"))
    lines = files[name].splitlines()
    for section in json.loads(files[f"{name}.map"])["sections"]:
        (path,), first = section["map"]["sources"], section["offset"]["line"]
        module = (page.parent / path[1:]).read_text("utf-8").splitlines()
        assert section["map"]["mappings"].count("A;") == len(module) - 1
        assert [re.sub("^import .*", "", line) for line in module] == lines[first : first + len(module)]
    module = page / "dom.js"
    module.write_text(module.read_text("utf-8") + "changed();\n", "utf-8")
    assert "changed();" in next(text for name, text in self_contained.app_files().items() if name.endswith(".js"))


def test_every_form_field_has_a_name_by_which_browsers_know_it():
    for file in self_contained.PAGE.rglob("*.js"):
        fields = re.findall(r'(?:h\("(?:input|select|textarea)", |choice\()\{(?!\.)[^}]*', file.read_text("utf-8"))
        assert all(re.search(r"\b(id|name)\b", field) for field in fields), (file.name, fields)


@pytest.mark.parametrize("name", MADE)
def test_a_page_is_light_and_loads_nothing(name, files):
    text = MADE[name](files, "")
    assert data_of(text) and len(text.encode()) < 200_000 and not re.findall(r"url\((?!#)|@import", text)


@pytest.mark.parametrize(("name", "language", "window", "chinese"), [
    ("replay", "", {"language": "zh-CN"}, True), ("tournament", "en", {"language": "zh-CN", "size": PHONE}, False),
    *(pytest.param(name, *more, marks=pytest.mark.slow) for name in MADE for more in [
        ("zh", {"language": "fr-FR", "size": DESK, "dark": True}, True), ("en", {"size": PHONE}, False)]),
])  # fmt: skip
def test_a_page_fits_and_speaks_its_language(name, language, window, chinese, files, open_page, tmp_path):
    path = tmp_path / "page.html"
    path.write_text(MADE[name](files, language), "utf-8")
    page = open_page(path.as_uri(), **window)
    assert too_wide(page) <= 0 and findings(page) == []
    for _ in range(2):
        expect(page.locator("html")).to_have_attribute("lang", "zh-CN" if chinese else "en")
        assert bool(CHINESE.search(page.locator("main").inner_text())) == chinese
        page.click(".switch")
        chinese = not chinese
