// The language that the page is shown in. Its catalogue is loaded before the page changes to it.
import { languages, program } from "virtual:catalogues";
import type english from "../../../src/ludotheque/locales/en.json";
import { type Facts, type Say, speaker, type Translations, translated, unbroken } from "./catalogue";

type Stem<Key> = Key extends `page.${infer Name}_${"one" | "other"}`
  ? Name
  : Key extends `page.${infer Name}`
    ? Name
    : never;
/** Keys of the program's catalogue, without `page.` and without the suffix of a plural. */
export type Key = Stem<keyof typeof english>;

class Shown {
  language: string = $state("en");
  say: Say = $state.raw(speaker({}, "en"));
}
export const shown = new Shown();

/** The best language that there is a catalogue for, of those that somebody reads. */
export function bestLanguage(read: readonly string[], known: readonly string[] = languages): string {
  const fits = (wanted: string): string | undefined =>
    known.find((one) => one.toLowerCase() === wanted) ??
    known.find((one) => one.toLowerCase() === wanted.split("-")[0]);
  return read.map((wanted) => fits(wanted.toLowerCase())).find((found) => found !== undefined) ?? "en";
}

let wanted = "";
/** Shows the page in another language, as soon as its catalogue is there. */
export async function speak(language: string): Promise<void> {
  wanted = language;
  const { default: dictionary } = await (program[language] ?? program["en"]!)();
  if (wanted !== language) return; // somebody has chosen another one meanwhile
  shown.say = speaker(dictionary, language);
  shown.language = language;
}

/** A sentence of the program's catalogue; reading it inside a template follows a change of language. */
export const t = (key: Key, facts?: Facts): string => shown.say(key, facts);

/** What the server sent in several languages, in the one that is shown. */
export const told = (texts: Translations<string>): string => unbroken(translated(texts, shown.language) ?? "");
/** The names of a game's seats. */
export const seatNames = (texts: Translations<string[]> | undefined): string[] =>
  (texts && translated(texts, shown.language)) ?? [];
