// Wykersham in the gallery: a marble is placed (`show=place`), or its rail may slide.
import type { Table } from "../../contract";
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

export function sample(query: URLSearchParams): Partial<Table> {
  const placing = query.get("show") === "place";
  const goals = [{ line: "falling", column: 0, taken: null }];
  const view = placing
    ? position(MARBLES, { ...MATCH, phase: "place", left: ["3", "5"] })
    : position(MARBLES, { ...MATCH, phase: "slide", left: ["5"], rail: 2, goals });
  const legal = placing ? ["3@1", "3@2", "3@3", "3@4", "5@3", "5@4", "5@1"] : ["left", "right", "stay"];
  return { moment: moment(view, { legal, action: placing ? null : "3@2" }) };
}
