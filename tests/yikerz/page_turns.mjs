// The page's own simulation of turns in Node, for tests and benchmarks: web/src/games/yikerz/physics over lines of JSON.
// `node page_turns.mjs WEB MODULE`; a line in is a turn ({facts, start, path, release}), a line out is what became of it.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [web, kernels] = process.argv.slice(2);
const { rolldown } = await import(pathToFileURL(createRequire(join(web, "package.json")).resolve("rolldown")));
const folder = mkdtempSync(join(tmpdir(), "page-physics-"));
const file = join(folder, "turn.mjs");
const bundle = await rolldown({ input: join(web, "src/games/yikerz/physics/turn.ts"), logLevel: "silent" });
await bundle.write({ file, format: "esm" });
await bundle.close();
const { Turn } = await import(pathToFileURL(file));
rmSync(folder, { recursive: true });
const { default: loadMujoco } = await import(pathToFileURL(join(web, "node_modules/@mujoco/mujoco/mujoco.js")));
const mujoco = await loadMujoco();
const module = new WebAssembly.Module(readFileSync(kernels));
let facts = null;

/** Plays a turn: one pose of the hand for each sample, and after which sample it lets go. */
function play({ start, path, release, poses }) {
  const began = process.cpuUsage();
  const turn = new Turn(mujoco, module, facts, start);
  const frames = [];
  let slowest = 0;
  const look = () => {
    const frame = turn.frame(true);
    if (poses) frames.push(frame);
  };
  for (const pose of path.slice(0, release)) {
    const before = performance.now();
    turn.follow(pose);
    look();
    slowest = Math.max(slowest, performance.now() - before);
    if (!turn.holding) break;
  }
  const followed = turn.samples;
  if (turn.holding) turn.letGo();
  while (!turn.over) {
    turn.wait();
    look();
  }
  const { user, system } = process.cpuUsage(began);
  const answer = {
    board: turn.onBoard,
    taken: turn.taken,
    events: turn.reported,
    seconds: turn.seconds,
    followed,
    simulated: turn.samples / 60,
    cpu: (user + system) / 1e6,
    slowest,
    frames,
  };
  turn.destroy();
  return answer;
}

for await (const line of createInterface({ input: process.stdin })) {
  const asked = JSON.parse(line);
  if (asked.facts) facts = asked.facts;
  process.stdout.write(`${JSON.stringify(asked.start ? play(asked) : {})}\n`);
}
