// Pictures for the rules pages: the real boards with positions that show a rule, by the section of the rules that they belong to.
// They stand where the rules' own drawings in letters would, which are for terminals.
import type { View } from "../contract";
import type { Mat } from "./yikerz/mats";

/** A magnet in a drawing: where, turned how far, and whether it sticks, falls, or is in somebody's hand. */
export interface Stone {
  x: number;
  y: number;
  turn: number;
  how?: "stuck" | "fallen" | "held";
}
export interface Picture {
  view?: View;
  hint?: string;
  /** Mats and magnets instead of a board's view. */
  table?: { mats: readonly Mat[]; stones: readonly Stone[] };
  caption: { en: string; fr: string };
}
const yam = (board: string[]): View => ({ phase: "over", player: 0, rolls: 0, dice: "", kept: "", defi: false, board, stock: [12, 12], points: [0, 0], turns: [0, 0], winner: null });
function wykersham(marbles: [rail: number, cup: number, red: number, green: number][], more: View = {}): View {
  const cups = Array.from({ length: 5 }, () => Array.from({ length: 11 }, () => [0, 0]));
  for (const [rail, cup, red, green] of marbles) cups[rail - 1]![cup] = [red, green];
  return { phase: "over", player: 0, dice: "", left: [], offsets: [0, 0, 0, 0, 0], cups, slid: [], direction: 0, turns: [0, 0], winnings: [0, 0], goals: [], cup: null, rail: null, winner: null, ...more };
}
const twisty = (board: string[], pawns: (string | null)[]): View => ({ phase: "over", player: 0, board, pawns, series: ["ABCDEFG", "GFEDCBA"], collected: [0, 0], protected: ["", ""], used: [], round: 1, first: 0, winner: null });

const mats: { [name: string]: readonly Mat[] } = {
  pyramid: [[0, -40.4, 180], [-70, -80.8, 0], [70, -80.8, 0], [0, 40.4, 0]],
  ribbon: [[-105, -20.2, 0], [-35, 20.2, 180], [35, -20.2, 0], [105, 20.2, 180]],
  islands: [[-140, -80.8, 0], [0, -80.8, 0], [140, -80.8, 0], [-70, 40.4, 0]],
};
const stone = (x: number, y: number, turn: number, how?: Stone["how"]): Stone => ({ x, y, turn, ...(how ? { how } : {}) });
const scattered = [stone(-88, -100, 20), stone(-4, -62, 70), stone(78, -96, -30), stone(-6, 52, 10)];

