// Yikerz! on the page, as far as it needs no browser: poses, the hand, films, layouts, the words.
import { describe, expect, test, vi } from "vitest";
import type { Json, Moment, Table } from "../src/contract";
import { Playback } from "../src/games/yikerz/playback";
import { Film, readFilm, readFrame } from "../src/games/yikerz/frames";
import { ENTRY_MM, Hand, Path } from "../src/games/yikerz/hand";
import { plainKit, readKit } from "../src/games/yikerz/kit";
import { cling, layoutAction } from "../src/games/yikerz/layout";
import { inside, matCorners } from "../src/games/yikerz/mats";
import { TurnController } from "../src/games/yikerz/turn.svelte";
import { Feel, grams, intensity } from "../src/games/yikerz/feel";
import {
  between,
  offset,
  type Pose,
  restingHeight,
  rotated,
  shifted,
  standingOf,
  STANDINGS,
  turned,
} from "../src/games/yikerz/pose";
import { arrange, byShape, choices, frameOf, lying, pathOf, type Shown } from "../src/games/yikerz/view";
import { dictionary, folders, PACKAGE } from "../catalogues";
import { speaker } from "../src/lib/catalogue";
import told from "./yikerz-shapes.json";

const words = dictionary(folders(PACKAGE)["yikerz"]!, "en");

const kit = readKit(told as unknown as Json);
const egg = kit.shapes.get("egg")!;
const near = (value: number, wanted: number): void => expect(value).toBeCloseTo(wanted, 6);

describe("poses", () => {
  test("north points up when a piece stands on its south end", () => {
    near(rotated(turned("end", 73), [1, 0, 0])[2], 1);
    near(rotated(turned("other-end", 73), [1, 0, 0])[2], -1);
  });
  test("a lying piece turned by 90 degrees points away from the viewer", () => {
    const north = rotated(turned("flat", 90), [1, 0, 0]);
    near(north[0], 0);
    near(north[1], 1);
  });
  test("how a piece was put is how it is said to lie", () => {
    for (const standing of STANDINGS) expect(standingOf([0, 0, 5, ...turned(standing, 31)])).toBe(standing);
    expect(standingOf([0, 0, 5, Math.cos(0.4), Math.sin(0.4), 0, 0])).toBe("tilted");
  });
  test("a lying egg's centre is half its thickness above the mat", () =>
    near(restingHeight(egg.mesh, turned("flat", 12)), 3));
  test("halfway between two poses the piece has made half of the way and of the turn", () => {
    const half = between([0, 0, 0, ...turned("flat", 0)], [10, 4, 2, ...turned("flat", 80)], 0.5);
    expect(half.slice(0, 3)).toEqual([5, 2, 1]);
    const north = rotated([half[3], half[4], half[5], half[6]], [1, 0, 0]);
    near((Math.atan2(north[1], north[0]) * 180) / Math.PI, 40);
  });
  test("the same turn written with the other sign is no turn", () => {
    const half = between([0, 0, 0, 1, 0, 0, 0], [0, 0, 0, -1, 0, 0, 0], 0.5);
    near(Math.abs(half[3]), 1);
  });
});

describe("what pulls", () => {
  test("what leads from one pose to another leads there again", () => {
    const [from, to]: Pose[] = [
      [1, 2, 3, ...turned("edge", 30)],
      [4, -2, 9, ...turned("end", -70)],
    ];
    shifted(from!, offset(from!, to!)).forEach((value, k) => near(value, to![k]!));
  });
  test("ten grams are about a tenth of a newton, and a magnet's own weight is well felt", () => {
    near(grams([0, 0, -0.0981]), 10);
    expect(intensity([0.001, 0, 0])).toBe(0);
    expect(intensity([0, 0.03, 0])).toBeGreaterThan(0.7);
    expect(intensity([5, 0, 0])).toBe(1);
  });
  test("where the machine can vibrate it does so in pulses, longer ones the stronger the pull, and then stops", () => {
    const pulses: number[] = [];
    vi.stubGlobal("navigator", { vibrate: (ms: number) => pulses.push(ms) });
    const feel = new Feel();
    for (let now = 0; now < 1000; now += 33) feel.follow([now / 20000, 0, 0], true, now);
    expect(pulses.length).toBeGreaterThan(5);
    expect(pulses.length).toBeLessThan(11);
    expect(pulses).toEqual([...pulses].sort((a, b) => a - b));
    feel.follow(null, true, 1000);
    feel.follow(null, true, 1033);
    expect(pulses.filter((ms) => ms === 0)).toHaveLength(1);
    feel.follow([1, 0, 0], false, 2000);
    expect(pulses.at(-1), "muted, nothing is felt").toBe(0);
    vi.unstubAllGlobals();
  });
});

