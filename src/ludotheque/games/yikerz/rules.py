"""The rules of Yikerz! around the board: stacks, turns, the last call, rounds, scores, sudden death (Y3 to Y5, Y10 to Y18, Y21).

Every function returns a new table. What magnets do is in `turn` and `magnets`, the table itself in `table`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ludotheque.games.yikerz.magnets.mats import LAYOUTS, Layout
from ludotheque.games.yikerz.outcome import Outcome
from ludotheque.games.yikerz.table import ANEW, LAYOUT_NAMES, PENALTY, POINTS_GOAL, Settings, Table


def changed(values: tuple[int, ...], seat: int, value: int) -> tuple[int, ...]:
    """The same values but for one seat."""
    return (*values[:seat], value, *values[seat + 1 :])


def first_table(settings: Settings, shuffler: int) -> Table:
    """Y5: the first shuffler, drawn by lot, chooses the first layout."""
    n = settings.players
    return Table(
        settings,
        "layout",
        shuffler,
        shuffler,
        hands=((),) * n,
        rounds_won=(0,) * n,
        points=(0,) * n,
        turns=(0,) * n,
        called=(False,) * n,
        alive=(True,) * n,
    )


# --- set-up of a round ---


def lay_out(table: Table, layout: Layout) -> Table:
    """Y2, Y3: the mats lie; now the magnets are shuffled into even stacks, one a player."""
    return replace(table, phase="shuffle", layout=layout, stacks=((),) * len(table.seated), player=table.shuffler)


def stack_size(table: Table) -> int:
    """Y3: even stacks; leftovers stay in the pouch."""
    return table.settings.magnets // len(table.seated)


def undealt(table: Table) -> tuple[int, ...]:
    """The magnets of which chance deals the next one."""
    return table.pouch


def deal(table: Table, magnet: int) -> Table:
    """Y3: the next magnet of the shuffle goes to the next stack."""
    dealt = sum(len(stack) for stack in table.stacks)
    which = dealt % len(table.stacks)
    stacks = tuple((*stack, magnet) if k == which else stack for k, stack in enumerate(table.stacks))
    table = replace(table, stacks=stacks)
    if dealt + 1 < len(stacks) * stack_size(table):
        return table
    table = replace(table, phase="stack", player=_after(table, table.shuffler))
    return _give_last(table)


def choose_stack(table: Table, which: int) -> Table:
    """Y4: from the shuffler's left, clockwise; what is left over for the shuffler needs no choosing."""
    hands = tuple(
        tuple(sorted(table.stacks[which])) if seat == table.player else hand for seat, hand in enumerate(table.hands)
    )
    stacks = tuple(() if k == which else stack for k, stack in enumerate(table.stacks))
    return _give_last(replace(table, hands=hands, stacks=stacks, player=_after(table, table.player)))


def _give_last(table: Table) -> Table:
    left = [stack for stack in table.stacks if stack]
    if len(left) > 1:
        return table
    hands = tuple(tuple(sorted(left[0])) if seat == table.shuffler else hand for seat, hand in enumerate(table.hands))
    return replace(table, phase="turn", player=table.shuffler, hands=hands, stacks=(), quiet=0.0, charged=None)


def _after(table: Table, seat: int) -> int:
    """The next player clockwise who is in."""
    n = table.settings.players
    return next(other % n for other in range(seat + 1, seat + n + 1) if table.alive[other % n])


# --- turns ---


def is_last(table: Table) -> bool:
    """Y15: whether the player is about to place a last piece that could win the round: then the whole time passes."""
    return not table.sudden and len(table.hands[table.player]) == 1


