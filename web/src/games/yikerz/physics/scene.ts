// Magnets on a board as a physical scene in the page: the server's world.py and scene.py over MuJoCo's WebAssembly and
// our own kernels. What a touch or a fall means for a turn is in `turn`.
import type { Pose } from "../pose";
import { Contacts, type Knock, type SceneEvent } from "./contacts";
import { PhysicsKernels, type Spring } from "./kernels";
import { ALLOWED, type Data, FULLY_AWAKE, type Model, type MuJoCo, NEVER, type Options, updateSleep } from "./mujoco";

/** What the server tells of its physics, so that the page simulates the same (`page_physics.py`). */
export interface PhysicsFacts {
  /** A hash of the sources: it must be the kernels'. */
  sources: string;
  /** The board and its magnets in MuJoCo's XML. */
  model: string;
  /** The poles of each magnet. */
  magnets: number[][][];
  bodies: number[][];
  /** The corners of each magnet, cm. */
  shapes: { [name: string]: number[][] };
  shape_of: string[];
  spring: Spring;
  steps_per_sample: number;
  contact_steps: number;
}

export const [AWAY, ON_BOARD, HELD] = [0, 1, 2];
const MASS = 0;

/** The simulation has broken down: a piece moves impossibly fast. */
export class PhysicsBroken extends Error {}

export class Scene {
  step = 0;
  held: number | null = null;
  readonly events: SceneEvent[] = [];
  readonly kernels: PhysicsKernels;
  readonly facts: PhysicsFacts;
  readonly #mujoco: MuJoCo;
  readonly #model: Model;
  readonly #data: Data;
  readonly #contacts: Contacts;
  readonly #firstGeom: number;
  readonly #options: Options;
  #snaps = 0;
  #handSteps = 0;
  #views: Views;

