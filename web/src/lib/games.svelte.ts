// The games that this server offers, asked once; and the site's phrases and levels.
import { get } from "./api";
import type { GameCard, Games, Site } from "./network";

class Catalogue {
  games: GameCard[] = $state.raw([]);
  site: Site | null = $state.raw(null);
  problem: string | null = $state(null);
  #asked: Promise<void> | null = null;

  load(): Promise<void> {
    this.#asked ??= Promise.all([get<Games>("/api/games"), get<Site>("/api/site")]).then(
      ([{ games }, site]) => {
        const order = ["yam-master", "wykersham", "twisty", "yikerz"];
        const rank = (game: GameCard): number => (order.indexOf(game.name) + 1 || 99) * 1000;
        this.games = games.toSorted((one, other) => rank(one) - rank(other) || one.title.localeCompare(other.title));
        this.site = site;
        this.problem = null;
      },
      (problem: Error) => {
        this.problem = problem.message;
        this.#asked = null;
      },
    );
    return this.#asked;
  }
  find(name: string): GameCard | null {
    return this.games.find((game) => game.name === name) ?? null;
  }
  title(name: string): string {
    return this.find(name)?.title ?? name;
  }
}
export const catalogue = new Catalogue();
