// What happened, line by line, in the language that is shown. A run of the same event is one line where the game's
// catalogue has a sentence for many.
import type { Language } from "../contract";
import { type Dictionary, translated, type Translations } from "./catalogue";
import type { Event } from "./network";

export interface Line {
  what: string;
  words: Event["words"];
  by: number | "chance" | null;
}
export interface LineTold {
  told: string;
  by: Line["by"];
}

export const linesOf = (events: readonly Event[], by: Line["by"]): Line[] =>
  events.map(({ what, words }) => ({ what, words, by }));

/** Several things that happened at once, one sentence each. */
export const sentences = (told: readonly string[]): string =>
  told.map((one) => one.replace(/^./, (first) => first.toLocaleUpperCase())).join(". ");

/** A run of the same event is one line where the game's catalogue has a sentence for many: `event.deal.many`, with
 *  a `{count}`. */
export function tell(
  lines: readonly Line[],
  language: Language,
  words: Translations<Dictionary> | undefined,
): LineTold[] {
  const templates = (words && translated(words, language)) ?? {};
  const told: LineTold[] = [];
  for (let place = 0; place < lines.length; place++) {
    const line = lines[place]!;
    const many = templates[`event.${line.what}.many`];
    let count = 1;
    while (many !== undefined && lines[place + count]?.what === line.what) count += 1;
    told.push({
      told:
        many !== undefined && count > 1
          ? many.replace("{count}", String(count))
          : (translated(line.words, language) ?? ""),
      by: line.by,
    });
    place += count - 1;
  }
  return told;
}