describe("the hand", () => {
  test("comes in high, and cannot press a piece through the mat", () => {
    const hand = new Hand(6, egg, [0, -100]);
    expect(hand.z).toBe(ENTRY_MM);
    hand.move(0, 0, -500);
    near(hand.gap, 0);
    near(hand.z, 3);
  });
  test("standing a piece up keeps its underside where it was", () => {
    const hand = new Hand(6, egg, [0, 0]);
    hand.lift(20);
    hand.stand("end");
    near(hand.gap, 20);
    expect(hand.z).toBeGreaterThan(26);
  });
  test("arrow keys go where the viewer looks", () => {
    const hand = new Hand(6, egg, [0, 0]);
    hand.push("away", false, 90); // the viewer has walked round to the right side and looks to the left
    near(hand.x, -1);
    near(hand.y, 0);
    hand.tick(0.5, 90);
    near(hand.x, -46);
    hand.release("away");
    hand.tick(1, 90);
    near(hand.x, -46);
  });
  test("says no more than sixty poses a second, and one a second when it keeps still", () => {
    const hand = new Hand(6, egg, [0, 0]);
    let said = 0;
    for (let now = 0; now < 1000; now += 4) {
      hand.move(0.1, 0);
      if (hand.news(now)) said++;
    }
    expect(said).toBeGreaterThan(40);
    expect(said).toBeLessThanOrEqual(61);
    const last = 1000;
    hand.news(last + 20);
    expect(hand.news(last + 500)).toBeNull();
    expect(hand.news(last + 1100)).not.toBeNull();
  });
  test("a turn that is not live becomes one action, written as the protocol wants it", () => {
    const path = new Path();
    path.add(5000, [0, -100.126, 95, 1, 0, 0, 0]);
    path.add(5250, [0.00001, 3, 20, ...turned("flat", 30)]);
    expect(path.action(7, 6500)).toBe(
      '{"magnet":7,"path":[[0,0,-100.13,95,1,0,0,0],[0.25,0,3,20,0.9659,0,0,0.2588]],"release":1.5}',
    );
  });
});

const at = (x: number): number[] => [x, 0, 3, 1, 0, 0, 0];
const frame = (t: number, x: number, more: { [key: string]: Json } = {}): Json => ({
  t,
  poses: { "3": [x, 0, 3, 1, 0, 0, 0] },
  held: null,
  events: [],
  ...more,
});

