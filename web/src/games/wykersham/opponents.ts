// Who plays Wykersham: five figures in cherry wood, with as many marbles as their strength.
import { type Figure, portrait } from "../../lib/portrait";

const marbles = (count: number): string =>
  Array.from({ length: count }, (_, place) => {
    const x = 7 * (place - (count - 1) / 2);
    const colour = place % 2 ? "#2f7a4d" : "#b3342b";
    return `<circle cx="${x}" cy="1" r="3.4" fill="#0003" /><circle cx="${x}" r="3.2" fill="${colour}" />
      <circle cx="${x - 1}" cy="-1.2" r="1" fill="#fff9" />`;
  }).join("");

const FIGURES: readonly Figure[] = [
  {
    wood: "#e0b07c",
    hair: "crop",
    hairColour: "#a5652f",
    cloth: "#7c8f6b",
    trim: "#7a3e28",
    paper: "#f0e3cb",
    extras: ["flatcap"],
  },
  {
    wood: "#e7c294",
    hair: "curls",
    hairColour: "#c9b89b",
    cloth: "#8c5a7a",
    trim: "#f1d9a6",
    paper: "#ecdccb",
    extras: ["glasses"],
  },
  {
    wood: "#c98f5b",
    hair: "parted",
    hairColour: "#2b1a10",
    cloth: "#7b3a2a",
    trim: "#e2c489",
    paper: "#e7d5b8",
    extras: ["beard"],
    look: "calm",
  },
  {
    wood: "#d9a56c",
    hair: "long",
    hairColour: "#6d2f1f",
    cloth: "#39566b",
    trim: "#d8b35c",
    paper: "#dfe0d6",
    extras: ["earrings"],
  },
  {
    wood: "#d3a06c",
    hair: "tufts",
    hairColour: "#e5ddcf",
    cloth: "#4a1f1a",
    trim: "#231814",
    paper: "#dcc9ae",
    extras: ["moustache", "bowler"],
    look: "keen",
  },
];
export const portraits = FIGURES.map((figure, place) => portrait({ ...figure, sign: marbles(place + 1) }));