  constructor(mujoco: MuJoCo, module: WebAssembly.Module, facts: PhysicsFacts) {
    this.#mujoco = mujoco;
    this.facts = facts;
    const pieces = facts.magnets.length;
    this.kernels = new PhysicsKernels(module, pieces);
    this.#model = mujoco.MjModel.from_xml_string(facts.model);
    this.#data = new mujoco.MjData(this.#model);
    this.#options = this.#model.opt;
    this.#firstGeom = this.#model.body_geomadr[1]!;
    this.#views = viewsOf(this.#model, this.#data, this.#firstGeom);
    this.#contacts = new Contacts(facts.bodies.map((body) => body[MASS]!));
    const { number, whole } = this.kernels;
    number["timestep"]![0] = this.#options.timestep;
    number["friction_ratio"]![0] = this.#options.impratio;
    number["contact_springs"]!.set(this.#views.springs);
    number["magnets"]!.set(facts.magnets.flat(2));
    number["bodies"]!.set(facts.bodies.flat());
    number["meshes"]!.set(facts.shape_of.flatMap((name) => facts.shapes[name]!.flat()));
    whole["asleep"]!.fill(1);
    mujoco.mj_forward(this.#model, this.#data);
    for (let magnet = 0; magnet < pieces; magnet++) {
      this.#setCollisions(magnet, false);
      this.#views.treeAsleep[magnet] = magnet;
    }
    whole["sleep_policy"]!.fill(ALLOWED);
    this.#views.policy.fill(ALLOWED);
    updateSleep(this.#data);
    this.#read();
  }
  destroy(): void {
    this.#options.delete();
    this.#data.delete();
    this.#model.delete();
  }
  get #now(): Views {
    // MuJoCo's memory has grown: the old views are empty
    if (this.#views.qpos.length === 0) this.#views = viewsOf(this.#model, this.#data, this.#firstGeom);
    return this.#views;
  }
  /** What MuJoCo has changed. */
  #read(): void {
    const [views, { number, whole }] = [this.#now, this.kernels];
    number["poses"]!.set(views.qpos);
    number["velocities"]!.set(views.qvel);
    whole["awake"]!.set(views.treeAwake);
  }
  #setCollisions(magnet: number, on: boolean): void {
    const [model, bit] = [this.#model, on ? 1 : 0];
    model.geom_contype[this.#firstGeom + magnet] = bit;
    model.geom_conaffinity[this.#firstGeom + magnet] = bit;
    model.body_contype[1 + magnet] = bit;
    model.body_conaffinity[1 + magnet] = bit;
  }

  // --- magnets in and out, and the hand ---

  put(magnet: number, pose: Pose): void {
    this.#enter(magnet, pose, ON_BOARD);
  }
  hold(magnet: number, pose: Pose): void {
    this.#enter(magnet, pose, HELD);
    this.held = magnet;
    this.kernels.number["hand_start"]!.set(centimetres(pose));
    this.kernels.number["hand_end"]!.set(centimetres(pose));
    this.#handSteps = 0;
  }
  #enter(magnet: number, pose: Pose, status: number): void {
    const [views, { whole }] = [this.#now, this.kernels];
    whole["status"]![magnet] = status;
    views.qpos.set(centimetres(pose), 7 * magnet);
    views.qvel.fill(0, 6 * magnet, 6 * magnet + 6);
    this.#setCollisions(magnet, true);
    this.#wake(magnet);
    this.#afterSleepChanged();
    this.kernels.fieldAnew(false);
  }
  #wake(magnet: number): void {
    const [views, { whole }] = [this.#now, this.kernels];
    whole["asleep"]![magnet] = 0;
    whole["still_steps"]![magnet] = 0;
    whole["sleep_policy"]![magnet] = views.policy[magnet] = NEVER;
    views.treeAsleep[magnet] = FULLY_AWAKE;
  }
  #afterSleepChanged(): void {
    updateSleep(this.#data);
    this.#read();
  }
  /** Lift magnets off the board, all at once. */
  take(magnets: readonly number[]): void {
    const [views, { whole }] = [this.#now, this.kernels];
    for (const magnet of magnets) {
      // those that MuJoCo put to sleep together with it form a cycle
      for (let current = magnet; views.treeAsleep[current]! >= 0; ) {
        const after = views.treeAsleep[current]!;
        views.treeAsleep[current] = FULLY_AWAKE;
        if (whole["status"]![current] !== AWAY) this.#wake(current);
        current = after;
      }
      whole["status"]![magnet] = AWAY;
      views.qvel.fill(0, 6 * magnet, 6 * magnet + 6);
      views.warmStart.fill(0, 6 * magnet, 6 * magnet + 6);
      this.#setCollisions(magnet, false);
      whole["asleep"]![magnet] = 1;
      views.treeAsleep[magnet] = magnet;
      whole["sleep_policy"]![magnet] = views.policy[magnet] = ALLOWED;
      if (this.held === magnet) this.held = null;
      this.#contacts.remove(magnet);
    }
    this.#afterSleepChanged();
    this.kernels.fieldAnew(true);
    views.policy.set(whole["sleep_policy"]!);
  }
  /** Where the hand will be at the end of the next sample, mm. */
  aim(pose: Pose): void {
    const { number } = this.kernels;
    number["hand_start"]!.set(number["hand_end"]!);
    number["hand_end"]!.set(centimetres(pose));
    this.#handSteps = 0;
  }
  letGo(): void {
    if (this.held === null) return;
    this.kernels.whole["status"]![this.held] = ON_BOARD;
    this.held = null;
  }

  // --- time ---

  get atRest(): boolean {
    const { whole } = this.kernels;
    return this.held === null && whole["asleep"]!.every(Boolean) && !whole["sleep_policy"]!.includes(NEVER);
  }
  /** Let at most so many steps pass; ends early after an event. Returns the steps that have passed. */
  advance(steps: number): number {
    const close = this.kernels.whole["pieces_close"]!;
    const known = this.events.length;
    let passed = 0;
    while (passed < steps) {
      if (this.atRest) {
        this.step += steps - passed;
        return steps;
      }
      const chunk = Math.min(close[0] ? this.facts.contact_steps : this.facts.steps_per_sample, steps - passed);
      close[0] = 0;
      const [done, resting] = this.#steps(chunk);
      passed += done;
      this.step += done;
      this.#handSteps += done;
      this.#report(resting);
      if (this.events.length > known) return passed;
    }
    return passed;
  }
  #steps(count: number): [number, boolean] {
    const { kernels, facts } = this;
    const { number, whole } = kernels;
    for (let step = 0; step < count; step++) {
      if (kernels.sleeping) return [step, true];
      const parts = kernels.divide();
      this.#applyOptions();
      for (let part = 1; part <= parts; part++) {
        this.#mujoco.mj_step1(this.#model, this.#data);
        const views = this.#now;
        this.#read();
        number["passive_forces"]!.set(views.passive);
        const share = Math.min(1, (this.#handSteps + step + part / parts) / facts.steps_per_sample);
        const close = kernels.betweenHalves(share, facts.spring);
        views.passive.set(number["passive_forces"]!);
        views.policy.set(whole["sleep_policy"]!);
        this.#mujoco.mj_step2(this.#model, this.#data);
        this.#read();
        if (!kernels.credible) throw new PhysicsBroken();
        if (close) whole["pieces_close"]![0] = 1;
      }
      kernels.afterStep();
      this.#now.policy.set(whole["sleep_policy"]!);
    }
    return [count, false];
  }
  /** While pieces snap, steps are shorter and contacts stiffer. */
  #applyOptions(): void {
    const { number, whole } = this.kernels;
    this.#options.timestep = number["timestep"]![0]!;
    if (this.#snaps === whole["snapping"]![0]) return;
    this.#snaps = whole["snapping"]![0]!;
    this.#options.impratio = number["friction_ratio"]![0]!;
    this.#now.springs.set(number["contact_springs"]!);
  }
  #report(resting: boolean): void {
    if (this.kernels.whole["pieces_close"]![0] || this.#contacts.any)
      this.events.push(
        ...this.#contacts.update(this.#data, this.kernels, this.#firstGeom, this.held, this.step, resting),
      );
    const fallen = this.kernels.fallen();
    if (fallen.length > 0) this.events.push({ step: this.step, what: "fall", magnets: fallen });
  }

  // --- looking ---

  status(magnet: number): number {
    return this.kernels.whole["status"]![magnet]!;
  }
  /** The pose of a magnet, mm. */
  pose(magnet: number): Pose {
    const [x, y, z, w, a, b, c] = this.kernels.number["poses"]!.subarray(7 * magnet, 7 * magnet + 7);
    return [x! * 10, y! * 10, z! * 10, w!, a!, b!, c!];
  }
  groups(): number[][] {
    return this.#contacts.groups();
  }
  heard(): Knock[] {
    return this.#contacts.heard();
  }
}

interface Views {
  qpos: Float64Array;
  qvel: Float64Array;
  passive: Float64Array;
  warmStart: Float64Array;
  treeAsleep: Int32Array;
  treeAwake: Int32Array;
  policy: Int32Array;
  springs: Float64Array;
}
/** Each access to one of MuJoCo's arrays makes a new view: once is enough. */
const viewsOf = (model: Model, data: Data, firstGeom: number): Views => ({
  qpos: data.qpos,
  qvel: data.qvel,
  passive: data.qfrc_passive,
  warmStart: data.qacc_warmstart,
  treeAsleep: data.tree_asleep,
  treeAwake: data.tree_awake,
  policy: model.tree_sleep_policy,
  springs: model.geom_solref.subarray(2 * firstGeom),
});

function centimetres(pose: Pose): number[] {
  const [x, y, z, ...turn] = pose;
  const length = Math.hypot(...turn);
  return [x / 10, y / 10, z / 10, ...turn.map((one) => one / length)];
}
