"""Moments worth a picture or a test: positions in the middle of a game, the same each time. Tables are opened with them."""

import base64
import json
import random
from typing import Any

from ludotheque.core import CHANCE, Dice, Match, Seated, find_game, write_json, write_record

# A decision with something to see, after enough of the game: phase, and how many actions came before.
MIDDLE = {"yam-master": ("decide", 90), "wykersham": ("place", 90), "twisty": ("move", 60)}
LYING: dict[int, tuple[float, ...]] = {
    0: (-92, -96, 3, 0.97, 0, 0, 0.24),
    3: (52, -62, 2.8, 0.9, 0, 0, -0.43),
    6: (-45, -60, 3, 0.5, 0, 0, 0.866),
    9: (92, -100, 3.2, 1, 0, 0, 0),
    11: (-18, 42, 3, 0.6, 0, 0, 0.8),
    18: (24, 62, 2.8, 0.3, 0, 0, 0.95),
}
PYRAMID = [[0, -40.415, 180], [-70, -80.829, 0], [70, -80.829, 0], [0, 40.415, 0]]


def middle(game: str, after: int | None = None) -> dict[str, Any]:
    """The view of a game in its middle, or after so many actions, with the first player to decide."""
    phase, enough = MIDDLE[game]
    enough = after or enough
    match = Match(find_game(game), 2, dice=Dice("a picture"))
    chance = random.Random(4)
    while True:
        view: dict[str, Any] = dict(match.position.view())
        if len(match.log) >= enough and match.to_move == 0 and view["phase"] == phase:
            possible = match.position.legal().actions
            if game != "yam-master" or any(one.startswith("place") for one in possible):
                return view
        assert not match.over, f"{game} was over after {len(match.log)} actions: take fewer"
        if match.to_move == CHANCE:
            match.draw()
        else:
            # Pawns and marbles on the board make the picture: who can place, places.
            possible = match.position.legal().actions
            match.play(chance.choice([one for one in possible if one.startswith("place")] or possible))


def magnets(phase: str = "turn", *, board: int = 6, stacks: tuple[int, ...] = (7, 7), **more: Any) -> dict[str, Any]:
    """A Yikerz! table: some pieces on the pyramid, the others in the players' stacks."""
    lying = dict(list(LYING.items())[:board])
    free = iter([number for number in range(20) if number not in lying])
    owners = {next(free): seat for seat, count in enumerate(stacks) for _ in range(count)}
    pieces = [
        {"id": number, "where": "board", "owner": None, "pose": list(lying[number])}
        if number in lying
        else {
            "id": number,
            "where": "stack" if number in owners else "pouch",
            "owner": owners.get(number),
            "pose": None,
        }
        for number in range(20)
    ]
    return {"phase": phase, "player": 0, "mats": PYRAMID, "magnets": pieces, **more}


def finished(game: str) -> dict[str, Any]:
    """The record of a whole short match, as a file that somebody brings along."""
    options: dict[str, dict[str, Any]] = {
        "yam-master": {"max_turns": 2},
        "twisty": {"max_rounds": 3},
        "yikerz": {"magnets": 4},
    }
    match = Match(find_game(game), 1 if game == "yikerz" else 2, options.get(game, {}), dice=Dice("a picture"))
    chance = random.Random(4)
    typed = iter(["0 -80 -90", "1 80 -90", "2 0 60", "3 0 -20"])  # far from each other: nothing collapses
    while not match.over:
        if match.to_move == CHANCE:
            match.draw()
        elif possible := match.position.legal().actions:
            match.play(chance.choice(possible))
        else:
            match.play(match.position.understand(next(typed)))
    return dict(plain(match))


def plain(match: Match) -> Any:
    """A match's record as a file would hold it, played by Anna and Bruno."""
    seated = [Seated("Anna"), Seated("Bruno")][: match.players]
    return json.loads(write_json(write_record(match, seated)))


def blundered() -> Any:
    """Anna could have made five in line with the 1 and passed."""
    setup: dict[str, Any] = {
        "phase": "roll", "player": 0, "rolls": 0, "dice": "", "kept": "", "defi": False,
        "board": [".0000", "1.1.1", ".....", ".1...", "....."], "turns": [9, 9], "winner": None,
    }  # fmt: skip
    match = Match(find_game("yam-master"), setup=setup, dice=Dice("blunder"))
    for action in ("11134", "pass", "12346", "keep 1234"):
        match.play(action)
    return plain(match)


def position_link(game: str, view: Any, options: dict[str, Any] | None = None) -> str:
    """The address of a position, as the page's own share.ts writes it."""
    shared = json.dumps({"players": 2, "options": options or {}, "view": view, "names": ["Anna", "Bruno"]})
    return f"/p/{game}?at={base64.urlsafe_b64encode(shared.encode()).decode().rstrip('=')}"
