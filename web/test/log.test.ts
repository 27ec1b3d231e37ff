// The log beside the board.
import { expect, test } from "vitest";
import { addressed, type Line, tell, turnsOf } from "../src/lib/log";

const line = (what: string, told: string, by: Line["by"] = "chance"): Line => ({
  what,
  facts: typeof by === "number" ? { player: by } : {},
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
  expect(tell(lines, "fr", words)[1]).toMatchObject({ told: "3 aimants sont distribués", by: "chance" });
});
test("one alone keeps its own words, and so does everything for which a game has no word for many", () => {
  expect(
    tell([line("deal", "egg 1 is dealt"), line("roll", "a"), line("roll", "b")], "en", words).map(({ told }) => told),
  ).toEqual(["egg 1 is dealt", "a", "b"]);
  expect(tell([line("deal", "a"), line("deal", "b")], "en", undefined)).toHaveLength(2);
});

const names = ["Anna", "Bot 2"];
const rolled = (what: string, by: number): Line => ({
  ...line("roll", `${names[by]} rolls ${what}`, "chance"),
  facts: { player: by, dice: what },
});
const dice = ({ facts }: Pick<Line, "facts">): number[] => [...String(facts["dice"] ?? "")].map(Number);

test("a turn is one sentence that names its player once, with the dice beside it and the steps within", () => {
  const lines = [
    rolled("35", 1),
    line("place", "Bot 2 puts a marble into line 3", 1),
    line("right", "Bot 2 slides rail 4 towards line 6", 1),
    line("goal", "Goal! Bot 2 has five in line", 1),
    rolled("12", 0),
  ];
  const turns = turnsOf(tell(lines, "en", undefined, names, { dice }), names, "en");
  expect(turns.map(({ seat, told, dice, steps }) => [seat, told, dice, steps.length])).toEqual([
    [1, "Bot 2 puts a marble into line 3 and slides rail 4 towards line 6. Goal! Bot 2 has five in line", [3, 5], 4],
    [0, "Anna rolls 12", [1, 2], 1],
  ]);
});
test("what goes without saying stands among the steps only", () => {
  const lines = [line("place", "Anna puts a marble into line 3", 0), line("stay", "Anna leaves rail 4 where it is", 0)];
  const [turn] = turnsOf(tell(lines, "en", undefined, names, { asides: ["stay"] }), names, "en");
  expect(turn).toMatchObject({ told: "Anna puts a marble into line 3", steps: [{}, { aside: true }] });
  const [alone] = turnsOf(tell(lines.slice(1), "en", undefined, names, { asides: ["stay"] }), names, "en");
  expect(alone?.told).toBe("Anna leaves rail 4 where it is");
  const solo = turnsOf(tell([...lines, ...lines], "en", undefined, names, { asides: ["stay"] }), ["Anna"], "en");
  expect(solo.map(({ told }) => told)).toEqual(Array(2).fill("Anna puts a marble into line 3"));
});
test("what one player wins again and again is added up, where the sentence says nothing else", () => {
  const won = (count: number, player: number): Line => ({
    ...line("take", `${names[player]} wins ${count}`, player),
    facts: { player, count },
  });
  const counting = (other: string): { [language: string]: Record<string, string> } => ({
    en: { "event.take_other": other },
  });
  const lines = [won(1, 0), won(1, 0), won(2, 0), won(3, 1)];
  const say = (other: string): string[] => tell(lines, "en", counting(other), names).map(({ told }) => told);
  expect(say("{player} wins {count} marbles")).toEqual(["Anna wins 4 marbles", "Bot 2 wins 3"]);
  expect(say("{player} collects {colour} and has {count}")).toHaveLength(4);
});
test("what belongs to nobody is a part of the turn in which it happened, and who plays alone has no turns", () => {
  const lines = [line("place", "Anna places", 0), line("line", "One line rises"), line("rest", "All is quiet", null)];
  expect(turnsOf(tell(lines, "en", undefined), names, "en").map(({ told }) => told)).toEqual([
    "Anna places. One line rises. All is quiet",
  ]);
  expect(turnsOf(tell(lines, "en", undefined), ["Anna"], "en")).toHaveLength(3);
});

test("a player is spoken to where the game's list knows how", () => {
  const pairs = "{name} steals=You steal | and has=and have | from {name}=from you | {name} has=You have";
  const say = (told: string): string => addressed(told, "Ann", pairs);
  expect(say("Ann steals cube B from Bot 2 and has 3")).toBe("You steal cube B from Bot 2 and have 3");
  expect(say("Bot 2 steals cube B from Ann and has 3")).toBe("Bot 2 steals cube B from you and has 3");
  expect(say("Goal! Ann has five in line")).toBe("Goal! You have five in line");
  expect(say("Mary Ann steals cube B from Anna")).toBe("Mary Ann steals cube B from Anna");
  expect(say("Ann dances")).toBe("Ann dances");
});
test("one's own turn names its player once, too", () => {
  const lines = [line("move", "You move to d4", 0), line("collect", "You collect cube B", 0)];
  const turns = turnsOf(tell(lines, "en", undefined), names, "en", { seat: 0, subject: "You" });
  expect(turns.map(({ told }) => told)).toEqual(["You move to d4 and collect cube B"]);
});
