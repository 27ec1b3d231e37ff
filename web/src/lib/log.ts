// What happened, in the language that is shown: line by line, and a turn as one sentence. A run of the same event is
// one line where the game's catalogue has a sentence for many, or one that counts.
import type { GameEvent, Language } from "../contract";
import { type Dictionary, translated, type Translations } from "./catalogue";
import type { Event } from "./network";

export interface Line {
  what: string;
  facts: Event["facts"];
  words: Event["words"];
  by: number | "chance" | null;
  /** In a replay: how many actions there were when it had happened. */
  at?: number | undefined;
}
export interface LineTold {
  told: string;
  by: Line["by"];
  /** Whose deed it is: the player that it tells of, also where chance has acted for them. */
  seat: number | null;
  /** The dice that it tells of, to be drawn. */
  dice: readonly number[];
  /** It goes without saying, except among the steps. */
  aside: boolean;
  at?: number | undefined;
}
/** Everything that one player did until the next one did something. */
export interface Turn {
  seat: number | null;
  told: string;
  /** The dice that lay there in the end. */
  dice: readonly number[];
  steps: readonly LineTold[];
  /** In a replay: how many actions there were at its end. */
  at?: number | undefined;
}
/** What a game's manifest says of its log. */
export interface LogStyle {
  dice?(event: Pick<GameEvent, "what" | "facts">): readonly number[];
  asides?: readonly string[];
}

export const linesOf = (events: readonly Event[], by: Line["by"], at?: number): Line[] =>
  events.map(({ what, facts, words }) => ({ what, facts, words, by, at }));

/** Several things that happened at once, one sentence each. */
export const sentences = (told: readonly string[]): string =>
  told.map((one) => one.replace(/^./, (first) => first.toLocaleUpperCase())).join(". ");

/** A sentence that says of a player how many, and nothing else: several of them can be added up. */
const COUNTS = /^\{player\}[^{}]*\{count\}[^{}]*$/;

/** A run of the same event is one line where the game's catalogue has a sentence for many: `event.deal.many`, with
 *  a `{count}`; and where its sentence counts something: "wins 2" and "wins one" are three. */
export function tell(
  lines: readonly Line[],
  language: Language,
  words: Translations<Dictionary> | undefined,
  names: readonly string[] = [],
  style: LogStyle = {},
): LineTold[] {
  const templates = (words && translated(words, language)) ?? {};
  const told: LineTold[] = [];
  for (let place = 0; place < lines.length; place++) {
    const line = lines[place]!;
    const player = line.facts["player"];
    const many = templates[`event.${line.what}.many`];
    const counts = templates[`event.${line.what}_other`];
    const name = typeof player === "number" ? names[player] : undefined;
    const adds = many === undefined && name !== undefined && counts !== undefined && COUNTS.test(counts);
    const like = (other: Line | undefined): boolean =>
      other?.what === line.what && (many !== undefined || other.facts["player"] === player);
    let run = 1;
    while ((many !== undefined || adds) && like(lines[place + run])) run += 1;
    const sum = lines.slice(place, place + run).reduce((all, { facts }) => all + Number(facts["count"]), 0);
    told.push({
      told:
        run === 1
          ? (translated(line.words, language) ?? "")
          : many !== undefined
            ? many.replace("{count}", String(run))
            : (counts ?? "").replace("{player}", () => name ?? "").replace("{count}", String(sum)),
      by: line.by,
      seat: typeof player === "number" ? player : typeof line.by === "number" ? line.by : null,
      dice: style.dice?.(line) ?? [],
      aside: style.asides?.includes(line.what) ?? false,
      at: lines[place + run - 1]?.at,
    });
    place += run - 1;
  }
  return told;
}

/** Speaks to the player of that name. `pairs` is the game's list, as "{name} moves=You move | from {name}=from you |
 *  and has=and have"; what speaks of the player in another way stays as it is. */
export function addressed(told: string, name: string, pairs: string): string {
  let spoken = told;
  let subject = false; // "and has" is theirs only in a sentence about what they do
  for (const pair of told.includes(name) ? pairs.split(" | ") : []) {
    const [from, to] = pair.split("=") as [string, string];
    const leads = from.startsWith("{name}");
    if (!subject && !from.includes("{name}")) continue;
    const wanted = from.replace("{name}", () => name).replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    const place = new RegExp(`${leads ? "(^|[!:] )" : "(^| )"}${wanted}(?![\\p{L}\\p{N}])`, "u");
    subject ||= leads && place.test(spoken);
    spoken = spoken.replace(place, (_, before: string) => before + to);
  }
  return spoken;
}

/** Turn by turn. Who plays alone has no turns: each line stands by itself. */
export function turnsOf(
  lines: readonly LineTold[],
  names: readonly string[],
  language: Language,
  /** The player who is spoken to, and what they are called as a subject. */
  you: { seat: number; subject: string } | null = null,
): Turn[] {
  const turns: { seat: number | null; steps: LineTold[] }[] = [];
  for (const line of lines) {
    const turn = turns.at(-1);
    const same = line.seat === null || turn?.seat === null || line.seat === turn?.seat;
    if (turn && same && (names.length > 1 || line.aside)) {
      turn.steps.push(line);
      turn.seat ??= line.seat;
    } else turns.push({ seat: line.seat, steps: [line] });
  }
  return turns.map(({ seat, steps }) => {
    const deeds = steps.filter(({ dice, aside }) => !dice.length && !aside);
    return {
      seat,
      steps,
      told: joined(
        (deeds.length ? deeds : steps).map(({ told }) => told),
        seat === null ? null : you?.seat === seat ? you.subject : (names[seat] ?? null),
        language,
      ),
      dice: steps.findLast(({ dice }) => dice.length)?.dice ?? [],
      at: steps.at(-1)?.at,
    };
  });
}

/** What one player did, as one sentence: who it was is said once. What does not begin with the player stays a
 *  sentence of its own. */
function joined(told: readonly string[], player: string | null, language: Language): string {
  const clauses: string[][] = [];
  for (const one of told) {
    const before = clauses.at(-1);
    if (player && before?.[0]?.startsWith(`${player} `) && one.startsWith(`${player} `))
      before.push(one.slice(player.length + 1));
    else clauses.push([one]);
  }
  const list = new Intl.ListFormat(language);
  return sentences(clauses.map((some) => list.format(some)));
}
