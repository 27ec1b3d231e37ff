"""Another program as a player: it gets one line of JSON for each decision and answers one (docs/protocol.md).

A program that answers nonsense, dies or takes too long loses by Forfeit; callers decide what that means for a match.
"""

import os
import selectors
import shlex
import shutil
import signal
import subprocess
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from ludotheque.bots.forfeit import Forfeit, check_answer, evidence
from ludotheque.core import (
    BadOption,
    Decision,
    JsonObject,
    Player,
    Position,
    Problem,
    Reader,
    check_asked,
    parse,
    text,
    write_json,
)
from ludotheque.core.problems import reason, shortened

SECONDS_A_DECISION: Final = 10.0
SECONDS_TO_INTRODUCE: Final = 10.0
LONGEST_ANSWER: Final = 1 << 20
LONGEST_ID: Final = 200  # letters
PIECE: Final = 1 << 16
LAST_WORDS: Final = 8000  # bytes of its standard error that are kept for the report


@dataclass(frozen=True)
class Introduction:
    """The line with which a program may introduce itself when it starts."""

    id: str
    """Its name and version, in its own words."""
    newgame: bool = False
    """Whether it is told of new games, so that one process can play many."""


def introduction_of(line: bytes) -> Introduction | None:
    """The introduction in a line; None if the line is something else, such as an answer."""
    try:
        read = Reader(parse(line), BadOption)
        if read.has("action") or not read.has("id"):
            return None
        return Introduction(read.key("id").text(LONGEST_ID), read.has("newgame") and read.key("newgame").boolean())
    except Problem:
        return None  # whoever waits for an answer says what is wrong with it


def identify(command: str, seconds: float = SECONDS_TO_INTRODUCE) -> Introduction | None:
    """How a program introduces itself, started once with nothing to read; None if it does not, or not in time."""
    try:
        process = _popen(split_command(command), subprocess.DEVNULL, subprocess.DEVNULL)
    except OSError:
        return None  # it will be said when it is to play
    assert process.stdout is not None
    heard, end = b"", time.monotonic() + seconds
    try:
        with selectors.DefaultSelector() as watch:
            watch.register(process.stdout, selectors.EVENT_READ)
            while b"\n" not in heard and len(heard) <= LONGEST_ANSWER:
                left = end - time.monotonic()
                if left <= 0 or not watch.select(left):
                    return None
                piece = os.read(process.stdout.fileno(), PIECE)
                if not piece:
                    break
                heard += piece
    finally:
        process.stdout.close()
        _end(process)
    return introduction_of(heard.partition(b"\n")[0])


