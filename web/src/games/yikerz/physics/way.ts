// How a hand follows the poses that are asked for: the server's path.py, number for number.
import type { Pose } from "../pose";

const FASTEST_MM_S = 1500;
const FASTEST_TURN = 20;
const REACH_MM = 600;
/** The hand comes in from above, at least this high. */
export const ENTRY_MM = 90;

const dot = (a: Pose, b: Pose): number => a[3] * b[3] + a[4] * b[4] + a[5] * b[5] + a[6] * b[6];

/** Somewhere between two poses: straight, and by spherical interpolation the shorter way round. */
export function betweenPoses(a: Pose, b: Pose, share: number): Pose {
  const cosine = dot(a, b);
  const sign = cosine >= 0 ? 1 : -1;
  const angle = Math.acos(Math.min(1, Math.abs(cosine)));
  const [first, second] =
    angle < 1e-6
      ? [1 - share, share]
      : [Math.sin((1 - share) * angle) / Math.sin(angle), Math.sin(share * angle) / Math.sin(angle)];
  const [w, i, j, k] = ([3, 4, 5, 6] as const).map((at) => first * a[at] + second * sign * b[at]) as [
    number,
    number,
    number,
    number,
  ];
  const length = Math.sqrt(w * w + i * i + j * j + k * k);
  return [
    a[0] + share * (b[0] - a[0]),
    a[1] + share * (b[1] - a[1]),
    a[2] + share * (b[2] - a[2]),
    w / length,
    i / length,
    j / length,
    k / length,
  ];
}

/** Where a hand is after so many seconds on its way to what is asked for, with its limits of speed and reach. */
export function toward(now: Pose, asked: Pose, seconds: number): Pose {
  const within = (value: number, least: number): number => Math.min(REACH_MM, Math.max(least, value));
  const aim: Pose = [
    within(asked[0], -REACH_MM),
    within(asked[1], -REACH_MM),
    within(asked[2], 0),
    asked[3],
    asked[4],
    asked[5],
    asked[6],
  ];
  const way = Math.hypot(aim[0] - now[0], aim[1] - now[1], aim[2] - now[2]);
  const turn = 2 * Math.acos(Math.min(1, Math.abs(dot(aim, now))));
  const need = Math.max(way / FASTEST_MM_S, turn / FASTEST_TURN);
  return need <= seconds ? aim : betweenPoses(now, aim, seconds / need);
}
