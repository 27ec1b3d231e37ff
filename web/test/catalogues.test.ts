// A text that is missing in one language is found here, not by a player. And another language needs no change of code.
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer } from "vite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { catalogues, dictionary, folders, languages, PACKAGE } from "../catalogues";
import { called, CELLS } from "../src/games/yam-master/cells";
import { type Dictionary, languageName, speaker, translated, unbroken } from "../src/lib/catalogue";
import { bestLanguage } from "../src/lib/language.svelte";

const FOLDERS = folders(PACKAGE);
const read = (folder: string, language: string): Dictionary =>
  JSON.parse(readFileSync(join(folder, `${language}.json`), "utf-8")) as Dictionary;
const ofPage = (folder: string, language: string): Dictionary =>
  Object.fromEntries(Object.entries(read(folder, language)).filter(([key]) => /^page\.|^pages\.|^blurb$/.test(key)));
const stem = (key: string): string => key.replace(/_(zero|one|two|few|many|other)$/, "");

describe.each(Object.entries(FOLDERS))("the page's texts of %s", (_, folder) => {
  const english = ofPage(folder, "en");
  const stems = (words: Dictionary): string[] => [...new Set(Object.keys(words).map(stem))].sort();
  const others = languages(PACKAGE).slice(1);
  it.each(others)("are all there in %s", (language) => {
    expect(stems(ofPage(folder, language))).toEqual(stems(english));
  });
  it.each(others)("have the same facts in %s", (language) => {
    const facts = (text: string): string[] => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort();
    for (const [key, text] of Object.entries(ofPage(folder, language)))
      if (!key.endsWith("_one"))
        expect([key, facts(text)]).toEqual([
          key,
          facts(english[key] ?? english[`${stem(key)}_other`] ?? english[stem(key)] ?? ""),
        ]);
  });
  it("are not empty, and every plural has a form for the rest", () => {
    for (const language of languages(PACKAGE)) {
      const words = ofPage(folder, language);
      for (const [key, text] of Object.entries(words)) {
        expect([key, text.trim()]).not.toEqual([key, ""]);
        if (stem(key) !== key) expect(words).toHaveProperty([`${stem(key)}_other`]);
      }
    }
  });
  it("set French marks off by a no-break or plain space", () => {
    for (const [key, text] of Object.entries(ofPage(folder, "fr")))
      expect([key, /\w[?!;]/.test(text.replace("Yikerz!", ""))]).toEqual([key, false]);
  });
});

