// Every page by the first part of its address, but for home and the games' own pages, which are in the manifests.
// Each is loaded on demand. The tests read this list, so that no page is left out.
import type { Component } from "svelte";

// biome-ignore lint/suspicious/noExplicitAny: a page takes the next part of its address as `first`, or nothing
type Page = { default: Component<any> };
export const PAGES: { [name: string]: () => Promise<Page> } = {
  t: () => import("./Table.svelte"),
  new: () => import("./NewTable.svelte"),
  rules: () => import("./Rules.svelte"),
  learn: () => import("./Lesson.svelte"),
  puzzle: () => import("./Puzzle.svelte"),
  games: () => import("./History.svelte"),
  me: () => import("./Me.svelte"),
  r: () => import("./Replay.svelte"),
  p: () => import("./Position.svelte"),
  settings: () => import("./Settings.svelte"),
  about: () => import("./About.svelte"),
  help: () => import("./Help.svelte"),
  d: () => import("./Device.svelte"),
};
/** Pages whose address goes on with a game's name, or with that of a table, a record or a device's code. */
export const OF_GAMES = ["new", "rules", "learn", "puzzle", "p"];
export const OF_THINGS = ["t", "r", "d"];
