// The page's side of the worker: questions and connections as with a server. Which of the two answers is in `choice`.
import { loading } from "./loading.svelte";
import { BASE, mode } from "./mode";
import type { FromWorker, ToWorker } from "./protocol";

/** What `connection` needs of a WebSocket. */
export interface TableSocket {
  readonly readyState: number;
  /** It may take long to open, which is no loss. */
  readonly patient?: boolean;
  onopen: ((event: Event) => void) | null;
  onmessage: ((event: MessageEvent) => void) | null;
  onclose: ((event: CloseEvent) => void) | null;
  send(text: string): void;
  close(): void;
}

/** What the build has put beside the page (`host.json`). */
interface Parts {
  /** The folder with Python, the code and the kernels. */
  folder: string;
  games: string[];
  /** Where in the code the learned weights of a game lie. */
  weights: { [game: string]: string };
  /** Bytes of all files, and of the same compressed. */
  bytes: number;
  compressed: number;
  /** The address of a server that a static site knows, for playing with others. */
  server?: string;
}

const COME_AGAIN = 1012;
const SHOWN_OUT = 4403;
let parts: Promise<Parts> | null = null;
export function hostParts(): Promise<Parts> {
  parts ??= fetch(`${BASE}host.json`).then((response) => {
    if (!response.ok) throw new Error(String(response.status));
    return response.json() as Promise<Parts>;
  });
  parts.catch(() => (parts = null));
  return parts;
}

class LocalSocket implements TableSocket {
  readonly patient = true;
  readyState: number = WebSocket.CONNECTING;
  onopen: ((event: Event) => void) | null = null;
  onmessage: ((event: MessageEvent) => void) | null = null;
  onclose: ((event: CloseEvent) => void) | null = null;
  /** Lets another window go on with the table. */
  unlock: (() => void) | null = null;

  constructor(
    readonly number: number,
    readonly worker: LocalHost,
  ) {}
  send(text: string): void {
    this.worker.post({ do: "send", socket: this.number, text });
  }
  close(): void {
    if (this.readyState === WebSocket.CLOSED) return;
    this.worker.post({ do: "shut", socket: this.number });
    this.closed(1000, "");
  }
  closed(code: number, reason: string): void {
    if (this.readyState === WebSocket.CLOSED) return;
    this.readyState = WebSocket.CLOSED;
    this.unlock?.();
    this.worker.sockets.delete(this.number);
    // As with a WebSocket, whoever closes hears of it later.
    queueMicrotask(() => this.onclose?.(new CloseEvent("close", { code, reason })));
  }
}

/** A question that the worker could not be asked. */
export class Unreachable extends Error {}

class LocalHost {
  readonly sockets = new Map<number, LocalSocket>();
  #worker: Worker | null = null;
  #ready: Promise<void> | null = null;
  #answers = new Map<number, { done: (answer: Response) => void; fail: (problem: Error) => void }>();
  #count = 0;

  /** Load the worker, if it is not there yet. */
  start(): Promise<void> {
    this.#ready ??= this.#start();
    this.#ready.catch(() => (this.#ready = null)); // the next one who asks tries again
    return this.#ready;
  }
  async #start(): Promise<void> {
    if (typeof WebAssembly !== "object" || typeof Worker !== "function") {
      loading.state = "failed";
      throw new Unreachable("no WebAssembly");
    }
    loading.state = "loading";
    loading.part = 0;
    try {
      const { folder, games, weights, bytes, compressed } = await hostParts();
      loading.size = compressed / 1e6;
      const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
      this.#worker = worker;
      await new Promise<void>((resolve, reject) => {
        worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
          if (data.what === "progress") loading.part = Math.min(1, data.loaded / bytes);
          else if (data.what === "ready") {
            loading.kept = data.kept;
            resolve();
          } else if (data.what === "failed") {
            this.#die(data.why);
            reject(new Unreachable(data.why));
          } else this.#hear(data);
        };
        worker.onerror = (event) => {
          this.#die(event.message);
          reject(new Unreachable(event.message));
        };
        // What the service worker has kept is there at once: nobody has to see how far it has come.
        const counted = !navigator.serviceWorker?.controller;
        this.post({ do: "start", base: `${BASE}${folder}`, games, weights, counted });
      });
      loading.state = "ready";
      mode.ready = true;
    } catch (problem) {
      loading.state = "failed";
      throw problem instanceof Unreachable ? problem : new Unreachable(String(problem));
    }
  }
  /** The worker is lost: a new one reads from the store what was shown. */
  #die(why: string): void {
    console.error(`the worker is lost: ${why}`);
    this.#worker?.terminate();
    this.#worker = this.#ready = null;
    loading.state = "failed";
    mode.ready = false;
    for (const { fail } of this.#answers.values()) fail(new Unreachable(why));
    this.#answers.clear();
    for (const socket of [...this.sockets.values()]) socket.closed(COME_AGAIN, "come again");
  }
  post(message: ToWorker): void {
    this.#worker?.postMessage(message);
  }
  #hear(message: FromWorker): void {
    switch (message.what) {
      case "answer": {
        const body = message.status === 204 ? null : message.text;
        const headers = { "content-type": message.kind };
        this.#answers.get(message.id)?.done(new Response(body, { status: message.status, headers }));
        this.#answers.delete(message.id);
        break;
      }
      case "opened": {
        const socket = this.sockets.get(message.socket);
        if (!socket) break;
        socket.readyState = WebSocket.OPEN;
        socket.onopen?.(new Event("open"));
        break;
      }
      case "message":
        this.sockets.get(message.socket)?.onmessage?.(new MessageEvent("message", { data: message.text }));
        break;
      case "closed":
        this.sockets.get(message.socket)?.closed(message.code, message.reason);
        break;
    }
  }

  async ask(
    method: string,
    path: string,
    body: string | null,
    secret: string | null,
    language: string,
  ): Promise<Response> {
    loading.awaited += 1;
    try {
      await this.start();
      return await new Promise<Response>((done, fail) => {
        const id = ++this.#count;
        this.#answers.set(id, { done, fail });
        this.post({ do: "ask", id, method, path, body, secret, language, base: BASE });
      });
    } finally {
      loading.awaited -= 1;
    }
  }

  /** A connection to a table. A table is open in one window at a time: the other one is told so with `elsewhere`. */
  connect(table: string, elsewhere: () => string): TableSocket {
    const socket = new LocalSocket(++this.#count, this);
    this.sockets.set(socket.number, socket);
    loading.awaited += 1;
    const open = async (): Promise<void> => {
      try {
        await this.start();
        if (!(await lock(table, socket))) {
          const refused = { what: "refused", id: null, code: "elsewhere", sentence: elsewhere() };
          socket.onmessage?.(new MessageEvent("message", { data: JSON.stringify(refused) }));
          socket.closed(SHOWN_OUT, "elsewhere");
        } else this.post({ do: "open", socket: socket.number, table });
      } catch {
        socket.closed(COME_AGAIN, "come again");
      } finally {
        loading.awaited -= 1;
      }
    };
    void open();
    return socket;
  }
}

/** Holds a table for this window until its socket is closed; false if another window has it. */
function lock(table: string, socket: LocalSocket): Promise<boolean> {
  if (!navigator.locks) return Promise.resolve(true); // plain HTTP has none
  return new Promise((answer) => {
    void navigator.locks.request(`ludotheque ${table}`, { ifAvailable: true }, (held) => {
      answer(held !== null);
      return held && new Promise<void>((release) => (socket.unlock = release));
    });
  });
}

export const localHost = new LocalHost();
