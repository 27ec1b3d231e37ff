// The page's side of its physics worker: started when a player of Yikerz! has time, one for the whole page.
// Where there are no kernels, or a browser that cannot run them, there is none, and the table's own frames are shown.
import type { PhysicsFacts } from "./scene";
import type { TurnFrame, TurnStart } from "./turn";
import type { Asked, Told } from "./worker";

const KERNELS = "/api/games/yikerz/kernels.wasm";

export interface EngineTurn {
  readonly number: number;
  onFrame(frame: TurnFrame): void;
  /** The simulation cannot go on. */
  onLost(): void;
}

export class Engine {
  static #only: Promise<Engine | null> | undefined;
  readonly sources: string;
  readonly #worker: Worker;
  #turn: EngineTurn | null = null;
  #count = 0;

  /** The engine, once it has been loaded; null where there is none. */
  static load(): Promise<Engine | null> {
    Engine.#only ??= new Promise((resolve) => {
      if (typeof Worker === "undefined" || typeof WebAssembly === "undefined") {
        resolve(null);
        return;
      }
      const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
      worker.onerror = () => resolve(null);
      worker.onmessage = ({ data: told }: MessageEvent<Told>) => {
        if (told.what === "loaded") resolve(new Engine(worker, told.sources));
        else {
          worker.terminate();
          resolve(null);
        }
      };
      worker.postMessage({ do: "load", kernels: KERNELS } satisfies Asked);
    });
    return Engine.#only;
  }
  private constructor(worker: Worker, sources: string) {
    this.#worker = worker;
    this.sources = sources;
    worker.onmessage = ({ data: told }: MessageEvent<Told>) => {
      if (!("turn" in told) || told.turn !== this.#turn?.number) return;
      if (told.what === "frame") this.#turn.onFrame(told.frame);
      else this.#turn.onLost();
    };
    worker.onerror = () => this.#turn?.onLost();
  }
  #ask(asked: Asked): void {
    this.#worker.postMessage(asked);
  }
  /** Begin a turn; another one that goes on is given up. */
  begin(facts: PhysicsFacts, start: TurnStart, strain: boolean, heard: Omit<EngineTurn, "number">): number {
    const number = ++this.#count;
    this.#turn = { ...heard, number };
    this.#ask({ do: "begin", turn: number, facts, start, strain });
    return number;
  }
  /** The hand's poses, one a sample. */
  follow(turn: number, poses: Extract<Asked, { do: "follow" }>["poses"], release: boolean): void {
    this.#ask({ do: "follow", turn, poses, release });
  }
  end(turn: number): void {
    if (this.#turn?.number === turn) this.#turn = null;
    this.#ask({ do: "end", turn });
  }
}
