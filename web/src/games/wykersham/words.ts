// Wykersham's board in words, for readers of the screen: rails, goals and trays.
import type { Table } from "../../contract";
import { type Goal, LINES, RAILS, type Shown, stockOf } from "./view";

type Say = Table["say"];

export function marblesTold(say: Say, [red, green]: readonly [number, number]): string {
  const parts = [red ? say("red", { count: red }) : "", green ? say("green", { count: green }) : ""].filter(Boolean);
  return parts.join(", ") || say("empty");
}

export function lineName(say: Say, column: number): string {
  const name = LINES[column + 3];
  if (name !== undefined) return say("line", { line: name });
  return column < 0 ? say("before-first", { count: -3 - column }) : say("beyond-last", { count: column - 3 });
}

function railTold(say: Say, view: Shown, rail: number): string {
  const offset = view.offsets[rail - 1] ?? 0;
  const notches =
    offset === 0 ? say("rail.middle") : say(offset < 0 ? "rail.left" : "rail.right", { count: Math.abs(offset) });
  const [red, green] = (view.cups[rail - 1] ?? []).reduce(([r, g], [more, others]) => [r + more, g + others], [0, 0]);
  const where = rail === 3 ? say("rail.fixed") : notches;
  return [
    say("rail", { rail, where, marbles: marblesTold(say, [red, green]) }),
    view.slid.includes(rail) ? say("rail.slid") : "",
    view.rail === rail ? say("rail.asked") : "",
  ]
    .filter(Boolean)
    .join(", ");
}

function goalTold(say: Say, goal: Goal): string {
  const told = say(`goal.${goal.line}`, { line: lineName(say, goal.column) });
  return goal.taken === null ? told : `${told}, ${say(goal.taken ? "goal.taken" : "goal.left")}`;
}

/** One line for each rail, each goal and each tray. */
export const boardTold = (say: Say, view: Shown): string[] => [
  ...RAILS.map((rail) => railTold(say, view, rail)),
  ...view.goals.map((goal) => goalTold(say, goal)),
  ...[0, 1].flatMap((seat) => [
    say(`tray.stock.${seat}`, { count: stockOf(view, seat) }),
    say(`tray.winnings.${seat}`, { count: view.winnings[seat] ?? 0 }),
  ]),
];

/** What a hint recommends. `many`: several goals are decided at once. */
export function hintTold(say: Say, hint: string, many: boolean): string {
  const place = /^([1-6n])@([1-5])$/.exec(hint);
  const names: { [action: string]: string } = {
    left: say("slide.left"),
    right: say("slide.right"),
    stay: say("stay"),
    take: say(many ? "combination.take" : "take"),
    leave: say("leave"),
  };
  const action = place
    ? say("hint.place", { line: place[1] ?? "", rail: place[2] ?? "" })
    : /^\d+$/.test(hint)
      ? say("take.some", { count: Number(hint) })
      : hint.startsWith("give")
        ? say("give")
        : (names[hint] ?? hint);
  return say("hint", { action });
}
