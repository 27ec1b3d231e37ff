"""Saying things at a table: friendly phrases, chat where it is allowed, and muting somebody. Nothing of it is stored."""

from typing import Final

from ludotheque.core import BadRequest
from ludotheque.table import requests
from ludotheque.table.context import Context, Handling
from ludotheque.table.problems import NotAllowed, WhoAreYou

PHRASES: Final = (
    "hello",
    "good-luck",
    "well-played",
    "thanks",
    "sorry",
    "thinking",
    "your-turn",
    "lucky",
    "unlucky",
    "close",
    "again",
    "back-soon",
    "goodbye",
)
"""What can be said without chat; the catalogue has the sentences as `server.phrase.…`."""


def say(context: Context, request: requests.SayPhrase | requests.SayText) -> Handling:
    """Say a phrase, or chat."""
    actor = context.asker()
    person = actor.person
    if person is None:
        raise WhoAreYou("table.who-speaks")
    phrase = request.phrase if isinstance(request, requests.SayPhrase) else None
    text = request.text if isinstance(request, requests.SayText) else None
    if phrase is not None and phrase not in PHRASES:
        raise BadRequest("table.no-such-phrase")
    if text is not None and not context.state.settings.chat:
        raise NotAllowed("table.no-chat")
    said = {"what": "said", "person": person, "phrase": phrase, "text": text, "at": context.now.moment}
    context.room.said.append(said)
    context.tell(said, *context.room.hearers(str(person["id"])))
    context.done(actor, request.id)
    yield from ()


def mute(context: Context, request: requests.Mute) -> Handling:
    """Hear a person no more, or again."""
    person = context.person
    if person is None:
        raise WhoAreYou("table.who-speaks")
    context.room.mute(person, request.person, on=request.on)
    context.done(context.asker(), request.id)
    yield from ()
