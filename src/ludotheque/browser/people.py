"""The person of this browser: one, with a name. The secret keeps the page's questions as they are with a server."""

import secrets
from dataclasses import dataclass

from ludotheque.browser.storage import PEOPLE, Change, Storage
from ludotheque.core import BadJson, Json, Reader, parse, readable_name
from ludotheque.core.jsons import write

KEY = "me"
LONGEST_NAME = 40


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody, and the secret that proves it."""

    id: str
    name: str
    secret: str

    def json(self) -> dict[str, Json]:
        """As others see them."""
        return {"id": self.id, "name": self.name}


async def find_person(storage: Storage) -> Person | None:
    """The person of this browser, once there is one."""
    text = await storage.read(PEOPLE, KEY)
    if text is None:
        return None
    stored = Reader(parse(text), BadJson)
    return Person(stored.key("id").text(), stored.key("name").text(), stored.key("secret").text())


async def person_of(storage: Storage, secret: str) -> Person | None:
    """The person whose secret it is."""
    person = await find_person(storage)
    return person if person is not None and secrets.compare_digest(person.secret.encode(), secret.encode()) else None


async def become(storage: Storage, name: str) -> Person:
    """The person of this browser: the one who was here before, or a new one of that name."""
    known = await find_person(storage)
    return known or await keep(storage, Person(secrets.token_urlsafe(16), name, secrets.token_urlsafe(32)))


async def keep(storage: Storage, person: Person) -> Person:
    """Store a person, perhaps with another name."""
    told = {**person.json(), "secret": person.secret}
    await storage.write([Change(PEOPLE, KEY, write(told))])
    return person


def read_name(body: Json) -> str:
    """The name that somebody gives themselves; BadJson if nothing of it can be seen."""
    name = readable_name(Reader(body, BadJson).key("name").text(LONGEST_NAME))
    if not name:
        raise BadJson("server.empty-name")
    return name
