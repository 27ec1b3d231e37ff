// Twisty's pictures for the rules page.
import type { Pictures, View } from "../../contract";

const MATCH = { phase: "over", player: 0, used: [], round: 1, first: 0, winner: null };
const PLAYERS = { series: ["ABCDEFG", "GFEDCBA"], collected: [0, 0], protected: ["", ""] };
const position = (board: string[], pawns: (string | null)[]): View => ({ ...MATCH, ...PLAYERS, board, pawns });
const JUMPS = [".......", ".......", "..F.B..", ".D...C.", ".......", ".E...A.", "..G.D.."];
const SPECIALS = [".......", ".+.x.L.", ".......", "..o.s..", ".......", ".......", "......."];

export const pictures: Pictures = {
  ratio: 1,
  below: 8,
  sections: {
    jumps: [{ view: position(JUMPS, ["d3", null]), caption: "picture.jumps" }],
    specials: [{ view: position(SPECIALS, [null, null]), caption: "picture.specials" }],
  },
};
