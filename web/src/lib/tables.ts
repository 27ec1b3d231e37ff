// Opening tables: what the home page and the form have in common.
import type { Json, View } from "../contract";
import { newId, me, post } from "./api";
import type { NewTable, Opened } from "./network";
import { router } from "./router.svelte";

export async function openTable(wanted: NewTable): Promise<void> {
  await me();
  const { table } = await post<Opened>("/api/tables", { number: newId(), ...wanted });
  router.go(`/t/${table.id}`);
}

/** One click: me against a bot, everything else as usual. */
export function playNow(game: string, players: number): Promise<void> {
  const bots = Array.from({ length: players - 1 }, () => ({ kind: "bot" as const, level: 2 }));
  return openTable({ game, seats: [{ kind: "me" }, ...bots], private: true, settings: { hints: true } });
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
