// A turn in frames, live or from the log. A live turn is drawn a little behind the present, so that frames can be
// interpolated smoothly.
import type { Json } from "../../contract";
import { between, type Point, type Pose } from "./pose";

export interface LiveEvent {
  t: number;
  what: string;
  magnets: number[];
}
export interface Frame {
  /** Seconds since the turn began. */
  t: number;
  poses: ReadonlyMap<number, Pose>;
  held: number | null;
  events: readonly LiveEvent[];
  /** Seconds that are left of the quiet time after letting go, once it runs. */
  quiet: number | null;
  /** Where the hand is, while it holds something. The piece itself is among `poses`. */
  hand: Pose | null;
  /** What the field does to the held piece, newtons, and which part of what the fingers can hold it uses up. */
  pull: Point | null;
  grip: number;
  /** For pieces on the board, which part of what holds them the field uses up: at 1 they move. */
  strain: ReadonlyMap<number, number>;
  /** The last sample of a numbered hand that the table knows. */
  heard: number | null;
  /** Pieces that struck each other since the last live frame, once for each click of a chatter, and how fast (mm/s). */
  knocks?: readonly Knock[];
}
export type Knock = readonly [one: number, two: number, speed: number];
const NO_STRAIN: ReadonlyMap<number, number> = new Map();

/** Frames this much behind the present are drawn: a frame that comes a little late does not make pieces stutter. */
export const BEHIND_S = 0.07;

export function readFrame(json: Json): Frame | null {
  const told = json as { [field in keyof Frame]?: unknown } | null;
  if (
    typeof told !== "object" ||
    told === null ||
    typeof told.t !== "number" ||
    typeof told.poses !== "object" ||
    told.poses === null
  )
    return null;
  const poses = new Map<number, Pose>();
  for (const [id, pose] of Object.entries(told.poses as { [id: string]: number[] }))
    if (pose.length === 7) poses.set(Number(id), pose as unknown as Pose);
  return {
    t: told.t,
    poses,
    held: typeof told.held === "number" ? told.held : null,
    events: Array.isArray(told.events) ? (told.events as LiveEvent[]) : [],
    quiet: typeof told.quiet === "number" ? told.quiet : null,
    hand: isNumbers(told.hand, 7) ? (told.hand as unknown as Pose) : null,
    pull: isNumbers(told.pull, 3) ? (told.pull as unknown as Point) : null,
    grip: typeof told.grip === "number" ? told.grip : 0,
    strain: readStrain(told.strain),
    heard: typeof told.heard === "number" ? told.heard : null,
    knocks: Array.isArray(told.knocks)
      ? told.knocks.filter((one) => isNumbers(one, 3)).map(([one, two, speed]): Knock => [one!, two!, speed!])
      : [],
  };
}
const isNumbers = (value: unknown, count: number): value is number[] =>
  Array.isArray(value) && value.length === count && value.every((one) => typeof one === "number");
function readStrain(value: unknown): ReadonlyMap<number, number> {
  if (typeof value !== "object" || value === null) return NO_STRAIN;
  const known = Object.entries(value).filter((one): one is [string, number] => typeof one[1] === "number");
  return new Map(known.map(([id, load]) => [Number(id), load]));
}

/** The film in a turn's outcome: its first frame names every piece, each later one what has moved and, as null,
 *  what was taken away. */
export function readFilm(outcome: Json | undefined): Film | null {
  const told = (outcome as { frames?: unknown } | null | undefined)?.frames;
  if (!Array.isArray(told)) return null;
  const film = new Film();
  let poses: ReadonlyMap<number, Pose> = new Map();
  for (const one of told as { t?: unknown; poses?: { [id: string]: number[] | null }; held?: unknown }[]) {
    if (typeof one?.t !== "number" || typeof one.poses !== "object" || one.poses === null) return null;
    const now = new Map(poses);
    for (const [id, pose] of Object.entries(one.poses))
      if (pose === null) now.delete(Number(id));
      else if (pose.length === 7) now.set(Number(id), pose as unknown as Pose);
    poses = now;
    const held = typeof one.held === "number" ? one.held : null;
    // A film has what can be seen; what was felt is gone.
    film.add(
      {
        t: one.t,
        poses,
        held,
        events: [],
        quiet: null,
        hand: null,
        pull: null,
        grip: 0,
        strain: NO_STRAIN,
        heard: null,
      },
      one.t,
    );
  }
  return film.frames.length > 1 ? film : null;
}

