"""The engine: answers the requests of docs/protocol.md and keeps the match that they are about.

Streams are in `process`.
"""

import logging
from collections.abc import Callable, Mapping
from typing import Final

from ludotheque import __version__
from ludotheque.core import (
    CHANCE,
    BadJson,
    BadRequest,
    Dice,
    Game,
    Json,
    JsonObject,
    Match,
    Player,
    Position,
    Problem,
    Reader,
    Step,
    find_game,
    fresh_seed,
    game_names,
    nearest,
    parse,
    read_record,
    text,
    write_json,
    write_record,
)
from ludotheque.core.problems import shortened

PROTOCOL: Final = 1
LONGEST_LINE: Final = 1 << 20  # bytes, the end of the line not counted
LONGEST_SEED: Final = 1000  # letters
LONGEST_ACTION: Final = LONGEST_LINE
LONGEST_THOUGHT: Final = 600.0  # seconds that a bot may be given
USUAL_LEVEL: Final = 3

_log = logging.getLogger(__name__)

Answer = dict[str, Json]


class Engine:
    """Answers requests. A request that is refused, or that fails, leaves the match as it was."""

    def __init__(self, games: Mapping[str, Game] | None = None) -> None:
        self._games = games
        self.match: Match | None = None
        self.ended = False
        self._bots: dict[tuple[str, int], Player] = {}
        self._requests: dict[str, Callable[[Reader], Answer]] = {
            "hello": self._hello,
            "new": self._new,
            "legal": self._legal,
            "play": self._play,
            "peek": self._peek,
            "chance": self._chance,
            "undo": self._undo,
            "view": self._view,
            "bot": self._bot,
            "record": self._record,
            "load": self._load,
            "quit": self._quit,
        }

    def answer(self, line: bytes) -> bytes | None:
        """The answer to one line, both without line ends; None for a blank line."""
        if not line.strip():
            return None
        before = self.match.branch() if self.match else None
        try:
            answer = self._answer(line)
        except Problem as problem:
            answer = _refusal(problem)
        except Exception as error:
            # A bug of ours or of a game: report it, restore the match, go on.
            _log.exception("a request failed")
            self.match = before
            kind = type(error).__name__
            answer = {
                "ok": False,
                "error": str(text("engine.fault", kind=kind)),
            }
        # A lone surrogate cannot be written in UTF-8; its escape is what JSON writes for it.
        return write_json(answer).encode("utf-8", "backslashreplace")

    def refuse_long_line(self) -> bytes:
        """The answer to a line that is too long to be read at all."""
        problem = BadJson("engine.line-skipped", most=LONGEST_LINE)
        return write_json(_refusal(problem)).encode()

    def _answer(self, line: bytes) -> Answer:
        if len(line) > LONGEST_LINE:
            raise BadJson("engine.line-too-long", most=LONGEST_LINE)
        request = Reader(parse(line), BadRequest)
        if not isinstance(request.value, Mapping):
            request.fail("engine.no-object", example='{"do":"hello"}')
        if not request.has("do"):
            request.fail("engine.do-missing", requests=", ".join(self._requests))
        word = request.key("do").text()
        if word in self._requests:
            return self._requests[word](request)
        offered = self._game_request(word)
        if offered is None:
            near = nearest(word, self._requests)
            if near:
                raise BadRequest("engine.unknown-near", request=shortened(word), near=near)
            raise BadRequest("engine.unknown", request=shortened(word), requests=", ".join(self._requests))
        return {"ok": True, **offered(request.object())}

    def _game_request(self, word: str) -> Callable[[JsonObject], JsonObject] | None:
        """A request that one of the games answers itself; the game being played comes first."""
        names = list(self._games) if self._games is not None else game_names()
        games = [self.match.game] if self.match else []
        for name in names:
            try:
                games.append(find_game(name, self._games))
            except Problem as problem:
                _log.warning("%s", problem)  # this game cannot answer; another may
        offered = (game.capabilities.engine.requests for game in games)
        return next((requests[word] for requests in offered if word in requests), None)

    def _now(self) -> Match:
        if self.match is None:
            raise BadRequest("engine.no-match", example='{"do":"new","game":"…"}')
        return self.match

    def _hello(self, _request: Reader) -> Answer:
        names = sorted(self._games) if self._games is not None else game_names()
        rules: dict[str, Json] = {}
        for name in names:
            try:
                rules[name] = find_game(name, self._games).rules_version
            except Problem as problem:
                _log.warning("%s", problem)  # installed, but it cannot be loaded
        return {
            "ok": True,
            "name": "ludotheque",
            "version": __version__,
            "protocol": PROTOCOL,
            "games": names,
            "rules": rules,
        }

    def _new(self, request: Reader) -> Answer:
        game = find_game(request.key("game").text(), self._games)
        if request.has("players") and request.key("players").is_null():
            request.key("players").fail("engine.players-null")
        match = Match(
            game,
            game.read_players(request.key("players").value if request.has("players") else None),
            request.key("options").object() if request.has("options") else None,
            dice=Dice(_seed(request.key("seed")) if request.has("seed") else fresh_seed()),
            setup=request.key("setup").object() if request.has("setup") else None,
        )
        answer = _position(match.position)
        self.match = match
        return answer

    def _legal(self, _request: Reader) -> Answer:
        position = self._now().position
        legal = position.legal()
        answer: Answer = {"ok": True, "actions": legal.actions}
        if position.to_move == CHANCE:
            answer["odds"] = legal.odds
        if legal.open:
            answer["open"] = legal.open
        return answer

    def _play(self, request: Reader) -> Answer:
        match = self._now()
        return _after(match.game, match.play(request.key("action").text(LONGEST_ACTION)))

    def _peek(self, request: Reader) -> Answer:
        step = self._now().position.play(request.key("action").text(LONGEST_ACTION))
        return {**_position(step.position), "events": [event.json() for event in step.events]}

    def _chance(self, _request: Reader) -> Answer:
        match = self._now()
        answer = _after(match.game, match.draw())
        return {**answer, "drawn": match.log[-1].action}

    def _undo(self, _request: Reader) -> Answer:
        match = self._now()
        match.undo()
        return _position(match.position)

    def _view(self, _request: Reader) -> Answer:
        return _position(self._now().position)

    def _bot(self, request: Reader) -> Answer:
        match = self._now()
        level = request.key("level").integer(1, 5) if request.has("level") else USUAL_LEVEL
        seconds = None
        if request.has("seconds"):
            seconds = request.key("seconds").number(0, LONGEST_THOUGHT)
            if seconds == 0:
                request.key("seconds").fail("engine.no-time")
        if match.over:
            raise BadRequest("engine.nothing-to-choose")
        if match.to_move == CHANCE:
            raise BadRequest("engine.chance-decides", example='{"do":"chance"}')
        decision = self._player(match.game, level).choose(match.position, seconds=seconds, seed=match.bot_seed())
        considered: list[Json] = [{"action": thought.action, "value": thought.value} for thought in decision.considered]
        return {"ok": True, "action": decision.action, "value": decision.value, "considered": considered}

    def _player(self, game: Game, level: int) -> Player:
        from ludotheque.bots import bot  # noqa: PLC0415 - not before somebody asks for one

        if (game.name, level) not in self._bots:
            self._bots[game.name, level] = bot(game, level)
        return self._bots[game.name, level]

    def _record(self, _request: Reader) -> Answer:
        return {"ok": True, "record": write_record(self._now())}

    def _load(self, request: Reader) -> Answer:
        record = read_record(request.key("record").value, self._games)
        match = record.match
        if record.seed is None:
            known = self.match
            if known and known.dice.commitment == record.commitment:
                match.dice = known.dice  # our own match again: keep its dice
            else:
                # The seed is secret and not ours: go on with new dice, which did not make the old draws.
                match.attach_draws(())
        answer = _position(match.position)
        self.match = match
        return answer

    def _quit(self, _request: Reader) -> Answer:
        self.ended = True
        return {"ok": True}


def _refusal(problem: Problem) -> Answer:
    return {"ok": False, "error": str(problem)}


def _seed(given: Reader) -> str:
    """Any whole number, or a text; 7 and "7" are the same seed."""
    if isinstance(given.value, int) and not isinstance(given.value, bool):
        return str(given.value)
    if not isinstance(given.value, str) or len(given.value) > LONGEST_SEED:
        given.fail("engine.seed", most=LONGEST_SEED)
    return given.value


def _position(position: Position) -> Answer:
    answer: Answer = {"ok": True, "to_move": position.to_move, "state": position.view(), "over": position.over}
    if position.over:
        answer["returns"] = position.returns()
    return answer


def _after(game: Game, step: Step) -> Answer:
    answer = _position(step.position)
    if game.capabilities.engine.tells_events:
        answer["events"] = [event.json() for event in step.events]
    return answer
