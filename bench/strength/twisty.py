"""How strong Twisty's bots are: levels against each other with two, three and four players, the gain of thinking ten times longer,
an exploiter of level 5, and what each level gives away in last rounds that are solved exactly.

`python -m bench.strength.twisty [SECONDS] [PROCESSES] [FIRST] [PART…]` begins games until the time is over and ends them all
(dropping the longest would bias the result); it prints one JSON line a measurement. FIRST is
the number of the first set-up, to go on where a former run ended. PARTs are levels, longer, several, longest, exploiter, quick
exploiter, exact, or one measurement's name such as "level 5 v 4"; all without any.
"""

import json
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import count

import numpy as np

from bench.strength.measuring import elo_range, read_arguments, tell
from ludotheque.arena import distribute, interval
from ludotheque.core import Dice, Match, find_game
from ludotheque.games.twisty import turns
from ludotheque.games.twisty.facts import CHOOSING, MOVING, OVER
from ludotheque.games.twisty.levels import SKILLS, Skill
from ludotheque.games.twisty.player import SURE, TwistyPlayer, prepared
from ludotheque.games.twisty.turn_search import Search, TurnValue, solve
from ludotheque.kernels import DiscreteGame, DiscretePosition, State

GAME = find_game("twisty")
LAST_ROUNDS = (2, 4)  # how many are left where exact values are looked at
SOLVED_A_TASK = 4

Skills = tuple[Skill, ...]


@dataclass(frozen=True)
class Foresight(Skill):
    """Of an exploiter: it knows what level 5 will answer, since it always answers the same, and thinks on from there."""

    tried: int = 5
    """Turns of its own after which it has level 5 answer."""
    near: float = 0.1
    """Of a win: turns that look worse than the best by more than this are not tried."""


class Exploiter(TwistyPlayer):
    """Plays level 5 between two players as level 5 would, but for what it foresees."""

    def __init__(self, skill: Foresight) -> None:
        """An exploiter of level 5 with the same simulations."""
        super().__init__(5, skill)
        self._rival = TwistyPlayer(5, replace(SKILLS[5], simulations=skill.simulations))

    def plan(self, position: DiscretePosition, seconds: float | None = None) -> tuple[TurnValue, list[TurnValue]]:
        """The turn with the best value once level 5 has answered."""
        assert isinstance(self.skill, Foresight)
        chosen, found = super().plan(position, seconds)
        root = position.game.rules.state_of(prepared(position))
        if root.phase == CHOOSING or chosen.value > SURE or len(found) == 1:
            return chosen, found
        near = [one for one in found[: self.skill.tried] if one.value > chosen.value - self.skill.near]
        foreseen = [TurnValue(one.turn, one.visits, self._foreseen(position, root, one.turn)) for one in near]
        return max(foreseen, key=lambda one: one.value), found

    def _foreseen(self, position: DiscretePosition, root: State, turn: int) -> float:
        """What a turn is worth after level 5's answer."""
        seat = int(root.player)
        after = position.game.rules.copy(root)
        turns.play_turn(after, turn)
        reached = DiscretePosition(position.game, after, 2, position.options)
        if not reached.over:
            after = position.game.rules.copy(after)
            turns.play_turn(after, self._rival.plan(reached)[0].turn)
            reached = DiscretePosition(position.game, after, 2, position.options)
        return reached.returns()[seat] if reached.over else super().plan(reached)[0].value


