// The page's present way to its hosts, as state that pages may watch. What follows from it is in `mode`.
const KEY = "ludotheque.alone";

/** Where somebody plays who plays alone: at the server, and here while it is away; always here; never here. */
export type Alone = "away" | "always" | "never";
const CHOICES: readonly Alone[] = ["away", "always", "never"];

function kept(): Alone {
  try {
    return CHOICES.find((choice) => choice === localStorage.getItem(KEY)) ?? "away";
  } catch {
    return "away"; // a browser that keeps nothing: as usual
  }
}

class Mode {
  /** The page lies on a static site. */
  readonly site = import.meta.env.MODE === "site";
  alone: Alone = $state(kept());
  /** The server did not answer the last question. */
  offline = $state(false);
  /** The worker is there. */
  ready = $state(false);

  /** From now on, matches that need nobody else are played there. */
  playAlone(where: Alone): void {
    this.alone = where;
    try {
      localStorage.setItem(KEY, where);
    } catch {
      // it lasts as long as the window
    }
  }
}
export const mode = new Mode();
