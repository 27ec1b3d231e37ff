"""What a game is: positions that change by actions, all of them with one text form.

Matches, records and tables see only this. What a game can do besides is in capabilities.py.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar, Final, Literal, NamedTuple, TypeAlias

from ludotheque.core.capabilities import Capabilities
from ludotheque.core.catalogue import FALLBACK, Catalogue, bare, languages, page_in, per_language
from ludotheque.core.dice import SetupDice, chosen
from ludotheque.core.examples import Example, in_letters, read_examples
from ludotheque.core.jsons import Json, JsonObject, write
from ludotheque.core.options import First, Option, Options, read_options
from ludotheque.core.problems import BadOption, IllegalAction, shortened

CHANCE: Final = "chance"
MOST_OF_A_KIND: Final = 8  # actions that are listed before they are only counted
MOST_LISTED: Final = 16
ROLES: Final = ("player", "other", "winner")  # facts of events that name a seat
ToMove: TypeAlias = int | Literal["chance"] | None
"""Whose turn it is: a seat, chance, or nobody once the game is over."""

Paint: TypeAlias = Callable[[str, str], str]
"""Gives a text a style ("red", "bold", "dim"…) where the terminal has colours: `paint(style, text)`."""


def plain(_style: str, text: str) -> str:
    """Paint for where there are no colours."""
    return text


class Legal(NamedTuple):
    """What can be done now. On chance's turn every outcome, with integer weights in the same order.

    `open` names kinds of action with free parameters, which cannot be listed (a hand's path in Yikerz).
    """

    actions: tuple[str, ...]
    weights: tuple[int, ...] = ()
    open: tuple[str, ...] = ()

    @property
    def odds(self) -> tuple[float, ...]:
        """The probability of each of chance's outcomes."""
        total = sum(self.weights)
        return tuple(weight / total for weight in self.weights)


@dataclass(frozen=True)
class Event:
    """Something that happened, to be animated and told: `what` names a sentence of the game's words, `facts` fill it."""

    what: str
    facts: Mapping[str, Json] = field(default_factory=dict)

    def json(self) -> JsonObject:
        """The event for the page and for programs."""
        return {"what": self.what, **self.facts}


class Position(ABC):
    """One moment of a game. It never changes: playing gives a new one."""

    game: "Game"
    options: Options
    players: int

    @property
    @abstractmethod
    def to_move(self) -> ToMove:
        """Whose turn it is."""

    @property
    def acting(self) -> int | None:
        """The seat to move or, on chance's turn, the seat whose dice they are; None if they are nobody's."""
        to_move = self.to_move
        return to_move if isinstance(to_move, int) else None

    @property
    def pending_call(self) -> "Call | None":
        """What the player to move has to say by themselves before the next player begins, or pays for; None in most games."""
        return None

    @abstractmethod
    def legal(self) -> Legal:
        """Everything that the player to move, or chance, can do; empty when the game is over."""

    def total_weight(self) -> int:
        """On chance's turn, the sum of its outcomes' weights: a draw is a number below it."""
        return sum(self.legal().weights)

    def outcome_at(self, number: int) -> str:
        """On chance's turn, the outcome that a number drawn below `total_weight` means."""
        legal = self.legal()
        return legal.actions[chosen(legal.weights, number)]

    @abstractmethod
    def play(self, action: str, outcome: Json = None) -> "Step":
        """The position after one action, written exactly as in `legal`; IllegalAction otherwise.

        `outcome` is what the log kept of an earlier play of the same action (see Step); most games need none.
        """

    @abstractmethod
    def view(self) -> JsonObject:
        """The whole position as JSON, as docs/protocol.md describes it; `Game.from_view` reads it back."""

    @abstractmethod
    def returns(self) -> tuple[float, ...]:
        """When the game is over, one number a seat: 1 won, 0 lost, a draw shared; empty before."""

    @abstractmethod
    def picture(self, paint: Paint = plain, language: str = "en") -> str:
        """The board in a terminal."""

    def understand(self, typed: str) -> str:
        """The action that a person at a terminal means by what was typed, as it is written or as `typed` says it in any language.

        Blanks, capitals and accents are forgiven. IllegalAction, in the words that can be typed, if it is none; one of a kind that
        cannot be listed is left to `play`.
        """
        wanted, legal = bare(typed), self.legal()
        for action in legal.actions:
            if wanted in {bare(action), *(bare(self.typed(action, language)) for language in languages())}:
                return action
        if legal.open:
            return " ".join(typed.split())
        raise self.refuse_typed(typed)

    def typed(self, action: str, language: str = "en") -> str:
        """How a person at a terminal would type a legal action; `understand` reads it back.

        Here, its first word is the game's `action.…` word of that language, where it has one.
        """
        word, blank, rest = action.partition(" ")
        return self.game.catalogue.templates(language).get(f"action.{word}", word) + blank + rest

    def typed_kinds(self, language: str = "en") -> list[str]:
        """How a person at a terminal would type the kinds of action that cannot be listed; here, their names."""
        del language
        return list(self.legal().open)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.to_move is None

    def refuse(self, action: str) -> IllegalAction:
        """The problem to raise for an action that is not legal here, with what is."""
        if self.over:
            return IllegalAction("game.over")
        possible = ", ".join(in_brief(self.legal().actions))
        return IllegalAction("game.not-possible", action=shortened(action), possible=possible)

    def refuse_typed(self, typed: str) -> IllegalAction:
        """The same for what a person typed, with what can be typed instead."""
        if self.over:
            return self.refuse(typed)
        possible = per_language(lambda language: ", ".join(self.in_brief(language)))
        return IllegalAction("game.not-possible", action=shortened(typed), possible=possible)

    def in_brief(self, language: str) -> list[str]:
        """What a person at a terminal can type now, every kind of it."""
        return in_brief([self.typed(action, language) for action in self.legal().actions]) + self.typed_kinds(language)


def in_brief(actions: Sequence[str]) -> list[str]:
    """What can be done, every kind of it: of a kind with many members, which share their first word, only some."""
    kinds: dict[str, list[str]] = {}
    for action in actions:
        kinds.setdefault(action.split(" ")[0], []).append(action)
    brief: list[str] = []
    for some in kinds.values():
        brief += some if len(some) <= MOST_OF_A_KIND else [*some[:2], f"… ({len(some)})"]
    return brief if len(brief) <= MOST_LISTED else [*brief[:MOST_LISTED], f"… ({len(actions)})"]


class Call(NamedTuple):
    """Something that a player has to say by themselves before the next player begins. Nobody is told when.

    A table shows the next player's turn meanwhile. If that player begins, it has not been said: `unsaid` is played.
    """

    by: int
    """The seat that has to say it, or that pays for not having said it."""
    next: int
    """The seat whose beginning ends it."""
    unsaid: str | None
    """The action that counts once the next player has begun; None while it is being paid for."""
    shown: Position
    """The position as everybody sees it: the next player's turn or, while it is being paid for, the position itself."""


class Step(NamedTuple):
    """An action played: the new position, what happened, and what the log must keep to replay it elsewhere (often nothing)."""

    position: Position
    events: tuple[Event, ...] = ()
    outcome: Json = None


class Game(ABC):
    """A game that can be played here. It is found by its entry point in the group `ludotheque.games`."""

    name: ClassVar[str]
    """As in commands and records: `yam-master`."""
    title: ClassVar[str]
    """As on the box: `Yam Master`."""
    rules_version: ClassVar[int]
    """Raised with any change of the rules; records name it."""
    seats: ClassVar[tuple[int, ...]]
    """The numbers of players that can play; the first is the default."""
    has_dice: ClassVar[bool] = False
    """Whether players roll dice. A table may let them roll by hand; what chance deals otherwise is dealt at once."""
    declared_options: ClassVar[Sequence[Option]] = ()
    package: ClassVar[str]
    """The Python package that holds the game's catalogues (`locales/en.json` …) and rules pages (`rules.en.md` …)."""
    capabilities: Capabilities = Capabilities()
    """What the game can do beyond being played."""

    def __repr__(self) -> str:
        return f"<game {self.name}>"

    @abstractmethod
    def start(self, players: int, options: Options, dice: SetupDice) -> Position:
        """The first position; whatever is random in it is drawn from the dice."""

    @abstractmethod
    def from_view(self, view: JsonObject, players: int, options: Options) -> Position:
        """The position that a view describes; BadView if no game can reach it in shape or in counts."""

    def at_version(self, version: int) -> "Game | None":
        """This game with the rules of a version; None if it does not offer them. A table is played under its own rules.

        It is `self` also for an earlier version whose rules are today's with certain options: `options_of_version` says which.
        """
        return self if version == self.rules_version else None

    def options_of_version(self, version: int, given: Mapping[str, Json]) -> Mapping[str, Json]:
        """Options stored under a version that `at_version` answers with `self`, said in today's options.

        For the current version they are as given. They are not checked here: `read_options` does that.
        """
        del version
        return given

    def read_options(self, given: Json = None, players: int | None = None) -> Options:
        """Options from outside, checked, with the defaults for the rest.

        Without a number of players, a seat among the options may be too high: whoever sets up a match says how many play.
        """
        return read_options(self.declared_options, given, players)

    @property
    def starter_option(self) -> str | None:
        """The name of the option that says who starts; None if the game has none."""
        return next((option.name for option in self.declared_options if isinstance(option, First)), None)

    def read_players(self, given: Json = None) -> int:
        """A number of players that this game takes."""
        if given is None:
            return self.seats[0]
        if isinstance(given, bool) or not isinstance(given, int) or given not in self.seats:
            allowed, found = ", ".join(map(str, sorted(self.seats))), shortened(write(given), 20)
            raise BadOption("game.players", title=self.title, allowed=allowed, found=found)
        return given

    @cached_property
    def catalogue(self) -> Catalogue:
        """The game's sentences."""
        return Catalogue(self.package)

    def seat_name(self, seat: int, language: str) -> str:
        """What a seat is called at the table when nobody has given it a name: Red, Rouge."""
        return self.catalogue.say(f"seat.{seat}", language)

    def bot_name(self, level: int) -> str:
        """What the bot of a level is called at the table: the game's name for it, the same in every language."""
        return self.catalogue.templates(FALLBACK).get(f"bot.{level}", f"Bot {level}")

    def tell(self, event: Event, language: str, names: Sequence[str] = ()) -> str:
        """An event in words. `names` are the people at the seats; without them the seats' own names are used.

        It is the same for the same event, and has names just as they are: servers remember it with the names left open.
        """
        facts = dict(event.facts)
        for role in ROLES:
            if role in facts and isinstance(seat := facts[role], int):
                facts[role] = names[seat] if seat < len(names) else self.seat_name(seat, language)
        return self.catalogue.say(f"event.{event.what}", language, facts)

    def rules_page(self, language: str) -> str:
        """The rules as players read them, in Markdown."""
        return page_in(self.package, "rules", language)

    @cached_property
    def examples(self) -> Mapping[str, Example]:
        """The positions that the rules pages show, by name."""
        return read_examples(self.package)

    def rules_text(self, language: str) -> str:
        """The rules page for readers without a board: its examples are drawn in letters."""

        def picture(name: str) -> str:
            example = self.examples[name]
            options = self.read_options(example.options)
            return self.from_view(example.view, example.players, options).picture(language=language)

        return in_letters(self.rules_page(language), picture)
