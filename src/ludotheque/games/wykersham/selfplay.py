"""Wykersham against itself, whole games in one compiled call: lessons for the network, and matches between minds.

How the network learns from the lessons is training's business.
"""

from typing import Final

import numpy as np

from ludotheque.games.wykersham.endgame import WAYS
from ludotheque.games.wykersham.judge import NOTHING, ROWS, SLOTS, before_roll, fill_slots, turns_left
from ludotheque.games.wykersham.mind import (
    Mind,
    Study,
    best_first,
    choose_end,
    last_halves,
    new_study,
    plain_judge,
    weigh_turn,
)
from ludotheque.games.wykersham.player import MINDS, judge_of, learned
from ludotheque.games.wykersham.rules import ENDED, ROLLING, STATE, draw, play
from ludotheque.games.wykersham.tables import COLUMNS, CUPS, RAILS, TURNS
from ludotheque.games.wykersham.turn import Whole
from ludotheque.kernels import Random, State, below, next_word, rule, seeded, whole
from ludotheque.kernels.lessons import Lessons, Notes, Sitting
from ludotheque.kernels.network import Floats, Network
from ludotheque.kernels.playout import States

LOOKED_AT: Final = 8  # ends of the last turn but one
MIRRORS: Final = 4
"""A board may be turned over from left to right and from top to bottom: nothing changes (1 to 6 are as likely as 6 to 1)."""


@rule
def mirror(state: State, other: State, across: bool, over: bool) -> None:
    """Make `other` the same board between turns, turned from left to right (`across`) and from top to bottom (`over`)."""
    for rail in range(RAILS):
        there = RAILS - 1 - rail if over else rail
        other.offsets[there] = -whole(state.offsets[rail]) if across else whole(state.offsets[rail])
        for player in range(2):
            columns = whole(state.filled[player, rail])
            turned = 0
            for column in range(COLUMNS):
                turned |= ((columns >> column) & 1) << (COLUMNS - 1 - column)
            other.filled[player, there] = turned if across else columns
            for cup in range(CUPS):
                other.cups[player, there, CUPS - 1 - cup if across else cup] = whole(state.cups[player, rail, cup])


@rule
def set_options(state: State, options: int) -> None:
    """The options as a number: 0 is the default; 1 slides in either direction, 2 has no shared middle, 4 must take goals."""
    state.same_direction, state.shared_middle = options & 1 == 0, options & 2 == 0
    state.forced_goals = options & 4 != 0


@rule
def new_game(state: State, starter: int) -> None:
    """W3: an empty board before the starter's roll; the options stay."""
    state.cups[:] = 0
    state.filled[:] = 0
    state.goals[:] = 0
    state.taken[:] = 0
    state.offsets[:] = 0
    state.slid[:] = 0
    state.turns[:] = 0
    state.winnings[:] = 0
    state.phase, state.player, state.dice = ROLLING, starter, -1
    state.lines, state.marbles, state.direction, state.asked = 0, 0, 0, 0


@rule
def note(state: States, other: States, slots: Whole, brings: Whole, rows: Whole, counts: Whole) -> None:
    """What is true of a board, and of its three mirror images: four lessons in `rows` and `counts`."""
    for version in range(MIRRORS):
        other[0] = state[0]
        mirror(state[0], other[0], version % 2 == 1, version >= 2)
        fill_slots(other[0], slots, brings)
        count = 0
        for slot in range(SLOTS):
            if slots[slot] != NOTHING:
                rows[version, count] = slots[slot]
                count += 1
        counts[version] = count


@rule
def look_at_the_last_turn(study: Study, count: int) -> None:
    """In the last turn but one: the ends that look best are worth exactly what the last turn makes of them, the others no more."""
    least = 1.0
    looked = best_first(study.values, count, LOOKED_AT, 1.0)
    for end in looked:
        study.values[end] = 1.0 - last_halves(study, study.room.ends[end], 2 * WAYS + 1) / (2.0 * WAYS)
        least = min(least, study.values[end])
    for end in range(count):
        study.values[end] = study.values[end] if (looked == end).any() else min(study.values[end], least)


