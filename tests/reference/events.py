"""What an action has done, as far as the two views beside it show: the events that an engine must tell of it, with their facts.

Nothing is shared with the games: what is compared is found by looking at the boards before and after.
"""

from typing import Any

View = dict[str, Any]
Events = list[dict[str, Any]]

TOLD = {
    "wykersham": ("goal-", "line-", "take", "give", "wins", "draw"),
    "twisty": ("collect", "steal", "shield", "centre", "most", "draw"),
    "yam-master": ("place", "take", "points", "five", "wins", "draw"),
}
"""The kinds of event that are compared, by how their names begin; `taken` of a goal is a decision, not marbles."""


def compared(game: str, told: Events) -> Events:
    """The events that are compared, out of all that the engine told."""
    return [event for event in told if event["what"].startswith(TOLD[game]) and event["what"] != "taken"]


def wykersham(before: View, action: str, after: View) -> Events:
    """W12 to W18 and W20."""
    player = before["player"]
    events: Events = []
    if action in {"left", "right"}:
        events += [{"slope": goal["line"], "column": goal["column"], "player": player} for goal in after["goals"]]
    if action.startswith("give "):
        events.append({"what": "give", "player": player, "other": 1 - player, "line": action.removeprefix("give ")})
    gone = [
        [rail + 1, cup, old[player] - new[player]]
        for rail, (was, now) in enumerate(zip(before["cups"], after["cups"], strict=True))
        for cup, (old, new) in enumerate(zip(was, now, strict=True))
        if new[player] < old[player]
    ]
    if gone:
        count = sum(number for _, _, number in gone)
        assert after["winnings"][player] - before["winnings"][player] == count, "W18: what leaves the board is won"
        events.append({"what": "take", "player": player, "count": count, "cups": gone})
    if after["phase"] == "over":
        red, green = after["winnings"]
        if red == green:
            events.append({"what": "draw", "count": red})
        else:
            events.append({"what": "wins", "winner": 0 if red > green else 1, "points": max(red, green)})
    return events


def twisty(before: View, action: str, after: View) -> Events:
    """T7, T10, T11, T13 and T14."""
    player = before["player"]
    events: Events = []
    if action == "shield":
        fresh = [colour for colour in after["protected"][player] if colour not in before["protected"][player]]
        events.append({"what": "shield", "player": player, "count": len(fresh), "colours": ", ".join(fresh)})
    if after["collected"][player] > before["collected"][player]:
        colour = before["series"][player][before["collected"][player]]
        cube = {"player": player, "colour": colour, "count": after["collected"][player]}
        robbed = [
            seat
            for seat, (old, new) in enumerate(zip(before["collected"], after["collected"], strict=True))
            if new < old
        ]
        if robbed:
            (victim,) = robbed
            assert after["series"][victim][-1] == colour, "T11: the card goes to the end"
            events.append({"what": "steal", "other": victim, **cube})
        else:
            events.append({"what": "collect", **cube})
    if after["phase"] == "over":
        winner = after["winner"]
        if winner == "draw":
            most = max(after["collected"])
            tied = [seat for seat, cubes in enumerate(after["collected"]) if cubes == most]
            events.append({"what": "draw", "tied": tied, "count": most})
        else:
            arrived = after["pawns"][winner] == "d4" and after["collected"][winner] == 7
            events.append({"what": "centre" if arrived else "most", "winner": winner})
    return events


def yam_master(before: View, action: str, after: View) -> Events:
    """M6, M18 and M20 to M22."""
    player = before["player"]
    events: Events = []
    word, _, cell = action.partition(" ")
    if word in {"place", "take"}:
        events.append({"what": word, "player": player, "cell": cell})
    five = after["phase"] == "over" and word == "place" and _has_five(after["board"], str(player))
    for seat, (old, new) in enumerate(zip(before["points"], after["points"], strict=True)):
        if new != old and not (five and seat == player):
            what = "points" if new > old else "points-lost"
            events.append({"what": what, "player": seat, "count": abs(new - old)})
    if after["phase"] == "over":
        if after["winner"] == "draw":
            events.append({"what": "draw", "count": after["points"][0]})
        else:
            events.append({"what": "five" if five else "wins", "winner": after["winner"]})
    return events


def _has_five(board: list[str], mark: str) -> bool:
    """M19, M21: a whole row, column or long diagonal of one player."""
    lines = [*board, *("".join(column) for column in zip(*board, strict=True))]
    lines += ["".join(board[i][i] for i in range(5)), "".join(board[i][4 - i] for i in range(5))]
    return mark * 5 in lines