/** Section 0 is the first one under the title, in both languages. */
export const PICTURES: { [game: string]: { [section: number]: readonly Picture[] } } = {
  "yam-master": {
    0: [{ view: yam([".....", ".....", ".....", ".....", "....."]), caption: { en: "The 25 cells, each with what your dice must show.", fr: "Les 25 cases, chacune avec ce que vos dés doivent montrer." } }],
    5: [
      { view: yam(["....0", "...0.", "..0..", ".....", "....."]), caption: { en: "Three in line: one point.", fr: "Trois alignés : un point." } },
      { view: yam([".....", "1111.", ".....", ".....", "....."]), caption: { en: "Four in line: two points, not more.", fr: "Quatre alignés : deux points, pas plus." } },
      { view: yam(["0...1", ".0.1.", "..0..", ".1.0.", "1...0"]), caption: { en: "Five in line win at once.", fr: "Cinq alignés gagnent aussitôt." } },
    ],
  },
  wykersham: {
    0: [{ view: wykersham([], { offsets: [0, 1, 0, -1, 0] }), caption: { en: "Five rails of eleven cups. All slide but the middle one.", fr: "Cinq rails de onze alvéoles. Tous coulissent, sauf celui du milieu." } }],
    1: [
      { view: wykersham([[2, 3, 1, 0]], { left: ["2"] }), caption: { en: "A marble goes into the line of its die, on any rail.", fr: "Une bille va dans la ligne de son dé, sur le rail de votre choix." } },
      { view: wykersham([[3, 5, 2, 3], [2, 4, 2, 0], [4, 6, 0, 4]]), caption: { en: "Stacks show their count. Only the middle rail takes both colours.", fr: "Les piles montrent leur nombre. Seul le rail du milieu accepte les deux couleurs." } },
    ],
    3: [
      { view: wykersham([[1, 4, 1, 0], [2, 3, 1, 0], [3, 4, 1, 1], [4, 4, 1, 0], [5, 4, 1, 0]]), caption: { en: "One marble on the second rail is a notch away.", fr: "Sur le deuxième rail, la bille est à un cran." } },
      { view: wykersham([[1, 4, 1, 0], [2, 3, 1, 0], [3, 4, 1, 1], [4, 4, 1, 0], [5, 4, 1, 0]], { offsets: [0, 1, 0, 0, 0], goals: [{ line: "vertical", column: -1, taken: null }] }), caption: { en: "The rail slides by a notch, and five are in line: a goal.", fr: "Le rail glisse d’un cran, et cinq sont en ligne : un but." } },
      { view: wykersham([[1, 3, 1, 0], [2, 4, 1, 0], [3, 5, 2, 0], [4, 6, 1, 0], [5, 7, 1, 0]], { goals: [{ line: "falling", column: 0, taken: null }] }), caption: { en: "Goals may be diagonal too, one notch a rail.", fr: "Les buts peuvent aussi être diagonaux, d’un cran par rail." } },
    ],
  },
  twisty: {
    0: [{ view: twisty([".ABCDE.", "FG+xLos", "ABCDEFG", "sos.L+x", "GFEDCBA", "L+xosAB", ".CDEFG."], ["a1", "g7"]), caption: { en: "The start: pawns in corners, tokens everywhere but there and in the centre.", fr: "Le départ : les pions dans les coins, des jetons partout ailleurs, sauf au centre." } }],
    1: [{ view: twisty([".......", ".......", "..F.B..", ".D...C.", ".......", ".E...A.", "..G.D.."], ["d3", null]), caption: { en: "A knight’s jumps: two squares one way, one across. Eight squares, wherever there is room.", fr: "Les sauts du cavalier : deux cases dans un sens, une de côté. Huit cases, là où il y a la place." } }],
    2: [
      { view: twisty([".......", ".+.x.L.", ".......", "..o.s..", ".......", ".......", "......."], [null, null]), caption: { en: "Above: a straight step, a diagonal step, another jump. Below: portal and shield.", fr: "En haut : un pas droit, un pas diagonal, un autre saut. En bas : portail et bouclier." } },
      { view: twisty([".......", ".......", "..x+...", "...C...", ".......", ".......", "......."], ["c3", null]), caption: { en: "A chain: jump to the straight step, use it to the left, then go diagonally to the colour you need: collected!", fr: "Une chaîne : un saut jusqu’au pas droit, un pas à gauche, puis la diagonale vers la couleur qu’il vous faut : ramassée !" } },
    ],
  },
  yikerz: {
    0: [
      { table: { mats: mats["pyramid"]!, stones: [] }, caption: { en: "The pyramid, for beginners.", fr: "La pyramide, pour débuter." } },
      { table: { mats: mats["ribbon"]!, stones: [] }, caption: { en: "The ribbon, a little harder.", fr: "Le ruban, un peu plus difficile." } },
      { table: { mats: mats["islands"]!, stones: [] }, caption: { en: "The islands: corners touch, no more.", fr: "Les îles : seuls les coins se touchent." } },
    ],
    1: [
      { table: { mats: mats["pyramid"]!, stones: scattered }, caption: { en: "All at rest, far enough from each other: well played.", fr: "Tout est immobile, assez loin les uns des autres : bien joué." } },
      { table: { mats: mats["pyramid"]!, stones: [...scattered.slice(0, 1), ...scattered.slice(2), stone(-7, -50, 90, "stuck"), stone(6, -54, 90, "stuck")] }, caption: { en: "These two have jumped at each other: both are yours.", fr: "Ces deux-là se sont collés : ils sont tous deux pour vous." } },
      { table: { mats: mats["pyramid"]!, stones: [...scattered.slice(0, 3), stone(52, 62, 24, "fallen")] }, caption: { en: "One lies on the table: it goes into your stack, with the one you played.", fr: "Un aimant est sur la table : il va dans votre pile, avec celui que vous avez joué." } },
    ],
  },
};