@rule
def lessons(
    network: Network,
    study: Study,
    states: States,
    random: Random,
    games: int,
    memory: float,
    depth: int,
    rows: Whole,
    counts: Whole,
    chances: Floats,
) -> int:
    """Play games and note, for every turn and its mirror images, what was true (`rows`, `counts`) and the chance to win (`chances`).

    The chance is what the best turn after the roll promises (with `depth` 1, the mean over all rolls), mixed by `memory` with
    what the next turns brought. A third of the games is played with a clouded judgement, so that boards come up that good
    players avoid; there only the promise counts. One game in eight has other options. Returns how many lessons were noted.
    """
    noted = 0
    now, other = states[:1], states[1:2]
    slots, brings = np.empty(SLOTS, np.int64), np.empty(7, np.int64)
    promised = np.empty(2 * TURNS)
    for _ in range(games):
        if noted + MIRRORS * 2 * TURNS > len(chances):
            break
        set_options(now[0], below(random, 8) if below(random, 8) == 0 else 0)
        new_game(now[0], below(random, 2))
        mind, clear_after = Mind(0, 0, 0.0, 0, 0.0, 1.0, 0), 2 * TURNS  # from that turn on the judgement is clear again
        kind = below(random, 6)
        if kind == 0:
            mind = Mind(0, 0, 0.0, 0, 0.15, 1.0, 0)
        elif kind == 1:
            mind, clear_after = Mind(0, 0, 0.0, 0, 1.0, 1.0, 0), below(random, 16)
        clear = Mind(0, 0, 0.0, 0, 0.0, 1.0, 0)
        start, turn, mixed_from = noted, 0, 0
        while now[0].phase != ENDED:
            note(now, other, slots, brings, rows[noted : noted + MIRRORS], counts[noted : noted + MIRRORS])
            noted += MIRRORS
            if depth > 0:
                promised[turn] = before_roll(network, study.desk, now[0], study.next_room, study.next_values)
            play(now[0], draw(now[0], random))
            study.room.stack[0] = now[0]
            count = weigh_turn(network, clear, study)
            if turns_left(study.room.ends[0]) == 1:
                look_at_the_last_turn(study, count)
            best = choose_end(clear, study, count, 0)
            if depth == 0:
                promised[turn] = study.values[best]
            if turn < clear_after and mind.cloud > 0.0:
                chosen = choose_end(mind, study, count, next_word(random))
                if study.values[chosen] < study.values[best] - 0.01:
                    mixed_from = turn + 1
                best = chosen
            mover = whole(now[0].player)
            now[0] = study.room.ends[best]
            turn += 1
        ahead = whole(now[0].winnings[mover]) - whole(now[0].winnings[1 - mover])
        later = 0.5 if ahead == 0 else (1.0 if ahead > 0 else 0.0)  # of the player who moved last
        for back in range(turn - 1, -1, -1):
            share = memory if back >= mixed_from else 0.0
            value = (1.0 - share) * promised[back] + share * later
            for version in range(MIRRORS):
                chances[start + MIRRORS * back + version] = value
            later = 1.0 - value
    return noted


@rule
def lessons_against(
    network: Network,
    study: Study,
    rival: Network,
    rival_mind: Mind,
    rival_study: Study,
    states: States,
    random: Random,
    games: int,
    memory: float,
    rows: Whole,
    counts: Whole,
    chances: Floats,
) -> int:
    """Play games against a bot that never changes, and note how every board stands on which that bot is about to roll.

    Those are all boards that the learner has to judge, who looks no further. The chance is what the learner's best turn promises after
    the next two rolls as they came, mixed by `memory` with what came later. In a third of the games the learner tries things out.
    Returns how many lessons were noted, mirror images included.
    """
    noted = 0
    now, other = states[:1], states[1:2]
    slots, brings = np.empty(SLOTS, np.int64), np.empty(7, np.int64)
    promised = np.empty(2 * TURNS)
    clear = Mind(0, 0, 0.0, 0, 0.0, 1.0, 1)
    set_options(now[0], 0)
    for _ in range(games):
        if noted + MIRRORS * 2 * TURNS > len(chances):
            break
        new_game(now[0], below(random, 2))  # seat 0 is the learner
        mind, clear_after = clear, 2 * TURNS
        kind = below(random, 6)
        if kind == 0:
            mind = Mind(0, 0, 0.0, 0, 0.1, 1.0, 1)
        elif kind == 1:
            mind, clear_after = Mind(0, 0, 0.0, 0, 0.5, 1.0, 1), below(random, 16)
        start, turn, boards, mixed_from, known = noted, 0, 0, 0, True
        while now[0].phase != ENDED:
            mover = whole(now[0].player)
            if mover == 1:
                note(now, other, slots, brings, rows[noted : noted + MIRRORS], counts[noted : noted + MIRRORS])
                noted += MIRRORS
                boards += 1
                known = False
            play(now[0], draw(now[0], random))
            if mover == 0:
                study.room.stack[0] = now[0]
                count = weigh_turn(network, clear, study)
                best = choose_end(clear, study, count, 0)
                if not known:
                    promised[boards - 1] = study.values[best]
                    known = True
                if turn < clear_after and mind.cloud > 0.0:
                    best = choose_end(mind, study, count, next_word(random))
                    mixed_from = boards
                now[0] = study.room.ends[best]
            else:
                rival_study.room.stack[0] = now[0]
                count = weigh_turn(rival, rival_mind, rival_study)
                now[0] = rival_study.room.ends[choose_end(rival_mind, rival_study, count, next_word(random))]
            turn += 1
        ahead = whole(now[0].winnings[0]) - whole(now[0].winnings[1])
        later = 0.5 if ahead == 0 else (1.0 if ahead > 0 else 0.0)
        if not known:
            promised[boards - 1] = later
        for back in range(boards - 1, -1, -1):
            share = memory if back >= mixed_from else 0.0
            later = (1.0 - share) * promised[back] + share * later
            for version in range(MIRRORS):
                chances[start + MIRRORS * back + version] = 1.0 - later  # as the bot sees it, who is about to roll
    return noted


