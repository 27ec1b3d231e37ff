// Yam Master's pictures for the rules page.
import type { Pictures, View } from "../../contract";

const TURN = { phase: "over", player: 0, rolls: 0, dice: "", kept: "", defi: false, winner: null };
const COUNTS = { stock: [12, 12], points: [0, 0], turns: [0, 0] };
const EMPTY: View = { ...TURN, ...COUNTS, board: [".....", ".....", ".....", ".....", "....."] };

export const pictures: Pictures = {
  ratio: 1,
  below: 6.8,
  sections: { cells: [{ view: EMPTY, caption: "picture.cells" }] },
};
