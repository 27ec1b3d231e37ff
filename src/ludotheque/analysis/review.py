"""Review of a match: the chance to win after every decision and every roll, what the dice gave and what decisions cost.

A strong player judges each position; the caller chooses which.
"""

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from typing import Final, Protocol, runtime_checkable

from ludotheque.analysis.reasons import Comparison, compare
from ludotheque.core import CHANCE, Game, Json, JsonObject, Match, Player, Position, ToMove

SIZES: Final = (("blunder", 0.10), ("mistake", 0.05), ("inaccuracy", 0.02))
"""What a decision that gives away so much of the chance to win is called."""


@runtime_checkable
class PositionJudge(Protocol):
    """A player that can also evaluate positions where nobody decides: before a roll, or when the game is over."""

    def standing(self, position: Position) -> tuple[float, ...]:
        """Every seat's chance to win."""


@dataclass(frozen=True)
class Moment:
    """One entry of the log with its evaluation. Chances to win are those of every seat; None if the judge cannot tell them."""

    place: int
    by: ToMove
    action: str
    before: tuple[float, ...] | None
    after: tuple[float, ...] | None
    lost: float = 0.0
    """What a decision cost its player, in chances to win."""
    best: str | None = None
    """The better choice, where there was one."""
    value: float | None = None
    """A decision's chance to win for its player, as it was played."""
    why: Comparison | None = None
    """What speaks for the better choice, where the decision was a mistake."""

    @property
    def size(self) -> str | None:
        """The name of a mistake of this size."""
        return next((name for name, least in SIZES if self.lost >= least), None)

    def luck(self, seat: int) -> float:
        """What a roll gave a seat."""
        if self.by != CHANCE or self.before is None or self.after is None:
            return 0.0
        return self.after[seat] - self.before[seat]

    def json(self) -> JsonObject:
        """The moment for programs."""
        facts: dict[str, Json] = {"place": self.place, "by": self.by, "action": self.action}
        if self.after is not None:
            facts["chances"] = [round(chance, 4) for chance in self.after]
            if self.by == CHANCE and self.before is not None:
                facts["luck"] = [round(self.luck(seat), 4) for seat in range(len(self.after))]
        if self.by != CHANCE:
            value = None if self.value is None else round(self.value, 4)
            facts |= {"value": value, "lost": round(self.lost, 4), "best": self.best, "size": self.size}
        if self.why is not None:
            facts["why"] = self.why.json()
        return facts


@dataclass(frozen=True)
class SeatSummary:
    """Luck and mistakes of one seat over a match."""

    luck: float | None
    """What the dice gave, in whole wins: +0.5 turns an even match into a won one. None where the judge cannot tell."""
    lost: float
    """What the decisions cost, likewise."""
    decisions: int
    mistakes: dict[str, int]
    """How many decisions were a blunder, a mistake, an inaccuracy."""


@dataclass(frozen=True)
class Balance:
    """How the chance to win of one seat changed over a match of two; start, luck, decisions and drift add up to `end`."""

    start: float
    luck: float
    own: float
    """What the own decisions cost, 0 or less."""
    other: float
    """What the other's decisions gave, 0 or more."""
    unforeseen: float
    """The drift of the evaluation: neither luck nor skill, and 0 for a perfect judge."""
    end: float

    def json(self) -> JsonObject:
        """The account for programs."""
        return {name: round(value, 4) for name, value in asdict(self).items()}


@dataclass(frozen=True)
class Review:
    """The review of a whole match."""

    players: int
    moments: tuple[Moment, ...]

    def sum(self, seat: int) -> SeatSummary:
        """Luck and mistakes of one seat."""
        own = [moment for moment in self.moments if moment.by == seat]
        told = any(moment.by == CHANCE and moment.after is not None for moment in self.moments)
        return SeatSummary(
            luck=sum(moment.luck(seat) for moment in self.moments) if told else None,
            lost=sum(moment.lost for moment in own),
            decisions=len(own),
            mistakes={name: sum(moment.size == name for moment in own) for name, _ in SIZES},
        )

    def drift(self, seat: int) -> float:
        """How far the evaluation changed between turns, in a seat's favour: neither luck nor skill, and 0 for a perfect judge.

        The first chance, luck, all losses and this add up to the result.
        """
        drift = 0.0
        former: tuple[float, ...] | None = None
        for moment in self.moments:
            if former is not None and moment.before is not None:  # other judges evaluate each decision anew
                drift += moment.before[seat] - former[seat]
            if isinstance(moment.by, int) and moment.before is not None and moment.after is not None:
                lost = -moment.lost if moment.by == seat else moment.lost
                drift += moment.after[seat] - moment.before[seat] - lost
            former = moment.after
        return drift

    def balance(self, seat: int) -> Balance | None:
        """The balance of one seat; None if the judge could not evaluate every position."""
        if self.players != 2 or any(one.before is None or one.after is None for one in self.moments):
            return None
        if not self.moments:
            return None
        first, last = self.moments[0].before, self.moments[-1].after
        assert first is not None
        assert last is not None
        luck = sum(moment.luck(seat) for moment in self.moments)
        own, other = -self.sum(seat).lost, self.sum(1 - seat).lost
        return Balance(first[seat], luck, own, other, self.drift(seat), last[seat])

    def worst(self, count: int = 10) -> list[Moment]:
        """The largest mistakes of all, the worst first."""
        return sorted((moment for moment in self.moments if moment.size), key=lambda one: -one.lost)[:count]

    def curve(self, seat: int) -> list[tuple[int, float]]:
        """A seat's chance to win after each entry of the log, where it is known.

        With three and more players a judge may know only the chance of whoever decides: then after the seat's own decisions.
        """
        known = [(moment.place, moment.after[seat]) for moment in self.moments if moment.after is not None]
        if self.players == 2:
            return known
        own = [(one.place, one.value) for one in self.moments if one.by == seat and one.value is not None]
        return sorted({**dict(own), **dict(known)}.items())

    def json(self) -> JsonObject:
        """The review for programs."""
        sums: list[Json] = []
        for seat in range(self.players):
            one = self.sum(seat)
            luck = None if one.luck is None else round(one.luck, 4)
            account = self.balance(seat)
            sums.append(
                {
                    "luck": luck,
                    "lost": round(one.lost, 4),
                    "decisions": one.decisions,
                    "mistakes": one.mistakes,
                    "balance": None if account is None else account.json(),
                }
            )
        return {
            "players": sums,
            "drift": round(self.drift(0), 4),
            "moments": [moment.json() for moment in self.moments],
        }


