// Yikerz!'s pictures for the rules page: flat drawings of mats and magnets, which need no physics and no third
// dimension.
import { mount, unmount } from "svelte";
import type { Picture, Pictures, View } from "../../contract";
import Drawing, { type Drawn } from "./Drawing.svelte";
import type { Mat } from "./mats";
import { type Pose, quaternionOf, rotated, standingOf } from "./pose";
import type { Shown } from "./view";

const PYRAMID: readonly Mat[] = [
  [0, -40.4, 180],
  [-70, -80.8, 0],
  [70, -80.8, 0],
  [0, 40.4, 0],
];
const RIBBON: readonly Mat[] = [
  [-105, -20.2, 0],
  [-35, 20.2, 180],
  [35, -20.2, 0],
  [105, 20.2, 180],
];
const ISLANDS: readonly Mat[] = [
  [-140, -80.8, 0],
  [0, -80.8, 0],
  [140, -80.8, 0],
  [-70, 40.4, 0],
];
const stone = (x: number, y: number, turn: number, marked = false): Drawn => ({ x, y, turn, marked });
const SCATTERED = [stone(-88, -100, 20), stone(-4, -62, 70), stone(78, -96, -30), stone(-6, 52, 10)];
const STUCK = [SCATTERED[0]!, SCATTERED[2]!, SCATTERED[3]!, stone(-7, -50, 90, true), stone(6, -54, 90, true)];
const FALLEN = [...SCATTERED.slice(0, 3), stone(52, 62, 24, true)];

function picture(name: string, mats: readonly Mat[], stones: readonly Drawn[] = []): Picture {
  return {
    caption: `picture.${name}`,
    draw(element) {
      const drawing = mount(Drawing, { target: element, props: { mats, stones } });
      return () => void unmount(drawing);
    },
  };
}

/** A piece seen from above: its north end points where it points, or at the viewer. */
function drawn(pose: Pose): Drawn {
  const [x, y] = rotated(quaternionOf(pose), [1, 0, 0]);
  const standing = standingOf(pose);
  return {
    ...stone(pose[0], pose[1], (Math.atan2(y, x) * 180) / Math.PI),
    standing: standing === "flat" || standing === "tilted" ? null : standing,
  };
}
/** A position seen from above; what stands is drawn upright and narrow. */
function drawPosition(view: View, element: HTMLElement): () => void {
  const { mats, magnets } = view as unknown as Pick<Shown, "mats" | "magnets">;
  const stones = magnets.flatMap(({ pose }): Drawn[] => (pose ? [drawn(pose)] : []));
  const drawing = mount(Drawing, { target: element, props: { mats, stones } });
  return () => void unmount(drawing);
}

const MAT = '<rect x="-40" y="-40" width="80" height="80" fill="#3d5a63" />';
const NEEDLES = "M-30-22h20M-4-26h26M-26-4l14-10M4-6l22-8M-28 16l10-14M-4 20l20-18M-16 32l8-10M14 30l16-14";

export const pictures: Pictures = {
  legend: [
    {
      drawing: `${MAT}<circle r="14" fill="#fff4" /><circle r="28" fill="none" stroke="#fff" stroke-width="3" />`,
      text: "legend.height",
    },
    {
      drawing: `${MAT}<circle r="14" fill="#fff4" /><circle r="17" fill="none" stroke="#ffbf4d" stroke-width="3" />`,
      text: "legend.down",
    },
    { drawing: `${MAT}<circle r="22" fill="none" stroke="#fff6e4" stroke-width="8" />`, text: "legend.hinted" },
    { drawing: `${MAT}<path d="${NEEDLES}" stroke="#fff" stroke-width="3" />`, text: "legend.field" },
  ],
  ratio: 1.3,
  drawPosition,
  sections: {
    layouts: [picture("pyramid", PYRAMID), picture("ribbon", RIBBON), picture("islands", ISLANDS)],
    turn: [picture("rest", PYRAMID, SCATTERED), picture("stuck", PYRAMID, STUCK), picture("fallen", PYRAMID, FALLEN)],
  },
};
