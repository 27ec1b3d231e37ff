// Puts a Svelte component behind the contract: every board of ours is mounted this way.
import { type Component, mount as svelteMount, unmount } from "svelte";
import type { Board, Mark, Table } from "../contract";

export const SEAT_MARKS: readonly Mark[] = [
  { colour: "#b03a2a", path: "M-5 0A5 5 0 1 0 5 0A5 5 0 1 0-5 0" },
  { colour: "#2a5d94", path: "M-5-5H5V5H-5Z" },
  { colour: "#3c7a4e", path: "M0-6L6 5H-6Z" },
  { colour: "#7a4c93", path: "M-1.6-6H1.6V-1.6H6V1.6H1.6V6H-1.6V1.6H-6V-1.6H-1.6Z" },
];

export interface BoardProps {
  table: Table;
}

export function mounted(component: Component<BoardProps>, element: HTMLElement, table: Table, standing?: (table: Table, seat: number) => string, marks: readonly Mark[] = []): Board {
  let current = $state.raw(table);
  const props = {
    get table() {
      return current;
    },
  };
  const instance = svelteMount(component, { target: element, props });
  return {
    update: (next) => void (current = next),
    destroy: () => void unmount(instance),
    standing: (seat) => standing?.(current, seat) ?? "",
    mark: (seat) => marks[seat] ?? SEAT_MARKS[seat % SEAT_MARKS.length] ?? { colour: "#7a4a1f", path: "" },
  };
}
