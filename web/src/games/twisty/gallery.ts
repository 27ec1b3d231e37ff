// Twisty in the gallery.
import type { Table } from "../../contract";
import { moment } from "../../lib/moment";

export function sample(): Partial<Table> {
  const board = [".ABCDE.", "FG+xLos", "ABCDEFG", "sos.L+x", "GFEDCBA", "L+xosAB", ".CDEFG."];
  const players = { pawns: ["a1", "e5"], series: ["CBADEFG", "GFEDCBA"], collected: [2, 4], protected: ["C", "G"] };
  const view = { phase: "move", player: 0, board, ...players, used: [], round: 3, first: 0, winner: null };
  const legal = ["b3", "c2"];
  return { moment: moment(view, { legal }) };
}