def line_ups() -> dict[str, tuple[str, Skills]]:
    """Every measurement: its part, and the skills of the one that is measured and of the others."""
    found: dict[str, tuple[str, Skills]] = {}
    for level in (5, 4, 3, 2):
        found[f"level {level} v {level - 1}"] = "levels", (SKILLS[level], SKILLS[level - 1])
    for seats in (3, 4):
        for level in (5, 4, 3, 2):
            name = f"level {level} among {seats - 1} of level {level - 1}"
            found[name] = "several", (SKILLS[level], *[SKILLS[level - 1]] * (seats - 1))
    for simulations in (200, 2_000):
        found[f"{10 * simulations} v {simulations} simulations"] = (
            "longer",
            (Skill(10 * simulations), Skill(simulations)),
        )
    quick = replace(SKILLS[5], simulations=SKILLS[5].simulations // 50)  # so that there are many games
    for name, rival, longer, exploiter in (
        ("level 5", SKILLS[5], "longest", "exploiter"),
        (f"level 5 with {quick.simulations} positions", quick, "longer", "quick exploiter"),
    ):
        found[f"{name}, ten times longer"] = longer, (replace(rival, simulations=10 * rival.simulations), rival)
        found[f"exploiter of {name}"] = exploiter, (Foresight(**asdict(rival)), rival)
    return found


def player(skill: Skill) -> TwistyPlayer:
    """Who plays with that skill."""
    return Exploiter(skill) if isinstance(skill, Foresight) else TwistyPlayer(5, skill)


def play(skills: Skills, number: int) -> list[float]:
    """The points of the first of these, from each seat of one set-up."""
    assert isinstance(GAME, DiscreteGame)
    _ = GAME.rules.compiled
    points = []
    for seat in range(len(skills)):
        match = Match(GAME, len(skills), dice=Dice(f"strength {number}"))
        players = [player(skill) for skill in skills]
        while not match.over:
            assert isinstance(match.to_move, int)
            mover = players[(match.to_move - seat) % len(skills)]
            match.play(mover.choose(match.position).action)
        points.append(match.position.returns()[seat])
    return points


def losses(number: int, left: int) -> list[dict[str, float]]:
    """What each level gives away, in points, in exactly solved positions out of one game with so many rounds left."""
    assert isinstance(GAME, DiscreteGame)
    _ = GAME.rules.compiled
    first = Match(GAME, 2, dice=Dice(f"exact {number}")).position
    assert isinstance(first, DiscretePosition)
    state = GAME.rules.copy(first.state)
    whims = np.random.default_rng(number)
    found: list[dict[str, float]] = []
    while state.phase != OVER and len(found) < SOLVED_A_TASK:
        if state.phase == MOVING and state.collected[:2].min() >= 2 and whims.random() < 0.2:
            limit = int(state.this_round) + left - 1
            options = GAME.read_options({"max_rounds": limit})
            near_the_end = GAME.rules.copy(state)
            near_the_end.max_rounds = limit
            position = DiscretePosition(GAME, near_the_end, 2, options)
            exact = solve(GAME.kernels, prepared(position), 4_000_000)
            if exact is not None and len(set(exact.values())) > 1:  # otherwise nobody can err
                found.append({str(level): _loss(position, level, exact) for level in SKILLS})
        search = Search(GAME.kernels, state.tobytes(), 2)
        search.run(500)
        some = search.turns()
        turns.play_turn(state, some[0].turn if whims.random() < 0.9 else some[whims.integers(len(some))].turn)
    return found


def _loss(position: DiscretePosition, level: int, exact: dict[int, float]) -> float:
    return max(exact.values()) - exact[TwistyPlayer(level).plan(position)[0].turn]


def work(names: Sequence[str], which: int, number: int) -> tuple[int, list[float], list[dict[str, float]]]:
    """One task: a set-up of a measurement, or a game out of which positions are solved."""
    if which < 0:
        return which, [], losses(number, -which)
    return which, play(line_ups()[names[which]][1], number), []


def main() -> None:
    """Play everything in turn until the time is over."""
    given = read_arguments(__doc__, seconds=60.0, processes=2, first=0, parts=[])
    parts = set(given.parts)
    names = [name for name, (part, _) in line_ups().items() if not parts or {name, part} & parts]
    kinds = [*range(len(names)), *([-left for left in LAST_ROUNDS] if not parts or "exact" in parts else [])]
    shares: dict[int, list[list[float]]] = {}
    losses_by_rounds: dict[int, list[dict[str, float]]] = {}
    end = time.monotonic() + given.seconds

    def tasks() -> Iterator[tuple[int, int]]:
        for number in count(given.first):
            for kind in kinds:
                if time.monotonic() > end:
                    return
                yield kind, number

    for which, points, lost in distribute(partial(work, names), tasks(), given.processes):
        if which < 0:
            losses_by_rounds.setdefault(which, []).extend(lost)
        else:
            shares.setdefault(which, []).append(points)
            print(json.dumps({"what": names[which], "points": points}), file=sys.stderr, flush=True)
    for which, by_seed in sorted(shares.items()):
        seats = len(by_seed[0])
        share = float(np.mean(by_seed))
        low, high = interval(by_seed)
        told: dict[str, object] = {"what": names[which], "games": seats * len(by_seed), "share": round(share, 3)}
        told |= {"95 %": [round(low, 3), round(high, 3)]}
        tell(told | {"elo": elo_range(low, share, high, seats)})
    for which, found in sorted(losses_by_rounds.items(), reverse=True):
        means = {level: round(100 * float(np.mean([one[level] for one in found])), 1) for level in map(str, SKILLS)}
        wrong = {level: round(100 * float(np.mean([one[level] > 0 for one in found])), 1) for level in map(str, SKILLS)}
        what = f"the last {-which} rounds, exact"
        tell({"what": what, "positions": len(found), "lost, %": means, "erred, %": wrong})


if __name__ == "__main__":
    main()
