"""Twisty's search: a Monte Carlo tree search over whole turns, each player for themselves, with an evaluation instead of playouts.

A position is evaluated by how many turns everybody still needs and by who can be robbed of what, fitted to games of the bots against
themselves. Whole turns are in `turns`, levels and weights in `levels`; `turn_search` has a search that can be continued.
"""

import math
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ludotheque.games.twisty import rules, turns
from ludotheque.games.twisty.facts import CENTRE, COLOURS, FIRST_COLOUR, GONE, MOST_PLAYERS, OF_EACH_COLOUR
from ludotheque.games.twisty.levels import FEATURES
from ludotheque.games.twisty.race import from_square, ways_on
from ludotheque.games.twisty.tables import CORNERS
from ludotheque.kernels import OVER, Returns, State, rule, whole

Weights: TypeAlias = NDArray[np.float64]

NODE = np.dtype(
    [
        ("value", np.float64),  # sum over all visits of what the player who moved here got
        ("estimate", np.float32),  # its value before any visit
        ("prior", np.float32),
        ("visits", np.int32),
        ("first", np.int32),  # child; the others follow. 0 while it has none
        ("turn", np.int16),  # that led here
        ("children", np.int16),
    ],
    align=True,
)
DEEPEST: Final = 256  # turns


class Tuning(NamedTuple):
    """What decides where a search looks."""

    weights: Weights
    """Of the features, shape (FEATURES,)."""
    exploration: float
    """The factor of the second term of PUCT."""
    sharpness: float
    """How much a turn that a player gains raises the logarithm of a prior."""


class Workspace(NamedTuple):
    """Memory of one call of `simulate`."""

    listed: NDArray[Any]
    """Turns of a position, shape (MOST_TURNS,), int64."""
    needed: NDArray[Any]
    """Turns that each player still needs, shape (MOST_PLAYERS,), int64."""
    features: Weights
    """Features of one player, shape (FEATURES,)."""
    chances: Returns
    """Each player's chance to win, shape (MOST_PLAYERS,)."""


@rule
def turns_needed(state: State, seat: int) -> int:
    """The turns that a player still needs, if nobody interferes; before the corners are chosen, from the best free one."""
    collected = whole(state.collected[seat])
    ways = ways_on(state, seat, collected)
    if state.pawns[seat] != GONE:
        return from_square(state, seat, whole(state.pawns[seat]), collected, ways)
    best = rules.FAR
    for which in range(4):
        if rules.corner_is_free(state, whole(CORNERS[which])):
            best = min(best, from_square(state, seat, whole(CORNERS[which]), collected, ways))
    return best


@rule
def fill_features(state: State, seat: int, needed: int, features: Weights) -> None:
    """What the chance of a player depends on: the race, what can be robbed, the cubes. Fills `features`, shape (FEATURES,)."""
    players = whole(state.players)
    collected = whole(state.collected[seat])
    later = (seat - whole(state.player)) % players
    features[0] = -(needed + later / players)
    features[1] = -math.sqrt(needed + later / players)
    now, wanted, soon, loose = 0, 0, 0, 0
    for place in range(collected):
        colour = whole(state.series[seat, place])
        if not (whole(state.protected[seat]) >> colour) & 1:
            loose += 1
            for other in range(players):
                if other != seat:
                    theirs = whole(state.collected[other])
                    if theirs < COLOURS and state.series[other, theirs] == colour:
                        soon += 1
                        if state.pawns[other] != GONE and state.away[state.pawns[other], state.pawns[seat]] == 1:
                            wanted += 1
                            now += 1 if other == state.player else 0
    features[2] = -loose
    features[3] = -soon
    features[4] = -wanted
    features[5] = -now
    features[6] = collected
    features[7] = collected / (1 + (whole(state.max_rounds) - whole(state.this_round)) / 8)


@rule
def evaluate(state: State, weights: Weights, work: Workspace) -> None:
    """Fill `work.chances` with everybody's chance to win, a softmax over the weighted features; fills `work.needed` too."""
    players = whole(state.players)
    highest = -1e9
    for seat in range(players):
        work.needed[seat] = turns_needed(state, seat)
        fill_features(state, seat, whole(work.needed[seat]), work.features)
        worth = 0.0
        for which in range(FEATURES):
            worth += weights[which] * work.features[which]
        work.chances[seat] = worth
        highest = max(highest, worth)
    total = 0.0
    for seat in range(players):
        work.chances[seat] = math.exp(work.chances[seat] - highest)
        total += work.chances[seat]
    for seat in range(players):
        work.chances[seat] /= total


