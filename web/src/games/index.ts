// The boards that are built with the page, each loaded only when a table needs it; a third party's comes from the server.
import type { BoardModule } from "../contract";
import { brought } from "../lib/api";
import type { GameCard } from "../lib/network";

export const BOARDS: { [game: string]: () => Promise<BoardModule> } = {
  "yam-master": () => import("./yam-master"),
  wykersham: () => import("./wykersham"),
  twisty: () => import("./twisty"),
  yikerz: () => import("./yikerz"),
};

export function boardFor(game: string, card: GameCard | null): Promise<BoardModule> {
  const own = BOARDS[game];
  if (own) return brought(own());
  if (card?.board?.startsWith("/")) return import(/* @vite-ignore */ card.board) as Promise<BoardModule>; // what is wrong with it, its author should read
  return brought(import("./generic"));
}
