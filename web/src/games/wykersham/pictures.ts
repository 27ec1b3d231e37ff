// Wykersham's pictures for the rules page.
import type { Pictures } from "../../contract";
import { position } from "./views";

const WOOD = '<rect x="-40" y="-40" width="80" height="80" fill="#7a3a22" />';
const CUP = '<circle r="24" fill="#2c1008" />';
const RED = '<circle r="24" fill="#a51a28" stroke="#4f0a12" />';
const ring = (look: string): string => `${WOOD}${CUP}<circle r="30" fill="none" ${look} />`;

export const pictures: Pictures = {
  legend: [
    { drawing: `${WOOD}${RED}<circle r="7" fill="#ffd9cf" />`, text: "legend.red" },
    {
      drawing: `${WOOD}<circle r="24" fill="#9ed29b" stroke="#3d7a48" />
        <circle r="15" fill="none" stroke="#1f5a31" stroke-width="4" />`,
      text: "legend.green",
    },
    {
      drawing: `${WOOD}${RED}<text y="10" text-anchor="middle" font-size="28" font-weight="700" fill="#fff">2</text>`,
      text: "legend.several",
    },
    { drawing: `${ring('stroke="#ffe9ac" stroke-width="5"')}<circle r="6" fill="#fff3cf" />`, text: "legend.able" },
    { drawing: ring('stroke="#f6c64b" stroke-width="3"'), text: "legend.last" },
    {
      drawing: `${ring('stroke="#fff" stroke-width="9"')}
        <circle r="30" fill="none" stroke="#14438f" stroke-width="6" stroke-dasharray="10 6" />`,
      text: "legend.hinted",
    },
    { drawing: `${WOOD}<path d="M0-40V40" stroke="#ffd778" stroke-width="5" />`, text: "legend.wanted" },
    {
      drawing: `${WOOD}<path d="M-22 32L22-32" stroke="#ffd75e" stroke-width="11" stroke-linecap="round" />`,
      text: "legend.goal",
    },
  ],
  ratio: 1.69,
  below: 3.4,
  sections: { rails: [{ view: position([], { offsets: [0, 1, 0, -1, 0] }), caption: "picture.rails" }] },
};
