"""Text mode for language models and other programs that read: the rules, the board and what is possible, as plain text.

It works with every game, Yikerz! included, whose actions are described where they cannot be listed. Rules are the games'.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from ludotheque.bots import player_named
from ludotheque.core import CHANCE, Dice, Event, Game, Json, Match, Player, Problem, find_game, fresh_seed, text
from ludotheque.envs.seated import checked_seed

MOST_EVENTS: Final = 40
"""How many events since one's last action are told, at most; the latest."""


@dataclass(frozen=True)
class Turn:
    """What a reader is told."""

    text: str
    """What happened, the board, and what is possible now."""
    seat: int | None
    """Who is to answer; None when the match is over."""
    actions: tuple[str, ...]
    """Every action that can be listed."""
    accepted: bool = True
    """Whether the last answer was played. If not, `text` begins with the reason, and nothing has changed."""
    returns: tuple[float, ...] = ()
    """When over: 1 won, 0 lost, a draw shared, for each seat."""


class TextEnv:
    """A match in words. The reader answers for all seats, or for those that no player is named for."""

    def __init__(
        self,
        game: str,
        players: int | None = None,
        options: Json = None,
        *,
        opponents: Mapping[int, str] | None = None,
        language: str = "en",
    ) -> None:
        """`opponents` names players for some seats: `{1: "bot:3"}`."""
        self.game: Final[Game] = find_game(game)
        self.players: Final = self.game.read_players(players)
        self.options: Final = self.game.read_options(options, self.players)
        self.language: Final = language
        self._opponents: Final[dict[int, Player]] = {
            seat: player_named(name, self.game) for seat, name in (opponents or {}).items()
        }
        self._match: Match | None = None

    def rules(self) -> str:
        """The rules for players, as Markdown, with their examples drawn in letters."""
        return self.game.rules_text(self.language)

    def reset(self, seed: int | None = None) -> Turn:
        """Begin a match; the same seed and the same answers give the same match."""
        number = checked_seed(seed)
        dice = Dice(fresh_seed() if number is None else f"text {number}")
        self._match = Match(self.game, self.players, dict(self.options), dice=dice)
        return self._turn(self._go_on())

    @property
    def match(self) -> Match:
        """The match as it stands; one without a seed begins when nobody has called `reset`."""
        if self._match is None:
            self.reset()
        assert self._match is not None
        return self._match

    def step(self, answer: str) -> Turn:
        """Play an answer: the text of an action; capitals and blanks are forgiven.

        Anything else is refused with a reason in the text, and the same question comes again.
        """
        match = self.match
        if match.over:
            return self._turn([], problem=text("envs.over").sentence(self.language))
        try:
            events = list(match.play(match.position.understand(str(answer))).events)
        except Problem as problem:
            return self._turn([], problem=problem.sentence(self.language))
        return self._turn([*events, *self._go_on()])

    def _go_on(self) -> list[Event]:
        """Let chance and the named players act; what happened."""
        match = self.match
        events: list[Event] = []
        while (mover := match.to_move) is not None:
            if mover == CHANCE:
                events += match.draw().events
            elif mover in self._opponents:
                decision = self._opponents[mover].choose(match.position, seed=match.bot_seed())
                events += match.play(decision.action).events
            else:
                break
        return events

    def _turn(self, events: list[Event], problem: str | None = None) -> Turn:
        position, language = self.match.position, self.language
        lines = [] if problem is None else [problem, ""]
        lines += [self.game.tell(event, language) for event in events[-MOST_EVENTS:]]
        lines += ["", position.picture(language=language), ""]
        actions: tuple[str, ...] = ()
        seat = position.to_move if isinstance(position.to_move, int) else None
        if seat is None:
            lines.append(text("envs.text.over").sentence(language))
        else:
            legal = position.legal()
            actions = legal.actions
            name = self.game.seat_name(seat, language)
            lines.append(text("envs.text.to-move", name=name).sentence(language))
            if actions:
                lines.append(text("envs.text.actions", actions=", ".join(actions)).sentence(language))
            lines += [text("envs.text.open", kind=kind).sentence(language) for kind in legal.open]
        told = "\n".join(lines).strip() + "\n"
        return Turn(told, seat, actions, problem is None, tuple(position.returns()) if position.over else ())

    def close(self) -> None:
        """Let go of the named players."""
        for player in self._opponents.values():
            player.close()
