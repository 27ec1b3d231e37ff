// Who plays Twisty: five figures with a token each, painted in one of its colours.
import { type Figure, portrait } from "../../lib/portrait";

const token = (drawing: string): string =>
  `<circle cy="1.5" r="8.5" fill="#0003" /><circle r="8.5" fill="#f3e3c0" stroke="#b9945a" />${drawing}`;
const SIGNS = [
  '<path d="M0-5.500L5 0L0 5.500L-5 0Z" fill="#1f5fa8" />',
  '<path d="M-3-5H3L6 0L3 5H-3L-6 0Z" fill="#0f7d86" />',
  '<path d="M0 5C-7 0-5-5-2.5-4.600C-1-4.3 0-3 0-2C0-3 1-4.3 2.5-4.600C5-5 7 0 0 5Z" fill="#b8322a" />',
  '<path d="M-4-4L4 4M4-4L-4 4" stroke="#5b3d22" stroke-width="2.4" stroke-linecap="round" />',
  '<path d="M0-5.500L5-3.500V0Q5 4 0 6Q-5 4-5 0V-3.500Z" fill="#6a4a86" />',
];

const FIGURES: readonly Figure[] = [
  { wood: "#e6c08c", hair: "parted", hairColour: "#d8a13a", cloth: "#4f7fb0", trim: "#f0d9a4", paper: "#f4e8c9" },
  {
    wood: "#d6a571",
    hair: "cap",
    hairColour: "#4a3322",
    cloth: "#2c7d78",
    trim: "#c4552f",
    paper: "#e6e6cf",
    extras: ["scarf"],
  },
  {
    wood: "#b97f4d",
    hair: "long",
    hairColour: "#1f140c",
    cloth: "#b8452f",
    trim: "#e8c35a",
    paper: "#f2dfc2",
    extras: ["earrings"],
  },
  {
    wood: "#dab07d",
    hair: "crop",
    hairColour: "#8b8378",
    cloth: "#7a5a1c",
    trim: "#5b3d22",
    paper: "#ead7a6",
    extras: ["beard", "glasses"],
    look: "calm",
  },
  {
    wood: "#c08a58",
    hair: "bun",
    hairColour: "#35222b",
    cloth: "#5b4273",
    trim: "#e2c489",
    paper: "#e3d6d9",
    extras: ["bow"],
    look: "keen",
  },
];
export const portraits = FIGURES.map((figure, place) => portrait({ ...figure, sign: token(SIGNS[place] ?? "") }));
