// Takes a match from one host to the other: a new table there begins where the match is. Its dice are new, as a host
// commits to its own; what was played before stays in the table that one comes from.
import type { Moment } from "../contract";
import { ask, me } from "../lib/api";
import type { NewTable, Opened, Table } from "../lib/network";
import { router } from "../lib/router.svelte";
import type { Who } from "./choice";

/** The table to open for it; `seats` and the name `mine` are mine. */
export function carried(table: Table, moment: Moment, seats: readonly number[], mine: string | undefined): NewTable {
  return {
    game: table.game,
    options: table.options,
    seats: table.seats.map(({ kind, name, level }, place) =>
      kind === "bot"
        ? { kind, level: level ?? 3 }
        : seats.includes(place)
          ? { kind: "me", ...(name === mine ? {} : { name }) }
          : { kind: "open" },
    ),
    private: true,
    settings: table.settings,
    setup: moment.view,
  };
}

/** Open it there and go to it, under the name that one had. */
export async function carry(wanted: NewTable, name: string | undefined, to: Who): Promise<void> {
  const person = await me(to);
  if (name && person.name !== name) await ask("PATCH", "/api/people/me", { name }, to);
  const { table } = await ask<Opened>("POST", "/api/tables", wanted, to);
  router.go(`/t/${table.id}`);
}
