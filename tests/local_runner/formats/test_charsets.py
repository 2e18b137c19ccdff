"""The bytes of a file become text: byte order marks, CA in SGF, guesses, bad bytes, and the end of DOS files."""

import codecs

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from local_runner.formats import read
from local_runner.system.decoding import decoded
from tests.local_runner.formats.making import DATA


def names_of(content):
    game = read("game.sgf", content).game(0)
    assert (len(game.cells), game.damage) == (2, "")
    return game.names


@pytest.mark.parametrize(("content", "names"), [
    (b"(;GM[4]CA[ISO-8859-1]PB[Jos\xe9]PW[M\xfcller];B[hh]C[caf\xe9];W[ii])", ("José", "Müller")),
    (b"(;GM[4]PB[Jos\xe9]PW[b];B[hh];W[ii])", ("José", "b")),
    (b"(;GM[4]PB[M\xfcller]PW[\xd6ztan];B[hh];W[ii])", ("Müller", "Öztan")),
    (b"(;GM[4]CA[UTF-8]PB[J\xc3\xbcrgen]PW[Zo\xff\xc3\xab];B[hh];W[ii])", ("Jürgen", "Zo\ufffdë")),
    (b"(;GM[4]CA[GB2312]PB[" + "黑方".encode("gbk") + b"\xe9]PW[b];B[hh];W[ii])", ("黑方\ufffd", "b")),
    (b"(;GM[4]CA[Shift_JIS]PB[\x8eR\x93c\x83]PW[b];B[hh];W[ii])", ("山田\ufffd", "b")),
    (b"(;GM[4]CA[none]PB[" + "黑方".encode() + b"]PW[b];B[hh];W[ii])", ("黑方", "b")),
    (b"(;GM[4]CA[UTF-8]PB[" + "黑方".encode("gbk") + b"]PW[b];B[hh];W[ii])", ("黑方", "b")),
    (b"(;GM[4]CA[utf-16]PB[a]PW[b];B[hh];W[ii])", ("a", "b")),
    ("(;GM[4]PB[山田太郎先生]PW[一];B[hh];W[ii])".encode("utf-16-le"), ("山田太郎先生", "一")),
    ("(;GM[4]PB[山田太郎先生]PW[一];B[hh];W[ii])".encode("utf-16-be"), ("山田太郎先生", "一")),
    ("(;GM[4]PB[山田]PW[一];B[hh];W[ii])".encode("utf-32-le"), ("山田", "一")),
    *((f"(;GM[4]PB[{black}]PW[{white}];B[hh];W[ii])".encode(encoding), (black, white)) for encoding, black, white in [
        ("cp932", "表示ソ", "十能"), ("cp932", "山田太郎", "転"), ("cp932", "ソ", "表"), ("cp950", "陳功", "周俊勳"),
        ("cp950", "許功", "林功"), ("gb18030", "孔杰", "常昊"), ("gb18030", "朱镕基", "古力"),
    ]),
])  # fmt: skip
def test_wrong_or_unnamed_bytes_cost_a_character_and_no_bracket(content, names):
    assert names_of(content) == names


def test_a_guess_is_named_and_nothing_else_is():
    guessed = read("x", "(;GM[4]PB[黑方];B[hh])".encode("gbk"))
    assert guessed.note == "the file does not name its encoding; it was read as GB18030"
    assert read("x", b"(;GM[4]PB[Jos\xe9];B[hh])").note.endswith("read as Windows-1252 (Latin-1)")
    assert not read("x", "(;GM[4]PB[黑方];B[hh])".encode()).note
    assert not read("x", "(;GM[4]CA[GBK]PB[黑方];B[hh])".encode("gbk")).note
    wrong = read("x", b"(;GM[4]CA[UTF-8]PB[" + "黑方".encode("gbk") + b"]PW[b];B[hh];W[ii])")
    assert wrong.note == "the encoding that the file names, UTF-8, does not fit it; it was read as GB18030"
    for named, said in (("ISO-8859-1", "Windows-1252 (Latin-1)"), ("GBK", "GB18030"), ("Big5", "Big5")):
        found = read("game.sgf", f"(;GM[4]CA[{named}]PB[张三]PW[李四];B[hh];W[ii])".encode())
        assert found.game(0).names == ("张三", "李四")
        assert found.note == f"the encoding that the file names, {said}, does not fit it; it was read as UTF-8"


