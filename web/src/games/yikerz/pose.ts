// Where a piece is and how it is turned, in the protocol's numbers: millimetres, z upward, quaternions w x y z.
// Pure arithmetic, for drawing and for the hand.

export type Pose = readonly [number, number, number, number, number, number, number];
export type Quaternion = readonly [number, number, number, number];
export type Point = readonly [number, number, number];
/** How the hand turns a piece: lying, on its long edge, or upright with its north or its south pole up. */
export type Standing = "flat" | "edge" | "end" | "other-end";
export const STANDINGS: readonly Standing[] = ["flat", "edge", "end", "other-end"];

const H = Math.SQRT1_2;
const BASE: { [standing in Standing]: Quaternion } = {
  flat: [1, 0, 0, 0],
  edge: [H, H, 0, 0],
  end: [H, 0, -H, 0],
  "other-end": [H, 0, H, 0],
};

/** The quaternion of a piece that stands like this, turned by an angle in degrees about the vertical. On its edge a
 *  piece that tapers is also turned about its own axis, `edgeTurn` degrees: so it stands on a facet. */
export function turned(standing: Standing, angle: number, edgeTurn = 0): Quaternion {
  const own = standing === "edge" ? (edgeTurn * Math.PI) / 360 : 0;
  const [w, x, y, z] = multiplied(BASE[standing], [Math.cos(own), 0, 0, Math.sin(own)]);
  const c = Math.cos((angle * Math.PI) / 360);
  const s = Math.sin((angle * Math.PI) / 360);
  return [c * w - s * z, c * x - s * y, c * y + s * x, c * z + s * w];
}

/** A vector of the piece's own axes, seen from the table. */
export function rotated([w, x, y, z]: Quaternion, [a, b, c]: Point): Point {
  const tx = 2 * (y * c - z * b);
  const ty = 2 * (z * a - x * c);
  const tz = 2 * (x * b - y * a);
  return [a + w * tx + y * tz - z * ty, b + w * ty + z * tx - x * tz, c + w * tz + x * ty - y * tx];
}

/** The turn b and after it the turn a. */
export const multiplied = ([aw, ax, ay, az]: Quaternion, [bw, bx, by, bz]: Quaternion): Quaternion => [
  aw * bw - ax * bx - ay * by - az * bz,
  aw * bx + ax * bw + ay * bz - az * by,
  aw * by - ax * bz + ay * bw + az * bx,
  aw * bz + ax * by - ay * bx + az * bw,
];

/** No way and no turn. */
export const NOWHERE: Pose = [0, 0, 0, 1, 0, 0, 0];
/** What leads from one pose to another, both seen from the table: the way, and the turn that comes after the first. */
export function offset(from: Pose, to: Pose): Pose {
  const [w, x, y, z] = quaternionOf(from);
  return [to[0] - from[0], to[1] - from[1], to[2] - from[2], ...multiplied(quaternionOf(to), [w, -x, -y, -z])];
}
/** A pose that an offset is added to. */
export const shifted = (pose: Pose, by: Pose): Pose => [
  pose[0] + by[0],
  pose[1] + by[1],
  pose[2] + by[2],
  ...multiplied(quaternionOf(by), quaternionOf(pose)),
];

export const quaternionOf = (pose: Pose): Quaternion => [pose[3], pose[4], pose[5], pose[6]];

/** How high a piece's centre is when, turned like this, it just touches the mat. */
export function restingHeight(mesh: readonly Point[], quaternion: Quaternion): number {
  let lowest = 0;
  for (const corner of mesh) lowest = Math.min(lowest, rotated(quaternion, corner)[2]);
  return -lowest;
}

/** The pose at this share of the way from a to b: straight, turning the shorter way. */
export function between(a: Pose, b: Pose, share: number): Pose {
  const dot = a[3] * b[3] + a[4] * b[4] + a[5] * b[5] + a[6] * b[6];
  const sign = dot < 0 ? -1 : 1;
  const q = [3, 4, 5, 6].map((k) => a[k]! + share * (sign * b[k]! - a[k]!));
  const length = Math.hypot(...q) || 1;
  return [
    a[0] + share * (b[0] - a[0]),
    a[1] + share * (b[1] - a[1]),
    a[2] + share * (b[2] - a[2]),
    q[0]! / length,
    q[1]! / length,
    q[2]! / length,
    q[3]! / length,
  ];
}

export const distance = (a: Pose, b: Pose): number => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

/** How a piece lies, judged by its own axes: on a flat face, on its edge, or on one of its ends. */
export function standingOf(pose: Pose): Standing | "tilted" {
  const q = quaternionOf(pose);
  const face = Math.abs(rotated(q, [0, 0, 1])[2]);
  const north = rotated(q, [1, 0, 0])[2];
  if (face > 0.94) return "flat";
  if (north > 0.94) return "end";
  if (north < -0.94) return "other-end";
  return face < 0.34 && Math.abs(north) < 0.34 ? "edge" : "tilted";
}

/** Numbers with few digits, for texts: four are enough, and never come out as 1e-5. */
export const neat = (value: number, digits = 4): number => Number(value.toFixed(digits)) + 0;

/** A pose for a message: hundredths of a millimetre, and a quaternion of length 1 to four digits. */
export const neatPose = (pose: Pose): number[] => pose.map((value, k) => neat(value, k < 3 ? 2 : 4));
