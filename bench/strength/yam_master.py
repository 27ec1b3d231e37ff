"""How strong Yam Master's bots are: levels against each other, the gain of looking further, the loss against exact play.

`python -m bench.strength.yam_master [SHARE] [THREADS]` prints one JSON line a measurement. A SHARE of 0.1 plays a tenth of the games.
"""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from bench.strength.measuring import match_result, read_arguments, tell
from ludotheque.games.yam_master.evaluation import search_ends
from ludotheque.games.yam_master.facts import ENDS, FREE
from ludotheque.games.yam_master.features import handmade_network
from ludotheque.games.yam_master.levels import SKILLS, Skill
from ludotheque.games.yam_master.player import learned as learned_weights
from ludotheque.games.yam_master.player import network_of as weights_of_level
from ludotheque.games.yam_master.self_play import SELF_PLAY, new_buffers, new_game, new_states, plan, play_plan
from ludotheque.games.yam_master.skill import new_plan, plan_from_ends, policy_value
from ludotheque.kernels import seeded
from ludotheque.kernels.network import Network, as_network


def learned() -> Network:
    """The network that the bots play with."""
    return as_network(learned_weights())


def network_of(level: int) -> Network:
    """The network of a level."""
    return as_network(weights_of_level(level))


def versus(
    name: str, one: Network, skill: Skill, two: Network, other: Skill, games: int, seed: int
) -> dict[str, object]:
    """A match: the first one's share of the points and Elo, with 95 % intervals."""
    began = time.perf_counter()
    won, drawn, lost, *_ = SELF_PLAY.versus(one, skill, two, other, games, seed).tolist()
    return {"what": name, **match_result(won, drawn, lost), "s": round(time.perf_counter() - began)}


def boards(count: int, seed: int, fewest: int) -> list[tuple[np.ndarray, int]]:
    """Boards out of games of the strongest against itself, each with who is to move; `fewest` pawns or more."""
    random, states = seeded(seed), new_states()
    network, buffers = learned(), new_buffers(learned(), Skill())
    found: list[tuple[np.ndarray, int]] = []
    while len(found) < count:
        new_game(states, 0)
        state, seen = states[0], []
        while not state.over:
            if (state.board != FREE).sum() >= fewest:
                seen.append((state.board.copy(), int(state.player)))
            plan(network, buffers, states, 0, random)
            play_plan(buffers, states, 0.0, random)
        if seen:
            found.append(seen[len(found) * 7 % len(seen)])
    return found


def loss(name: str, count: int, depth: int, turns: int, fewest: int, seed: int) -> dict[str, object]:
    """What each level and each depth gives away in one turn, against looking `depth` turns ahead, in points of a hundred games.

    With few `turns` left each, `depth` reaches the end of the game and the comparison is with exact play.
    """
    lost: dict[str, list[float]] = {}
    for board, mover in boards(count, seed, fewest):
        left = np.array([turns, turns])
        truth = np.empty(ENDS)
        best = search_ends(learned(), board, mover, left, depth, truth)
        skills = {f"level {level}": (network_of(level), skill) for level, skill in SKILLS.items()}
        skills |= {f"depth {further}": (learned(), Skill(depth=further)) for further in range(depth)}
        for label, (network, skill) in skills.items():
            turn = new_plan()
            search_ends(network, board, mover, left, skill.depth, turn.end_values)
            plan_from_ends(skill, board, left, int(board.sum()), turn)
            lost.setdefault(label, []).append(best - policy_value(skill, truth, turn))
    means = {
        label: [round(100 * float(np.mean(one)), 3), round(100 * float(np.max(one)), 2)] for label, one in lost.items()
    }
    return {"what": name, "boards": count, "lost in a turn, % (mean, largest)": means}


def main() -> None:
    """Measure everything, several things at once."""
    given = read_arguments(__doc__, share=1.0, threads=2)

    def games(count: int) -> int:
        return max(20, int(count * given.share))

    def levels(high: int, low: int, count: int) -> Callable[[], dict[str, object]]:
        return lambda: versus(
            f"level {high} v {low}",
            network_of(high),
            SKILLS[high],
            network_of(low),
            SKILLS[low],
            games(count),
            10 * high + low,
        )

    clear = Skill()
    jobs: list[Callable[[], dict[str, object]]] = [
        levels(5, 4, 8000),
        lambda: versus("looking 1 v 0 turns ahead", learned(), Skill(depth=1), learned(), clear, games(8000), 1),
        lambda: versus(
            "looking 2 v 1 turns ahead", learned(), Skill(depth=2), learned(), Skill(depth=1), games(500), 2
        ),
        lambda: loss("against looking 3 turns ahead", games(150), 3, 100, 0, 5),
        lambda: loss("the last four turns, exact", games(300), 3, 2, 14, 6),
        lambda: loss("the last two turns, exact", games(1000), 1, 1, 10, 7),
        lambda: versus(
            "at a glance v judge made by hand", learned(), clear, as_network(handmade_network()), clear, games(20000), 3
        ),
        levels(4, 3, 20000),
        levels(3, 2, 20000),
        levels(2, 1, 20000),
        levels(5, 1, 4000),
    ]
    learned()
    with ThreadPoolExecutor(given.threads) as pool:
        for done in pool.map(lambda job: job(), jobs):
            tell(done)


if __name__ == "__main__":
    main()
