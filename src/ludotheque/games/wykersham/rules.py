"""Wykersham's rules: two marbles a turn, one for each die; the rail that took a marble may slide; slides make goals.

docs/rules/wykersham.md has the clauses that are named here. Text, views and options are in game.py and views.py.
"""

from ludotheque.games.wykersham.facts import (
    COLUMNS,
    COUNT,
    CUP,
    CUPS,
    ENDED,
    GIVE,
    GOAL,
    LAYOUT,
    LEAVE,
    LEFT,
    LINE_BIT,
    LINE_N,
    MIDDLE,
    MIDDLE_BIT,
    MOST_ACTIONS,
    MOST_PLAYERS,
    NO_DICE,
    PLACE,
    PLACING,
    RAILS,
    REACH,
    RIGHT,
    ROLLING,
    ROLLS,
    SLIDING,
    STARTING,
    STARTS,
    STAY,
    TAKE,
    TURNS,
)
from ludotheque.games.wykersham.tables import IS_DOUBLE, LOWEST, RED_STARTS, ROLL_LINES, ROLL_OF, SLOPES
from ludotheque.kernels import CHANCE, OVER, Actions, Random, Returns, State, below, record_type, rule, whole

__all__ = ["MOST_ACTIONS", "MOST_PLAYERS"]  # facts that kernels look up here

STATE = record_type(LAYOUT)
EXPORTS = {"may_slide": 2, "complete": 1, "cups_taken": 1, "next_goal": 1}


@rule
def to_move(state: State) -> int:
    """W4, W5: the dice at the start and before every turn, otherwise the player, until both have had 15 turns."""
    if state.phase == ENDED:
        return OVER
    return CHANCE if state.phase <= ROLLING else whole(state.player)


@rule
def weight(state: State, outcome: int) -> int:
    """W4, W5: who starts is decided by 30 equal chances; a double comes in one way, any other roll in two."""
    return 1 if state.phase == STARTING or IS_DOUBLE[outcome] else 2


@rule
def draw(state: State, random: Random) -> int:
    """W4, W5: both dice."""
    if state.phase == STARTING:
        return below(random, STARTS)
    return whole(ROLL_OF[below(random, 36)])


