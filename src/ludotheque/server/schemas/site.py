"""Schemas of the site: what it offers, its games, its addresses, and people."""

from typing import Annotated, Any, Literal

from pydantic import Field

from ludotheque.server.schemas.base import Model, Moment, NewModel, Person, Words


class NewPerson(NewModel):
    """The name of a new person."""

    name: Annotated[str, Field(min_length=1, max_length=40)]


class Identity(Model):
    """A person and the secret that proves it; it is sent once."""

    person: Person
    secret: str


class Me(Model):
    """A person, as they see themselves."""

    person: Person
    devices: int


class Report(NewModel):
    """A name that is out of place; by default the person's present one."""

    name: Annotated[str | None, Field(max_length=40)] = None


class Thanks(Model):
    """What a person is told who has reported something."""

    words: Words


class Notice(Model):
    """What the operator tells everybody."""

    words: Words
    until: Annotated[Moment | None, Field(description="when it is no longer shown")] = None


class Link(Model):
    """A one-time link that carries an identity to another device."""

    code: str
    url: str
    qr: str
    expires: Moment


class Phrase(Model):
    """A phrase that people can say."""

    phrase: str
    words: Words


class Site(Model):
    """What this server offers."""

    name: str
    version: str
    protocol: int
    languages: list[str]
    levels: list[int]
    programs: list[str]
    phrases: list[Phrase]
    table_days: int
    notice: Notice | None = None
    read_only: Annotated[bool, Field(description="nothing can be changed now")] = False


class OptionCard(Model):
    """A choice before a game."""

    name: str
    kind: Literal["switch", "number", "choice", "counts", "first"]
    default: Any
    clause: str
    words: Words
    about: Annotated[Words | None, Field(description="a sentence that explains it, if the game has one")] = None
    low: int | None = None
    high: int | None = None
    optional: Annotated[bool, Field(description="whether a number may be null: none")] = False
    choices: list[str] | None = None
    total: int | None = None


class LiveCard(Model):
    """How a game's live turns stream."""

    rate: int


class GameCard(Model):
    """A game that can be played here."""

    name: str
    title: str
    rules_version: int
    seats: list[int]
    has_dice: Annotated[bool, Field(description="whether players roll dice, which a table may let them do by hand")]
    options: list[OptionCard]
    seat_names: Annotated[dict[str, list[str]], Field(description="the seats' own names, by language")]
    words: Annotated[dict[str, dict[str, str]], Field(description="all sentences of the game by key, by language")]
    live: LiveCard | None
    calls: Annotated[bool, Field(description="whether players have to say something by themselves; a table may remind")]
    board: str | None
    manifest: str | None
    rules: bool
    puzzles: int
    reviews: bool
    playable: Annotated[bool, Field(description="false where it is only shown, since playing it needs a server")] = True


class Games(Model):
    """All games."""

    games: list[GameCard]


class ExamplePosition(Model):
    """A position that a rules page shows."""

    players: int
    options: dict[str, Any]
    view: dict[str, Any]


class Examples(Model):
    """All of a game's, by the name that the rules page gives them."""

    examples: dict[str, ExamplePosition]


class TopicCard(Model):
    """A page of the manual, with its title."""

    name: str
    hosts: bool
    """Whether it is for those who run a server or write programs."""
    words: Words


class Topics(Model):
    """The whole manual."""

    topics: list[TopicCard]


class Address(Model):
    """An address of the server in the local network."""

    url: str
    qr: str


class Addresses(Model):
    """All of them."""

    addresses: list[Address]


class Health(Model):
    """The server is well."""

    ok: bool
    read_only: bool = False
