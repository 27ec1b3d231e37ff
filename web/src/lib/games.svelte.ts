// The games that this server offers, with their manifests, loaded once; and the site's phrases and levels.
import { games as catalogues } from "virtual:catalogues";
import type { Json, Manifest } from "../contract";
import { applyColours, loadManifest, manifestOf, OURS } from "../games";
import { mode } from "../host/mode";
import { get, post } from "./api";
import { type Dictionary, type Say, speaker, translated } from "./catalogue";
import { shown } from "./language.svelte";
import type { GameCard, Games, Site } from "./network";
import { announcement } from "./notice.svelte";

class GameList {
  games: GameCard[] = $state.raw([]);
  site: Site | null = $state.raw(null);
  problem: string | null = $state(null);
  #manifests: { [game: string]: Manifest } = $state.raw({});
  #loading: Promise<void> | null = null;

  constructor() {
    for (const [game, manifest] of Object.entries(OURS)) applyColours(game, manifest);
  }

  load(): Promise<void> {
    this.#loading ??= this.#load().catch((problem: Error) => {
      this.problem = problem.message;
      this.#loading = null;
    });
    return this.#loading;
  }
  async #load(): Promise<void> {
    const [{ games }, site] = await Promise.all([get<Games>("/api/games"), get<Site>("/api/site")]);
    const manifests = Object.fromEntries(
      await Promise.all(games.map(async (game) => [game.name, await loadManifest(game)] as const)),
    );
    for (const [game, manifest] of Object.entries(manifests)) applyColours(game, manifest);
    const rank = (game: GameCard): number => manifests[game.name]?.rank ?? Number.POSITIVE_INFINITY;
    this.#manifests = manifests;
    this.games = games.toSorted((one, other) =>
      rank(one) === rank(other) ? one.title.localeCompare(other.title) : rank(one) - rank(other),
    );
    this.site = site;
    announcement.read(site);
    this.problem = null;
  }
  /** What the operator has changed since the page was loaded. */
  async refresh(): Promise<void> {
    if (!this.site) return; // it is on its way
    try {
      announcement.read(await get<Site>("/api/site"));
      // The server was away, and is back with the games that need it.
      if (!mode.site && !mode.offline && this.games.some(({ playable }) => playable === false)) await this.#load();
    } catch {
      // whatever is asked for next says what is wrong
    }
  }

  find(name: string): GameCard | null {
    return this.games.find((game) => game.name === name) ?? null;
  }
  title(name: string): string {
    return this.find(name)?.title ?? name;
  }
  manifest(name: string): Manifest {
    return manifestOf(name, this.#manifests);
  }
  /** A sentence of a game's that comes with the list of games: the page need not load the game's own catalogue for
   *  it. */
  sentence(name: string, key: string): string | undefined {
    const card = this.find(name);
    return card ? translated(card.words, shown.language)?.[key] : undefined;
  }
  /** The page of a game's own that has this address, and the game. */
  page(address: string): { game: string; load: NonNullable<Manifest["pages"]>[number]["load"] } | null {
    for (const [game, { pages = [] }] of Object.entries({ ...OURS, ...this.#manifests })) {
      const found = pages.find((page) => page.address === address);
      if (found) return { game, load: () => found.load() };
    }
    return null;
  }
}
export const gameList = new GameList();

const loaded = new Map<string, Promise<Say>>();
/** What the page says of a game: ours comes with the page, a third party's from the server. */
export function loadSay(game: string, language: string): Promise<Say> {
  const key = `${game} ${language}`;
  const built = catalogues[game]?.[language] ?? catalogues[game]?.["en"];
  const loading =
    loaded.get(key) ??
    (built
      ? built().then((module) => module.default)
      : get<Dictionary>(`/api/games/${encodeURIComponent(game)}/words?language=${language}`)
    ).then((dictionary) => speaker(dictionary, language));
  loaded.set(key, loading);
  loading.catch(() => loaded.delete(key)); // the next one who asks tries again
  return loading;
}

/** Sends a game's own request that needs no match. */
export const askGame = (game: string, request: { [key: string]: Json }): Promise<Json> =>
  post<Json>(`/api/games/${encodeURIComponent(game)}/ask`, request);
