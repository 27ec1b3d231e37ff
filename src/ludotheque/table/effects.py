"""What a table asks of its host: entries to commit, messages to publish, work to run."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple, Protocol, TypeAlias

from ludotheque.core import Dice, Game, Json, JsonObject, Options, Position
from ludotheque.table.entries import LogEntry

Played: TypeAlias = tuple[str, Json]
"""An action and the outcome that the log kept of it."""


class Now(NamedTuple):
    """The present, by the host's clocks: monotonic seconds, and milliseconds since 1970."""

    seconds: float
    moment: int


class Actor(Protocol):
    """Somebody connected to a table; messages are addressed to actors. `person` has an `id` and a `name`."""

    @property
    def person(self) -> JsonObject | None:
        """Who it is, if they said so."""


def person_id(actor: Actor) -> str | None:
    """The actor's id, if they said who they are."""
    return None if actor.person is None else str(actor.person["id"])


class Message(NamedTuple):
    """A message for everyone, or for some. Numbered ones tell of log entries."""

    content: JsonObject
    to: tuple[Actor, ...] | None = None
    number: int | None = None


# Work. The table waits for the work of the kinds with `waits`; whatever else it is asked meanwhile has to wait, too. Work gets
# its id when it is handed to the host.


@dataclass(slots=True, kw_only=True)
class Task:
    """Work with a result, which the host hands to `Table.resume` with its id."""

    waits: ClassVar[bool] = True
    id: int = 0


@dataclass(slots=True, kw_only=True)
class RulesTask(Task):
    """Work on the rules, which the table does by itself where they run in its host."""


@dataclass(slots=True)
class Start(RulesTask):
    """Set up a match and replay its first actions; the result is a Match whose log need not be filled."""

    game: Game
    players: int
    options: Options
    dice: Dice
    setup: JsonObject | None
    actions: Sequence[Played] = ()


@dataclass(slots=True)
class Play(RulesTask):
    """Play an action; the result is a Step."""

    position: Position
    action: str
    outcome: Json = None


@dataclass(slots=True)
class PlayAll(RulesTask):
    """Play actions one after the other; the result is a list of Steps."""

    position: Position
    actions: Sequence[Played]


@dataclass(slots=True)
class ReplayTo(RulesTask):
    """Play a match's first actions again; the result is the Position that they lead to."""

    position: Position
    actions: Sequence[Played]


@dataclass(slots=True)
class Choose(Task):
    """Let a bot of a level, or a program, decide; the result is an action's text or Forfeited.

    It is to be handed to `resume` not before that time, so that people can follow.
    """

    waits: ClassVar[bool] = False
    seat: int
    position: Position
    level: int
    program: str | None
    seed: int
    not_before: float


@dataclass(slots=True)
class Advise(Task):
    """Ask a bot for a hint; the result is a Decision. Other requests need not wait for it."""

    waits: ClassVar[bool] = False
    position: Position
    level: int


@dataclass(slots=True)
class Live(Task):
    """Begin a live turn; the result is None once it has begun.

    Its frames go to `Table.frame`, its end to `Table.live_ended`, both with this id.
    """

    position: Position
    hand: JsonObject


@dataclass(slots=True)
class Steer:
    """What the hand of a live turn asks for now. There is no result."""

    waits: ClassVar[bool] = False
    id: int
    hand: JsonObject


@dataclass(slots=True)
class Cancel:
    """Stop a live turn, or a bot that thinks. There is no result."""

    waits: ClassVar[bool] = False
    id: int


Work: TypeAlias = Start | Play | PlayAll | ReplayTo | Choose | Advise | Live | Steer | Cancel


class Forfeited(NamedTuple):
    """The result of a Choose whose program cannot go on."""

    why: str


class Effects:
    """What follows from a request, in this order: entries to commit, messages to publish, work to run, actors to dismiss."""

    __slots__ = ("dismissed", "entries", "messages", "work")

    def __init__(self) -> None:
        self.entries: list[LogEntry] = []
        self.messages: list[Message] = []
        self.work: Sequence[Work] = ()
        self.dismissed: Sequence[Actor] = ()

    @property
    def awaited(self) -> Work | None:
        """The work that the table waits for, if any; at most one."""
        return next((one for one in self.work if one.waits), None)


class Host(Protocol):
    """Whoever hosts a table: the server, the terminal, a Web Worker."""

    def commit(self, entries: Sequence[LogEntry], epoch: int) -> None:
        """Store entries. Messages are published only after that."""

    def publish(self, messages: Sequence[Message]) -> None:
        """Send messages."""

    def run(self, work: Work) -> None:
        """Do some work and give its result to `Table.resume`."""

    def stream(self, frame: Message) -> None:
        """Send a live frame; whoever reads slowly may miss it."""
