// How a pull is felt where nothing pulls: as a low tone and as a vibration, both the stronger the more there is of it.
// What is drawn of it is in `scene`.
import { hum } from "../../lib/sound";
import type { Point } from "./pose";

/** The weight of a gram, newtons. */
const GRAM_N = 0.00981;
/** From this pull on something is felt, newtons: a tenth of a magnet's weight; and from this on all there is to feel.
 *  Lying magnets begin to move at about half of it. */
const LEAST_N = 0.003;
const MOST_N = 0.05;
/** Vibrations come in pulses, this often; each takes at most this long. */
const PULSE_MS = 110;
const LONGEST_MS = 60;

export const newtons = (pull: Point): number => Math.hypot(...pull);
/** A force as people know it, in grams. */
export const grams = (pull: Point): number => newtons(pull) / GRAM_N;
/** How strongly a pull is felt, from 0 to 1. Fingers feel ratios, so it grows like the logarithm. */
export const intensity = (pull: Point): number =>
  Math.min(1, Math.max(0, Math.log(newtons(pull) / LEAST_N) / Math.log(MOST_N / LEAST_N)));

export class Feel {
  #pulsed = -Infinity;
  #feels = false;

  /** What pulls at the own hand now; null when it holds nothing. */
  follow(pull: Point | null, on: boolean, now: number): void {
    const level = pull && on ? intensity(pull) : 0;
    if (level === 0 && !this.#feels) return;
    this.#feels = level > 0;
    hum(on, level);
    if (level === 0) vibrate(0);
    else if (now - this.#pulsed >= PULSE_MS) {
      this.#pulsed = now;
      vibrate(Math.max(6, Math.round(level * LONGEST_MS)));
    }
  }
}

function vibrate(ms: number): void {
  if (navigator.userActivation?.hasBeenActive === false) return;
  navigator.vibrate?.(ms);
}