class ProgramPlayer(Player):
    """A program that plays; started at its first decision, and again after it has failed.

    With `newgame` it is told of every new game (`new_game`), so that its process may stay for many.
    """

    def __init__(self, command: str, seconds: float = SECONDS_A_DECISION, *, newgame: bool = False) -> None:
        self.name = f"cmd:{command}"
        self.words = split_command(command)
        self.seconds = seconds
        self.newgame = newgame
        self.restarts = 0
        """How often it had to be started again, because it had died or failed."""
        self._failed = False
        self._process: subprocess.Popen[bytes] | None = None
        self._silent = True  # whether this process has not said anything yet
        self._heard = b""
        self._last_words = bytearray()
        self._listener: threading.Thread | None = None

    def new_game(self, position: Position, seat: int, seed: int) -> None:
        """Tell the program, if it wants to know; Forfeit if it fails. One that has died since its last game is started again."""
        if not self.newgame:
            return
        request: JsonObject = {
            "do": "newgame",
            "game": position.game.name,
            "players": position.players,
            "seat": seat,
            "options": position.options,
            "seed": seed,
        }
        played = self._process is not None
        try:
            self._tell(request)
        except Forfeit:
            if not played:
                raise
            self._tell(request)

    def _tell(self, request: JsonObject) -> None:
        answer = self._converse(request, self.seconds)
        try:
            if not Reader(parse(answer), Forfeit, "its answer").key("ok").boolean():
                raise Forfeit("bots.newgame-refused")
        except Problem as problem:
            raise self._fail(request, problem, answer) from problem

    def choose(self, position: Position, *, seconds: float | None = None, seed: int = 0) -> Decision:
        """What the program answers, if it is legal; Forfeit otherwise, and the program is ended."""
        del seed  # a program has its own
        check_asked(position)
        legal = position.legal()
        request: JsonObject = {
            "do": "choose",
            "game": position.game.name,
            "seat": position.to_move,
            "options": position.options,
            "state": position.view(),
            "legal": legal.actions,
            **({"open": legal.open} if legal.open else {}),
        }
        answer = self._converse(request, self.seconds if seconds is None else seconds)
        try:
            action = Reader(parse(answer), Forfeit, "its answer").key("action").text(LONGEST_ANSWER)
            check_answer(position, action)
        except Problem as problem:
            raise self._fail(request, problem, answer) from problem
        return Decision(action)

    def close(self) -> None:
        """End the program: gently by closing its input, and at once together with its children if it stays."""
        process, self._process, self._heard = self._process, None, b""
        if process is None:
            return
        assert process.stdin is not None
        assert process.stdout is not None
        for stream in (process.stdin, process.stdout):
            with suppress(OSError):  # it may have gone before us
                stream.close()
        with suppress(subprocess.TimeoutExpired):
            process.wait(0.2)
        _end(process)

    def _converse(self, request: JsonObject, seconds: float) -> bytes:
        """The answer to one request; Forfeit if there is none, and the program is ended."""
        try:
            return self._ask(write_json(request).encode() + b"\n", seconds)
        except Forfeit as problem:
            raise self._fail(request, problem, self._heard) from problem

    def _fail(self, request: JsonObject, problem: Problem, answer: bytes) -> Forfeit:
        """End the program; returns the problem as a Forfeit with what was asked, answered and written to standard error."""
        self.close()
        self._failed = True
        if self._listener is not None:
            self._listener.join(0.5)  # its last words may still be on their way
        own = isinstance(problem, Forfeit)
        lost = Forfeit(problem.text) if own else Forfeit("bots.nonsense", problem=problem.text)
        answered = answer.decode("utf-8", "replace")
        lost.evidence = evidence(write_json(request), answered, self._said())
        return lost

    def _said(self) -> list[str]:
        """The end of what the program has written to its standard error."""
        return self._last_words.decode("utf-8", "replace").splitlines()

    def _start(self) -> subprocess.Popen[bytes]:
        self._last_words = bytearray()
        self.restarts += self._failed
        self._failed, self._silent = False, True
        try:
            process = _popen(self.words, subprocess.PIPE, subprocess.PIPE)
        except OSError as error:
            raise Forfeit("bots.not-started", reason=reason(error)) from error
        assert process.stdin is not None
        assert process.stdout is not None
        os.set_blocking(process.stdin.fileno(), False)
        os.set_blocking(process.stdout.fileno(), False)
        self._listener = threading.Thread(target=_listen, args=(process, self._last_words), daemon=True)
        self._listener.start()
        return process

    def _ask(self, request: bytes, seconds: float) -> bytes:
        """Send a line and wait for one, no longer than `seconds` for both; an introduction before it is skipped."""
        end = time.monotonic() + seconds
        if self._process is None:
            self._process = self._start()
        process = self._process
        if self._heard:
            raise Forfeit("bots.more-than-one-line")
        assert process.stdin is not None
        assert process.stdout is not None
        unsent = memoryview(request)
        with selectors.DefaultSelector() as watch:
            watch.register(process.stdout, selectors.EVENT_READ)
            watch.register(process.stdin, selectors.EVENT_WRITE)
            while (line := self._line()) is None:
                left = end - time.monotonic()
                ready = watch.select(left) if left > 0 else []
                if not ready:
                    raise Forfeit("bots.too-slow", seconds=f"{seconds:g}")
                for key, _ in ready:
                    if key.fileobj is process.stdin:
                        try:
                            unsent = unsent[os.write(key.fd, unsent) :]
                        except BrokenPipeError:
                            unsent = unsent[:0]  # it reads no more; what it says, or its end, will follow
                        if not unsent:
                            watch.unregister(process.stdin)
                        continue
                    piece = os.read(key.fd, PIECE)
                    if not piece:
                        raise self._died(process)
                    self._heard += piece
                    if len(self._heard) > LONGEST_ANSWER:
                        raise Forfeit("bots.answer-too-long")
        return line

    def _line(self) -> bytes | None:
        """The answer, once a whole line of it is there."""
        while b"\n" in self._heard:
            line, _, self._heard = self._heard.partition(b"\n")
            first, self._silent = self._silent, False
            if not (first and introduction_of(line)):
                return line
        return None

    def _died(self, process: "subprocess.Popen[bytes]") -> Forfeit:
        try:
            status = process.wait(0.5)
            why = text("bots.ended", status=status)
        except subprocess.TimeoutExpired:
            why = text("bots.closed-output")
        if self._listener is not None:
            self._listener.join(0.5)  # its last words may still be on their way
        words = next((line for line in reversed(self._said()) if line.strip()), "")
        if not words:
            return Forfeit(why)
        return Forfeit("bots.last-words", reason=why, words=shortened(words, 200))


def _popen(words: list[str], stdin: int, stderr: int) -> "subprocess.Popen[bytes]":
    """Start the program that the user named, without a shell and in a process group of its own."""
    if os.name == "nt":  # its pipes cannot be waited for, and it has no groups to end
        raise BadOption("bots.program-on-windows")
    return subprocess.Popen(  # noqa: S603
        words, stdin=stdin, stdout=subprocess.PIPE, stderr=stderr, bufsize=0, start_new_session=True
    )


def _end(process: "subprocess.Popen[bytes]") -> None:
    """End a program at once; what it started goes with it."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _listen(process: "subprocess.Popen[bytes]", last_words: bytearray) -> None:
    """Keep the end of what the program writes to its standard error, so that it neither blocks nor is mixed with ours."""
    assert process.stderr is not None
    with process.stderr as stream:
        while piece := stream.read(PIECE):
            last_words += piece
            del last_words[:-LAST_WORDS]


def split_command(command: str) -> list[str]:
    """The words of a command line, quoted as in a shell; BadOption where it is none or names no program."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise BadOption("bots.unreadable-command", command=shortened(command), error=str(error)) from error
    if not words:
        raise BadOption("bots.no-program")
    if shutil.which(words[0]) is None:
        raise BadOption("bots.unknown-program", program=shortened(words[0]))
    return words
