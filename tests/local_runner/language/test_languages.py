"""The language of help and messages: its choice, the words and punctuation of Chinese texts, and stored Messages."""

import ast
import gettext
import json
import pickle
import re
from string import Formatter

import pytest
from rich.cells import cell_len

from local_runner.game.records import Reply
from local_runner.game.session import GameSession, fault_in
from local_runner.game.setup import GameSetup, called
from local_runner.game.wording import fault_text
from local_runner.language import languages
from local_runner.language.languages import COMMA, Listing, Message, Series, brief, shown
from local_runner.upload.check import check
from local_runner.upload.check.report import Verdict
from tests.conftest import ROOT
from tests.local_runner.processes.naughty import path_of
from tests.local_runner.upload.uploads import both
from workshop.page import messages

HAN, FULL = "[\u4e00-\u9fff]", "[，。：；、！？（）“”]"
CHINESE = re.compile(HAN)
NAMES = {  # messages whose Chinese translation equals the English text, or has no words
    "tengen", "{done} of {total}", "{names} and {last}", "Python {version}, numpy {numpy}", "{path} ({size:,.0f} kB)",
    "{size} by {size}",
}  # fmt: skip
IN_FILE = [message for message in messages.catalogue() if message.id]


def test_the_catalogue_has_a_translation_of_every_message_and_no_other():
    assert {message.id for message in IN_FILE} == {message for message in messages.messages() if message}
    with open(messages.COMPILED, "rb") as file:
        compiled = gettext.GNUTranslations(file)
    assert [message.id for message in IN_FILE if compiled.gettext(message.id) != message.string] == []


def test_a_translation_is_chinese_and_has_the_same_places_to_fill():
    for message in IN_FILE:
        words = re.search("[A-Za-z]", re.sub(r"{[^}]*}", "", message.id))  # other messages are punctuation
        assert CHINESE.search(message.string) or not words or message.id in NAMES, message.id
        english, chinese = (
            sorted(str(part[1:]) for part in Formatter().parse(text) if part[1] is not None)
            for text in (message.id, message.string)
        )
        assert english == chinese and not message.fuzzy, message.id
        assert all(option in message.string for option in re.findall(r"--[a-z][a-z-]+", message.id)), message.id
        assert message.id.count("\n\n") == message.string.count("\n\n"), message.id


def test_every_mark_is_one_that_can_be_collected():
    """Babel does not look into f-strings. `_` takes a variable only for help texts."""
    calls = [
        (path.name, node.func.id, node.args[0])
        for path in messages.RUNNER.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in messages.KEYWORDS
    ]
    assert not any(isinstance(word, ast.JoinedStr) for _, _, word in calls)
    variable = {file for file, name, word in calls if name == "_" and not isinstance(word, ast.Constant)}
    assert variable == {"help_page.py"}


@pytest.mark.parametrize(("environment", "language"), [
    ({}, "en"),
    ({"LANG": "zh_CN.UTF-8"}, "zh"),
    ({"LANG": "de_DE.UTF-8"}, "en"),
    ({"LANG": "zh_CN.UTF-8", "LC_MESSAGES": "en_GB.UTF-8"}, "en"),
    ({"LANG": "en_GB.UTF-8", "LC_MESSAGES": "zh_TW.UTF-8"}, "zh"),
    ({"LANG": "zh_CN.UTF-8", "LC_MESSAGES": "zh_CN.UTF-8", "LC_ALL": "C.UTF-8"}, "en"),
    ({"LANG": "zh", "LC_ALL": ""}, "zh"),
])  # fmt: skip
def test_the_locale_chooses(environment, language, tengen, monkeypatch):
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    shown = {"en": "tengen: unknown option '--no'", "zh": "tengen: 未知的选项 '--no'"}[language]
    assert tengen("match", "--no")[2].startswith(shown)


