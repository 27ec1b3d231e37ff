// What Wykersham shows on the page: cherry wood, five rails, glass marbles.
import type { Manifest } from "../../contract";
import { grain } from "../../lib/wood";

const OFFSETS = [-14, 22, 0, 34, -30];
/** The marbles by rail and cup. */
const MARBLES: { [place: string]: "red" | "green" } = {
  "0.3": "red",
  "1.3": "red",
  "2.4": "red",
  "3.4": "red",
  "4.6": "red",
  "0.6": "green",
  "2.7": "green",
  "3.1": "green",
  "1.8": "green",
  "4.2": "green",
};

function cup(rail: number, place: number): string {
  const x = place * 37;
  const marble = MARBLES[`${rail}.${place}`];
  const glint = `<ellipse cx="${x - 4}" cy="10" rx="3.4" ry="2" fill="${marble === "red" ? "#fff9" : "#fffa"}" />`;
  const hole = `<circle cx="${x}" cy="15" r="11.5" fill="#4a2a17" />`;
  if (marble === "red")
    return `${hole}<circle cx="${x}" cy="15" r="11" fill="#a51a28" />
      <circle cx="${x}" cy="15" r="11" fill="url(#art-light)" />
      <circle cx="${x}" cy="15" r="3" fill="#ffd9cf" />${glint}`;
  if (marble === "green")
    return `${hole}<circle cx="${x}" cy="15" r="11" fill="#9ed29b" stroke="#3d7a48" />
      <circle cx="${x}" cy="15" r="11" fill="url(#art-light)" opacity="0.8" />
      <circle cx="${x}" cy="15" r="6.6" fill="none" stroke="#1f5a31" stroke-width="2" />${glint}`;
  return hole;
}

function art(): string {
  const rails = OFFSETS.map((offset, rail) => {
    const bar = 'x="-26" width="400" rx="9"';
    return `<g transform="translate(${offset} ${8 + rail * 38})">
      <rect ${bar} y="3" height="30" fill="#0004" />
      <rect ${bar} y="0" height="30" fill="${rail === 2 ? "#bd8f56" : "#deb67c"}" stroke="#9a6c38" />
      <image href="${grain(640, 64, rail + 1, 11)}" x="-26" y="1" width="400" height="28"
        preserveAspectRatio="none" opacity="0.26" />
      <rect ${bar} y="0" height="30" fill="url(#art-round)" />
      ${Array.from({ length: 10 }, (_, place) => cup(rail, place)).join("")}</g>`;
  });
  return `<rect width="320" height="200" fill="#6b2a1e" /><g transform="rotate(-5 160 100)">${rails.join("")}</g>`;
}

export const manifest: Manifest = {
  rank: 2,
  day: { accent: "#8a3a2c", accentInk: "#fff6ec", accentSoft: "#f0d9cb", seats: ["#a3202c", "#2f6a3a"] },
  night: { accent: "#e7a08d", accentInk: "#30110a", accentSoft: "#4d2a21", seats: ["#d8626c", "#9ed29b"] },
  art,
  board: () => import("./board"),
  asides: ["stay"],
  dice: ({ what, facts }) =>
    what === "roll"
      ? [Number(facts["low"]), Number(facts["high"])]
      : what === "double"
        ? [Number(facts["die"]), Number(facts["die"])]
        : [],
  opponents: () => import("./opponents"),
  lesson: () => import("./lesson"),
  pictures: () => import("./pictures"),
  ...(import.meta.env.DEV && { gallery: () => import("./gallery") }),
};
