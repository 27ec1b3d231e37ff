"""Plays tables over real sockets, for the databases of earlier versions: make.py makes one, test_databases.py plays on in it."""

import json
import time
from collections.abc import Sequence
from random import Random
from typing import Any

from server.guests import Chair, Guest, House

MOST = 3000  # actions after which a match is taken for endless


def watched(home: House, table: str) -> dict[str, Any]:
    """The whole state of a table, as somebody sees it who only watches, once no bot is to act."""
    while True:
        chair = Chair(home, table, None)
        state = chair.until("state")
        chair.leaves()
        acting = None if state["position"] is None else state["position"]["acting"]
        if acting is None or state["table"]["seats"][acting]["kind"] == "person":
            return state
        time.sleep(0.1)


def told(state: dict[str, Any]) -> dict[str, Any]:
    """What must stay true of a table's state, whatever the version: neither presence nor the time that runs."""
    table = {**state["table"], "seats": [{**seat, "present": None} for seat in state["table"]["seats"]]}
    left = None if state["clocks"] is None else [round(seconds, -2) for seconds in state["clocks"]["left"]]
    return {
        "number": state["number"],
        "table": table,
        "position": state["position"],
        "log": state["log"],
        "left": left,
    }


class Company:
    """Some people at a table, each with a connection, who act in turn."""

    def __init__(self, table: str, guests: Sequence[Guest], seed: int = 1) -> None:
        self.random = Random(seed)
        self.chairs = [guest.enters(table) for guest in guests]
        for chair in self.chairs:
            chair.until("state")
        self.first = self.chairs[0]

    def leave(self) -> None:
        for chair in self.chairs:
            chair.leaves()

    def request(self, place: int, do: str, **more: Any) -> dict[str, Any]:
        """One of them asks for something; returns the numbered message by which the table answers."""
        chair = self.chairs[place]
        request = chair.asks(do, **more)
        while True:
            message = chair.hears()
            assert message["what"] != "refused", message
            if message["what"] in ("step", "table"):
                if request == message["request"]:
                    break
            elif message.get("id") == request:
                break
        self.catch_up()
        return message

    def begins(self, match: int = 1) -> None:
        """Wait until a match has begun."""
        while self.first.table["match"] < match:
            self.first.hears()
        self.catch_up()

    def catch_up(self) -> None:
        """Everybody hears as much as the one who has heard most."""
        number = max(chair.number for chair in self.chairs)
        for chair in self.chairs:
            while chair.number < number:
                chair.hears()

    def settle(self) -> Chair | None:
        """Wait for bots and dice; returns who is to act, or nobody if the match is over."""
        while self.first.table["status"] == "playing":
            self.catch_up()
            assert self.first.position is not None
            by_itself = self.first.position["to_move"] == "chance" and self.first.table["settings"]["dice"] == "auto"
            for chair in self.chairs:
                if not by_itself and self.first.position["acting"] in self.seats(chair):
                    return chair
            self.first.hears()
        self.catch_up()
        return None

    def seats(self, chair: Chair) -> list[int]:
        """The seats of a person: sides change after each match."""
        person = next(one for one in chair.heard if one["what"] == "welcome")["person"]["id"]
        seats = self.first.table["seats"]
        return [place for place, seat in enumerate(seats) if seat["person"] and seat["person"]["id"] == person]

    def act(self) -> bool:
        """Whoever is to act does something legal; False if the match is over."""
        chair = self.settle()
        if chair is None:
            return False
        assert chair.position is not None
        place = self.chairs.index(chair)
        if chair.position["to_move"] == "chance":
            self.request(place, "roll")
            return True
        legal = chair.position["legal"]
        if self.first.table["game"] == "yikerz" and "magnet" in str(legal["open"]):
            action = self.hint(chair)
        else:
            action = self.random.choice(legal["actions"])
        self.request(place, "act", action=action)
        return True

    def hint(self, chair: Chair) -> str:
        """What the gentlest bot would do: nobody places magnets at random."""
        request = chair.asks("hint", level=1)
        return str(chair.until("hint", id=request)["action"])

    def play(self, actions: int = MOST) -> None:
        """So many actions of people, or to the end of the match."""
        for _ in range(actions):
            if not self.act():
                return
        if actions == MOST:
            raise AssertionError(f"{self.first.table['game']} does not end: {json.dumps(self.first.position)}")
        self.settle()
