// Twisty's pictures for the rules page.
import type { Pictures, Sign, View } from "../../contract";
import { PAINTS, SHAPES, SIGNS } from "./Token.svelte";

const MATCH = { phase: "over", player: 0, used: [], round: 1, first: 0, winner: null };
const PLAYERS = { series: ["ABCDEFG", "GFEDCBA"], collected: [0, 0], protected: ["", ""] };
const position = (board: string[], pawns: (string | null)[]): View => ({ ...MATCH, ...PLAYERS, board, pawns });
const JUMPS = [".......", ".......", "..F.B..", ".D...C.", ".......", ".E...A.", "..G.D.."];
const SPECIALS = [".......", ".+.x.L.", ".......", "..o.s..", ".......", ".......", "......."];

const SQUARE = '<rect x="-40" y="-40" width="80" height="80" fill="#deb25a" />';
const frame = (look: string): string =>
  `${SQUARE}<rect x="-35" y="-35" width="70" height="70" rx="9" fill="none" ${look} />`;
const prize = (path: string): string => `${SQUARE}<g fill="none" stroke="#2d6a47" stroke-width="7">
  <circle r="28" fill="#fffdf3" /><path d="${path}" stroke-linecap="round" stroke-linejoin="round" /></g>`;
const special = (name: string, sign: string): Sign => ({
  drawing: `${SQUARE}<circle r="32" fill="#5b3d22" />
    <path d="${SIGNS[sign]}" fill="none" stroke="#fbe9c3" stroke-width="4" stroke-linecap="round" />`,
  text: `legend.${name}`,
});

export const pictures: Pictures = {
  legend: [
    {
      drawing: `${frame('stroke="#fffdf3" stroke-width="6"')}<circle r="9" fill="#fffdf3" stroke="#6b4310" />`,
      text: "legend.able",
    },
    {
      drawing: `${frame('stroke="#fffdf3" stroke-width="4" stroke-dasharray="6 6"')}
        <circle cx="24" cy="24" r="7" fill="#fffdf3" />`,
      text: "legend.chain",
    },
    {
      drawing: `${SQUARE}<circle r="32" fill="#fff8df" stroke="#e29b00" stroke-width="6" />
        <path d="${SHAPES["B"]}" fill="${PAINTS["B"]}" />`,
      text: "legend.next",
    },
    { drawing: prize("M-14 0L-5 11L14-11"), text: "legend.collect" },
    { drawing: prize("M-12 10V-7M0 10V-14M12 10V-7M-12 10H12"), text: "legend.steal" },
    special("orthogonal", "+"),
    special("diagonal", "x"),
    special("jump", "L"),
    special("portal", "o"),
    special("shield", "s"),
    { drawing: frame('stroke="#14438f" stroke-width="7" stroke-dasharray="10 6"'), text: "legend.hinted" },
  ],
  ratio: 1,
  below: 8,
  sections: {
    jumps: [{ view: position(JUMPS, ["d3", null]), caption: "picture.jumps" }],
    specials: [{ view: position(SPECIALS, [null, null]), caption: "picture.specials" }],
  },
};
