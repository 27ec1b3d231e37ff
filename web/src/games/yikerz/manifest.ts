// What Yikerz! shows on the page: slate, four coloured mats, heavy black magnets, and the magnet lab.
import type { Manifest } from "../../contract";

const MAGNETS = [
  [84, 152, 18],
  [160, 88, -34],
  [206, 32, 52],
  [226, 108, 8],
  [262, 150, -20],
];

/** The seats' colours beside the log. */
const ON_LIGHT = ["#96301f", "#234f86", "#4f8a52", "#a8821c", "#8f62b5", "#3f9591"];
const ON_DARK = ["#d9694f", "#7fa8e6", "#7fb37f", "#e3bf5a", "#b38ad4", "#8ad6d2"];

function art(): string {
  const mats = [
    '<path d="M30 192L114 46L198 192Z" fill="#d9a53c" /><path d="M114 46L282 46L198 192Z" fill="#c8573f" />',
    '<path d="M198 192L282 46L366 192Z" fill="#3f8f83" /><path d="M114 46L198 -100L282 46Z" fill="#5a6fb0" />',
  ];
  const magnets = MAGNETS.map(
    ([x, y, turn]) => `<g transform="translate(${x} ${y}) rotate(${turn})">
    <ellipse cx="3" cy="5" rx="21" ry="15" fill="#0005" /><ellipse rx="21" ry="15" fill="#1d1c1d" />
    <ellipse cx="-1" cy="-1.5" rx="15" ry="10" fill="#3d3b3c" /><ellipse cx="-6" cy="-5" rx="6" ry="2.6" fill="#fff3" />
    <circle cx="9" cy="-1" r="2.2" fill="#e6dac8" /></g>`,
  );
  return `<rect width="320" height="200" fill="#49606f" />
    <g transform="rotate(-7 160 100)">${mats.join("")}</g>${magnets.join("")}`;
}

export const manifest: Manifest = {
  rank: 4,
  day: { accent: "#3b5161", accentInk: "#f4f8fa", accentSoft: "#d8e0e4", seats: ON_LIGHT },
  night: { accent: "#a9c2d1", accentInk: "#12202a", accentSoft: "#2b3a45", seats: ON_DARK },
  art,
  board: () => import("./board"),
  asides: ["rest"],
  opponents: () => import("./opponents"),
  lesson: () => import("./lesson"),
  pictures: () => import("./pictures"),
  pages: [{ address: "lab", load: () => import("./lab") }],
  ...(import.meta.env.DEV && { gallery: () => import("./gallery") }),
};
