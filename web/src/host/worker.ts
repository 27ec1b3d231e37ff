// The worker: Python in Pyodide with the table's logic, the games' kernels as WASM, and the browser's store. It hears
// one thing at a time; bots think between two of them.
import { loadPyodide, type PyodideInterface } from "pyodide";
import type { FromWorker, ToWorker } from "./protocol";
import { openStore } from "./storage";
import { useKernels } from "./kernels";

/** `ludotheque.browser.worker.Worker`. */
interface Host {
  ask(...question: (string | undefined)[]): Promise<{ toJs(): [number, string, string]; destroy(): void }>;
  connect(socket: number, table: string): void;
  receive(socket: number, text: string): Promise<void>;
  disconnect(socket: number): void;
  wait(): number;
  advance(): Promise<void>;
  learned(game: string): void;
}

const tell = (message: FromWorker): void => postMessage(message);
const CODE = "/ludotheque";
/** Milliseconds: the first table and its board come over the same line. */
const AFTER_THE_REST = 2000;

/** Counts what comes over the network, in bytes of the files themselves. */
function countBytes(): void {
  const load = self.fetch.bind(self);
  let loaded = 0;
  self.fetch = async (...request) => {
    const response = await load(...request);
    if (!response.ok || !response.body) return response;
    const counted = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, out) {
          loaded += chunk.byteLength;
          tell({ what: "progress", loaded });
          out.enqueue(chunk);
        },
      }),
    );
    return new Response(counted, response);
  };
}

async function file(address: string): Promise<ArrayBuffer> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${response.status} ${address}`);
  return response.arrayBuffer();
}

async function start({ base, games, weights, counted }: Extract<ToWorker, { do: "start" }>): Promise<Host> {
  if (counted) countBytes();
  const code = file(`${base}ludotheque.zip`);
  const modules = games.map((game) => file(`${base}${game}.wasm`));
  const storing = openStore();
  const python: PyodideInterface = await loadPyodide({ indexURL: base });
  python.unpackArchive(await code, "zip", { extractDir: CODE });
  python.runPython(`import sys; sys.path.insert(0, "${CODE}")`);
  const bridge = python.pyimport("ludotheque.browser.worker");
  for (const [place, game] of games.entries()) await useKernels(python, bridge.discrete(game), await modules[place]!);
  const { store, kept } = await storing;
  const host = bridge.Worker(
    store,
    (socket: number, text: string) => tell({ what: "message", socket, text }),
    (socket: number, code: number, reason: string) => tell({ what: "closed", socket, code, reason }),
    python.toPy(games),
    python.toPy(Object.keys(weights)),
  ) as Host;
  setTimeout(() => {
    for (const [game, path] of Object.entries(weights)) void learn(python, host, game, `${base}${game}.npz`, path);
  }, AFTER_THE_REST);
  tell({ what: "ready", kept });
  return host;
}

/** What a game's bots have learned comes after everything else: the first levels need none of it. */
async function learn(python: PyodideInterface, host: Host, game: string, address: string, path: string): Promise<void> {
  for (let wait = 1000; ; wait *= 2)
    try {
      python.FS.writeFile(`${CODE}/${path}`, new Uint8Array(await file(address)));
      queue(() => host.learned(game));
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, Math.min(wait, 60_000))); // the network may come back
    }
}

let host: Host | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;
let last: Promise<void> = Promise.resolve();

/** One after the other: each begins when all before it have ended. */
function queue(work: () => void | Promise<void>): void {
  last = last.then(work).then(plan, (problem: unknown) => tell({ what: "failed", why: String(problem) }));
}
/** What is due by itself is done as a piece of work of its own, so that a tap is heard between two pieces. */
function plan(): void {
  clearTimeout(timer);
  const wait = host?.wait() ?? -1;
  if (wait >= 0) timer = setTimeout(() => queue(() => host?.advance()), wait * 1000);
}

addEventListener("message", ({ data }: MessageEvent<ToWorker>): void => {
  queue(async () => {
    if (data.do === "start") {
      host = await start(data);
      return;
    }
    if (!host) return;
    switch (data.do) {
      case "ask": {
        const { id, method, path, body, secret, language, base } = data;
        // undefined is Python's None; null would be something of its own.
        const answer = await host.ask(method, path, body ?? undefined, secret ?? undefined, language, base);
        const [status, text, kind] = answer.toJs();
        answer.destroy();
        tell({ what: "answer", id, status, text, kind });
        break;
      }
      case "open":
        host.connect(data.socket, data.table);
        tell({ what: "opened", socket: data.socket });
        break;
      case "send":
        await host.receive(data.socket, data.text);
        break;
      case "shut":
        host.disconnect(data.socket);
        break;
    }
  });
});
