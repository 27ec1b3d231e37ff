// What a drag would mean, before anything is drawn.
import { expect, test } from "vitest";
import { nearest, notched } from "../src/lib/drag";

test("a drop means the nearest place within reach", () => {
  const aim = nearest(
    [
      { id: "a", x: 0, y: 0 },
      { id: "b", x: 50, y: 0 },
    ],
    30,
  );
  expect(aim({ x: 10, y: 5 })).toBe("a");
  expect(aim({ x: 30, y: 0 })).toBe("b");
  expect(aim({ x: 25, y: 40 })).toBeNull();
});
test("a rail clings to its notches, goes over between them, and hardly gives beyond the last", () => {
  expect(notched(0, -1, 1)).toBeCloseTo(0);
  expect(notched(0.15, -1, 1)).toBeLessThan(0.08);
  expect(notched(0.5, -1, 1)).toBeCloseTo(0.5);
  expect(notched(0.85, -1, 1)).toBeGreaterThan(0.92);
  expect(notched(-1, -1, 1)).toBeCloseTo(-1);
  expect(notched(3, -1, 1)).toBeLessThan(1.13);
  expect(notched(-0.8, 0, 1), "no slide that way").toBeGreaterThan(-0.13);
  for (let pulled = -1.4; pulled < 1.4; pulled += 0.01)
    expect(notched(pulled + 0.01, -1, 1)).toBeGreaterThanOrEqual(notched(pulled, -1, 1));
});
