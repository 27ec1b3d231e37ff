// A position as a link: all of it is in the address, so that nothing is stored.
import type { Json, View } from "../contract";

export interface Shared {
  game: string;
  players: number;
  options: { [key: string]: Json };
  view: View;
  names: string[];
}

export function positionLink({ game, ...rest }: Shared): string {
  const bytes = new TextEncoder().encode(JSON.stringify(rest));
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return `/p/${encodeURIComponent(game)}?at=${text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

export function readPosition(game: string, query: string): Shared | null {
  try {
    const text = new URLSearchParams(query).get("at") ?? "";
    const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) =>
      letter.charCodeAt(0),
    );
    const { players, options, view, names } = JSON.parse(new TextDecoder().decode(bytes)) as Shared;
    return typeof players === "number" && view ? { game, players, options, view, names } : null;
  } catch {
    return null;
  }
}
