// Yam Master's board: wood, bone dice on felt, wooden pawns.
import type { Board, Table } from "../../contract";
import { mounted } from "../mounting.svelte";
import YamMaster from "./Board.svelte";

export function mount(element: HTMLElement, table: Table): Board {
  return mounted(YamMaster, element, table, ({ say, moment: { view } }, seat) => {
    const [points, stock] = [view["points"] as number[], view["stock"] as number[]];
    return `${say("points", { count: points[seat] ?? 0 })} · ${say("pawns", { count: stock[seat] ?? 0 })}`;
  });
}
