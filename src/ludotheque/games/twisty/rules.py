"""Twisty's rules: a knight's pawn collects seven cubes in order, then runs for the centre; some tokens move it on, others rob it.

docs/rules/twisty.md has the clauses that are named here. Text, views and options are in game.py and setup.py.
"""

import numpy as np

from ludotheque.games.twisty.facts import (
    CENTRE,
    CHOOSING,
    COLOURS,
    DRAW,
    EMPTY,
    EXTRA,
    FAR,
    FIRST_COLOUR,
    GONE,
    L_SHAPED,
    LAYOUT,
    MOST_ACTIONS,
    MOST_PLAYERS,
    MOST_STEPS,
    MOVING,
    NOBODY,
    OF_EACH_COLOUR,
    ORTHOGONAL,
    OVER,
    PASS,
    PORTAL,
    PROTECT,
    SETTLING,
    SHIELD,
    SPECIALS,
    SQUARES,
    STAY,
    TO_CORNER,
)
from ludotheque.games.twisty.tables import CORNERS, STEPS
from ludotheque.kernels import OVER as NOBODY_MOVES
from ludotheque.kernels import Actions, Random, Returns, State, below, record_type, rule, whole
from ludotheque.kernels.accelerators import accelerates

__all__ = ["FAR", "MOST_ACTIONS", "MOST_PLAYERS"]  # facts that kernels look up here

STATE = record_type(LAYOUT)
EXPORTS = {"offers_something": 0, "most_cubes": 0, "planned_in_all": 3, "ends_of_a_turn": 2}


@rule
def to_move(state: State) -> int:
    """T4: the players in turn; after the set-up chance has no part in it."""
    return NOBODY_MOVES if state.phase == OVER else whole(state.player)


@rule
def weight(_state: State, _outcome: int) -> int:
    """Chance never moves in Twisty."""
    return 0


@rule
def draw(_state: State, _random: Random) -> int:
    """Chance never moves in Twisty."""
    return 0


@rule
def pawn_on(state: State, square: int) -> int:
    """Another player's seat whose pawn stands on a square, or NOBODY."""
    for seat in range(state.players):
        if seat != state.player and state.pawns[seat] == square:
            return seat
    return NOBODY


@rule
def holds(state: State, seat: int, colour: int) -> bool:
    """T3: whether a player has collected a colour."""
    for place in range(state.collected[seat]):
        if state.series[seat, place] == colour:
            return True
    return False


@rule
def unprotected(state: State, seat: int) -> int:
    """T10: how many of a player's cubes can still be stolen."""
    count = 0
    for place in range(state.collected[seat]):
        if not (whole(state.protected[seat]) >> whole(state.series[seat, place])) & 1:
            count += 1
    return count


@rule
def can_rob(state: State, victim: int) -> bool:
    """T11: the victim holds, unprotected, the colour that is next in the mover's series."""
    collected = state.collected[state.player]
    if collected == COLOURS:
        return False
    colour = whole(state.series[state.player, collected])
    return not (whole(state.protected[victim]) >> colour) & 1 and holds(state, victim, colour)


@rule
def may_enter(state: State, square: int) -> bool:
    """T11, T12: a square without a pawn, or with one that can be robbed."""
    owner = pawn_on(state, square)
    return owner == NOBODY or can_rob(state, owner)


@rule
def has_acted(state: State, square: int) -> bool:
    """T9: whether the token on a square has acted this turn."""
    for which in range(state.used_count):
        if state.used[which] == square:
            return True
    return False


@rule
def legal(state: State, actions: Actions) -> int:
    """What the player to move can do: a corner (T4, T11), a move (T5, T12), or what a special token offers (T8 to T10)."""
    count = 0
    if state.phase in (CHOOSING, SETTLING):
        for which in range(4):
            if corner_is_free(state, whole(CORNERS[which])):
                actions[count] = TO_CORNER + which
                count += 1
    elif state.phase == MOVING:
        count = list_steps(state, L_SHAPED, actions)
        if count == 0:  # T12
            actions[0] = PASS
            count = 1
    elif state.phase == EXTRA:
        count = list_offers(state, actions)
        actions[count] = STAY
        count += 1
    return count


@rule
def corner_is_free(state: State, corner: int) -> bool:
    """T4, T11: a corner on which no pawn stands."""
    for seat in range(state.players):
        if state.pawns[seat] == corner:
            return False
    return True