@rule
def legal(state: State, actions: Actions) -> int:
    """What can be done in each phase; on chance's turn, the results of the dice."""
    if state.phase == PLACING:
        count = placements(state, actions)
        if count == 0:  # W12: only when none of the marbles still to be played can be placed
            actions[0] = GIVE
            count = 1
        return count
    if state.phase == SLIDING:
        return slides(state, actions)
    if state.phase == GOAL:  # W16, W17
        actions[0], actions[1] = TAKE, LEAVE
        return 2
    if state.phase == CUP:  # W16, W17: at least one, at most all
        most = whole(state.cups[state.player, state.asked // CUPS, state.asked % CUPS])
        for number in range(1, most + 1):
            actions[number - 1] = COUNT + number
        return most
    outcomes = STARTS if state.phase == STARTING else ROLLS
    for outcome in range(outcomes):
        actions[outcome] = outcome
    return outcomes


@rule
def placements(state: State, actions: Actions) -> int:
    """W5 to W7, W10: into the lines of the dice, on rails that were not slid, where no enemy marble lies."""
    enemy = 1 - state.player
    locked = ((1 << whole(state.slid[0])) | (1 << whole(state.slid[1]))) >> 1
    lines = whole(state.lines)
    count = 0
    while lines != 0:
        line = whole(LOWEST[lines])
        lines &= lines - 1
        for rail in range(RAILS):
            barred = (whole(state.filled[enemy, rail]) >> (LINE_BIT + line)) & 1
            if rail == MIDDLE and state.shared_middle:  # W7
                barred = 0
            actions[count] = PLACE + line * RAILS + rail
            count += 1 - (barred | ((locked >> rail) & 1))
    return count


@rule
def may_slide(state: State, rail: int, step: int) -> bool:
    """W2, W9, W11: within two notches, never the middle rail, the second slide of a turn like the first."""
    if rail == MIDDLE or abs(whole(state.offsets[rail]) + step) > REACH:
        return False
    return not (state.same_direction and state.direction == -step)


@rule
def slides(state: State, actions: Actions) -> int:
    """W9, W19: left, right, or stay; where goals are forced and a slide makes one, only such slides."""
    rail = whole(state.asked)
    count = 0
    if state.forced_goals:
        if makes_goal(state, rail, -1):
            actions[count] = LEFT
            count += 1
        if makes_goal(state, rail, 1):
            actions[count] = RIGHT
            count += 1
        if count > 0:
            return count
    if may_slide(state, rail, -1):
        actions[count] = LEFT
        count += 1
    if may_slide(state, rail, 1):
        actions[count] = RIGHT
        count += 1
    actions[count] = STAY
    return count + 1


@rule
def makes_goal(state: State, rail: int, step: int) -> bool:
    """W14: whether the rail may slide so, and a line of the player would then be complete."""
    return may_slide(state, rail, step) and (
        moved(whole(state.filled[state.player, rail]), step) & completing(state, rail) != 0
    )


@rule
def completing(state: State, rail: int) -> int:
    """W13: the columns of a rail where a marble completes a line of the player, as the other four rails stand."""
    everywhere = -1
    first = everywhere if rail == 0 else whole(state.filled[state.player, 0])
    second = everywhere if rail == 1 else whole(state.filled[state.player, 1])
    middle = everywhere if rail == MIDDLE else whole(state.filled[state.player, MIDDLE])
    fourth = everywhere if rail == 3 else whole(state.filled[state.player, 3])
    fifth = everywhere if rail == 4 else whole(state.filled[state.player, 4])
    vertical = first & second & middle & fourth & fifth
    falling = (first << 2) & (second << 1) & middle & (fourth >> 1) & (fifth >> 2)
    rising = (first >> 2) & (second >> 1) & middle & (fourth << 1) & (fifth << 2)
    return vertical | moved(falling, rail - MIDDLE) | moved(rising, MIDDLE - rail)


@rule
def moved(columns: int, step: int) -> int:
    """A set of columns, each some columns further to the right (or, below 0, to the left)."""
    return columns << step if step >= 0 else columns >> -step


@rule
def complete(state: State, slope: int) -> int:
    """W13, W15: the player's complete lines of a slope, as a set of their columns on the middle rail."""
    columns = whole(state.filled[state.player, MIDDLE])
    columns &= moved(whole(state.filled[state.player, 0]), 2 * slope) & moved(
        whole(state.filled[state.player, 1]), slope
    )
    return (
        columns
        & moved(whole(state.filled[state.player, 3]), -slope)
        & moved(whole(state.filled[state.player, 4]), -2 * slope)
    )


@rule
def play(state: State, action: int) -> None:
    """One action of the player, or one result of the dice."""
    if state.phase == PLACING:
        if action == GIVE:
            give(state)
        else:
            place(state, action // RAILS, action % RAILS)
    elif state.phase == SLIDING:
        if action == STAY:
            next_marble(state)
        else:
            slide(state, 1 if action == RIGHT else -1)
    elif state.phase == ROLLING:  # W5, W8
        state.dice = action
        state.lines = ROLL_LINES[action]
        state.marbles = 2
        state.phase = PLACING
    elif state.phase == GOAL:
        decide_goal(state, action == TAKE)
    elif state.phase == CUP:
        take(state, whole(state.asked), action - COUNT)
        settle(state, whole(state.asked) + 1)
    else:  # W4
        state.player = 0 if RED_STARTS[action] else 1
        state.phase = ROLLING


@rule
def marble_leaves(state: State, line: int) -> None:
    """W5, W8: one marble less to play. The other die is left; on a double, line n, or both lines if n has its marble."""
    state.marbles -= 1
    if state.marbles == 0:
        state.lines = 0
    elif not IS_DOUBLE[state.dice]:
        state.lines &= ~(1 << line)
    elif line != LINE_N:
        state.lines = 1 << LINE_N


@rule
def give(state: State) -> None:
    """W12: the marble is a point for the enemy. The first of the lines gives it; on a double that is n."""
    marble_leaves(state, LINE_N if IS_DOUBLE[state.dice] else whole(LOWEST[state.lines]))
    state.winnings[1 - state.player] += 1
    next_marble(state)


@rule
def place(state: State, line: int, rail: int) -> None:
    """W5, W9: a marble into the cup where line and rail meet; then the rail may slide, if it can."""
    cup = line + LINE_BIT - MIDDLE_BIT - whole(state.offsets[rail])
    state.cups[state.player, rail, cup] += 1
    state.filled[state.player, rail] |= 1 << (LINE_BIT + line)
    marble_leaves(state, line)
    if may_slide(state, rail, -1) or may_slide(state, rail, 1):
        state.asked = rail
        state.phase = SLIDING
    else:
        next_marble(state)


@rule
def slide(state: State, step: int) -> None:
    """W9 to W11, W14: the rail moves by one notch and is locked; goals are settled at once."""
    rail = whole(state.asked)
    state.offsets[rail] += step
    for player in range(2):
        state.filled[player, rail] = moved(whole(state.filled[player, rail]), step)
    if state.direction == 0:
        state.direction = step
        state.slid[0] = rail + 1
    else:
        state.slid[1] = rail + 1
    vertical, falling, rising = complete(state, 0), complete(state, 1), complete(state, -1)
    if vertical | falling | rising == 0:
        next_marble(state)
        return
    state.goals[0], state.goals[1], state.goals[2] = vertical, falling, rising
    state.asked = next_goal(state, 0)
    state.phase = GOAL


@rule
def next_goal(state: State, first: int) -> int:
    """W17: the next goal in order: by its column on the middle rail, then vertical, falling, rising; -1 after the last."""
    for goal in range(first, 3 * COLUMNS):
        if (state.goals[goal % 3] >> (goal // 3)) & 1:
            return goal
    return -1


@rule
def decide_goal(state: State, wanted: bool) -> None:
    """W16, W17: take or leave, once for a combination, or goal by goal; nothing is taken before all are decided."""
    goal = whole(state.asked)
    following = -1
    if not state.combined_goals:
        if wanted:
            state.taken[goal % 3] |= 1 << (goal // 3)
        following = next_goal(state, goal + 1)
    elif wanted:
        for slope in range(3):
            state.taken[slope] = state.goals[slope]
    if following >= 0:
        state.asked = following
    else:
        settle(state, 0)


@rule
def cups_taken(state: State, rail: int) -> int:
    """W17: the columns of a rail that belong to the taken goals."""
    columns = 0
    for slope in range(3):
        columns |= moved(whole(state.taken[slope]), whole(SLOPES[slope]) * (rail - MIDDLE))
    return columns


@rule
def settle(state: State, first: int) -> None:
    """W16, W17: the cups of the taken goals, rail by rail from left to right; a single marble is taken unasked."""
    for rail in range(first // CUPS, RAILS):
        columns = cups_taken(state, rail) >> (MIDDLE_BIT + whole(state.offsets[rail]))
        for cup in range(max(first, rail * CUPS), (rail + 1) * CUPS):
            if (columns >> (cup % CUPS)) & 1:
                if state.cups[state.player, rail, cup % CUPS] > 1:
                    state.asked = cup
                    state.phase = CUP
                    return
                take(state, cup, 1)
    for slope in range(3):
        state.goals[slope] = 0
        state.taken[slope] = 0
    next_marble(state)


@rule
def take(state: State, cup: int, number: int) -> None:
    """W18: own marbles become points and are out of play."""
    rail = cup // CUPS
    state.cups[state.player, rail, cup % CUPS] -= number
    state.winnings[state.player] += number
    if state.cups[state.player, rail, cup % CUPS] == 0:
        state.filled[state.player, rail] &= ~(1 << (cup % CUPS + MIDDLE_BIT + whole(state.offsets[rail])))


@rule
def next_marble(state: State) -> None:
    """W5, W10, W20: the other marble of the turn; after it the locks end and it is the other player's turn, 15 times."""
    state.asked = 0
    if state.marbles > 0:
        state.phase = PLACING
        return
    state.turns[state.player] += 1
    state.dice = NO_DICE
    state.slid[0] = 0
    state.slid[1] = 0
    state.direction = 0
    if state.turns[0] >= TURNS and state.turns[1] >= TURNS:
        state.phase = ENDED
    else:
        state.player = 1 - state.player
        state.phase = ROLLING


@rule
def returns(state: State, result: Returns) -> None:
    """W20: more marbles in the winnings win; equal: a draw, shared."""
    difference = whole(state.winnings[0]) - whole(state.winnings[1])
    result[0] = 0.5 if difference == 0 else (1.0 if difference > 0 else 0.0)
    result[1] = 1.0 - result[0]


@rule
def scoring_placement(state: State, actions: Actions, count: int, random: Random) -> int:
    """A placement after which a slide makes a goal, or -1; which of several is left to chance."""
    first = below(random, RAILS)
    for step in range(RAILS):
        rail = (first + step) % RAILS
        wanted = completing(state, rail) if rail != MIDDLE else 0
        if wanted != 0:
            before = 0  # the columns from which a slide leads to a wanted one
            if may_slide(state, rail, -1):
                before |= wanted << 1
            if may_slide(state, rail, 1):
                before |= wanted >> 1
            filled = whole(state.filled[state.player, rail])
            for which in range(count):
                action = whole(actions[which])
                if action % RAILS == rail and (filled | (1 << (LINE_BIT + action // RAILS))) & before != 0:
                    return action
    return -1


@rule
def casual(state: State, actions: Actions, count: int, random: Random) -> int:
    """A hasty player for playouts: sees every goal that one marble and a slide make, takes all of it, and plays anyhow else."""
    if state.phase == PLACING:
        if actions[0] != GIVE:
            action = scoring_placement(state, actions, count, random)
            if action >= 0:
                return action
    elif state.phase == SLIDING:
        rail = whole(state.asked)
        if makes_goal(state, rail, -1):
            return LEFT
        if makes_goal(state, rail, 1):
            return RIGHT
    elif state.phase == GOAL:
        return TAKE
    elif state.phase == CUP:
        return whole(actions[count - 1])
    return whole(actions[below(random, count)])
