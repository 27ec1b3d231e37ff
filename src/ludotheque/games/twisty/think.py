"""Twisty's search: a tree of whole turns, each for themselves with any number of players, judged by the exact race.

No dice and nothing played out: a position is judged by how many turns everybody still needs and by who can be robbed of what
(`judge`, fitted to games of the bots against themselves). Which turns there are is turns.py's business, what a level makes of
the values player.py's.
"""

import math
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ludotheque.games.twisty import rules, turns
from ludotheque.games.twisty.facts import CENTRE, COLOURS, FIRST_COLOUR, GONE, MOST_PLAYERS, OF_EACH_COLOUR
from ludotheque.games.twisty.race import from_square, ways_on
from ludotheque.games.twisty.tables import CORNERS
from ludotheque.kernels import OVER, Returns, Rules, State, rule, whole

Weights: TypeAlias = NDArray[np.float64]

FEATURES: Final = 8
WEIGHTS: Final = {
    2: np.array([0.15, 2.2, 0.03, 0.28, 0.27, 0.55, 0.0, 3.0]),
    3: np.array([-0.6, 5.0, 0.12, 0.15, 0.13, 0.6, -0.9, 20.0]),
    4: np.array([-0.5, 4.4, 0.15, 0.16, 0.11, 0.7, -0.6, 17.0]),
}
"""What each feature of `describe` counts, by the number of players: fitted to which player won. bench/twisty_judge.py does it."""

NODE = np.dtype(
    [
        ("value", np.float64),  # what the player who moved here got in all visits together
        ("glance", np.float32),  # what it seemed to be worth before any visit
        ("prior", np.float32),
        ("visits", np.int32),
        ("first", np.int32),  # child; the others follow. 0 while it has none
        ("turn", np.int16),  # that led here
        ("children", np.int16),
    ],
    align=True,
)
DEEPEST: Final = 256
FIRST_NODES: Final = 1 << 12
SHARE: Final = 1_000  # simulations between two looks at whether anything can still change
EXPLORATION: Final = 1.0
SHARPNESS: Final = 0.7


@rule
def needed(state: State, seat: int) -> int:
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
def describe(state: State, seat: int, turns_needed: int, features: Weights) -> None:
    """What the chance of a player depends on, one number each."""
    players = whole(state.players)
    collected = whole(state.collected[seat])
    later = (seat - whole(state.player)) % players
    features[0] = -(turns_needed + later / players)
    features[1] = -math.sqrt(turns_needed + later / players)
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
def judge(state: State, weights: Weights, needs: NDArray[Any], features: Weights, result: Returns) -> None:
    """Everybody's chance to win: the better the race, the better the chance. Fills `needs` too."""
    players = whole(state.players)
    highest = -1e9
    for seat in range(players):
        needs[seat] = needed(state, seat)
        describe(state, seat, whole(needs[seat]), features)
        worth = 0.0
        for which in range(FEATURES):
            worth += weights[which] * features[which]
        result[seat] = worth
        highest = max(highest, worth)
    total = 0.0
    for seat in range(players):
        result[seat] = math.exp(result[seat] - highest)
        total += result[seat]
    for seat in range(players):
        result[seat] /= total


@rule
def grow(
    state: State,
    nodes: NDArray[Any],
    here: int,
    used: int,
    listed: NDArray[Any],
    needs: NDArray[Any],
    chances: Returns,
    weights: Weights,
    sharpness: float,
) -> int:
    """Give a node its children, each with what it seems to be worth at a glance: the own race after it. Returns the nodes used."""
    player = whole(state.player)
    collected = whole(state.collected[player])
    count = turns.list_turns(state, listed)
    ways = ways_on(state, player, collected)
    colour = whole(state.series[player, collected]) if collected < COLOURS else -1
    chance = min(max(chances[player], 1e-6), 1 - 1e-6)
    odds = math.log(chance / (1 - chance))
    slope = weights[0] + weights[1] / (2 * math.sqrt(needs[player] + 0.5))
    best = -1e9
    for which in range(count):
        turn = whole(listed[which])
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
            after = whole(needs[player])
        gained += whole(needs[player]) - 1 - after
        node = nodes[used + which]
        node.value, node.visits, node.first, node.children = 0.0, 0, 0, 0
        node.turn = turn
        node.glance = 1.0 / (1.0 + math.exp(-(odds + slope * gained)))
        node.prior = sharpness * gained
        best = max(best, sharpness * gained)
    total = 0.0
    for which in range(count):
        nodes[used + which].prior = math.exp(nodes[used + which].prior - best)
        total += nodes[used + which].prior
    for which in range(count):
        nodes[used + which].prior /= total
    nodes[here].first, nodes[here].children = used, count
    return used + count


