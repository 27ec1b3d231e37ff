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
from typing import Final

from ludotheque.core import BadOption, Decision, Player, Position, Problem, Reader, parse, text, write_json
from ludotheque.core.problems import reason, shortened

SECONDS_A_DECISION: Final = 10.0
LONGEST_ANSWER: Final = 1 << 20
PIECE: Final = 1 << 16
LAST_WORDS: Final = 4000  # bytes of its standard error that are kept for the report


class Forfeit(Problem):
    """A program has lost its game by what it did, or did not do."""

    code = "forfeit"


class ProgramPlayer(Player):
    """A program that plays; started at its first decision, and again after it has failed."""

    def __init__(self, command: str, seconds: float = SECONDS_A_DECISION) -> None:
        self.name = f"cmd:{command}"
        self.words = split_command(command)
        self.seconds = seconds
        self._process: subprocess.Popen[bytes] | None = None
        self._heard = b""
        self._last_words = bytearray()
        self._listener: threading.Thread | None = None

    def choose(self, position: Position, *, seconds: float | None = None, seed: int = 0) -> Decision:
        """What the program answers, if it is legal; Forfeit otherwise, and the program is ended."""
        del seed  # a program has its own
        legal = position.legal()
        request = {
            "do": "choose",
            "game": position.game.name,
            "seat": position.to_move,
            "options": position.options,
            "state": position.view(),
            "legal": legal.actions,
            **({"open": legal.open} if legal.open else {}),
        }
        try:
            answer = self._ask(write_json(request).encode() + b"\n", self.seconds if seconds is None else seconds)
            action = Reader(parse(answer), Forfeit, "its answer").key("action").text(LONGEST_ANSWER)
            if action not in legal.actions:
                if not legal.open:
                    raise position.refuse(action)
                position.play(action)
        except Forfeit:
            self.close()
            raise
        except Problem as problem:
            self.close()
            raise Forfeit("bots.nonsense", problem=problem.text) from problem
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
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)  # its own group: what it started goes with it
        process.wait()

    def _start(self) -> subprocess.Popen[bytes]:
        self._last_words = bytearray()
        try:
            process = subprocess.Popen(  # noqa: S603 - the program that the user named, without a shell
                self.words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
            )
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
        """Send a line and wait for one, no longer than `seconds` for both."""
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
            while b"\n" not in self._heard:
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
        line, _, self._heard = self._heard.partition(b"\n")
        return line

    def _died(self, process: "subprocess.Popen[bytes]") -> Forfeit:
        try:
            status = process.wait(0.5)
            why = text("bots.ended", status=status)
        except subprocess.TimeoutExpired:
            why = text("bots.closed-output")
        if self._listener is not None:
            self._listener.join(0.5)  # its last words may still be on their way
        said = self._last_words.decode("utf-8", "replace").splitlines()
        words = next((line for line in reversed(said) if line.strip()), "")
        if not words:
            return Forfeit(why)
        return Forfeit("bots.last-words", reason=why, words=shortened(words, 200))


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
