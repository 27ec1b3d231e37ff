"""How strong Wykersham's bots are: levels against each other, the gain of looking further, the loss against exact play.

`python -m bench.strength.wykersham [SHARE] [THREADS] [SECONDS] [WHAT…]` prints one JSON line a measurement. A SHARE of 0.1 plays a
tenth of the games; after so many SECONDS a match begins no new games (0: it plays them all). WHAT selects the measurements whose
name contains it; without any, all are made.
"""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Final, NamedTuple

import numpy as np

from bench.strength.measuring import match_result, read_arguments, tell
from ludotheque.games.wykersham.evaluation import turns_left
from ludotheque.games.wykersham.facts import ENDED, GOAL, TAKE
from ludotheque.games.wykersham.features import handmade_network
from ludotheque.games.wykersham.game import GAME
from ludotheque.games.wykersham.levels import DEEPER, SKILLS, Skill
from ludotheque.games.wykersham.player import learned, network_of
from ludotheque.games.wykersham.rules import draw, play
from ludotheque.games.wykersham.search import (
    choose_end,
    evaluate_actions,
    evaluate_state,
    evaluate_turn,
    new_search_buffers,
    value_before_two_rolls,
)
from ludotheque.games.wykersham.self_play import SELF_PLAY, new_game, new_states, set_options
from ludotheque.games.wykersham.turn import Whole
from ludotheque.kernels import DiscretePosition, State, seeded
from ludotheque.kernels.network import Network, as_network
from ludotheque.kernels.random import mixed

GAMES_A_PART: Final = 2  # each has a seed of its own, so that a match is the same on any number of threads
GAMES_A_COUNT: Final = 20
SAME_VALUE: Final = 1e-6  # of a chance to win: sums of another order differ by less
MORE_ENDS = SKILLS[5]._replace(width=120, margin=1.0)


class Contest(NamedTuple):
    """A match to be measured."""

    what: str
    one: Network
    skill: Skill
    two: Network
    other: Skill
    games: int
    options: int = 0


def contests(network: Network) -> Iterator[Contest]:
    """The matches of the table: neighbouring levels, the judge made by hand, looking further."""

    def judge(level: int) -> Network:
        return network if level > 2 else as_network(network_of(level))

    by_hand = as_network(handmade_network())
    for high, low, games in ((2, 1, 8000), (3, 2, 8000), (4, 3, 8000), (5, 4, 2000), (5, 1, 500)):
        yield Contest(f"level {high} v {low}", judge(high), SKILLS[high], judge(low), SKILLS[low], games)
    for options in (1, 2, 4, 8, 15):
        yield Contest(f"level 5 v 4, options {options}", network, SKILLS[5], network, SKILLS[4], 500, options)
        yield Contest(f"at a glance v by hand, options {options}", network, Skill(), by_hand, Skill(), 4000, options)
    yield Contest("at a glance v judge made by hand", network, Skill(), by_hand, Skill(), 8000)
    yield Contest("one turn ahead v at a glance", network, Skill(depth=1), network, Skill(), 2000)
    yield Contest("ten times as many ends v level 5", network, MORE_ENDS, network, SKILLS[5], 400)
    yield Contest("two turns ahead v level 5", network, DEEPER, network, SKILLS[5], 400)