@rule
def match(
    one: Network,
    mind: Mind,
    study: Study,
    two: Network,
    other_mind: Mind,
    other_study: Study,
    states: States,
    options: int,
    games: int,
    random: Random,
    results: Whole,
) -> None:
    """Games between two bots; each begins half of them.

    Adds to `results` how often the first won, drew, lost, how many turns there were, and the marbles won by each.
    """
    now = states[:1]
    set_options(now[0], options)
    for game in range(games):
        new_game(now[0], game % 2)
        while now[0].phase != ENDED:
            play(now[0], draw(now[0], random))
            whim = next_word(random)
            if now[0].player == 0:
                study.room.stack[0] = now[0]
                count = weigh_turn(one, mind, study)
                now[0] = study.room.ends[choose_end(mind, study, count, whim)]
            else:
                other_study.room.stack[0] = now[0]
                count = weigh_turn(two, other_mind, other_study)
                now[0] = other_study.room.ends[choose_end(other_mind, other_study, count, whim)]
            results[3] += 1
        ahead = whole(now[0].winnings[0]) - whole(now[0].winnings[1])
        results[0 if ahead > 0 else (1 if ahead == 0 else 2)] += 1
        results[4] += now[0].winnings[0]
        results[5] += now[0].winnings[1]


def new_states() -> States:
    """Room for two positions."""
    return np.zeros(2, STATE).view(np.recarray)


def versus(one: Network, mind: Mind, two: Network, other: Mind, games: int, seed: int, options: int = 0) -> Whole:
    """A match between two bots; see `match` for the results and `set_options` for the options."""
    results = np.zeros(6, np.int64)
    match(one, mind, new_study(one), two, other, new_study(two), new_states(), options, games, seeded(seed), results)
    return results


def play_lessons(network: Network, sitting: Sitting, notes: Notes) -> int:
    """Play games against itself or a bot, and note the lessons."""
    study, states, random = new_study(network), new_states(), seeded(sitting.seed)
    games, memory, depth, level = sitting.games, sitting.memory, sitting.depth, sitting.against
    if level:
        rival = judge_of(level)
        desk = new_study(rival)
        return int(lessons_against(network, study, rival, MINDS[level], desk, states, random, games, memory, *notes))
    return int(lessons(network, study, states, random, games, memory, depth, *notes))


def at_a_glance(one: Network, two: Network | int, games: int, seed: int) -> tuple[int, int, int]:
    """A match of a network that judges at a glance against another, or against the bot of a level (then both know the last turns)."""
    if isinstance(two, int):
        results = versus(one, Mind(exact=1), judge_of(two), MINDS[two], games, seed)
    else:
        results = versus(one, Mind(), two, Mind(), games, seed)
    return int(results[0]), int(results[1]), int(results[2])


LESSONS: Final = Lessons(
    rows=ROWS,
    most_active=SLOTS,
    most_turns=MIRRORS * 2 * TURNS,
    usual_turns=MIRRORS * 2 * TURNS,
    play=play_lessons,
    match=at_a_glance,
    by_hand=plain_judge,
    learned=learned,
)
