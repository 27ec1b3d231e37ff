// The log beside the board.
import { expect, test } from "vitest";
import { type Line, tell } from "../src/lib/log";

const line = (what: string, told: string, by: Line["by"] = "chance"): Line => ({
  what,
  words: { en: told, fr: `${told} (fr)` },
  by,
});
const words = {
  en: { "event.deal.many": "{count} magnets are dealt" },
  fr: { "event.deal.many": "{count} aimants sont distribués" },
};

test("magnets that are dealt one by one are one line, in the language that is read now", () => {
  const lines = [
    line("layout", "Anna lays the mats", 0),
    line("deal", "egg 1 is dealt"),
    line("deal", "egg 2 is dealt"),
    line("deal", "coin 3 is dealt"),
    line("stack", "Anna chooses", 0),
  ];
  expect(tell(lines, "en", words).map(({ told }) => told)).toEqual([
    "Anna lays the mats",
    "3 magnets are dealt",
    "Anna chooses",
  ]);
  expect(tell(lines, "fr", words)[1]).toEqual({ told: "3 aimants sont distribués", by: "chance" });
});
test("one alone keeps its own words, and so does everything for which a game has no word for many", () => {
  expect(
    tell([line("deal", "egg 1 is dealt"), line("roll", "a"), line("roll", "b")], "en", words).map(({ told }) => told),
  ).toEqual(["egg 1 is dealt", "a", "b"]);
  expect(tell([line("deal", "a"), line("deal", "b")], "en", undefined)).toHaveLength(2);
});