describe("films", () => {
  const film = (frames: Json[]): Film => {
    const made = new Film();
    for (const one of frames) made.add(readFrame(one)!, readFrame(one)!.t + 100);
    return made;
  };
  test("between two frames a piece is between its two places", () => {
    expect(
      film([frame(0, 0), frame(0.1, 10)])
        .at(0.05)
        .get(3)?.[0],
    ).toBeCloseTo(5, 6);
  });
  test("before the first and after the last frame nothing is made up", () => {
    const shown = film([frame(0, 0), frame(0.1, 10)]);
    expect(shown.at(-1).get(3)?.[0]).toBe(0);
    expect(shown.at(9).get(3)?.[0]).toBe(10);
  });
  test("a frame that comes late and out of order is dropped", () =>
    expect(film([frame(0, 0), frame(0.2, 10), frame(0.1, 99)]).frames).toHaveLength(2));
  test("what is drawn is a little behind, and never ahead of what is known", () => {
    const shown = film([frame(0, 0), frame(0.1, 10)]);
    expect(shown.present(100.1)).toBeLessThan(0.1);
    expect(shown.present(105)).toBe(0.1);
  });
  test("a collapse is worth seeing again from a little before to a little after; a quiet turn is not", () => {
    const quiet = Array.from({ length: 90 }, (_, k) => frame(k / 30, k));
    expect(film(quiet).highlight).toBeNull();
    const loud = quiet.map((one, k) =>
      k === 45 ? frame(1.5, 45, { events: [{ t: 1.5, what: "collapse", magnets: [3, 4] }] }) : one,
    );
    const part = film(loud).highlight!;
    expect(part.from).toBeLessThan(1.5);
    expect(part.to).toBeGreaterThan(1.5);
    expect(part.to - part.from).toBeLessThan(2);
  });
  test("a turn that the log kept is whole again: unnamed pieces lie still, those that are null are gone", () => {
    const shown = readFilm({
      frames: [
        { t: 0, poses: { "3": at(0), "4": at(50) }, held: 3 },
        { t: 1, poses: { "3": at(10) }, held: 3 },
        { t: 2, poses: { "4": null }, held: null },
        { t: 9, poses: {}, held: null },
      ],
    })!;
    expect(shown.at(0.5).get(3)).toEqual(at(5));
    expect(shown.at(0.5).get(4)).toEqual(at(50));
    expect([...shown.at(2.5).keys()]).toEqual([3]);
    expect([shown.heldAt(-1), shown.heldAt(1.5), shown.heldAt(2.5)]).toEqual([3, 3, null]);
    expect([shown.released, shown.still]).toEqual([2, 2]);
  });
  test("an outcome without a film, or with a broken one, has none", () => {
    for (const outcome of [
      undefined,
      null,
      {},
      { frames: [] },
      { frames: [{ t: 0 }, { t: 1 }] },
      { frames: [null] },
      { frames: [{ t: 0, poses: { "3": at(0) }, held: null }] },
    ] as (Json | undefined)[])
      expect(readFilm(outcome)).toBeNull();
  });
  test("nonsense is no frame", () => {
    for (const nonsense of [null, 3, "x", [], {}, { t: "0", poses: {} }, { t: 0 }])
      expect(readFrame(nonsense)).toBeNull();
  });
  test("a socket's message and a bare frame are both understood", () => {
    expect(frameOf({ what: "live", seat: 1, sample: 4, frame: frame(0, 1) })).toEqual({ seat: 1, frame: frame(0, 1) });
    expect(frameOf(frame(0, 1)).seat).toBeNull();
  });
});

describe("layouts", () => {
  const side = 140;
  test("a mat that is dropped near a neighbour's corner clings to it", () => {
    const at = cling([141, 3, 0], [[0, 0, 0]], side);
    near(at[0], 140);
    near(at[1], 0);
  });
  test("a mat far from all others stays where it is", () =>
    expect(cling([400, 0, 0], [[0, 0, 0]], side)).toEqual([400, 0, 0]));
  test("a layout is written with few digits and angles from 0 to 360", () =>
    expect(
      layoutAction([
        [0.00004, -40.4151, -180],
        [1, 2, 360],
        [0, 0, 15],
        [5, 5, 5],
      ]),
    ).toBe('{"layout":[[0,-40.415,180],[1,2,0],[0,0,15],[5,5,5]]}'));
  test("the middle of a mat is on it, a point beyond its corner is not", () => {
    const corners = matCorners([10, 20, 33], side);
    expect(inside(corners, 10, 20)).toBe(true);
    expect(inside(corners, 10 + (corners[0]![0] - 10) * 1.01, 20 + (corners[0]![1] - 20) * 1.01)).toBe(false);
  });
});

const magnet = (
  id: number,
  where: string,
  owner: number | null,
  pose: Pose | null = null,
): { [key: string]: unknown } => ({
  id,
  shape: ["pebble", "egg", "coin", "shield", "pillow"][id % 5],
  where,
  owner,
  pose,
});
const view = (more: { [key: string]: unknown } = {}): Shown =>
  ({
    phase: "turn",
    player: 0,
    mats: [
      [0, -40.415, 180],
      [-70, -80.829, 0],
      [70, -80.829, 0],
      [0, 40.415, 0],
    ],
    magnets: [
      magnet(0, "board", null, [10, 20, 3, 1, 0, 0, 0]),
      magnet(1, "stack", 0),
      magnet(2, "stack", 1),
      magnet(3, "pouch", null),
      magnet(6, "stack", 0),
    ],
    stacks: [],
    round: 1,
    rounds_won: [0, 0],
    points: [0, 0],
    called: [false, false],
    alive: [true, true],
    shuffler: 0,
    quiet: 0,
    picks: 0,
    winner: null,
    ...more,
  }) as unknown as Shown;

