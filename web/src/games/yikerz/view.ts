// Reads Yikerz!'s view and actions, as the protocol writes them: what lies where, and what may be done.
import type { Json, Moment } from "../../contract";
import type { Kit } from "./kit";
import { distance, type Point, type Pose, restingHeight, type Standing, standingOf } from "./pose";
import { type Mat, matCorners } from "./mats";
import type { Cloth } from "./scene";

export interface Magnet {
  id: number;
  shape: string;
  where: "stack" | "board" | "pouch";
  owner: number | null;
  pose: Pose | null;
}
export interface Shown {
  phase: "lot" | "layout" | "shuffle" | "stack" | "turn" | "call" | "pick" | "over";
  player: number;
  mats: Mat[];
  magnets: Magnet[];
  round: number;
  rounds_won: number[];
  points: number[];
  called: boolean[];
  alive: boolean[];
  shuffler: number;
  /** Stacks that lie there to be chosen; a chosen one is empty. */
  stacks: number[][];
  /** Seconds in which the turn before may still go wrong, and the pieces that must still be picked. */
  quiet: number;
  picks: number;
  /** In a sudden death its number, otherwise 0. */
  sudden: number;
  winner: number | "draw" | null;
}

/** An action's text together with what it says. */
export interface Choice {
  text: string;
  what: { [key: string]: Json };
}

export function choices(texts: readonly string[]): Choice[] {
  return texts.flatMap((text) => {
    try {
      return [{ text, what: JSON.parse(text) as { [key: string]: Json } }];
    } catch {
      return []; // chance's outcomes are no JSON; they are not for the board to choose
    }
  });
}

export const onBoard = (view: Shown): Magnet[] => view.magnets.filter(({ where, pose }) => where === "board" && pose);
export const stackOf = (view: Shown, seat: number): Magnet[] =>
  view.magnets.filter(({ where, owner }) => where === "stack" && owner === seat);

/** The magnets of a stack, one entry a shape, in the order of the box. */
export function byShape(magnets: readonly Magnet[], kit: Kit): { shape: string; ids: number[] }[] {
  const kinds = new Map([...kit.shapes.keys()].map((shape) => [shape, [] as number[]]));
  for (const { shape, id } of magnets) (kinds.get(shape) ?? kinds.set(shape, []).get(shape)!).push(id);
  return [...kinds]
    .filter(([, ids]) => ids.length > 0)
    .map(([shape, ids]) => ({ shape, ids: ids.sort((a, b) => a - b) }));
}

/** A hand's path in an action's text, where there is one. */
export function pathOf(action: string | null): { magnet: number; path: number[][]; release: number } | null {
  const said = action ? choices([action])[0]?.what : undefined;
  return said && Array.isArray(said["path"]) && typeof said["magnet"] === "number"
    ? (said as unknown as ReturnType<typeof pathOf>)
    : null;
}

const PITCH = 18;
/** What a stack takes at least beside others: two pieces side by side. */
const LEAST = 62;
/** A long row of stacks lies a little to the left: the buttons of the view are at its right. */
const ASIDE = 22;

export interface Arrangement {
  places: Map<number, Pose | null>;
  /** The stacks' cloths; `room` is how wide each may be with its name. */
  cloths: (Cloth & { seat: number; room: number })[];
  /** Everything that should be in sight. */
  extent: Point[];
}