@rule
def list_steps(state: State, kind: int, actions: Actions) -> int:
    """T5, T8: the squares to which one step of a kind may lead from where the pawn stands."""
    count = 0
    steps = STEPS[kind - ORTHOGONAL, state.pawns[state.player]]
    for which in range(MOST_STEPS):
        square = steps[which]
        if square < 0:
            break
        if may_enter(state, square):
            actions[count] = square
            count += 1
    return count


@rule
def list_offers(state: State, actions: Actions) -> int:
    """T8, T10: what the token under the pawn offers, besides staying."""
    token = whole(state.board[state.pawns[state.player]])
    if token == PORTAL:  # T11: nobody is robbed through a portal, so only free ones
        count = 0
        for which in range(SPECIALS):
            square = whole(state.portals[which])
            if square == GONE:
                break
            if exit_is_free(state, square):
                actions[count] = square
                count += 1
        return count
    if token == SHIELD:
        actions[0] = PROTECT
        return 1
    return list_steps(state, token, actions)


@rule
def exit_is_free(state: State, portal: int) -> bool:
    """T8: another portal that no pawn occupies."""
    return portal != state.pawns[state.player] and pawn_on(state, portal) == NOBODY


@rule
def offers_something(state: State) -> bool:
    """T8 to T10: whether the token under the pawn can do anything; otherwise the turn ends."""
    here = whole(state.pawns[state.player])
    token = whole(state.board[here])
    if token < ORTHOGONAL or has_acted(state, here):
        return False
    if token == PORTAL:
        for which in range(SPECIALS):
            square = whole(state.portals[which])
            if square == GONE:
                break
            if exit_is_free(state, square):
                return True
        return False
    if token == SHIELD:
        return unprotected(state, whole(state.player)) > 0
    for which in range(MOST_STEPS):
        square = STEPS[token - ORTHOGONAL, here, which]
        if square < 0:
            break
        if may_enter(state, square):
            return True
    return False


@rule
def play(state: State, action: int) -> None:
    """One action of the player to move."""
    if action < TO_CORNER:
        go(state, action)
    elif action < PROTECT:
        choose_corner(state, whole(CORNERS[action - TO_CORNER]))
    else:
        if action == PROTECT:  # T10: all cubes collected so far
            player = state.player
            for place in range(state.collected[player]):
                state.protected[player] = whole(state.protected[player]) | (1 << whole(state.series[player, place]))
        end_turn(state)


@rule
def choose_corner(state: State, corner: int) -> None:
    """T4: the pawn's start, one player after the other; T11: or its place after a robbery, which ends the turn."""
    state.pawns[state.player] = corner
    if state.phase == SETTLING:
        end_turn(state)
        return
    state.player = (whole(state.player) + 1) % state.players
    if state.player == state.first:
        state.phase = MOVING


@rule
def go(state: State, square: int) -> None:
    """T5, T8, T9, T11: the pawn's move, by itself or by the token under it, and what its arrival does."""
    here = state.pawns[state.player]
    through_portal = False
    if state.phase == EXTRA:  # T9: the token has acted
        state.used[state.used_count] = here
        state.used_count += 1
        through_portal = state.board[here] == PORTAL
    victim = pawn_on(state, square)
    state.pawns[state.player] = square
    if victim != NOBODY:
        rob(state, victim)
    elif through_portal:  # T9: the token arrived on has acted too
        end_turn(state)
    else:
        land(state, square)


@rule
def land(state: State, square: int) -> None:
    """T6 to T10 and T13: the arrival on a square without a pawn."""
    player = state.player
    collected = state.collected[player]
    token = whole(state.board[square])
    if square == CENTRE and collected == COLOURS:  # T13
        finish(state, whole(player))
    elif offers_something(state):  # T8, T9
        state.phase = EXTRA
    else:
        if collected < COLOURS and token == FIRST_COLOUR + state.series[player, collected]:  # T7
            collect(state, square)
        end_turn(state)  # T6, T7, T9


@rule
def collect(state: State, square: int) -> None:
    """T7: the token becomes the player's cube, and its square is empty from then on."""
    colour = whole(state.board[square]) - FIRST_COLOUR
    state.board[square] = EMPTY
    for which in range(OF_EACH_COLOUR):
        if state.spots[colour, which] == square:
            state.spots[colour, which] = GONE
    state.collected[state.player] += 1


