// Cuts the fonts down to the letters that the catalogues and French and English names need: all three weigh under 60
// kB together.
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import subset from "subset-font";

const printable = Array.from({ length: 95 }, (_, place) => String.fromCharCode(32 + place)).join("");
const usual = `${printable}\u00a0\u202f¡«»°µ·×½ÀÂÄÆÇÈÉÊËÎÏÔÖÙÛÜŒàâäæçèéêëîïñôöùûüÿœ–—‘’“”…€→−≤`;
const fonts = {
  "sans-400": "alegreya-sans/files/alegreya-sans-latin-400-normal.woff2",
  "sans-700": "alegreya-sans/files/alegreya-sans-latin-700-normal.woff2",
  "serif-600": "alegreya/files/alegreya-latin-600-normal.woff2",
};

const here = new URL("..", import.meta.url);
const root = new URL("../src/ludotheque/", here);
const catalogues = (await readdir(root, { recursive: true })).filter((file) => /locales[\\/][\w-]+\.json$/.test(file));
const texts = await Promise.all(catalogues.map((file) => readFile(new URL(file.replaceAll("\\", "/"), root), "utf-8")));
const letters = [...new Set(usual + texts.join(""))].filter((letter) => letter >= " ").join("");
await mkdir(new URL("src/fonts", here), { recursive: true });
for (const [name, file] of Object.entries(fonts)) {
  const whole = await readFile(new URL(`node_modules/@fontsource/${file}`, here));
  await writeFile(new URL(`src/fonts/${name}.woff2`, here), await subset(whole, letters, { targetFormat: "woff2" }));
}
