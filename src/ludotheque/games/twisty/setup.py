"""Positions of Twisty from outside: a view is read and refused, with the place named, where no game can reach it.

The rules say who may move where; here only shapes and counts are checked, and what each phase implies.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np

from ludotheque.core import BadView, JsonObject, Options, Reader
from ludotheque.games.twisty import rules, tables
from ludotheque.kernels import Rules, State

PHASES: Final = ("corner", "move", "extra", "settle", "over")


def read_view(kernels: Rules, state: State, view: JsonObject, options: Options) -> None:
    """Fill a state from a view, or raise BadView."""
    reader = Reader(view, BadView)
    players = int(state.players)
    state.phase = PHASES.index(reader.key("phase").one_of(PHASES))
    state.player = reader.key("player").integer(0, players - 1)
    state.first = reader.key("first").integer(0, players - 1)
    state.this_round = reader.key("round").integer(1, int(state.max_rounds))
    _read_series(reader, state, players)
    _read_board(reader, state, players, options)
    _read_pawns(reader, state, players)
    _read_used(reader, state)
    kernels.current.module.prepare(state)
    check = {
        rules.CHOOSING: _check_beginning,
        rules.EXTRA: _check_extra,
        rules.SETTLING: _check_settling,
        rules.OVER: _check_end,
    }.get(int(state.phase))
    if check is not None:
        check(reader, kernels, state)


def _read_series(reader: Reader, state: State, players: int) -> None:
    """T3, T10: each series, how much of it is collected, and what of that is protected."""
    for seat, one in enumerate(reader.key("series").items(players)):
        if sorted(one.text(tables.COLOURS)) != list(tables.COLOUR_NAMES):
            one.fail("a series has each of the colours A to G once")
        state.series[seat] = [tables.COLOUR_NAMES.index(colour) for colour in one.text()]
    for seat, one in enumerate(reader.key("collected").items(players)):
        state.collected[seat] = one.integer(0, tables.COLOURS)
    for seat, one in enumerate(reader.key("protected").items(players)):
        series = reader.key("series").items()[seat].text()
        held = series[: state.collected[seat]]
        colours = one.text(tables.COLOURS)
        if colours != "".join(colour for colour in held if colour in colours):
            one.fail(f'only collected cubes are protected, here some of "{held}", each named once and in that order')
        state.protected[seat] = sum(1 << tables.COLOUR_NAMES.index(colour) for colour in colours)


def _read_board(reader: Reader, state: State, players: int, options: Options) -> None:
    """T1, T2: the tokens. Special ones never leave the board; of each colour there are four, on it or with the players."""
    board, tokens = reader.key("board"), state.board
    for number, row in enumerate(board.items(tables.SIDE)):
        text = row.text(tables.SIDE)
        if len(text) != tables.SIDE or set(text) - set(tables.TOKEN_NAMES):
            row.fail(f'a row has seven squares, each one of "{tables.TOKEN_NAMES}"')
        first = (tables.SIDE - 1 - number) * tables.SIDE
        tokens[first : first + tables.SIDE] = [tables.TOKENS[token] for token in text]
    for square in (*tables.CORNERS.tolist(), tables.CENTRE):
        if tokens[square] != tables.EMPTY:
            board.fail(f"there is never a token on {tables.SQUARE_NAMES[square]}")
    counts = options["specials"]
    assert isinstance(counts, dict)
    for special in tables.SPECIAL_NAMES:
        there = int((tokens == tables.TOKENS[special]).sum())
        if there != counts[special]:
            board.fail(
                f'there are {there} tokens "{special}" on it; by the option "specials" there are {counts[special]}'
            )
    cubes = [
        colour
        for series, collected in zip(state.series[:players].tolist(), state.collected.tolist(), strict=False)
        for colour in series[:collected]
    ]
    for colour, name in enumerate(tables.COLOUR_NAMES):
        there = int((tokens == tables.FIRST_COLOUR + colour).sum())
        held = cubes.count(colour)
        if there + held != tables.OF_EACH_COLOUR:
            board.fail(
                f'there are {there} tokens "{name}" on it and {held} with the players; together they are always '
                f"{tables.OF_EACH_COLOUR}"
            )


def _read_pawns(reader: Reader, state: State, players: int) -> None:
    """T4, T11, T12: the pawns; two share a square only while a robber has not yet chosen a corner."""
    state.pawns[:] = rules.GONE
    standing: dict[int, int] = {}
    for seat, one in enumerate(reader.key("pawns").items(players)):
        if one.is_null():
            if state.phase != rules.CHOOSING:
                one.fail("every pawn stands on a square once the corners are chosen")
            continue
        square = tables.SQUARE_NUMBERS.get(one.text(10))
        if square is None:
            one.fail("a pawn stands on a square from a1 to g7")
        if square in standing:
            robbery = state.phase == rules.SETTLING and int(state.player) in (seat, standing[square])
            if not robbery:
                one.fail(f"another pawn stands on {one.text()}")
        if square == tables.CENTRE and state.collected[seat] == tables.COLOURS:
            won = state.phase == rules.OVER and seat == state.player
            if not won and not (state.phase == rules.SETTLING and seat == state.player):
                one.fail("with all seven cubes on the centre this player has won, and the game is over")
        standing[square] = seat
        state.pawns[seat] = square


def _read_used(reader: Reader, state: State) -> None:
    """T9: the tokens that have acted this turn; only those by which the pawn has stepped on, since others end the turn."""
    used = reader.key("used").items(most=tables.SPECIALS)
    if used and state.phase not in (rules.EXTRA, rules.SETTLING):
        reader.key("used").fail("it is empty when no turn is under way")
    for number, one in enumerate(used):
        square = tables.SQUARE_NUMBERS.get(one.text(10))
        if square is None or square in state.used[:number].tolist():
            one.fail("squares from a1 to g7 are expected, each once")
        if not tables.ORTHOGONAL <= state.board[square] <= tables.L_SHAPED:
            one.fail('only a token "+", "x" or "L" can have acted in a turn that goes on')
        state.used[number] = square
    state.used_count = len(used)


def _check_beginning(reader: Reader, _kernels: Rules, state: State) -> None:
    """T4: corners are chosen in playing order, before anything is collected."""
    if state.this_round != 1:
        reader.key("round").fail("corners are chosen before the first round ends")
    if state.collected.any():
        reader.key("collected").fail("nothing is collected before the corners are chosen")
    players = int(state.players)
    have_chosen = (int(state.player) - int(state.first)) % players
    for seat, one in enumerate(reader.key("pawns").items()):
        chosen = (seat - int(state.first)) % players < have_chosen
        if chosen and one.value not in tables.CORNER_NAMES:
            one.fail("this player has chosen a corner: a1, g1, a7 or g7")
        if not chosen and not one.is_null():
            one.fail("this player has not chosen a corner yet, so it is null")


def _check_extra(reader: Reader, kernels: Rules, state: State) -> None:
    """T8, T9: an extra move is asked for only where the token under the pawn offers something."""
    if not kernels.interpreted.module.offers_something(state):
        reader.key("phase").fail("the token under the pawn offers nothing, so the turn has ended")


def _check_settling(reader: Reader, _kernels: Rules, state: State) -> None:
    """T11: the robber stands on the victim's square and has just taken the last colour of the victim's series."""
    player = int(state.player)
    victims = [seat for seat in range(state.players) if seat != player and state.pawns[seat] == state.pawns[player]]
    if not victims:
        reader.key("pawns").fail("after a robbery the robber's pawn is on the victim's square")
    (victim,) = victims
    if state.collected[player] == 0 or state.collected[victim] == tables.COLOURS:
        reader.key("collected").fail("after a robbery the robber has a cube, and the victim lacks one")
    if state.series[victim, -1] != state.series[player, state.collected[player] - 1]:
        reader.key("series").fail("the stolen colour is the robber's last cube and the last of the victim's series")
    if sum(_free_corners(state)) < 2:
        reader.key("phase").fail("with only one free corner there is nothing to choose, so the turn has ended")


def _free_corners(state: State) -> Sequence[bool]:
    pawns = state.pawns[: state.players]
    return [not np.any(pawns == corner) for corner in tables.CORNERS]


def _check_end(reader: Reader, kernels: Rules, state: State) -> None:
    """T13, T14: over because the last to act is on the centre with all cubes, or because the last round has ended."""
    player = int(state.player)
    if state.pawns[player] == tables.CENTRE and state.collected[player] == tables.COLOURS:
        state.winner = player
    elif state.this_round == state.max_rounds and (player + 1) % state.players == state.first:
        state.winner = int(kernels.interpreted.module.most_cubes(state))
    else:
        reader.key("phase").fail("the game is not over: nobody has won on the centre, and rounds are left")
    seat: int = state.winner
    winner = "draw" if seat == rules.DRAW else int(seat)
    if reader.has("winner") and (reader.key("winner").value != winner or isinstance(reader.key("winner").value, bool)):
        reader.key("winner").fail(f"it is {winner!r} here")
