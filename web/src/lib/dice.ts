// Verifies a record's dice in the browser, as docs/protocol.md describes under "Chance". With its own SHA-256, since
// plain HTTP on a local network has no secure context.

const K = new Uint32Array(64);
const START = new Uint32Array(8);
{
  // SHA-256's constants are the first bits of the roots of the first primes.
  const root = (value: number, power: number): number => (value ** (1 / power) % 1) * 2 ** 32;
  let found = 0;
  for (let candidate = 2; found < 64; candidate += 1) {
    let prime = true;
    for (let factor = 2; factor * factor <= candidate; factor += 1) if (candidate % factor === 0) prime = false;
    if (!prime) continue;
    if (found < 8) START[found] = root(candidate, 2);
    K[found] = root(candidate, 3);
    found += 1;
  }
}

export function sha256(message: Uint8Array): Uint8Array {
  const padded = new Uint8Array(((message.length + 8) >> 6) * 64 + 64);
  padded.set(message);
  padded[message.length] = 0x80;
  const words = new DataView(padded.buffer);
  words.setUint32(padded.length - 8, Math.floor((message.length * 8) / 2 ** 32));
  words.setUint32(padded.length - 4, (message.length * 8) >>> 0);
  const hash = START.slice();
  const w = new Uint32Array(64);
  const turn = (value: number, by: number): number => (value >>> by) | (value << (32 - by));
  for (let block = 0; block < padded.length; block += 64) {
    for (let i = 0; i < 64; i += 1) {
      if (i < 16) w[i] = words.getUint32(block + i * 4);
      else {
        const [a, b] = [w[i - 15]!, w[i - 2]!];
        w[i] =
          w[i - 16]! + (turn(a, 7) ^ turn(a, 18) ^ (a >>> 3)) + w[i - 7]! + (turn(b, 17) ^ turn(b, 19) ^ (b >>> 10));
      }
    }
    let [a, b, c, d, e, f, g, h] = hash as unknown as [number, number, number, number, number, number, number, number];
    for (let i = 0; i < 64; i += 1) {
      const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + K[i]! + w[i]!) | 0;
      const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    for (const [i, value] of [a, b, c, d, e, f, g, h].entries()) hash[i] = hash[i]! + value;
  }
  const digest = new Uint8Array(32);
  for (const [i, value] of hash.entries()) new DataView(digest.buffer).setUint32(i * 4, value);
  return digest;
}

export function hmac(key: Uint8Array, message: Uint8Array): Uint8Array {
  const block = new Uint8Array(64);
  block.set(key.length > 64 ? sha256(key) : key);
  const joined = (pad: number, rest: Uint8Array): Uint8Array => {
    const bytes = new Uint8Array(64 + rest.length);
    for (const [i, byte] of block.entries()) bytes[i] = byte ^ pad;
    bytes.set(rest, 64);
    return bytes;
  };
  return sha256(joined(0x5c, sha256(joined(0x36, message))));
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
export const hex = (some: Uint8Array): string =>
  Array.from(some, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** The number that the seed and the players' shares give at a place of the match, below a total. */
export function draw(seed: string, numbers: readonly string[], place: string, total: bigint): bigint {
  const key = sha256(bytes(`ludotheque dice 1\n${seed}${numbers.map((number) => `\n${number}`).join("")}`));
  const largest = 1n << 64n;
  const fair = largest - (largest % total);
  for (let attempt = 0; ; attempt += 1) {
    const candidate = new DataView(hmac(key, bytes(`${place}/${attempt}`)).buffer).getBigUint64(0);
    if (candidate < fair) return candidate % total;
  }
}

export interface RecordedDice {
  commitment?: string;
  seed?: string;
  numbers?: string[];
  draws?: [string, number, number][];
  takebacks?: number[];
  order?: (number | string)[];
}
export type Finding =
  | { what: "fair"; count: number }
  | { what: "none" }
  | { what: "unknown" }
  | { what: "seal" }
  | { what: "draw"; place: string; right: string; number: string };

/** The seats whose numbers came between the commitment and the match, as they came; null where the record does not
 *  tell, "wrong" where it contradicts itself. */
export function orderOf({ order, numbers = [] }: RecordedDice): number[] | "wrong" | null {
  if (!order) return null;
  const seats = order.slice(1, -1).filter((seat): seat is number => typeof seat === "number");
  const given = numbers.flatMap((number, seat) => (number ? [seat] : []));
  const whole = order[0] === "commitment" && order.at(-1) === "match" && order.length === given.length + 2;
  return whole && given.every((seat) => seats.includes(seat)) ? seats : "wrong";
}

/** Where the dice are asked: how many actions there were and, after take-backs, how many of those there had been. */
function drawPlace(place: string, takebacks: readonly number[]): string {
  if (place.startsWith("setup.")) return place;
  const length = Number.parseInt(place, 10);
  const count = takebacks.findLastIndex((back) => back <= length) + 1;
  return count ? `${length}.${count}` : String(length);
}

/** Whether the seal holds and every draw follows from the seed. */
export function verify(dice: RecordedDice): Finding {
  if (!dice.seed || !dice.commitment) return { what: "unknown" };
  if (`sha256:${hex(sha256(bytes(dice.seed)))}` !== dice.commitment) return { what: "seal" };
  const draws = dice.draws ?? [];
  if (!draws.length) return { what: "none" };
  for (const [place, total, number] of draws) {
    const right = draw(dice.seed, dice.numbers ?? [], drawPlace(place, dice.takebacks ?? []), BigInt(total));
    if (right !== BigInt(number)) return { what: "draw", place, right: String(right), number: String(number) };
  }
  return { what: "fair", count: draws.length };
}