def placed(table: Table, magnet: int, outcome: Outcome) -> Table:
    """Y6 to Y12: the magnet has left the stack; what collapsed or fell goes into it."""
    player = table.player
    hand = tuple(one for one in table.hands[player] if one != magnet)
    table = replace(
        table,
        hands=_with_hand(table, player, hand),
        turns=changed(table.turns, player, table.turns[player] + 1),
        quiet=outcome.quiet,
        charged=player,
        board=outcome.board,
    )
    if table.sudden:
        return _sudden_turn(table, outcome)
    table = taken(table, player, outcome.taken)
    if not table.hands[player]:
        return _round_won(table, player)  # Y15
    if table.settings.players > 1 and len(table.hands[player]) == 1:
        return replace(table, phase="call")  # Y14
    return _next_turn(table)


def _with_hand(table: Table, seat: int, hand: Iterable[int]) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(sorted(hand)) if other == seat else own for other, own in enumerate(table.hands))


def taken(table: Table, seat: int, magnets: Iterable[int]) -> Table:
    """Y10, Y11: pieces go into a player's stack. Y14: a call lapses when it grows beyond one."""
    hands = _with_hand(table, seat, {*table.hands[seat], *magnets})
    called = tuple(was and len(hand) <= 1 for was, hand in zip(table.called, hands, strict=True))
    return replace(table, hands=hands, called=called)


def waited(table: Table, outcome: Outcome) -> Table:
    """Y13: the quiet time has passed; whatever happened in it is charged to the player before."""
    charged = table.charged
    assert charged is not None
    table = replace(table, board=outcome.board, quiet=0.0)
    if table.sudden:
        return _out(table, charged) if outcome.taken else table
    return taken(table, charged, outcome.taken)


def _next_turn(table: Table) -> Table:
    """The next player with something to place; or Y21: everybody has had all turns."""
    settings = table.settings
    if settings.players == 1:
        if table.turns[0] >= 2 * settings.max_turns:
            return replace(table, phase="over", quiet=0.0, charged=None)
        return replace(table, phase="turn")
    if min(table.turns) >= settings.max_turns:
        fewest = min(len(hand) for hand in table.hands)
        among = tuple(seat for seat, hand in enumerate(table.hands) if len(hand) == fewest)
        if len(among) == 1:
            return _round_won(table, among[0])
        return replace(table, phase="lot", lot="round", among=among)
    return replace(table, phase="turn", player=_after(table, table.player))


# --- last Yiker ---


def next_turn(table: Table) -> Table:
    """The table as it looks while a call may be said (Y14): the next player may take a magnet up, and nothing else."""
    return replace(table, phase="turn", player=_after(table, table.player), charged=None)


def call_last(table: Table) -> Table:
    """Y14: said in time."""
    called = tuple(was or seat == table.player for seat, was in enumerate(table.called))
    return _next_turn(replace(table, called=called))


def forget(table: Table) -> Table:
    """Y14: not said; two pieces come off the board, all if fewer lie there."""
    picks = min(PENALTY, len(table.board))
    return replace(table, phase="pick", picks=picks) if picks else _next_turn(table)


def picked(table: Table, outcome: Outcome) -> Table:
    """Y14: one piece picked, with whatever that set off."""
    table = taken(table, table.player, outcome.taken)
    table = replace(table, board=outcome.board, picks=table.picks - 1, quiet=outcome.quiet, charged=table.player)
    return table if table.picks and table.board else _next_turn(replace(table, picks=0))


# --- rounds and matches ---


def _round_won(table: Table, winner: int) -> Table:
    """Y16: the round is counted both ways; the match goes on or ends."""
    table = replace(
        table,
        rounds_won=changed(table.rounds_won, winner, table.rounds_won[winner] + 1),
        points=tuple(total + len(hand) for total, hand in zip(table.points, table.hands, strict=True)),
        quiet=0.0,
        charged=None,
    )
    if table.settings.players == 1:
        return replace(table, phase="over", winner=0)  # Y18
    leaders = _leaders(table)
    if len(leaders) == 1:
        return replace(table, phase="over", winner=leaders[0])
    if leaders:
        return sudden_death(table, leaders)
    most = max(len(hand) for hand in table.hands)
    losers = tuple(seat for seat, hand in enumerate(table.hands) if len(hand) == most)
    return _next_round(table, losers[0]) if len(losers) == 1 else replace(table, phase="lot", lot="loser", among=losers)


