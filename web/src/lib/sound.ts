// The sounds of the table: which one is heard for what, and how loud. `synth` makes them; it is loaded with the first
// one, after somebody has touched the page.
import type { GameEvent, Table } from "../contract";
import type { Sound } from "./synth";

let synth: Promise<typeof import("./synth")> | null = null;

/** Plays a sound, from 0 (not at all) to 1; nothing where sound is off, and nothing before the first tap. */
export function sound(on: boolean, name: Sound, volume = 1): void {
  if (!on || volume <= 0 || typeof AudioContext === "undefined") return;
  if (navigator.userActivation?.hasBeenActive === false) return;
  synth ??= import("./synth");
  synth.then(
    ({ play }) => play(name, Math.min(1, volume)),
    () => (synth = null), // the next sound tries again: play goes on without it
  );
}

/** A low tone that goes on until it is told to be 0; at most 1. */
export function hum(on: boolean, level: number): void {
  if (typeof AudioContext === "undefined" || navigator.userActivation?.hasBeenActive === false) return;
  const loud = on ? Math.min(1, Math.max(0, level)) : 0;
  if (loud === 0 && !synth) return;
  synth ??= import("./synth");
  synth.then(
    (made) => made.hum(loud),
    () => (synth = null),
  );
}

export type Voice = readonly [Sound, number];
type Voices = { readonly [what: string]: Voice | ((facts: GameEvent["facts"]) => Voice) };

/** Plays what has just happened at a table, every event once; `voices` has the sounds by the events' names. */
export function hearing(voices: Voices): (table: Table) => void {
  let last: unknown = null;
  return ({ moment, settings }) => {
    if (moment.events === last) return;
    last = moment.events;
    if (moment.action === null) return; // it was so before one came
    for (const { what, facts } of moment.events) {
      const voice = voices[what];
      if (voice) sound(settings.sound, ...(typeof voice === "function" ? voice(facts) : voice));
    }
  };
}
