// Positions that show a rule, for the rules pages.
import type { View } from "../contract";

export interface Picture {
  view: View;
  hint?: string;
  caption: { en: string; fr: string };
}
const yam = (board: string[]): View => ({ phase: "over", player: 0, rolls: 0, dice: "", kept: "", defi: false, board, stock: [12, 12], points: [0, 0], turns: [0, 0], winner: null });
function wykersham(marbles: [rail: number, cup: number, red: number, green: number][], more: View = {}): View {
  const cups = Array.from({ length: 5 }, () => Array.from({ length: 11 }, () => [0, 0]));
  for (const [rail, cup, red, green] of marbles) cups[rail - 1]![cup] = [red, green];
  return { phase: "over", player: 0, dice: "", left: [], offsets: [0, 0, 0, 0, 0], cups, slid: [], direction: 0, turns: [0, 0], winnings: [0, 0], goals: [], cup: null, rail: null, winner: null, ...more };
}
const twisty = (board: string[], pawns: (string | null)[]): View => ({ phase: "over", player: 0, board, pawns, series: ["ABCDEFG", "GFEDCBA"], collected: [0, 0], protected: ["", ""], used: [], round: 1, first: 0, winner: null });

export const PICTURES: { [game: string]: Picture[] } = {
  "yam-master": [
    { view: yam(["....0", "...0.", "..0..", ".....", "....."]), caption: { en: "Three in line: one point.", fr: "Trois alignés : un point." } },
    { view: yam([".....", "1111.", ".....", ".....", "....."]), caption: { en: "Four in line: two points, not more.", fr: "Quatre alignés : deux points, pas plus." } },
    { view: yam(["0...1", ".0.1.", "..0..", ".1.0.", "1...0"]), caption: { en: "Five in line win at once.", fr: "Cinq alignés gagnent aussitôt." } },
  ],
  wykersham: [
    { view: wykersham([[2, 3, 1, 0]], { left: ["2"], offsets: [0, 0, 0, 0, 0] }), caption: { en: "A marble goes into the line of its die, on any rail.", fr: "Une bille va dans la rangée de son dé, sur le rail de ton choix." } },
    { view: wykersham([[1, 4, 1, 0], [2, 3, 1, 0], [3, 4, 1, 1], [4, 4, 1, 0], [5, 4, 1, 0]], { offsets: [0, 1, 0, 0, 0], goals: [{ line: "vertical", column: -1, taken: null }] }), caption: { en: "The rail slides by a notch, and five are in line: a goal.", fr: "Le rail glisse d’un cran, et cinq sont en ligne : un but." } },
    { view: wykersham([[1, 3, 1, 0], [2, 4, 1, 0], [3, 5, 2, 0], [4, 6, 1, 0], [5, 7, 1, 0]], { goals: [{ line: "falling", column: 0, taken: null }] }), caption: { en: "Goals may be diagonal too, one notch a rail.", fr: "Les buts peuvent aussi être diagonaux, d’un cran par rail." } },
    { view: wykersham([[3, 5, 2, 3], [2, 4, 2, 0], [4, 6, 0, 4]]), caption: { en: "Stacks show their count. Only the middle rail takes both colours.", fr: "Les piles montrent leur nombre. Seul le rail du milieu accepte les deux couleurs." } },
  ],
  twisty: [
    { view: twisty([".ABCDE.", "FG+xLos", "ABCDEFG", "sos.L+x", "GFEDCBA", "L+xosAB", ".CDEFG."], ["a1", "g7"]), caption: { en: "The start: pawns in corners, tokens everywhere but there and in the centre.", fr: "Le départ : les pions dans les coins, des jetons partout ailleurs, sauf au centre." } },
    { view: twisty([".......", ".......", "..F.B..", ".D...C.", ".......", ".E...A.", "..G.D.."], ["d3", null]), caption: { en: "A knight's jumps: two squares one way, one across.", fr: "Les sauts du cavalier : deux cases dans un sens, une de côté." } },
    { view: twisty([".......", ".+.x.L.", ".......", "..o.s..", ".......", ".......", "......."], [null, null]), caption: { en: "Special tokens: a straight step, a diagonal step, another jump, portal, shield.", fr: "Jetons spéciaux : un pas droit, un pas diagonal, un autre saut, portail, bouclier." } },
  ],
};
