// What Pig shows on the page: the contract of docs/boards.md, with nothing but the browser.
const FACE = "M-62 0C-62-40-34-58 0-58S62-40 62 0 34 58 0 58-62 40-62 0Z";
const EAR = "M-58-26C-78-62-58-80-24-62C-40-54-50-42-58-26Z";

function art() {
  const dots = [
    [-15, -15],
    [15, 15],
    [-15, 15],
    [15, -15],
  ].map(([x, y]) => `<circle cx="${x}" cy="${y}" r="5.5" fill="#33261a" />`);
  return `<rect width="320" height="200" fill="#b9677a" />
    <g transform="translate(128 108)">
      <ellipse cx="4" cy="62" rx="58" ry="12" fill="#0003" />
      <path d="${EAR}" fill="#d98a9b" /><path d="${EAR}" fill="#d98a9b" transform="scale(-1 1)" />
      <path d="${FACE}" fill="#f0b3c0" /><path d="${FACE}" fill="url(#art-light)" opacity="0.6" />
      <circle cx="-24" cy="-14" r="5" fill="#4a1f2b" /><circle cx="24" cy="-14" r="5" fill="#4a1f2b" />
      <ellipse cy="16" rx="26" ry="19" fill="#d98a9b" />
      <ellipse cx="-9" cy="16" rx="4.5" ry="7" fill="#8a3f52" />
      <ellipse cx="9" cy="16" rx="4.5" ry="7" fill="#8a3f52" />
    </g>
    <g transform="translate(244 138) rotate(-14)">
      <rect x="-27" y="-22" width="58" height="58" rx="11" fill="#0004" />
      <rect x="-30" y="-30" width="58" height="58" rx="11" fill="#f6eedb" stroke="#cbb88f" />
      <g transform="translate(-1 -1)">${dots.join("")}</g>
    </g>`;
}

const view = (banked, turn) => ({ player: 0, banked, turn, rolling: false });

export const manifest = {
  day: { accent: "#8f3a52", accentInk: "#fff5f5", accentSoft: "#f3d9df", seats: ["#a83f5c", "#3a3336"] },
  night: { accent: "#eda6b8", accentInk: "#33121c", accentSoft: "#4f2833", seats: ["#eda6b8", "#b9adb1"] },
  art,
  board: () => import("./board.js"),
  lesson: async () => ({
    lesson: {
      players: 2,
      steps: [
        { text: "lesson.roll", view: view([0, 0], 0), goal: /^roll$/, praise: "lesson.rolled" },
        { text: "lesson.hold", view: view([84, 70], 18), goal: /^hold$/, praise: "lesson.won" },
      ],
    },
  }),
  pictures: async () => ({
    pictures: {
      ratio: 3.6,
      sections: { 0: [{ view: view([40, 62], 17), caption: "picture.turn" }] },
    },
  }),
};
