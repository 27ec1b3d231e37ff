"""The engine as a real process: lines in, lines out, whatever comes, and a quiet end."""

import json
import os
import random
import subprocess
from pathlib import Path

from engine_process import ENGINE, running
from ludotheque.engine import LONGEST_LINE
from ludotheque.engine.process import lines


def test_every_answer_comes_at_once_and_quit_ends_the_process() -> None:
    with running() as engine:
        assert engine.ask(do="hello")["protocol"] == 1
        assert engine.ask(do="new", game="yam-master", seed=7)["to_move"] == "chance"
        assert engine.ask(do="quit") == {"ok": True}
        assert engine.process.wait(10) == 0


def test_broken_lines_of_every_sort_are_answered_one_by_one_and_the_match_goes_on() -> None:
    dice = random.Random(1)
    with running() as engine:
        engine.ask(do="new", game="yam-master", seed=7)
        before = engine.ask(do="view")
        broken = [dice.randbytes(dice.randrange(1, 200)).replace(b"\n", b"x").strip() or b"x" for _ in range(300)]
        broken += [
            b"[" * 500_000,
            b'{"do":' * 100_000,
            b"\0",
            b"\x1a",
            b'{"do":"play","action":"' + b"9" * 900_000 + b'"}',
        ]
        for line in broken:
            engine.send(line)
            assert engine.heard()["ok"] is False
        assert engine.ask(do="view") == before


def test_a_line_over_one_mebibyte_is_skipped_whole_without_being_kept() -> None:
    with running() as engine:
        engine.ask(do="hello")
        memory = _memory(engine.process.pid)
        filler = b"x" * (1 << 20)
        assert engine.process.stdin is not None
        for _ in range(200):  # 200 MiB in one line
            engine.process.stdin.write(filler)
        engine.send(b"")
        assert "1 MiB" in engine.heard()["error"]
        assert engine.ask(do="hello")["ok"] is True
        assert _memory(engine.process.pid) - memory < 50_000


def _memory(process: int) -> int:
    """Kilobytes of memory that a process has used at most; 0 where the system does not tell."""
    try:
        status = Path(f"/proc/{process}/status").read_text("ascii").splitlines()
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))
    except FileNotFoundError:
        return 0


def test_the_longest_line_allowed_is_still_read() -> None:
    with running() as engine:
        start = b'{"do":"hello","x":"'
        engine.send(start + b"x" * (LONGEST_LINE - len(start) - 2) + b'"}')
        assert engine.heard()["ok"] is True
        engine.send(start + b"x" * (LONGEST_LINE - len(start) - 1) + b'"}')
        assert engine.heard()["ok"] is False


def test_the_end_of_the_input_ends_the_process_quietly_also_in_the_middle_of_a_line() -> None:
    asked = b'\n\n{"do":"hello"}\n  \n{"do":"hello"}'
    done = subprocess.run(ENGINE, input=asked, capture_output=True, timeout=60, check=False)
    assert done.returncode == 0
    assert done.stderr == b""
    assert [json.loads(line)["ok"] for line in done.stdout.splitlines()] == [True, True]


def test_a_reader_that_goes_away_ends_the_process_quietly() -> None:
    with subprocess.Popen(ENGINE, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(b'{"do":"hello"}\n')
        process.stdin.flush()
        process.stdout.readline()
        process.stdout.close()
        process.stdin.write(b'{"do":"hello"}\n' * 10)
        process.stdin.close()
        assert process.wait(20) == 0
        assert process.stderr.read() == b""


def test_lines_are_cut_wherever_the_pieces_end() -> None:
    source, target = os.pipe()
    os.write(target, b"one\ntw")
    os.write(target, b"o\n\nthree")
    os.close(target)
    assert list(lines(source)) == [b"one", b"two", b"", b"three"]
    os.close(source)
