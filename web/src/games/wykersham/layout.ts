// Where everything lies on Wykersham's board. Columns −7…7 run along the rails, rails 1…5 across; an upright board is
// turned by a quarter, with line 1 on top. The trays are always above and below.

export interface Layout {
  tall: boolean;
  width: number;
  height: number;
  /** From one column to the next, and from one rail to the next. */
  along: number;
  across: number;
  /** The length of a rail's groove. */
  length: number;
  /** How high the strip with a player's trays is. */
  strip: number;
}

export function layoutOf(tall: boolean): Layout {
  const [along, across] = tall ? [44, 88] : [58, 80];
  const [length, breadth, strip] = [15 * along + 2, 5 * across + 60, 36];
  // An upright board spares its margin, so that what follows it stays in sight on a phone.
  const [width, height] = tall ? [breadth, length + 14] : [length + 28, breadth];
  return { tall, width, height: height + 2 * strip, along, across, length, strip };
}

/** The middle of a cup, or of any place between. */
export function spot({ tall, width, height, along, across }: Layout, rail: number, column: number): [number, number] {
  const [a, b] = [column * along, (rail - 3) * across];
  return [width / 2 + (tall ? b : a), height / 2 + (tall ? a : b)];
}

/** The place of a point of the drawing: which rail, and which column, both with what is between. */
export function placeAt({ tall, width, height, along, across }: Layout, x: number, y: number): [number, number] {
  const [a, b] = tall ? [y - height / 2, x - width / 2] : [x - width / 2, y - height / 2];
  return [b / across + 3, a / along];
}

/** A player's tray: the stock on the left, the winnings on the right. */
export function trayOf({ width, height, strip }: Layout, kind: "stock" | "winnings", below: boolean): Tray {
  const [edge, gap] = [12, 14];
  const [wide, high] = [(width - 2 * edge - gap) / 2, strip - 8];
  return {
    x: kind === "stock" ? edge : edge + wide + gap,
    y: below ? height - edge + 2 - high : edge - 2,
    wide,
    high,
  };
}
export interface Tray {
  x: number;
  y: number;
  wide: number;
  high: number;
}

/** A picture that lies along the rails: turned with them. */
export function lain(tall: boolean, x: number, y: number, w: number, h: number): { [name: string]: string | number } {
  return tall
    ? { width: h, height: w, transform: `translate(${x + w} ${y}) rotate(90)` }
    : { x, y, width: w, height: h };
}
