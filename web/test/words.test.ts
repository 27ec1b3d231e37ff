// A text that is missing in one language is found here, not by a player.
import { describe, expect, it } from "vitest";
import { words as generic } from "../src/games/words";
import { called, CELLS } from "../src/games/yam-master/cells";
import { words as twisty } from "../src/games/twisty/words";
import { words as wykersham } from "../src/games/wykersham/words";
import { words as yam } from "../src/games/yam-master/words";
import { words as yikerz } from "../src/games/yikerz/words";
import english from "../../src/ludotheque/games/yam_master/locales/en.json";
import french from "../../src/ludotheque/games/yam_master/locales/fr.json";
import { speaker } from "../src/lib/words";
import { en } from "../src/words/en";
import { fr } from "../src/words/fr";

const dictionaries: { [name: string]: { en: { [name: string]: string }; fr: { [name: string]: string } } } = { shell: { en, fr }, yam, wykersham, twisty, yikerz, generic };

describe.each(Object.entries(dictionaries))("the words of %s", (_, words) => {
  const plain = (names: string[]): string[] => names.filter((name) => !name.endsWith(".one")).sort();
  it("are there in both languages", () => {
    expect(plain(Object.keys(words.fr))).toEqual(plain(Object.keys(words.en)));
  });
  it("have the same facts in both languages", () => {
    const facts = (text: string): string[] => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort();
    for (const name of plain(Object.keys(words.en))) expect([name, facts(words.fr[name] ?? "")]).toEqual([name, facts(words.en[name] ?? "")]);
  });
  it("are not empty, and French marks stand off by a no-break or plain space", () => {
    for (const [name, text] of [...Object.entries(words.en), ...Object.entries(words.fr)]) expect([name, text.trim()]).not.toEqual([name, ""]);
    for (const [name, text] of Object.entries(words.fr)) expect([name, /\w[?!;]/.test(text.replace("Yikerz!", ""))]).toEqual([name, false]);
  });
});

describe("a sentence", () => {
  const words = { en: { a: "{count} pawns", "a.one": "{count} pawn" }, fr: { a: "{count} pions", "a.one": "{count} pion" } };
  it("counts as its language does", () => {
    expect([0, 1, 2].map((count) => speaker(words, "en")("a", { count }))).toEqual(["0 pawns", "1 pawn", "2 pawns"]);
    expect([0, 1, 2].map((count) => speaker(words, "fr")("a", { count }))).toEqual(["0 pion", "1 pion", "2 pions"]);
  });
  it("that nobody wrote is an error, not a blank", () => {
    expect(() => speaker(words, "en")("b")).toThrow("no words");
  });
});

describe("a cell of Yam Master", () => {
  it("is called the same by the board and by the game's own sentences", () => {
    const told: { [language in "en" | "fr"]: { [name: string]: string } } = { en: english, fr: french };
    for (const language of ["en", "fr"] as const)
      CELLS.forEach((names, r) =>
        names.forEach((_, c) => {
          const sentence = told[language][`cell.r${r + 1}c${c + 1}`]?.replace(/^(the|le|la) /, "");
          expect(called(speaker(yam, language), r, c)).toBe(sentence);
        }),
      );
  });
});
