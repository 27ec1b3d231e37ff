// The boards that are built with the page, each loaded only when a table needs it; a third party's comes from the server.
import type { BoardModule } from "../contract";
import type { GameCard } from "../lib/network";

export const BOARDS: { [game: string]: () => Promise<BoardModule> } = {
  "yam-master": () => import("./yam-master"),
  wykersham: () => import("./wykersham"),
  twisty: () => import("./twisty"),
  yikerz: () => import("./yikerz"),
};

export async function boardFor(game: string, card: GameCard | null): Promise<BoardModule> {
  const own = BOARDS[game];
  if (own) return own();
  if (card?.board?.startsWith("/")) return (await import(/* @vite-ignore */ card.board)) as BoardModule;
  return import("./generic");
}
