// What is told of one's finished games: who won, against whom, and when another opponent is suggested.
import { describe, expect, it } from "vitest";
import { against, levelOf, losses, lucks, merged, outcome, score, suggestion } from "../src/lib/figures";
import type { GameResult } from "../src/lib/network";
import { dayOf, puzzles } from "../src/lib/puzzles.svelte";

let count = 0;
function played(returns: number[], players: string[], more: Partial<GameResult> = {}): GameResult {
  count += 1;
  const names = players.map((kind) => kind);
  const usual = { record: `r${count}`, game: "pig", ended: 1000 * count, seats: [0], review: null };
  return { ...usual, players, names, returns, ...more };
}
const BOT_2 = ["human", "bot:2"];
const won = (): GameResult => played([1, 0], BOT_2);
const lost = (): GameResult => played([0, 1], BOT_2);
const latestFirst = (...results: GameResult[]): GameResult[] => merged([], results, 100);

describe("a result", () => {
  it("is won, lost or drawn for one's own seat", () => {
    expect([won(), lost(), played([0.5, 0.5], BOT_2)].map(outcome)).toEqual(["won", "lost", "drawn"]);
    expect(outcome(played([0, 1], ["bot:2", "human"], { seats: [1] }))).toBe("won");
  });
  it("is nobody's where people shared a screen, or one played alone", () => {
    expect(outcome(played([1, 0], ["human", "human"], { seats: [0, 1] }))).toBeNull();
    expect(outcome(played([1], ["human"]))).toBeNull();
  });
  it("counts for a level only where all others were bots of it", () => {
    expect(levelOf(won())).toBe(2);
    expect(levelOf(played([1, 0, 0], ["human", "bot:3", "bot:3"]))).toBe(3);
    expect(levelOf(played([1, 0, 0], ["human", "bot:3", "bot:4"]))).toBeNull();
    expect(levelOf(played([1, 0], ["human", "human"]))).toBeNull();
    expect(levelOf(played([1, 0], ["human", "cmd:other"]))).toBeNull();
  });
  it("is counted once, as it was told last", () => {
    const first = won();
    const again = { ...first, review: { decisions: 4, lost: 0.2, luck: 0.1 } };
    expect(merged([first], [again], 10)).toEqual([again]);
    expect(merged([won(), won(), first], [], 2).length).toBe(2);
  });
});

describe("another opponent", () => {
  const LEVELS = [1, 2, 3, 4, 5];
  it("is suggested after three in a row", () => {
    expect(suggestion(latestFirst(lost(), won(), won(), won()), "pig", 2, LEVELS)).toEqual({
      why: "too-easy",
      level: 3,
    });
    expect(suggestion(latestFirst(lost(), lost(), lost()), "pig", 2, LEVELS)).toEqual({ why: "too-hard", level: 1 });
  });
  it("is not suggested before, nor after a change of luck, nor for another game", () => {
    expect(suggestion(latestFirst(won(), won()), "pig", 2, LEVELS)).toBeNull();
    expect(suggestion(latestFirst(won(), won(), won(), lost()), "pig", 2, LEVELS)).toBeNull();
    expect(suggestion(latestFirst(won(), won(), won()), "goose", 2, LEVELS)).toBeNull();
  });
  it("is one that there is", () => {
    const best = [0, 0, 0].map(() => played([1, 0], ["human", "bot:5"]));
    expect(suggestion(latestFirst(...best), "pig", 5, LEVELS)).toBeNull();
  });
});

describe("figures", () => {
  it("count what was played and won", () => {
    expect(score([won(), lost(), won(), played([0.5, 0.5], BOT_2), played([1], ["human"])])).toEqual({
      played: 4,
      won: 2,
      drawn: 1,
    });
    expect(against([won(), played([1, 0], ["human", "bot:4"])], "pig", 4).length).toBe(1);
  });
  it("come from reviews alone, the first game first", () => {
    const early = played([1, 0], BOT_2, { review: { decisions: 10, lost: 0.5, luck: null } });
    const late = played([1, 0], BOT_2, { review: { decisions: 4, lost: 0.1, luck: -0.25 } });
    const none = played([1, 0], BOT_2, { review: { decisions: 0, lost: 0, luck: 0 } });
    const all = latestFirst(early, late, none, won());
    expect(losses(all).map(({ value }) => value)).toEqual([0.05, 0.025]);
    expect(lucks(all).map(({ value }) => value)).toEqual([-0.25, 0]);
  });
});

describe("days in a row", () => {
  const DAY = 86_400_000;
  const start = Date.UTC(2026, 0, 10, 12);
  it("grow with each day on which one of its puzzles was solved at the first try", () => {
    expect(dayOf(start)).toBe("2026-01-10");
    puzzles.answeredToday("pig", true, start);
    puzzles.answeredToday("goose", true, start);
    puzzles.answeredToday("pig", true, start + DAY);
    expect(puzzles.streak(start + DAY)).toBe(2);
    expect(puzzles.streak(start + 2 * DAY), "there is still time today").toBe(2);
    puzzles.answeredToday("pig", false, start + 2 * DAY);
    puzzles.answeredToday("pig", true, start + 2 * DAY); // only the first answer counts
    expect(puzzles.today("pig", start + 2 * DAY)).toBe(false);
    expect(puzzles.today("goose", start + 2 * DAY)).toBeUndefined();
    expect(puzzles.streak(start + 3 * DAY)).toBe(0);
    puzzles.answeredToday("pig", true, start + 3 * DAY);
    expect(puzzles.streak(start + 3 * DAY)).toBe(1);
  });
});
