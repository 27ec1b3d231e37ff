// Portraits of bots as turned wooden figures, painted: what stands inside an SVG of 100 by 100. Which figure plays
// which game is in the games' folders. Loaded on demand.

type Hair = "cap" | "bun" | "curls" | "long" | "braids" | "tufts" | "parted" | "crop";
type Extra =
  | "glasses"
  | "monocle"
  | "moustache"
  | "beard"
  | "beret"
  | "bowler"
  | "flatcap"
  | "scarf"
  | "bow"
  | "earrings";

export interface Figure {
  /** The wood of the head. */
  wood: string;
  hair: Hair | null;
  hairColour?: string;
  /** The paint of the body, and of what is worn. */
  cloth: string;
  trim: string;
  /** The paper behind. */
  paper: string;
  extras?: readonly Extra[];
  look?: "open" | "calm" | "keen";
  /** Painted on the body, around the origin, within 9 units. */
  sign?: string;
}

const INK = "#2c1d10";
const HAIR: { [hair in Hair]: string } = {
  cap: '<path d="M30 41A20 20.5 0 0 1 70 41Q66 29 50 28Q34 29 30 41Z" />',
  crop: '<path d="M31 36A19.5 19.5 0 0 1 69 36Q60 27 50 28Q40 27 31 36Z" />',
  parted: '<path d="M30 42Q29 19 52 20Q72 21 70 42Q67 32 58 27Q46 36 33 33Q31 37 30 42Z" />',
  bun: '<circle cx="50" cy="16" r="7.5" /><path d="M30 42A20 20.5 0 0 1 70 42Q64 28 50 28Q36 28 30 42Z" />',
  long: '<path d="M28 60Q26 19 50 19Q74 19 72 60Q66 62 64 54Q67 36 50 28Q33 36 36 54Q34 62 28 60Z" />',
  braids:
    '<path d="M30 42A20 20.5 0 0 1 70 42Q62 29 50 29Q38 29 30 42Z" />' +
    '<circle cx="29" cy="47" r="4" /><circle cx="28" cy="54" r="3.6" /><circle cx="27.5" cy="60.5" r="3.2" />' +
    '<circle cx="71" cy="47" r="4" /><circle cx="72" cy="54" r="3.6" /><circle cx="72.5" cy="60.5" r="3.2" />',
  tufts: '<path d="M30 45Q25 36 32 32Q33 38 33 44ZM70 45Q75 36 68 32Q67 38 67 44Z" />',
  curls: [
    [33, 36, 6],
    [37, 27, 6.5],
    [45, 22, 6.5],
    [55, 22, 6.5],
    [63, 27, 6.5],
    [67, 36, 6],
    [30, 44, 4.5],
    [70, 44, 4.5],
  ]
    .map(([x, y, r]) => `<circle cx="${x}" cy="${y}" r="${r}" />`)
    .join(""),
};
const EYES = {
  open: `<circle cx="43" cy="42" r="2.2" fill="${INK}" /><circle cx="57" cy="42" r="2.2" fill="${INK}" />`,
  calm: `<path d="M40 42Q43 44.5 46 42M54 42Q57 44.5 60 42" class="line" />`,
  keen:
    `<circle cx="43" cy="42.5" r="2" fill="${INK}" /><circle cx="57" cy="42.5" r="2" fill="${INK}" />` +
    '<path d="M39 38L46 39M61 38L54 39" class="line" />',
};
const LENS = (x: number): string => `M${x} 42a5.5 5.5 0 1 0 11 0a5.5 5.5 0 1 0-11 0Z`;
const EXTRAS: { [extra in Extra]: (colours: { hair: string; trim: string }) => string } = {
  glasses: () => `<path d="${LENS(37.5)}${LENS(51.5)}M48.5 41Q50 40 51.5 41" class="line" />`,
  monocle: () => `<path d="${LENS(51.5)}M60 47Q63 53 60 58" class="line" />`,
  moustache: ({ hair }) => `<path d="M50 49Q44 46 38 51Q45 53 50 50.5Q55 53 62 51Q56 46 50 49Z" fill="${hair}" />`,
  beard: ({ hair }) => `<path d="M32 46Q33 66 50 67Q67 66 68 46Q63 52 50 51Q37 52 32 46Z" fill="${hair}" />`,
  beret: ({ trim }) => `<path d="M27 30Q32 13 54 14Q76 16 73 29Q62 24 50 25Q36 25 27 30Z" fill="${trim}" />
    <path d="M52 14.5l1-4" stroke="${trim}" stroke-width="2.5" stroke-linecap="round" />`,
  bowler: ({ trim }) => `<path d="M34 28Q34 10 50 10Q66 10 66 28Z" fill="${trim}" />
    <path d="M25 29Q50 22 75 29Q76 33 72 33Q50 26 28 33Q24 33 25 29Z" fill="${trim}" />`,
  flatcap: ({ trim }) =>
    `<path d="M29 31Q28 16 48 15Q70 14 71 30Q78 31 78 35Q64 30 50 30Q38 30 29 31Z" fill="${trim}" />`,
  scarf: ({ trim }) => `<path d="M34 59Q50 67 66 59L68 67Q50 76 32 67Z" fill="${trim}" />
    <path d="M58 68l8 2l-2 15l-8-2Z" fill="${trim}" />`,
  bow: ({ trim }) =>
    `<path d="M50 66l-10-5v10ZM50 66l10-5v10Z" fill="${trim}" /><circle cx="50" cy="66" r="2.5" fill="${trim}" />`,
  earrings: ({ trim }) =>
    `<circle cx="31" cy="51" r="2.2" fill="${trim}" /><circle cx="69" cy="51" r="2.2" fill="${trim}" />`,
};
const BODY = "M22 100Q22 70 38 62Q50 57 62 62Q78 70 78 100Z";

