// Yikerz!'s board: a table in three dimensions with mats and heavy black magnets. three.js is loaded only with it.
import type { Board, Table } from "../../contract";
import { mounted } from "../mounting.svelte";
import Yikerz from "./Board.svelte";
import { SEATS } from "./seats";
import { type Shown, stackOf } from "./view";

export function mount(element: HTMLElement, table: Table): Board {
  return mounted(
    Yikerz,
    element,
    table,
    ({ say, players, options, moment }, seat) => {
      const view = moment.view as unknown as Shown;
      const parts = [say("standing", { count: stackOf(view, seat).length })];
      if (view.alive[seat] === false) parts.push(say("standing.out"));
      else if (options["match"] === "points") parts.push(say("standing.points", { count: view.points[seat] ?? 0 }));
      else if (players > 1 && view.rounds_won.some((won) => won > 0))
        parts.push(say("standing.rounds", { count: view.rounds_won[seat] ?? 0 }));
      // Lines break between the two, never within one.
      return parts.map((part) => part.replaceAll(" ", "\u00a0")).join(" · ");
    },
    SEATS,
  );
}
