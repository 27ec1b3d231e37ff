// Who plays Yam Master: five figures at the felt, each with one face of a die.
import { type Figure, portrait } from "../../lib/portrait";

const PIPS = [
  [],
  [[0, 0]],
  [
    [-4, 4],
    [4, -4],
  ],
  [
    [-4, 4],
    [0, 0],
    [4, -4],
  ],
  [
    [-4, 4],
    [4, -4],
    [-4, -4],
    [4, 4],
  ],
  [
    [-4, 4],
    [4, -4],
    [-4, -4],
    [4, 4],
    [0, 0],
  ],
];
const die = (count: number): string =>
  '<rect x="-8" y="-8" width="16" height="16" rx="3.5" fill="#f6eedb" stroke="#0003" />' +
  (PIPS[count] ?? []).map(([x, y]) => `<circle cx="${x}" cy="${y}" r="1.7" fill="#33261a" />`).join("");

const FIGURES: readonly Figure[] = [
  { wood: "#e3bb86", hair: "braids", hairColour: "#b5622c", cloth: "#c4422e", trim: "#f2dcae", paper: "#e9dfc6" },
  {
    wood: "#d8a873",
    hair: "tufts",
    hairColour: "#8d8479",
    cloth: "#4d7458",
    trim: "#e2c489",
    paper: "#dfe3cf",
    extras: ["moustache", "bow"],
  },
  {
    wood: "#c58f5c",
    hair: "curls",
    hairColour: "#3d2616",
    cloth: "#6a7fa8",
    trim: "#e6b94f",
    paper: "#efe2c8",
    extras: ["earrings"],
  },
  {
    wood: "#dcb27a",
    hair: "parted",
    hairColour: "#57402b",
    cloth: "#2f4f43",
    trim: "#a8842f",
    paper: "#dcd9c4",
    extras: ["glasses"],
    look: "calm",
  },
  {
    wood: "#e6c79b",
    hair: "bun",
    hairColour: "#f4efe4",
    cloth: "#263b33",
    trim: "#b03a2a",
    paper: "#b4c6b6",
    extras: ["monocle", "scarf"],
    look: "keen",
  },
];
export const portraits = FIGURES.map((figure, place) => portrait({ ...figure, sign: die(place + 1) }));