describe("the table", () => {
  test("my stack lies on my side, the other's on the far side, the pouch out of sight, the board as it is", () => {
    const { places } = arrange(view(), kit, 2, 0, ["red", "blue"]);
    expect(places.get(0)).toEqual([10, 20, 3, 1, 0, 0, 0]);
    expect(places.get(1)![1]).toBeLessThan(-121);
    expect(places.get(2)![1]).toBeGreaterThan(121);
    expect(places.get(3)).toBeNull();
  });
  test("seen from the other seat it is the other way round", () =>
    expect(arrange(view(), kit, 2, 1, ["red", "blue"]).places.get(2)![1]).toBeLessThan(-121));
  test("stacks to be chosen lie in the middle, each magnet somewhere else", () => {
    const { places } = arrange(
      view({
        phase: "stack",
        stacks: [
          [1, 6],
          [2, 3],
        ],
      }),
      kit,
      2,
      0,
      ["red", "blue"],
    );
    const spots = [1, 6, 2, 3].map((id) => places.get(id)!.slice(0, 2).join());
    expect(new Set(spots).size).toBe(4);
  });
  test("a stack is counted by shape", () =>
    expect(
      byShape(
        view().magnets.filter(({ owner }) => owner === 0),
        kit,
      ),
    ).toEqual([{ shape: "egg", ids: [1, 6] }]));
  test("a lone piece has no neighbour, two have each other", () => {
    expect(lying(view())[0]!.nearest).toBeNull();
    const two = view({
      magnets: [magnet(0, "board", null, [0, 0, 3, 1, 0, 0, 0]), magnet(1, "board", null, [30, 40, 3, 1, 0, 0, 0])],
    });
    expect(lying(two).map(({ nearest }) => nearest!.gap)).toEqual([50, 50]);
  });
  test("actions are read from their text, and what is none is left alone", () => {
    expect(choices(['{"pick":3}', "drawn 7"])).toEqual([{ text: '{"pick":3}', what: { pick: 3 } }]);
    expect(pathOf('{"magnet":7,"path":[[0,1,2,3,1,0,0,0]],"release":1}')?.magnet).toBe(7);
    expect(pathOf('{"wait":true}')).toBeNull();
  });
  test("where no shapes are told, plain stones of the same names stand in", () =>
    expect(plainKit(["egg", "brick"]).shapes.get("brick")!.mesh).toHaveLength(64));
});

