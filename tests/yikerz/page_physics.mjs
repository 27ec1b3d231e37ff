// The page's prediction of Yikerz! turns in Node, for tests and benchmarks: web/src/games/yikerz/prediction.ts with its
// simulation, under a clock that is told. `node page_physics.mjs WEB MODULE`; page_physics.py is the other side.
// A line in is a request, a line out its answer.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [web, kernels] = process.argv.slice(2);
const { rolldown } = await import(pathToFileURL(createRequire(join(web, "package.json")).resolve("rolldown")));
const folder = mkdtempSync(join(tmpdir(), "page-physics-"));
async function bundled(name) {
  const file = join(folder, `${name.replaceAll("/", "-")}.mjs`);
  const bundle = await rolldown({ input: join(web, `src/games/yikerz/${name}.ts`), logLevel: "silent" });
  await bundle.write({ file, format: "esm" });
  await bundle.close();
  return import(pathToFileURL(file));
}
const { Turn } = await bundled("physics/turn");
const { Prediction } = await bundled("prediction");
const { readFrame } = await bundled("frames");
rmSync(folder, { recursive: true });
const { default: loadMujoco } = await import(pathToFileURL(join(web, "node_modules/@mujoco/mujoco/mujoco.js")));
const mujoco = await loadMujoco();
const module = new WebAssembly.Module(readFileSync(kernels));

// The page's clock and timers: time passes when it is told to.
const real = performance.now.bind(performance);
let now = 0;
let timer = null;
globalThis.window = {
  setInterval: (work) => {
    timer = work;
    return 1;
  },
};
globalThis.clearInterval = () => {
  timer = null;
};
Object.defineProperty(performance, "now", { value: () => now });
Object.defineProperty(performance, "measure", { value: () => undefined });
Object.defineProperty(performance, "clearMeasures", { value: () => undefined });

let facts = null;
let prediction = null;
/** The worker of the page, here without a worker: it answers at once. */
let simulated = null;
let poses = null;
let differences = [];
const engine = {
  begin(_facts, start, _strain, heard) {
    simulated = { turn: new Turn(mujoco, module, facts, start), heard, cpu: 0, slowest: 0 };
    return 1;
  },
  follow(_turn, way, release) {
    const { turn, heard } = simulated;
    if (turn.over) return;
    const [began, before] = [process.cpuUsage(), real()];
    for (const pose of way) {
      if (turn.holding) turn.follow(pose);
      else turn.wait();
    }
    if (release && turn.holding) turn.letGo();
    const frame = turn.frame(true);
    const { user, system } = process.cpuUsage(began);
    simulated.cpu += (user + system) / 1e6;
    simulated.slowest = Math.max(simulated.slowest, real() - before);
    heard.onFrame(frame);
  },
  end: () => undefined,
};

const answers = {
  facts(asked) {
    facts = asked.facts;
    return {};
  },
  /** Begin a turn; what is said to the table comes back. */
  begin({ start }) {
    now = 0;
    differences = [];
    const messages = [];
    const live = { begin: (hand) => messages.push(hand), move: (hand) => messages.push(hand) };
    const heard = { changed: () => undefined, differs: (how) => differences.push(how) };
    prediction = new Prediction(engine, live, facts, start, true, heard);
    prediction.messages = messages;
    prediction.follow(() => poses);
    return { messages: messages.splice(0) };
  },
  /** Time goes on to an instant (ms): frames have come, the hand is somewhere, and may want to let go. */
  tick(asked) {
    now = asked.now;
    poses = asked.hand;
    for (const frame of asked.frames) prediction.hear(readFrame(frame), now);
    if (asked.letGo) prediction.letGo();
    timer?.();
    return { messages: prediction.messages.splice(0), holding: simulated.turn.holding };
  },
  /** The simulation to its end, by itself where it has given way. */
  end() {
    const { turn, cpu, slowest } = simulated;
    const shown = turn.samples;
    if (turn.holding) turn.letGo();
    while (!turn.over) turn.wait();
    const told = { board: turn.onBoard, taken: turn.taken, events: turn.reported, seconds: turn.seconds };
    turn.destroy();
    prediction.close();
    return { ...told, differences, cpu, slowest, shown: shown / 60 };
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const asked = JSON.parse(line);
  process.stdout.write(`${JSON.stringify(answers[asked.do](asked))}\n`);
}
