// Figures from the results of finished games: how one fares against each bot, and over time. What is kept and where it
// comes from is in `results`.
import type { GameResult } from "./network";

export type Outcome = "won" | "drawn" | "lost";
/** In how many games in a row one has to win or lose before another opponent is suggested. */
const IN_A_ROW = 3;

/** How a game went for oneself; null where people shared a screen, or played alone. */
export function outcome({ seats, players, returns }: GameResult): Outcome | null {
  const [seat, ...others] = seats;
  if (seat === undefined || others.length || players.length < 2) return null;
  const got = returns[seat] ?? 0;
  return got === 1 ? "won" : got === 0 ? "lost" : "drawn";
}

/** The level of the bots that one played against; null where somebody else was there, or bots of several levels. */
export function levelOf({ seats, players }: GameResult): number | null {
  const others = players.filter((_, seat) => !seats.includes(seat));
  const levels = new Set(others.map((kind) => /^bot:([1-9])$/.exec(kind)?.[1]));
  const [level] = levels;
  return levels.size === 1 && level !== undefined ? Number(level) : null;
}

/** The games against bots of a level, the latest first. */
export const against = (results: readonly GameResult[], game: string, level: number): GameResult[] =>
  results.filter((one) => one.game === game && levelOf(one) === level && outcome(one) !== null);

export interface Suggestion {
  why: "too-easy" | "too-hard";
  level: number;
}
/** Another level, where one wins or loses all the time against this one. */
export function suggestion(
  results: readonly GameResult[],
  game: string,
  level: number,
  levels: readonly number[],
): Suggestion | null {
  const lately = against(results, game, level).slice(0, IN_A_ROW).map(outcome);
  if (lately.length < IN_A_ROW) return null;
  const found: Suggestion | null = lately.every((one) => one === "won")
    ? { why: "too-easy", level: level + 1 }
    : lately.every((one) => one === "lost")
      ? { why: "too-hard", level: level - 1 }
      : null;
  return found && levels.includes(found.level) ? found : null;
}

export interface Score {
  played: number;
  won: number;
  drawn: number;
}
/** How many of some games were won. */
export function score(results: readonly GameResult[]): Score {
  const outcomes = results.map(outcome);
  const count = (wanted: Outcome): number => outcomes.filter((one) => one === wanted).length;
  return { played: outcomes.filter((one) => one !== null).length, won: count("won"), drawn: count("drawn") };
}

/** A figure of one reviewed game. */
export interface Point {
  record: string;
  ended: number;
  value: number;
}
/** What a decision cost on average, game by game, the first one first: in chances to win. */
export const losses = (results: readonly GameResult[]): Point[] =>
  points(results, ({ review }) => (review?.decisions ? review.lost / review.decisions : null));
/** What the dice gave, game by game, the first one first: in chances to win. */
export const lucks = (results: readonly GameResult[]): Point[] => points(results, ({ review }) => review?.luck ?? null);

function points(results: readonly GameResult[], value: (result: GameResult) => number | null): Point[] {
  const found = results.flatMap((one): Point[] => {
    const figure = value(one);
    return figure === null ? [] : [{ record: one.record, ended: one.ended, value: figure }];
  });
  return found.sort((one, other) => one.ended - other.ended);
}

/** Results without repetition, the latest first; of two about one game, the answer to the later question. */
export function merged(former: readonly GameResult[], latter: readonly GameResult[], most: number): GameResult[] {
  const all = new Map([...former, ...latter].map((one) => [one.record, one]));
  return [...all.values()].sort((one, other) => other.ended - one.ended).slice(0, most);
}
