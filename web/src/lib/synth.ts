// Makes the table's sounds out of decaying tones and noise: dice on felt, glass in wood, a notch, a wooden knock, the
// clack of metal, and a quiet end. Which one is played, and how loud, is decided by `sound`.
export type Sound = "dice" | "glass" | "notch" | "wood" | "clack" | "end";

/** One strike: when and how loud, its tones as [hertz, loudness, seconds until a third is left], and its noise. */
interface Strike {
  at: number;
  loud: number;
  tones: readonly (readonly [number, number, number])[];
  /** Loudness, seconds, and how dull it is, from 0 to 1. */
  noise?: readonly [number, number, number];
  /** Seconds until it is at its loudest. */
  attack?: number;
}
const again = (strike: Omit<Strike, "at" | "loud">, times: readonly (readonly [number, number])[]): Strike[] =>
  times.map(([at, loud]) => ({ ...strike, at, loud }));

const STRIKES: { readonly [name in Sound]: readonly Strike[] } = {
  dice: again(
    {
      tones: [
        [165, 0.5, 0.022],
        [310, 0.2, 0.012],
      ],
      noise: [0.8, 0.011, 0.75],
    },
    [
      [0, 1],
      [0.047, 0.7],
      [0.083, 0.8],
      [0.14, 0.5],
      [0.178, 0.35],
      [0.247, 0.2],
    ],
  ),
  glass: again(
    {
      tones: [
        [410, 0.45, 0.05],
        [2310, 0.3, 0.03],
        [3720, 0.2, 0.024],
        [5240, 0.1, 0.016],
      ],
      noise: [0.2, 0.004, 0.2],
    },
    [
      [0, 1],
      [0.095, 0.34],
      [0.152, 0.14],
    ],
  ),
  notch: again(
    {
      tones: [
        [690, 0.5, 0.018],
        [1180, 0.25, 0.01],
      ],
      noise: [0.5, 0.003, 0.3],
    },
    [
      [0, 0.7],
      [0.075, 1],
    ],
  ),
  wood: again(
    {
      tones: [
        [285, 0.6, 0.045],
        [530, 0.3, 0.03],
        [870, 0.15, 0.02],
      ],
      noise: [0.3, 0.005, 0.5],
    },
    [[0, 1]],
  ),
  clack: again(
    {
      tones: [
        [1150, 0.4, 0.06],
        [1870, 0.3, 0.05],
        [2790, 0.25, 0.04],
        [4120, 0.15, 0.03],
      ],
      noise: [0.7, 0.004, 0.1],
    },
    [
      [0, 1],
      [0.036, 0.45],
      [0.061, 0.2],
    ],
  ),
  end: [392, 523.25, 659.25].map((hertz, place) => ({
    at: place * 0.16,
    loud: 0.5,
    tones: [
      [hertz, 0.6, 0.45],
      [hertz * 2, 0.1, 0.3],
    ],
    attack: 0.03,
  })),
};

function samples(strikes: readonly Strike[], rate: number): Float32Array<ArrayBuffer> {
  const tail = (strike: Strike): number =>
    strike.at + 6 * Math.max(strike.noise?.[1] ?? 0, ...strike.tones.map(([, , decay]) => decay));
  const made = new Float32Array(Math.ceil(rate * Math.max(...strikes.map(tail))));
  let seed = 7;
  for (const strike of strikes) {
    const start = Math.round(strike.at * rate);
    let dull = 0;
    for (let place = start; place < made.length; place += 1) {
      const t = (place - start) / rate;
      let value = 0;
      for (const [hertz, loud, decay] of strike.tones)
        value += loud * Math.sin(2 * Math.PI * hertz * t) * Math.exp(-t / decay);
      if (strike.noise) {
        const [loud, decay, dullness] = strike.noise;
        seed = (seed * 1103515245 + 12345) & 0x7fffffff;
        dull = dull * dullness + (seed / 0x3fffffff - 1) * (1 - dullness);
        value += loud * dull * Math.exp(-t / decay);
      }
      made[place]! += strike.loud * value * Math.min(1, strike.attack ? t / strike.attack : 1);
    }
  }
  return made;
}

let context: AudioContext | null = null;
/** The low tone that goes on while something pulls, and how loud it may be. */
let low: { tone: OscillatorNode; loudness: GainNode } | null = null;
const LOUDEST_HUM = 0.16;
const HUM_LAG_S = 0.05;
const made = new Map<Sound, AudioBuffer>();
/** Soft: the loudest sound leaves room for whoever talks at the table. */
const LOUDEST = 0.45;

export function play(name: Sound, volume: number): void {
  context ??= new AudioContext();
  if (context.state === "suspended") void context.resume();
  let buffer = made.get(name);
  if (!buffer) {
    const wave = samples(STRIKES[name], context.sampleRate);
    buffer = context.createBuffer(1, wave.length, context.sampleRate);
    buffer.copyToChannel(wave, 0);
    made.set(name, buffer);
  }
  const source = new AudioBufferSourceNode(context, { buffer });
  source.connect(new GainNode(context, { gain: volume * LOUDEST })).connect(context.destination);
  source.start();
}

/** A low tone that goes on, louder and a little higher the more there is of it: from 0 (silent) to 1. */
export function hum(level: number): void {
  if (level <= 0 && !low) return;
  context ??= new AudioContext();
  const now = context.currentTime;
  if (level <= 0) {
    low!.loudness.gain.setTargetAtTime(0, now, HUM_LAG_S);
    low!.tone.stop(now + 8 * HUM_LAG_S);
    low = null;
    return;
  }
  if (context.state === "suspended") void context.resume();
  if (!low) {
    const tone = new OscillatorNode(context, { type: "triangle", frequency: 62 });
    const loudness = new GainNode(context, { gain: 0 });
    // Small loudspeakers have no deep tones: a triangle's third and fifth partials stand for them, softened.
    const soft = new BiquadFilterNode(context, { type: "lowpass", frequency: 420 });
    tone.connect(soft).connect(loudness).connect(context.destination);
    tone.start();
    low = { tone, loudness };
  }
  low.tone.frequency.setTargetAtTime(62 + 46 * level, now, HUM_LAG_S);
  low.loudness.gain.setTargetAtTime(level * LOUDEST_HUM, now, HUM_LAG_S);
}
