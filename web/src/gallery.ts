// For development only: a board with sample tables and no server. `npm run dev`, then
// /gallery.html?game=NAME&language=fr&night&still
import "./app.css";
import type { Board, Table } from "./contract";
import { applyColours, OURS } from "./games";
import { loadSay } from "./lib/games.svelte";
import { speak } from "./lib/language.svelte";

const query = new URLSearchParams(location.search);
const game = query.get("game") ?? Object.keys(OURS)[0] ?? "";
const language = query.get("language") ?? "en";
const manifest = OURS[game];
for (const name of ["night", "still"]) if (query.has(name)) document.documentElement.dataset[name] = "";
document.body.dataset["game"] = game;

async function show(element: HTMLElement): Promise<void> {
  if (!manifest?.gallery || !manifest.board) throw new Error(`no gallery for "${game}"`);
  await speak(language);
  const [say, gallery, module] = await Promise.all([loadSay(game, language), manifest.gallery(), manifest.board()]);
  const usual: Omit<Table, "moment"> = {
    game,
    players: 2,
    options: {},
    language,
    settings: { motion: !query.has("still"), sound: false },
    names: ["Anna", "Bot"],
    seats: [0],
    rollsByHand: true,
    hint: null,
    say,
    play: (action) => console.log("play", action),
    roll: () => console.log("roll"),
    peek: () => Promise.reject(new Error("no server here")),
    ask: () => Promise.reject(new Error("no server here")),
    announce: (text) => console.log(text),
  };
  let board: Board | null = null;
  const sample = gallery.sample(query, (table) => board?.update({ ...usual, ...table } as Table));
  applyColours(game, manifest);
  board = module.mount(element, { ...usual, ...sample } as Table);
}
const element = document.getElementById("page");
if (element) void show(element);
