"""Saying things at a table: friendly phrases, chat where it is allowed, and not hearing somebody.

Nothing of it is stored.
"""

from typing import TYPE_CHECKING

from ludotheque.core import BadRequest
from ludotheque.server import store
from ludotheque.server.phrases import PHRASES
from ludotheque.server.problems import NotAllowed, WhoAreYou
from ludotheque.server.schemas import wishes
from ludotheque.server.session.visitors import Visitor, person_id, write

if TYPE_CHECKING:
    from ludotheque.server.session.session import Session


async def say(session: "Session", visitor: Visitor, wish: wishes.SayPhrase | wishes.SayText) -> None:
    """Say a phrase, or chat."""
    person = visitor.person
    if person is None:
        raise WhoAreYou("Say who you are first.", "Dites d'abord qui vous êtes.")
    phrase = wish.phrase if isinstance(wish, wishes.SayPhrase) else None
    text = wish.text if isinstance(wish, wishes.SayText) else None
    if phrase is not None and phrase not in PHRASES:
        raise BadRequest("There is no such phrase.", "Cette phrase n'existe pas.")
    if text is not None and not session.table.settings.chat:
        raise NotAllowed("At this table there is no chat.", "À cette table, on ne bavarde pas.")
    message = {"what": "said", "person": person, "phrase": phrase, "text": text, "at": store.moment()}
    session.said.append(message)
    line = write(message)
    for other in session.visitors:
        if person["id"] not in session.muted.get(person_id(other) or "", ()):
            other.send(line)
    visitor.send(write({"what": "done", "id": wish.id}))


async def mute(session: "Session", visitor: Visitor, wish: wishes.Mute) -> None:
    """Hear a person no more, or again."""
    person = person_id(visitor)
    if person is None:
        raise WhoAreYou("Say who you are first.", "Dites d'abord qui vous êtes.")
    muted = session.muted.setdefault(person, set())
    if wish.on and len(muted) < 1000:
        muted.add(wish.person)
    else:
        muted.discard(wish.person)
    visitor.send(write({"what": "done", "id": wish.id}))
