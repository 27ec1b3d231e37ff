// The games' manifests: ours are built with the page, a third party's comes from the server. What a game does not
// bring is generic.
import type { BoardModule, Colours, Manifest } from "../contract";
import { orOffline } from "../lib/api";
import type { GameCard } from "../lib/network";

const FOUND = import.meta.glob<Manifest>("./*/manifest.ts", { eager: true, import: "manifest" });
/** Our games by name: each has a folder of that name. */
export const OURS: { readonly [game: string]: Manifest } = Object.fromEntries(
  Object.entries(FOUND).map(([path, manifest]) => [path.split("/")[1] ?? "", manifest]),
);

const DIE = [
  [135, 75],
  [185, 75],
  [160, 100],
  [135, 125],
  [185, 125],
];
/** For a game whose package brings no manifest. */
const GENERIC: Manifest = {
  day: { accent: "#7a4a1f", accentInk: "#fff8ea", accentSoft: "#ecdcc0" },
  night: { accent: "#dca766", accentInk: "#241a10", accentSoft: "#46351f" },
  art: () =>
    '<rect width="320" height="200" fill="#7a5a3a" />' +
    '<rect x="110" y="50" width="100" height="100" rx="14" fill="#f6eedb" />' +
    DIE.map(([x, y]) => `<circle cx="${x}" cy="${y}" r="9" fill="#33261a" />`).join(""),
};

/** The manifest of a game; a third party's is loaded. What is missing in it is generic. */
export async function loadManifest(card: GameCard): Promise<Manifest> {
  const own = OURS[card.name];
  if (own) return own;
  try {
    const brings = card.manifest
      ? ((await import(/* @vite-ignore */ card.manifest)) as { manifest: Manifest }).manifest
      : {};
    return { ...GENERIC, ...brings };
  } catch (problem) {
    // for its author; players get the generic look
    console.error(`The manifest of ${card.name} cannot be loaded:`, problem);
    return GENERIC;
  }
}
export const manifestOf = (game: string, loaded: { [game: string]: Manifest }): Manifest =>
  OURS[game] ?? loaded[game] ?? GENERIC;

export function loadBoard(manifest: Manifest, card: GameCard | null): Promise<BoardModule> {
  if (manifest.board) return card?.manifest ? manifest.board() : orOffline(manifest.board());
  // what is wrong with it, its author should read
  if (card?.board?.startsWith("/")) return import(/* @vite-ignore */ card.board) as Promise<BoardModule>;
  return orOffline(import("./generic"));
}

const sheets = new Map<string, CSSStyleSheet>();
/** Gives everything under `data-game` the game's colours. The server allows no style sheet in the markup, so it is
 *  made here. */
export function applyColours(game: string, { day, night }: Manifest): void {
  if (sheets.has(game)) return;
  const rules = ({ accent, accentInk, accentSoft, seats = [] }: Colours): string =>
    [
      `--accent: ${accent}`,
      `--accent-ink: ${accentInk}`,
      `--accent-soft: ${accentSoft}`,
      ...seats.map((colour, seat) => `--seat-${seat}: ${colour}`),
    ].join("; ");
  const within = `[data-game="${CSS.escape(game)}"]`;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`${within} { ${rules(day)} } :root[data-night] ${within} { ${rules(night)} }`);
  sheets.set(game, sheet);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}