@pytest.mark.parametrize(("arguments", "sentence"), [
    ("--lang zh match a", "缺少 B（见 tengen match -h）"),
    ("match --lang zh-CN a", "缺少 B（见 tengen match -h）"),
    ("match a --lang=ZH", "缺少 B（见 tengen match -h）"),
    ("--lang en match a --lang zh_CN.UTF-8", "缺少 B（见 tengen match -h）"),
    ("match a b --lang", "unknown language ''; choose one of: en, zh"),
    ("--lang zhs match", "unknown language 'zhs'; did you mean zh?"),
    ("match a -- --lang zh", "too many arguments: zh (see tengen match -h)"),
    ("--lang zh match greedy greedy --sandbox x", "未知的 --sandbox 'x'；可选：auto、on、off（见 tengen match -h）"),
    ("--lang zh match greedy greedy --rules x", "未知的规则 'x'；可选：platform、stated"),
])  # fmt: skip
def test_the_option_stands_anywhere(arguments, sentence, tengen):
    assert tengen(*arguments.split()) == (2, "", f"tengen: {sentence}\n")


def test_the_option_wins_over_the_locale(tengen, monkeypatch):
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    assert tengen("match", "a", "--lang", "en_GB")[2] == "tengen: B is missing (see tengen match -h)\n"


def test_chinese_help_is_whole_breaks_no_word_and_begins_no_line_with_a_full_stop(tengen, monkeypatch):
    text = re.sub(r"[\s│]+", "", tengen("--lang", "zh", "tournament", "-h")[1])
    assert "用法：tengentournament" in text and "需要安装tengen[cluster]。" in text and "[默认：gobang_1v1]" in text
    monkeypatch.setenv("COLUMNS", "80")
    page = tengen("--lang", "zh", "match", "-h")[1]
    lines = [line.strip("│ ").rsplit("  ", 1)[-1].strip() for line in page.splitlines()]
    assert any("random：" in line for line in lines) and any("off：" in line for line in lines)
    assert not [line for line in lines if line[:1] in set("，。：；、！？）")]


@pytest.mark.parametrize("arguments", [
    ["match", "greedy", "greedy", "--board-size", "4"],
    ["match", "seed000", "greedy", "--env", "reversi_1v1", "--board-size", "5"],
    ["match", "tengen:depht=2", "greedy"],
    ["match", "greedy", "greedy", "--seed", "x"],
    ["match", "greedy", "greedy", "--board", "no_such_file"],
    ["replay", "no_such_file.sgf"],
    ["run-log", "--black", "greedy", "--white", "greedy", "--out", "/dev/null/folder"],
])  # fmt: skip
def test_a_mistake_is_told_in_chinese_alone(arguments, tengen):
    code, _, said = tengen("--lang", "zh", *arguments)
    assert code == 2 and not re.search(r"[a-z]+ [a-z]+ [a-z]+", said), said


def test_a_move_is_refused_in_chinese_and_recorded_in_english(tengen):
    languages.use("zh")
    session = GameSession(GameSetup("tictactoe_1v1"))
    session.play((1, 1))
    assert session.why_not((1, 1)) == "b2 已有黑子；合法着法：a1、b1、c1、a2、c2 等，另有 3 个"
    fault = fault_in(Reply(cell=(1, 1)), session.env, decoded=True, strict=True)
    assert fault_text(fault) == "played (1, 1): b2 holds a stone of Black's; legal: a1, b1, c1, a2, c2 and 3 more"


@pytest.mark.slow
def test_the_process_that_plays_a_log_speaks_the_language_too(tengen):
    arguments = ("--black", path_of("raiser"), "--white", "random", "--env", "tictactoe_1v1")
    code, _, err = tengen("--lang", "zh", "run-log", *arguments)
    assert code == 1 and "tengen: 黑方（raiser）在第 1 步抛出异常：" in err