def test_every_game_of_a_collection_has_its_own_charset():
    names = {"GBK": "黑方", "Big5": "許功蓋", "UTF-8": "Müller", "Shift_JIS": "山田"}
    parts = [f"(;GM[4]CA[{charset}]PB[{name}];B[hh])".encode(charset) for charset, name in names.items()]
    assert [heading.names[0] for heading in read("x", b"\n".join(parts))] == [*names.values()]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_every_format_is_read_in_unicode_of_any_width(encoding):
    for text in ("(;GM[4]PB[a];B[hh];W[ii])", "h8 i9", "1. h8 i9", "Piskvorky 15x15, 1:1, 0\r\n8,8,0\r\n9,9,0\r\n"):
        assert read("x", text.encode(encoding)).game(0).cells == ((7, 7), (8, 8))
    log = (DATA / "site_gobang.json").read_text()
    assert read("x", log.encode(encoding)).game(0).winner == 1  # PowerShell writes UTF-16 behind >
    mark = {"utf-16-le": codecs.BOM_UTF16_LE, "utf-16-be": codecs.BOM_UTF16_BE}.get(encoding, b"")
    assert decoded(mark + "黑".encode(encoding)).text == "黑"


@pytest.mark.parametrize("end", [b"\x1a", b"\r\n\x1a", b"\0", b"\0\0\0", b"\x1a\0\0"])
def test_the_end_of_a_dos_file_is_no_game(end):
    for content in (b"h8 h9 i9 i8\r\n", b"(;GM[4];B[hh];W[hi];B[ii];W[ih])"):
        found = read("game.txt", content + end)
        assert (len(found), found[0].plies, found.game(0).damage) == (1, 4, "")
    assert len(read("joined.txt", b"h8h9\x1ah8i9\x1a")) == 2


HAN = st.characters(min_codepoint=0x4E00, max_codepoint=0x9FA5)
KANJI, HANGUL = st.sampled_from("山田ゾ十表能ソあア"), st.sampled_from("김철수이영희")
POLISH, WESTERN = st.sampled_from("ŽžŁóź"), st.sampled_from("éàüñçß")
CYRILLIC = st.characters(min_codepoint=0x410, max_codepoint=0x44F)
LETTERS = {  # a charset as programs name it -> our codec, and letters that it has
    "UTF-8": ("utf-8", st.characters(codec="utf-8", exclude_categories=["C", "Z"], exclude_characters="[]\\:")),
    "utf8": ("utf-8", KANJI), "GB2312": ("gb2312", st.sampled_from("张三丰李四黑方")), "GBK": ("gbk", HAN),
    "gb18030": ("gb18030", HAN), **dict.fromkeys(("Shift_JIS", "x-sjis", "Windows-31J"), ("cp932", KANJI)),
    "EUC-JP": ("euc_jp", KANJI), "ISO-2022-JP": ("iso2022_jp", st.sampled_from("山田")),
    "Big5": ("big5", st.sampled_from("陳大文許功蓋林小明")),
    **dict.fromkeys(("EUC-KR", "ks_c_5601-1987"), ("cp949", HANGUL)),
    "windows-1251": ("cp1251", CYRILLIC), "KOI8-R": ("koi8-r", CYRILLIC), "ISO-8859-5": ("iso8859-5", CYRILLIC),
    **dict.fromkeys(("ISO-8859-1", "windows-1252"), ("cp1252", WESTERN)), "ISO-8859-2": ("iso8859-2", POLISH),
    "windows-1250": ("cp1250", POLISH), "cp1253": ("cp1253", st.sampled_from("Αθήν")),
}  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(st.data(), st.sampled_from(sorted(LETTERS)), st.sampled_from(["", "CA[{}]", "CA[ISO-8859-1]"]))
def test_a_name_in_any_charset_costs_no_move_and_with_ca_it_is_read_back(data, charset, ca):
    codec, letters = LETTERS[charset]
    black, white = (data.draw(st.text(letters, min_size=1, max_size=8)) for _side in range(2))
    text = f"(;FF[4]GM[4]{ca.format(charset)}SZ[15]PB[{black}]PW[{white}];B[hh]C[{white}];W[ii])"
    found = names_of(text.encode(codec))
    assert found == (black, white) or ca != "CA[{}]"