/** Where everything lies on the table: the viewer's stack on the near side, the others' on the far side. */
export function arrange(
  view: Shown,
  kit: Kit,
  players: number,
  viewer: number,
  colours: readonly string[],
): Arrangement {
  const corners: (readonly [number, number])[] = view.mats.flatMap((mat) => matCorners(mat, kit.side));
  if (corners.length === 0) corners.push([-140, -121], [140, 121]);
  const [left, right] = [Math.min(...corners.map(([x]) => x)), Math.max(...corners.map(([x]) => x))];
  const [near, far] = [Math.min(...corners.map(([, y]) => y)), Math.max(...corners.map(([, y]) => y))];
  const extent: Point[] = [left, right].flatMap((x) => [near, far].map((y): Point => [x, y, 8]));
  const places = new Map<number, Pose | null>();
  const cloths: Arrangement["cloths"] = [];
  for (const { id, where, pose } of view.magnets) places.set(id, where === "board" ? pose : null);
  const table = -kit.thickness + 0.6;

  const lay = (magnets: readonly Magnet[], x: number, y: number, room: number, away: 1 | -1, seat: number): void => {
    const columns = Math.min(10, Math.max(2, Math.floor((room - 14) / PITCH)));
    const rows = Math.max(1, Math.ceil(magnets.length / columns));
    magnets.forEach(({ id, shape }, k) => {
      const row = Math.floor(k / columns);
      const inRow = Math.min(columns, magnets.length - row * columns);
      const kind = kit.shapes.get(shape);
      const up = kind ? restingHeight(kind.mesh, [1, 0, 0, 0]) : 3;
      places.set(id, [x + ((k % columns) - (inRow - 1) / 2) * PITCH, y + away * row * PITCH, table + up, 1, 0, 0, 0]);
    });
    const shown = Math.min(columns, Math.max(2, magnets.length));
    const cloth = { x, y: y + (away * (rows - 1) * PITCH) / 2, width: shown * PITCH + 8, height: rows * PITCH + 8 };
    cloths.push({ ...cloth, colour: colours[seat % colours.length] ?? "#5b5148", seat, room });
    // The name stands on the outer side of the cloth.
    for (const dx of [-1, 1])
      extent.push([cloth.x + (dx * cloth.width) / 2, cloth.y + away * (cloth.height / 2 + 20), 0]);
  };
  const order = (magnets: readonly Magnet[]): Magnet[] =>
    byShape(magnets, kit).flatMap(({ ids }) => ids.map((id) => magnets.find((magnet) => magnet.id === id)!));
  const others = Array.from({ length: players - 1 }, (_, k) => (viewer + 1 + k) % players);
  const room = Math.max(right - left, 200, LEAST * others.length);
  lay(order(stackOf(view, viewer)), 0, near - 26, room, -1, viewer);
  others.forEach((seat, k) => {
    const share = room / others.length;
    const x = (left + right - room) / 2 + share * (k + 0.5) - (others.length > 3 ? ASIDE : 0);
    lay(order(stackOf(view, seat)), others.length === 1 ? 0 : x, far + 26, share, 1, seat);
  });
  // Stacks that nobody has chosen yet lie side by side in the middle.
  view.stacks?.forEach((stack, number) =>
    stack.forEach((id, k) => {
      const kind = kit.shapes.get(view.magnets.find((magnet) => magnet.id === id)?.shape ?? "");
      const apart = Math.min(95, (right - left) / view.stacks.length);
      const x = (left + right) / 2 + (number - (view.stacks.length - 1) / 2) * apart + ((k % 3) - 1) * PITCH;
      places.set(id, [
        x,
        (near + far) / 2 + 40 - Math.floor(k / 3) * PITCH,
        kind ? restingHeight(kind.mesh, [1, 0, 0, 0]) : 3,
        1,
        0,
        0,
        0,
      ]);
    }),
  );
  return { places, cloths, extent };
}

/** A piece on the board in numbers for words: how it lies, where from the middle, and what is nearest. */
export interface Lying {
  magnet: Magnet;
  standing: Standing | "tilted";
  x: number;
  y: number;
  nearest: { magnet: Magnet; gap: number } | null;
}
export function nearestTo(pose: Pose, magnets: readonly Magnet[], except: number): Lying["nearest"] {
  let best: Lying["nearest"] = null;
  for (const magnet of magnets) {
    if (magnet.id === except || !magnet.pose) continue;
    const gap = distance(pose, magnet.pose);
    if (!best || gap < best.gap) best = { magnet, gap };
  }
  return best;
}
export function lying(view: Shown): Lying[] {
  const all = onBoard(view);
  return all.map((magnet) => ({
    magnet,
    standing: standingOf(magnet.pose!),
    x: Math.round(magnet.pose![0]),
    y: Math.round(magnet.pose![1]),
    nearest: nearestTo(magnet.pose!, all, magnet.id),
  }));
}

/** The frame of a socket message, or the frame itself; and whose hand it is. */
export function frameOf(message: Json): { seat: number | null; frame: Json } {
  if (typeof message === "object" && message !== null && !Array.isArray(message) && "frame" in message)
    return { seat: typeof message["seat"] === "number" ? message["seat"] : null, frame: message["frame"] ?? null };
  return { seat: null, frame: message };
}

/** When the first collapse or fall of the turn that led here happened, in seconds of that turn; null if there was
 *  none. */
export function firstCrash(moment: Moment): number | null {
  const crash = moment.events.find(({ what }) => what === "collapse" || what === "fall");
  return typeof crash?.facts["t"] === "number" ? crash.facts["t"] : null;
}
