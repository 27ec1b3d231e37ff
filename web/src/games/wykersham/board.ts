// Wykersham's board: cherry wood, five rails, glass marbles.
import type { Board, Table } from "../../contract";
import { mounted } from "../mounting.svelte";
import Wykersham from "./Board.svelte";

export function mount(element: HTMLElement, table: Table): Board {
  return mounted(
    Wykersham,
    element,
    table,
    ({ say, moment: { view } }, seat) => {
      const [won, turns] = [view["winnings"] as number[], view["turns"] as number[]];
      const played = turns[seat] ?? 0;
      // Lines break between the two, never within one.
      return [say("won", { count: won[seat] ?? 0 }), played >= 15 ? say("done") : say("turns", { turn: played + 1 })]
        .map((part) => part.replaceAll(" ", "\u00a0"))
        .join(" · ");
    },
    [
      { colour: "#8d1722", path: "M-4 0A4 4 0 1 0 4 0A4 4 0 1 0-4 0" },
      { colour: "#3d7a48", path: "M-7 0A7 7 0 1 0 7 0A7 7 0 1 0-7 0ZM-4 0A4 4 0 1 1 4 0A4 4 0 1 1-4 0Z" },
    ],
  );
}
