// The bots of a game as people meet them: names are in the game's catalogue (`bot.3`), portraits in its folder. A game
// without them has plain ones. "bot:3" stays what records and messages say.
import { gameList } from "./games.svelte";
import { t } from "./language.svelte";

export const LEVELS = [1, 2, 3, 4, 5] as const;

/** What a bot is called: by its name, or by its level. */
export const opponentName = (game: string, level: number): string =>
  gameList.sentence(game, `bot.${level}`) ?? t("opponent.bot", { level });

const loaded = new Map<string, Promise<readonly string[]>>();
/** The portraits of a game's bots, level by level: what stands inside an SVG of 100 by 100. */
export function loadPortraits(game: string): Promise<readonly string[]> {
  const load = gameList.manifest(game).opponents;
  const plain = (): Promise<readonly string[]> => import("./portrait").then(({ PLAIN }) => LEVELS.map(() => PLAIN));
  const found = loaded.get(game) ?? (load ? load().then(({ portraits }) => portraits, plain) : plain());
  loaded.set(game, found);
  found.catch(() => loaded.delete(game)); // the next one who asks tries again
  return found;
}
