// Opening tables: what the home page and the form have in common.
import type { Json, View } from "../contract";
import { hostOf } from "../host/choice";
import { me, post } from "./api";
import type { NewTable, Opened, Table } from "./network";
import { router } from "./router.svelte";

export async function openTable(wanted: NewTable): Promise<void> {
  await me(hostOf("POST", "/api/tables", JSON.stringify(wanted)));
  const { table } = await post<Opened>("/api/tables", wanted);
  router.go(`/t/${table.id}`);
}

const LEVELS = "ludotheque.levels";
const [FIRST_LEVEL, HIGHEST_LEVEL] = [2, 5];

function levels(): { [game: string]: number } {
  try {
    return JSON.parse(localStorage.getItem(LEVELS) ?? "{}") as { [game: string]: number };
  } catch {
    return {}; // a browser that keeps nothing, or something that is not ours
  }
}
/** The level of the bots that one played last, or the one to begin with. */
export function lastLevel(game: string): number {
  const level = levels()[game];
  return typeof level === "number" && level >= 1 && level <= HIGHEST_LEVEL ? Math.round(level) : FIRST_LEVEL;
}
export function keepLevel(game: string, level: number): void {
  try {
    localStorage.setItem(LEVELS, JSON.stringify({ ...levels(), [game]: level }));
  } catch {
    // the next game begins as the first one did
  }
}

/** One click: me against a bot, everything else as usual. */
export function playNow(game: string, players: number): Promise<void> {
  const bots = Array.from({ length: players - 1 }, () => ({ kind: "bot" as const, level: lastLevel(game) }));
  return openTable({ game, seats: [{ kind: "me" }, ...bots], private: true, settings: { hints: true } });
}

/** The level that would suit better after a match of one person against bots; null where there is none. */
export function levelAfter(table: Table, seats: readonly number[]): number | null {
  const [mine, ...others] = seats;
  const bots = table.seats.filter((_, place) => place !== mine);
  if (mine === undefined || others.length || !bots.length || bots.some(({ kind }) => kind !== "bot")) return null;
  const level = Math.max(...bots.map((bot) => bot.level ?? 0));
  const got = table.ended?.returns[mine] ?? 0;
  const next = got === 1 ? level + 1 : got === 0 ? level - 1 : level;
  return level >= 1 && next >= 1 && next <= HIGHEST_LEVEL && next !== level ? next : null;
}
/** The same game at the same seat, against bots of another level. */
export function playAtLevel(table: Table, seat: number, level: number): Promise<void> {
  keepLevel(table.game, level);
  const seats = table.seats.map((_, place) =>
    place === seat ? { kind: "me" as const } : { kind: "bot" as const, level },
  );
  return openTable({ game: table.game, options: table.options, seats, private: true, settings: { hints: true } });
}

interface Onward {
  game: string;
  players: number;
  options: { [key: string]: Json };
  view: View;
  seat: number;
}

/** On from any position: me at one seat, bots at the others. */
export function playOn({ game, players, options, view, seat }: Onward): Promise<void> {
  const seats = Array.from({ length: players }, (_, place) =>
    place === seat ? { kind: "me" as const } : { kind: "bot" as const, level: 3 },
  );
  return openTable({ game, options, setup: view, seats, private: true, settings: { hints: true } });
}
