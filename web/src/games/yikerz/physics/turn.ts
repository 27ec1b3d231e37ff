// A turn as it happens on the board, in the page: the hand, what collapses and falls, the clearing away, the quiet
// seconds. The server's turn.py and hand.py decide; this one is ahead of them.
import type { Point, Pose } from "../pose";
import type { Knock } from "./contacts";
import type { MuJoCo } from "./mujoco";
import { AWAY, type PhysicsFacts, Scene } from "./scene";
import { ENTRY_MM, toward } from "./way";

const STEPS_PER_SECOND = 960;
export const SAMPLES_PER_SECOND = 60;
/** Collapsed pieces are lifted when the board is at rest, or so many seconds after the collapse; then the physics goes
 *  on for a while before the next group. */
const LIFT_SECONDS = 1;
const BETWEEN_SECONDS = 0.3;
/** dyn to newtons, and the weight of a gram in dyn. */
const NEWTON_PER_DYN = 1e-5;
const GRAVITY = 981;
const LEAST_STRAIN = 0.25;

export interface TurnEvent {
  t: number;
  what: string;
  magnets: number[];
}
/** How a turn begins: what lies where, and what the hand takes. */
export interface TurnStart {
  board: readonly (readonly [magnet: number, pose: Pose])[];
  magnet: number;
  first: Pose;
  quietSeconds: number;
  wholeTime: boolean;
}
/** What can be seen and felt of a turn after a sample. */
export interface TurnFrame {
  sample: number;
  t: number;
  poses: [number, Pose][];
  held: number | null;
  hand: Pose | null;
  pull: Point | null;
  grip: number;
  strain: [number, number][];
  /** Pieces that lie: how others are strained is not known here. */
  lying: number[];
  events: TurnEvent[];
  knocks: Knock[];
  over: boolean;
}

export class Turn {
  readonly scene: Scene;
  over = false;
  samples = 0;
  readonly taken: number[] = [];
  readonly reported: TurnEvent[] = [];
  readonly #start: TurnStart;
  #hand: Pose;
  #quietSince = 0;
  #liftAt: number | null = null;
  #notBefore = 0;
  #shown = 0;

