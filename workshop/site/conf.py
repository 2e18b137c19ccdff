"""Sphinx's configuration, the same for every part of the site. `make docs` names the part in TENGEN_DOCS_PART."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.locale import _ as sphinx_text
from sphinx.search import SearchLanguage, languages

from workshop.site import pages

HERE = Path(__file__).resolve().parent
WIDE = r"[\u3000-\u303f\u3400-\u9fff\uff00-\uffef“”‘’…—]"  # Chinese characters and marks
MARK = r"[\u3000-\u303f\uff00-\uffef]"  # full-width punctuation: no space stands before or after it
BREAK = re.compile(rf"(?<={WIDE})\n *(?={WIDE})|(?<={MARK})\n *(?=[`\w\[])|(?<=[`\w)])\n *(?={MARK})")
CODE = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)
TAG = re.compile(r'<a class="headerlink".*?</a>|<(?!/?section)[^>]*>', re.DOTALL)
TEXTS: dict[str, str] = {}  # file of a page -> its text with its sections, for the search
# The search fetches pages for excerpts, which browsers refuse for a page that was opened as a file. First come pages
# with the query in their title, then headings, then pages that contain it, then names of the Python package.
SEARCH = """
const texts = TEXTS;
window.fetch = async (address) => new Response(
  `<div role="main">${texts[address.slice(document.documentElement.dataset.content_root.length)]}</div>`);
document.addEventListener("DOMContentLoaded", () => {
  const bare = (text) => text.toLowerCase().replace(/[\\s-]/g, "");  // "time out" finds "timeout"
  const query = bare(new URLSearchParams(location.search).get("q") || "") || "?";
  const named = ([, title, , , , , kind]) => kind !== "object" && bare(title.split(" > ")[0]).includes(query);
  Object.assign(Scorer, {objPrio: {}, score: (hit) => hit[4] + (hit[6] === "title") + 50 * named(hit)});
});
"""
FILES = "_files"  # folder of the site for files of the repository that pages link to

sys.path.append(str(pages.DOCS.parent / "local_runner" / "python"))  # where `tengen` is not installed

BRAND = ("color-brand-primary", "color-brand-content", "color-brand-visited")
FONTS = 'system-ui, -apple-system, "Segoe UI", "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif'
THEME_TEXTS = {  # texts of the theme that Sphinx does not translate
    "Back to top": "回到顶部",
    "Home": "首页",
    "Next": "下一页",
    "On this page": "本页内容",
    "Previous": "上一页",
    "Skip to content": "跳到正文",
    "Please activate JavaScript to enable the search functionality.": "搜索需要 JavaScript。",
}

part = os.environ["TENGEN_DOCS_PART"]
project = html_title = pages.TITLES[part]
language = pages.LANGUAGES[part]
extensions = ["myst_parser", "sphinx_copybutton", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
source_suffix = {".md": "markdown", ".ipynb": "markdown"}
myst_heading_anchors = 4
templates_path = [str(HERE / "templates")]
html_theme = "furo"
html_static_path = [str(HERE / "static")]
html_css_files = ["site.css"]
html_copy_source = html_show_sourcelink = html_show_copyright = False
html_use_index = part != "developers"
html_theme_options = {
    "top_of_page_buttons": [],
    "announcement": "links",  # templates/page.html fills it
    "light_css_variables": dict.fromkeys(BRAND, "#1f6f50") | {"font-stack": FONTS},  # the green of the page
    "dark_css_variables": dict.fromkeys(BRAND, "#5fc296"),
}
autodoc_member_order = "bysource"
add_module_names = False
default_role = "code"  # `name` in a docstring
napoleon_use_ivar = True
python_maximum_signature_line_length = 90
python_use_unqualified_type_names = True
copybutton_exclude = ".linenos, .gp"


class ChineseSearch(SearchLanguage):
    """Replaces Sphinx's Chinese search, which does not cut a query into words."""

    lang = "zh"
    language_name = "Chinese"
    js_splitter_code = pages.SPLITTER

    def split(self, text: str) -> list[str]:
        """The words of a text."""
        return pages.words(text)


def prepare(_: Sphinx, docname: str, source: list[str]) -> None:
    """Make a notebook, which is JSON, into Markdown; join lines of Chinese; add the part's menu to its index page.

    A browser would show a line's end in a Chinese paragraph as a space inside a sentence.
    """
    if source[0].startswith("{"):
        source[0] = pages.as_markdown(source[0])
    if language.startswith("zh"):
        blocks = CODE.split(source[0])
        source[0] = "".join(block if CODE.fullmatch(block) else BREAK.sub("", block) for block in blocks)
    if docname == "index":
        for title, names in pages.menu(part):
            lines = "\n".join(names)
            source[0] += f"\n\n```{{toctree}}\n:glob:\n:hidden:\n:caption: {title}\n\n{lines}\n```\n"


def mark_code(_app: Sphinx, _what: str, _name: str, _object: object, _options: object, lines: list[str]) -> None:
    """Mark the indented examples of a docstring as code."""
    for number in range(len(lines) - 1, 1, -1):
        above, blank, line = lines[number - 2 : number + 1]
        if line.startswith("    ") and not blank and re.match(r"\S(?!.*:$)", above):
            lines[number:number] = ["::", ""]


def complete(app: Sphinx, page: str, _template: str, context: dict[str, Any], _tree: object) -> None:
    """Give a page's template the links between the parts, and the theme's texts in the part's language.

    The page of the search, which is built last, gets the texts of all pages.
    """
    TEXTS[f"{page}.html"] = TAG.sub("", context.get("body", ""))
    if page == "search":
        app.add_js_file(None, body=SEARCH.replace("TEXTS", json.dumps(TEXTS).replace("</", r"<\/")))
    context["part_links"] = list(pages.links(part, page))
    if language.startswith("zh"):
        context["_"] = context["gettext"] = lambda text: THEME_TEXTS.get(text.strip()) or sphinx_text(text)


def lead_out(app: Sphinx, doctree: nodes.document) -> None:
    """Make links to pages of other parts, and to text files of the repository, which are copied into the site."""
    up = "../" * app.env.docname.count("/")
    for node in list(doctree.findall(pending_xref)):
        target = Path(f"{node['reftarget']}.md")
        if node.get("refdomain") != "doc" or not target.is_absolute():
            continue
        if target.is_relative_to(pages.DOCS):
            address = f"{up}../{target.relative_to(pages.DOCS).with_suffix('.html').as_posix()}"
        else:
            name = f"{FILES}/{target.relative_to(pages.DOCS.parent).as_posix()}.txt"  # browsers show .txt
            (app.outdir / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(target, app.outdir / name)
            address = up + name
        anchor = f"#{node['reftargetid']}" if node["reftargetid"] else ""
        node.replace_self(nodes.reference("", "", *node.children, internal=False, refuri=address + anchor))


def setup(app: Sphinx) -> None:
    """Connect the functions above."""
    languages["zh"] = ChineseSearch
    app.connect("autodoc-process-docstring", mark_code, priority=400)  # before napoleon
    app.connect("source-read", prepare)
    app.connect("html-page-context", complete)
    app.connect("doctree-read", lead_out)
