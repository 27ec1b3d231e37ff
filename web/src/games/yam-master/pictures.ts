// Yam Master's pictures for the rules page.
import type { Pictures, View } from "../../contract";

const TURN = { phase: "over", player: 0, rolls: 0, dice: "", kept: "", defi: false, winner: null };
const COUNTS = { stock: [12, 12], points: [0, 0], turns: [0, 0] };
const position = (board: string[]): View => ({ ...TURN, ...COUNTS, board });

export const pictures: Pictures = {
  ratio: 1,
  sections: {
    0: [{ view: position([".....", ".....", ".....", ".....", "....."]), caption: "picture.cells" }],
    5: [
      { view: position(["....0", "...0.", "..0..", ".....", "....."]), caption: "picture.three" },
      { view: position([".....", "1111.", ".....", ".....", "....."]), caption: "picture.four" },
      { view: position(["0...1", ".0.1.", "..0..", ".1.0.", "1...0"]), caption: "picture.five" },
    ],
  },
};
