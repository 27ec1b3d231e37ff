// The person's settings in this browser: language, theme, motion, sound, confirmation.
import type { Language } from "../contract";
import { bestLanguage, shown } from "./language.svelte";

export type Choice = {
  language: Language | "auto";
  theme: "auto" | "light" | "dark";
  motion: "auto" | "on" | "off";
  sound: boolean;
  confirm: boolean;
  notify: boolean;
};

const KEY = "ludotheque.settings";
const DEFAULTS: Choice = {
  language: "auto",
  theme: "auto",
  motion: "auto",
  sound: true,
  confirm: false,
  notify: false,
};

function stored(): Partial<Choice> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Choice>;
  } catch {
    return {}; // a browser that keeps nothing, or nonsense in it: the defaults serve
  }
}

const dark = matchMedia("(prefers-color-scheme: dark)");
const still = matchMedia("(prefers-reduced-motion: reduce)");

class Settings {
  choice: Choice = $state({ ...DEFAULTS, ...stored() });
  #systemDark = $state(dark.matches);
  #systemStill = $state(still.matches);

  constructor() {
    dark.addEventListener("change", (change) => (this.#systemDark = change.matches));
    still.addEventListener("change", (change) => (this.#systemStill = change.matches));
  }

  /** The language that the page is shown in now. */
  get language(): Language {
    return shown.language;
  }
  /** The language that the page should be shown in, as soon as its catalogue is there. */
  get preferredLanguage(): Language {
    return bestLanguage(
      this.choice.language === "auto" ? navigator.languages : [this.choice.language, ...navigator.languages],
    );
  }
  get night(): boolean {
    return this.choice.theme === "auto" ? this.#systemDark : this.choice.theme === "dark";
  }
  get motion(): boolean {
    return this.choice.motion === "auto" ? !this.#systemStill : this.choice.motion === "on";
  }

  /** Called in an effect: the document follows the choice, and the browser remembers it. */
  apply(): void {
    const root = document.documentElement;
    root.lang = this.language;
    root.toggleAttribute("data-night", this.night);
    root.toggleAttribute("data-still", !this.motion);
    document.querySelector('meta[name="theme-color"]')?.setAttribute("content", this.night ? "#1c1610" : "#efe4cf");
    try {
      localStorage.setItem(KEY, JSON.stringify(this.choice));
    } catch {
      // private windows may refuse: the choice then lasts as long as the window
    }
  }
}

export const settings = new Settings();