@rule
def best_child(nodes: NDArray[Any], here: int, exploration: float) -> int:
    """PUCT: what promises most, by what came of it so far, what it seemed at a glance and how seldom it was tried."""
    first = whole(nodes[here].first)
    root = exploration * math.sqrt(whole(nodes[here].visits))
    best, best_score = first, -1.0
    for child in range(first, first + whole(nodes[here].children)):
        node = nodes[child]
        visits = whole(node.visits)
        score = (node.value + node.glance) / (visits + 1) + root * node.prior / (1 + visits)
        if score > best_score:
            best, best_score = child, score
    return best


@rule
def think(
    root: State,
    nodes: NDArray[Any],
    used: int,
    simulations: int,
    scratch: NDArray[Any],
    weights: Weights,
    exploration: float,
    sharpness: float,
) -> tuple[int, int]:
    """Look at that many more positions, or as many as the nodes suffice for; returns how many, and the nodes used now."""
    way = np.zeros(DEEPEST, np.int64)
    movers = np.zeros(DEEPEST, np.int64)
    listed = np.zeros(turns.MOST_TURNS, np.int64)
    needs = np.zeros(MOST_PLAYERS, np.int64)
    features = np.zeros(FEATURES)
    result = np.zeros(MOST_PLAYERS)
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
            here = best_child(nodes, here, exploration)
            way[depth] = here
            turns.play_turn(state, whole(nodes[here].turn))
        if rules.to_move(state) == OVER:
            rules.returns(state, result)
        else:
            judge(state, weights, needs, features, result)
            if nodes[here].first == 0 and (here == 0 or nodes[here].visits > 0):  # judged before: look further now
                used = grow(state, nodes, here, used, listed, needs, result, weights, sharpness)
        for step in range(depth + 1):
            nodes[way[step]].visits += 1
            if movers[step] >= 0:
                nodes[way[step]].value += result[movers[step]]
    return simulations, used


@dataclass(frozen=True)
class Found:
    """One turn at the root: how often it was looked at, and the chance to win that it gives."""

    turn: int
    visits: int
    value: float


class Search:
    """A search of one position that can be continued: `think` looks further, `found` tells what it says so far."""

    def __init__(self, game: Rules, root: State, *, most_nodes: int = 4_000_000) -> None:
        """`root` has been prepared, and is not over."""
        self._root = root
        self._most_nodes = most_nodes
        self._nodes = np.zeros(FIRST_NODES, NODE).view(np.recarray)
        self._used = 1
        self._scratch = np.zeros(1, game.dtype).view(np.recarray)
        self._weights = WEIGHTS[int(root.players)]
        self.simulations = 0
        self.look(1)  # the root's turns are known from now on

    def look(self, simulations: int) -> int:
        """Add simulations; returns how many there was memory for."""
        wanted = simulations
        while wanted > 0:
            done, self._used = think(
                self._root, self._nodes, self._used, wanted, self._scratch, self._weights, EXPLORATION, SHARPNESS
            )
            wanted -= done
            if wanted > 0:
                if len(self._nodes) >= self._most_nodes:
                    break
                larger = np.zeros(min(self._most_nodes, 4 * len(self._nodes)), NODE).view(np.recarray)
                larger[: self._used] = self._nodes[: self._used]
                self._nodes = larger
        self.simulations += simulations - wanted
        return simulations - wanted

    def think(self, simulations: int) -> int:
        """Add that many simulations; fewer once nothing can overtake what leads, or where memory ends. Returns how many."""
        wanted = simulations
        while wanted > 0 and self._lead() <= wanted:
            done = self.look(min(wanted, SHARE))
            if not done:
                break
            wanted -= done
        return simulations - wanted

    def _lead(self) -> float:
        """By how many visits the first turn leads; endless where there is no other."""
        first = int(self._nodes[0].first)
        visits = np.sort(self._nodes.visits[first : first + int(self._nodes[0].children)])
        return math.inf if len(visits) < 2 else float(visits[-1] - visits[-2])

    def found(self) -> list[Found]:
        """Every turn, the most looked at first."""
        first = int(self._nodes[0].first)
        children = [
            Found(int(one.turn), int(one.visits), float((one.value + one.glance) / (one.visits + 1)))
            for one in self._nodes[first : first + int(self._nodes[0].children)]
        ]
        return sorted(children, key=lambda one: (-one.visits, -one.value, one.turn))
