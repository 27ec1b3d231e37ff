// For development only (`npm run dev`, then /gallery.html?game=twisty): a board with a sample view and no server.
import "./app.css";
import type { BoardModule, Moment, Table } from "./contract";
import { BOARDS } from "./games";

const cups = Array.from({ length: 5 }, () => Array.from({ length: 11 }, () => [0, 0]));
for (const [rail, cup, red, green] of [[0, 3, 1, 0], [1, 4, 2, 0], [2, 5, 3, 2], [3, 6, 1, 0], [4, 7, 0, 4], [0, 8, 0, 1], [2, 2, 0, 1]] as const) cups[rail]![cup] = [red, green];
const samples: { [game: string]: Partial<Moment> } = {
  "yam-master": {
    view: { phase: "decide", player: 0, rolls: 2, dice: "11145", kept: "", defi: false, board: [".0..1", "..1..", ".10..", "0....", "...1."], stock: [9, 8], points: [1, 0], turns: [4, 4], winner: null },
    legal: ["keep", "keep 111", "keep 11", "place r1c1", "place r4c5", "take r2c3", "pass", "defi 111"], toMove: 0, acting: 0, action: "place r3c2",
  },
  wykersham: {
    view: { phase: "slide", player: 0, dice: "35", left: ["5"], offsets: [0, 1, 0, -1, 2], cups, slid: [], direction: 0, turns: [3, 3], winnings: [5, 0], goals: [{ line: "falling", column: 0, taken: null }], cup: null, rail: 2, winner: null } as unknown as Moment["view"],
    legal: ["left", "right", "stay"], toMove: 0, acting: 0, action: "3@2",
  },
  "wykersham-place": {
    view: { phase: "place", player: 0, dice: "35", left: ["3", "5"], offsets: [0, 1, 0, -1, 2], cups, slid: [], direction: 0, turns: [3, 3], winnings: [5, 0], goals: [], cup: null, rail: null, winner: null } as unknown as Moment["view"],
    legal: ["3@1", "3@2", "3@3", "3@4", "5@3", "5@4", "5@1"], toMove: 0, acting: 0, action: null,
  },
  twisty: {
    view: { phase: "move", player: 0, board: [".ABCDE.", "FG+xLos", "ABCDEFG", "sos.L+x", "GFEDCBA", "L+xosAB", ".CDEFG."], pawns: ["a1", "e5"], series: ["CBADEFG", "GFEDCBA"], collected: [2, 4], protected: ["C", "G"], used: [], round: 3, first: 0, winner: null },
    legal: ["b3", "c2"], toMove: 0, acting: 0, action: null,
  },
};
const name = new URLSearchParams(location.search).get("game") ?? "yam-master";
const game = name.split("-place")[0] ?? name;
if (new URLSearchParams(location.search).has("night")) document.documentElement.dataset["night"] = "";
document.body.dataset["game"] = game;
const moment = { number: 1, open: [], events: [], over: false, returns: [], ...samples[name] } as unknown as Moment;
const table: Table = {
  game, players: 2, options: {}, language: "fr", settings: { motion: true, sound: false }, names: ["Anna", "Bot"], seats: [0], rollsByHand: true, moment, hint: null,
  play: (action) => console.log("play", action),
  roll: () => console.log("roll"),
  peek: () => Promise.reject(new Error("no server here")),
  announce: (text) => console.log(text),
};
void BOARDS[game]?.().then((board: BoardModule) => board.mount(document.getElementById("page")!, table));
