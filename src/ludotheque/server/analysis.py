"""Questions about any position or record, answered with the real rules: for lessons, puzzles, replays and fair dice.

Nothing here is stored. These functions run in workers, or here where they are short; how often is the gate's business.
"""

from collections.abc import Sequence
from itertools import zip_longest
from typing import Any, Final

from ludotheque.core import (
    CHANCE,
    BadRequest,
    Dice,
    JsonObject,
    Match,
    Position,
    find_game,
    parse,
    read_record,
    verify,
)
from ludotheque.server.schemas.positions import Question
from ludotheque.server.seen import last_seat, show_position, told

DRAWN: Final = "?"
LONGEST_STORY: Final = 5000  # steps with their positions


def reached(question: Question) -> tuple[Match, list[JsonObject]]:
    """The match that a question describes, and its steps told."""
    game = find_game(question.game)
    match = Match(game, question.players, question.options, dice=Dice(question.seed), setup=question.setup)
    steps: list[JsonObject] = []
    names = _names(question.names)
    if question.outcomes is not None and len(question.outcomes) > len(question.actions):
        raise BadRequest("There are more outcomes than actions.", "Il y a plus de résultats que d'actions.")
    for place, (action, outcome) in enumerate(zip_longest(question.actions, question.outcomes or ())):
        step = match.draw() if action == DRAWN and match.to_move == CHANCE else match.play(action, outcome)
        if place >= question.start:
            entry = match.log[-1]
            shown = show_position(step.position, len(match.log), last_seat(match))
            steps.append(told(game, entry.by, entry.action, step, names, shown))
    return match, steps


def answer(question: Question) -> JsonObject:
    """The position, with everything that is legal and all odds, and how it came about."""
    match, steps = reached(question)
    position = show_position(match.position, len(match.log), last_seat(match), all_odds=True)
    return {"position": position, "steps": steps}


def ask(game: str, request: JsonObject) -> JsonObject:
    """One of a game's own requests that need no match, such as Yikerz's `shapes` and `lab`."""
    requests = find_game(game).engine_requests
    word = request.get("do")
    if not isinstance(word, str) or word not in requests:
        raise BadRequest(
            f"Asked of this game can be: {', '.join(requests) or 'nothing'}.",
            f"À ce jeu on peut demander : {', '.join(requests) or 'rien'}.",
        )
    return requests[word](request)


def position_of(question: Question) -> Position:
    """The position alone."""
    return reached(question)[0].position


def check_record(text: bytes) -> JsonObject:
    """What a card says of a record, once it has been replayed; BadRecord otherwise."""
    record = read_record(parse(text))
    return {
        "game": record.match.game.name,
        "players": [{"name": one.name[:60], "kind": one.kind[:60]} for one in record.seated],
        "returns": list(record.match.position.returns()),
        "actions": len(record.match.log),
    }


def story(text: str) -> JsonObject:
    """A record in words and positions."""
    record = read_record(parse(text))
    match = record.match
    names = _names([one.name for one in record.seated])
    steps: list[JsonObject] = []
    last: int | None = None
    for entry, step in match.steps():
        if len(steps) >= LONGEST_STORY:
            break
        last = entry.by if isinstance(entry.by, int) else last
        shown = show_position(step.position, len(steps) + 1, last)
        steps.append(told(match.game, entry.by, entry.action, step, names, shown))
    return {"first": show_position(match.first, 0), "steps": steps}


def verdict(text: bytes | str) -> JsonObject:
    """Whether a record's dice were fair."""
    found = verify(read_record(parse(text)))
    return {"fair": found.fair, "words": {"en": found.english, "fr": found.french}}


def _names(given: Sequence[str]) -> Any:
    """Names for words; where there are none, the game's own are used."""
    return lambda _language: list(given)
