// A rules page in parts: text, the game's pictures, and positions that are drawn on its board.
import { render } from "./markdown";

/** A position that a rules page shows: its name among the game's examples, and what is said about it, as HTML. */
export interface Shown {
  name: string;
  caption: string;
}
export type Part = { html: string } | { pictures: string } | { positions: Shown[] };

const BLOCK = /^```(text|position)(?: ([\w-]+))?\n([\s\S]*?)^```$/m;

/** A drawing in letters right before a position is for readers without a board. */
const STAND_IN = /^```text\n(?:(?!```).*\n)*```\s+(?=^```position )/gm;

/** Splits a page at its fenced blocks "```text NAME" (a drawing in letters, in whose place the pictures NAME are
 *  shown) and "```position NAME" (its text is the caption). Pictures may also belong to a section by its number: then
 *  they take the place of its first drawing without a name, or stand at its end. `known` are the pictures that there
 *  are. */
export function parts(source: string, known: ReadonlySet<string>): Part[] {
  const found: Part[] = [];
  const say = (text: string): void => void (text.trim() && found.push({ html: render(text) }));
  const sections = source.replace(STAND_IN, "").split(/^(?=## )/m);
  sections.forEach((section, place) => {
    let numbered = known.has(String(place - 1)) ? String(place - 1) : null;
    let rest = section;
    let plain = "";
    for (let block = BLOCK.exec(rest); block; block = BLOCK.exec(rest)) {
      const [all, kind, name, body = ""] = block;
      plain += rest.slice(0, block.index);
      rest = rest.slice(block.index + all.length);
      const pictures = name === undefined ? numbered : known.has(name) ? name : null;
      if (kind === "position" && name) {
        say(plain);
        const last = plain.trim() ? undefined : found.at(-1);
        const shown = { name, caption: render(body) };
        if (last && "positions" in last) last.positions.push(shown);
        else found.push({ positions: [shown] });
        plain = "";
      } else if (kind === "text" && pictures !== null) {
        say(plain);
        found.push({ pictures });
        if (name === undefined) numbered = null;
        plain = "";
      } else plain += all;
    }
    say(plain + rest);
    if (numbered !== null) found.push({ pictures: numbered });
  });
  return found;
}
