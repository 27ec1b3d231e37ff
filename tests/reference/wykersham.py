"""Wykersham once more, slow and plain: written from the clauses W1 to W20 and the protocol alone.

Every function names the clauses it follows. Nothing here is shared with the kernels, so that both can be
compared state by state.

Columns are counted from the middle of the board: line n is column 0, line 1 is column -3, line 6 is column 3.
A rail at rest has its cup 5 in column 0; slid one notch to the right, it has its cup 4 there.
"""

from fractions import Fraction
from typing import Any

DEFAULT_OPTIONS: dict[str, Any] = {
    "same_direction": True,
    "shared_middle": True,
    "combined_goals": True,
    "forced_goals": False,
}

RAILS = [1, 2, 3, 4, 5]  # W1, from top to bottom
MIDDLE = 3  # W1: the fixed rail
CUPS = 11  # W1: cups a rail, 0 to 10
REACH = 2  # W2: notches to either side
COLUMN_OF_LINE = {"1": -3, "2": -2, "3": -1, "n": 0, "4": 1, "5": 2, "6": 3}  # W2
TURNS = 15  # W20
SLIDES = {"left": -1, "right": 1}
SLOPES = {"vertical": 0, "falling": 1, "rising": -1}  # W13: columns to the right for each rail downward

Cup = tuple[int, int]  # rail 1 to 5, cup 0 to 10


def start_outcomes() -> dict[str, Fraction]:
    """W4: one die each, seat 0's first; equal dice are rolled again, so that thirty results are left."""
    return {f"{red}-{green}": Fraction(1, 30) for red in range(1, 7) for green in range(1, 7) if red != green}


def roll_outcomes() -> dict[str, Fraction]:
    """W5: two dice, sorted."""
    outcomes: dict[str, Fraction] = {}
    for one in range(1, 7):
        for other in range(1, 7):
            text = f"{min(one, other)}{max(one, other)}"
            outcomes[text] = outcomes.get(text, Fraction(0)) + Fraction(1, 36)
    return outcomes


START_OUTCOMES = start_outcomes()
ROLL_OUTCOMES = roll_outcomes()


def first_view(players: int, options: dict[str, Any], first: int | None = None) -> dict[str, Any]:
    """W3 and W4: the empty board; before the dice that decide who starts, or after them if `first` is given."""
    return {
        "phase": "start" if first is None else "roll",
        "player": 0 if first is None else first,
        "dice": "",
        "left": [],
        "offsets": [0] * len(RAILS),
        "cups": [[[0, 0] for _ in range(CUPS)] for _ in RAILS],
        "slid": [],
        "direction": 0,
        "turns": [0, 0],
        "winnings": [0, 0],
        "goals": [],
        "cup": None,
        "rail": None,
        "winner": None,
    }


