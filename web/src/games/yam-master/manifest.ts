// What Yam Master shows on the page: a wooden board, bone dice on green felt, wooden pawns.
import type { Manifest } from "../../contract";
import { grain } from "../../lib/wood";

const PAWNS: { [place: number]: "red" | "blue" } = { 1: "red", 7: "red", 13: "red", 3: "blue", 5: "blue" };
const DICE = [
  {
    x: 188,
    y: 118,
    turn: 12,
    pips: [
      [0, 0],
      [-1, -1],
      [1, 1],
      [-1, 1],
      [1, -1],
    ],
  },
  {
    x: 252,
    y: 96,
    turn: -14,
    pips: [
      [-1, -1],
      [1, 1],
      [-1, 1],
      [1, -1],
      [-1, 0],
      [1, 0],
    ],
  },
  { x: 236, y: 152, turn: 34, pips: [[0, 0]] },
];

function pawn(place: number): string {
  const owner = PAWNS[place];
  if (!owner) return "";
  const mark =
    owner === "red"
      ? '<circle cx="28" cy="28" r="6" fill="#ffe9d6" />'
      : '<path d="M22 22h12v12h-12z" fill="none" stroke="#17324f" stroke-width="3" />';
  return `<circle cx="29" cy="31" r="20" fill="#0003" /><circle cx="28" cy="31" r="20" fill="#0005" />
    <circle cx="28" cy="28" r="20" fill="${owner === "red" ? "#c4422e" : "#9dc0e8"}" />
    <circle cx="28" cy="28" r="20" fill="url(#art-light)" />
    <circle cx="28" cy="28" r="14" fill="none" stroke="#0004" stroke-width="2" />${mark}`;
}

function art(): string {
  const cells = Array.from({ length: 15 }, (_, place) => {
    const [x, y] = [20 + (place % 5) * 62, -4 + Math.floor(place / 5) * 62];
    const cell = '<rect width="56" height="56" rx="7" fill="#e9cd9c" stroke="#9a6c38" />';
    return `<g transform="translate(${x} ${y})">${cell}${pawn(place)}</g>`;
  });
  const dice = DICE.map(({ x, y, turn, pips }) => {
    const dots = pips.map(
      ([px = 0, py = 0]) => `<circle cx="${px * 12 - 1}" cy="${py * 12 - 1}" r="4.4" fill="#33261a" />`,
    );
    return `<g transform="translate(${x} ${y}) rotate(${turn})">
      <rect x="-22" y="-18" width="46" height="46" rx="9" fill="#0004" />
      <rect x="-24" y="-24" width="46" height="46" rx="9" fill="#f6eedb" stroke="#cbb88f" />
      <rect x="-24" y="-24" width="46" height="46" rx="9" fill="url(#art-light)" opacity="0.6" />${dots.join("")}</g>`;
  });
  return `<rect width="320" height="200" fill="#d9b47b" />
    <image href="${grain(320, 200, 6, 26)}" width="320" height="200" opacity="0.16" />
    <g transform="rotate(-8 160 100)">${cells.join("")}</g>
    <path d="M128 214L150 78L334 52V214Z" fill="#a87a45" /><path d="M138 214L158 87L334 62V214Z" fill="#2f6a50" />
    <path d="M138 214L158 87L334 62V214Z" fill="url(#art-light)" opacity="0.3" />${dice.join("")}`;
}

export const manifest: Manifest = {
  rank: 1,
  day: { accent: "#2b6149", accentInk: "#fbf5e8", accentSoft: "#d9e6d6" },
  night: { accent: "#85c4a1", accentInk: "#10251a", accentSoft: "#24402f" },
  art,
  board: () => import("./board"),
  dice: ({ what, facts }) => (what === "roll" ? (String(facts["dice"]).match(/[1-6]/g) ?? []).map(Number) : []),
  opponents: () => import("./opponents"),
  lesson: () => import("./lesson"),
  pictures: () => import("./pictures"),
  ...(import.meta.env.DEV && { gallery: () => import("./gallery") }),
};
