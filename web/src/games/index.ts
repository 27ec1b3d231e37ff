// The boards that are built with the page, each loaded only when a table needs it.
import type { BoardModule } from "../contract";

export const BOARDS: { [game: string]: () => Promise<BoardModule> } = {
  "yam-master": () => import("./yam-master"),
  wykersham: () => import("./wykersham"),
  twisty: () => import("./twisty"),
};
