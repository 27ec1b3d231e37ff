"""A record: one JSON document that holds a whole match, so that it replays without random numbers and its dice can be checked.

The terminal and the server decide where records are kept.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ludotheque.core.catalogue import Text, text
from ludotheque.core.dice import Dice, Draw, SetupDice, chosen, commitment
from ludotheque.core.game import CHANCE, Game
from ludotheque.core.jsons import Json, JsonObject, Reader
from ludotheque.core.match import Match
from ludotheque.core.problems import BadRecord, Problem
from ludotheque.core.registry import find_game

FORMAT = 1
LONGEST = 100_000  # actions in a record
COMMITTED, BEGAN = "commitment", "match"  # in the order of what came before a match
LONGEST_SEED = 5000  # letters; the longest integer that JSON may hold here has 4300


@dataclass(frozen=True)
class Seated:
    """Who sat at a seat: a name, and what kind of player (`human`, `bot:3`, `cmd:…`)."""

    name: str
    kind: str = "human"


def write_record(
    match: Match, seated: Sequence[Seated] = (), *, reveal: bool | None = None, order: Sequence[int] | None = None
) -> JsonObject:
    """The record of a match so far. The seed is told once the match is over, or when `reveal` says so.

    `order` has the seats whose numbers came after the commitment, as they came; None where that is not known.
    """
    show_seed = match.over if reveal is None else reveal
    dice: dict[str, Json] = {"commitment": match.dice.commitment}
    if show_seed:
        dice["seed"] = match.dice.seed
    dice["numbers"] = list(match.dice.numbers)
    if order is not None:
        dice["order"] = [COMMITTED, *order, BEGAN]
    dice["draws"] = [[draw.place, draw.total, draw.number] for draw in match.draws]
    if match.takebacks:
        dice["takebacks"] = list(match.takebacks)
    people = [seated[seat] if seat < len(seated) else Seated(f"{seat + 1}") for seat in range(match.players)]
    record: dict[str, Json] = {
        "ludotheque": FORMAT,
        "game": match.game.name,
        "rules": match.game.rules_version,
        "options": dict(match.options),
        "players": [{"name": one.name, "kind": one.kind} for one in people],
        "setup": match.first.view(),
        "actions": [entry.action for entry in match.log],
        "returns": list(match.position.returns()),
        "dice": dice,
    }
    if any(entry.outcome is not None for entry in match.log):
        record["outcomes"] = [entry.outcome for entry in match.log]
    return record


@dataclass(frozen=True)
class Record:
    """A record that was read and replayed: it is complete and legal."""

    match: Match
    seated: tuple[Seated, ...]
    commitment: str | None
    seed: str | None
    draws: tuple[Draw, ...]
    order: tuple[Json, ...] | None
    source: JsonObject = field(repr=False)


def read_record(source: Json, games: Mapping[str, Game] | None = None) -> Record:
    """Read and replay a record; BadRecord names the place of whatever is wrong in it.

    One of an earlier version of the rules is replayed where the game still offers them, its options said in today's.
    """
    reader = Reader(source, BadRecord)
    if not reader.has("ludotheque"):
        reader.fail("record.no-record")
    if reader.key("ludotheque").integer(1, 1_000_000) != FORMAT:
        reader.fail("record.format", found=str(reader.key("ludotheque").value), known=FORMAT)
    game = find_game(reader.key("game").text(100), games)
    version = reader.key("rules").integer(1, 1_000_000) if reader.has("rules") else game.rules_version
    own = game.at_version(version)
    if own is None:
        newer = version > game.rules_version
        problem = "record.rules-newer" if newer else "record.rules-gone"
        reader.fail(problem, version=version, current=game.rules_version, title=game.title)
    seated = tuple(
        Seated(one.key("name").text(200), one.key("kind").text(500)) for one in reader.key("players").items(most=100)
    )
    dice, told_commitment, seed = _read_dice(reader)
    try:
        match = Match(
            own,
            len(seated),
            own.options_of_version(version, reader.key("options").object() if reader.has("options") else {}),
            dice=dice,
            setup=reader.key("setup").object(),
        )
    except BadRecord:
        raise
    except Problem as problem:
        raise BadRecord("record.setup", problem=problem.text) from problem
    actions = [action.text(1_000_000) for action in reader.key("actions").items(most=LONGEST)]
    outcomes = [one.value for one in reader.key("outcomes").items(len(actions))] if reader.has("outcomes") else None
    for place, action in enumerate(actions):
        try:
            match.play(action, outcomes[place] if outcomes else None)
        except Problem as problem:
            raise BadRecord("record.action", place=place, problem=problem.text) from problem
    returns = [one.number(0, 1) for one in reader.key("returns").items(most=100)] if reader.has("returns") else []
    if returns != list(match.position.returns()):
        reader.fail("record.returns", end=str(list(match.position.returns())), told=str(returns))
    draws = _read_draws(reader)
    match.attach_draws(draws, _read_takebacks(reader))
    return Record(match, seated, told_commitment, seed, draws, _read_order(reader), reader.object())


def _read_dice(reader: Reader) -> tuple[Dice | None, str | None, str | None]:
    if not reader.has("dice"):
        return None, None, None
    dice = reader.key("dice")
    told = dice.key("commitment").text(200) if dice.has("commitment") else None
    seed = dice.key("seed").text(LONGEST_SEED) if dice.has("seed") else None
    numbers = tuple(one.text(1000) for one in dice.key("numbers").items(most=100)) if dice.has("numbers") else ()
    return (Dice(seed, numbers) if seed is not None else None), told, seed


def _read_draws(reader: Reader) -> tuple[Draw, ...]:
    if not reader.has("dice") or not reader.key("dice").has("draws"):
        return ()
    rows = [row.items(3) for row in reader.key("dice").key("draws").items(most=2 * LONGEST)]
    most = (1 << 64) - 1
    return tuple(Draw(row[0].text(40), row[1].integer(1, most), row[2].integer(0, most)) for row in rows)


def _read_takebacks(reader: Reader) -> tuple[int, ...]:
    if not reader.has("dice") or not reader.key("dice").has("takebacks"):
        return ()
    return tuple(one.integer(0, LONGEST) for one in reader.key("dice").key("takebacks").items(most=LONGEST))


def _read_order(reader: Reader) -> tuple[Json, ...] | None:
    if not reader.has("dice") or not reader.key("dice").has("order"):
        return None
    return tuple(one.value for one in reader.key("dice").key("order").items(most=100))


@dataclass(frozen=True)
class Verdict:
    """What can be said of a record's dice: fair (True), not (False), or unknown (None), and why.

    `order` says what came first before the match, where the record tells.
    """

    fair: bool | None
    text: Text
    order: Text | None = None


def verify(record: Record) -> Verdict:
    """Prove or refute that the dice of a record were fixed before the match and never touched."""
    verdict = _verify_draws(record)
    if record.order is None or verdict.fair is False:
        return verdict
    numbers = record.match.dice.numbers if record.seed is not None else _told_numbers(record)
    given = [seat for seat, number in enumerate(numbers) if number]
    seats = record.order[1:-1]
    as_told = (record.order[:1], record.order[-1:]) == ((COMMITTED,), (BEGAN,))
    if not as_told or len(seats) != len(given) or any(seat not in seats for seat in given):
        return Verdict(False, text("verdict.other-order"))
    names = [one.name for one in record.seated]
    if not seats:
        return Verdict(verdict.fair, verdict.text, text("verdict.order-without-numbers"))
    told = ", ".join(names[seat] for seat in seats if isinstance(seat, int))
    return Verdict(verdict.fair, verdict.text, text("verdict.order", names=told))


def _told_numbers(record: Record) -> tuple[Json, ...]:
    """The numbers of a record without a seed."""
    dice = record.source["dice"]
    numbers = dice.get("numbers", ()) if isinstance(dice, dict) else ()
    return tuple(numbers) if isinstance(numbers, list) else ()


def _verify_draws(record: Record) -> Verdict:
    match = record.match
    if record.seed is None:
        return Verdict(None, text("verdict.no-seed"))
    if record.commitment is None:
        return Verdict(None, text("verdict.no-commitment"))
    if commitment(record.seed) != record.commitment:
        return Verdict(False, text("verdict.other-seed"))
    by_hand = 0
    if record.match.setup_draws:
        setup_dice = SetupDice(match.dice)
        first = match.game.start(match.players, match.options, setup_dice)
        if tuple(setup_dice.draws) != match.setup_draws or first.view() != match.first.view():
            return Verdict(False, text("verdict.other-setup"))
    else:
        setup_dice = SetupDice(match.dice)
        match.game.start(match.players, match.options, setup_dice)
        by_hand += bool(setup_dice.draws)
    listed = {draw.place for draw in record.draws if not draw.place.startswith("setup.")}
    position, rolls = match.first, 0
    for place, entry in enumerate(match.log):
        if entry.by == CHANCE:
            rolls += 1
            legal = position.legal()
            draw = match.dice.draw(match.draw_place(place), sum(legal.weights))
            listed.discard(draw.place)
            if entry.draw is None:
                by_hand += 1
            elif entry.draw != draw or legal.actions[chosen(legal.weights, draw.number)] != entry.action:
                given = legal.actions[chosen(legal.weights, draw.number)]
                return Verdict(False, text("verdict.other-roll", place=place, action=entry.action, given=given))
        position = position.play(entry.action, entry.outcome).position
    if listed:
        return Verdict(False, text("verdict.extra-draws", places=", ".join(sorted(listed)[:5])))
    if by_hand:
        if rolls < by_hand:
            return Verdict(None, text("verdict.setup-by-hand"))
        return Verdict(None, text("verdict.by-hand", by_hand=by_hand, others=rolls - by_hand))
    if match.takebacks:
        return Verdict(True, text("verdict.fair-takebacks", rolls=rolls, count=len(match.takebacks)))
    return Verdict(True, text("verdict.fair", rolls=rolls))
