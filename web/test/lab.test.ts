// The magnet lab's requests and ready-made experiments, as far as they need no browser.
import { expect, test } from "vitest";
import { matCorners } from "../src/games/yikerz/mats";
import { EXPERIMENTS, fourMats, labRequest, readRequest } from "../src/games/yikerz/lab/experiments";

test("a request that is written out is read back as it was", () => {
  const laid = EXPERIMENTS["cross"]!;
  const text = JSON.stringify(labRequest(fourMats(140), laid, 3));
  const back = readRequest(text)!;
  expect(back.seconds).toBe(3);
  expect(JSON.stringify(labRequest(back.mats, back.laid, back.seconds))).toBe(text);
});
test("half a text, other JSON and wrong numbers are no request", () => {
  for (const text of [
    "",
    '{"mats":[',
    "[]",
    "null",
    '{"mats":[[0,0]],"magnets":[]}',
    '{"mats":[],"magnets":[{"shape":"egg","pose":[1,2]}]}',
    '{"mats":[],"magnets":[null]}',
  ])
    expect(readRequest(text)).toBeNull();
});
test("the four mats make one triangle of twice the side: six different corners, of which three are shared", () => {
  const corners = fourMats(140)
    .flatMap((mat) => matCorners(mat, 140))
    .map((spot) => spot.map((value) => Math.round(value)).join());
  expect(new Set(corners).size).toBe(6);
});
test("in no experiment do two magnets begin inside each other", () => {
  for (const laid of Object.values(EXPERIMENTS))
    laid.forEach((one, k) =>
      laid
        .slice(k + 1)
        .forEach((other) =>
          expect(Math.hypot(...[0, 1, 2].map((axis) => one.pose[axis]! - other.pose[axis]!))).toBeGreaterThan(17),
        ),
    );
});
