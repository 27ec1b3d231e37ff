"""Positions of Twisty from outside: a view is read and refused, with the place named, where no game can reach it.

The rules say who may move where; here only shapes and counts are checked, and what each phase implies.
"""

from collections.abc import Sequence
from typing import Final

from ludotheque.core import BadView, Catalogue, JsonObject, Options, Reader
from ludotheque.games.twisty import facts
from ludotheque.kernels import MutableState, RulesTarget

_text: Final = Catalogue("ludotheque.games.twisty").text

PHASES: Final = ("corner", "move", "extra", "settle", "over")


def read_view(target: RulesTarget, state: MutableState, view: JsonObject, options: Options) -> None:
    """Fill a state from a view, or raise BadView."""
    reader = Reader(view, BadView)
    players: int = state.players
    state.phase = PHASES.index(reader.key("phase").one_of(PHASES))
    state.player = reader.key("player").integer(0, players - 1)
    state.first = reader.key("first").integer(0, players - 1)
    state.this_round = reader.key("round").integer(1, state.max_rounds)
    _read_series(reader, state, players)
    _read_board(reader, state, players, options)
    _read_pawns(reader, state, players)
    _read_used(reader, state)
    check = {
        facts.CHOOSING: _check_beginning,
        facts.EXTRA: _check_extra,
        facts.SETTLING: _check_settling,
        facts.OVER: _check_end,
    }.get(state.phase)
    if check is not None:
        check(reader, target, state)


def _read_series(reader: Reader, state: MutableState, players: int) -> None:
    """T3, T10: each series, how much of it is collected, and what of that is protected."""
    for seat, one in enumerate(reader.key("series").items(players)):
        if sorted(one.text(facts.COLOURS)) != list(facts.COLOUR_NAMES):
            one.fail(_text("view.series"))
        state.series[seat] = [facts.COLOUR_NAMES.index(colour) for colour in one.text()]
    for seat, one in enumerate(reader.key("collected").items(players)):
        state.collected[seat] = one.integer(0, facts.COLOURS)
    for seat, one in enumerate(reader.key("protected").items(players)):
        series = reader.key("series").items()[seat].text()
        held = series[: state.collected[seat]]
        colours = one.text(facts.COLOURS)
        if colours != "".join(colour for colour in held if colour in colours):
            one.fail(_text("view.protected", held=held))
        state.protected[seat] = sum(1 << facts.COLOUR_NAMES.index(colour) for colour in colours)


def _read_board(reader: Reader, state: MutableState, players: int, options: Options) -> None:
    """T1, T2: the tokens. Special ones never leave the board; of each colour there are four, on it or with the players."""
    board, tokens = reader.key("board"), state.board
    for number, row in enumerate(board.items(facts.SIDE)):
        text = row.text(facts.SIDE)
        if len(text) != facts.SIDE or set(text) - set(facts.TOKEN_NAMES):
            row.fail(_text("view.row", tokens=facts.TOKEN_NAMES))
        first = (facts.SIDE - 1 - number) * facts.SIDE
        tokens[first : first + facts.SIDE] = [facts.TOKENS[token] for token in text]
    for square in (*facts.CORNERS, facts.CENTRE):
        if tokens[square] != facts.EMPTY:
            board.fail(_text("view.bare-square", square=facts.SQUARE_NAMES[square]))
    counts = options["specials"]
    assert isinstance(counts, dict)
    for special in facts.SPECIAL_NAMES:
        there = tokens.count(facts.TOKENS[special])
        if there != counts[special]:
            board.fail(_text("view.specials", there=there, token=special, right=counts[special]))
    cubes = [
        colour
        for series, collected in zip(state.series[:players], state.collected, strict=False)
        for colour in series[:collected]
    ]
    for colour, name in enumerate(facts.COLOUR_NAMES):
        there = tokens.count(facts.FIRST_COLOUR + colour)
        held = cubes.count(colour)
        if there + held != facts.OF_EACH_COLOUR:
            board.fail(_text("view.colours", there=there, token=name, held=held, right=facts.OF_EACH_COLOUR))


