// Arithmetic of the layout editor: mats that snap to their neighbours, and pictures of layouts. The server decides
// whether a layout is allowed.
import { type Mat, matCorners } from "./mats";

/** How near a corner must come to another to cling to it, and a corner to a side. */
const CORNER_MM = 14;
const SIDE_MM = 7;

type Spot = readonly [number, number];

/** The mat moved to where it touches a neighbour, if it is almost there already. */
export function cling(mat: Mat, others: readonly Mat[], side: number): Mat {
  const mine = matCorners(mat, side);
  let best: { dx: number; dy: number; far: number } | null = null;
  const offer = (dx: number, dy: number, most: number): void => {
    const far = Math.hypot(dx, dy);
    if (far < most && (!best || far < best.far)) best = { dx, dy, far };
  };
  for (const other of others)
    for (const [x, y] of matCorners(other, side)) for (const [a, b] of mine) offer(x - a, y - b, CORNER_MM);
  if (!best)
    for (const other of others) {
      const theirs = matCorners(other, side);
      for (const corner of mine) offer(...toSide(corner, theirs), SIDE_MM);
      for (const corner of theirs) {
        const [dx, dy] = toSide(corner, mine);
        offer(-dx, -dy, SIDE_MM);
      }
    }
  const way = best as { dx: number; dy: number } | null;
  return way ? [mat[0] + way.dx, mat[1] + way.dy, mat[2]] : mat;
}

/** The way from a point to the nearest side of a triangle. */
function toSide([x, y]: Spot, triangle: readonly Spot[]): [number, number] {
  let best: [number, number] = [Infinity, 0];
  triangle.forEach(([ax, ay], k) => {
    const [bx, by] = triangle[(k + 1) % 3]!;
    const along = Math.min(
      1,
      Math.max(0, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / ((bx - ax) ** 2 + (by - ay) ** 2)),
    );
    const way: [number, number] = [ax + along * (bx - ax) - x, ay + along * (by - ay) - y];
    if (Math.hypot(...way) < Math.hypot(...best)) best = way;
  });
  return best;
}

/** The text of a free layout: thousandths of a millimetre. */
export function layoutAction(mats: readonly Mat[]): string {
  const neat = (value: number): number => Number(value.toFixed(3)) + 0;
  return JSON.stringify({ layout: mats.map(([x, y, angle]) => [neat(x), neat(y), neat(((angle % 360) + 360) % 360)]) });
}

/** A mat as the points of an SVG polygon, y upward. */
export const polygon = (mat: Mat, side: number): string =>
  matCorners(mat, side)
    .map(([x, y]) => `${x.toFixed(2)},${(-y).toFixed(2)}`)
    .join(" ");

/** A box around mats, for an SVG's viewBox. */
export function boxAround(mats: readonly Mat[], side: number, margin: number): string {
  const corners = mats.flatMap((mat) => matCorners(mat, side));
  const [left, right] = [Math.min(...corners.map(([x]) => x)), Math.max(...corners.map(([x]) => x))];
  const [low, high] = [Math.min(...corners.map(([, y]) => y)), Math.max(...corners.map(([, y]) => y))];
  return `${left - margin} ${-high - margin} ${right - left + 2 * margin} ${high - low + 2 * margin}`;
}
