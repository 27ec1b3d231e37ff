"""Bad requests: each is answered in words, the match stays as it was, and the engine goes on."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludotheque.engine import LONGEST_LINE, Engine

RUNNING = (b'{"do":"new","game":"yam-master","seed":5}', b'{"do":"play","action":"11123"}')


def running_engine() -> Engine:
    engine = Engine()
    for line in RUNNING:
        engine.answer(line)
    return engine


def refused(engine: Engine, line: bytes) -> str:
    """The error, after checking that nothing else has changed."""
    before = engine.answer(b'{"do":"record"}')
    answer = engine.answer(line)
    assert answer is not None
    read = json.loads(answer.decode("utf-8"))
    assert set(read) == {"ok", "error"}
    assert read["ok"] is False
    assert isinstance(read["error"], str)
    assert read["error"]
    assert "fault" not in read["error"]
    assert engine.answer(b'{"do":"record"}') == before
    return str(read["error"])


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b"{", "not JSON"),
        (b'{"do":"hello"', "not JSON"),
        (b"hello", "not JSON"),
        (b'{"do":"hello"} {"do":"hello"}', "not JSON"),
        (b"{'do':'hello'}", "not JSON"),
        (b'{"do":"hello",}', "not JSON"),
        (b'\xef\xbb\xbf{"do":"hello"}', "not JSON"),
        (b"\xff\xfe", "UTF-8"),
        (b'{"do":"hell\xe9"}', "UTF-8"),
        ('{"do":"hello"}'.encode("utf-16"), "UTF-8"),
        ('{"do":"hello"}'.encode("utf-16-le"), "not JSON"),
        (b'{"do":"hello","x":NaN}', "NaN"),
        (b'{"do":"bot","seconds":Infinity}', "Infinity"),
        (b'{"do":"bot","seconds":1e999}', "too large"),
        (b'{"do":"new","game":"yam-master","seed":' + b"1" * 5000 + b"}", "too long"),
        (b"[" * 100 + b"]" * 100, "nested"),
        (b"[" * 100_000 + b"]" * 100_000, "nested"),
        (b'{"do":"hello","x":' + b'{"x":' * 1000 + b"1" + b"}" * 1001, "nested"),
        (b" " * LONGEST_LINE + b"1", "1 MiB"),
        (b"[]", "JSON object"),
        (b"null", "JSON object"),
        (b"5", "JSON object"),
        (b'"hello"', "JSON object"),
        (b"{}", '"do" is missing'),
        (b'{"Do":"hello"}', '"do" is missing'),
        (b'{"do":null}', "do: expected a text"),
        (b'{"do":["hello"]}', "do: expected a text"),
        (b'{"do":1}', "do: expected a text"),
        (b'{"do":"Hello"}', 'Did you mean "hello"?'),
        (b'{"do":"hello "}', 'Did you mean "hello"?'),
        (b'{"do":""}', "There are: hello, new"),
        (b'{"do":"\\ud800"}', "lone surrogate"),
        (b'{"do":"new"}', '"game" is missing'),
        (b'{"do":"new","game":3}', "game: expected a text"),
        (b'{"do":"new","game":"yam"}', "no game"),
        (b'{"do":"new","game":"yammaster"}', 'Did you mean "yam-master"?'),
        (b'{"do":"new","game":"Yam-Master"}', 'Did you mean "yam-master"?'),
        (b'{"do":"new","game":"yam-master","players":3}', "for 2 players"),
        (b'{"do":"new","game":"yam-master","players":1}', "for 2 players"),
        (b'{"do":"new","game":"yam-master","players":2.0}', "for 2 players"),
        (b'{"do":"new","game":"yam-master","players":"2"}', "for 2 players"),
        (b'{"do":"new","game":"yam-master","players":true}', "for 2 players"),
        (b'{"do":"new","game":"yam-master","players":null}', "players"),
        (b'{"do":"new","game":"yam-master","players":[2]}', "for 2 players"),
        (b'{"do":"new","game":"yam-master","options":[]}', "options: expected an object"),
        (b'{"do":"new","game":"yam-master","options":null}', "options: expected an object"),
        (b'{"do":"new","game":"yam-master","options":{"turns":3}}', "no option"),
        (b'{"do":"new","game":"yam-master","options":{"max_turn":3}}', 'Did you mean "max_turns"?'),
        (b'{"do":"new","game":"yam-master","options":{"max_turns":0}}', "from 1 to 1000"),
        (b'{"do":"new","game":"yam-master","options":{"max_turns":1001}}', "from 1 to 1000"),
        (b'{"do":"new","game":"yam-master","options":{"max_turns":10.0}}', "from 1 to 1000"),
        (b'{"do":"new","game":"yam-master","options":{"max_turns":true}}', "from 1 to 1000"),
        (b'{"do":"new","game":"yam-master","options":{"max_turns":"10"}}', "from 1 to 1000"),
        (b'{"do":"new","game":"yam-master","seed":1.0}', "whole number or a text"),
        (b'{"do":"new","game":"yam-master","seed":true}', "whole number or a text"),
        (b'{"do":"new","game":"yam-master","seed":null}', "whole number or a text"),
        (b'{"do":"new","game":"yam-master","seed":[1]}', "whole number or a text"),
        (b'{"do":"new","game":"yam-master","seed":"' + b"x" * 1001 + b'"}', "whole number or a text"),
        (b'{"do":"new","game":"yam-master","setup":null}', "setup: expected an object"),
        (b'{"do":"new","game":"yam-master","setup":[]}', "setup: expected an object"),
        (b'{"do":"new","game":"yam-master","setup":{}}', '"phase" is missing'),
        (b'{"do":"play"}', '"action" is missing'),
        (b'{"do":"play","action":null}', "action: expected a text"),
        (b'{"do":"play","action":["pass"]}', "action: expected a text"),
        (b'{"do":"play","action":"Pass"}', "not possible now"),
        (b'{"do":"play","action":"pass "}', "not possible now"),
        (b'{"do":"play","action":" pass"}', "not possible now"),
        (b'{"do":"play","action":"keep 21"}', "not possible now"),
        (b'{"do":"play","action":"keep 4"}', "not possible now"),
        (b'{"do":"play","action":"keep 11123"}', "not possible now"),
        (b'{"do":"play","action":"place r5c5"}', "not possible now"),
        (b'{"do":"play","action":"11123"}', "not possible now"),
        (b'{"do":"play","action":""}', "not possible now"),
        (b'{"do":"play","action":"\\ud800"}', "lone surrogate"),
        (b'{"do":"play","action":"pass\\u0000"}', "NUL"),
        (b'{"do":"peek","action":"nothing"}', "not possible now"),
        (b'{"do":"peek"}', '"action" is missing'),
        (b'{"do":"chance"}', "not chance's turn"),
        (b'{"do":"load"}', '"record" is missing'),
        (b'{"do":"load","record":null}', "expected an object"),
        (b'{"do":"load","record":{}}', "no record of Ludoth"),
        (b'{"do":"load","record":"{}"}', "expected an object"),
    ],
)
def test_a_bad_request_is_refused_in_words_and_changes_nothing(line: bytes, words: str) -> None:
    engine = running_engine()
    assert words in refused(engine, line)
    assert json.loads(engine.answer(b'{"do":"hello"}') or b"")["ok"] is True


@pytest.mark.parametrize("do", ["legal", "play", "peek", "chance", "undo", "view", "bot", "record"])
def test_without_a_match_there_is_nothing_to_do(do: str) -> None:
    answer = json.loads(Engine().answer(json.dumps({"do": do, "action": "pass"}).encode()) or b"")
    assert answer["ok"] is False
    assert '{"do":"new"' in answer["error"]


def test_an_illegal_action_is_told_what_is_legal() -> None:
    engine = Engine()
    engine.answer(b'{"do":"new","game":"yam-master","seed":5}')
    engine.answer(b'{"do":"play","action":"11123"}')
    engine.answer(b'{"do":"play","action":"keep 1112"}')
    engine.answer(b'{"do":"play","action":"11124"}')
    engine.answer(b'{"do":"play","action":"keep 1112"}')
    engine.answer(b'{"do":"play","action":"11124"}')
    possible = refused(engine, b'{"do":"play","action":"keep"}').split("Possible: ")[1].rstrip(".").split(", ")
    assert set(possible) == {"pass", "place r1c1", "place r4c5"}


@pytest.mark.parametrize("line", [b"", b" ", b"\t\r", b"   \r"])
def test_blank_lines_get_no_answer(line: bytes) -> None:
    assert Engine().answer(line) is None


def test_unknown_extra_keys_and_windows_line_ends_are_ignored() -> None:
    answer = Engine().answer(b'{"do":"new","game":"yam-master","seed":1,"id":7,"players":2,"x":{"y":[]}}\r')
    assert json.loads(answer or b"")["ok"] is True


def good_record() -> dict[str, Any]:
    engine = running_engine()
    record: dict[str, Any] = json.loads(engine.answer(b'{"do":"record"}') or b"")["record"]
    return record


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        ({"ludotheque": 2}, "format 2"),
        ({"ludotheque": 1.0}, "ludotheque"),
        ({"game": "chess"}, "no game"),
        ({"rules": 99}, "version 99"),
        ({"options": {"max_turns": 0}}, "max_turns"),
        ({"players": []}, "players"),
        ({"players": [{"name": "A", "kind": "human"}]}, "2 players"),
        ({"players": "AB"}, "players"),
        ({"actions": ["11123", "keep 9"]}, "actions[1]"),
        ({"actions": ["11132"]}, "actions[0]"),
        ({"actions": [11123]}, "actions[0]"),
        ({"actions": {}}, "actions"),
        ({"setup": {}}, "phase"),
        ({"setup": None}, "setup"),
        ({"returns": [1, 0]}, "returns"),
        ({"dice": []}, "dice"),
        ({"dice": {"seed": 5}}, "seed"),
        ({"dice": {"draws": [[1]]}}, "draws[0]"),
    ],
)
def test_a_damaged_record_is_refused_with_the_place(damage: dict[str, Any], words: str) -> None:
    line = json.dumps({"do": "load", "record": {**good_record(), **damage}}).encode()
    assert words in refused(running_engine(), line)


@pytest.mark.parametrize("missing", ["ludotheque", "game", "players", "setup", "actions"])
def test_a_record_with_something_missing_is_refused_by_name(missing: str) -> None:
    record = good_record()
    del record[missing]
    assert missing in refused(running_engine(), json.dumps({"do": "load", "record": record}).encode())


REQUEST_WORDS = "hello new legal play peek chance undo view bot record load do"
KEY_WORDS = "game players options seed setup action level seconds max_turns phase board turns winner dice actions"
ACTION_WORDS = ("yam-master", "pass", "keep", "11123", "place r1c1")
words_of_the_protocol = st.sampled_from([*REQUEST_WORDS.split(), *KEY_WORDS.split(), *ACTION_WORDS])
anything = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.text(alphabet=st.characters(categories=["Cs", "Cc", "Lo"]))
    | words_of_the_protocol,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text() | words_of_the_protocol, inner, max_size=6),
    max_leaves=12,
)
requests = st.fixed_dictionaries(
    {"do": words_of_the_protocol | anything},
    optional={
        "game": st.just("yam-master") | anything,
        "players": st.just(2) | anything,
        "options": st.just({}) | anything,
        "seed": anything,
        "setup": anything,
        "action": words_of_the_protocol | anything,
        "record": anything,
        "level": st.integers(-1, 2) | st.booleans() | st.none() | st.text(),
        "seconds": st.sampled_from([0, -1, 1e-3, "1", None, True, 601, []]),
    },
)


def check(engine: Engine, line: bytes) -> None:
    """Whatever the line, the answer is JSON in UTF-8; refused means unchanged; nothing is a fault."""
    before = engine.answer(b'{"do":"view"}'), engine.answer(b'{"do":"record"}')
    answer = engine.answer(line)
    if answer is None:
        assert not line.strip()
        return
    read = json.loads(answer.decode("utf-8"))
    assert isinstance(read, dict)
    if read["ok"] is not True:
        assert "fault" not in read["error"]
        assert (engine.answer(b'{"do":"view"}'), engine.answer(b'{"do":"record"}')) == before


@settings(max_examples=150, deadline=None)
@given(st.lists(requests | anything, min_size=1, max_size=5))
def test_no_json_breaks_the_engine(given_requests: list[Any]) -> None:
    engine = running_engine()
    for request in given_requests:
        check(engine, json.dumps(request).encode())


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=200))
def test_no_bytes_break_the_engine(line: bytes) -> None:
    check(running_engine(), line.replace(b"\n", b""))


@settings(max_examples=100, deadline=None)
@given(st.sampled_from([*RUNNING, b'{"do":"bot","level":1}', b'{"do":"legal"}']), st.data())
def test_no_damaged_request_breaks_the_engine(line: bytes, data: st.DataObject) -> None:
    """A good line with a few bytes changed, doubled or lost."""
    damaged = bytearray(line)
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(damaged) - 1)) if damaged else 0
        damaged[place : place + data.draw(st.integers(0, 2))] = data.draw(st.binary(max_size=2))
    check(running_engine(), bytes(damaged).replace(b"\n", b""))


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_no_damaged_setup_or_record_breaks_the_engine(data: st.DataObject) -> None:
    """A good document with one place replaced by something else."""
    record = good_record()
    setting_up = {"do": "new", "game": "yam-master", "setup": record["setup"]}
    document = data.draw(st.sampled_from([{"do": "load", "record": record}, setting_up]))
    place: Any = document
    while True:
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        keys = [key for key in keys if key not in {"do", "game"}]
        if not keys:
            return
        key = data.draw(st.sampled_from(keys))
        if isinstance(place[key], dict | list) and place[key] and data.draw(st.booleans()):
            place = place[key]
            continue
        place[key] = data.draw(anything)
        break
    check(running_engine(), json.dumps(document).encode())
