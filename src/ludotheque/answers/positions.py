"""Answers about any position or record by the real rules: for lessons, puzzles, replays and fair dice. Nothing is stored.

The server's routes call these functions in workers, or directly where they are short; the browser calls them in its worker.
"""

import time
from collections.abc import Callable, Sequence
from functools import cache
from itertools import zip_longest
from typing import Final, Protocol

from ludotheque.analysis import (
    Comparison,
    JudgedAnswer,
    Moment,
    PositionJudge,
    judge_answer,
    moments,
    puzzle_numbered,
    read_comparison,
    read_puzzles,
)
from ludotheque.bots import bot
from ludotheque.core import (
    CHANCE,
    BadJson,
    BadRecord,
    BadRequest,
    Decision,
    Dice,
    Game,
    Json,
    JsonObject,
    Match,
    Position,
    Reader,
    find_game,
    languages,
    parse,
    read_record,
    readable_name,
    simulating_at_most,
    verify,
    write_json,
)
from ludotheque.table.presentation import show_position, tell, told

DRAWN: Final = "?"
JUDGE: Final = 5  # the level that judges answers and reviews
THINKING: Final = 0.25  # seconds a decision for a judge that searches; one that knows the dice takes what it needs
MOST_CONSIDERED: Final = 50  # actions that an advice lists
LONGEST_STORY: Final = 5000  # steps with their positions
MOST_SIMULATED: Final = 1800.0
"""Seconds of physics that one question or record may ask for, without outcomes; a match of level 1 bots takes up to 800."""


class Question(Protocol):
    """A position to look at: a set-up and what was played since; `"?"` lets the dice decide. docs/network.md has its fields."""

    @property
    def game(self) -> str:
        """The game's name."""

    @property
    def players(self) -> int | None:
        """How many play; None: as many as usual."""

    @property
    def options(self) -> JsonObject:
        """The options of the match."""

    @property
    def setup(self) -> JsonObject | None:
        """A view to start from."""

    @property
    def actions(self) -> Sequence[str]:
        """What was played since."""

    @property
    def outcomes(self) -> Sequence[Json] | None:
        """What each action brought, where a log has it."""

    @property
    def names(self) -> Sequence[str]:
        """What the seats are called."""

    @property
    def seed(self) -> str:
        """The seed of the dice."""

    @property
    def start(self) -> int:
        """The first step that is told."""

    @property
    def level(self) -> int:
        """The level of the bot that is asked."""

    @property
    def seconds(self) -> float | None:
        """How long it may think."""


def replay(question: Question) -> tuple[Match, list[JsonObject]]:
    """The match that a question describes, and its steps in words."""
    game = find_game(question.game)
    match = Match(game, question.players, question.options, dice=Dice(question.seed), setup=question.setup)
    steps: list[JsonObject] = []
    names = _names(question.names)
    if question.outcomes is not None and len(question.outcomes) > len(question.actions):
        raise BadRequest("server.question.outcomes")
    for place, (action, outcome) in enumerate(zip_longest(question.actions, question.outcomes or ())):
        step = match.draw() if action == DRAWN and match.to_move == CHANCE else match.play(action, outcome)
        if place >= question.start:
            entry = match.log[-1]
            shown = show_position(step.position, len(match.log))
            steps.append(told(game, entry.by, entry.action, step, names, shown))
    return match, steps


@simulating_at_most(MOST_SIMULATED)
def answer(question: Question) -> JsonObject:
    """The position, with everything that is legal and all odds, and how it came about."""
    match, steps = replay(question)
    position = show_position(match.position, len(match.log), all_odds=True)
    return {"position": position, "steps": steps}


def advice(question: Question, decision: Decision) -> JsonObject:
    """What a bot would do, with its reasons in words."""
    return {
        "action": decision.action,
        "value": decision.value,
        "considered": [{"action": one.action, "value": one.value} for one in decision.considered[:MOST_CONSIDERED]],
        "level": question.level,
        "reasons": tell(find_game(question.game), decision.reasons, _names(question.names)),
    }


@simulating_at_most(MOST_SIMULATED)
def odds_of(question: Question) -> JsonObject:
    """The chances of what a player may hope for in this turn, the likeliest first."""
    position = position_of(question)
    odds = position.game.capabilities.hints.odds
    found = {} if odds is None else odds(position)
    return {"odds": [{"name": name, "chance": found[name]} for name in sorted(found, key=lambda name: -found[name])]}


@simulating_at_most(MOST_SIMULATED)
def drawing_of(question: Question) -> JsonObject:
    """The position drawn in letters, in each language."""
    position = position_of(question)
    return {"words": {language: position.picture(language=language) for language in languages()}}


def ask(game: str, request: JsonObject) -> JsonObject:
    """One of a game's own requests that need no match, such as Yikerz's `shapes` and `lab`."""
    requests = find_game(game).capabilities.engine.requests
    word = request.get("do")
    if not isinstance(word, str) or word not in requests:
        if not requests:
            raise BadRequest("server.question.no-requests")
        raise BadRequest("server.question.requests", requests=", ".join(requests))
    return requests[word](request)


