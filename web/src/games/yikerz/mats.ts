// The mats' colours and corners.

/** A mat's centre in millimetres and its turn in degrees; at 0 one corner points away from the viewer. */
export type Mat = readonly [number, number, number];
export const MAT_COLOURS = ["#c8573f", "#d9a53c", "#3f8f83", "#5a6fb0"] as const;

/** Corners of a mat's upper face, counter-clockwise. */
export function matCorners([x, y, angle]: Mat, side: number): [number, number][] {
  return [0, 1, 2].map((k) => {
    const turn = ((angle + 90 + 120 * k) * Math.PI) / 180;
    return [x + (side / Math.sqrt(3)) * Math.cos(turn), y + (side / Math.sqrt(3)) * Math.sin(turn)];
  });
}

/** Whether a point lies in a triangle. */
export function inside(triangle: readonly (readonly [number, number])[], x: number, y: number): boolean {
  return triangle.every(([ax, ay], k) => {
    const [bx, by] = triangle[(k + 1) % 3]!;
    return (bx - ax) * (y - ay) - (by - ay) * (x - ax) > 0;
  });
}