/** A figure, drawn. */
export function portrait({
  wood,
  hair,
  hairColour = INK,
  cloth,
  trim,
  paper,
  extras = [],
  look = "open",
  sign,
}: Figure): string {
  const worn = (over: boolean): string =>
    extras
      .filter((extra) => over === !["beard"].includes(extra))
      .map((extra) => EXTRAS[extra]({ hair: hairColour, trim }))
      .join("");
  const drawing = `<rect width="100" height="100" fill="${paper}" />
    <path d="${BODY}" fill="${cloth}" /><path d="M62 62Q78 70 78 100H64Q70 76 62 62Z" fill="#0002" />
    <path d="M38 62Q26 68 24 88Q30 72 42 65Z" fill="#fff3" />
    <circle cx="50" cy="42" r="20" fill="${wood}" />
    <path d="M62 26A20 20 0 0 1 58 60.3A26 26 0 0 0 62 26Z" fill="#3a1c0030" />
    <ellipse cx="43" cy="31" rx="7" ry="4.5" fill="#fff5" transform="rotate(-28 43 31)" />
    ${worn(false)}
    <circle cx="38.5" cy="48" r="3" fill="#b6402a38" /><circle cx="61.5" cy="48" r="3" fill="#b6402a38" />
    ${EYES[look]}<path d="M45.5 52Q50 55.5 54.5 52" class="line" />
    ${hair ? `<g fill="${hairColour}">${HAIR[hair]}</g>` : ""}
    ${worn(true)}${sign ? `<g transform="translate(50 83)">${sign}</g>` : ""}`;
  const line = `fill="none" stroke="${INK}" stroke-width="1.7" stroke-linecap="round" stroke-linejoin="round"`;
  return drawing.replaceAll('class="line"', line);
}

/** For a game whose package brings no portraits. */
export const PLAIN = portrait({
  wood: "#dcb27a",
  hair: null,
  cloth: "#8a6a48",
  trim: "#5c4228",
  paper: "#efe2c8",
});
