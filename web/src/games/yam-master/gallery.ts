// Yam Master in the gallery.
import type { Table } from "../../contract";
import { moment } from "../../lib/moment";

export function sample(): Partial<Table> {
  const board = [".0..1", "..1..", ".10..", "0....", "...1."];
  const turn = { phase: "decide", player: 0, rolls: 2, dice: "11145", kept: "", defi: false, winner: null };
  const legal = ["keep", "keep 111", "keep 11", "place r1c1", "place r4c5", "take r2c3", "pass", "defi 111"];
  const view = { ...turn, board, stock: [9, 8], points: [1, 0], turns: [4, 4] };
  return { moment: moment(view, { legal, action: "place r3c2" }) };
}
