// Who plays Yikerz!: five figures with a black magnet each, held ever more steadily.
import { type Figure, portrait } from "../../lib/portrait";

const TILTS = [-34, 20, -9, 4, 0];
const magnet = (tilt: number): string =>
  `<g transform="rotate(${tilt})"><rect x="-9" y="-3.5" width="18" height="8" rx="4" fill="#0004" />
    <rect x="-9" y="-4.5" width="18" height="8" rx="4" fill="#26282c" />
    <rect x="-6.5" y="-3.2" width="10" height="1.8" rx="0.9" fill="#fff5" /></g>`;

const FIGURES: readonly Figure[] = [
  { wood: "#e3bd8b", hair: "curls", hairColour: "#c9682b", cloth: "#d0892f", trim: "#f2e2ba", paper: "#e3e6e8" },
  {
    wood: "#dcb383",
    hair: "braids",
    hairColour: "#6b4526",
    cloth: "#4f8a5b",
    trim: "#e6c765",
    paper: "#e5e8dd",
    extras: ["glasses"],
  },
  {
    wood: "#cf9c66",
    hair: "crop",
    hairColour: "#33261b",
    cloth: "#4a6d96",
    trim: "#b9442e",
    paper: "#dbe1e8",
    extras: ["moustache", "flatcap"],
  },
  {
    wood: "#e8c9a0",
    hair: "parted",
    hairColour: "#a39a8c",
    cloth: "#7d4f8a",
    trim: "#d9c27a",
    paper: "#e4dde8",
    extras: ["earrings", "scarf"],
    look: "calm",
  },
  {
    wood: "#c9945f",
    hair: null,
    hairColour: "#4a4038",
    cloth: "#2e3742",
    trim: "#3f4a57",
    paper: "#cdd4da",
    extras: ["beard", "beret"],
    look: "keen",
  },
];
export const portraits = FIGURES.map((figure, place) => portrait({ ...figure, sign: magnet(TILTS[place] ?? 0) }));