describe("a turn at the table", () => {
  const setUp = (
    live: boolean,
  ): {
    play: TurnController;
    table: Table;
    sent: Json[];
    played: string[];
    said: string[];
    hear: (frame: Json) => void;
    moment: (more: Partial<Moment>) => Table;
  } => {
    const sent: Json[] = [];
    const played: string[] = [];
    const said: string[] = [];
    const ears: ((frame: Json) => void)[] = [];
    const moment: Moment = {
      number: 1,
      view: view() as unknown as Moment["view"],
      toMove: 0,
      acting: 0,
      legal: [],
      open: ["magnet"],
      action: null,
      events: [],
      over: false,
      returns: [],
    };
    const table: Table = {
      game: "yikerz",
      players: 2,
      options: { hand_seconds: 60 },
      language: "en",
      settings: { motion: false, sound: false },
      names: ["Anna", "Bob"],
      seats: [0],
      moment,
      rollsByHand: false,
      hint: null,
      play: (action) => void played.push(action),
      roll: () => {},
      peek: () => Promise.reject(new Error("no")),
      announce: (text) => void said.push(text),
      say: speaker(words, "en"),
      ask: () => Promise.reject(new Error("no")),
      ...(live && {
        live: {
          begin: (hand: Json) => void sent.push(hand),
          move: (hand: Json) => void sent.push(hand),
          frames: (ear: (frame: Json) => void) => {
            ears.push(ear);
            return () => {};
          },
        },
      }),
    };
    const say = speaker(words, "en");
    const play = new TurnController(table, kit, say, () => {});
    play.update(table, say, 0, ["red", "blue"]);
    return {
      play,
      table,
      sent,
      played,
      said,
      hear: (one) => ears.forEach((ear) => ear(one)),
      moment: (more) => ({ ...table, moment: { ...moment, ...more } }),
    };
  };
  test("taking a magnet tells nobody; the first movement does", () => {
    const { play, sent } = setUp(true);
    play.take(1);
    expect(sent).toEqual([]);
    play.drag(5, 5);
    expect(sent[0]).toMatchObject({ magnet: 1 });
    play.destroy();
  });
  test("a magnet that catches somebody's forgotten call goes back", () => {
    const { play, moment } = setUp(true);
    play.take(1);
    play.drag(5, 5);
    expect(play.hand?.begun).toBe(true);
    play.update(moment({ number: 2, toMove: 1, acting: 1, open: [] }), speaker(words, "en"), 0, ["red", "blue"]);
    expect(play.hand).toBe(null);
    expect(play.playback.mine).toBe(null);
    play.destroy();
  });
  test("until then it can be put back, afterwards it cannot", () => {
    const { play, said } = setUp(true);
    play.take(1);
    play.putBack();
    expect(play.hand).toBeNull();
    play.take(6);
    play.turn(10);
    play.putBack();
    expect(play.hand?.magnet).toBe(6);
    expect(said.at(-1)).toBe(words["no-back"]);
    play.destroy();
  });
  test("only a player whose turn it is takes a magnet", () => {
    const { play, moment } = setUp(true);
    play.update(moment({ number: 2, toMove: 1 }), speaker(words, "en"), 0, []);
    play.take(1);
    expect(play.hand).toBeNull();
  });
  test("a piece is let go where the hand is, not on the way there", () => {
    vi.useFakeTimers();
    const { play, sent, hear } = setUp(true);
    const released = (): Json[] => sent.filter((hand) => (hand as { release?: boolean }).release);
    const follows = (t: number, pose: readonly number[]): void =>
      hear({ what: "live", seat: 0, sample: 1, frame: { t, poses: { 1: [...pose] }, held: 1, events: [] } });
    play.take(1);
    play.drag(0, 50);
    const { pose } = play.hand!;
    follows(0.1, [pose[0], pose[1] - 40, ...pose.slice(2)]);
    play.letGo();
    vi.advanceTimersByTime(300);
    expect(released()).toEqual([]);
    follows(0.4, pose);
    vi.advanceTimersByTime(100);
    expect(released()[0]).toEqual({ pose: expect.any(Array), release: true });
    play.destroy();
    vi.useRealTimers();
  });
  test("letting go is said until it is heard, even if the piece never comes near", () => {
    vi.useFakeTimers();
    const { play, sent, hear } = setUp(true);
    const goodbyes = (): number => sent.filter((hand) => (hand as { release?: boolean }).release).length;
    play.take(1);
    play.drag(0, 50);
    const far = (t: number, held: number | null): void =>
      hear({
        what: "live",
        seat: 0,
        sample: 1,
        frame: { t, poses: { 1: [0, -200, 50, 1, 0, 0, 0] }, held, events: [] },
      });
    play.letGo();
    play.letGo();
    vi.advanceTimersByTime(3000);
    expect(goodbyes(), "a turn that has not begun at the server would let go where it began").toBe(0);
    far(0.1, 1);
    vi.advanceTimersByTime(3000);
    expect(goodbyes(), "nor is the hand late by the turn's own clock").toBe(0);
    far(1.7, 1);
    vi.advanceTimersByTime(1000);
    const before = goodbyes();
    expect(before).toBeGreaterThan(3);
    far(2.8, null);
    vi.advanceTimersByTime(1100);
    expect(goodbyes()).toBe(before);
    play.destroy();
    vi.useRealTimers();
  });
  test("while the hand moves the server hears of it", () => {
    vi.useFakeTimers();
    const { play, sent } = setUp(true);
    play.take(1);
    play.push("away", true);
    vi.advanceTimersByTime(1000);
    play.push("away", false);
    expect(sent.length).toBeGreaterThan(30);
    expect(sent.length).toBeLessThanOrEqual(62);
    play.destroy();
    vi.useRealTimers();
  });
  const pulled = (x: number, more: { [key: string]: Json } = {}): Json => ({
    what: "live",
    seat: 0,
    sample: 1,
    frame: {
      t: 0.1,
      poses: { "1": [x, 0, 20, ...turned("flat", 8)], "0": [10, 20, 3, 1, 0, 0, 0] },
      held: 1,
      events: [],
      hand: [0, 0, 20, 1, 0, 0, 0],
      pull: [0.02, 0, 0],
      grip: 0.1,
      strain: { "0": 0.62 },
      ...more,
    },
  });
  test("the held piece is drawn where the physics has it, and the hand where it is now", () => {
    const { play, hear } = setUp(true);
    play.take(1);
    play.drag(5, 50);
    hear(pulled(1.5));
    play.tick(performance.now());
    const [hand, piece] = [play.playback.handAt(performance.now())!, play.playback.drawn.get(1)!];
    near(hand[0], 5);
    near(piece[0], 6.5);
    near(piece[1], hand[1]);
    const north = rotated([piece[3], piece[4], piece[5], piece[6]], [1, 0, 0]);
    near((Math.atan2(north[1], north[0]) * 180) / Math.PI, 8);
    play.destroy();
  });
  test("a piece that is about to move is told in words with the hand's place", () => {
    const { play, hear } = setUp(true);
    play.take(1);
    play.drag(5, 50);
    hear(pulled(0));
    expect(play.where()).toContain("Pebble strained to 62\u00a0%");
    expect(play.felt?.strain.get(0)).toBe(0.62);
    hear({ ...(pulled(0) as { [key: string]: Json }), frame: { t: 0.2, poses: {}, held: 1, events: [] } });
    expect(play.where(), "at a table that does not want it nothing is said").not.toContain("strained");
    play.destroy();
  });
  test("when the held magnet touches another the hand is opened, and said so", () => {
    const { play, said, hear } = setUp(true);
    const live = (t: number, held: number | null): Json => ({
      what: "live",
      seat: 0,
      sample: 1,
      frame: { t, poses: { "1": [0, 0, 20, 1, 0, 0, 0], "0": [10, 20, 3, 1, 0, 0, 0] }, held, events: [] },
    });
    play.take(1);
    play.drag(0, 50);
    hear(live(0.1, 1));
    expect(play.hand).not.toBeNull();
    hear(live(0.2, null));
    expect(play.hand).toBeNull();
    expect(said.at(-1)).toBe(words["touched"]);
  });
  test("whoever loads the page again in the middle of a turn has the magnet in hand again", () => {
    const { play, hear } = setUp(true);
    hear({
      what: "live",
      seat: 0,
      sample: 1,
      frame: { t: 3, poses: { "1": [12, -7, 40, ...turned("edge", 25)] }, held: 1, events: [] },
    });
    expect(play.hand).toMatchObject({ magnet: 1, x: 12, y: -7, standing: "edge", begun: true });
    near(play.hand!.z, 40);
    near(play.hand!.angle, 25);
    play.destroy();
  });
  test("another player's hand is told in words", () => {
    const { said, hear, play } = setUp(true);
    const live = (held: number | null, events: Json[] = []): Json => ({
      what: "live",
      seat: 1,
      sample: 1,
      frame: { t: held === null ? 2 : 1, poses: { "2": [0, 0, 20, 1, 0, 0, 0] }, held, events },
    });
    hear(live(2));
    hear(live(null, [{ t: 2, what: "collapse", magnets: [0, 2] }]));
    expect(said).toEqual(["Bob takes a magnet in hand: Coin.", "Pebble, Coin collapse!", "Bob lets go."]);
    expect(play.hand).toBeNull();
  });
  const bots = {
    frames: [
      { t: 0, poses: { "0": [10, 20, 3, 1, 0, 0, 0], "2": [0, 0, 90, 1, 0, 0, 0] }, held: 2 },
      { t: 1, poses: { "2": [0, 0, 3, 1, 0, 0, 0] }, held: 2 },
      { t: 1.1, poses: {}, held: null },
    ],
  };
  test("a bot's turn is shown from its film, and taking a magnet cuts it short", () => {
    const { play, table, moment } = setUp(true);
    const say = speaker(words, "en");
    const moving = (number: number, more: Partial<Moment>): Table => ({
      ...moment({ number, ...more }),
      settings: { ...table.settings, motion: true },
    });
    play.update(moving(2, { toMove: 1, view: view({ player: 1 }) as unknown as Moment["view"] }), say, 0, []);
    play.update(moving(3, { outcome: bots }), say, 0, []);
    expect(play.playback.shownHand).toEqual({ seat: 1, held: 2 });
    play.take(1);
    expect(play.hand?.magnet).toBe(1);
    expect(play.playback.showing).toBe(false);
    play.destroy();
  });
  test("a new round's mats are laid when the old round's film is over, or skipped", () => {
    for (const skipped of [false, true]) {
      const { play, table, moment } = setUp(true);
      const say = speaker(words, "en");
      const see = (number: number, more: Partial<Moment>): void =>
        play.update({ ...moment({ number, ...more }), settings: { ...table.settings, motion: true } }, say, 0, []);
      play.playback.scene = new Proxy({}, { get: () => () => {} }) as unknown as NonNullable<
        typeof play.playback.scene
      >;
      const before = play.mats;
      see(2, { outcome: bots });
      see(3, { view: view({ phase: "layout", mats: [] }) as unknown as Moment["view"] });
      expect([play.waits, play.mats]).toEqual([true, before]);
      if (skipped) play.skip();
      play.tick(performance.now() + (skipped ? 0 : 60_000)); // each part ends in a tick of its own
      play.tick(performance.now() + (skipped ? 0 : 120_000));
      play.tick(performance.now() + (skipped ? 0 : 180_000));
      expect([play.waits, play.mats]).toEqual([false, []]);
      play.destroy();
    }
  });
  test("in a replay the next step is shown, a leap is not, and going on cuts short", () => {
    const { play, table, moment } = setUp(false);
    const say = speaker(words, "en");
    const see = (number: number, outcome: Json): boolean => {
      play.update(
        { ...moment({ number, outcome }), seats: [], settings: { ...table.settings, motion: true } },
        say,
        0,
        [],
      );
      return play.playback.showing;
    };
    expect([see(2, bots), see(3, null), see(4, bots), see(9, bots), see(8, bots)]).toEqual([
      true,
      false,
      true,
      false,
      false,
    ]);
  });
  test("where turns do not stream, the whole path is played as one action", () => {
    const { play, played } = setUp(false);
    play.take(1);
    play.drag(0, 50);
    play.letGo();
    expect(pathOf(played[0] ?? null)).toMatchObject({ magnet: 1, release: expect.any(Number) });
  });
});

