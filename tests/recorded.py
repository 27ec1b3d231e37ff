"""Rules that answer from a recording: they need neither numpy nor numba, and so try whatever must run without them.

`record` plays a match on this machine and notes every question that is asked of its rules and the answer; `replay_rules` gives the
recording to the game in place of its rules. A question that was not recorded is an error that names it. Kernel entries are recorded
call after call, since rooms keep what earlier calls have put there.
"""

import hashlib
from array import array
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeAlias

from ludotheque.core import CHANCE, Json, Match, Position
from ludotheque.kernels import DiscreteGame, DiscretePosition, RulesTarget
from ludotheque.kernels.signatures import Argument, Kernels, Room

Recording: TypeAlias = dict[str, Any]
"""Answers by question: plain JSON. States are hexadecimal."""


def _question(name: str, state: bytes, *arguments: object) -> str:
    return " ".join([name, state.hex(), *map(str, arguments)])


class RecordingTarget:
    """Asks another target and notes everything."""

    def __init__(self, target: RulesTarget) -> None:
        self._target = target
        self.recording: Recording = {}

    def _note(self, answer: Any, name: str, state: bytes, *arguments: object) -> Any:
        self.recording[_question(name, state, *arguments)] = answer
        return answer

    def to_move(self, state: bytes) -> int:
        return int(self._note(self._target.to_move(state), "to_move", state))

    def legal(self, state: bytes) -> list[int]:
        return list(self._note(self._target.legal(state), "legal", state))

    def weights(self, state: bytes, outcomes: Sequence[int]) -> list[int]:
        return list(self._note(self._target.weights(state, outcomes), "weights", state, *outcomes))

    def advance(self, state: bytes, action: int) -> tuple[bytes, int, list[int]]:
        after, mover, actions = self._target.advance(state, action)
        self._note([after.hex(), mover, actions], "advance", state, action)
        return after, mover, actions

    def returns(self, state: bytes) -> list[float]:
        return list(self._note(self._target.returns(state), "returns", state))

    def prepare(self, state: bytes) -> bytes:
        prepared = self._target.prepare(state)
        self._note(prepared.hex(), "prepare", state)
        return prepared

    def call(self, name: str, state: bytes, *arguments: int) -> int:
        return int(self._note(self._target.call(name, state, *arguments), name, state, *arguments))


class RecordedTarget:
    """Answers what was recorded."""

    def __init__(self, recording: Recording) -> None:
        self._recording = recording

    def _answer(self, name: str, state: bytes, *arguments: object) -> Any:
        question = _question(name, state, *arguments)
        if question not in self._recording:
            raise LookupError(f"not recorded: {question}")
        return self._recording[question]

    def to_move(self, state: bytes) -> int:
        return int(self._answer("to_move", state))

    def legal(self, state: bytes) -> list[int]:
        return list(self._answer("legal", state))

    def weights(self, state: bytes, outcomes: Sequence[int]) -> list[int]:
        return list(self._answer("weights", state, *outcomes))

    def advance(self, state: bytes, action: int) -> tuple[bytes, int, list[int]]:
        after, mover, actions = self._answer("advance", state, action)
        return bytes.fromhex(after), mover, actions

    def returns(self, state: bytes) -> list[float]:
        return list(self._answer("returns", state))

    def prepare(self, state: bytes) -> bytes:
        return bytes.fromhex(self._answer("prepare", state))

    def call(self, name: str, state: bytes, *arguments: int) -> int:
        return int(self._answer(name, state, *arguments))


class NumberedRoom:
    """A room of a recording: its number, its size and, while it is recorded, the real one."""

    def __init__(self, number: int, nbytes: int, real: Room | None = None) -> None:
        self.number, self.real = number, real
        self._nbytes = nbytes

    @property
    def nbytes(self) -> int:
        return self._nbytes


