// Twisty's board: painted wooden tokens on ochre, a pawn for each player, and everybody's series.
import type { Board, Table } from "../../contract";
import { mounted } from "../mounting.svelte";
import { PAWN_MARKS } from "./marks";
import Twisty from "./Board.svelte";

export function mount(element: HTMLElement, table: Table): Board {
  return mounted(
    Twisty,
    element,
    table,
    ({ say, moment: { view } }, seat) => say("standing", { count: (view["collected"] as number[])[seat] ?? 0 }),
    PAWN_MARKS,
  );
}
