"""What others get to see of the server: programs and workers its environment, operators its log. Neither has secrets or names."""

import ast
import json
import logging
import os
import re
import shlex
import socket
import sys
from pathlib import Path
from typing import Any

import pytest

from ludotheque.server.environment import remove_secrets, with_password
from ludotheque.server.logging_setup import JsonFormatter, logging_config
from ludotheque.server.websocket import FRAMES
from server.guests import Guest, House

SPY = """
import json, os, sys
from pathlib import Path
def told(process):
    return Path(f"/proc/{process}/environ").read_bytes().decode().split("\\0")
Path(sys.argv[1]).write_text(json.dumps({"program": told(os.getpid()), "worker": told(os.getppid())}))
for line in sys.stdin:
    print(json.dumps({"action": json.loads(line)["legal"][0]}), flush=True)
"""
PROJECT = Path(__file__).parents[2]
ZEBULON = "Unmistakable Zebulon"
LEVELS = tuple(
    f"{log}.{level}"
    for log in ("LOG", "_log")
    for level in ("debug", "info", "warning", "error", "exception", "critical")
)
LOGGING = ("server", "answers", "kernels")  # the layers below the command line that write to the server's log
SECRETS = {"SECRET_TOKEN": "hunter2", "DATABASE_URL": "postgresql://hunter2@x/y", "PGPASSWORD": "hunter2"}


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="only Linux shows a process's environment")
def test_programs_and_workers_see_no_secrets(tmp_path: Path) -> None:
    spy, told = tmp_path / "spy.py", tmp_path / "told.json"
    spy.write_text(SPY)
    command = shlex.join([sys.executable, str(spy), str(told)])
    home = House(f"sqlite:///{tmp_path / 'hidden.sqlite'}", "--program", f"Spy={command}", environment=SECRETS).open()
    try:
        anna = Guest(home, "Anna")
        table = anna.opens(seats=[{"kind": "program", "program": "Spy"}, {"kind": "me"}], options={"first": 0})
        anna.enters(table).until("step", by=0)
    finally:
        home.close()
    for who, environment in json.loads(told.read_text()).items():
        assert any(one.startswith("PATH=") for one in environment), "what they need is there"
        for secret in ("hunter2", "hidden.sqlite", "LUDOTHEQUE_SETTINGS"):
            assert not [one for one in environment if secret in one], who


def test_what_is_harmless_stays_in_the_environment() -> None:
    environment = {"PATH": "/bin", "LC_ALL": "fr", "LUDOTHEQUE_CACHE": "/x", "PGHOST": "db", "AWS_KEY": "k", **SECRETS}
    environment["LUDOTHEQUE_SETTINGS"] = "{}"
    remove_secrets(environment)
    assert environment == {"PATH": "/bin", "LC_ALL": "fr", "LUDOTHEQUE_CACHE": "/x", "PGHOST": "db"}
    assert with_password("postgresql://anna@db/x", SECRETS) == "postgresql://anna:hunter2@db/x"
    for other in ("postgresql://anna:own@db/x", "sqlite:///x.sqlite", "nonsense"):
        assert with_password(other, SECRETS) == other


def logged() -> dict[str, set[str]]:
    """Every message that the server logs, with the keys beside it."""
    found: dict[str, set[str]] = {}
    for file in (one for layer in LOGGING for one in (PROJECT / "src/ludotheque" / layer).rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if not (isinstance(node, ast.Call) and ast.unparse(node.func) in LEVELS):
                continue
            if not isinstance(node.args[0], ast.Constant):
                assert file.name == "crash_reports.py", "a message is a constant"
                continue
            keys = found.setdefault(str(node.args[0].value).replace("%s", "…"), set())
            if ast.unparse(node.func) == "LOG.exception":
                keys.add("trace")
            for keyword in node.keywords:
                if keyword.arg == "extra":
                    assert isinstance(keyword.value, ast.Dict), "its keys can be read here"
                    keys |= {ast.literal_eval(key) for key in keyword.value.keys if key is not None}
                elif keyword.arg == "exc_info":
                    keys.add("trace")
    for node in ast.walk(ast.parse((PROJECT / "src/ludotheque/server").joinpath("writer.py").read_text("utf-8"))):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "terminate_process":
            found[ast.literal_eval(node.args[0])] = set()
    found["the terminal was closed"] = set()
    return found


def test_the_page_lists_everything_that_is_logged() -> None:
    page = (PROJECT / "docs/reverse-proxy.md").read_text("utf-8")
    table = page.split("\n## The log\n", 1)[1].split("\n|---", 1)[1].split("\n\n", 1)[0]
    listed: dict[str, set[str]] = {}
    for line in table.splitlines()[1:]:
        what, also = (cell.strip() for cell in line.strip("|").split("|")[:2])
        for message in re.findall(r"`([^`]+)`", what):
            listed[message] = set(re.findall(r"`([^`]+)`", also))
    assert listed == logged()


def written(**extra: Any) -> dict[str, Any]:
    """A log line of an exception that quotes somebody."""
    try:
        try:
            raise KeyError(ZEBULON)
        except KeyError as error:
            raise ValueError(f"no {ZEBULON}") from error
    except ValueError:
        record = logging.LogRecord("ludotheque", logging.ERROR, "", 0, "a request failed", (), sys.exc_info())
    vars(record).update(extra)
    line: dict[str, Any] = json.loads(JsonFormatter().format(record))
    return line


def test_a_trace_tells_where_and_what_but_quotes_nobody() -> None:
    line = written(route="/api/people")
    assert re.search(r"test_secrets\.py.*in written", line["trace"])
    assert line["trace"].index("KeyError") < line["trace"].index("ValueError")
    assert "Unmistakable" not in json.dumps(line)
    assert re.match(r"\d{4}-\d\d-\d\dT", line["at"])
    assert line["route"] == "/api/people"


def test_frames_of_clients_are_not_logged() -> None:
    assert logging_config()["loggers"][FRAMES.name]["level"] == "CRITICAL"


def test_the_log_of_an_evening_has_no_names_ids_or_addresses(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    home = House(f"sqlite:///{tmp_path / 'tables.sqlite'}", "--no-limits").open()
    try:
        anna = Guest(home, ZEBULON)
        table = anna.opens()
        chair = anna.enters(table)
        chair.until("state")
        chair.sends(do="sit", seat="Unmistakable")
        chair.until("refused")
        with socket.create_connection(("127.0.0.1", home.port), timeout=30) as raw:
            raw.sendall(b"UNMISTAKABLE\r\n\r\n")
            raw.recv(1000)
        anna.ask("GET", "/api/records/Unmistakable")
        figures = anna.ask("GET", "/metrics").text
        assert anna.ask("DELETE", "/api/people/me").status_code == 204
    finally:
        home.close()
    log = capfd.readouterr().err
    assert '"what": "closing"' in log
    for private in ("nmistakable", "UNMISTAKABLE", anna.id, anna.secret, table, "127.0.0.1", os.fspath(tmp_path)):
        assert private not in log, private
        assert private not in figures, private
