// The page's physics in a Web Worker: loads MuJoCo and our kernels, and simulates one turn as the hand plays it.
// `engine` is the page's side.
import loadMujoco from "@mujoco/mujoco";
import mujocoModule from "@mujoco/mujoco/mujoco.wasm?url";
import type { Pose } from "../pose";
import { aboutKernels } from "./kernels";
import type { MuJoCo } from "./mujoco";
import type { PhysicsFacts } from "./scene";
import { Turn, type TurnFrame, type TurnStart } from "./turn";

export type Asked =
  | { do: "load"; kernels: string }
  | { do: "begin"; turn: number; facts: PhysicsFacts; start: TurnStart; strain: boolean }
  /** The hand's poses, one a sample; `release`: it lets go after them. Once it has, time passes. */
  | { do: "follow"; turn: number; poses: readonly Pose[]; release: boolean }
  | { do: "end"; turn: number };
export type Told =
  | { what: "loaded"; sources: string }
  /** There are no kernels here, or they cannot run: the page does without. */
  | { what: "absent"; why: string }
  | { what: "frame"; turn: number; frame: TurnFrame }
  | { what: "lost"; turn: number; why: string };

let mujoco: MuJoCo | null = null;
let kernels: WebAssembly.Module | null = null;
let now: { number: number; turn: Turn; strain: boolean } | null = null;

const tell = (told: Told): void => postMessage(told);

async function load(address: string): Promise<void> {
  const answer = await fetch(address);
  if (answer.status !== 200) throw new Error(`${answer.status}`);
  kernels = await WebAssembly.compile(await answer.arrayBuffer());
  mujoco = (await loadMujoco({ locateFile: () => mujocoModule })) as unknown as MuJoCo;
  tell({ what: "loaded", sources: aboutKernels(kernels).sources });
}

function end(): void {
  now?.turn.destroy();
  now = null;
}

/** Some samples of the turn, and a frame of what it looks like then. */
function play(number: number, samples: (turn: Turn) => void): void {
  if (now?.number !== number || now.turn.over) return;
  try {
    samples(now.turn);
    tell({ what: "frame", turn: number, frame: now.turn.frame(now.strain) });
  } catch (error) {
    end();
    tell({ what: "lost", turn: number, why: String(error) });
  }
}

function answer(asked: Asked): void {
  if (asked.do === "load") load(asked.kernels).catch((error: unknown) => tell({ what: "absent", why: String(error) }));
  else if (asked.do === "begin" && mujoco && kernels) {
    end();
    try {
      now = {
        number: asked.turn,
        turn: new Turn(mujoco, kernels, asked.facts, asked.start),
        strain: asked.strain,
      };
    } catch (error) {
      tell({ what: "lost", turn: asked.turn, why: String(error) });
    }
  } else if (asked.do === "follow")
    play(asked.turn, (turn) => {
      for (const pose of asked.poses)
        if (turn.holding) turn.follow(pose);
        else turn.wait();
      if (asked.release && turn.holding) turn.letGo();
    });
  else if (asked.do === "end" && now?.number === asked.turn) end();
}
addEventListener("message", ({ data }: MessageEvent<Asked>) => answer(data));
