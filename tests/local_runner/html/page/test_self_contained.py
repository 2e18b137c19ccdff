"""Modules as one script: in the right order, with their names; and forms that are refused."""

import base64
import hashlib
import re
from pathlib import Path

import pytest

from local_runner.formats import self_contained

PAGE = Path(self_contained.__file__).parents[1] / "html" / "page"

A = """import { one, two as second } from "./b.js";
import {
  three,
} from "./c.js";
// said
export const sum = one + second() + three;
"""
B = "/** about */\nexport const one = 1;\nexport function two() {\n  return 2;\n}\n"
C = 'import { one } from "./b.js";\nexport class Unused {}\nexport const three = one + 2;\n'


@pytest.fixture
def files(monkeypatch):
    """The sources of modules that take the place of the page's."""
    sources = {"a.js": A, "b.js": B, "c.js": C}
    monkeypatch.setattr(self_contained, "asset", lambda name: sources[name])
    return sources


def test_modules_come_below_those_that_they_need(files):
    assert self_contained.modules("a") == ["b", "c", "a"]


def test_a_module_imports_from_other_folders(files):
    files["a.js"] = 'import { b } from "./x/b.js";\n'
    files["x/b.js"] = 'import { c } from "./c.js";\nimport { d } from "../y/c.js";\nexport const b = c + d;\n'
    files["x/c.js"] = files["y/c.js"] = "export const c = 1;\n"
    assert self_contained.modules("a") == ["x/c", "y/c", "x/b", "a"]
    assert "const {d} = module_y_c;" in self_contained.script(entry="a")


def test_the_script_computes_what_the_modules_do(files, open_page):
    script = self_contained.script(entry="a")
    assert "said" not in script and "about" not in script
    files["a.js"] = A + "globalThis.result = sum;\n"
    page = open_page("about:blank")
    page.add_script_tag(content=self_contained.script(entry="a"))
    assert page.evaluate("result") == 6


@pytest.mark.parametrize("line", [
    'import * as b from "./b.js";', 'import "./b.js";', "export default 1;", "export { one };",
    'export * from "./b.js";',
    "export let four = 4;", 'const b = import("./b.js");', "const s = '</script>';", "const s = '<!--';",
    'import { one } from "../b.js";', 'import { one } from "https://b.org/b.js";',
])  # fmt: skip
def test_other_forms_are_refused(line, files):
    files["a.js"] = f"{line}\n"
    with pytest.raises(ValueError, match=r"a\.js cannot stand in a single file"):
        self_contained.script(entry="a")


def test_modules_that_import_each_other_are_refused(files):
    files["b.js"] = 'import { three } from "./c.js";\n'
    with pytest.raises(ValueError, match="each other: a b c b"):
        self_contained.script(entry="a")


def test_the_policy_allows_this_script():
    digest = base64.b64encode(hashlib.sha256(b"x()").digest()).decode()
    assert self_contained.policy("x()").endswith(f"script-src 'sha256-{digest}'")
    assert self_contained.policy("x()").startswith("default-src 'none'; ")


def test_every_form_field_has_a_name_by_which_browsers_know_it():
    for file in PAGE.rglob("*.js"):
        fields = re.findall(r'h\("(?:input|select|textarea)", \{[^}]*', file.read_text("utf-8"))
        assert all(re.search(r"\b(id|name)\b", field) for field in fields), (file.name, fields)
