// The board of a game without one.
import type { Board, Table } from "../contract";
import { mounted } from "./mounting.svelte";
import Generic from "./Generic.svelte";

export const mount = (element: HTMLElement, table: Table): Board => mounted(Generic, element, table);