@simulating_at_most(MOST_SIMULATED)
def position_of(question: Question) -> Position:
    """The position alone."""
    return replay(question)[0].position


@simulating_at_most(MOST_SIMULATED)
def check_record(text: bytes) -> tuple[JsonObject, str]:
    """What a card says of a record, once it has been replayed, and the record with readable names; BadRecord otherwise."""
    content = parse(text)
    record = read_record(content)
    assert isinstance(content, dict)
    names = [readable_name(one.name) for one in record.seated]
    players = [{**one, "name": name} for one, name in zip(content["players"], names, strict=True)]
    card: JsonObject = {
        "game": record.match.game.name,
        "players": [{"name": name[:60], "kind": one.kind[:60]} for one, name in zip(record.seated, names, strict=True)],
        "returns": list(record.match.position.returns()),
        "actions": len(record.match.log),
    }
    return card, write_json({**content, "players": players})


@simulating_at_most(MOST_SIMULATED)
def story(text: str) -> JsonObject:
    """A record in words and positions."""
    record = read_record(parse(text))
    match = record.match
    names = _names([one.name for one in record.seated])
    steps: list[JsonObject] = []
    for entry, step in match.steps():
        if len(steps) >= LONGEST_STORY:
            break
        shown = show_position(step.position, len(steps) + 1)
        steps.append(told(match.game, entry.by, entry.action, step, names, shown))
    return {"first": show_position(match.first, 0), "steps": steps}


@simulating_at_most(MOST_SIMULATED)
def verdict(text: bytes | str) -> JsonObject:
    """Whether a record's dice were fair."""
    found = verify(read_record(parse(text)))
    order = None if found.order is None else found.order.translations()
    return {"fair": found.fair, "words": found.text.translations(), "order": order}


@cache
def puzzle_task(game_name: str, number: int) -> JsonObject:
    """A puzzle without its answer."""
    game = find_game(game_name)
    puzzle = puzzle_numbered(game, number)
    return {
        "game": game.name,
        "number": puzzle.number,
        "count": len(read_puzzles(game)),
        "kind": puzzle.kind,
        "grade": puzzle.grade,
        "question": puzzle.questions(game) or None,
        "players": puzzle.position(game).players,
        "options": puzzle.options,
        "position": puzzle.view,
    }


@cache
def puzzle_verdict(game_name: str, number: int, action: str) -> JsonObject:
    """The verdict on an answer to a puzzle; cached."""
    game = find_game(game_name)
    puzzle = puzzle_numbered(game, number)
    judge = bot(game, JUDGE)
    found: JudgedAnswer = judge_answer(game, puzzle, action, judge, _thinking(judge))
    why = found.why
    if action == puzzle.answer:  # also whoever found it wants to know why
        why = judge_answer(game, puzzle, puzzle.next, judge, _thinking(judge)).why
    return {
        "right": found.right,
        "action": found.action,
        "value": found.value,
        "best": found.best,
        "best_value": found.best_value,
        "why": None if why is None else _why(game, why, _names(())),
    }


@simulating_at_most(MOST_SIMULATED)
def review_part(text: str, last: Moment | None, seconds: float) -> list[Moment]:
    """The judged moments of a record after `last`: as many as take about `seconds`, at least one."""
    match = read_record(parse(text)).match
    judge = bot(match.game, JUDGE)
    found: list[Moment] = []
    end = time.monotonic() + seconds
    for moment in moments(match, judge, _thinking(judge), last):
        found.append(moment)
        if time.monotonic() > end:
            break
    return found


def game_of(record: str) -> str:
    """The game of a stored record."""
    return Reader(parse(record), BadRecord).key("game").text()


def review_in_words(body: str, record: str) -> JsonObject:
    """A finished review with its reasons in words, with the names that the record has now."""
    review, source = Reader(parse(body), BadJson), Reader(parse(record), BadJson)
    game = find_game(source.key("game").text())
    names = _names([one.key("name").text() for one in source.key("players").items()])
    told: list[Json] = []
    for moment in review.key("moments").items():
        facts = dict(moment.object())
        if moment.has("why"):
            facts["why"] = _why(game, read_comparison(moment.key("why")), names)
        told.append(facts)
    return {**review.object(), "moments": told}


def _thinking(judge: object) -> float | None:
    return None if isinstance(judge, PositionJudge) else THINKING


def _why(game: Game, why: Comparison, names: Callable[[str], Sequence[str]]) -> JsonObject:
    told = {language: why.told(game, language, names(language)) for language in languages()}
    return {
        "better": {language: told[language].better for language in languages()},
        "chosen": {language: told[language].chosen for language in languages()},
        "reasons": [
            dict(zip(languages(), each, strict=True))
            for each in zip(*(told[one].reasons for one in languages()), strict=True)
        ],
    }


def _names(given: Sequence[str]) -> Callable[[str], Sequence[str]]:
    """The players' names for texts; a seat without one has the game's own."""
    return lambda _language: list(given)
