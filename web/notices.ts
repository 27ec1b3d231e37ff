// A Vite plugin: the licences of what the built page contains, as notices.txt beside it. That is every package whose
// code is in a chunk or in a worker, and the fonts. The headings are read by tools/release.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

const MODULES = join(import.meta.dirname, "node_modules");
const FONTS = ["@fontsource/alegreya", "@fontsource/alegreya-sans"];
/** Workers are bundled apart from the page. */
const IN_WORKERS = ["@mujoco/mujoco"];
/** The text of a licence for packages that only name it: TypeScript, with which the page is built, has it. */
const TEXTS: { readonly [licence: string]: string } = { "Apache-2.0": "typescript/LICENSE.txt" };
const INSIDE = /\/node_modules\/((?:@[^/]+\/)?[^/]+)(?!.*\/node_modules\/)\//;

/** The package that a module belongs to; nothing for our own. */
export function packageOf(id: string): string | undefined {
  return INSIDE.exec(id.replaceAll("\\", "/"))?.[1];
}

/** The notice of one package: its heading, and the text of its licence. */
export function notice(name: string, folder: string = join(MODULES, name)): string {
  const about = JSON.parse(readFileSync(join(folder, "package.json"), "utf-8")) as { [key: string]: string };
  const own = readdirSync(folder).find((one) => /^(licen[cs]e|copying)/i.test(one));
  const known = TEXTS[about["license"] ?? ""];
  const file = own ? join(folder, own) : known ? join(MODULES, known) : undefined;
  if (!about["license"] || !file) throw new Error(`${name} has no licence: it cannot be in the page`);
  const holder = own ? "" : `Copyright ${about["author"] ?? `the authors of ${name}`}\n\n`;
  const text = holder + readFileSync(file, "utf-8").trim();
  return `## ${name} ${about["version"]} (${about["license"]})\n\n${text}\n`;
}

export function notices(): Plugin {
  return {
    name: "notices",
    generateBundle(_options, bundle) {
      const names = new Set([...FONTS, ...IN_WORKERS]);
      for (const part of Object.values(bundle)) {
        for (const id of part.type === "chunk" ? part.moduleIds : []) {
          const name = packageOf(id);
          if (name) names.add(name);
        }
      }
      const head = "The page of Ludothèque contains these packages and fonts.\n";
      const source = [head, ...[...names].sort().map((name) => notice(name))].join("\n");
      this.emitFile({ type: "asset", fileName: "notices.txt", source });
    },
  };
}
