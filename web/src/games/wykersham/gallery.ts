// Wykersham in the gallery: a marble is placed (`show=place`), its rail may slide, a slide has made two goals
// (`show=combination`; `apart` settles them one by one), or a cup of several marbles is asked about (`show=cup`).
import type { Table, View } from "../../contract";
import { moment } from "../../lib/moment";
import { type Marbles, position } from "./views";

const MARBLES: readonly Marbles[] = [
  [1, 3, 1, 0],
  [2, 4, 2, 0],
  [3, 5, 3, 2],
  [4, 6, 1, 0],
  [5, 7, 0, 4],
  [1, 8, 0, 1],
  [3, 2, 0, 1],
];
const MATCH = { dice: "35", offsets: [0, 1, 0, -1, 2], turns: [3, 3], winnings: [5, 0] };
const LINES: readonly Marbles[] = [
  [1, 5, 1, 0],
  [2, 5, 1, 0],
  [3, 5, 2, 0],
  [4, 4, 1, 0],
  [5, 5, 1, 0],
  [1, 2, 3, 0],
  [2, 3, 1, 0],
  [3, 4, 1, 1],
  [5, 6, 1, 0],
  [4, 7, 0, 4],
];
const SLID = { dice: "34", left: ["4"], offsets: [0, 0, 0, 1, 0], slid: [4], direction: 1, turns: [6, 6] };
const goals = (taken: boolean | null): View["goals"] => [
  { line: "falling", column: -1, taken },
  { line: "vertical", column: 0, taken },
];

export function sample(query: URLSearchParams): Partial<Table> {
  const options = { combined_goals: !query.has("apart") };
  switch (query.get("show")) {
    case "place":
      return {
        options,
        moment: moment(position(MARBLES, { ...MATCH, phase: "place", left: ["3", "5"] }), {
          legal: ["3@1", "3@2", "3@3", "3@4", "5@3", "5@4", "5@1"],
        }),
      };
    case "combination":
      return {
        options,
        moment: moment(position(LINES, { ...SLID, phase: "goal", goals: goals(null) ?? [] }), {
          legal: ["take", "leave"],
          action: "right",
        }),
      };
    case "cup":
      return {
        options,
        moment: moment(position(LINES, { ...SLID, phase: "cup", cup: [1, 2], goals: goals(true) ?? [] }), {
          legal: ["1", "2", "3"],
          action: "take",
        }),
      };
    default:
      return {
        options,
        moment: moment(position(MARBLES, { ...MATCH, phase: "slide", left: ["5"], rail: 2 }), {
          legal: ["left", "right", "stay"],
          action: "3@2",
        }),
      };
  }
}
