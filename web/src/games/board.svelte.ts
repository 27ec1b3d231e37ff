// Puts a Svelte component behind the contract: every board of ours is mounted this way.
import { type Component, mount as svelteMount, unmount } from "svelte";
import type { Board, Table } from "../contract";

export interface BoardProps {
  table: Table;
}

export function mounted(component: Component<BoardProps>, element: HTMLElement, table: Table, standing?: (table: Table, seat: number) => string): Board {
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
  };
}