def _leaders(table: Table) -> tuple[int, ...]:
    """Y16: who has won the match now, several if they are tied, nobody if it goes on."""
    if not table.settings.rounds:
        if max(table.points) < POINTS_GOAL:
            return ()
        best = min(table.points)
        return tuple(seat for seat, total in enumerate(table.points) if total == best)
    left = table.settings.rounds - table.round
    best = max(table.rounds_won)
    leaders = tuple(seat for seat, won in enumerate(table.rounds_won) if won == best)
    others = [won for won in table.rounds_won if won != best]
    if left <= 0 or (len(leaders) == 1 and all(won + left < best for won in others)):
        return leaders
    return ()


def _cleared(table: Table) -> Table:
    """All magnets back in the box."""
    n = table.settings.players
    return replace(
        table,
        layout=(),
        stacks=(),
        hands=((),) * n,
        board={},
        turns=(0,) * n,
        called=(False,) * n,
        quiet=0.0,
        charged=None,
        picks=0,
        lot=None,
        among=(),
    )


def _next_round(table: Table, loser: int) -> Table:
    """Y5: the loser chooses the layout, shuffles and starts."""
    return replace(_cleared(table), phase="layout", player=loser, shuffler=loser, round=table.round + 1)


def drawn(table: Table, lot: int) -> Table:
    """A lot has been drawn: a seat of `among`, or for a layout its number."""
    if table.lot == "loser":
        return _next_round(table, lot)
    if table.lot == "round":
        return _round_won(replace(table, lot=None, among=()), lot)
    if table.lot == "shuffler":
        return replace(table, shuffler=lot, player=lot, lot="layout", among=())
    return lay_out(replace(table, lot=None, among=()), LAYOUTS[LAYOUT_NAMES[lot]])


# --- sudden death ---


def sudden_death(table: Table, among: tuple[int, ...]) -> Table:
    """Y17: fresh even stacks for those who are tied; shuffler and layout by lot."""
    alive = tuple(seat in among for seat in range(table.settings.players))
    return replace(
        _cleared(table), phase="lot", lot="shuffler", among=among, alive=alive, sudden=table.sudden + 1, player=among[0]
    )


def _sudden_turn(table: Table, outcome: Outcome) -> Table:
    """Y17: who causes a collapse or a fall is out; what was removed goes to the pouch by being nowhere else."""
    if outcome.taken:
        table = _out(table, table.player)
    return table if table.phase == "over" else _sudden_next(table)


def _out(table: Table, seat: int) -> Table:
    """A player is out; the last one in has won."""
    table = replace(
        table,
        alive=tuple(was and other != seat for other, was in enumerate(table.alive)),
        hands=_with_hand(table, seat, ()),
    )
    if len(table.seated) == 1:
        return replace(table, phase="over", winner=table.seated[0], quiet=0.0, charged=None)
    return table


def _sudden_next(table: Table) -> Table:
    """The next one in with a piece; with none left, all who remain begin anew, at most five times, and then share."""
    seat = table.player
    for _ in range(table.settings.players):
        seat = _after(table, seat)
        if table.hands[seat]:
            return replace(table, phase="turn", player=seat)
    if table.sudden <= ANEW:
        return sudden_death(table, table.seated)
    return replace(table, phase="over", winner="draw", quiet=0.0, charged=None)


def returns(table: Table) -> tuple[float, ...]:
    """When over: 1 won, 0 lost, a draw shared by those still in."""
    if table.phase != "over":
        return ()
    n = table.settings.players
    if table.winner == "draw":
        return tuple(1 / len(table.seated) if table.alive[seat] else 0.0 for seat in range(n))
    return tuple(float(seat == table.winner) for seat in range(n))
