"""A bot as a program for `cmd:`: `python -m ludotheque.bots bot:5` answers one line for each decision (docs/protocol.md).

So one version plays another in the arena: the other checkout's Python runs this.
"""

import sys

from ludotheque.bots import player_named
from ludotheque.core import Game, Json, JsonObject, Player, Position, Problem, find_game, parse, write_json


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


def main() -> None:
    """Answer until the questions end."""
    if len(sys.argv) != 2:
        sys.exit("usage: python -m ludotheque.bots PLAYER, such as bot:5")
    players: dict[str, Player] = {}
    for number, line in enumerate(sys.stdin):
        request = parse(line)
        assert isinstance(request, dict)
        game = find_game(str(request["game"]))
        state = request["state"]
        assert isinstance(state, dict)
        if game.name not in players:
            players[game.name] = player_named(sys.argv[1], game)
        position = position_of(game, state, request["options"])
        print(write_json({"action": players[game.name].choose(position, seed=number).action}), flush=True)


if __name__ == "__main__":
    main()
