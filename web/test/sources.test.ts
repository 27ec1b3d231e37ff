// A game lives in its folder: no other source of the page knows a game by its name, its things or its colours.
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { PACKAGE } from "../catalogues";
import { OURS } from "../src/games";

const GAMES = Object.keys(OURS);
const outside = [
  ...readdirSync("src", { recursive: true, encoding: "utf-8" }).map((file) => `src/${file}`),
  ...readdirSync("scripts").map((file) => `scripts/${file}`),
  ...readdirSync("public").map((file) => `public/${file}`),
  "index.html",
  "gallery.html",
  "catalogues.ts",
  "vite.config.ts",
].filter(
  (file) => /\.(ts|svelte|css|html|js|mjs)$/.test(file) && !GAMES.some((game) => file.startsWith(`src/games/${game}/`)),
);
const lines = outside.flatMap((file) =>
  readFileSync(file, "utf-8")
    .split("\n")
    .map((line, number) => ({ at: `${file}:${number + 1}`, line })),
);
const matching = (pattern: RegExp): string[] =>
  lines.filter(({ line }) => pattern.test(line)).map(({ at, line }) => `${at} ${line.trim().slice(0, 80)}`);

describe("the sources", () => {
  it("have no line longer than Python's", () => {
    const all = readdirSync(".", { recursive: true, encoding: "utf-8" }).filter(
      (file) => /\.(ts|svelte|css|html|js|mjs)$/.test(file) && !/node_modules|network\.ts/.test(file),
    );
    const long = all.filter((file) =>
      readFileSync(file, "utf-8")
        .split("\n")
        .some((line) => line.length > 120),
    );
    expect(long).toEqual([]);
  });
});

describe("outside the games' folders", () => {
  it("there is something to look at", () => expect(outside.length).toBeGreaterThan(50));
  it("no game is named", () => {
    const names = GAMES.map((game) => game.replace("-", "[-_ ]?")).join("|");
    expect(matching(new RegExp(`\\b(${names})`, "i"))).toEqual([]);
  });
  it("nothing of a game is known: its pieces, its fields, its actions", () => {
    expect(matching(/\b(magnets?|marbles?|rails?|pawns?|mats?|defi|keep \d|cups|winnings|stones?)\b(?!:)/i)).toEqual(
      [],
    );
  });
  it("no game has a colour", () => {
    const own = (pattern: RegExp): string[] =>
      GAMES.flatMap((game) => readFileSync(`src/games/${game}/manifest.ts`, "utf-8").match(pattern) ?? []);
    const colours = new Set(own(/accent(Soft)?: "#\w+"/g).map((found) => /#\w+/.exec(found)?.[0]));
    expect(colours.size).toBe(16);
    expect(
      lines.filter(({ line }) => [...colours].some((colour) => colour && line.includes(colour))).map(({ at }) => at),
    ).toEqual([]);
    expect(matching(/data-game="[a-z]/)).toEqual([]);
  });
});

describe("a manifest", () => {
  it.each(GAMES)("of %s brings everything that the page draws", (game) => {
    const manifest = OURS[game]!;
    expect(manifest.art()).toMatch(/^<rect/);
    expect([manifest.board, manifest.lesson, manifest.pictures].every((part) => typeof part === "function")).toBe(true);
    for (const language of ["en", "fr"]) {
      const words = JSON.parse(
        readFileSync(`${PACKAGE}/games/${game.replace("-", "_")}/locales/${language}.json`, "utf-8"),
      ) as { [key: string]: string };
      expect(Object.keys(words)).toEqual(
        expect.arrayContaining(["blurb", ...(manifest.pages ?? []).map(({ address }) => `pages.${address}`)]),
      );
    }
  });
});

describe("the bots of a game", () => {
  it.each(GAMES)("of %s have names, styles and faces", async (game) => {
    const portraits = (await OURS[game]!.opponents?.())?.portraits ?? [];
    expect(new Set(portraits).size).toBe(5);
    for (const face of portraits) {
      expect(face).toMatch(/^<rect/);
      expect(face).not.toMatch(/NaN|undefined|href|url\(/);
      expect(face.length).toBeLessThan(4000);
    }
    for (const language of ["en", "fr"]) {
      const words = JSON.parse(
        readFileSync(`${PACKAGE}/games/${game.replace("-", "_")}/locales/${language}.json`, "utf-8"),
      ) as { [key: string]: string };
      const names = [1, 2, 3, 4, 5].map((level) => words[`bot.${level}`]);
      expect(new Set(names).size).toBe(5);
      expect([1, 2, 3, 4, 5].every((level) => words[`page.bot.${level}.style`])).toBe(true);
    }
  });
  it("have names of their own in every game", () => {
    const all = GAMES.flatMap((game) => {
      const file = `${PACKAGE}/games/${game.replace("-", "_")}/locales/en.json`;
      const words = JSON.parse(readFileSync(file, "utf-8")) as { [key: string]: string };
      return [1, 2, 3, 4, 5].map((level) => words[`bot.${level}`]);
    });
    expect(new Set(all).size).toBe(20);
  });
});
