import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { withoutTexts } from "../mujoco.ts";
import type { LiveTurn } from "../src/contract";
import type { Frame } from "../src/games/yikerz/frames";
import type { Engine, EngineTurn } from "../src/games/yikerz/physics/engine";
import type { PhysicsFacts } from "../src/games/yikerz/physics/scene";
import type { TurnFrame } from "../src/games/yikerz/physics/turn";
import { Playback } from "../src/games/yikerz/playback";
import type { Pose } from "../src/games/yikerz/pose";
import { Prediction } from "../src/games/yikerz/prediction";

const SCRIPT = join(import.meta.dirname, "../node_modules/@mujoco/mujoco/mujoco.js");
const at = (x: number, z = 3): Pose => [x, 0, z, 1, 0, 0, 0];

it("MuJoCo's script makes no code from texts, which the page's policy would forbid", () => {
  const script = readFileSync(SCRIPT, "utf-8");
  expect(script).toContain("new Function");
  expect(withoutTexts(script)).not.toMatch(/new Function|\beval\(/);
  expect(() => withoutTexts(script.replace("new Function(...args", "Function(...args"))).toThrow("has changed");
});

const frame = (t: number, poses: [number, Pose][], held: number | null, more: Partial<Frame> = {}): Frame => ({
  t,
  poses: new Map(poses),
  held,
  events: [],
  quiet: null,
  hand: held === null ? null : (poses.find(([id]) => id === held)?.[1] ?? null),
  pull: null,
  grip: 0,
  strain: new Map(),
  heard: null,
  ...more,
});

/** A prediction with a hand at a table, under a clock that is told, and an engine that says what it is told to say. */
function atTable() {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
  const sent: { [key: string]: unknown }[] = [];
  const live: LiveTurn = {
    begin: (hand) => sent.push(hand),
    move: (hand) => sent.push(hand),
    frames: () => () => undefined,
  };
  let turn: Omit<EngineTurn, "number"> | undefined;
  let samples = 0;
  const engine = {
    begin: (_facts: PhysicsFacts, _start: unknown, _strain: boolean, heard: Omit<EngineTurn, "number">) => {
      turn = heard;
      return 1;
    },
    follow: (_turn: number, poses: readonly Pose[]) => {
      samples += poses.length;
    },
    end: () => undefined,
  };
  const differs = vi.fn();
  const start = { board: [], magnet: 7, first: at(0, 90), quietSeconds: 10, wholeTime: false };
  const prediction = new Prediction(engine as unknown as Engine, live, {} as PhysicsFacts, start, true, {
    changed: () => undefined,
    differs,
  });
  const simulate = (held: number | null, x: number): void => {
    const told: TurnFrame = {
      sample: samples,
      t: samples / 60,
      poses: [
        [7, at(x, 90)],
        [3, at(50)],
      ],
      held,
      hand: held === null ? null : at(x, 90),
      pull: null,
      grip: 0,
      strain: [],
      lying: [3],
      events: [],
      knocks: [],
      over: false,
    };
    turn?.onFrame(told);
  };
  const pass = (ms: number): void => void vi.advanceTimersByTime(ms);
  return { prediction, sent, differs, simulate, pass, made: () => samples };
}

it("the hand's way is numbered, one pose a sample, and said again until the table has begun", () => {
  const { prediction, sent, pass, made } = atTable();
  let x = 0;
  prediction.follow(() => at(x, 90));
  for (let k = 0; k < 12; k++) {
    x += 1;
    pass(17);
  }
  expect(sent[0]).toEqual({ magnet: 7, pose: at(0, 90), numbered: true });
  const last = sent.at(-1) as { way: number[][]; until: number };
  expect(last.way.map(([sample]) => sample)).toEqual(Array.from({ length: last.until }, (_, k) => k + 1));
  prediction.hear(frame(0, [[7, at(0, 90)]], 7, { heard: last.until }), performance.now());
  pass(60);
  const next = sent.at(-1) as { way: number[][]; until: number };
  expect(next.until).toBe(made());
  expect(next.way.every(([sample]) => sample! > last.until)).toBe(true);
  prediction.close();
});

it("as long as the table agrees nothing is corrected; a piece elsewhere and another outcome are", () => {
  for (const [other, how] of [
    [{ held: 7, x: 0.4 }, null],
    [{ held: 7, x: 5 }, "place"],
    [{ held: null, x: 0 }, "outcome"],
  ] as const) {
    const { prediction, differs, simulate, pass, made } = atTable();
    prediction.follow(() => at(0, 90));
    pass(170);
    const sample = made();
    simulate(7, 0);
    pass(170);
    simulate(7, 0);
    const poses: [number, Pose][] = [
      [7, at(other.x, 90)],
      [3, at(50)],
    ];
    prediction.hear(frame(sample / 60, poses, other.held), performance.now());
    expect(prediction.difference).toBe(how);
    expect(differs).toHaveBeenCalledTimes(how ? 1 : 0);
    expect(prediction.tableShare(performance.now())).toBe(0);
    pass(400);
    expect(prediction.tableShare(performance.now())).toBe(how ? 1 : 0);
    prediction.close();
  }
});

it("the own hand and its neighbours are drawn in the same frame; a correction is blended in", () => {
  const playback = new Playback();
  const simulated = frame(
    1,
    [
      [7, at(2, 40)],
      [3, at(50)],
    ],
    7,
    { hand: at(0, 40) },
  );
  let share = 0;
  playback.ahead = { frame: simulated, tableShare: () => share };
  let x = 10;
  playback.mine = { id: 7, pose: () => at(x, 40) };
  playback.tick(1000);
  expect(playback.drawn.get(7)?.[0]).toBeCloseTo(12); // the hand, and what the field bends away
  expect(playback.drawn.get(3)?.[0]).toBe(50);
  x = 20;
  playback.tick(1001);
  expect(playback.drawn.get(7)?.[0]).toBeCloseTo(22);
  playback.mine = null;
  playback.hear(frame(0.9, [[3, at(60)]], null), 1000, at(0));
  share = 0.5;
  playback.tick(1002);
  expect(playback.drawn.get(3)?.[0]).toBeCloseTo(55);
  share = 1;
  playback.tick(1003);
  expect(playback.drawn.get(3)?.[0]).toBeCloseTo(60);
});
