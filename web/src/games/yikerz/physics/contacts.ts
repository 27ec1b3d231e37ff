// Which pieces touch each other, since when, and which of them hold together: the server's contacts.py, for the page's
// own simulation.
import type { PhysicsKernels } from "./kernels";
import type { Data } from "./mujoco";

/** Pieces that attract each other and have touched for so many steps hold together. */
const HELD_TOGETHER_STEPS = 24;
/** Contact that breaks for less than this is a bounce, not a parting. */
const PART_STEPS = 48;
const GRAVITY = 981;
const [APART, TOUCHING, HOLDING_TOGETHER] = [0, 1, 2];

export interface SceneEvent {
  step: number;
  what: "touch" | "collapse" | "fall";
  magnets: number[];
  /** Of a touch: how fast they met, mm/s. */
  speed?: number;
}
/** Two pieces that struck each other, and how fast, mm/s: what is heard. */
export type Knock = readonly [one: number, two: number, speed: number];
/** Slower knocks are not noted; more are not kept if nobody reads them. */
const AUDIBLE_MM_S = 30;
const MOST_KNOCKS = 200;
interface Contact {
  one: number;
  two: number;
  since: number;
  seen: number;
  reported: boolean;
  attracted: boolean;
  /** The hand pressed one on the other: then they hold together whatever the field says. */
  pressed: boolean;
}

export class Contacts {
  #pairs = new Map<number, Contact>();
  #knocks: Knock[] = [];
  readonly #count: number;
  readonly #masses: readonly number[];

  constructor(masses: readonly number[]) {
    this.#masses = masses;
    this.#count = masses.length;
  }
  get any(): boolean {
    return this.#pairs.size > 0;
  }
  /** Compare with MuJoCo's contacts after a step. What is new: touches and collapses. */
  update(
    data: Data,
    kernels: PhysicsKernels,
    first: number,
    held: number | null,
    step: number,
    resting: boolean,
  ): SceneEvent[] {
    const events = this.#seeTouches(data, kernels, first, held, step);
    const [contacts, asleep] = [kernels.whole["contact"]!, kernels.whole["asleep"]!];
    contacts.fill(APART);
    for (const [key, contact] of [...this.#pairs]) {
      const { one, two } = contact;
      for (const magnet of [one, two])
        contacts[magnet] = Math.max(contacts[magnet]!, contact.reported ? HOLDING_TOGETHER : TOUCHING);
      const sleeping = asleep[one] && asleep[two];
      const long = contact.seen - contact.since >= HELD_TOGETHER_STEPS;
      if (!sleeping && !contact.pressed && step - contact.seen > PART_STEPS) this.#pairs.delete(key);
      else if (!contact.reported && (contact.pressed || (contact.attracted && (resting || long)))) {
        contact.reported = true;
        events.push({ step, what: "collapse", magnets: [one, two] });
      }
    }
    this.#seeKnocks(kernels.number["knocks"]!);
    return events;
  }
  #seeKnocks(knocks: Float64Array): void {
    for (const [key, { one, two }] of this.#pairs) {
      const speed = Math.round(knocks[key]! * 10);
      if (speed >= AUDIBLE_MM_S && this.#knocks.length < MOST_KNOCKS) this.#knocks.push([one, two, speed]);
    }
    knocks.fill(0);
  }
  /** The knocks since this was last asked. */
  heard(): Knock[] {
    const heard = this.#knocks;
    this.#knocks = [];
    return heard;
  }
  #seeTouches(data: Data, kernels: PhysicsKernels, first: number, held: number | null, step: number): SceneEvent[] {
    const events: SceneEvent[] = [];
    if (data.ncon === 0) return events;
    const pairWrenches = kernels.number["pair_wrenches"]!;
    const found = data.contact;
    for (let k = 0; k < data.ncon; k++) {
      const seen = found.get(k);
      if (!seen) continue;
      const [a, b] = [seen.geom1 - first, seen.geom2 - first];
      if (a >= 0 && b >= 0) {
        const { frame } = seen;
        const at = 6 * (b * this.#count + a);
        // A normal points from a to b: attraction pulls b against it.
        const pull = -(
          pairWrenches[at]! * frame[0]! +
          pairWrenches[at + 1]! * frame[1]! +
          pairWrenches[at + 2]! * frame[2]!
        );
        const [one, two] = a < b ? [a, b] : [b, a];
        const key = one * this.#count + two;
        let contact = this.#pairs.get(key);
        if (!contact) {
          contact = { one, two, since: step, seen: step, reported: false, attracted: false, pressed: false };
          this.#pairs.set(key, contact);
          const met = Math.max(kernels.number["knocks"]![key]!, kernels.number["closing"]![key]!);
          events.push({ step, what: "touch", magnets: [one, two], speed: Math.round(met * 10) });
        }
        contact.seen = step;
        contact.attracted = pull > Math.min(this.#masses[a]!, this.#masses[b]!) * GRAVITY;
        if (held === one || held === two) contact.pressed = true;
      }
      seen.delete();
    }
    found.delete();
    return events;
  }
  remove(magnet: number): void {
    for (const [key, { one, two }] of [...this.#pairs]) if (one === magnet || two === magnet) this.#pairs.delete(key);
  }
  /** The pieces that hold together, group by group, the group with the lowest number first. */
  groups(): number[][] {
    let groups: Set<number>[] = [];
    for (const { one, two, reported } of this.#pairs.values()) {
      if (!reported) continue;
      const joined = groups.filter((group) => group.has(one) || group.has(two));
      groups = groups.filter((group) => !group.has(one) && !group.has(two));
      groups.push(new Set([one, two, ...joined.flatMap((group) => [...group])]));
    }
    return groups.map((group) => [...group].sort((a, b) => a - b)).sort((a, b) => a[0]! - b[0]!);
  }
}