def _read_pawns(reader: Reader, state: MutableState, players: int) -> None:
    """T4, T11, T12: the pawns; two share a square only while a robber has not yet chosen a corner."""
    state.pawns = [facts.GONE] * facts.MOST_PLAYERS
    standing: dict[int, int] = {}
    for seat, one in enumerate(reader.key("pawns").items(players)):
        if one.is_null():
            if state.phase != facts.CHOOSING:
                one.fail(_text("view.pawn-missing"))
            continue
        square = facts.SQUARE_NUMBERS.get(one.text(10))
        if square is None:
            one.fail(_text("view.pawn"))
        if square in standing:
            robbery = state.phase == facts.SETTLING and state.player in (seat, standing[square])
            if not robbery:
                one.fail(_text("view.two-pawns", square=one.text()))
        if square == facts.CENTRE and state.collected[seat] == facts.COLOURS:
            won = state.phase == facts.OVER and seat == state.player
            if not won and not (state.phase == facts.SETTLING and seat == state.player):
                one.fail(_text("view.has-won"))
        standing[square] = seat
        state.pawns[seat] = square


def _read_used(reader: Reader, state: MutableState) -> None:
    """T9: the tokens that have acted this turn; only those by which the pawn has stepped on, since others end the turn."""
    used = reader.key("used").items(most=facts.SPECIALS)
    if used and state.phase not in (facts.EXTRA, facts.SETTLING):
        reader.key("used").fail(_text("view.no-turn"))
    for number, one in enumerate(used):
        square = facts.SQUARE_NUMBERS.get(one.text(10))
        if square is None or square in state.used[:number]:
            one.fail(_text("view.used"))
        if not facts.ORTHOGONAL <= state.board[square] <= facts.L_SHAPED:
            one.fail(_text("view.used-token"))
        state.used[number] = square
    state.used_count = len(used)


def _check_beginning(reader: Reader, _target: RulesTarget, state: MutableState) -> None:
    """T4: corners are chosen in playing order, before anything is collected."""
    if state.this_round != 1:
        reader.key("round").fail(_text("view.corners-first"))
    if any(state.collected):
        reader.key("collected").fail(_text("view.collected-early"))
    players: int = state.players
    have_chosen = (state.player - state.first) % players
    for seat, one in enumerate(reader.key("pawns").items()):
        chosen = (seat - state.first) % players < have_chosen
        if chosen and one.value not in facts.CORNER_NAMES:
            one.fail(_text("view.corner-chosen"))
        if not chosen and not one.is_null():
            one.fail(_text("view.corner-open"))


def _check_extra(reader: Reader, target: RulesTarget, state: MutableState) -> None:
    """T8, T9: an extra move is asked for only where the token under the pawn offers something."""
    if not target.call("offers_something", target.prepare(state.tobytes())):
        reader.key("phase").fail(_text("view.nothing-offered"))


def _check_settling(reader: Reader, _target: RulesTarget, state: MutableState) -> None:
    """T11: the robber stands on the victim's square and has just taken the last colour of the victim's series."""
    player: int = state.player
    victims = [seat for seat in range(state.players) if seat != player and state.pawns[seat] == state.pawns[player]]
    if not victims:
        reader.key("pawns").fail(_text("view.robbery-pawns"))
    (victim,) = victims
    if state.collected[player] == 0 or state.collected[victim] == facts.COLOURS:
        reader.key("collected").fail(_text("view.robbery-cubes"))
    if state.series[victim][-1] != state.series[player][state.collected[player] - 1]:
        reader.key("series").fail(_text("view.robbery-series"))
    if sum(_free_corners(state)) < 2:
        reader.key("phase").fail(_text("view.one-corner"))


def _free_corners(state: MutableState) -> Sequence[bool]:
    pawns = state.pawns[: state.players]
    return [corner not in pawns for corner in facts.CORNERS]


def _check_end(reader: Reader, target: RulesTarget, state: MutableState) -> None:
    """T13, T14: over because the last to act is on the centre with all cubes, or because the last round has ended."""
    player: int = state.player
    if state.pawns[player] == facts.CENTRE and state.collected[player] == facts.COLOURS:
        state.winner = player
    elif state.this_round == state.max_rounds and (player + 1) % state.players == state.first:
        state.winner = target.call("most_cubes", state.tobytes())
    else:
        reader.key("phase").fail(_text("view.not-over"))
    winner: int | str = "draw" if state.winner == facts.DRAW else state.winner
    if reader.has("winner") and (reader.key("winner").value != winner or isinstance(reader.key("winner").value, bool)):
        reader.key("winner").fail(_text("view.winner", winner=repr(winner)))
