// Twisty's pictures for the rules page.
import type { Pictures, View } from "../../contract";

const MATCH = { phase: "over", player: 0, used: [], round: 1, first: 0, winner: null };
const PLAYERS = { series: ["ABCDEFG", "GFEDCBA"], collected: [0, 0], protected: ["", ""] };
const position = (board: string[], pawns: (string | null)[]): View => ({ ...MATCH, ...PLAYERS, board, pawns });
const START = [".ABCDE.", "FG+xLos", "ABCDEFG", "sos.L+x", "GFEDCBA", "L+xosAB", ".CDEFG."];
const JUMPS = [".......", ".......", "..F.B..", ".D...C.", ".......", ".E...A.", "..G.D.."];
const SPECIALS = [".......", ".+.x.L.", ".......", "..o.s..", ".......", ".......", "......."];
const CHAIN = [".......", ".......", "..x+...", "...C...", ".......", ".......", "......."];

export const pictures: Pictures = {
  ratio: 1,
  sections: {
    0: [{ view: position(START, ["a1", "g7"]), caption: "picture.start" }],
    1: [{ view: position(JUMPS, ["d3", null]), caption: "picture.jumps" }],
    2: [
      { view: position(SPECIALS, [null, null]), caption: "picture.specials" },
      { view: position(CHAIN, ["c3", null]), caption: "picture.chain" },
    ],
  },
};
