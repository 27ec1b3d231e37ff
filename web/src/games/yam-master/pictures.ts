// Yam Master's pictures for the rules page.
import type { Pictures, View } from "../../contract";

const TURN = { phase: "over", player: 0, rolls: 0, dice: "", kept: "", defi: false, winner: null };
const COUNTS = { stock: [12, 12], points: [0, 0], turns: [0, 0] };
const EMPTY: View = { ...TURN, ...COUNTS, board: [".....", ".....", ".....", ".....", "....."] };

const tile = (look: string): string => `<rect x="-34" y="-34" width="68" height="68" rx="8" ${look} />`;
const LINE = "M-34 0H34";

export const pictures: Pictures = {
  legend: [
    { drawing: tile('fill="#fff8e2" stroke="#2f6a50" stroke-width="5"'), text: "legend.able" },
    { drawing: tile('fill="#e9cd9c" stroke="#f6c64b" stroke-width="7"'), text: "legend.last" },
    {
      drawing: `${tile('fill="#e9cd9c" stroke="#9a6c38"')}
        <path d="${LINE}" stroke="#3a2a06" stroke-width="12" /><path d="${LINE}" stroke="#ffd964" stroke-width="7" />`,
      text: "legend.scored",
    },
    {
      drawing: tile('fill="#e9cd9c" stroke="#14438f" stroke-width="6" stroke-dasharray="10 6"'),
      text: "legend.hinted",
    },
    {
      drawing: '<circle r="30" fill="#cb4a34" stroke="#8e2a1a" stroke-width="3" /><circle r="11" fill="#ffe9d6" />',
      text: "legend.red",
    },
    {
      drawing: `<circle r="30" fill="#a3c5ec" stroke="#5d86b8" stroke-width="3" />
        <path d="M-11-11h22v22h-22z" fill="none" stroke="#17324f" stroke-width="5" />`,
      text: "legend.blue",
    },
  ],
  ratio: 1,
  below: 6.8,
  sections: { cells: [{ view: EMPTY, caption: "picture.cells" }] },
};
