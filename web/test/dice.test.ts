// The browser's own hash functions against published vectors and Node's, and what a bent record looks like.
import { createHash, createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { draw, hex, hmac, orderOf, sha256, verify } from "../src/lib/dice";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe("SHA-256", () => {
  it("gives the published digests", () => {
    expect(hex(sha256(bytes("")))).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    expect(hex(sha256(bytes("abc")))).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  });
  it("agrees with Node's at every length around the blocks", () => {
    for (let length = 0; length < 200; length += 1) {
      const message = bytes("é".repeat(length).slice(0, length));
      expect(hex(sha256(message))).toBe(createHash("sha256").update(message).digest("hex"));
      expect(hex(hmac(message, message))).toBe(createHmac("sha256", message).update(message).digest("hex"));
    }
  });
});

describe("a record's dice", () => {
  const seed = "a secret";
  const numbers = ["one", "two"];
  const commitment = `sha256:${createHash("sha256").update(seed).digest("hex")}`;
  const draws = ["setup.0", "0", "17"].map((place): [string, number, number] => [
    place,
    7776,
    Number(draw(seed, numbers, place, 7776n)),
  ]);
  it("are fair when seal and draws hold", () => {
    expect(verify({ seed, commitment, numbers, draws })).toEqual({ what: "fair", count: 3 });
  });
  it("are not when a draw, a player's number or the seal was changed", () => {
    const [first, ...rest] = draws;
    expect(
      verify({ seed, commitment, numbers, draws: [[first![0], first![1], (first![2] + 1) % 7776], ...rest] }).what,
    ).toBe("draw");
    expect(verify({ seed, commitment, numbers: ["one", "other"], draws }).what).toBe("draw");
    expect(verify({ seed: "another", commitment, numbers, draws }).what).toBe("seal");
  });
  it("are other dice after a take-back, and the take-backs are told", () => {
    const places = ["setup.0", "0", "5.1", "9.2"];
    const taken = places.map((place): [string, number, number] => [place, 36, Number(draw(seed, numbers, place, 36n))]);
    const record = { seed, commitment, numbers, draws: taken };
    expect(verify({ ...record, takebacks: [5, 9] })).toEqual({ what: "fair", count: 4 });
    expect(verify(record).what).toBe("draw");
    expect(verify({ ...record, takebacks: [5] }).what).toBe("draw");
  });
  it("tell in which order commitment and numbers came, or contradict themselves", () => {
    expect(orderOf({ numbers, order: ["commitment", 1, 0, "match"] })).toEqual([1, 0]);
    expect(orderOf({ numbers: [], order: ["commitment", "match"] })).toEqual([]);
    expect(orderOf({ numbers: ["one", ""], order: ["commitment", 0, "match"] })).toEqual([0]);
    expect(orderOf({ numbers })).toBe(null);
    for (const order of [["commitment", 1, "match"], [1, "commitment", 0, "match"], ["commitment", 1, 1, "match"], []])
      expect(orderOf({ numbers, order })).toBe("wrong");
  });
  it("cannot be judged before the seed is told", () => {
    expect(verify({ commitment, numbers, draws }).what).toBe("unknown");
  });
});