  constructor(mujoco: MuJoCo, module: WebAssembly.Module, facts: PhysicsFacts, start: TurnStart) {
    this.#start = start;
    this.scene = new Scene(mujoco, module, facts);
    for (const [magnet, pose] of start.board) this.scene.put(magnet, pose);
    const [x, y, z, ...turn] = toward(start.first, start.first, 1);
    this.#hand = [x, y, Math.max(z, ENTRY_MM), ...turn];
    this.scene.hold(start.magnet, this.#hand);
  }
  destroy(): void {
    this.scene.destroy();
  }
  get holding(): boolean {
    return this.scene.held !== null;
  }
  get seconds(): number {
    return Number((this.scene.step / STEPS_PER_SECOND).toFixed(4));
  }
  /** One sample with the hand going to a pose. */
  follow(asked: Pose): void {
    this.samples++;
    this.#hand = toward(this.#hand, asked, 1 / SAMPLES_PER_SECOND);
    this.scene.aim(this.#hand);
    const whole = this.#followSample();
    const fell = this.scene.events.some(({ what }) => what === "fall");
    this.#handleEvents();
    if (!whole && this.holding && !fell) this.letGo(); // Y7
  }
  #followSample(): boolean {
    const { scene } = this;
    let heard = scene.events.length;
    for (let done = 0; done < scene.facts.steps_per_sample; ) {
      done += scene.advance(scene.facts.steps_per_sample - done);
      for (const { what, magnets } of scene.events.slice(heard))
        if (what === "fall" || (scene.held !== null && magnets.includes(scene.held))) return false;
      heard = scene.events.length;
    }
    return true;
  }
  letGo(): void {
    this.scene.letGo();
    this.#quietSince = this.scene.step;
  }
  /** One sample without a hand. */
  wait(): void {
    const { scene } = this;
    this.samples++;
    const end = scene.step + scene.facts.steps_per_sample;
    while (scene.step < end && !this.over) {
      if (scene.atRest) {
        this.#atRest();
        continue;
      }
      scene.advance(end - scene.step);
      this.#handleEvents();
      this.#clearAway(false);
    }
    if (this.#left() <= 0 && scene.groups().length === 0) this.#finish();
  }
  #left(): number {
    return this.#start.quietSeconds - (this.scene.step - this.#quietSince) / STEPS_PER_SECOND;
  }
  #atRest(): void {
    const { scene } = this;
    if (scene.groups().length > 0) {
      if (scene.step < this.#notBefore) scene.advance(this.#notBefore - scene.step);
      this.#clearAway(true);
    } else if (this.#start.wholeTime && this.#left() > 0) {
      scene.advance(Math.round(this.#left() * STEPS_PER_SECOND));
      this.#finish();
    } else this.#finish();
  }
  #finish(): void {
    if (this.over) return;
    this.over = true;
    if (this.scene.atRest) this.#report("rest", []);
  }
  #report(what: string, magnets: readonly number[]): void {
    this.reported.push({ t: this.seconds, what, magnets: [...magnets] });
  }
  #handleEvents(): void {
    const { scene } = this;
    const fallen = new Set<number>();
    for (const { what, magnets } of scene.events) {
      this.#report(what, magnets);
      if (what === "collapse") this.#liftAt ??= scene.step + LIFT_SECONDS * STEPS_PER_SECOND;
      if (what === "fall") for (const magnet of magnets) fallen.add(magnet);
    }
    scene.events.length = 0;
    if (fallen.size === 0) return;
    if (scene.status(this.#start.magnet) !== AWAY) fallen.add(this.#start.magnet);
    this.#take([...fallen].sort((a, b) => a - b));
  }
  #clearAway(now: boolean): void {
    if (this.#liftAt === null && !now) return;
    const [first] = this.scene.groups();
    if (!first) this.#liftAt = null;
    else if (now || this.scene.step >= Math.max(this.#liftAt ?? 0, this.#notBefore)) this.#take(first);
  }
  #take(magnets: readonly number[]): void {
    this.scene.take(magnets);
    this.taken.push(...magnets);
    this.#report("taken", magnets);
    this.#quietSince = this.scene.step;
    this.#notBefore = this.scene.step + Math.round(BETWEEN_SECONDS * STEPS_PER_SECOND);
  }
  get onBoard(): [number, Pose][] {
    return this.#here((status) => status !== AWAY);
  }
  #here(wanted: (status: number) => boolean): [number, Pose][] {
    const found: [number, Pose][] = [];
    for (let magnet = 0; magnet < this.scene.facts.magnets.length; magnet++)
      if (wanted(this.scene.status(magnet))) found.push([magnet, this.scene.pose(magnet)]);
    return found;
  }
  /** The board as it is now, with the hand, the pull on what it holds, and what has happened since the last frame. */
  frame(strain: boolean): TurnFrame {
    const { scene } = this;
    const { kernels, facts, held } = scene;
    const events = this.reported.slice(this.#shown);
    this.#shown = this.reported.length;
    const frame: TurnFrame = {
      sample: this.samples,
      t: this.seconds,
      poses: this.onBoard,
      held,
      hand: null,
      pull: null,
      grip: 0,
      strain: [],
      lying: [],
      events,
      knocks: scene.heard(),
      over: this.over,
    };
    if (held !== null) {
      const [x, y, z, a, b, c] = kernels.number["wrenches"]!.subarray(6 * held, 6 * held + 6);
      const carried = Math.hypot(x!, y!, z! - facts.bodies[held]![0]! * GRAVITY);
      frame.hand = this.#hand;
      frame.pull = [x! * NEWTON_PER_DYN, y! * NEWTON_PER_DYN, z! * NEWTON_PER_DYN];
      frame.grip = Math.max(carried / facts.spring.most_force, Math.hypot(a!, b!, c!) / facts.spring.most_torque);
    }
    if (strain) {
      const loads = kernels.flatLoads();
      for (let magnet = 0; magnet < loads.length; magnet++) {
        if (loads[magnet]! >= 0) frame.lying.push(magnet);
        if (loads[magnet]! >= LEAST_STRAIN) frame.strain.push([magnet, loads[magnet]!]);
      }
    }
    return frame;
  }
}
