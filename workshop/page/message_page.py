"""Makes the text of docs/developers/messages.md from the classes of the messages. `make messages` writes the file.

The docstring of a class becomes its text; the fields become a table. A test fails if the file is not current.
"""

import json
import re
import types
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel

from local_runner.server import answers, parts, requests
from local_runner.server.parts import Wire

PAGE = Path(__file__).resolve().parents[2] / "docs" / "developers" / "messages.md"
HEAD = f"""# Messages between the page and the server

`make messages` writes this page from the classes in `local_runner/server/`. The messages have version {parts.VERSION}.

The page in the browser opens one WebSocket, `/ws`. Every message is a JSON object; its field `type` names the kind of
message. The server refuses unknown fields, and messages of more than {requests.LONGEST:,} bytes. The first message is
`hello`. A request has a `tag`, a number that the page chooses and that all answers repeat. If a request cannot be
done, the answer is `refusal`. The server disconnects a page that sends many unreadable messages, or far too many.

A cell is a number, row * columns + column; -1 is a pass or a lost turn. Texts for the user are in the language that
`hello` names.

Every HTTP request except `/` needs the cookie that `GET /?key=SECRET` sets. The server refuses requests with a foreign
Host or Origin.

| request | answer |
|---|---|
| `GET /?key=SECRET` | the page, and the cookie |
| `GET /page/NAME` | a file of the page |
| `GET /messages/zh.json` | the page's texts in Chinese, by the English ones |
| `POST /upload?name=NAME`, a submission.py | `{{"upload": ID, "name": NAME}}` |
| `POST /open?name=NAME`, a file of games | `{{"file": ID, "kind": FORMAT, "games": [...], "problem": ""}}` |
| `GET /export/ROOM_OR_FILE.EXT?number=N` | a game as sgf, json, psq, txt, svg, png, gif or html |
| `GET /tree/TREE.sgf` | the tree of an analysis board with its variations, as SGF |
| `POST /export.EXT`, a PagePosition | the position in the same formats |

If a request cannot be done, the answer is `{{"problem": SENTENCE}}`. A refused file or upload has the code 200, because
the page made no error. All other problems have a code of 400 or more. Every address may have `language=en` or
`language=zh`.
"""
LIMITS = {"ge": "at least {}", "le": "at most {}", "lt": "less than {}", "max_length": "at most {} long",
          "pattern": "like `{}`"}  # fmt: skip
SECTIONS = (("From the page", requests), ("From the server", answers), ("Parts", parts))


def page() -> str:
    """The text of the whole page."""
    parts_of_page = [HEAD]
    for title, module in SECTIONS:
        parts_of_page.append(f"## {title}\n")
        parts_of_page += [_section(each) for each in _classes(module)]
    return "\n".join(parts_of_page)


def _classes(module: types.ModuleType) -> list[type[BaseModel]]:
    """The message classes that a module defines, in the order of the module."""
    own = [each for each in vars(module).values() if isinstance(each, type) and issubclass(each, Wire)]
    return [each for each in own if each.__module__ == module.__name__ and each is not Wire]


def _section(message: type[BaseModel]) -> str:
    kind = message.model_fields.get("type")
    name = f"`{kind.default}`" if kind is not None else message.__name__
    text = re.sub(r"\s+", " ", (message.__doc__ or "").strip())
    rows = [f"| `{field}` | {_type(info)} | {_default(info)} |" for field, info in message.model_fields.items()
            if field != "type"]  # fmt: skip
    table = ["", "| field | type | default |", "|---|---|---|", *rows] if rows else []
    return "\n".join([f"### {name}", "", text, *table, ""])


def _type(info: Any) -> str:
    limits = [_limit(rule) for rule in info.metadata]
    return ", ".join([_words(info.annotation), *filter(None, limits)])


def _limit(rule: Any) -> str:
    for name, words in LIMITS.items():
        if (value := getattr(rule, name, None)) is not None:
            return words.format(value)
    return ""


def _words(annotation: Any) -> str:
    origin, inner = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _words(inner[0])
    if origin is Literal:
        return " or ".join(f"`{each!r}`".replace("'", '"') for each in inner)
    if origin in (Union, types.UnionType):
        return " or ".join(map(_words, inner))
    if origin is tuple:
        return "[" + ", ".join(map(_words, inner)) + "]"
    if origin is list:
        return f"list of {_words(inner[0])}"
    if origin is dict:
        return "object"
    return {type(None): "null", str: "text", int: "integer", float: "number", bool: "true or false"}.get(
        annotation, getattr(annotation, "__name__", str(annotation))
    )


def _default(info: Any) -> str:
    if info.is_required():
        return ""
    value = info.get_default(call_default_factory=True)
    return f"`{json.dumps(value)}`"
