// Wykersham's views written down shortly, for lessons, pictures and the gallery.
import type { View } from "../../contract";

/** Marbles in a cup: rails count from 1, cups from 0. */
export type Marbles = readonly [rail: number, cup: number, red: number, green: number];

export function position(marbles: readonly Marbles[], more: View = {}): View {
  const cups = Array.from({ length: 5 }, () => Array.from({ length: 11 }, () => [0, 0]));
  for (const [rail, cup, red, green] of marbles) cups[rail - 1]![cup] = [red, green];
  const turn = {
    phase: "over",
    player: 0,
    dice: "",
    left: [],
    cup: null,
    rail: null,
    slid: [],
    direction: 0,
    goals: [],
    winner: null,
  };
  return { ...turn, offsets: [0, 0, 0, 0, 0], cups, turns: [0, 0], winnings: [0, 0], ...more };
}
