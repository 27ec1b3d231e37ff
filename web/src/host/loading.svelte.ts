// How far the worker has come, for the page to show: what is on its way, how much of it, and what went wrong.
class Loading {
  /** "idle": not asked for yet. */
  state: "idle" | "loading" | "ready" | "failed" = $state("idle");
  /** Somebody waits for it: only then it is worth a line on the page. */
  awaited = $state(0);
  /** The part that has come, from 0 to 1. */
  part = $state(0);
  /** False where the browser keeps nothing: what is played lasts as long as the window. */
  kept = $state(true);
  /** The megabytes that come over the network, compressed. */
  size = $state(0);
}
export const loading = new Loading();
