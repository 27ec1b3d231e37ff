// Ready-made experiments for the magnet lab, and its requests as the engine protocol writes them.
import type { Mat } from "../mats";
import type { Json } from "../../../contract";
import { neatPose, type Pose, turned } from "../pose";

export interface Laid {
  shape: string;
  pose: Pose;
}

const PYRAMID_ROWS: readonly (readonly [number, number, number])[] = [
  [0, -1, 180],
  [-0.5, -2, 0],
  [0.5, -2, 0],
  [0, 1, 0],
];
/** Four mats as one large triangle, from the size of a mat alone. */
export const fourMats = (side: number): Mat[] =>
  PYRAMID_ROWS.map(([x, y, angle]) => [x * side, (y * side * Math.sqrt(3)) / 6, angle]);

const flat = (shape: string, x: number, y: number, angle: number, z = 3.2): Laid => ({
  shape,
  pose: [x, y, z, ...turned("flat", angle)],
});
export const EXPERIMENTS: { [name: string]: Laid[] } = {
  pair: [flat("pebble", -17.5, -45, 90), flat("pebble", 17.5, -45, 90)],
  cross: [flat("egg", -17, -45, 0), flat("egg", 17, -45, 90)],
  repel: [flat("coin", -14, -45, 0), flat("coin", 14, -45, 180)],
  hand: [flat("pillow", 0, -45, 0), flat("pebble", 0, -45, 180, 24)],
  ring: Array.from({ length: 6 }, (_, k) =>
    flat(
      ["pebble", "egg", "coin", "shield", "pillow", "egg"][k]!,
      44 * Math.cos((k * Math.PI) / 3),
      -42 + 40 * Math.sin((k * Math.PI) / 3),
      k * 60 + 90,
    ),
  ),
};

export function labRequest(mats: readonly Mat[], laid: readonly Laid[], seconds: number): { [key: string]: Json } {
  return {
    do: "lab",
    mats: mats.map((mat) => [...mat]),
    magnets: laid.map(({ shape, pose }) => ({ shape, pose: neatPose(pose) })),
    seconds,
  };
}

/** A request from a text that somebody has changed; null if it is none. */
export function readRequest(text: string): { mats: Mat[]; laid: Laid[]; seconds: number } | null {
  try {
    const told = JSON.parse(text) as { mats?: unknown; magnets?: unknown; seconds?: unknown };
    const numbers = (value: unknown, count: number): value is number[] =>
      Array.isArray(value) &&
      value.length === count &&
      value.every((one) => typeof one === "number" && Number.isFinite(one));
    if (!Array.isArray(told.mats) || !told.mats.every((mat) => numbers(mat, 3)) || !Array.isArray(told.magnets))
      return null;
    const laid = (told.magnets as { shape?: unknown; pose?: unknown }[]).map(({ shape, pose }) =>
      typeof shape === "string" && numbers(pose, 7) ? { shape, pose: pose as unknown as Pose } : null,
    );
    if (laid.some((one) => one === null)) return null;
    return {
      mats: told.mats as unknown as Mat[],
      laid: laid as Laid[],
      seconds: typeof told.seconds === "number" ? told.seconds : 2,
    };
  } catch {
    return null; // half a text, while somebody types
  }
}

export interface Finding {
  forces: number[][];
  poses: Pose[];
  collapsed: number[][];
  off: number[];
}
export function readFinding(answer: Json): Finding {
  const told = answer as unknown as {
    forces: number[][];
    magnets: { pose: Pose }[];
    collapsed: number[][];
    off: number[];
  };
  return {
    forces: told.forces,
    poses: told.magnets?.map(({ pose }) => pose) ?? [],
    collapsed: told.collapsed ?? [],
    off: told.off ?? [],
  };
}
