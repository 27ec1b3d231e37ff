"""A table that people are at: checks their wishes, adds lines to the log, has them stored, then tells everyone.

One wish after the other, so that nothing is shown before it is on disk. What the lines mean is the table's business,
sockets are sockets.py's, and which process holds the table is the hall's.
"""

import asyncio
import logging
import secrets
from collections import deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, Protocol

import orjson

from ludotheque.core import BadRequest, IllegalAction, Json, JsonObject, Match, Position, Problem, Step, fresh_seed
from ludotheque.players import Forfeit
from ludotheque.server import schemas, store
from ludotheque.server.bots import fallback
from ludotheque.server.live import LiveHand
from ludotheque.server.phrases import PHRASES
from ludotheque.server.problems import NotAllowed, WhoAreYou
from ludotheque.server.referee import draw
from ludotheque.server.seen import show_position, tell, told
from ludotheque.server.table import Line, Seat, Table
from ludotheque.server.writer import Job, LeaseLost

if TYPE_CHECKING:
    from ludotheque.server.hall import Hall

LOG: Final = logging.getLogger("ludotheque.server")
KEPT_MESSAGES: Final = 32  # numbered messages that a client may have missed; older ones are answered with the state
KEPT_WORDS: Final = 50  # things said
APPLIED_TOLD: Final = 16  # of a person's wishes, in a state
COME_AGAIN: Final = 1012
REMOVED: Final = 4403
Ready = Step | Match | Position | None
Addition = tuple[str, dict[str, Any], Ready]


class Visitor(Protocol):
    """Somebody connected to the table, as the session sees them."""

    person: JsonObject | None
    language: str

    def send(self, text: str) -> None:
        """Send a message, in order."""

    def send_frame(self, text: str) -> None:
        """Send a frame of a live turn, or nothing if the one before is still waiting."""

    def leave(self, code: int, reason: str) -> None:
        """End the connection."""


def person_id(visitor: Visitor) -> str | None:
    """The visitor's id, if they said who they are."""
    return None if visitor.person is None else str(visitor.person["id"])


def write(message: JsonObject) -> str:
    """A message as text."""
    return orjson.dumps(message).decode()


