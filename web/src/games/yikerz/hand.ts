// The hand as the player moves it: where it wants the magnet to be. The magnet follows in the server's physics.
import { neatPose, type Pose, restingHeight, type Standing, STANDINGS, turned } from "./pose";
import type { Shape } from "./kit";

/** The hand comes in at least this high; from there no piece feels it. */
export const ENTRY_MM = 95;
export const HIGHEST_MM = 140;
/** How far from the middle the hand may go. */
export const REACH_MM = 420;
/** Speeds of the keys, per second: millimetres and degrees; with Shift a quarter. */
const MOVE = 90;
const LIFT = 60;
const TURN = 120;
/** What a single tap on a key does. */
const NUDGE = 1;
const NUDGE_TURN = 5;

export type Push = "left" | "right" | "away" | "near" | "up" | "down" | "anticlockwise" | "clockwise";
/** What each key does as long as it is held. */
export const KEYS: { readonly [key: string]: Push } = {
  ArrowLeft: "left",
  ArrowRight: "right",
  ArrowUp: "away",
  ArrowDown: "near",
  PageUp: "up",
  PageDown: "down",
  w: "up",
  s: "down",
  q: "anticlockwise",
  e: "clockwise",
};

export class Hand {
  x: number;
  y: number;
  z = ENTRY_MM;
  angle = 0;
  standing: Standing = "flat";
  /** Whether it has been moved, so that the turn has begun and cannot be undone. */
  begun = false;
  readonly #pushed = new Map<Push, boolean>();
  #sent = "";
  #sentAt = -Infinity;

  constructor(
    readonly magnet: number,
    readonly shape: Shape,
    at: readonly [number, number],
  ) {
    [this.x, this.y] = at;
  }

  get pose(): Pose {
    return [this.x, this.y, this.z, ...turned(this.standing, this.angle, this.shape.edgeTurn)];
  }
  /** The lowest that the centre can be: there the piece touches the mat. */
  get floor(): number {
    return restingHeight(this.shape.mesh, turned(this.standing, this.angle, this.shape.edgeTurn));
  }
  /** How far the piece's underside is above the mat. */
  get gap(): number {
    return this.z - this.floor;
  }
  #limit(): void {
    const far = Math.hypot(this.x, this.y);
    if (far > REACH_MM) {
      this.x *= REACH_MM / far;
      this.y *= REACH_MM / far;
    }
    this.z = Math.min(HIGHEST_MM, Math.max(this.floor, this.z));
    this.angle = ((((this.angle + 180) % 360) + 360) % 360) - 180;
  }
  move(dx: number, dy: number, dz = 0): void {
    this.x += dx;
    this.y += dy;
    this.z += dz;
    this.#limit();
  }
  lift(gap: number): void {
    this.z = this.floor + gap;
    this.#limit();
  }
  turn(degrees: number): void {
    this.angle += degrees;
    this.#limit();
  }
  /** Lying, on edge, north up, south up, and lying again; the underside stays as high as it was. */
  stand(standing: Standing = STANDINGS[(STANDINGS.indexOf(this.standing) + 1) % STANDINGS.length]!): void {
    const { gap } = this;
    this.standing = standing;
    this.lift(gap);
  }

  /** A key goes down: one small push at once, then motion for as long as it is held. `heading` is where the viewer
   *  looks, degrees. */
  push(way: Push, fine: boolean, heading: number): void {
    if (!this.#pushed.has(way))
      this.#go(way, (fine ? 0.25 : 1) * (way.endsWith("clockwise") ? NUDGE_TURN : NUDGE), heading);
    this.#pushed.set(way, fine);
  }
  release(way?: Push): void {
    if (way) this.#pushed.delete(way);
    else this.#pushed.clear();
  }
  get busy(): boolean {
    return this.#pushed.size > 0;
  }
  /** Time passes while keys are held. */
  tick(seconds: number, heading: number): void {
    for (const [way, fine] of this.#pushed) {
      const speed = way === "up" || way === "down" ? LIFT : way.endsWith("clockwise") ? TURN : MOVE;
      this.#go(way, speed * seconds * (fine ? 0.25 : 1), heading);
    }
  }
  #go(way: Push, amount: number, heading: number): void {
    const right = way === "right" ? amount : way === "left" ? -amount : 0;
    const away = way === "away" ? amount : way === "near" ? -amount : 0;
    const [c, s] = [Math.cos((heading * Math.PI) / 180), Math.sin((heading * Math.PI) / 180)];
    this.move(right * c - away * s, right * s + away * c, way === "up" ? amount : way === "down" ? -amount : 0);
    if (way === "anticlockwise") this.turn(amount);
    if (way === "clockwise") this.turn(-amount);
  }

  /** Forget what was sent: the next pose counts as new. */
  sayAgain(): void {
    this.#sent = "";
  }
  /** What to send now: at most sixty poses a second, and one a second from a hand that keeps still, since a silent
   *  one lets go. */
  news(now: number): number[] | null {
    const pose = neatPose(this.pose);
    const text = pose.join(" ");
    if (now - this.#sentAt < (text === this.#sent ? 1000 : 1000 / 60 - 0.5)) return null;
    this.#sent = text;
    this.#sentAt = now;
    return pose;
  }
}

/** The path of a hand whose turn is not live: kept here and played as one action at the end. */
export class Path {
  readonly #poses: number[][] = [];
  #start = 0;

  add(now: number, pose: Pose): void {
    if (this.#poses.length === 0) this.#start = now;
    this.#poses.push([Number(((now - this.#start) / 1000).toFixed(3)), ...neatPose(pose)]);
  }
  /** The action's text: one compact JSON object with sorted keys. */
  action(magnet: number, now: number): string {
    return JSON.stringify({ magnet, path: this.#poses, release: Number(((now - this.#start) / 1000).toFixed(3)) });
  }
}
