// What the page says aloud to whoever listens instead of looking: one live region for all.
import { untrack } from "svelte";

class Voice {
  text: string = $state("");
  say(text: string): void {
    // The same sentence twice is said twice: a no-break space makes it new.
    const before = untrack(() => this.text);
    this.text = before === text ? `${text}\u00a0` : text;
  }
}
export const voice = new Voice();
