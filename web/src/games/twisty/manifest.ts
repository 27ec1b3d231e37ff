// What Twisty shows on the page: painted wooden tokens on ochre, and a pawn for each player.
import type { Manifest } from "../../contract";

/** Squares of the picture without a token. */
const EMPTY = [10, 24];
const STEPS = ["M-8-8L8 8M8-8L-8 8", "M0-11V11M-11 0H11"];
const SHAPES = [
  '<path d="M0-13L11 0L0 13L-11 0Z" fill="#1f5fa8" />',
  '<path d="M-7-12H7L14 0L7 12H-7L-14 0Z" fill="#0f7d86" />',
  '<path d="M0 12C-16 0-12-12-6-11C-2-10 0-7 0-5C0-7 2-10 6-11C12-12 16 0 0 12Z" fill="#b8322a" />',
];
const PAWN = "M-19 27C-19 8-9 6-9-8A15 15 0 1 1 9-8C9 6 19 8 19 27Q0 34-19 27Z";

function token(x: number, y: number): string {
  const shade = '<circle cx="2" cy="5" r="20" fill="#0003" />';
  if ((x * 3 + y) % 4 === 1)
    return `${shade}<circle cy="2" r="20" fill="#2b190a" /><circle r="20" fill="#5b3d22" />
      <circle r="20" fill="url(#art-light)" opacity="0.5" />
      <path d="${STEPS[y % 2]}" stroke="#fbe9c3" stroke-width="3.4" stroke-linecap="round" />`;
  return `${shade}<circle cy="2" r="20" fill="#b08a50" /><circle r="20" fill="#f3e3c0" stroke="#b9945a" />
    <circle r="20" fill="url(#art-light)" opacity="0.6" />${SHAPES[(x + y) % 3]}`;
}
const pawn = (x: number, y: number, colour: string): string => `<g transform="translate(${x} ${y})">
  <ellipse cy="30" rx="22" ry="7" fill="#0004" />
  <path d="${PAWN}" fill="${colour}" stroke="#fff8e6" stroke-width="2.5" />
  <path d="${PAWN}" fill="url(#art-turned)" /></g>`;

function art(): string {
  const squares = Array.from({ length: 28 }, (_, place) => {
    const [x, y] = [place % 7, Math.floor(place / 7)];
    const colour = (x + y) % 2 ? "#deb25a" : "#e6bf6d";
    const square = `<rect x="-24" y="-24" width="50" height="53" rx="5" fill="${colour}" />`;
    const on = EMPTY.includes(place) ? "" : token(x, y);
    return `<g transform="translate(${4 + x * 52} ${-12 + y * 56})">${square}${on}</g>`;
  });
  const pawns = pawn(160, 42, "#a92d22") + pawn(212, 142, "#1d4f8f");
  return `<rect width="320" height="200" fill="#c98f2c" />
    <g transform="rotate(7 160 100)">${squares.join("")}${pawns}</g>`;
}

export const manifest: Manifest = {
  rank: 3,
  day: { accent: "#8a5a0c", accentInk: "#fff8e6", accentSoft: "#f3e2b8" },
  night: { accent: "#e5bb5e", accentInk: "#2a1e05", accentSoft: "#47380f" },
  art,
  board: () => import("./board"),
  asides: ["stay"],
  opponents: () => import("./opponents"),
  lesson: () => import("./lesson"),
  pictures: () => import("./pictures"),
  ...(import.meta.env.DEV && { gallery: () => import("./gallery") }),
};