class Session:
    """A table in this process's hands."""

    def __init__(self, hall: "Hall", table: Table, epoch: int) -> None:
        self.hall = hall
        self.table = table
        self.epoch = epoch
        self.visitors: set[Visitor] = set()
        self.lock = asyncio.Lock()
        self.dropped = False
        self.used = asyncio.get_running_loop().time()
        self._recent: deque[tuple[int, str]] = deque(maxlen=KEPT_MESSAGES)
        self._said: deque[JsonObject] = deque(maxlen=KEPT_WORDS)
        self._muted: dict[str, set[str]] = {}
        self._away: dict[str, float] = dict.fromkeys(table.people, self.used)
        self._robot: asyncio.Task[None] | None = None
        self._flag: asyncio.TimerHandle | None = None
        self._live: LiveHand | None = None
        self._wishes: dict[type[schemas.Model], Callable[[Visitor, Any], Awaitable[None]]] = {
            schemas.Act: self._act,
            schemas.Roll: self._roll,
            schemas.Sit: self._sit,
            schemas.Stand: self._stand,
            schemas.Bot: self._bot,
            schemas.AskTakeback: self._ask_takeback,
            schemas.AnswerTakeback: self._answer_takeback,
            schemas.Resign: self._resign,
            schemas.Claim: self._claim,
            schemas.Rematch: self._rematch,
            schemas.Begin: self._begin_live,
            schemas.Peek: self._peek,
            schemas.AskStory: self._story,
            schemas.SayPhrase: self._say,
            schemas.SayText: self._say,
            schemas.Mute: self._mute,
            schemas.Remove: self._remove,
        }

    # Coming and going

    async def enter(self, visitor: Visitor, last: int | None) -> None:
        """Somebody comes, and hears what they have missed."""
        async with self.lock:
            self._must_hold()
            person = person_id(visitor)
            if person in self.table.removed:
                raise NotAllowed("The host has shown you out of this table.", "L'hôte vous a fait quitter cette table.")
            self.visitors.add(visitor)
            if person is not None:
                self._away.pop(person, None)
            table = self.table
            visitor.send(
                write(
                    {
                        "what": "welcome",
                        "version": schemas.VERSION,
                        "person": visitor.person,
                        "number": table.number,
                        "now": store.moment(),
                    }
                )
            )
            missed = [text for number, text in self._recent if last is not None and number > last]
            if last is not None and last <= table.number and len(missed) == table.number - last:
                for text in missed:
                    visitor.send(text)
            else:
                self._send_state(visitor, "hello")
            self._tell_here()

    def exit(self, visitor: Visitor) -> None:
        """Somebody's connection has ended."""
        self.visitors.discard(visitor)
        now = asyncio.get_running_loop().time()
        self.used = now
        person = person_id(visitor)
        if person is not None and person not in self.present:
            self._away[person] = now
        if self.visitors:
            self._tell_here()

    @property
    def present(self) -> set[str]:
        """The ids of those who are connected."""
        return {person for visitor in self.visitors if (person := person_id(visitor)) is not None}

    def drop(self, code: int = COME_AGAIN, reason: str = "come again") -> None:
        """Let go of the table: nothing more is shown from here; everyone comes again, perhaps elsewhere."""
        if self.dropped:
            return
        self.dropped = True
        self._stop_waiting()
        if self._live is not None:
            self._live.stop()
            self._live = None
        for visitor in list(self.visitors):
            visitor.leave(code, reason)
        self.visitors.clear()
        self.hall.forget_session(self)

    def _must_hold(self) -> None:
        if self.dropped or not self.hall.leases.heard:
            self.drop()
            raise LeaseLost

    # Wishes

    async def wish(self, visitor: Visitor, wish: schemas.Model) -> None:
        """Carry out one wish, or answer why not."""
        self.used = asyncio.get_running_loop().time()
        if isinstance(wish, schemas.Hand):
            self._hand(visitor, wish)
            return
        if isinstance(wish, schemas.Ping):
            visitor.send(write({"what": "pong", "id": wish.id, "now": store.moment()}))
            return
        if isinstance(wish, schemas.AskHint):
            await self._hint(visitor, wish)
            return
        async with self.lock:
            self._must_hold()
            if isinstance(wish, schemas.Wish):
                person = person_id(visitor)
                if person is None:
                    raise WhoAreYou(
                        "Watching needs no name, playing does: say hello with your secret.",
                        "Regarder ne demande pas de nom, jouer si : dites bonjour avec votre secret.",
                    )
                if (person, wish.id) in self.table.wishes:
                    self._send_state(visitor, "again", wish.id)
                    return
                if not self.table.position_number <= wish.at <= self.table.number:
                    self.hall.metrics.stale.inc()
                    self._send_state(visitor, "stale", wish.id)
                    return
            await self._wishes[type(wish)](visitor, wish)

    async def _act(self, visitor: Visitor, wish: schemas.Act) -> None:
        position = self._playing()
        seat = position.to_move
        if not isinstance(seat, int):
            raise BadRequest("The dice are to roll first.", "Il faut d'abord lancer les dés.")
        self._must_sit(visitor, seat)
        if self._live is not None:
            raise BadRequest("A turn is going on.", "Un tour est en cours.")
        step = await self.hall.referee.play(position, wish.action)
        await self._add([self._step(seat, wish.action, step, wish=wish.id, person=person_id(visitor))])

    async def _roll(self, visitor: Visitor, wish: schemas.Roll) -> None:
        self._playing()
        if not self.table.rolling:
            raise BadRequest("There is nothing to roll now.", "Il n'y a rien à lancer maintenant.")
        acting = self.table.acting
        if acting is not None:
            self._must_sit(visitor, acting)
        elif not self.table.seats_of(person_id(visitor)):
            raise NotAllowed("Only players roll.", "Seuls les joueurs lancent les dés.")
        await self._add([await self._rolled(wish=wish.id, person=person_id(visitor))])

    async def _sit(self, visitor: Visitor, wish: schemas.Sit) -> None:
        seat = self._seat(wish.seat)
        if seat.kind != "open":
            raise NotAllowed("This seat is taken.", "Cette place est prise.")
        person = visitor.person
        assert person is not None
        body = {
            "seat": wish.seat,
            "person": person["id"],
            "person_name": person["name"],
            "name": wish.name,
            "share": wish.number or secrets.token_hex(8),
            "wish": wish.id,
        }
        await self._add([("sit", body, None)], [self._attendance(str(person["id"]))])
        await self._begin_if_full()

    async def _stand(self, visitor: Visitor, wish: schemas.Stand) -> None:
        seat = self._seat(wish.seat)
        if self.table.status != "waiting":
            raise BadRequest("The match has begun; you can resign.", "La partie a commencé ; vous pouvez abandonner.")
        mine = seat.person is not None and seat.person == person_id(visitor)
        if not mine and not (seat.automatic and self._is_host(visitor)):
            raise NotAllowed("This is not your seat.", "Ce n'est pas votre place.")
        await self._add([("stand", {"seat": wish.seat, **self._by(visitor, wish)}, None)])

    async def _bot(self, visitor: Visitor, wish: schemas.Bot) -> None:
        self._must_host(visitor)
        if self._seat(wish.seat).kind != "open":
            raise NotAllowed("This seat is taken.", "Cette place est prise.")
        body: dict[str, Any] = {
            "seat": wish.seat,
            "level": None if wish.program else wish.level,
            "program": wish.program,
            "share": secrets.token_hex(8),
            **self._by(visitor, wish),
        }
        self.hall.check_player(self.table.game, wish.level, wish.program)
        await self._add([("bot", body, None)])
        await self._begin_if_full()

    async def _ask_takeback(self, visitor: Visitor, wish: schemas.AskTakeback) -> None:
        self._playing()
        table = self.table
        if not table.settings.takebacks:
            raise NotAllowed("At this table moves stand.", "À cette table, un coup joué est joué.")
        if table.takeback is not None:
            raise BadRequest("A takeback is already asked for.", "Une reprise est déjà demandée.")
        if self._live is not None:
            raise BadRequest("A turn is going on.", "Un tour est en cours.")
        seats = self._my_seats(visitor, wish.seat)
        match = table.match
        assert match is not None
        length = next((place for place in range(len(match.log) - 1, -1, -1) if match.log[place].by in seats), None)
        if length is None:
            raise BadRequest("You have not moved yet.", "Vous n'avez pas encore joué.")
        seat = match.log[length].by
        person = person_id(visitor)
        agreed = [place for place, one in enumerate(table.seats) if one.automatic or one.person == person]
        by = self._by(visitor, wish)
        if len(agreed) == len(table.seats):
            await self._take_back(length, by)
        else:
            await self._add([("takeback-asked", {"seat": seat, "length": length, "agreed": agreed, **by}, None)])

    async def _answer_takeback(self, visitor: Visitor, wish: schemas.AnswerTakeback) -> None:
        table, asked = self.table, self.table.takeback
        if asked is None:
            raise BadRequest("No takeback is asked for.", "Aucune reprise n'est demandée.")
        seats = table.seats_of(person_id(visitor))
        if not seats:
            raise NotAllowed("Only players answer.", "Seuls les joueurs répondent.")
        by = self._by(visitor, wish)
        if not wish.yes:
            await self._add([("takeback-refused", by, None)])
            return
        agreed = sorted({*asked.agreed, *seats})
        if len(agreed) == len(table.seats):
            await self._take_back(asked.length, by)
        else:
            body = {"seat": asked.seat, "length": asked.length, "agreed": agreed, **by}
            await self._add([("takeback-asked", body, None)])

    async def _take_back(self, length: int, by: dict[str, Any]) -> None:
        match = self.table.match
        assert match is not None
        position = await self.hall.referee.at(match, length)
        body: dict[str, Any] = {"length": length, **by}
        if self.table.clocks.used:
            self.table.clocks.stop(asyncio.get_running_loop().time())
            body["left"] = list(self.table.clocks.left)
        await self._add([("takeback", body, position)])

    async def _resign(self, visitor: Visitor, wish: schemas.Resign) -> None:
        self._playing()
        seats = self._my_seats(visitor, wish.seat)
        acting = self.table.acting
        seat = acting if acting in seats else seats[0]
        await self._lose(seat, "resigned", self._by(visitor, wish))

    async def _claim(self, visitor: Visitor, wish: schemas.Claim) -> None:
        self._playing()
        table = self.table
        self._my_seats(visitor, None)
        acting = table.acting
        absent = table.seats[acting].person if acting is not None else None
        away = self._away.get(absent) if absent is not None else None
        wait = table.settings.claim_after
        if acting is None or away is None or asyncio.get_running_loop().time() - away < wait:
            raise BadRequest(
                f"A game can be claimed when the player whose turn it is has been away for {wait:g} seconds.",
                f"On peut réclamer la partie quand le joueur dont c'est le tour est absent depuis {wait:g} secondes.",
            )
        if wish.as_ == "win" and len(table.seats) == 2:
            await self._lose(acting, "claimed", self._by(visitor, wish))
        else:
            await self._hand_over(acting, self._by(visitor, wish))

    async def _rematch(self, visitor: Visitor, wish: schemas.Rematch) -> None:
        if self.table.status != "over":
            raise BadRequest("The match is not over.", "La partie n'est pas finie.")
        seats = self._my_seats(visitor, None)
        shares = {str(seat): wish.number or secrets.token_hex(8) for seat in seats}
        await self._add([("rematch", {"shares": shares, **self._by(visitor, wish)}, None)])
        if all(seat.automatic or place in self.table.rematch for place, seat in enumerate(self.table.seats)):
            await self._begin()

    async def _remove(self, visitor: Visitor, wish: schemas.Remove) -> None:
        self._must_host(visitor)
        if wish.person == person_id(visitor):
            raise BadRequest("You cannot show yourself out.", "On ne se met pas soi-même à la porte.")
        await self._add([("removed", {"person": wish.person}, None)])
        for other in [one for one in self.visitors if person_id(one) == wish.person]:
            other.leave(REMOVED, "removed")
        visitor.send(write({"what": "done", "id": wish.id}))

    async def forget(self, person: str) -> None:
        """A person wants to be forgotten: a bot takes their seats."""
        async with self.lock:
            if person in self.table.people or self.table.host == person:
                await self._add([("forgotten", {"person": person}, None)])

    # Questions

    async def _peek(self, visitor: Visitor, wish: schemas.Peek) -> None:
        position = self.table.position
        if position is None:
            raise BadRequest("The match has not begun.", "La partie n'a pas commencé.")
        steps = await self.hall.referee.play_all(position, [(action, None) for action in wish.actions])
        shown, by, last = [], position.to_move, self.table.last
        match = self.table.match
        assert match is not None
        length = len(match.log)
        for action, step in zip(wish.actions, steps, strict=True):
            length += 1
            last = by if isinstance(by, int) else last
            place = show_position(step.position, length, last)
            shown.append(told(self.table.game, by, action, step, self.table.names, place))
            by, position = step.position.to_move, step.position
        visitor.send(
            write(
                {
                    "what": "preview",
                    "id": wish.id,
                    "number": self.table.number,
                    "steps": shown,
                    "position": show_position(position, length, last, all_odds=True),
                }
            )
        )

    async def _story(self, visitor: Visitor, wish: schemas.AskStory) -> None:
        match, names, game = self.table.match, self.table.names, self.table.game
        number = self.table.number
        log = [] if match is None else list(match.log)
        steps: list[JsonObject] = []
        if match is not None:
            played = await self.hall.referee.play_all(match.first, [(entry.action, entry.outcome) for entry in log])
            steps = [
                told(game, entry.by, entry.action, step, names, None) for entry, step in zip(log, played, strict=True)
            ][wish.start :]
        visitor.send(write({"what": "story", "id": wish.id, "number": number, "from": wish.start, "steps": steps}))

    async def _hint(self, visitor: Visitor, wish: schemas.AskHint) -> None:
        self._must_hold()
        table, person = self.table, person_id(visitor)
        others = [one for one in table.people if one != person]
        if others and table.status == "playing" and not table.settings.hints:
            raise NotAllowed(
                "Hints are off while another person plays.", "Pas de conseils tant qu'une autre personne joue."
            )
        position = self._playing()
        if not isinstance(position.to_move, int):
            raise BadRequest("There is nothing to decide: the dice roll.", "Rien à décider : les dés roulent.")
        number = table.number
        decision = await self.hall.bots.choose(position, wish.level, seconds=1.0)
        visitor.send(
            write(
                {
                    "what": "hint",
                    "id": wish.id,
                    "number": number,
                    "action": decision.action,
                    "value": decision.value,
                    "considered": [{"action": one.action, "value": one.value} for one in decision.considered[:20]],
                    "level": wish.level,
                }
            )
        )

    # Saying things

    async def _say(self, visitor: Visitor, wish: schemas.SayPhrase | schemas.SayText) -> None:
        person = visitor.person
        if person is None:
            raise WhoAreYou("Say who you are first.", "Dites d'abord qui vous êtes.")
        phrase = wish.phrase if isinstance(wish, schemas.SayPhrase) else None
        text = wish.text if isinstance(wish, schemas.SayText) else None
        if phrase is not None and phrase not in PHRASES:
            raise BadRequest("There is no such phrase.", "Cette phrase n'existe pas.")
        if text is not None and not self.table.settings.chat:
            raise NotAllowed("At this table there is no chat.", "À cette table, on ne bavarde pas.")
        message = {"what": "said", "person": person, "phrase": phrase, "text": text, "at": store.moment()}
        self._said.append(message)
        line = write(message)
        for other in self.visitors:
            if person["id"] not in self._muted.get(person_id(other) or "", ()):
                other.send(line)
        visitor.send(write({"what": "done", "id": wish.id}))

    async def _mute(self, visitor: Visitor, wish: schemas.Mute) -> None:
        person = person_id(visitor)
        if person is None:
            raise WhoAreYou("Say who you are first.", "Dites d'abord qui vous êtes.")
        muted = self._muted.setdefault(person, set())
        if wish.on and len(muted) < 1000:
            muted.add(wish.person)
        else:
            muted.discard(wish.person)
        visitor.send(write({"what": "done", "id": wish.id}))

    # Live turns

    async def _begin_live(self, visitor: Visitor, wish: schemas.Begin) -> None:
        position = self._playing()
        game = self.table.game
        if game.live is None:
            raise BadRequest(f"{game.title} has no live turns.", f"{game.title} n'a pas de tours en direct.")
        seat = position.to_move
        if not isinstance(seat, int):
            raise BadRequest("The dice are to roll first.", "Il faut d'abord lancer les dés.")
        self._must_sit(visitor, seat)
        if self._live is not None:
            raise BadRequest("A turn is going on.", "Un tour est en cours.")
        hand = await self.hall.live.begin(position, wish.wish, self._frame, self._live_over)
        self._live = hand
        hand.seat, hand.wish, hand.person, hand.number = seat, wish.id, person_id(visitor), self.table.position_number
        visitor.send(write({"what": "done", "id": wish.id}))

    def _hand(self, visitor: Visitor, wish: schemas.Hand) -> None:
        if self._live is not None and self._live.person == person_id(visitor):
            self._live.ask(wish.wish)

    def _frame(self, hand: LiveHand, sample: int, frame: JsonObject) -> None:
        if hand is not self._live:
            return
        text = write({"what": "live", "seat": hand.seat, "sample": sample, "frame": frame})
        for visitor in self.visitors:
            visitor.send_frame(text)

    def _live_over(self, hand: LiveHand, result: tuple[str, Json] | None) -> None:
        task = asyncio.ensure_future(self._end_live(hand, result))
        self.hall.keep(task)

    async def _end_live(self, hand: LiveHand, result: tuple[str, Json] | None) -> None:
        async with self.lock:
            if hand is not self._live or self.dropped:
                return
            self._live = None
            position = self.table.position
            if self.table.position_number != hand.number or self.table.status != "playing" or position is None:
                return
            try:
                if result is None:
                    raise IllegalAction("The turn was broken off.", "Le tour a été interrompu.")
                action, outcome = result
                step = await self.hall.referee.play(position, action, outcome)
                await self._add([self._step(hand.seat, action, step, wish=hand.wish, person=hand.person)])
            except LeaseLost:
                self.drop()
            except Problem as problem:
                self._stop_live_message(problem)

    def _stop_live_message(self, problem: Problem) -> None:
        text = write({"what": "live-stopped", "words": {"en": problem.english, "fr": problem.french}})
        for visitor in self.visitors:
            visitor.send(text)

    # Adding lines

    def _step(self, by: Json, action: str, step: Step, **more: Any) -> Addition:
        """A line for an action that the rules have allowed."""
        body: dict[str, Any] = {"action": action, "by": by, **more}
        if step.outcome is not None:
            body["outcome"] = step.outcome
        table = self.table
        acting = table.acting
        if table.clocks.used and acting is not None:
            now = asyncio.get_running_loop().time()
            if isinstance(by, int):
                table.clocks.acted(acting, now)
            else:
                table.clocks.rolled(acting, now)
            body["left"] = list(table.clocks.left)
        if step.position.to_move is None:
            body["end"] = self._end("played", None, step.position.returns())
        return "step", body, step

    async def _rolled(self, **more: Any) -> Addition:
        match = self.table.match
        assert match is not None
        action, number = draw(match)
        step = await self.hall.referee.play(match.position, action)
        return self._step("chance", action, step, draw=(number.place, number.total, number.number), **more)

    def _end(self, how: str, seat: int | None, returns: Sequence[float]) -> dict[str, Any]:
        return {
            "how": how,
            "seat": seat,
            "returns": list(returns),
            "record": store.new_id(),
            "next_seed": fresh_seed(),
        }

    async def _lose(self, seat: int, how: str, by: dict[str, Any]) -> None:
        """A seat gives up, runs out of time or is claimed: with two the other wins, with more a bot takes over."""
        if len(self.table.seats) > 2:
            await self._hand_over(seat, by)
            return
        self._break_off_live()
        returns = [0.0 if place == seat else 1.0 for place in range(len(self.table.seats))]
        await self._add([("ended", {**self._end(how, seat, returns), **by}, None)])

    async def _hand_over(self, seat: int, by: dict[str, Any]) -> None:
        self.hall.check_player(self.table.game, 3, None)
        self._break_off_live()
        if self.table.clocks.used:  # the bot starts with what the clock gives everyone
            self.table.clocks.fill(seat)
        await self._add([("taken-over", {"seat": seat, "level": 3, **by}, None)])

    def _break_off_live(self) -> None:
        if self._live is not None:
            self._live.stop()
            self._live = None

    async def begin_if_full(self) -> None:
        """Begin the first match of a table that was opened with every seat taken."""
        async with self.lock:
            await self._begin_if_full()

    async def _begin_if_full(self) -> None:
        if self.table.status == "waiting" and self.table.full:
            await self._begin()

    async def _begin(self) -> None:
        table = self.table
        match = await self.hall.referee.begin(
            table.game, len(table.seats), table.options, table.next_dice(), table.setup
        )
        await self._add([("began", {}, match)])

    async def _add(self, additions: Sequence[Addition], jobs: Sequence[Job] = ()) -> None:
        """Apply lines, have them stored together with what follows by itself, then tell everyone."""
        table = self.table
        lines: list[Line] = []
        texts: list[str] = []
        work: list[Job] = list(jobs)
        changed = False
        waiting = list(additions)
        while waiting:
            kind, body, ready = waiting.pop(0)
            line = Line(table.number + 1, kind, body, store.moment())
            step = table.apply(line, ready)
            lines.append(line)
            changed = changed or kind != "step" or "end" in body
            if "record" in body or "end" in body:
                work.append(self._record())
            self._run_clock()
            texts.append(self._render(line, step))
            if not waiting and self._rolls_by_itself():
                waiting.append(await self._rolled())
        if changed:
            work.append(self._card())
        try:
            await self.hall.writer.lines(table.id, self.epoch, lines, work)
        except BaseException:  # what is in memory is not what is stored: let go, and whoever comes reads the log
            self.drop()
            raise
        for line, text in zip(lines, texts, strict=True):
            self._recent.append((line.number, text))
            if line.kind == "step":
                self.hall.count_action(table.game.name)
            for visitor in self.visitors:
                visitor.send(text)
        self.hall.touched(table.id, table.touched)
        self.attend()

    def _record(self) -> Job:
        table = self.table
        ended = table.ended
        assert ended is not None
        assert table.match is not None
        body = table.record(reveal=True)
        card = {
            "id": ended["record"],
            "game": table.game.name,
            "players": body["players"],
            "returns": ended["returns"],
            "ended": table.touched,
            "how": ended["how"],
            "actions": len(table.match.log),
            "uploaded": False,
        }
        seats = {place: seat.person for place, seat in enumerate(table.seats) if seat.person is not None}
        private = table.private
        return lambda connection: store.add_record(connection, card, body, private=private, seats=seats)

    def _card(self) -> Job:
        card, attended = self.table.card(), self.table.attended
        return lambda connection: store.update_table(connection, card, attended)

    def _attendance(self, person: str) -> Job:
        table = self.table.id
        return lambda connection: store.attend(connection, table, person)

    # What goes on by itself

    def _rolls_by_itself(self) -> bool:
        """Whether the dice roll at once: the table wants it so, and no bot is to be watched doing it."""
        table = self.table
        if not table.rolling or table.settings.dice != "auto":
            return False
        acting = table.acting
        return acting is None or not table.seats[acting].automatic

    def attend(self) -> None:
        """Set going whatever goes by itself: bots, their dice, clocks."""
        self._stop_waiting()
        table = self.table
        if self.dropped or table.status != "playing":
            return
        loop = asyncio.get_running_loop()
        self._run_clock()
        left = table.clocks.remaining(loop.time())
        if left is not None:
            self._flag = loop.call_later(max(0.0, left) + 0.01, self._out_of_time)
        acting = table.acting
        automatic = all(seat.automatic for seat in table.seats) if acting is None else table.seats[acting].automatic
        if automatic or (table.rolling and table.settings.dice == "auto"):
            self._robot = loop.create_task(self._go_on(table.position_number, acting))

    def _run_clock(self) -> None:
        table = self.table
        if table.match is not None and table.clocks.used:
            table.clocks.run(table.acting, asyncio.get_running_loop().time())

    def _stop_waiting(self) -> None:
        if self._flag is not None:
            self._flag.cancel()
            self._flag = None
        if self._robot is not None:
            if self._robot is not asyncio.current_task():
                self._robot.cancel()
            self._robot = None

    async def _go_on(self, number: int, acting: int | None) -> None:
        """A bot's next step, not faster than people can follow."""
        loop = asyncio.get_running_loop()
        began, table = loop.time(), self.table
        try:
            decided: str | None = None
            forfeit: Forfeit | None = None
            position = table.position
            assert position is not None
            if not table.rolling and acting is not None:
                try:
                    decided = await self._decide(table.seats[acting], position)
                except Forfeit as problem:
                    forfeit = problem
            await asyncio.sleep(max(0.0, table.settings.pace - (loop.time() - began)))
            async with self.lock:
                if self.dropped or table.position_number != number or table.status != "playing":
                    return
                self._must_hold()
                if forfeit is not None and acting is not None:
                    LOG.warning("a program forfeits", extra={"problem": forfeit.english})
                    await self._lose(acting, "resigned", {})
                elif table.rolling:
                    await self._add([await self._rolled()])
                elif decided is not None and acting is not None:
                    step = await self.hall.referee.play(position, decided)
                    await self._add([self._step(acting, decided, step)])
        except asyncio.CancelledError:
            raise
        except LeaseLost:
            self.drop()
        except Exception:
            LOG.exception("a bot's step failed")

    async def _decide(self, seat: Seat, position: Position) -> str | None:
        if seat.kind == "program":
            command = self.hall.operator.programs.get(seat.program or "")
            if command is None:
                raise Forfeit("it is no longer configured", "il n'est plus configuré")
            return (await self.hall.bots.choose_program(position, command)).action
        legal = position.legal()
        if len(legal.actions) == 1 and not legal.open:
            return legal.actions[0]
        try:
            return (await self.hall.bots.choose(position, seat.level or 3, seed=secrets.randbits(31))).action
        except Problem:
            LOG.exception("a bot could not decide")
            return fallback(position)

    def _out_of_time(self) -> None:
        self.hall.keep(asyncio.ensure_future(self._time_is_up(self.table.position_number)))

    async def _time_is_up(self, number: int) -> None:
        async with self.lock:
            table = self.table
            seat = table.clocks.running
            left = table.clocks.remaining(asyncio.get_running_loop().time())
            if self.dropped or table.position_number != number or seat is None or left is None:
                return
            if left > 0:
                self.attend()
                return
            try:
                self._must_hold()
                await self._lose(seat, "time", {})
            except LeaseLost:
                self.drop()
            except Problem:
                LOG.exception("a clock ran out, and nothing could be done")

    # Who may

    def _playing(self) -> Position:
        position = self.table.position
        if position is None or self.table.status != "playing":
            raise BadRequest("No match is being played now.", "Aucune partie n'est en cours.")
        return position

    def _seat(self, number: int) -> Seat:
        if number >= len(self.table.seats):
            raise BadRequest("There is no such seat.", "Cette place n'existe pas.")
        return self.table.seats[number]

    def _must_sit(self, visitor: Visitor, seat: int) -> None:
        if seat not in self.table.seats_of(person_id(visitor)):
            raise NotAllowed("It is not your turn.", "Ce n'est pas votre tour.")

    def _my_seats(self, visitor: Visitor, wanted: int | None) -> list[int]:
        seats = self.table.seats_of(person_id(visitor))
        if not seats or (wanted is not None and wanted not in seats):
            raise NotAllowed("You do not sit there.", "Vous n'êtes pas assis là.")
        return seats if wanted is None else [wanted]

    def _is_host(self, visitor: Visitor) -> bool:
        return self.table.host is not None and self.table.host == person_id(visitor)

    def _must_host(self, visitor: Visitor) -> None:
        if not self._is_host(visitor):
            raise NotAllowed("Only the table's host can do that.", "Seul l'hôte de la table peut faire cela.")

    def _by(self, visitor: Visitor, wish: schemas.Wish) -> dict[str, Any]:
        return {"person": person_id(visitor), "wish": wish.id}

    # What is shown

    def _position(self) -> JsonObject | None:
        match = self.table.match
        if match is None:
            return None
        return self._silenced(show_position(match.position, len(match.log), self.table.last))

    def _silenced(self, shown: JsonObject) -> JsonObject:
        """Once a match has been given up, nothing is legal and nobody acts."""
        if self.table.status == "over" and not shown["over"]:
            return {**shown, "acting": None, "legal": {"actions": (), "odds": (), "open": ()}}
        return shown

    def _clocks(self) -> JsonObject | None:
        return self.table.clocks.show(asyncio.get_running_loop().time(), store.moment())

    def _render(self, line: Line, step: Step | None) -> str:
        table, body = self.table, line.body
        if step is not None:
            return write(
                {
                    "what": "step",
                    "number": line.number,
                    "wish": body.get("wish"),
                    "by": body["by"],
                    "action": body["action"],
                    "events": tell(table.game, step.events, table.names),
                    "outcome": step.outcome,
                    "position": self._position(),
                    "clocks": self._clocks() if table.clocks.used else None,
                    "table": table.inside(self.present) if "end" in body else None,
                }
            )
        return write(
            {
                "what": "table",
                "number": line.number,
                "wish": body.get("wish"),
                "why": body["how"] if line.kind == "ended" else line.kind,
                "person": self._person(body.get("person")),
                "table": table.inside(self.present),
                "position": self._position(),
                "clocks": self._clocks(),
            }
        )

    def _person(self, person: str | None) -> JsonObject | None:
        if person is None:
            return None
        for visitor in self.visitors:
            if visitor.person is not None and visitor.person["id"] == person:
                return visitor.person
        return {"id": person, "name": ""}

    def _send_state(self, visitor: Visitor, why: str, wish: str | None = None) -> None:
        table, person = self.table, person_id(visitor)
        muted = self._muted.get(person or "", ())
        match = table.match
        applied = [one for who, one in table.wishes if who == person and person is not None]
        visitor.send(
            write(
                {
                    "what": "state",
                    "number": table.number,
                    "you": {
                        "person": visitor.person,
                        "seats": table.seats_of(person),
                        "host": self._is_host(visitor),
                    },
                    "table": table.inside(self.present),
                    "position": self._position(),
                    "log": [{"by": entry.by, "action": entry.action} for entry in match.log] if match else [],
                    "clocks": self._clocks(),
                    "here": self._people_here(),
                    "said": [one for one in self._said if _speaker(one) not in muted],
                    "applied": applied[-APPLIED_TOLD:],
                    "live": self._live is not None,
                    "why": why,
                    "id": wish,
                }
            )
        )

    def _people_here(self) -> list[Mapping[str, Json]]:
        here = {str(visitor.person["id"]): visitor.person for visitor in self.visitors if visitor.person is not None}
        return list(here.values())

    def _tell_here(self) -> None:
        present = self.present
        text = write(
            {
                "what": "here",
                "people": self._people_here(),
                "watching": len(self.visitors),
                "seats": [seat.automatic or seat.person in present for seat in self.table.seats],
            }
        )
        for visitor in self.visitors:
            visitor.send(text)


def _speaker(said: JsonObject) -> Json:
    person = said["person"]
    return person["id"] if isinstance(person, Mapping) else None