class Reference:
    """A game of Wykersham from any view on."""

    def __init__(self, view: dict[str, Any], options: dict[str, Any], players: int) -> None:
        if players != 2:
            raise ValueError("Wykersham is for two players")
        chosen = {**DEFAULT_OPTIONS, **options}
        self.same_direction: bool = chosen["same_direction"]
        self.shared_middle: bool = chosen["shared_middle"]
        self.combined_goals: bool = chosen["combined_goals"]
        self.forced_goals: bool = chosen["forced_goals"]
        self.phase: str = view["phase"]
        self.player: int = view["player"]
        self.dice: str = view["dice"]
        self.left: list[str] = list(view["left"])
        self.offsets: dict[int, int] = dict(zip(RAILS, view["offsets"], strict=True))
        self.marbles: dict[Cup, list[int]] = {
            (rail, cup): list(view["cups"][rail - 1][cup]) for rail in RAILS for cup in range(CUPS)
        }
        self.slid: list[int] = list(view["slid"])
        self.direction: int = view["direction"]
        self.turns: list[int] = list(view["turns"])
        self.winnings: list[int] = list(view["winnings"])
        self.goals: list[dict[str, Any]] = [dict(goal) for goal in view["goals"]]
        self.cup: Cup | None = None if view["cup"] is None else (view["cup"][0], view["cup"][1])
        self.rail: int | None = view["rail"]
        self.winner: int | str | None = view["winner"] if self.phase == "over" else None

    def to_move(self) -> int | str | None:
        """W4 and W5: the dice at the start and before each turn, otherwise the player."""
        if self.phase == "over":
            return None
        return "chance" if self.phase in {"start", "roll"} else self.player

    def legal(self) -> list[str]:
        """Every legal action of the phase."""
        if self.phase == "start":
            return list(START_OUTCOMES)
        if self.phase == "roll":
            return list(ROLL_OUTCOMES)
        if self.phase == "place":  # W12: a marble is given only when none of those left can be placed
            return list(self.placements()) or [f"give {self.left[0]}"]
        if self.phase == "slide":
            return self.slide_actions()
        if self.phase == "goal":  # W16, W17
            return ["take", "leave"]
        if self.phase == "cup":  # W16, W17: at least one of each cup, at most all
            assert self.cup is not None
            return [str(number) for number in range(1, self.marbles[self.cup][self.player] + 1)]
        return []

    def odds(self) -> list[Fraction]:
        """The probabilities of chance's outcomes, in the order of `legal`."""
        if self.phase == "start":
            return list(START_OUTCOMES.values())
        if self.phase == "roll":
            return list(ROLL_OUTCOMES.values())
        raise ValueError("it is not chance's turn")

    def cup_at(self, rail: int, column: int) -> Cup | None:
        """W1 and W2: the cup of a rail that lies in a column now, if there is one."""
        cup = column + CUPS // 2 - self.offsets[rail]
        return (rail, cup) if 0 <= cup < CUPS else None

    def placements(self) -> dict[str, tuple[str, Cup]]:
        """W5 to W8 and W10: the texts of all placements, each with its line and its cup."""
        lines = {line for entry in self.left for line in entry.split("|")}
        found: dict[str, tuple[str, Cup]] = {}
        for line in sorted(lines):
            for rail in RAILS:
                cup = self.cup_at(rail, COLUMN_OF_LINE[line])
                assert cup is not None, "W2: a labelled line meets every rail"
                if rail not in self.slid and self.may_hold(cup):
                    found[f"{line}@{rail}"] = (line, cup)
        return found

    def may_hold(self, cup: Cup) -> bool:
        """W6 and W7: no cup with an enemy marble, but for the middle rail (W12: unless shared_middle is off)."""
        if cup[0] == MIDDLE and self.shared_middle:
            return True
        return self.marbles[cup][1 - self.player] == 0

    def slide_actions(self) -> list[str]:
        """W9, W11 and W19: the slides of the rail just played that are legal, and staying."""
        slides = self.slides()
        if self.forced_goals:  # W19: where a slide makes a goal, only such slides
            scoring = [slide for slide in slides if self.goals_after(slide)]
            if scoring:
                return scoring
        return [*slides, "stay"]

    def slides(self) -> list[str]:
        """W2, W9 and W11: the directions in which the rail just played may slide."""
        if self.rail is None or self.rail == MIDDLE:
            return []
        found: list[str] = []
        for word, step in SLIDES.items():
            within = abs(self.offsets[self.rail] + step) <= REACH
            same = not self.same_direction or self.direction in {0, step}
            if within and same:
                found.append(word)
        return found

    def goals_after(self, slide: str) -> list[dict[str, Any]]:
        """W14: the goals that a slide of the rail just played would make."""
        assert self.rail is not None
        before = self.offsets[self.rail]
        self.offsets[self.rail] = before + SLIDES[slide]
        goals = self.complete_lines()
        self.offsets[self.rail] = before
        return goals

    def complete_lines(self) -> list[dict[str, Any]]:
        """W13 to W15: the lines that are complete for the player, in the order in which they are settled."""
        return [
            {"line": line, "column": column, "taken": None}
            for column in range(-(CUPS // 2), CUPS // 2 + 1)
            for line in SLOPES
            if self.is_complete(line, column)
        ]

    def is_complete(self, line: str, column: int) -> bool:
        """W13: five cups in line, one on each rail, each with a marble of the player."""
        for rail in RAILS:
            cup = self.cup_at(rail, column + SLOPES[line] * (rail - MIDDLE))
            if cup is None or self.marbles[cup][self.player] == 0:
                return False
        return True

    def taken_cups(self) -> list[Cup]:
        """W17: every cup of the union of the taken goals once, in rail order, then from left to right."""
        cups: set[Cup] = set()
        for goal in self.goals:
            if goal["taken"]:
                for rail in RAILS:
                    cup = self.cup_at(rail, goal["column"] + SLOPES[goal["line"]] * (rail - MIDDLE))
                    assert cup is not None, "a goal has a cup on every rail"
                    cups.add(cup)
        return sorted(cups)

    def play(self, action: str) -> None:
        """One action, of the player or of chance."""
        if action not in self.legal():
            raise ValueError(f"not legal: {action!r}")
        if self.phase == "start":  # W4
            self.player = 0 if action[0] > action[2] else 1
            self.phase = "roll"
        elif self.phase == "roll":  # W5, W8
            self.dice = action
            double = action[0] == action[1]
            self.left = ["n", f"n|{action[0]}"] if double else [action[0], action[1]]
            self.phase = "place"
        elif self.phase == "place":
            if action.startswith("give "):
                self.give()
            else:
                self.place(*self.placements()[action])
        elif self.phase == "slide":
            self.slide(action)
        elif self.phase == "goal":
            self.decide_goal(action == "take")
        elif self.phase == "cup":
            assert self.cup is not None
            self.take(self.cup, int(action))
            self.settle_cups(after=self.cup)

    def give(self) -> None:
        """W12: the marble is a point for the enemy."""
        self.left.pop(0)
        self.winnings[1 - self.player] += 1
        self.next_marble()

    def place(self, line: str, cup: Cup) -> None:
        """W5 to W9: a marble into a cup; then its rail may slide, where it can."""
        if line in self.left:
            self.left.remove(line)
        else:  # W8: the rolled line of a double, which leaves a marble for line n, if any
            self.left.remove(next(entry for entry in self.left if line in entry.split("|")))
        self.marbles[cup][self.player] += 1
        self.rail = cup[0]
        if self.slides():
            self.phase = "slide"
        else:
            self.next_marble()

    def slide(self, action: str) -> None:
        """W9 to W11, W14: the rail moves one notch and is locked; what it completes is settled at once."""
        if action == "stay":
            self.next_marble()
            return
        assert self.rail is not None
        self.offsets[self.rail] += SLIDES[action]
        self.slid.append(self.rail)
        if self.direction == 0:
            self.direction = SLIDES[action]
        self.rail = None
        self.goals = self.complete_lines()
        if self.goals:
            self.phase = "goal"
        else:
            self.next_marble()

    def decide_goal(self, taken: bool) -> None:
        """W16 and W17: all goals of the slide are one combination, taken or left as a whole.

        With combined_goals off it is the first undecided one alone. After the last decision the marbles are taken.
        """
        undecided = [goal for goal in self.goals if goal["taken"] is None]
        decided = undecided if self.combined_goals else undecided[:1]
        for goal in decided:
            goal["taken"] = taken
        if len(decided) == len(undecided):
            self.settle_cups(after=None)

    def settle_cups(self, after: Cup | None) -> None:
        """W17: cup by cup; a single marble is taken unasked, several ask how many."""
        for cup in self.taken_cups():
            if after is not None and cup <= after:
                continue
            if self.marbles[cup][self.player] > 1:
                self.phase = "cup"
                self.cup = cup
                return
            self.take(cup, 1)
        self.next_marble()

    def take(self, cup: Cup, number: int) -> None:
        """W18: the player's own marbles become points and leave the board."""
        self.marbles[cup][self.player] -= number
        self.winnings[self.player] += number

    def next_marble(self) -> None:
        """W5: the second marble of the turn, or the end of the turn, with W20."""
        self.rail = None
        self.goals = []
        self.cup = None
        if self.left:
            self.phase = "place"
            return
        self.turns[self.player] += 1
        self.dice = ""
        self.slid = []  # W10: the lock ends with the turn
        self.direction = 0
        if min(self.turns) >= TURNS:
            self.phase = "over"
            red, green = self.winnings
            self.winner = "draw" if red == green else (0 if red > green else 1)
        else:
            self.phase = "roll"
            self.player = 1 - self.player

    def view(self) -> dict[str, Any]:
        """The view of the protocol."""
        return {
            "phase": self.phase,
            "player": self.player,
            "dice": self.dice,
            "left": list(self.left),
            "offsets": [self.offsets[rail] for rail in RAILS],
            "cups": [[list(self.marbles[rail, cup]) for cup in range(CUPS)] for rail in RAILS],
            "slid": list(self.slid),
            "direction": self.direction,
            "turns": list(self.turns),
            "winnings": list(self.winnings),
            "goals": [dict(goal) for goal in self.goals],
            "cup": None if self.cup is None else list(self.cup),
            "rail": self.rail,
            "winner": self.winner,
        }

    def returns(self) -> list[Fraction] | None:
        """W20: 1 for the winner, a half each in a draw."""
        if self.phase != "over":
            return None
        if self.winner == "draw":
            return [Fraction(1, 2), Fraction(1, 2)]
        return [Fraction(int(self.winner == seat)) for seat in range(2)]
