// Cuts the fonts down to the letters that French and English need, so that all three weigh under 60 kB together.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import subset from "subset-font";

const printable = Array.from({ length: 95 }, (_, place) => String.fromCharCode(32 + place)).join("");
const letters = printable + "\u00a0\u202f¡«»°µ·×½ÀÂÄÆÇÈÉÊËÎÏÔÖÙÛÜŒàâäæçèéêëîïñôöùûüÿœ–—‘’“”…€→−≤";
const fonts = {
  "sans-400": "alegreya-sans/files/alegreya-sans-latin-400-normal.woff2",
  "sans-700": "alegreya-sans/files/alegreya-sans-latin-700-normal.woff2",
  "serif-600": "alegreya/files/alegreya-latin-600-normal.woff2",
};

const here = new URL("..", import.meta.url);
await mkdir(new URL("src/fonts", here), { recursive: true });
for (const [name, file] of Object.entries(fonts)) {
  const whole = await readFile(new URL(`node_modules/@fontsource/${file}`, here));
  await writeFile(new URL(`src/fonts/${name}.woff2`, here), await subset(whole, letters, { targetFormat: "woff2" }));
}