@rule
def rob(state: State, victim: int) -> None:
    """T11: the cube changes hands, the victim's card goes to the end of the series, the mover's pawn to a free corner."""
    player = state.player
    colour = state.series[player, state.collected[player]]
    state.collected[player] += 1
    place = 0
    while state.series[victim, place] != colour:
        place += 1
    while place < COLOURS - 1:
        state.series[victim, place] = state.series[victim, place + 1]
        place += 1
    state.series[victim, place] = colour
    state.collected[victim] -= 1
    state.phase = SETTLING
    free, corner = 0, 0
    for which in range(4):
        if corner_is_free(state, whole(CORNERS[which])):
            free += 1
            corner = whole(CORNERS[which])
    if free == 1:  # nothing to choose
        choose_corner(state, corner)


@rule
def end_turn(state: State) -> None:
    """T4, T14: the next player's turn; a round ends when it comes back to the player who started."""
    following = (whole(state.player) + 1) % whole(state.players)
    state.used_count = 0
    if following == state.first:
        if state.this_round >= state.max_rounds:
            finish(state, most_cubes(state))
            return
        state.this_round += 1
    state.player = following
    state.phase = MOVING


@rule
def most_cubes(state: State) -> int:
    """T14: the player with most cubes, or DRAW if several have as many."""
    best, most, having = 0, -1, 0
    for seat in range(state.players):
        if state.collected[seat] > most:
            best, most, having = seat, whole(state.collected[seat]), 1
        elif state.collected[seat] == most:
            having += 1
    return best if having == 1 else DRAW


@rule
def finish(state: State, winner: int) -> None:
    """T13, T14: the game is over."""
    state.used_count = 0
    state.winner = winner
    state.phase = OVER


@rule
def returns(state: State, result: Returns) -> None:
    """T13, T14: 1 for the winner; a draw is shared among those with most cubes."""
    most, having = -1, 0
    for seat in range(state.players):
        if state.collected[seat] > most:
            most, having = whole(state.collected[seat]), 1
        elif state.collected[seat] == most:
            having += 1
    for seat in range(MOST_PLAYERS):
        if state.winner == DRAW:
            result[seat] = 1.0 / having if seat < state.players and state.collected[seat] == most else 0.0
        else:
            result[seat] = 1.0 if state.winner == seat else 0.0


# What follows from the board. The special tokens never move, and a colour token that is collected leaves a square on which a
# turn ends as before: so where a turn can lead, were there no other pawns, is the same for the whole game.


@rule
def prepare(state: State) -> None:
    """Fill in where portals and colours lie, and how far away each square is from each. Once, when the board is laid."""
    state.portals[:] = GONE
    state.spots[:] = GONE
    portals = 0
    for square in range(SQUARES):
        token = whole(state.board[square])
        if token == PORTAL:
            state.portals[portals] = square
            portals += 1
        elif FIRST_COLOUR <= token < ORTHOGONAL:
            which = 0
            while state.spots[token - FIRST_COLOUR, which] != GONE:
                which += 1
            state.spots[token - FIRST_COLOUR, which] = square
    reach = np.zeros(SQUARES, np.int64)  # one bit a square
    for square in range(SQUARES):
        reach[square] = ends_of_a_turn(state, square, 0)
    for start in range(SQUARES):
        fresh = reach[start]
        known, turns = fresh, 1
        while fresh != 0:
            further = 0
            for square in range(SQUARES):
                if (fresh >> square) & 1:
                    state.away[start, square] = turns
                    further |= reach[square]
            fresh = further & ~known
            known |= fresh
            turns += 1
    for seat in range(state.players):
        make_plan(state, seat)


@accelerates("legal and play: where the moves of a turn can lead, without trying them")
@rule
def ends_of_a_turn(state: State, start: int, blocked: int) -> int:
    """T5 to T9: where one turn can end, all its chains of extra moves included, if nobody is robbed. One bit a square.

    `blocked` are the squares on which other pawns are thought to stand. Every square on which a pawn lands is an end, since it may
    stay; and since a second use of a token leads nowhere new, tokens that act once reach all of them.
    """
    ends, landed = 0, 0
    queue = np.zeros(SQUARES + 1, np.int64)
    queue[0] = start
    waiting, done = 1, 0
    while done < waiting:
        square = queue[done]
        token = L_SHAPED if done == 0 else whole(state.board[square])
        done += 1
        if token == PORTAL:
            for which in range(SPECIALS):
                if state.portals[which] == GONE:
                    break
                ends |= (1 << whole(state.portals[which])) & ~(1 << square)
        elif ORTHOGONAL <= token <= L_SHAPED:
            for which in range(MOST_STEPS):
                onward = STEPS[token - ORTHOGONAL, square, which]
                if onward < 0:
                    break
                ends |= 1 << onward
                if not ((landed | blocked) >> onward) & 1:
                    landed |= 1 << onward
                    queue[waiting] = onward
                    waiting += 1
    return ends & ~blocked


