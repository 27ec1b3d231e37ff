// The live region: what the page says to users of screen readers.
import { untrack } from "svelte";

class Announcer {
  text: string = $state("");
  say(text: string): void {
    // The same sentence twice is said twice: a no-break space makes it new.
    const before = untrack(() => this.text);
    this.text = before === text ? `${text}\u00a0` : text;
  }
}
export const announcer = new Announcer();
