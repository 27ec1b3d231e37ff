// What happened, line by line, in whichever language is read now. Where a game has words for many of a kind, a run of them is one line.
import type { Event, Sentences } from "./network";
import type { Language } from "../contract";

export interface Line {
  what: string;
  words: Event["words"];
  by: number | "chance" | null;
}
export interface LineTold {
  told: string;
  by: Line["by"];
}

export const linesOf = (events: readonly Event[], by: Line["by"]): Line[] => events.map(({ what, words }) => ({ what, words, by }));

/** Several things that happened at once, one sentence each. */
export const sentences = (told: readonly string[]): string => told.map((one) => one.replace(/^./, (first) => first.toLocaleUpperCase())).join(". ");

/** Twenty magnets that are dealt one by one are one line: the game's own `event.deal.many` tells it. */
export function tell(lines: readonly Line[], language: Language, words: Sentences | undefined): LineTold[] {
  const told: LineTold[] = [];
  for (let place = 0; place < lines.length; place++) {
    const line = lines[place]!;
    const many = words?.[language][`event.${line.what}.many`];
    let count = 1;
    while (many !== undefined && lines[place + count]?.what === line.what) count += 1;
    told.push({ told: many !== undefined && count > 1 ? many.replace("{count}", String(count)) : line.words[language], by: line.by });
    place += count - 1;
  }
  return told;
}
