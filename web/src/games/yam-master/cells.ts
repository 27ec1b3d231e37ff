// The 25 combinations where they lie, and what players call each cell.
import type { Say } from "../../lib/catalogue";

export const CELLS = [
  ["1", "3", "Défi", "4", "6"],
  ["2", "Carré", "Sec", "Full", "5"],
  ["≤8", "Full", "Yam", "Défi", "Suite"],
  ["6", "Sec", "Suite", "≤8", "1"],
  ["3", "2", "Carré", "5", "4"],
];

/** The keys of what the combinations mean, but for those of one number. */
export const MEANINGS: { [name: string]: string } = {
  Full: "full",
  Carré: "carre",
  Yam: "yam",
  Suite: "suite",
  "≤8": "eight",
  Sec: "sec",
  Défi: "defi",
};

/** As in the game's own sentences: every combination but Yam has an upper and a lower cell. */
export function called(say: Say, row: number, column: number): string {
  const name = CELLS[row]?.[column] ?? "";
  const rows = CELLS.flatMap((names, r) => (names.includes(name) ? [r] : []));
  return rows.length < 2 ? name : say(rows[0] === row ? "upper" : "lower", { name });
}