def test_lists_are_chinese_and_their_columns_are_aligned(tengen):
    lines = tengen("--lang", "zh", "opponents")[1].splitlines()
    assert all(CHINESE.search(line) for line in lines if line and not line.startswith(" "))
    head, _line, *rows = tengen("--lang", "zh", "games")[1].splitlines()
    assert {cell_len(row[: row.index("tengen")]) for row in rows} == {cell_len(head[: head.index("智能体")])}
    assert all("platform、stated" in row for row in rows)  # the values of --rules


# ---- the words of the Chinese texts

GLOSSARY = (ROOT / "docs/developers/glossary.md").read_text("utf-8")
REFUSED = [word for row in re.findall(r"^\| ([^|]+) \|", GLOSSARY.partition("\n| not | but |\n")[2], re.MULTILINE)
           for word in row.split("、")]  # fmt: skip
PAGES = [ROOT / "README.zh.md", *(ROOT / "docs/zh").rglob("*.md")]
TEXTS = [message.string for message in IN_FILE]
BAD_MARKS = {
    "a space between Chinese characters": rf"{HAN} +{HAN}",
    "a space beside a full-width mark": rf"{FULL} +\S| +{FULL}",
    "a half-width mark beside a Chinese character": rf"{HAN} ?[,:;!?()]|[,:;!?()]{HAN}|{HAN}\.{HAN}",
    "a space before a percent sign": r"[\d}] %",
}


@pytest.mark.parametrize("what", BAD_MARKS)
def test_the_marks_of_the_catalogue(what):
    assert not [text for text in TEXTS if re.search(BAD_MARKS[what], text)]


def test_the_words_of_the_catalogue():
    assert {"回溯", "连珠", "半回合", "缓着", "人类"} <= set(REFUSED)
    assert not [text for text in TEXTS if any(word in text for word in REFUSED)]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_the_words_of_a_page(path):
    text = path.read_text("utf-8")
    assert not [word for word in REFUSED if word in text]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_no_line_of_a_page_breaks_within_a_sentence(path):
    """A browser shows a line's end as a space; Chinese text has spaces only beside Latin letters."""
    prose = re.sub(r"^```.*?^```", "", path.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    assert re.findall(rf"^(?![|#<]).*[{HAN[1:-1]}A-Za-z0-9]\n *{HAN}.*", prose, re.MULTILINE) == []


@pytest.mark.parametrize(("number", "english", "chinese"), [
    (0, "0", "0"), (950, "950", "950"), (7792, "7.8 k", "7,792"), (12_345, "12 k", "1.2 万"),
    (151_000, "151 k", "15.1 万"),
    (3_400_000, "3.4 M", "340 万"), (250_000_000, "250 M", "2.5 亿"), (7e9, "7.0 G", "70.0 亿"),
])  # fmt: skip
def test_large_numbers(number, english, chinese):
    assert brief(number) == english
    with languages.speaking(languages.CHINESE):
        assert brief(number) == chinese


def test_names_in_a_list():
    names = Listing([called("gobang_1v1"), "other", called("reversi_8x8_1v1")])
    assert names == "gobang_1v1, other, reversi_8x8_1v1"
    with languages.speaking(languages.CHINESE):
        assert shown(names) == "五子棋、other、黑白棋（8×8）"


# ---- messages

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
def test_a_message_is_english_until_it_is_shown(message, english, translated):
    with languages.speaking(languages.CHINESE):
        assert (str(message), json.loads(json.dumps(message)), shown(message)) == (english, english, translated)
        assert message == english and hash(message) == hash(english)
        assert shown(pickle.loads(pickle.dumps(message))) == translated
    assert shown(message) == english


@pytest.mark.slow
@pytest.mark.usefixtures("short_games", "without_vermin")
def test_a_check_is_shown_in_chinese_and_its_json_stays_english(tengen, tmp_path, monkeypatch):
    reports = []  # of one check, which both commands show

    def checked(*given, **how):
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
