"""Messages that are kept in English and translated when shown, and the commands' output in Chinese."""

from __future__ import annotations

import json
import pickle
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from local_runner.language import languages
from local_runner.language.languages import COMMA, Message, Series, shown
from local_runner.upload.check import check
from local_runner.upload.check.report import CheckReport, Verdict
from tests.local_runner.upload.uploads import both

pytestmark = pytest.mark.usefixtures("without_vermin")
Tengen = Callable[..., tuple[int, str, str]]  # the fixture: arguments -> exit code, stdout, stderr


@pytest.fixture
def chinese() -> Iterator[None]:
    languages.use(languages.CHINESE)
    yield
    languages.use(languages.ENGLISH)


STEP = Message("step {number}", number=3)
MESSAGES = [  # message, in English, in Chinese
    (Message("first move"), "first move", "第 1 步"),
    (STEP, "step 3", "第 3 步"),
    (Message("step {number}: {what}", number=3, what="raised {x}"), "step 3: raised {x}", "第 3 步：raised {x}"),
    (Message(Message("crashes on {game}: {how}"), game="x", how=STEP), "crashes on x: step 3", "下x时崩溃：第 3 步"),
    (Series([STEP, "y"]), "step 3; y", "第 3 步；y"),
    (Series([STEP, Series(["y", STEP], COMMA)]), "step 3; y, step 3", "第 3 步；y，第 3 步"),
    (Series([]), "", ""),
    ("step 3", "step 3", "step 3"),
]


@pytest.mark.parametrize(("message", "english", "translated"), MESSAGES)
def test_a_message_is_english_until_it_is_shown(message: str, english: str, translated: str, chinese: None) -> None:
    assert (str(message), json.loads(json.dumps(message)), shown(message)) == (english, english, translated)
    assert message == english and hash(message) == hash(english)
    assert shown(pickle.loads(pickle.dumps(message))) == translated
    languages.use(languages.ENGLISH)
    assert shown(message) == english


@pytest.mark.slow
@pytest.mark.usefixtures("short_games")
def test_a_check_is_shown_in_chinese_and_its_json_stays_english(
    tengen: Tengen, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reports: list[CheckReport] = []  # of one check, which both commands show

    def checked(*given: Any, **how: Any) -> CheckReport:
        reports.extend([] if reports else [check(*given, **how)])
        return reports[0]

    monkeypatch.setattr("local_runner.upload.check.check", checked)
    arguments = ("check", both(tmp_path, "{15: 1}[n]"), "--quick", "--lang")
    _, out, err = tengen(*arguments, "zh")
    assert "可以上传：五子棋；下黑白棋（10×10）时崩溃：KeyError: 10，第 1 步。\n只检查五子棋：--env" in out
    assert "检查项" in out and "语法" in out and "五子棋，自己对自己：" in err and Verdict.FAILED.value not in out
    left = re.findall(r"[A-Za-z]{3,} (?:the|is|of|to|it|a) [a-z]+", re.sub(r"(?m)^ *(Traceback|File).*", "", out + err))
    assert left == []
    code, out, _ = tengen(*arguments, "zh", "--json")
    assert code == 1
    found = json.loads(out)
    assert found["verdict"] == "Ready for gobang_1v1; crashes on reversi_1v1: KeyError: 10, first move."
    texts = [row[part] for row in found["rows"] for part in ("name", "found", "mend")]
    assert not re.search(r"[\u4e00-\u9fff]", out + "".join([*texts, *found["games"].values()]))
