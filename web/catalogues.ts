// A Vite plugin: the page's part of the shared catalogues (`page.…` in src/ludotheque/**/locales/*.json) as modules.
// `virtual:catalogues` lists the languages; each dictionary is a chunk of its own, loaded when it is needed.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

export const PACKAGE = join(import.meta.dirname, "..", "src", "ludotheque");
const NAME = "virtual:catalogues";
const FALLBACK = "en";
const PREFIX = "page.";

type Dictionary = { [key: string]: string };

/** The folders with catalogues: the program's, and each game's under the game's name. */
export function folders(root: string): { [owner: string]: string } {
  const games = readdirSync(join(root, "games")).filter((name) => existsSync(join(root, "games", name, "locales")));
  const named = games.map((name) => [name.replaceAll("_", "-"), join(root, "games", name, "locales")]);
  return { program: join(root, "locales"), ...Object.fromEntries(named) };
}

/** The languages that have a catalogue of the program, English first. */
export function languages(root: string): string[] {
  const found = readdirSync(join(root, "locales")).flatMap((file) => /^([\w-]+)\.json$/.exec(file)?.[1] ?? []);
  return [FALLBACK, ...found.filter((language) => language !== FALLBACK).sort()];
}

/** What the page says of one owner in one language, without the prefix. Keys that have no translation are in
 *  English. */
export function dictionary(folder: string, language: string): Dictionary {
  const read = (name: string): Dictionary => {
    const file = join(folder, `${name}.json`);
    const all = existsSync(file) ? (JSON.parse(readFileSync(file, "utf-8")) as Dictionary) : {};
    const kept = Object.entries(all).filter(([key]) => key.startsWith(PREFIX));
    return Object.fromEntries(kept.map(([key, text]) => [key.slice(PREFIX.length), text]));
  };
  const own = read(language);
  const stem = (key: string): string => key.replace(/_(zero|one|two|few|many|other)$/, "");
  const translated = new Set(Object.keys(own).map(stem));
  const missing = Object.entries(read(FALLBACK)).filter(([key]) => !translated.has(stem(key)));
  return { ...Object.fromEntries(missing), ...own };
}

export function catalogues(root: string = PACKAGE): Plugin {
  return {
    name: "catalogues",
    resolveId: (id) => (id === NAME || id.startsWith(`${NAME}/`) ? `\0${id}` : null),
    load(id) {
      if (!id.startsWith(`\0${NAME}`)) return null;
      const [, owner, language] = id.slice(1).split("/");
      const all = folders(root);
      for (const folder of Object.values(all))
        for (const file of readdirSync(folder)) this.addWatchFile(join(folder, file));
      if (owner && language) return `export default ${JSON.stringify(dictionary(all[owner] ?? "", language))};`;
      const loaders = (name: string): string =>
        `{ ${languages(root).map((one) => `${JSON.stringify(one)}: () => import("${NAME}/${name}/${one}")`)} }`;
      const games = Object.keys(all).filter((name) => name !== "program");
      return [
        `export const languages = ${JSON.stringify(languages(root))};`,
        `export const program = ${loaders("program")};`,
        `export const games = { ${games.map((name) => `${JSON.stringify(name)}: ${loaders(name)}`)} };`,
      ].join("\n");
    },
  };
}