ROBBERY = 3  # turns that a robbery is worth to a hasty player


@rule
def make_plan(state: State, seat: int) -> None:
    """For each cube and each place where it may be collected: the turns still needed from there, if nobody interferes.

    The shortest way through the rest of the series, worked out from its end: race.py has the proof. It is exact for the board that
    prepare saw; later, tokens are gone and cards may have been moved to the end.
    """
    following = -1
    for place in range(COLOURS - 1, -1, -1):
        colour = whole(state.series[seat, place])
        for which in range(OF_EACH_COLOUR):
            spot = whole(state.spots[colour, which])
            if spot == GONE:
                state.plans[seat, colour, which] = FAR
            elif following < 0:
                state.plans[seat, colour, which] = state.away[spot, CENTRE]
            else:
                state.plans[seat, colour, which] = planned(state, seat, following, spot)
        following = colour


@rule
def planned(state: State, seat: int, colour: int, square: int) -> int:
    """By a player's plan, the turns needed from a square of which the next are spent on the way to a colour."""
    best = FAR
    for which in range(OF_EACH_COLOUR):
        spot = whole(state.spots[colour, which])
        if spot != GONE:
            best = min(best, whole(state.away[square, spot]) + whole(state.plans[seat, colour, which]))
    return best


@rule
def planned_in_all(state: State, seat: int, square: int, collected: int) -> int:
    """By a player's plan, the turns needed from a square with so many cubes until the centre is reached."""
    if collected == COLOURS:
        return whole(state.away[square, CENTRE])
    return planned(state, seat, whole(state.series[seat, collected]), square)


# A hasty player, who keeps to the plan made when the board was laid.


@rule
def casual(state: State, actions: Actions, count: int, random: Random) -> int:
    """What a hasty player does: robs, collects, protects, and otherwise takes the shortest way of the plan, seldom with a slip."""
    best, best_score = whole(actions[0]), FAR * FAR
    if count > 1:
        for which in range(count):
            action = whole(actions[which])
            score = 4 * outlook(state, action) + below(random, 6)
            if score < best_score:
                best, best_score = action, score
    return best


@rule
def outlook(state: State, action: int) -> int:
    """The turns still needed after an action, one further step by a special token included; a robbery sets the victim back."""
    player = whole(state.player)
    if action >= PROTECT:
        return ending(state, whole(state.pawns[player])) - (1 if action == PROTECT else 0)
    if action >= TO_CORNER:
        return ending(state, whole(CORNERS[action - TO_CORNER]))
    if pawn_on(state, action) != NOBODY:
        return ending(state, whole(state.pawns[player])) - ROBBERY
    best = ending(state, action)
    token = whole(state.board[action])
    if token < ORTHOGONAL or token == SHIELD or has_acted(state, action):
        return best
    if token == PORTAL:
        if state.phase != EXTRA or state.board[state.pawns[player]] != PORTAL:
            for which in range(SPECIALS):
                portal = whole(state.portals[which])
                if portal == GONE:
                    break
                best = min(best, ending(state, portal))
        return best
    for which in range(MOST_STEPS):
        square = STEPS[token - ORTHOGONAL, action, which]
        if square < 0:
            break
        best = min(best, ending(state, square))
    return best


@rule
def ending(state: State, square: int) -> int:
    """The turns still needed once this one has ended on a square."""
    player = whole(state.player)
    collected = whole(state.collected[player])
    if collected == COLOURS:
        return 0 if square == CENTRE else whole(state.away[square, CENTRE])
    colour = whole(state.series[player, collected])
    if state.board[square] == FIRST_COLOUR + colour:
        for which in range(OF_EACH_COLOUR):
            if state.spots[colour, which] == square:
                return whole(state.plans[player, colour, which])
    return planned(state, player, colour, square)