def play_contest(
    contest: Contest, share: float, pool: ThreadPoolExecutor, seed: int, seconds: float = 0.0
) -> dict[str, object]:
    """Play a match on all threads: the first one's share of the points and Elo, with 95 % intervals."""
    began = time.perf_counter()

    def part(number: int) -> Whole:
        if number and 0 < seconds < time.perf_counter() - began:
            return np.zeros(6, np.int64)
        states = new_states()
        set_options(states[0], contest.options)
        sides = (contest.one, contest.skill, contest.two, contest.other)
        return SELF_PLAY.versus(*sides, GAMES_A_PART, 10_000 * seed + number, states)

    parts = max(1, int(contest.games * share) // GAMES_A_PART)
    results = np.sum(list(pool.map(part, range(parts))), axis=0).tolist()
    won, drawn, lost, *_ = results
    games = won + drawn + lost
    return {
        "what": contest.what,
        **match_result(won, drawn, lost),
        "draws": drawn,
        "marbles": [round(part / games, 2) for part in results[4:]],
        "s": round(time.perf_counter() - began),
    }


def rolled(network: Network, count: int, seed: int, turns: int | None) -> list[State]:
    """Positions after a roll out of games of the network without noise against itself, at any turn or with so many turns left."""
    random, states, search = seeded(seed), new_states(), new_search_buffers(network)
    found: list[State] = []
    while len(found) < count:
        new_game(states, len(found) % 2)
        wanted = turns if turns is not None else 3 + int(mixed(seed + len(found))) % 28
        while states[0].phase != ENDED:
            play(states[0], draw(states[0], random))
            if turns_left(states[0]) == wanted:
                found.append(states.copy()[0])
                break
            search.turn.path[0] = states[0]
            ends = evaluate_turn(network, Skill(), search)
            skill = Skill(noise=0.3, max_loss=0.2) if len(found) % 2 else Skill()
            states[0] = search.turn.ends[choose_end(skill, search, ends, len(found))]
    return found


DEEP = Skill(depth=2, replies=3)


def losses(network: Network, state: State, *, exact: bool, noise_seed: int) -> dict[str, float]:
    """What each level gives away in one turn after its roll, in points of a hundred games.

    Against exact values in the last turn but one; otherwise against looking two turns ahead at every end that is chosen.
    """
    skills = {
        f"level {level}": (network if level > 2 else as_network(network_of(level)), skill)
        for level, skill in SKILLS.items()
    }
    skills |= {
        "at a glance": (network, Skill()),
        "ten times as many ends": (network, MORE_ENDS),
    }
    chosen: dict[str, int] = {}
    for label, (judge, skill) in skills.items():
        search = new_search_buffers(judge)
        search.turn.path[0] = state
        count = evaluate_turn(judge, skill, search)
        chosen[label] = int(choose_end(skill, search, count, noise_seed))
    search = new_search_buffers(network)
    search.turn.path[0] = state
    count = evaluate_turn(network, Skill(depth=1, width=8, exact=1), search)
    truth = {end: float(search.turn.values[end]) for end in range(count)}
    if not exact:
        best = np.argsort(-search.turn.values[:count])[:4].tolist()
        truth = {
            end: 1.0 - float(value_before_two_rolls(network, DEEP, search, search.turn.ends[end]))
            for end in {*chosen.values(), *best}
        }
    most = max(truth.values())
    return {label: 100 * (most - truth[end]) for label, end in chosen.items()}


def loss_table(
    network: Network, share: float, pool: ThreadPoolExecutor, wanted: Callable[[str], bool]
) -> Iterator[dict[str, object]]:
    """The mean and the largest loss of every level, over many positions."""
    for what, count, turns in (("the last two turns, exact", 400, 2), ("against looking two turns ahead", 120, None)):
        if not wanted(what):
            continue
        states = rolled(network, max(4, int(count * share)), 5, turns)

        def one(number: int, at: list[State] = states, exact: bool = turns is not None) -> dict[str, float]:
            return losses(network, at[number], exact=exact, noise_seed=number)

        lost = list(pool.map(one, range(len(states))))
        means = {
            label: [
                round(float(np.mean([each[label] for each in lost])), 3),
                round(max(each[label] for each in lost), 2),
            ]
            for label in lost[0]
        }
        yield {"what": what, "positions": len(states), "lost in a turn, % (mean, largest)": means}


class SlidesWithGoals(NamedTuple):
    """What was counted in games of the network without noise against itself, with combined goals (W17)."""

    turns: int = 0
    slides: int = 0
    """That made a goal."""
    combinations: int = 0
    """Of them, those that made several."""
    combinations_taken: int = 0
    other_ends: int = 0
    """Turns that may end with other boards where goals are settled one by one."""
    other_choices: int = 0
    """Turns in which the network then chooses another board, and is the better for it."""
    gained: float = 0.0
    """What it gains in those turns, in chances to win, added up."""


def count_combinations(network: Network, games: int, seed: int) -> SlidesWithGoals:
    """How often a slide makes several goals, and how often it matters that they are one decision."""
    plain, search, other = Skill(), new_search_buffers(network), new_search_buffers(network)
    random, states = seeded(seed), new_states()
    now, counted = states[0], SlidesWithGoals()
    for game in range(games):
        new_game(states, game % 2)
        while now.phase != ENDED:
            play(now, draw(now, random))
            turn = int(now.turns.sum())
            one_by_one = states.copy()[0]
            one_by_one.combined_goals = False
            count = evaluate_state(network, plain, search, now)
            others = evaluate_state(network, plain, other, one_by_one)
            best = int(choose_end(plain, search, count, 0))
            gain = float(other.turn.values[:others].max() - search.turn.values[best])
            target = int(search.turn.keys[best])
            slides = combinations = taken = 0
            while int(now.turns.sum()) == turn and now.phase != ENDED:
                numbers = DiscretePosition(GAME, GAME.rules.copy(now), 2, GAME.read_options()).numbers()
                evaluate_state(network, plain, search, now)
                action = int(evaluate_actions(search, now, numbers, target, np.empty(len(numbers))))
                if now.phase == GOAL:
                    several = sum(int(columns).bit_count() for columns in now.goals) > 1
                    slides, combinations = slides + 1, combinations + several
                    taken += several and action == TAKE
                play(now, action)
            counted = SlidesWithGoals(
                counted.turns + 1,
                counted.slides + slides,
                counted.combinations + combinations,
                counted.combinations_taken + taken,
                counted.other_ends + (others != count),
                counted.other_choices + (gain > SAME_VALUE),
                counted.gained + (gain if gain > SAME_VALUE else 0.0),
            )
    return counted


def combination_table(network: Network, share: float, pool: ThreadPoolExecutor) -> dict[str, object]:
    """How often combinations come about, and what they change."""
    parts = max(1, int(400 * share) // GAMES_A_COUNT)
    counted = list(pool.map(lambda seed: count_combinations(network, GAMES_A_COUNT, seed), range(1, parts + 1)))
    total = SlidesWithGoals(*(sum(numbers) for numbers in zip(*counted, strict=True)))
    return {"what": "combinations", "games": parts * GAMES_A_COUNT} | total._asdict()


def main() -> None:
    """Measure everything, or what is named."""
    given = read_arguments(__doc__, share=1.0, threads=2, seconds=0.0, what=[])

    def wanted(what: str) -> bool:
        return not given.what or any(one in what for one in given.what)

    network = as_network(learned())
    with ThreadPoolExecutor(given.threads) as pool:
        for seed, contest in enumerate(contests(network)):
            if not wanted(contest.what):
                continue
            tell(play_contest(contest, given.share, pool, seed, given.seconds))
        for table in loss_table(network, given.share, pool, wanted):
            tell(table)
        if wanted("combinations"):
            tell(combination_table(network, given.share, pool))


if __name__ == "__main__":
    main()