def reviewable(game: Game) -> bool:
    """Whether a game's decisions can be judged one by one: not if turns are live."""
    return game.capabilities.live is None


def moments(match: Match, judge: Player, seconds: float | None = None, last: Moment | None = None) -> Iterator[Moment]:
    """Judge a match entry by entry. The caller may stop at any of them and resume later after the `last` one.

    A decision costs the difference in value between the best action and the one played, both by the same judgement. Luck is the
    change made by a roll. If the judge is no `PositionJudge`, the chance before a roll is the value of the action before it.
    """
    begin = 0 if last is None else last.place + 1
    position = match.at(begin)
    standing = _standing(judge, position) if last is None else last.after
    for place, entry in enumerate(match.log[begin:], begin):
        before, after = position, position.play(entry.action, entry.outcome).position
        position = after
        if entry.by == CHANCE:
            then = _standing(judge, after) or _at_decision(judge, after, seconds)
            yield Moment(place, entry.by, entry.action, standing, then)
            standing = then
            continue
        assert isinstance(entry.by, int)
        decision = judge.choose(before, seconds=seconds, seed=place)
        values = {thought.action: thought.value for thought in decision.considered}
        if not values:  # the judge has no opinion: nothing is known, and no mistake
            standing = _standing(judge, after)
            yield Moment(place, entry.by, entry.action, None, standing)
            continue
        best = max(values, key=lambda action: values[action])
        value = values.get(entry.action)
        if value is None:
            value = min(values[best], _unconsidered(judge, after, entry.by, min(values.values()), seconds))
        lost = values[best] - value
        at_best = standing if isinstance(judge, PositionJudge) else _shares(before, entry.by, values[best])
        standing = _standing(judge, after) or _shares(before, entry.by, value)
        moment = Moment(place, entry.by, entry.action, at_best, standing, lost, best if lost > 0 else None, value)
        if moment.size:
            moment = replace(moment, why=compare(before, best, entry.action, judge, seconds))
        yield moment


def review(match: Match, judge: Player, seconds: float | None = None) -> Review:
    """Judge a whole match."""
    return Review(match.players, tuple(moments(match, judge, seconds)))


def _standing(judge: Player, position: Position) -> tuple[float, ...] | None:
    """Every seat's chance to win, if the judge can evaluate the position without choosing an action."""
    if position.over:
        return position.returns()
    return judge.standing(position) if isinstance(judge, PositionJudge) else None


def _unconsidered(judge: Player, after: Position, seat: int, least: float, seconds: float | None) -> float:
    """A seat's chance after an action that the judge did not consider, for instance because another wins at once."""
    then = _standing(judge, after) or _at_decision(judge, after, seconds)
    return least if then is None else then[seat]


def _at_decision(judge: Player, position: Position, seconds: float | None) -> tuple[float, ...] | None:
    """Every seat's chance where a seat is to move, by the value of the best action."""
    if position.over:
        return position.returns()
    if not isinstance(position.to_move, int):
        return None
    return _shares(position, position.to_move, judge.choose(position, seconds=seconds).value)


def _shares(position: Position, seat: int, value: float | None) -> tuple[float, ...] | None:
    """Every seat's chance from that of one; only with two players, whose chances add up to 1."""
    if value is None or position.players != 2:
        return None
    return (value, 1.0 - value) if seat == 0 else (1.0 - value, value)


def sparkline(values: Iterable[float]) -> str:
    """A curve of chances in one line of text."""
    bars = "▁▂▃▄▅▆▇█"
    return "".join(bars[min(7, max(0, int(8 * value)))] for value in values)
