// Yikerz! in the gallery (?game=yikerz&show=turn): sample views, and live turns with toy physics, so that there is
// something to look at.
import shapes from "../../../test/yikerz-shapes.json";
import type { Json, Table, View } from "../../contract";
import { moment as momentOf } from "../../lib/moment";
import { matCorners, type Mat } from "./mats";
import type { Magnet } from "./view";

const NAMES = ["pebble", "egg", "coin", "shield", "pillow"];
const LAYOUTS: { [name: string]: Mat[] } = {
  pyramid: [
    [0, -40.415, 180],
    [-70, -80.829, 0],
    [70, -80.829, 0],
    [0, 40.415, 0],
  ],
  ribbon: [
    [-105, -20.207, 0],
    [-35, 20.207, 180],
    [35, -20.207, 0],
    [105, 20.207, 180],
  ],
  islands: [
    [-140, -80.829, 0],
    [0, -80.829, 0],
    [140, -80.829, 0],
    [-70, 40.415, 0],
  ],
};

export function sample(query: URLSearchParams, change: (table: Partial<Table>) => void): Partial<Table> {
  const show = query.get("show") ?? "turn";
  const players = Number(query.get("players") ?? 2);
  const mats = LAYOUTS[query.get("layout") ?? "pyramid"]!;
  const lying: { [id: string]: number[] } = {
    0: [-92, -96, 3, 0.97, 0, 0, 0.24],
    6: [-45, -60, 3, 0.5, 0, 0, 0.866],
    12: [2, -100, 6.3, Math.SQRT1_2, Math.SQRT1_2, 0, 0],
    3: [52, -62, 2.8, 0.9, 0, 0, -0.43],
    9: [92, -100, 3.2, 1, 0, 0, 0],
    15: [0, -18, 7.4, Math.SQRT1_2, 0, -Math.SQRT1_2, 0],
    11: [-18, 42, 3, 0.6, 0, 0, 0.8],
    18: [24, 62, 2.8, 0.3, 0, 0, 0.95],
  };
  const full = show === "full" || show === "bench";
  if (full) {
    let id = 0;
    for (const mat of mats) {
      const [cx, cy] = [mat[0], mat[1]];
      for (const [x, y] of [[cx, cy], ...matCorners(mat, 60).map(([a, b]) => [a, b]), [cx + 12, cy - 33]] as [
        number,
        number,
      ][])
        lying[id] = [x, y, 3, Math.cos(id), 0, 0, Math.sin(id++)];
    }
  }
  const magnets: Magnet[] = Array.from({ length: 20 }, (_, id) => {
    const pose = show === "layout" || show === "stack" ? undefined : lying[id];
    const free = show === "layout" ? "pouch" : "stack";
    return {
      id,
      shape: NAMES[id % 5]!,
      where: pose ? "board" : free,
      owner: pose || show === "layout" || show === "stack" ? null : id % players,
      pose: (pose ?? null) as Magnet["pose"],
    };
  });
  const view = {
    phase: { layout: "layout", stack: "stack", call: "call", pick: "pick", over: "over" }[show] ?? "turn",
    player: show === "watch" ? 1 : 0,
    mats: show === "layout" ? [] : mats,
    magnets,
    stacks:
      show === "stack"
        ? [
            magnets.filter(({ id }) => id % 2).map(({ id }) => id),
            magnets.filter(({ id }) => id % 2 === 0).map(({ id }) => id),
          ]
        : [],
    round: 1,
    rounds_won: [1, 0, 0, 0].slice(0, players),
    points: [0, 7, 3, 1].slice(0, players),
    called: [false, true, false, false].slice(0, players),
    alive: Array(players).fill(true),
    shuffler: 0,
    quiet: show === "turn" ? 8 : 0,
    picks: 2,
    winner: null,
  } as unknown as View;
  const onBoard = magnets.filter(({ where }) => where === "board");
  const legal: { [show: string]: string[] } = {
    layout: ['{"layout":"pyramid"}', '{"layout":"ribbon"}', '{"layout":"islands"}'],
    stack: ['{"stack":0}', '{"stack":1}'],
    call: ['{"call":"last"}', '{"wait":true}'],
    pick: onBoard.map(({ id }) => `{"pick":${id}}`),
    turn: ['{"wait":true}'],
  };
  let moment = momentOf(view, {
    toMove: show === "watch" ? 1 : show === "over" ? null : 0,
    legal: legal[show] ?? [],
    open: show === "layout" ? ["layout"] : ["turn", "full", "bench", "watch"].includes(show) ? ["magnet"] : [],
    over: show === "over",
  });
  let hear: ((frame: Json) => void) | null = null;
  let live: {
    magnet: number;
    pose: number[];
    t: number;
    poses: { [id: string]: number[] };
    released: number | null;
    crash: number[];
  } | null = null;
  const log: string[] = [];
  Object.assign(window, { said: log });

  function settle(): void {
    const turn = live;
    live = null;
    const after = structuredClone(moment.view) as unknown as { magnets: Magnet[] };
    for (const magnet of after.magnets) {
      const pose = turn!.poses[magnet.id];
      if (turn!.crash.includes(magnet.id)) Object.assign(magnet, { where: "stack", owner: 0, pose: null });
      else if (pose) Object.assign(magnet, { where: "board", owner: null, pose });
    }
    moment = { ...moment, number: moment.number + 1, view: after as unknown as View, action: null, events: [] };
    change(table());
  }
  /** A toy of a live turn: the hand is echoed, a piece falls, and whatever is nearer than 30 mm snaps to it. */
  function sample(): void {
    if (!live) return;
    live.t += 1 / 30;
    const events: Json[] = [];
    if (live.released === null) live.poses[live.magnet] = live.pose;
    else {
      const since = live.t - live.released;
      const mine = live.poses[live.magnet] ?? [0, 0, 0];
      mine[2] = Math.max(3, mine[2]! - 4905 * since * (1 / 30));
      if (live.crash.length === 0)
        for (const [id, pose] of Object.entries(live.poses))
          if (Number(id) !== live.magnet && Math.hypot(pose[0]! - mine[0]!, pose[1]! - mine[1]!) < 34 && mine[2]! < 8)
            live.crash = [Number(id), live.magnet];
      if (live.crash.length) {
        const other = live.poses[live.crash[0]!];
        if (other && since < 0.9) {
          const gap = Math.hypot(mine[0]! - other[0]!, mine[1]! - other[1]!);
          const step = gap > 13 ? Math.min(gap - 13, 0.5 + 500 * since * since * (1 / 30)) : 0;
          for (const k of [0, 1]) other[k]! += ((mine[k]! - other[k]!) / gap) * step;
          if (gap <= 13.5 && since < 0.9 - 1 / 30) events.push({ t: live.t, what: "collapse", magnets: live.crash });
        } else if (since >= 0.9 && since < 0.95) {
          for (const id of live.crash) delete live.poses[id];
          events.push({ t: live.t, what: "taken", magnets: live.crash });
        }
      }
    }
    hear?.({
      what: "live",
      seat: 0,
      sample: 0,
      frame: structuredClone({
        t: live.t,
        poses: live.poses,
        held: live.released === null ? live.magnet : null,
        events,
        over: false,
      }),
    });
    if (live.released !== null && live.t - live.released > 1.6) settle();
  }
  setInterval(sample, 1000 / 30);
  if (show === "bench") {
    // Twenty pieces that all move, for measuring what a frame costs.
    const start = performance.now();
    setInterval(() => {
      const t = (performance.now() - start) / 1000;
      const poses = Object.fromEntries(
        Object.entries(lying).map(([id, [x, y, z]], k) => [
          id,
          [x! + 3 * Math.sin(t * 3 + k), y! + 3 * Math.cos(t * 2 + k), z!, Math.cos(t + k), 0, 0, Math.sin(t + k)],
        ]),
      );
      hear?.({ what: "live", seat: 1, sample: 0, frame: { t, poses, held: null, events: [], over: false } });
    }, 1000 / 30);
  }

  const table = (): Partial<Table> => ({
    players,
    options: { quiet_seconds: 10, hand_seconds: 60 },
    names: ["Anna", "Bernadette", "Charles", "Dora"].slice(0, players),
    seats: [0],
    rollsByHand: false,
    moment,
    hint: null,
    play: (action) => void log.push(`play ${action}`),
    roll: () => {},
    peek: ([action]) => {
      const { layout } = JSON.parse(action ?? "{}") as { layout: string | Mat[] };
      const chosen = typeof layout === "string" ? LAYOUTS[layout] : layout;
      return Math.abs(chosen?.[0]?.[0] ?? 0) > 200
        ? Promise.reject(
            new Error("Mat 1 touches no other: the nearest is 24.0 mm away. Move it until a side or a corner touches."),
          )
        : Promise.resolve({
            view: { ...view, mats: chosen as unknown as Json },
            toMove: 0,
            legal: [],
            events: [],
            over: false,
          });
    },
    announce: (text) => void log.push(text),
    live: {
      begin: (hand) => {
        const { magnet, pose } = hand as { magnet: number; pose: number[] };
        live = { magnet, pose, t: 0, poses: {}, released: null, crash: [] };
        for (const { id, where, pose: lies } of moment.view["magnets"] as unknown as Magnet[])
          if (where === "board") live.poses[id] = [...lies!];
      },
      move: (hand) => {
        const { pose, release } = hand as { pose?: number[]; release?: boolean };
        if (pose && live) live.pose = pose;
        if (release && live) {
          live.poses[live.magnet] = [...live.pose];
          live.released = live.t;
        }
      },
      frames: (listener) => {
        hear = listener;
        return () => void (hear = null);
      },
    },
    ask: (request) =>
      request["do"] === "shapes"
        ? Promise.resolve(shapes as unknown as Json)
        : Promise.resolve({
            forces: (request["magnets"] as { pose: number[] }[]).map(({ pose }, k) =>
              [0.012 * Math.cos(k), 0.02 * Math.sin(k * 2), 0.003, 0, 0, 0].map(
                (value) => value * (1 + (pose[0]! % 3)),
              ),
            ),
          }),
  });
  return table();
}