def _told(argument: Argument) -> Json:
    """An argument as a recording has it: long arrays by their hash."""
    if isinstance(argument, int | float):
        return argument
    if isinstance(argument, NumberedRoom):
        return f"room {argument.number}"
    content = bytes(memoryview(argument).cast("B"))  # type: ignore[arg-type] # no other rooms are in use
    return content.hex() if len(content) < 256 else hashlib.sha256(content).hexdigest()


class RecordingKernels:
    """Calls other kernels and notes everything, in order."""

    def __init__(self, kernels: Kernels) -> None:
        self._kernels = kernels
        self.calls: list[Json] = []
        self._rooms = 0

    def _room(self, real: Room) -> NumberedRoom:
        self._rooms += 1
        return NumberedRoom(self._rooms, real.nbytes, real)

    def call(self, name: str, *arguments: Argument) -> Any:
        question: list[Json] = [name, *map(_told, arguments)]
        given = [one.real if isinstance(one, NumberedRoom) else one for one in arguments]
        answer = self._kernels.call(name, *given)  # type: ignore[arg-type] # every room has its real one
        changed: list[Json] = [one.tobytes().hex() if isinstance(one, array) else None for one in arguments]
        self.calls.append([question, list(answer) if isinstance(answer, tuple) else answer, changed])
        return answer

    def keep(self, content: Any) -> Room:
        return self._room(self._kernels.keep(content))

    def room(self, nbytes: int) -> Room:
        return self._room(self._kernels.room(nbytes))


class RecordedKernels:
    """Answers what was recorded, if it is asked in the same order."""

    def __init__(self, calls: Sequence[Any]) -> None:
        self._calls = iter(calls)
        self._rooms = 0

    def call(self, name: str, *arguments: Argument) -> Any:
        question, answer, changed = next(self._calls)
        asked = [name, *map(_told, arguments)]
        if asked != question:
            raise LookupError(f"recorded is {question}, not {asked}")
        for argument, content in zip(arguments, changed, strict=True):
            if isinstance(argument, array):
                argument[:] = array(argument.typecode, bytes.fromhex(content))
        return tuple(answer) if isinstance(answer, list) else answer

    def keep(self, content: Any) -> Room:
        return self.room(len(memoryview(content).cast("B")))

    def room(self, nbytes: int) -> Room:
        self._rooms += 1
        return NumberedRoom(self._rooms, nbytes)


@contextmanager
def replay_rules(game: DiscreteGame, recording: Recording) -> Iterator[None]:
    """Within it the game's rules are the recording."""
    with _using(game, RecordedTarget(recording)):
        yield


@contextmanager
def _using(game: DiscreteGame, target: RulesTarget) -> Iterator[None]:
    game.use_target(target)
    try:
        yield
    finally:
        game.use_target(None)


def look_at(position: Position) -> list[Json]:
    """Everything that can be asked of a position; the view read back included."""
    assert isinstance(position, DiscretePosition)
    again = position.game.from_view(position.view(), position.players, position.options)
    legal = position.legal()
    seen: list[Json] = [position.view(), again.view(), position.to_move, position.acting, list(position.returns())]
    return [*seen, list(legal.actions), list(legal.weights), position.picture(language="fr")]


def record(game: DiscreteGame, play: Callable[[DiscreteGame], Match]) -> tuple[Recording, Match, list[list[Json]]]:
    """Play a match, look at each of its positions, and record all that its rules are asked meanwhile.

    Returns the recording, the match, and what `look_at` saw of each position. Playing the same actions asks nothing else.
    """
    target = RecordingTarget(game.target)
    fresh = type(game)()  # it remembers nothing that it would not ask again
    with _using(fresh, target):
        match = play(fresh)
        seen = [look_at(match.first), *(look_at(step.position) for _, step in match.steps())]
    return target.recording, match, seen


def play_through(match: Match, longest: int = 200) -> Match:
    """Play on by the first, the second, the third legal action in turn; chance draws."""
    while not match.over and len(match.log) < longest:
        if match.to_move == CHANCE:
            match.draw()
        else:
            actions = match.position.legal().actions
            match.play(actions[len(match.log) % len(actions)])
    return match
