// What decided a match.
import { expect, test } from "vitest";
import { chanceBefore, decidedBy, mistakesOf, turningPoint } from "../src/lib/ending";
import type { Review, ReviewedMoment } from "../src/lib/network";

const moment = (place: number, first: number, more: Partial<ReviewedMoment> = {}): ReviewedMoment => ({
  place,
  by: 0,
  action: "",
  chances: [first, 1 - first],
  lost: 0,
  ...more,
});

test("the match turned when the winner came ahead for good", () => {
  const moments = [moment(0, 0.5), moment(1, 0.7), moment(2, 0.4), moment(3, 0.65), moment(4, 0.9), moment(5, 1)];
  expect(turningPoint(moments, 0)?.place).toBe(3);
  expect(chanceBefore(moments, moments[3]!, 0)).toBe(0.4);
  const other = moments.map((one) => ({ ...one, chances: [...one.chances!].reverse() }));
  expect(turningPoint(other, 1)?.place).toBe(3);
});
test("who was ahead all the time won by what brought most", () => {
  expect(turningPoint([moment(0, 0.6), moment(1, 0.62), moment(2, 0.9), moment(3, 1)], 0)?.place).toBe(2);
  expect(turningPoint([], 0)).toBeNull();
  expect(turningPoint([{ ...moment(0, 0.6), chances: null }], 0)).toBeNull();
});
test("three mistakes of one's own, the worst first", () => {
  const slip = (place: number, lost: number, by = 0): ReviewedMoment =>
    moment(place, 0.5, { by, lost, size: "mistake" });
  const moments = [
    slip(1, 0.06),
    slip(2, 0.3, 1),
    slip(3, 0.2),
    moment(4, 0.5, { lost: 0.01 }),
    slip(5, 0.08),
    slip(6, 0.07),
  ];
  expect(mistakesOf(moments, 0).map(({ place }) => place)).toEqual([3, 5, 6]);
});
test("luck and skill are told apart", () => {
  const seat = (luck: number | null, lost: number): Review["players"][number] => ({
    luck,
    lost,
    decisions: 9,
    mistakes: { blunder: 0, mistake: 0, inaccuracy: 0 },
  });
  const by = (own: Review["players"][number], other: Review["players"][number], won: boolean): string =>
    decidedBy({ judge: "bot:4", players: [own, other], moments: [] }, 0, won);
  expect(by(seat(0.3, 0.2), seat(-0.3, 0.1), true)).toBe("luck");
  expect(by(seat(-0.3, 0.1), seat(0.3, 0.5), true)).toBe("skill");
  expect(by(seat(0.2, 0.1), seat(-0.2, 0.5), true)).toBe("both");
  expect(by(seat(-0.2, 0.5), seat(0.2, 0.1), false)).toBe("both");
  expect(by(seat(null, 0.5), seat(null, 0.1), false)).toBe("skill");
  expect(by(seat(0, 0.1), seat(0, 0.1), false)).toBe("close");
});
