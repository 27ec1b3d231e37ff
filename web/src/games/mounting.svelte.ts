// Mounts Svelte components as boards and pages of the contract.
import { type Component, mount as svelteMount, unmount } from "svelte";
import "./board.css";
import type { Board, Mark, PageHost, PageModule, Table } from "../contract";

export const SEAT_MARKS: readonly Mark[] = [
  { colour: "#b03a2a", path: "M-5 0A5 5 0 1 0 5 0A5 5 0 1 0-5 0" },
  { colour: "#2a5d94", path: "M-5-5H5V5H-5Z" },
  { colour: "#3c7a4e", path: "M0-6L6 5H-6Z" },
  { colour: "#7a4c93", path: "M-1.6-6H1.6V-1.6H6V1.6H1.6V6H-1.6V1.6H-6V-1.6H-1.6Z" },
];

export interface BoardProps {
  table: Table;
}

/** A component whose only property can be replaced from outside. */
function replaceable<Name extends string, Value>(
  component: Component<{ [name in Name]: Value }>,
  element: HTMLElement,
  name: Name,
  value: Value,
): { current: () => Value; update: (next: Value) => void; destroy: () => void } {
  let current = $state.raw(value);
  const props = Object.defineProperty({}, name, { get: () => current, enumerable: true }) as { [name in Name]: Value };
  const instance = svelteMount(component, { target: element, props });
  return { current: () => current, update: (next) => void (current = next), destroy: () => void unmount(instance) };
}

/** A board: its component, how a seat stands, and the seats' marks where they are not the usual ones. */
export function mounted(
  component: Component<BoardProps>,
  element: HTMLElement,
  table: Table,
  standing?: (table: Table, seat: number) => string,
  marks: readonly Mark[] = [],
): Board {
  const { current, update, destroy } = replaceable(component, element, "table", table);
  return {
    update,
    destroy,
    standing: (seat) => standing?.(current(), seat) ?? "",
    mark: (seat) => marks[seat] ?? SEAT_MARKS[seat % SEAT_MARKS.length] ?? { colour: "#7a4a1f", path: "" },
  };
}

/** A page of a game's own. */
export const mountedPage = (
  component: Component<{ host: PageHost }>,
  element: HTMLElement,
  host: PageHost,
): ReturnType<PageModule["mount"]> => replaceable(component, element, "host", host);
