"""A bot as a program for `cmd:`: `python -m ludotheque.bots bot:5` answers one line for each decision (docs/protocol.md).

So one version plays another in the arena: the other checkout's Python runs this.
"""

import sys

from ludotheque import __version__
from ludotheque.bots import check_player, player_named
from ludotheque.core import (
    BadRequest,
    Game,
    Json,
    JsonObject,
    Player,
    Position,
    Problem,
    Reader,
    find_game,
    parse,
    write_json,
)


def position_of(game: Game, state: JsonObject, options: Json) -> Position:
    """The position of a view; how many play it is told by its shape."""
    refused: Problem | None = None
    for players in game.seats:
        try:
            return game.from_view(state, players, game.read_options(options, players))
        except Problem as problem:
            refused = problem
    assert refused is not None
    raise refused


def answer_questions(name: str) -> None:
    """Answer each line of the standard input. After a new game, decisions depend on its seed and their number alone."""
    players: dict[str, Player] = {}
    seed = number = 0
    for line in sys.stdin:
        request = Reader(parse(line), BadRequest)
        if request.key("do").one_of(("choose", "newgame")) == "newgame":
            seed, number = request.key("seed").integer(0, 1 << 64), 0
            print(write_json({"ok": True}), flush=True)
            continue
        game = find_game(request.key("game").text())
        if game.name not in players:
            players[game.name] = player_named(name, game)
        position = position_of(game, request.key("state").object(), request.key("options").value)
        print(write_json({"action": players[game.name].choose(position, seed=seed + number).action}), flush=True)
        number += 1


def main() -> None:
    """Answer until the questions end."""
    if len(sys.argv) != 2:
        sys.exit("usage: python -m ludotheque.bots PLAYER, such as bot:5")
    try:
        check_player(sys.argv[1])
        print(write_json({"id": f"ludotheque {__version__}, {sys.argv[1]}", "newgame": True}), flush=True)
        answer_questions(sys.argv[1])
    except Problem as problem:
        sys.exit(str(problem))


if __name__ == "__main__":
    main()