@rule
def expand(state: State, nodes: NDArray[Any], here: int, used: int, work: Workspace, tuning: Tuning) -> int:
    """Give a node its children, each with a first estimate and a prior by its own race after the turn. Returns the nodes used."""
    player = whole(state.player)
    collected = whole(state.collected[player])
    count = turns.list_turns(state, work.listed)
    ways = ways_on(state, player, collected)
    colour = whole(state.series[player, collected]) if collected < COLOURS else -1
    chance = min(max(work.chances[player], 1e-6), 1 - 1e-6)
    odds = math.log(chance / (1 - chance))
    slope = tuning.weights[0] + tuning.weights[1] / (2 * math.sqrt(work.needed[player] + 0.5))
    best = -1e9
    for which in range(count):
        turn = whole(work.listed[which])
        gained = 0.0
        after = rules.FAR
        if turn < turns.ROBBING:
            square = turn if turn < turns.PROTECTING else turn - turns.PROTECTING
            if turn >= turns.PROTECTING:
                gained = 0.5
            if colour < 0 and square == CENTRE:
                after = -10
            elif colour >= 0 and state.board[square] == FIRST_COLOUR + colour:
                for spot in range(OF_EACH_COLOUR):
                    if state.spots[colour, spot] == square:
                        after = ways[collected, spot]
            else:
                after = from_square(state, player, square, collected, ways)
        elif turn < turns.CORNER:
            square = whole(CORNERS[(turn - turns.ROBBING) % 4])
            after = from_square(state, player, square, collected + 1, ways)
            gained = rules.ROBBERY
        elif turn < turns.PASSING:
            after = from_square(state, player, whole(CORNERS[turn - turns.CORNER]), collected, ways)
        else:
            after = whole(work.needed[player])
        gained += whole(work.needed[player]) - 1 - after
        node = nodes[used + which]
        node.value, node.visits, node.first, node.children = 0.0, 0, 0, 0
        node.turn = turn
        node.estimate = 1.0 / (1.0 + math.exp(-(odds + slope * gained)))
        node.prior = tuning.sharpness * gained
        best = max(best, tuning.sharpness * gained)
    total = 0.0
    for which in range(count):
        nodes[used + which].prior = math.exp(nodes[used + which].prior - best)
        total += nodes[used + which].prior
    for which in range(count):
        nodes[used + which].prior /= total
    nodes[here].first, nodes[here].children = used, count
    return used + count


@rule
def select_child(nodes: NDArray[Any], here: int, exploration: float) -> int:
    """The child with the largest PUCT score (D. Silver et al., "Mastering Chess and Shogi by Self-Play", 2017)."""
    first = whole(nodes[here].first)
    root = exploration * math.sqrt(whole(nodes[here].visits))
    best, best_score = first, -1.0
    for child in range(first, first + whole(nodes[here].children)):
        node = nodes[child]
        visits = whole(node.visits)
        score = (node.value + node.estimate) / (visits + 1) + root * node.prior / (1 + visits)
        if score > best_score:
            best, best_score = child, score
    return best


@rule
def simulate(
    root: State, nodes: NDArray[Any], used: int, simulations: int, scratch: NDArray[Any], tuning: Tuning
) -> tuple[int, int]:
    """Add simulations until their number is reached or the nodes are used up; returns how many, and the nodes used now.

    scratch: one state, shape (1,).
    """
    path = np.zeros(DEEPEST, np.int64)
    movers = np.zeros(DEEPEST, np.int64)
    work = Workspace(
        np.zeros(turns.MOST_TURNS, np.int64),
        np.zeros(MOST_PLAYERS, np.int64),
        np.zeros(FEATURES),
        np.zeros(MOST_PLAYERS),
    )
    for done in range(simulations):
        if used + turns.MOST_TURNS > len(nodes):
            return done, used
        scratch[0] = root
        state = scratch[0]
        here, depth = 0, 0
        movers[0] = -1
        while nodes[here].first != 0 and depth < DEEPEST - 1:
            depth += 1
            movers[depth] = whole(state.player)
            here = select_child(nodes, here, tuning.exploration)
            path[depth] = here
            turns.play_turn(state, whole(nodes[here].turn))
        if rules.to_move(state) == OVER:
            rules.returns(state, work.chances)
        else:
            evaluate(state, tuning.weights, work)
            if nodes[here].first == 0 and (here == 0 or nodes[here].visits > 0):  # evaluated before: look further now
                used = expand(state, nodes, here, used, work, tuning)
        for step in range(depth + 1):
            nodes[path[step]].visits += 1
            if movers[step] >= 0:
                nodes[path[step]].value += work.chances[movers[step]]
    return simulations, used
