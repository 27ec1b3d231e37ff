// Sentences from a catalogue: `{name}` stands for a fact, and the suffixes `_one`, `_other` … follow the plural of
// `count` in the language.
export type Facts = { [name: string]: string | number };
export type Dictionary = { readonly [key: string]: string };
export type Say = (key: string, facts?: Facts) => string;

/** French sets marks and guillemets off by a space, at which no line may break. Other languages have no such spaces. */
export const unbroken = (text: string): string => text.replace(/ (?=[:;!?»%])/g, "\u00a0").replaceAll("« ", "«\u00a0");

/** Says the sentences of a dictionary. A key that it lacks is an error, never a blank. */
export function speaker(dictionary: Dictionary, language: string): Say {
  const plural = new Intl.PluralRules(language);
  return (key, facts = {}) => {
    const form = typeof facts["count"] === "number" ? plural.select(facts["count"]) : "other";
    const sentence = dictionary[key] ?? dictionary[`${key}_${form}`] ?? dictionary[`${key}_other`];
    if (sentence === undefined) throw new Error(`no text "${key}" in the catalogue for "${language}"`);
    return unbroken(sentence).replace(/\{(\w+)\}/g, (_, fact: string) => String(facts[fact] ?? ""));
  };
}

/** The same in several languages. */
export type Translations<Text> = { readonly [language: string]: Text };

/** A sentence that the server sent in all its languages: the wanted one, otherwise English, otherwise any. */
export function translated<Text>(texts: Translations<Text>, language: string): Text | undefined {
  return texts[language] ?? texts["en"] ?? Object.values(texts)[0];
}

/** What a language calls itself, as a title: "Français". */
export function languageName(language: string): string {
  const name = new Intl.DisplayNames([language], { type: "language" }).of(language) ?? language;
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1);
}