describe("a turn that was not seen", () => {
  /** A hand brings magnet 2 in a second from x = 0 to 100 and lets go; in another second magnet 0 rolls from 10 to
   *  60. */
  const outcome = (more: { [key: string]: Json } = {}): Json => ({
    frames: [
      { t: 0, poses: { "0": at(10), "2": at(0) }, held: 2 },
      { t: 1, poses: { "2": at(100) }, held: 2 },
      { t: 1.02, poses: {}, held: null },
      { t: 2.02, poses: { "0": at(60), ...more }, held: null },
      { t: 12, poses: {}, held: null },
    ],
  });
  const lying = (two: Pose | null, zero: number): Map<number, Pose | null> =>
    new Map([
      [0, at(zero) as unknown as Pose],
      [2, two],
    ]);
  const stack: Pose = [0, 150, 3, 1, 0, 0, 0];
  const watch = (
    motion = true,
  ): { playback: Playback; x: (id: number) => number | undefined; go: (until: number) => void } => {
    const playback = new Playback();
    playback.motion = motion;
    playback.settle(lying(stack, 10), 0);
    let now = 0;
    const go = (until: number): void => {
      for (; now <= until; now += 10) playback.tick(now);
    };
    return { playback, go, x: (id) => playback.drawn.get(id)?.[0] };
  };
  const turn = { seat: 1, handSeen: false, crash: null };
  const quiet = (): void => {};
  test("the hand takes its piece from the stack, brings it and lets go; then the pieces move", () => {
    const { playback, go, x } = watch();
    playback.act(readFilm(outcome())!, turn, 0, quiet);
    playback.settle(lying(at(100) as unknown as Pose, 60), 0);
    go(100);
    expect(playback.drawn.get(2)![1], "on its way from the stack").toBeGreaterThan(0);
    expect(playback.drawn.get(2)![1]).toBeLessThan(150);
    go(850);
    expect(x(2)).toBeCloseTo(50, -1);
    expect(x(0)).toBe(10);
    expect(playback.shownHand).toEqual({ seat: 1, held: 2 });
    go(1900);
    expect(x(2)).toBe(100);
    expect(x(0)).toBeCloseTo(35, -1.2);
    expect(playback.shownHand).toBeNull();
    go(3000);
    expect(playback.showing, "of the quiet seconds there is nothing to see").toBe(false);
    expect(x(0)).toBe(60);
  });
  test("without motion everything lies at once where the turn has left it", () => {
    const { playback, x } = watch(false);
    playback.act(readFilm(outcome())!, turn, 0, quiet);
    playback.settle(lying(at(100) as unknown as Pose, 60), 0);
    expect([x(2), x(0)]).toEqual([100, 60]);
  });
  test("whoever let go has seen the hand: only what became of it is shown", () => {
    const { playback, go, x } = watch();
    playback.drawn.set(2, at(100) as unknown as Pose);
    playback.act(readFilm(outcome())!, { ...turn, handSeen: true }, 0, quiet);
    go(500);
    expect(x(2)).toBe(100);
    expect(x(0)).toBeGreaterThan(20);
    expect(playback.shownHand).toBeNull();
  });
  test("a step that comes meanwhile is shown afterwards", () => {
    const { playback, go, x } = watch();
    playback.act(readFilm(outcome())!, turn, 0, quiet);
    playback.settle(lying(at(100) as unknown as Pose, 60), 0);
    go(300);
    playback.act(
      readFilm({
        frames: [
          { t: 0, poses: { "0": at(60), "2": at(100) }, held: null },
          { t: 1, poses: { "0": at(200) }, held: null },
        ],
      })!,
      turn,
      300,
      quiet,
    );
    playback.settle(lying(at(100) as unknown as Pose, 200), 300);
    go(1300);
    expect(x(0), "the first turn goes on").toBeLessThan(60);
    go(3100);
    expect(x(0), "then the second").toBeGreaterThan(60);
    go(6000);
    expect(x(0)).toBe(200);
    expect(playback.showing).toBe(false);
  });
  test("cut short, everything goes where it belongs", () => {
    const { playback, go, x } = watch();
    playback.act(readFilm(outcome())!, turn, 0, quiet);
    playback.act(readFilm(outcome())!, turn, 0, quiet);
    playback.settle(lying(at(100) as unknown as Pose, 60), 0);
    go(600);
    playback.skip(600);
    expect(playback.showing).toBe(false);
    go(1100);
    expect([x(2), x(0)]).toEqual([100, 60]);
  });
  test("a collapse is shown once more slowly, and can be passed over", () => {
    const { playback, go } = watch();
    const told: boolean[] = [];
    playback.act(readFilm(outcome())!, { ...turn, crash: 1.5 }, 0, (slow) => void told.push(slow));
    go(2000);
    expect(told).toEqual([]);
    go(4000);
    expect(told).toEqual([true]);
    playback.pass(4000);
    expect(told).toEqual([true, false]);
    expect(playback.canShowAgain).toBe(true);
  });
  test("a piece that is taken goes to the stack of whoever must take it", () => {
    const { playback, go } = watch();
    playback.act(readFilm(outcome({ "2": null }))!, turn, 0, quiet);
    playback.settle(lying(stack, 60), 0);
    go(2300);
    expect(playback.drawn.get(2)![1]).toBeLessThan(150);
    go(4000);
    expect(playback.drawn.get(2)).toEqual(stack);
  });
});
