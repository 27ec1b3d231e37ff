// Where this page comes from: a static site has no server at all; with a server, the person may play alone without it.
import { mode } from "./mode.svelte";

export { type Alone, mode } from "./mode.svelte";

/** Whether all that the worker needs is in this browser: a server that is away need not be asked for it. */
export const keptHere = (): boolean => mode.ready || Boolean(navigator.serviceWorker?.controller);

/** Whether the page answers in place of the server: there is none, or it is away. */
export const takesOver = (): boolean => mode.site || (mode.offline && mode.alone !== "never" && keptHere());

/** The folder of the page itself: a site may lie anywhere. */
export const BASE = new URL(import.meta.env.BASE_URL, location.href.replace(/[?#].*/, "")).href;