describe("the boards", () => {
  const games = Object.entries(FOLDERS).filter(([name]) => name !== "program");
  it.each(games)("of %s say only what is in the catalogue", (game, folder) => {
    const known = new Set(Object.keys(dictionary(folder, "en")).map(stem));
    const sources = readdirSync(`src/games/${game}`, { recursive: true, encoding: "utf-8" }).filter((file) =>
      /\.(ts|svelte)$/.test(file),
    );
    const said = sources.flatMap((file) =>
      [
        ...readFileSync(`src/games/${game}/${file}`, "utf-8").matchAll(
          /\bsay\("([^"]+)"|\b(?:caption|text|praise): "([^"]+)"/g,
        ),
      ].map((match) => match[1] ?? match[2]!),
    );
    expect(said.length).toBeGreaterThan(10);
    expect(said.filter((key) => !known.has(key))).toEqual([]);
  });
});

describe("a sentence", () => {
  const english = { a_one: "{count} pawn", a_other: "{count} pawns", b: "{count} in all" };
  const french = { a_one: "{count} pion", a_other: "{count} pions" };
  it("counts as its language does", () => {
    expect([0, 1, 2].map((count) => speaker(english, "en")("a", { count }))).toEqual(["0 pawns", "1 pawn", "2 pawns"]);
    expect([0, 1, 2].map((count) => speaker(french, "fr")("a", { count }))).toEqual(["0 pion", "1 pion", "2 pions"]);
    expect(
      [1, 3, 5].map((count) =>
        speaker({ a_one: "one", a_few: "few", a_many: "many", a_other: "other" }, "pl")("a", { count }),
      ),
    ).toEqual(["one", "few", "many"]);
  });
  it("breaks no line before a French mark or inside guillemets", () => {
    const space = "\u00a0";
    expect(speaker({ a: "« {name} » gagne ! 50 %" }, "fr")("a", { name: "Anna" })).toBe(
      `«${space}Anna${space}» gagne${space}! 50${space}%`,
    );
    expect(unbroken("Goal! Take it: yes? no; well")).toBe("Goal! Take it: yes? no; well");
  });
  it("may have no plural", () => expect(speaker(english, "en")("b", { count: 1 })).toBe("1 in all"));
  it("that nobody wrote is an error, not a blank", () => {
    expect(() => speaker(english, "en")("c")).toThrow('no text "c"');
  });
  it("from the server falls back to English", () => {
    expect([
      translated({ en: "yes", fr: "oui" }, "fr"),
      translated({ en: "yes", fr: "oui" }, "de"),
      translated({ fr: "oui" }, "de"),
    ]).toEqual(["oui", "yes", "oui"]);
  });
});

describe("a language", () => {
  it("is chosen by what somebody reads", () => {
    const known = ["en", "fr", "pt-BR"];
    expect(bestLanguage(["de-AT", "fr-CH", "en"], known)).toBe("fr");
    expect(bestLanguage(["pt-br"], known)).toBe("pt-BR");
    expect(bestLanguage(["ja"], known)).toBe("en");
  });
  it("is listed under its own name", () =>
    expect(["en", "fr", "de"].map(languageName)).toEqual(["English", "Français", "Deutsch"]));
});

describe("a third language", () => {
  const root = mkdtempSync(join(tmpdir(), "ludotheque-"));
  beforeAll(() => {
    for (const [name, folder] of Object.entries(FOLDERS))
      cpSync(folder, join(root, name === "program" ? "" : join("games", name), "locales"), { recursive: true });
    writeFileSync(
      join(root, "locales", "de.json"),
      JSON.stringify({
        "page.home.title": "Was spielen wir?",
        "page.home.seats_one": "ein Platz frei",
        "page.home.seats_other": "{count} Plätze frei",
      }),
    );
    writeFileSync(
      join(root, "games", "twisty", "locales", "de.json"),
      JSON.stringify({ "page.standing": "{count} von 7" }),
    );
  });
  afterAll(() => rmSync(root, { recursive: true }));
  it("needs nothing but its catalogues", async () => {
    const server = await createServer({
      configFile: false,
      logLevel: "silent",
      plugins: [catalogues(root)],
      server: { middlewareMode: true, ws: false },
    });
    try {
      const found = (await server.ssrLoadModule("virtual:catalogues")) as typeof import("virtual:catalogues");
      expect(found.languages).toEqual(["en", "de", "fr"]);
      const say = speaker((await found.program["de"]!()).default, "de");
      expect([say("home.title"), say("home.seats", { count: 1 }), say("home.seats", { count: 3 })]).toEqual([
        "Was spielen wir?",
        "ein Platz frei",
        "3 Plätze frei",
      ]);
      expect(say("home.rules")).toBe("Rules"); // not translated yet: English
      expect(speaker((await found.games["twisty"]!["de"]!()).default, "de")("standing", { count: 3 })).toBe("3 von 7");
      expect(speaker((await found.games["yikerz"]!["de"]!()).default, "de")("standing", { count: 1 })).toBe("1 magnet");
    } finally {
      await server.close();
    }
  });
});

describe("a cell of Yam Master", () => {
  it.each(languages(PACKAGE))("is called the same by the board and by the game's own sentences in %s", (language) => {
    const folder = FOLDERS["yam-master"]!;
    const say = speaker(dictionary(folder, language), language);
    const sentences = read(folder, language);
    CELLS.forEach((names, r) =>
      names.forEach((_, c) => {
        expect(called(say, r, c)).toBe(sentences[`cell.r${r + 1}c${c + 1}`]?.replace(/^(the|le|la) /, ""));
      }),
    );
  });
});
