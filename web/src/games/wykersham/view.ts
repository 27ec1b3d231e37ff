// Reads Wykersham's view, as the protocol writes it.

export const LINES = ["1", "2", "3", "n", "4", "5", "6"];
export const RAILS = [1, 2, 3, 4, 5];
/** Marbles of each player at the start. */
export const MARBLES = 30;

export interface Goal {
  line: "vertical" | "falling" | "rising";
  /** Where it crosses the middle rail: 0 is line n. */
  column: number;
  taken: boolean | null;
}
export interface Shown {
  phase: string;
  player: number;
  dice: string;
  left: string[];
  /** By rail: how many notches it is slid to the right. */
  offsets: number[];
  /** By rail and cup: red and green marbles. */
  cups: [number, number][][];
  slid: number[];
  goals: Goal[];
  cup: [number, number] | null;
  rail: number | null;
  winnings: number[];
  turns: number[];
}

const LEAN = { vertical: 0, falling: 1, rising: -1 };
/** The column in which a goal's line crosses a rail. */
export const crossing = (goal: Goal, rail: number): number => goal.column + LEAN[goal.line] * (rail - 3);

/** What lies in a column of a rail; undefined where the rail has no cup. */
export const marblesIn = (view: Shown, rail: number, column: number): [number, number] | undefined =>
  view.cups[rail - 1]?.[column + 5 - (view.offsets[rail - 1] ?? 0)];

/** Marbles that a player has still to play: two a turn, and what is left of this one. */
export function stockOf(view: Shown, seat: number): number {
  const now = view.dice && seat === view.player ? 2 - view.left.length : 0;
  return Math.max(0, MARBLES - 2 * (view.turns[seat] ?? 0) - now);
}

/** The goals that are being decided: all at once where they count as one combination (W17), otherwise one by one. */
export function decided(view: Shown, combined: boolean): readonly Goal[] {
  if (view.phase !== "goal") return [];
  const open = view.goals.filter((goal) => goal.taken === null);
  return combined ? open : open.slice(0, 1);
}
