// Sentences in French and English with facts filled in, as on the Python side: `{name}` in braces, ".one" where a count is one.
import type { Language } from "../contract";

export type Facts = { [name: string]: string | number };
export type Dictionary = { [name: string]: string };
export type Say = (name: string, facts?: Facts) => string;

export function speaker(words: { en: Dictionary; fr: Dictionary }, language: Language): Say {
  return (name, facts = {}) => {
    const count = facts["count"];
    const alone = count === 1 || (count === 0 && language === "fr");
    const sentence = (alone ? words[language][`${name}.one`] : undefined) ?? words[language][name];
    if (sentence === undefined) throw new Error(`no words for "${name}" in "${language}"`);
    return sentence.replace(/\{(\w+)\}/g, (_, fact: string) => String(facts[fact] ?? ""));
  };
}