export class Film {
  readonly frames: Frame[] = [];
  /** The local clock (s) minus the turn's clock: the least seen, that is, of the quickest frame. */
  #offset = Infinity;
  #crash: number | null = null;

  add(frame: Frame, now: number): void {
    const last = this.frames[this.frames.length - 1];
    if (last && frame.t <= last.t) return;
    this.#offset = Math.min(this.#offset, now - frame.t);
    // Clocks drift and a quick frame may have been luck: forget it slowly.
    this.#offset += (now - frame.t - this.#offset) * 0.01;
    this.frames.push(frame);
  }
  get last(): Frame | null {
    return this.frames[this.frames.length - 1] ?? null;
  }
  /** The turn's time that is to be drawn at this moment of the local clock. */
  present(now: number): number {
    return Math.min(now - this.#offset - BEHIND_S, this.last?.t ?? 0);
  }
  /** Where everything was at a time of the turn. */
  at(t: number): ReadonlyMap<number, Pose> {
    const after = this.#after(t);
    const b = this.frames[after];
    const a = this.frames[after - 1];
    if (!b) return a?.poses ?? new Map();
    if (!a) return b.poses;
    const share = (t - a.t) / (b.t - a.t);
    const poses = new Map(a.poses);
    for (const [id, pose] of a.poses) {
      const next = b.poses.get(id);
      if (next && next !== pose) poses.set(id, between(pose, next, share));
    }
    return poses;
  }
  #after(t: number): number {
    let low = 0;
    let high = this.frames.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.frames[middle]!.t <= t) low = middle + 1;
      else high = middle;
    }
    return low;
  }
  /** Where the hand was at a time of the turn; null where it held nothing. */
  handAt(t: number): Pose | null {
    const after = this.#after(t);
    const [a, b] = [this.frames[after - 1]?.hand ?? null, this.frames[after]?.hand ?? null];
    if (!a || !b) return a;
    const [from, to] = [this.frames[after - 1]!.t, this.frames[after]!.t];
    return between(a, b, (t - from) / (to - from));
  }
  /** What the hand holds at a time of the turn. */
  heldAt(t: number): number | null {
    return (this.frames[this.#after(t) - 1] ?? this.frames[0])?.held ?? null;
  }
  /** When the hand has opened; the film's start where there was no hand, as in waiting. */
  get released(): number {
    return this.frames.find(({ held }) => held === null)?.t ?? this.last?.t ?? 0;
  }
  /** When nothing moves any more: of the quiet seconds after that there is nothing to see. */
  get still(): number {
    for (let k = this.frames.length - 1; k > 0; k--) {
      const [a, b] = [this.frames[k - 1]!.poses, this.frames[k]!.poses];
      if (a.size !== b.size || [...b].some(([id, pose]) => moved(a.get(id), pose))) return this.frames[k]!.t;
    }
    return this.frames[0]?.t ?? 0;
  }
  /** When something collapsed or fell, where the frames themselves do not say so. */
  mark(t: number): void {
    this.#crash = t;
  }
  /** The part that is worth seeing slowly: around the first collapse or fall, if there was one. */
  get highlight(): { from: number; to: number } | null {
    const first = this.frames[0];
    const told =
      this.#crash ??
      this.frames.flatMap(({ events }) => events).find(({ what }) => what === "collapse" || what === "fall")?.t;
    if (!first || told === undefined || told === null || this.frames.length < 3) return null;
    return { from: Math.max(first.t, told - 0.35), to: Math.min(this.last!.t, told + 0.75) };
  }
}

/** Whether an eye would see it: the physics' last tremble is no movement. */
function moved(from: Pose | undefined, to: Pose): boolean {
  return !from || (from !== to && from.some((value, k) => Math.abs(value - to[k]!) > (k < 3 ? 0.2 : 0.01)));
}
