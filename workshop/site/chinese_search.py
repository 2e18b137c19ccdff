"""The words of a Chinese text for the search: every two neighbouring characters, and words in Latin letters.

The browser cuts a query in the same way (`SPLITTER`), so the search finds any piece of a sentence without a dictionary.
Pairs of a query that no page has are ignored: a question such as "沙箱能防什么" finds pages with 沙箱.
"""

from __future__ import annotations

import re

RUN = re.compile(r"[\u3400-\u9fff]+|[a-z0-9_]+")
SPLITTER = r"""
var splitQuery = (query) => {
  const words = (query.toLowerCase().match(/[\u3400-\u9fff]+|[a-z0-9_]+/g) || []).flatMap((run) =>
    /[a-z0-9_]/.test(run) || run.length < 2 ? [run] : [...run].slice(1).map((_, i) => run.slice(i, i + 2)));
  const known = words.filter((word) => /[a-z0-9_]/.test(word) || Search._index?.terms[word] !== undefined
    || Search._index?.titleterms[word] !== undefined);
  return known.length ? known : words;
};
"""


def words(text: str) -> list[str]:
    """The words of a text.

    >>> words("禁手规则 tengen check")
    ['禁手', '手规', '规则', 'tengen', 'check']
    """
    found = list[str]()
    for run in RUN.findall(text.lower()):
        pairs = [run[i : i + 2] for i in range(len(run) - 1)]
        found += [run] if run.isascii() or not pairs else pairs
    return found
